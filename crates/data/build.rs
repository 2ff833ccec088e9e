//! Tests that need something from outside are ignored, and say what they need, unless a variable points to it. A
//! test that finds nothing to do would count as passed.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(with_data)");
    println!("cargo::rerun-if-env-changed=CREDITSCOPE_DATA");
    if std::env::var_os("CREDITSCOPE_DATA").is_some() {
        println!("cargo::rustc-cfg=with_data");
    }
}
