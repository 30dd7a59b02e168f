"""HTML for feed readers: nothing of the page around it, every address whole, every element closed."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core.feed_html import readable, without_illegal

PAGE = "https://example.org/notes/one/"


def address(link: str) -> str:
    """The whole address of a link; none of a script."""
    return "" if link.startswith("javascript:") else f"https://example.org/{link.lstrip('/')}"


def shown(html: str) -> str:
    return readable(html, address, PAGE)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<p class="x" id="y" style="color: red" onclick="f()" tabindex="0">a</p>', "<p>a</p>"),
        ('<h2>Title<a class="headerlink" href="#t" title="Link">#</a></h2>', "<h2>Title</h2>"),
        ('<section id="a"><span class="pre">b</span></section>', "b"),
        ('<a href="two" title="T" rel="next">t</a>', '<a href="https://example.org/two">t</a>'),
        ('<a href="javascript:f()">t</a>', "t"),
        ('<a name="x">t</a>', "t"),
        ('<img src="a.svg" class="only-light">', '<img src="https://example.org/a.svg" alt="">'),
        (
            '<img src="a.svg" alt="A &quot;b&quot;" style="width: 40px; height: 3em">',
            '<img width="40" alt="A &quot;b&quot;" src="https://example.org/a.svg">',
        ),
        ("<script>alert(1)</script><style>a{}</style>a<!-- no --><?php no ?>", "a"),
        ('<div class="admonition note"><p class="admonition-title">Note</p><p>a</p></div>',
         "<blockquote><p><strong>Note</strong></p><p>a</p></blockquote>"),
        (
            '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>'
            '<span class="linenos">1</span><span class="k">if</span> a &lt; b:\n\n\n    c\n</pre></div></div>',
            "<pre>if a &lt; b:\n\n\n    c\n</pre>",
        ),
        ('<div><span class="eqno">(1)<a class="headerlink" href="#e">#</a></span><math><mi>a</mi></math></div>',
         "<div><math><mi>a</mi></math> (1)</div>"),
        ('<td class="writing-numeric"><p>1 <em>a</em></p></td>', '<td align="right">1 <em>a</em></td>'),
        ("<td><p>a</p><p>b</p></td>", "<td><p>a</p><p>b</p></td>"),
        ('<form><input type="text"></form><button>b</button><p hidden>c</p>', ""),
        ('<input class="x" type="checkbox" checked disabled> done', "☑  done"),
        ('<input type="radio"><label class="sd-tab-label" for="a">Tab</label>', "<p><strong>Tab</strong></p>"),
        ('<svg viewBox="0 0 1 1"><path d="x"/></svg>', f'<a href="{PAGE}">[shown on the page]</a>'),
        ('<span aria-hidden="true"><svg><path d="x"/></svg></span>a', "a"),
        ('<iframe src="v"></iframe>', '<a href="https://example.org/v">[shown on the page]</a>'),
        ('<details open class="x"><summary>s</summary>t</details>', '<details open=""><summary>s</summary>t</details>'),
        ("<p>a<p>b</i></div>", "<p>a<p>b</p></p>"),
        ("a\x00\x08\ufffe\ud800b\r\nc", "ab\nc"),
        ("&lt;script&gt; ]]> &amp;amp; {{ x }} $y$", "&lt;script&gt; ]]&gt; &amp;amp; {{ x }} $y$"),
        ("a<br/>b<hr class='x'>c", "a<br>b<hr>c"),
        ('<table class="docutils"><colgroup><col style="width: 1%"></colgroup><tr><td colspan="2">a</td></tr></table>',
         '<table cellpadding="4"><tr><td colspan="2">a</td></tr></table>'),
    ],
)  # fmt: skip
def test_what_readers_get(html: str, expected: str) -> None:
    assert shown(html) == expected


def test_a_formula_is_there_once_as_mathml() -> None:
    katex = (
        '<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML">'
        '<semantics><mrow><mi class="x" href="javascript:f()">a</mi><mspace width="1em"/></mrow>'
        '<annotation encoding="application/x-tex">a\\quad</annotation></semantics></math></span>'
        '<span class="katex-html" aria-hidden="true"><span class="base">a</span></span></span>'
    )
    assert shown(katex) == (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow><mi>a</mi><mspace width="1em"></mspace></mrow></math>'
    )


_PIECES = st.sampled_from([
    "<p>", "</p>", "<div class='admonition'>", "</div>", "<table>", "<td>", "</td>", "<script>", "</script>", "<b",
    "<svg>", "</svg>", "<math>", "</math>", "<br>", "<img src='x'>", "<a href='y'>", "</a>", "<input>", "a & b", "<",
    ">", '"', "]]>", "<!--", "-->", "<span class='eqno'>", "</span>", "\x01", "<pre>", "</pre>", "<p hidden>", "&#0;",
    "<![CDATA[", "<annotation>", "</annotation>", "<textarea>", "</textarea>", "<title>",
])  # fmt: skip


@given(st.lists(_PIECES, max_size=25).map("".join))
def test_whatever_comes_in_what_goes_out_is_well_formed(html: str) -> None:
    made = shown(html).replace("<br>", "<br/>")
    for tag in ("img", "hr", "wbr"):
        made = made.replace(f"<{tag} ", f"<{tag}{tag} ")  # no end tag: an element that is closed below
    made = made.replace('alt="">', 'alt=""/>').replace("<imgimg", "<img")
    ET.fromstring(f"<x>{made}</x>")  # noqa: S314  # ours
    assert "<script" not in made


@given(st.text())
def test_any_text_is_made_legal(text: str) -> None:
    ET.fromstring(f"<x>{without_illegal(text).replace('&', '').replace('<', '').replace(']]>', '')}</x>")  # noqa: S314
