//! `creditscope data`.

mod common;

use common::{program, text};
use data::catalogue::{FASHION_MNIST, MNIST};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The MD5 of `abc` (RFC 1321).
const ABC: &str = "900150983cd24fb0d6963f7d28e17f72";

/// Exit code, standard output, standard error.
fn data(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output =
        program().arg("data").args(args).arg("--data").arg(folder).output().expect("the program starts");
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

/// Puts `abc` in place of one file of MNIST.
fn damage(folder: &Path) -> String {
    let file = folder.join("MNIST/raw/t10k-labels-idx1-ubyte");
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("created");
    std::fs::write(&file, "abc").expect("written");
    file.display().to_string()
}

/// Answers every request with what `answer` writes; it is given the first byte asked for.
fn serve(answer: impl Fn(&mut TcpStream, u64) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let Ok(reader) = stream.try_clone() else { return };
            let head =
                BufReader::new(reader).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            let range = head.filter_map(|line| {
                let line = line.to_ascii_lowercase();
                line.strip_prefix("range: bytes=")?.trim_end_matches('-').parse().ok()
            });
            let first = range.last().unwrap_or(0);
            answer(&mut stream, first);
        }
    });
    url
}

#[test]
fn the_list_says_what_is_here_what_is_missing_and_whom_to_thank() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (code, said, err) = data(folder.path(), &["list"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    insta::assert_snapshot!(said.replace(&folder.path().display().to_string(), "FOLDER"), @r"
    digits         built in
                   Optical digits: 1,797 handwritten digits, 8×8, 10 classes
    teacher        built in
                   Teacher-student: Gaussian inputs labelled by a random network
    lq             built in
                   Linear-quadratic system: Gaussian starts, targets and noise, no
                   labels
    cifar10        missing, 170.1 MB to fetch
                   CIFAR-10: 50000 + 10000 images, 32×32, 10 classes
    cifar100       missing, 168.5 MB to fetch
                   CIFAR-100: 50000 + 10000 images, 32×32, 100 classes
    mnist          missing, 11.6 MB to fetch
                   MNIST: 60000 + 10000 images, 28×28, 10 classes
    fashion-mnist  missing, 30.9 MB to fetch
                   Fashion-MNIST: 60000 + 10000 images, 28×28, 10 classes

    Looked in FOLDER.
    Choose another folder with CREDITSCOPE_DATA or --data.

    Get what is missing, from its publisher or, with --from, from files you have:
      creditscope data fetch cifar10 --data FOLDER
      creditscope data fetch cifar100 --data FOLDER
      creditscope data fetch mnist --data FOLDER
      creditscope data fetch fashion-mnist --data FOLDER

    Please cite what you use:
      digits: E. Alpaydin, C. Kaynak, Optical Recognition of Handwritten Digits,
        UCI Machine Learning Repository, 1998, doi 10.24432/C50P49 (CC BY 4.0)
      cifar10, cifar100: A. Krizhevsky, Learning Multiple Layers of Features from
        Tiny Images, technical report, University of Toronto, 2009 (published
        without a licence; cite the report)
      mnist: Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, Gradient-Based Learning
        Applied to Document Recognition, Proceedings of the IEEE 86(11), 1998
        (published without a licence; often stated as CC BY-SA 3.0)
      fashion-mnist: H. Xiao, K. Rasul, R. Vollgraf, Fashion-MNIST: a Novel Image
        Dataset for Benchmarking Machine Learning Algorithms, arXiv 1708.07747,
        2017 (MIT)
    ");

    damage(folder.path());
    let (_, said, _) = data(folder.path(), &["list"]);
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    let line = said.lines().find(|line| line.starts_with("mnist ")).expect("a line");
    assert!(line.contains("incomplete: idx, train-images-idx3-ubyte is missing and 3 more"), "{line}");
    // Without a folder of its own the program looks where the environment says.
    let output =
        program().args(["data", "list"]).env("CREDITSCOPE_DATA", folder.path()).output().expect("it starts");
    let here = text(&output.stdout);
    assert!(here.contains("incomplete: idx") && here.contains("creditscope data fetch mnist"), "{here}");
}

#[test]
fn a_damaged_file_is_found_and_the_exit_code_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (code, said, err) = data(folder.path(), &["verify"]);
    assert_eq!((code, err.as_str()), (0, ""), "only what is built in is here, and has no files");
    let names: Vec<&str> =
        said.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name).collect();
    assert_eq!(names, ["digits", "teacher", "lq"]);
    assert!(said.ends_with(&format!("No files to check in {}.\n", folder.path().display())), "{said}");

    let file = damage(folder.path());
    let published = MNIST.layouts[0].files[3].md5.expect("a hash");
    for name in [&["verify"][..], &["verify", "mnist"], &["verify", "mnist", "--quiet"]] {
        let (code, said, err) = data(folder.path(), name);
        assert_eq!(code, 1);
        assert!(said.contains(&format!("{file}: WRONG, expected MD5 {published}, found {ABC}\n")), "{said}");
        assert_eq!(said.matches(": missing\n").count(), 3, "{said}");
        assert!(err.contains("creditscope data fetch mnist"), "{err}");
    }
    let (code, _, err) = data(folder.path(), &["verify", "cifar10"]);
    assert_eq!(code, 1);
    assert!(err.contains("CIFAR-10 is not in") && err.contains("creditscope data fetch cifar10"), "{err}");
}

#[test]
fn names_and_files_that_cannot_be_used_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wrong = folder.path().join("wrong.tar.gz");
    std::fs::write(&wrong, "abc").expect("written");
    let [wrong, missing] = [&wrong, &folder.path().join("missing")].map(|path| path.display().to_string());
    let target = folder.path().join("data");
    for (args, words) in [
        (&["fetch", "cifar"][..], &["`cifar`", "cifar10"][..]),
        (&["verify", "cifar"], &["`cifar`", "cifar10"]),
        (&["fetch", "digits"], &["digits", "built into the program"]),
        (&["fetch", "cifar10", "--from", &missing], &[&missing, "no such file", "cifar-10-python.tar.gz"]),
        (&["fetch", "cifar10", "--from", &wrong], &[&wrong, ABC, "cifar-10-python.tar.gz"]),
        (&["fetch", "mnist", "--stall", "0"], &["--stall 0", "30"]),
        (&["fetch", "mnist", "--stall", "soon"], &["--stall", "soon", "seconds"]),
    ] {
        let (code, out, err) = data(&target, args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(words.iter().all(|word| err.contains(word)), "{args:?}: {err}");
    }
    // A folder that cannot be: below a file.
    let below = Path::new(&wrong).join("data");
    let (code, _, err) = data(&below, &["fetch", "mnist", "--mirror", "http://127.0.0.1:1/"]);
    assert_eq!(code, 2);
    assert!(err.contains(&below.display().to_string()), "{err}");
}

#[test]
fn an_address_without_the_file_is_named_with_its_answer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = serve(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
    let (code, out, err) = data(folder.path(), &["fetch", "fashion-mnist", "--mirror", &url]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains(&url) && err.contains("404") && err.contains("--from FILE"), "{err}");
}

#[test]
fn other_bytes_than_the_published_ones_are_not_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let package = &FASHION_MNIST.packages[0];
    let url = serve(|stream, _| {
        let bytes = package.bytes as usize;
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {bytes}\r\nConnection: close\r\n\r\n");
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&vec![0; bytes]));
    });
    let (code, out, err) = data(folder.path(), &["fetch", "fashion-mnist", "--mirror", &url]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains(package.file) && err.contains(package.md5), "{err}");
    let left = std::fs::read_dir(folder.path().join("FashionMNIST/raw")).expect("the folder").count();
    assert_eq!(left, 0, "nothing of it stays");
}

/// A server that sends a thousand bytes and falls silent. Ctrl-C keeps them, and the same command asks for the rest.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_came_and_the_same_command_goes_on() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let total = MNIST.packages[0].bytes;
    let (send, firsts) = std::sync::mpsc::channel();
    let url = serve(move |stream, first| {
        let status = if first == 0 { "200 OK" } else { "206 Partial Content" };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nContent-Range: bytes {first}-{}/{total}\r\n\r\n",
            total - first,
            total - 1
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&[0; 1000]));
        let _ = send.send(first);
        // Holds the connection open while the next one is served.
        std::mem::forget(stream.try_clone());
    });
    let part = folder.path().join("MNIST/raw/train-images-idx3-ubyte.gz.part");
    let size = || part.metadata().map_or(0, |meta| meta.len());
    for sitting in 0..2 {
        let child = program()
            .args(["data", "fetch", "mnist", "--mirror", &url, "--data"])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let begun = Instant::now();
        while size() < 1000 * (sitting + 1) && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.is_ok_and(|status| status.success()));
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        let err = text(&output.stderr);
        assert!(err.contains("kept") && err.contains("fetching again"), "{err}");
        assert!(!err.contains('━') && output.stdout.is_empty(), "no bar where nobody watches: {err}");
        assert_eq!(size(), 1000 * (sitting + 1));
    }
    assert_eq!(firsts.try_iter().collect::<Vec<_>>(), [0, 1000]);
}
