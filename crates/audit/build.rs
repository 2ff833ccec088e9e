//! Tests that need something from outside are ignored, and say what they need, unless a variable points to it. A
//! test that finds nothing to do would count as passed.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(with_python)");
    println!("cargo::rerun-if-env-changed=CREDITSCOPE_PYTHON");
    if std::env::var_os("CREDITSCOPE_PYTHON").is_some() {
        println!("cargo::rustc-cfg=with_python");
    }
}
