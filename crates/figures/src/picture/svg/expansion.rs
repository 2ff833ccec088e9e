//! How large an SVG file becomes once its references are followed.
//!
//! A use, a pattern or a mask stands for a copy of what it names, a marker for one at each vertex, and copies may hold references
//! again: a few kilobytes can stand for more shapes than any machine can hold. So they are counted before they are made. The
//! count is an upper bound: what refers and what is inherited is not told apart from what is not.

use std::collections::HashMap;
use usvg::roxmltree::{Attribute, Document, Node, NodeId};

/// The most elements, copies included.
pub(super) const MOST: u64 = 1_000_000;

/// The most elements within one another, and references to references.
pub(super) const DEEPEST: usize = 500;

/// The most parts of style sheets, times the elements that each may apply to.
const MOST_STYLED: usize = 100_000_000;

/// What is too much in a document, in words; none if it can be read.
pub(super) fn excess(document: &Document) -> Option<String> {
    let mut depths: HashMap<NodeId, usize> = HashMap::new();
    for node in document.descendants() {
        let depth = node.parent().map_or(0, |parent| depths[&parent.id()] + 1);
        if depth > DEEPEST {
            return Some(format!("elements more than {DEEPEST} deep in one another"));
        }
        depths.insert(node.id(), depth);
    }
    if style_parts(document).saturating_mul(depths.len()) > MOST_STYLED {
        return Some("style sheets of too many rules for its elements".to_owned());
    }
    let mut count = Count::of(document);
    let whole = count.below(document.root_element(), 0);
    (whole > MOST).then(|| format!("more than {MOST} elements, copies by reference included"))
}

/// Selectors and declarations in all style sheets.
fn style_parts(document: &Document) -> usize {
    sheets(document).map(|sheet| sheet.matches(['{', ',', ';']).count()).sum()
}

fn sheets<'a>(document: &'a Document<'_>) -> impl Iterator<Item = &'a str> {
    let styles = document.descendants().filter(|node| node.tag_name().name() == "style");
    styles.flat_map(|style| style.children()).filter_map(|text| text.text())
}

/// What references add to an element, and to those in it.
#[derive(Clone, Copy, Default)]
struct Copies {
    /// Elements, once.
    once: u64,
    /// Elements at each vertex.
    at_vertices: u64,
}

impl Copies {
    fn and(self, other: Self) -> Self {
        Self {
            once: self.once.saturating_add(other.once),
            at_vertices: self.at_vertices.saturating_add(other.at_vertices),
        }
    }

    /// Elements that an element with these copies stands for, beside itself.
    fn of(self, node: Node) -> u64 {
        let outline = ["d", "points"].into_iter().filter_map(|name| node.attribute(name));
        // A vertex takes a character or more.
        let vertices: usize = outline.map(str::len).sum();
        self.once.saturating_add(self.at_vertices.saturating_mul(vertices as u64))
    }
}

struct Count<'a, 'i> {
    by_id: HashMap<&'a str, Node<'a, 'i>>,
    /// The size of what a name stands for; 0 while it is being counted, as references in circles are not followed.
    sizes: HashMap<&'a str, u64>,
    /// What style sheets may lend to any element.
    styles: Vec<&'a str>,
    /// Elements looked at, which is bounded as well.
    steps: u64,
}

impl<'a, 'i> Count<'a, 'i> {
    fn of(document: &'a Document<'i>) -> Self {
        let elements = || document.descendants().filter(Node::is_element);
        let by_id = elements().filter_map(|node| Some((node.attribute("id")?, node))).collect();
        let mut styles: Vec<&str> = sheets(document).flat_map(names).collect();
        styles.sort_unstable();
        styles.dedup();
        Self { by_id, sizes: HashMap::new(), styles, steps: 0 }
    }

    /// The size of an element with everything in it, each with its own references and those of the elements around it.
    fn below(&mut self, top: Node<'a, 'i>, depth: usize) -> u64 {
        let mut lent = Copies::default();
        for name in self.styles.clone() {
            lent = lent.and(self.copies(name, true, depth));
        }
        for around in top.ancestors().skip(1) {
            lent = lent.and(self.references(around, depth));
        }
        let mut carried: HashMap<NodeId, Copies> = HashMap::new();
        let mut whole: u64 = 0;
        for node in top.descendants().filter(Node::is_element) {
            self.steps += 1;
            if whole > MOST || self.steps > 20 * MOST {
                return u64::MAX;
            }
            let around = node.parent().and_then(|parent| carried.get(&parent.id())).copied();
            let own = around.unwrap_or(lent).and(self.references(node, depth));
            carried.insert(node.id(), own);
            whole = whole.saturating_add(own.of(node)).saturating_add(1);
        }
        whole
    }

    fn references(&mut self, node: Node<'a, 'i>, depth: usize) -> Copies {
        let at_ends = |attribute: &Attribute| matches!(attribute.name(), "marker-start" | "marker-end");
        let all: Vec<_> = node
            .attributes()
            .flat_map(|attribute| names(attribute.value()).map(move |name| (name, !at_ends(&attribute))))
            .collect();
        all.into_iter()
            .fold(Copies::default(), |sum, (name, repeats)| sum.and(self.copies(name, repeats, depth)))
    }

    /// What a name stands for; a marker, where it repeats, at each vertex.
    fn copies(&mut self, name: &'a str, repeats: bool, depth: usize) -> Copies {
        let size = self.size(name, depth);
        let marker = self.by_id.get(name).is_some_and(|node| node.tag_name().name() == "marker");
        let (once, at_vertices) = if marker && repeats { (0, size) } else { (size, 0) };
        Copies { once, at_vertices }
    }

    fn size(&mut self, name: &'a str, depth: usize) -> u64 {
        let Some(&node) = self.by_id.get(name) else { return 0 };
        if let Some(&size) = self.sizes.get(name) {
            return size;
        }
        if depth > DEEPEST {
            return u64::MAX;
        }
        self.sizes.insert(name, 0);
        let size = self.below(node, depth + 1);
        self.sizes.insert(name, size);
        size
    }
}

/// Every name that a text may refer to: what follows a `#`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let end = |c: char| c.is_whitespace() || matches!(c, ')' | '\'' | '"' | ';' | ',');
    text.split('#').skip(1).map(move |rest| rest.split(end).next().unwrap_or_default())
}
