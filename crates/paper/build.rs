//! Tests that need something from outside are ignored, and say what they need, unless a variable points to it. A
//! test that finds nothing to do would count as passed.

fn main() {
    let given = |name: &str| {
        println!("cargo::rerun-if-env-changed={name}");
        std::env::var_os(name).is_some()
    };
    let seeds = given("CREDITSCOPE_SEEDS");
    let python = given("CREDITSCOPE_PYTHON");
    let tree = given("CREDITSCOPE_PAPER_TREE");
    println!("cargo::rustc-check-cfg=cfg(with_scripts, with_paper_tree)");
    if seeds && python {
        println!("cargo::rustc-cfg=with_scripts");
        if tree {
            println!("cargo::rustc-cfg=with_paper_tree");
        }
    }
}
