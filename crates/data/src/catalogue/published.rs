//! The table itself: addresses, lengths and hashes as published.

use super::{CatalogueEntry, DataFile, DiskLayout, FileFormat, FilePart, Package};
use crate::ImageShape;

const RGB_32: ImageShape = ImageShape { channels: 3, height: 32, width: 32 };
const GREY_28: ImageShape = ImageShape { channels: 1, height: 28, width: 28 };

const KRIZHEVSKY: &str = "A. Krizhevsky, Learning Multiple Layers of Features from Tiny Images, technical report, \
                          University of Toronto, 2009";
const NO_LICENCE: &str = "published without a licence; cite the report";
// The authors' page moved; the old address, which papers cite, forwards to the new one.
const TORONTO: &[&str] = &["https://www.cs.toronto.edu/~kriz/", "https://cave.cs.toronto.edu/kriz/"];

const fn file(name: &'static str, part: FilePart, bytes: Option<u64>, md5: Option<&'static str>) -> DataFile {
    DataFile { name, part, bytes, md5, gz_md5: None }
}

/// A binary batch of CIFAR-10.
const fn batch(name: &'static str, part: FilePart, md5: &'static str) -> DataFile {
    file(name, part, Some(30_730_000), Some(md5))
}

/// The files of MNIST and Fashion-MNIST, by the MD5 of each and of its compressed form.
const fn idx(md5: [[&'static str; 2]; 4]) -> [DataFile; 4] {
    const fn file(
        name: &'static str,
        part: FilePart,
        bytes: u64,
        [md5, gz_md5]: [&'static str; 2],
    ) -> DataFile {
        DataFile { name, part, bytes: Some(bytes), md5: Some(md5), gz_md5: Some(gz_md5) }
    }
    [
        file("train-images-idx3-ubyte", FilePart::Train, 47_040_016, md5[0]),
        file("train-labels-idx1-ubyte", FilePart::Train, 60_008, md5[1]),
        file("t10k-images-idx3-ubyte", FilePart::Test, 7_840_016, md5[2]),
        file("t10k-labels-idx1-ubyte", FilePart::Test, 10_008, md5[3]),
    ]
}

/// The same files as they are published, by length.
const fn compressed(bytes: [u64; 4], md5: [[&'static str; 2]; 4]) -> [Package; 4] {
    [
        package("train-images-idx3-ubyte.gz", bytes[0], md5[0][1], true, 0),
        package("train-labels-idx1-ubyte.gz", bytes[1], md5[1][1], true, 0),
        package("t10k-images-idx3-ubyte.gz", bytes[2], md5[2][1], true, 0),
        package("t10k-labels-idx1-ubyte.gz", bytes[3], md5[3][1], true, 0),
    ]
}

const fn package(file: &'static str, bytes: u64, md5: &'static str, fetched: bool, layout: usize) -> Package {
    Package { file, bytes, md5, fetched, layout }
}

/// CIFAR-10.
pub const CIFAR10: CatalogueEntry = CatalogueEntry {
    name: "cifar10",
    title: "CIFAR-10",
    citation: KRIZHEVSKY,
    licence: NO_LICENCE,
    shape: RGB_32,
    classes: 10,
    train: 50_000,
    test: 10_000,
    moments: &[(0.4914, 0.2470), (0.4822, 0.2435), (0.4465, 0.2616)],
    layouts: &[
        DiskLayout {
            format: FileFormat::CifarBinary,
            folders: &["cifar-10-batches-bin"],
            files: &[
                batch("data_batch_1.bin", FilePart::Train, "5dd7e06a14cb22eb9f671a540d1b7c25"),
                batch("data_batch_2.bin", FilePart::Train, "5ea93a67294ea407fff1d09f752e9692"),
                batch("data_batch_3.bin", FilePart::Train, "942cd6a4bcdd0dd3c604fbe906cb4421"),
                batch("data_batch_4.bin", FilePart::Train, "ae636b3ba5c66a11e91e8cb52e771fcb"),
                batch("data_batch_5.bin", FilePart::Train, "53f37980c15c3d472c316c40844f3f0d"),
                batch("test_batch.bin", FilePart::Test, "803d5f7f4d78ea53de84dbe85f74fb6d"),
            ],
        },
        DiskLayout {
            format: FileFormat::CifarPickle,
            folders: &["cifar-10-batches-py"],
            files: &[
                file("data_batch_1", FilePart::Train, None, Some("c99cafc152244af753f735de768cd75f")),
                file("data_batch_2", FilePart::Train, None, Some("d4bba439e000b95fd0a9bffe97cbabec")),
                file("data_batch_3", FilePart::Train, None, Some("54ebc095f3ab1f0389bbae665268c751")),
                file("data_batch_4", FilePart::Train, None, Some("634d18415352ddfa80567beed471001a")),
                file("data_batch_5", FilePart::Train, None, Some("482c414d41f54cd18b22e5b47cb7c3cb")),
                file("test_batch", FilePart::Test, None, Some("40351d587109b95175f43aff81a1287e")),
                file("batches.meta", FilePart::Extra, None, Some("5ff9c542aee3614f3951f8cda6e48888")),
            ],
        },
    ],
    mirrors: TORONTO,
    packages: &[
        package("cifar-10-binary.tar.gz", 170_052_171, "c32a1d4ab5d03f1284b67883e8d87530", true, 0),
        package("cifar-10-python.tar.gz", 170_498_071, "c58f30108f718f92721af3b95e74349a", false, 1),
    ],
};

/// CIFAR-100, with its 100 fine classes.
pub const CIFAR100: CatalogueEntry = CatalogueEntry {
    name: "cifar100",
    title: "CIFAR-100",
    citation: KRIZHEVSKY,
    licence: NO_LICENCE,
    shape: RGB_32,
    classes: 100,
    train: 50_000,
    test: 10_000,
    moments: &[(0.5071, 0.2675), (0.4867, 0.2565), (0.4408, 0.2761)],
    layouts: &[
        DiskLayout {
            format: FileFormat::CifarBinary,
            folders: &["cifar-100-binary"],
            files: &[
                file("train.bin", FilePart::Train, Some(153_700_000), None),
                file("test.bin", FilePart::Test, Some(30_740_000), None),
            ],
        },
        DiskLayout {
            format: FileFormat::CifarPickle,
            folders: &["cifar-100-python"],
            files: &[
                file("train", FilePart::Train, None, Some("16019d7e3df5f24257cddd939b257f8d")),
                file("test", FilePart::Test, None, Some("f0ef6b0ae62326f3e7ffdfab6717acfc")),
                file("meta", FilePart::Extra, None, Some("7973b15100ade9c7d40fb424638fde48")),
            ],
        },
    ],
    mirrors: TORONTO,
    packages: &[
        package("cifar-100-binary.tar.gz", 168_513_733, "03b5dce01913d631647c71ecec9e9cb8", true, 0),
        package("cifar-100-python.tar.gz", 169_001_437, "eb9058c3a382ffc7106e4002c42a8d85", false, 1),
    ],
};

const MNIST_MD5: [[&str; 2]; 4] = [
    ["6bbc9ace898e44ae57da46a324031adb", "f68b3c2dcbeaaa9fbdd348bbdeb94873"],
    ["a25bea736e30d166cdddb491f175f624", "d53e105ee54ea40749a09fcbcd1e9432"],
    ["2646ac647ad5339dbf082846283269ea", "9fb629c4189551a2d022fa330f9573f3"],
    ["27ae3e4e09519cfbb04c329615203637", "ec29112dd5afa0611ce80d1b7f02629c"],
];

/// MNIST.
pub const MNIST: CatalogueEntry = CatalogueEntry {
    name: "mnist",
    title: "MNIST",
    citation: "Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, Gradient-Based Learning Applied to Document Recognition, \
               Proceedings of the IEEE 86(11), 1998",
    licence: "published without a licence; often stated as CC BY-SA 3.0",
    shape: GREY_28,
    classes: 10,
    train: 60_000,
    test: 10_000,
    moments: &[(0.1307, 0.3081)],
    layouts: &[DiskLayout {
        format: FileFormat::Idx,
        folders: &["MNIST/raw", "mnist"],
        files: &idx(MNIST_MD5),
    }],
    mirrors: &[
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
    ],
    packages: &compressed([9_912_422, 28_881, 1_648_877, 4_542], MNIST_MD5),
};

const FASHION_MNIST_MD5: [[&str; 2]; 4] = [
    ["f4a8712d7a061bf5bd6d2ca38dc4d50a", "8d4fb7e6c68d591d4c3dfef9ec88bf0d"],
    ["9018921c3c673c538a1fc5bad174d6f9", "25c81989df183df01b3e8a0aad5dffbe"],
    ["8181f5470baa50b63fa0f6fddb340f0a", "bef4ecab320f06d8554ea6380940ec79"],
    ["15d484375f8d13e6eb1aabb0c3f46965", "bb300cfdad3c16e7a12a480ee83cd310"],
];

/// Fashion-MNIST.
pub const FASHION_MNIST: CatalogueEntry = CatalogueEntry {
    name: "fashion-mnist",
    title: "Fashion-MNIST",
    citation: "H. Xiao, K. Rasul, R. Vollgraf, Fashion-MNIST: a Novel Image Dataset for Benchmarking Machine Learning \
               Algorithms, arXiv 1708.07747, 2017",
    licence: "MIT",
    shape: GREY_28,
    classes: 10,
    train: 60_000,
    test: 10_000,
    moments: &[(0.2860, 0.3530)],
    layouts: &[DiskLayout {
        format: FileFormat::Idx,
        folders: &["FashionMNIST/raw", "fashion-mnist"],
        files: &idx(FASHION_MNIST_MD5),
    }],
    mirrors: &["http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"],
    packages: &compressed([26_421_880, 29_515, 4_422_102, 5_148], FASHION_MNIST_MD5),
};
