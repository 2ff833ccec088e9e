"""What a terminal and a notebook show."""

from __future__ import annotations

import base64
import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import creditscope as cs
from conftest import program


# HTML lets their ends be left out.
OPTIONAL = {"thead", "tbody", "tr", "th", "td", "li"}


class Tags(HTMLParser):
    """The tags and attributes of a page, and whether they are balanced."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag} | {name for name, _ in attrs}
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        assert self.open.pop() == tag


def tags(page: str) -> set[str]:
    parser = Tags()
    parser.feed(page)
    assert parser.open == []
    return parser.seen


def test_verdicts_are_a_table_in_both(trained: cs.Runs) -> None:
    found = trained.judged()
    text, html = repr(found), found._repr_html_()
    assert "dfa" in text and "accuracy" in text and "──" in text
    assert {"table", "th", "td"} <= tags(html) and not tags(html) & {"script", "style", "onclick"}
    for words in ("accuracy", "dfa"):
        assert words in html
    assert {"table", "td"} <= tags(trained._repr_html_())


def test_audits_are_saved_by_ending(trained: cs.Runs, tmp_path: Path) -> None:
    found = trained.judged()
    for ending in ("json", "csv", "md", "txt", "html"):
        found.save(tmp_path / f"audit.{ending}")
    assert (tmp_path / "audit.json").read_text() == found.json()
    assert (tmp_path / "audit.csv").read_bytes().startswith(b"run,group,rule")
    with pytest.raises(cs.UsageError, match=".json"):
        found.save(tmp_path / "audit.doc")


def test_what_must_not_be_found_is_raised(trained: cs.Runs) -> None:
    found = trained.judged()
    verdicts = found.verdicts()
    fires = (verdicts["D3"] == "fires").any()
    if fires:
        with pytest.raises(cs.FoundError, match="D3|gain|baseline|frozen"):
            found.raise_if("D3")
    else:
        found.raise_if("D3")
    with pytest.raises(cs.UsageError, match="choose from reference, D1"):
        found.raise_if("D9")


def test_figures_are_shown_without_trust(trained: cs.Runs, tmp_path: Path) -> None:
    figure = cs.figure("verdicts", trained)
    bundle = figure._repr_mimebundle_()
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert tags(bundle["text/html"]) == {"img", "alt", "src"}
    assert figure.svg.startswith("<svg") or "<svg" in figure.svg[:200]
    assert figure.pdf.startswith(b"%PDF") and figure.csv.count("\n") > 2
    figure.save(tmp_path / "one.svg")
    assert (tmp_path / "one.svg").read_text() == figure.svg
    with pytest.raises(cs.FigureError, match=".pdf"):
        figure.save(tmp_path / "one.jpeg")


def test_figures_say_what_they_lack(trained: cs.Runs) -> None:
    with pytest.raises(cs.FigureError, match="penalty"):
        cs.figure("penalty-rescue", trained)
    with pytest.raises(cs.FigureError, match="published=True"):
        cs.figure("verdicts")
    with pytest.raises(cs.FigureError, match="paper and slides"):
        cs.figure("verdicts", trained, style="poster")


def test_figures_are_as_their_author_wants_them(trained: cs.Runs, tmp_path: Path) -> None:
    bare = cs.figure("verdicts", trained, rules=["dfa", "bp"], venue="icml", span="column", bare=True)
    assert 'width="234pt"' in bare.svg[:300]
    assert "\\caption{" in bare.caption and "dfa" in bare.description.lower()
    # The rows of verdicts are listed from the bottom, the first rule on top.
    assert bare.csv.index(",bp,") < bare.csv.index(",dfa,")
    curves = cs.figure("cifar-accuracy", trained, rules=["dfa", "bp"]).csv
    assert curves.index(",dfa,") < curves.index(",bp,")
    bare.save(tmp_path)
    assert (tmp_path / "verdicts.tex").read_text() == bare.caption
    with pytest.raises(cs.FigureError, match="bare=True"):
        cs.figure("verdicts", trained).caption
    own = tmp_path / "mine.toml"
    own.write_text("width = 3\nrules = ['bp']\n[[panel]]\ny = 'test_accuracy'\n")
    assert 'width="216pt"' in cs.figure(own, trained).svg[:300]
    wide = cs.figure(own, trained, width=4, colour={"dfa": "#112233"}, rules=["dfa"], range={"a": (0, 1)})
    assert 'width="288pt"' in wide.svg[:300] and "#112233" in wide.svg and ",bp," not in wide.csv
    config = tmp_path / "figures.toml"
    config.write_text("ground = 'transparent'\n")
    assert 'fill="#ffffff"/>\n<defs>' not in cs.figure("verdicts", trained, config=config).svg
    for keywords, words in (
        ({"rules": ["dfaa"]}, "did you mean `dfa`"),
        ({"venue": "icmll"}, "did you mean `icml`"),
        ({"settings": {"d": 7}}, "there are"),
        ({"panel": "zz"}, "no panel `zz`"),
    ):
        with pytest.raises(cs.FigureError, match=words):
            cs.figure("verdicts", trained, **keywords)


def test_a_report_is_shown_in_a_frame_and_readable_without(trained: cs.Runs, tmp_path: Path) -> None:
    page = cs.report(trained, tmp_path / "page.html", title="a <title>")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    assert page.html.startswith("<!doctype html>") and "<title>a &lt;title&gt;</title>" in page.html
    shown = page._repr_html_()
    # The frame is out of reach of the notebook, and what a browser takes for its content is the page.
    frame, _, rest = shown.partition("></iframe>")
    assert 'sandbox="allow-scripts"' in frame and "allow-same-origin" not in frame.split('sandbox="')[1]
    assert html.unescape(frame.split('srcdoc="')[1].split('"')[0]) == page.html
    assert {"details", "table", "td"} <= tags(rest) and not tags(rest) & {"script", "style", "onclick"}
    assert "dfa" in rest
    assert "| run |" in page._repr_markdown_() and "4 runs" in repr(page)
    page.save(tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page.markdown
    with pytest.raises(cs.UsageError, match=".html or .md"):
        page.save(tmp_path / "page.pdf")
    with pytest.raises(cs.FileError, match="cannot write"):
        page.save(tmp_path / "none" / "page.html")


def test_a_report_is_that_of_the_command_line(trained: cs.Runs, tmp_path: Path) -> None:
    folder = trained.paths[0].parent
    done = program("report", folder, "-o", tmp_path / "page.html", "--title", "t", "--quiet")
    assert done.returncode == 0, done.stderr
    # They differ in the command that the foot names and in how remedies are spelled.
    page = cs.report(folder, title="t")
    verdict = re.findall(r"<td[^>]*>[^<]*(?:PASS|FAIL)[^<]*", page.html)
    assert verdict and verdict == re.findall(
        r"<td[^>]*>[^<]*(?:PASS|FAIL)[^<]*", (tmp_path / "page.html").read_text(encoding="utf-8")
    )
    assert f"creditscope.report([{str(folder)!r}], title=" in html.unescape(page.html)
    with pytest.raises(cs.MissingFileError, match="does not exist"):
        cs.report(tmp_path / "none")
    with pytest.raises(cs.RunError, match="holds no run"):
        cs.report(tmp_path)
