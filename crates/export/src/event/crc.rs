//! The checksum of event files: CRC-32C, turned and shifted so that a checksum within data is not taken for one of data.

/// The table of CRC-32C (Castagnoli), whose polynomial reversed is 82F63B78.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0x82f6_3b78 } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| (crc >> 8) ^ TABLE[usize::from(crc as u8 ^ byte)])
}

/// The masked checksum of these bytes.
pub(super) fn masked(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::crc32c;

    #[test]
    fn checksums_are_those_of_rfc_3720() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        // Appendix B.4.
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
        let rising: Vec<u8> = (0..32).collect();
        assert_eq!(crc32c(&rising), 0x46dd_794e);
    }
}
