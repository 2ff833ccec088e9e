#![no_main]

#[path = "../doors/mod.rs"]
#[allow(dead_code, reason = "a target opens one door")]
mod doors;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    doors::page(bytes);
});
