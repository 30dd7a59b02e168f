#!/usr/bin/env python3
"""Write a seeded, realistic corpus of technical posts in several generator flavours.

    gen_corpus.py --flavour sphinx --posts 300 --out DIR [--seed 7] [--per-series 12]
                  [--theme-dir DIR]          (hugo: folder that holds PaperMod/)

Flavours: sphinx, mkdocs, hugo.  Standard library only.

Seed 7 and the form of the posts are those of the measurements that this project's goals were set by, made before
the extension was written: with another seed or another form no figure can be set beside those.  The file is taken
in from there as it was, so it is not linted or formatted; two flavours that are not measured here are left out,
and tags are sorted before they are drawn from, as the order of a set differs from process to process.

Every flavour gets the same posts: the same words, headings, code, formulas, table, diagram and
links; only the front matter and the spelling of directives differ.  A post's content depends on
(seed, index) only, so the first 100 posts of a 1000-post corpus are the 100-post corpus.

A post has about 1,500-2,500 words of prose, 8 headings below its title, 6 code blocks in 3
languages, 8 formulas (4 display, 4 inline), 1 table, 1 mermaid diagram, 1 admonition, 2 links to
other posts by relative .md path, 3 tags, a date and a description.  About --per-series posts make
a series.  Mathematics and diagrams are left to the browser in every flavour.
"""
from __future__ import annotations

import argparse
import datetime as dt
import json
import random
import shutil
from pathlib import Path

# ---------------------------------------------------------------- vocabulary
NOUNS = """cache line tensor kernel scheduler page table block warp thread lane register tile queue
batch token prefix attention head layer gradient optimizer shard replica bucket collective ring tree
link switch socket node core package die interposer channel bank row buffer port latency bandwidth
throughput roofline counter event sample profile trace span stall bubble pipeline stage barrier fence
lock mutex futex signal interrupt syscall process context stack heap arena slab allocator fragment
mapping address segment object loader linker symbol relocation section binary compiler pass graph
node edge operator fusion layout stride descriptor pointer index offset mask bit exponent mantissa
rounding overflow scale range format weight activation bias norm softmax logit sampler beam draft
verifier cascade router expert gate capacity dropout loss curve step epoch checkpoint restart fault
retry timeout lease quorum log record snapshot commit journal inode directory extent device driver
firmware clock domain voltage budget envelope model server client request response session window
horizon deadline priority tenant quota cluster rack pod fabric topology hop route packet frame credit
memory store load prefetch eviction victim set way tag miss hit writeback snoop directory coherence
ordering reader writer publisher corpus tokenizer vocabulary merge sentence document dataset filter
benchmark baseline harness metric percentile median outlier variance estimate bound proof invariant
example counterexample experiment measurement figure table diagram formula constant exponent slope
intercept regime plateau knee cliff tail burst backlog arrival service utilisation saturation""".split()
VERBS = """moves copies loads stores reduces gathers scatters broadcasts overlaps hides exposes splits
merges packs pads aligns maps pins evicts fetches replays records counts samples predicts bounds
limits doubles halves amortises dominates starves blocks wakes yields retires issues commits flushes
invalidates promotes demotes balances routes drops retains recomputes quantises rescales normalises
accumulates truncates rounds saturates masks skips fuses lowers schedules batches pipelines shards
replicates checkpoints restores verifies measures explains confirms contradicts predicts""".split()
ADJS = """shared private dense sparse local remote cold warm contiguous strided aligned unaligned dirty
clean stale hot idle busy wide narrow deep shallow static dynamic eager lazy greedy optimal nominal
effective theoretical measured sustained peak average bounded unbounded linear quadratic logarithmic
monotone stable noisy partial complete exact approximate conservative optimistic pessimistic strict
relaxed sequential parallel speculative persistent transient virtual physical logical explicit
implicit hierarchical flat uniform skewed bimodal heavy light redundant compressed quantised""".split()
ADVS = """usually rarely often seldom always nearly barely roughly exactly silently eventually first
finally again later sooner mostly partly fully""".split()
ROOTS = """mem net comp disk gpu cpu nic tlb pcie dram sram hbm numa simd gemm conv attn ffn moe kv
rope norm adam zero fsdp ddp nccl mpi rdma tcp quic elf dwarf ebpf perf ftrace futex epoll""".split()
SUFFIXES = """pool map set list ring heap view plan cost rate span mark step wave unit slot bank fold
trace probe guard stub hook path edge""".split()
TOPICS = """Attention Collectives Schedulers Caches Kernels Tokenizers Quantisation Routing Paging
Allocation Tracing Profiling Compilation Linking Coherence Checkpointing Batching Prefilling Decoding
Speculation Sharding Pipelining Interconnects Filesystems Interrupts Numerics Optimisers Sampling
Distillation Retrieval Evaluation Serving""".split()
ANGLES = ["from First Principles", "under Load", "in Practice", "and Its Cost Model", "by Measurement",
          "without Magic", "at Scale", "on Two Cores", "and Where It Breaks", "Step by Step",
          "from the Ground Up", "and the Memory Wall"]
TAGS = ("attention memory kernels scheduling numerics networking compilers profiling linux storage "
        "training inference serving quantisation tokenization evaluation parallelism caches gpu cpu "
        "distributed debugging performance theory hardware").split()
SERIES_NAMES = ["Infra", "Machines", "Models", "Numerics", "Serving", "Kernels", "Compilers", "Storage",
                "Networks", "Evaluation", "Data", "Tracing"]
SECTION_HEADS = ["The problem in one picture", "What the hardware gives us", "A first model",
                 "Reading the code", "Where the time goes", "What can go wrong",
                 "Measuring it yourself", "What to remember"]
# Rare words with a long tail, so that a search index meets a vocabulary like a real site's.
RARE = [a + b for a in ROOTS for b in SUFFIXES] + [a + b for a in ROOTS for b in ROOTS if a != b]


class Writer:
    def __init__(self, rng: random.Random):
        self.r = rng

    def noun(self) -> str:
        r = self.r
        return r.choice(RARE) if r.random() < 0.06 else NOUNS[int(len(NOUNS) * r.random() ** 1.6)]

    def phrase(self) -> str:
        r = self.r
        head = self.noun()
        if r.random() < 0.55:
            head = f"{r.choice(ADJS)} {head}"
        if r.random() < 0.25:
            head = f"{head} {self.noun()}"
        return head

    def decorate(self, text: str) -> str:
        p = self.r.random()
        if p < 0.030:
            return f"`{text.replace(' ', '_')}`"
        if p < 0.045:
            return f"**{text}**"
        if p < 0.060:
            return f"*{text}*"
        return text

    def sentence(self) -> str:
        r = self.r
        n = lambda: self.decorate(self.phrase())
        v = lambda: r.choice(VERBS)
        k = r.randrange(8)
        num = r.choice([2, 3, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024])
        if k == 0:
            s = f"the {n()} {v()} the {n()}, and the {n()} {r.choice(ADVS)} {v()} what is left"
        elif k == 1:
            s = f"when a {n()} {v()} its {n()}, every {n()} behind it waits for {num} cycles"
        elif k == 2:
            s = f"with {num} {n()} entries the {n()} {v()} the {n()} before the {n()} is full"
        elif k == 3:
            s = f"this is why the {n()} {r.choice(ADVS)} {v()} the {n()} in the {n()}"
        elif k == 4:
            s = f"a {n()} that {v()} the {n()} costs more than the {n()} it saves"
        elif k == 5:
            s = (f"suppose the {n()} {v()} {num} bytes of {n()} for each {n()}: then the {n()} "
                 f"{v()} the {n()} and the {n()} is {r.choice(ADJS)}")
        elif k == 6:
            s = f"the measured {n()} is {num} times the {n()}, because the {n()} {v()} the {n()} twice"
        else:
            s = f"neither the {n()} nor the {n()} {v()} the {n()} unless a {n()} asks for it"
        return s[0].upper() + s[1:] + "."

    def para(self, words: int) -> str:
        out, count = [], 0
        while count < words:
            s = self.sentence()
            out.append(s)
            count += len(s.split())
        return " ".join(out)

    # ------------------------------------------------------------ code
    def ident(self) -> str:
        return f"{self.r.choice(NOUNS)}_{self.r.choice(SUFFIXES)}"

    def code(self, lang: str) -> str:
        r = self.r
        a, b, c, d = (self.ident() for _ in range(4))
        k = r.choice([4, 8, 16, 32, 64, 128])
        if lang == "python":
            lines = ["import numpy as np", "", f"def {a}({b}, {c}, width={k}):",
                     f'    """Return the {self.phrase()} of each {self.noun()}."""',
                     f"    {d} = np.zeros(({b}.shape[0], width), dtype=np.float32)"]
            for _ in range(r.randrange(2, 6)):
                x, y = self.ident(), self.ident()
                lines += [f"    for i, {x} in enumerate({c}):",
                          f"        {y} = {x} @ {b}[i].T / np.sqrt({r.choice([2, 8, 64])}.0)",
                          f"        {d}[i] += {y}.max(axis=-1)[:width]  # {self.phrase()}"]
            lines += [f"    return {d}", "", f"print({a}(np.ones(({k}, 8)), [], width={k}).sum())"]
        elif lang == "c":
            lines = ["#include <stdint.h>", "#include <stdio.h>", "",
                     f"struct {a} {{ uint64_t {b}; uint32_t {c}; char pad[{k}]; }};", "",
                     f"static uint64_t {d}(struct {a} *p, int n) {{", "    uint64_t sum = 0;"]
            for _ in range(r.randrange(2, 5)):
                lines += [f"    for (int i = 0; i < n; i += {r.choice([1, 2, 4, 8])}) {{",
                          f"        /* {self.phrase()} */",
                          f"        sum += p[i].{b} ^ (p[i].{c} << {r.randrange(1, 17)});", "    }"]
            lines += [f'    printf("%s %llu\\n", "{a}", (unsigned long long)sum);', "    return sum;", "}"]
        else:
            lines = ["#!/bin/sh", "set -eu", f"{a.upper()}={k}"]
            for _ in range(r.randrange(2, 5)):
                x = self.ident()
                lines += [f'for {x} in $(seq 1 "${a.upper()}"); do  # {self.phrase()}',
                          f'  taskset -c 0 ./{b} --{c.replace("_", "-")} "${x}" | awk \'{{ s += $2 }} END {{ print s }}\'',
                          "done"]
            lines += [f"perf stat -e cycles,instructions -- ./{b} > {d}.log 2>&1 || exit 1"]
        return "\n".join(lines)

    # ------------------------------------------------------------ formulas
    def inline_math(self) -> str:
        r = self.r
        x, y, n = r.choice("BLHDTNKM"), r.choice("bhdstkq"), r.randrange(2, 9)
        return r.choice([rf"{x}_{{{y}}} = {n}{x}{y}^2", rf"O({x} \log {y})", rf"\alpha_{{{y}}} \le {n}/{x}",
                         rf"{y} \in \mathbb{{R}}^{{{x} \times {n}}}"])

    def display_math(self) -> str:
        r = self.r
        x, y, z = r.sample("ABCDHKLMNQSTW", 3)
        n = r.randrange(2, 40)
        return r.choice([
            rf"T_{{{x}}} = \frac{{{n} {y} {z}}}{{\beta}} + \left({y} - 1\right)\left(\alpha + \frac{{{z}}}{{{n}}}\right)",
            rf"\mathrm{{{x}}}({y}, {z}) = \sum_{{i=1}}^{{{n}}} \frac{{\exp({y}_i^\top {z}_i / \sqrt{{d}})}}{{\sum_j \exp({y}_j^\top {z}_j / \sqrt{{d}})}}",
            rf"\begin{{aligned}} {x}_{{t+1}} &= {x}_t - \eta \frac{{{y}_t}}{{\sqrt{{{z}_t}} + \epsilon}} \\ {y}_t &= \beta_1 {y}_{{t-1}} + (1-\beta_1) g_t \end{{aligned}}",
            rf"\rho = \frac{{\lambda}}{{\mu}} \quad\Rightarrow\quad {x} = \frac{{\rho}}{{1-\rho}} \cdot {n}"])

    def table(self) -> str:
        r = self.r
        rows = [f"| {self.phrase()} | {self.phrase()} | time (us) | size (KiB) |", "|---|---|---:|---:|"]
        for _ in range(r.randrange(5, 9)):
            rows.append(f"| {self.phrase()} | `{self.ident()}` | {r.uniform(0.1, 900):.2f} | {2 ** r.randrange(0, 14)} |")
        return "\n".join(rows)

    def mermaid(self) -> str:
        """One of 20 diagrams, so that a build which draws them meets each about N/20 times."""
        return Writer(random.Random(f"diagram:{self.r.randrange(20)}")).flowchart()

    def flowchart(self) -> str:
        r = self.r
        names = [self.phrase() for _ in range(6)]
        lines = ["flowchart LR"] + [f"  n{i}[{n}]" for i, n in enumerate(names)]
        for i in range(1, 6):
            lines.append(f"  n{r.randrange(i)} -->|{r.choice(VERBS)}| n{i}")
        return "\n".join(lines)


class Post:
    """One post as a flat list of (kind, payload) blocks, the same for every flavour."""

    def __init__(self, seed: int, i: int, per_series: int):
        r = random.Random(f"{seed}:{i}")
        w = Writer(r)
        self.i, self.series, self.part = i, i // per_series, i % per_series + 1
        self.title = f"{r.choice(TOPICS)} and {r.choice(TOPICS)} {r.choice(ANGLES)} ({i:04d})"
        self.slug = f"p{i:04d}-" + "-".join(self.title.lower().split()[:3])
        drawn = sorted({TAGS[int(len(TAGS) * r.random() ** 1.5)] for _ in range(12)})
        self.tags = sorted(drawn, key=lambda t: r.random())[:3]
        self.date = dt.date(2018, 1, 1) + dt.timedelta(days=(i * 37) % 3000)
        self.description = w.sentence()
        self.links = [r.randrange(i), max(0, i - r.randrange(1, per_series))] if i > 1 else [1 - i, 1 - i]
        target = r.randrange(1120, 2121)  # sentences overrun: the prose comes out at 1,500-2,500 words
        langs = ["python", "c", "sh"] * 2
        r.shuffle(langs)
        b: list[tuple[str, object]] = [("p", w.para(90)), ("more", None)]
        per_sec = (target - 90) // 8
        for s, head in enumerate(SECTION_HEADS):
            b.append(("h", head))
            first = w.para(per_sec // 3)
            if s in (1, 3, 5, 7):
                first += f" Here ${w.inline_math()}$ holds. " + w.sentence()
            b.append(("plink", (first, self.links[s == 6])) if s in (2, 6) else ("p", first))
            if s < 6:
                b.append(("code", (langs[s], w.code(langs[s]))))
            b.append(("p", w.para(per_sec // 3)))
            if s in (0, 2, 4, 6):
                b.append(("math", w.display_math()))
            if s == 3:
                b.append(("mermaid", w.mermaid()))
            if s == 4:
                b.append(("table", w.table()))
            if s == 5:
                b.append(("note", w.para(30)))
            if s == 7:
                b.append(("list", [w.sentence() for _ in range(5)]))
            b.append(("p", w.para(per_sec // 3)))
        self.blocks = b


MORE = "<!-- more -->"


def body(post: Post, flavour: str, href) -> str:
    out: list[str] = []
    for kind, x in post.blocks:
        if kind == "p":
            out.append(x)
        elif kind == "plink":
            out.append(f"{x[0]} See also [the post on it]({href(x[1])}).")
        elif kind == "more":
            if flavour in ("mkdocs", "hugo"):
                out.append("<!--more-->" if flavour == "hugo" else MORE)
        elif kind == "h":
            out.append(f"## {x}")
        elif kind == "code":
            out.append(f"```{x[0]}\n{x[1]}\n```")
        elif kind == "math":
            out.append(f"$$\n{x}\n$$")
        elif kind == "mermaid":
            fence = "```{mermaid}" if flavour == "sphinx" else "```mermaid"
            out.append(f"{fence}\n{x}\n```")
        elif kind == "table":
            out.append(x)
        elif kind == "note":
            if flavour == "sphinx":
                out.append(f":::{{note}}\n{x}\n:::")
            elif flavour == "mkdocs":
                out.append(f"!!! note\n\n    {x}")
            else:
                out.append(f"> [!NOTE]\n> {x}")
        elif kind == "list":
            out.append("\n".join(f"- {s}" for s in x))
    return "\n\n".join(out) + "\n"


def series_name(s: int) -> str:
    return f"{SERIES_NAMES[s % len(SERIES_NAMES)]} {s // len(SERIES_NAMES) + 1}"


def q(s: str) -> str:
    return json.dumps(s)


def front(post: Post, flavour: str) -> str:
    f = ["---"]
    if flavour in ("mkdocs", "hugo"):
        f.append(f"title: {q(post.title)}")
    f.append(f"date: {post.date}")
    f.append("tags: [" + ", ".join(post.tags) + "]")
    f.append(f"description: {q(post.description.replace('`', '').replace('*', ''))}")
    if flavour == "mkdocs":
        f.append(f"categories: [{q(series_name(post.series))}]")
    if flavour == "hugo":
        f.append(f"series: [{q(series_name(post.series))}]")
    if flavour == "sphinx":
        f += [f"series: {series_name(post.series)}", f"part: {post.part}"]
    return "\n".join(f + ["---", ""])


SPHINX_CONF = '''project = "Bench"
author = "Bench"
extensions = ["myst_parser", "sphinx_design", "sphinxcontrib.mermaid"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
html_theme = "furo"
html_baseurl = "https://bench.invalid/"
exclude_patterns = ["_build"]
# Mermaid stays "raw" and mathematics stays MathJax: both are drawn by the browser.
mermaid_output_format = "raw"
'''
MKDOCS_YML = '''site_name: Bench
site_url: https://bench.invalid/
theme:
  name: material
  font: false
  features: [navigation.indexes, content.code.copy]
plugins:
  - search
  - blog:
      post_url_format: "{slug}"
      pagination_per_page: 10
      archive_date_format: yyyy
  - tags
markdown_extensions:
  - admonition
  - tables
  - toc: {permalink: true}
  - pymdownx.arithmatex: {generic: true}
  - pymdownx.highlight: {anchor_linenums: false}
  - pymdownx.inlinehilite
  - pymdownx.superfences:
      custom_fences:
        - name: mermaid
          class: mermaid
          format: !!python/name:pymdownx.superfences.fence_code_format
'''
HUGO_TOML = '''baseURL = "https://bench.invalid/"
title = "Bench"
theme = "PaperMod"
{themesdir}pagination.pagerSize = 10
[taxonomies]
tag = "tags"
series = "series"
[outputs]
home = ["HTML", "RSS", "JSON"]
[params]
ShowReadingTime = true
ShowToc = true
ShowPostNavLinks = true
ShowFullTextinRSS = false
[params.assets]
disableHLJS = true
[markup.highlight]
noClasses = false
[markup.goldmark.renderHooks.link]
useEmbedded = "always"
[markup.goldmark.extensions.passthrough]
enable = true
[markup.goldmark.extensions.passthrough.delimiters]
block = [["$$", "$$"]]
inline = [["$", "$"]]
'''


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make(flavour: str, n: int, out: Path, seed: int = 7, per_series: int = 12,
         theme_dir: str | None = None) -> dict:
    if out.exists():
        shutil.rmtree(out)
    posts = [Post(seed, i, per_series) for i in range(n)]
    nseries = (n + per_series - 1) // per_series
    root = {"sphinx": out, "mkdocs": out / "docs/blog/posts", "hugo": out / "content/posts"}[flavour]

    def rel(p: Post) -> str:
        return f"s{p.series:03d}/{p.slug}.md"

    for p in posts:
        def href(j: int, p=p) -> str:
            t = posts[min(j, n - 1)]
            return f"{t.slug}.md" if t.series == p.series else f"../{rel(t)}"
        head = "" if flavour in ("mkdocs", "hugo") else f"# {p.title}\n\n"
        write(root / rel(p), front(p, flavour) + "\n" + head + body(p, flavour, href))
    # ---------------------------------------------------------------- site files
    if flavour == "sphinx":
        write(out / "conf.py", SPHINX_CONF)
        idx = ["# Bench", "", "A corpus.", ""]
        idx += ["```{toctree}", ":caption: Series", ""]
        idx += [f"s{s:03d}/index" for s in range(nseries)] + ["```", ""]
        write(out / "index.md", "\n".join(idx))
        for s in range(nseries):
            mine = [p for p in posts if p.series == s]
            write(out / f"s{s:03d}/index.md", "\n".join(
                [f"# {series_name(s)}", "", "The parts of this series.", "", "```{toctree}", ":maxdepth: 1", ""]
                + [p.slug for p in mine] + ["```", ""]))
    elif flavour == "mkdocs":
        write(out / "mkdocs.yml", MKDOCS_YML)
        write(out / "docs/index.md", "# Bench\n\nA corpus.\n")
        write(out / "docs/blog/index.md", "# Writing\n")
        write(out / "docs/tags.md", "# Tags\n\n<!-- material/tags -->\n")
    else:
        td = f'themesDir = {q(theme_dir)}\n' if theme_dir else ""
        write(out / "hugo.toml", HUGO_TOML.replace("{themesdir}", td))
        write(out / "content/search.md", "---\ntitle: Search\nlayout: search\n---\n")
        write(out / "content/archives.md", "---\ntitle: Archive\nlayout: archives\n---\n")
        write(out / "layouts/_markup/render-codeblock-mermaid.html",
              '<pre class="mermaid">{{ .Inner | htmlEscape | safeHTML }}</pre>\n')
    mid = posts[n // 2]
    words = sum(len(str(x).split()) for p in posts[:50] for k, x in p.blocks if k in ("p", "plink", "note", "list")) // min(n, 50)
    info = {"flavour": flavour, "posts": n, "series": nseries, "seed": seed,
            "edit": str((root / rel(mid)).relative_to(out)), "title": mid.title, "mean_words": words,
            "source_bytes": sum((root / rel(p)).stat().st_size for p in posts)}
    write(out / ".." / f"{out.name}.json", json.dumps(info, indent=1))
    return info


def main() -> None:
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--flavour", required=True, choices=["sphinx", "mkdocs", "hugo"])
    a.add_argument("--posts", type=int, default=100)
    a.add_argument("--out", type=Path, required=True)
    a.add_argument("--seed", type=int, default=7)
    a.add_argument("--per-series", type=int, default=12)
    a.add_argument("--theme-dir")
    o = a.parse_args()
    print(json.dumps(make(o.flavour, o.posts, o.out, o.seed, o.per_series, o.theme_dir)))


if __name__ == "__main__":
    main()
