"""The lab of the note on linking and loading, against readelf, ld, ld.so's own log, and running programs."""

from __future__ import annotations

import functools
import json
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from labs.kit import values
from labs.systems import linking_and_loading as lab
from labs.systems.linking_and_loading import DYNSYM, LOAD, PLAIN, Built, Elf, LinkError, Segment

DOCS = Path(__file__).parents[3] / "docs" / "systems" / "linking-and-loading"
NOTE = (DOCS / "index.md").read_text(encoding="utf-8")

Need = Callable[[str, str], str]

pytestmark = pytest.mark.xdist_group("linking")  # the example is compiled once


@pytest.fixture(scope="module")
def made() -> Built:
    return lab.build()


@pytest.fixture
def readelf(need: Need) -> Callable[..., str]:
    tool = need("readelf", "binutils")

    def read(path: Path, *options: str) -> str:
        return lab.command(tool, *options, "-W", path, folder=path.parent).stdout

    return read


@functools.cache
def libc_path() -> Path:
    found = lab.command("gcc", "-print-file-name=libc.so.6", folder=Path("/")).stdout.strip()
    return Path(found).resolve()


def examples(made: Built) -> list[Path]:
    names = ("main.o", "count.o", "main-noplt.o", "libcount.so", "libwatch.so", "archived", *lab.WAYS)
    return [*(made.folder / name for name in names), Path("/bin/ls").resolve(), libc_path()]


# Read, against readelf


def test_relocations_are_those_of_readelf(made: Built, readelf: Callable[..., str]) -> None:
    row = re.compile(r"^([0-9a-f]{16})  [0-9a-f]{16} R_X86_64_(\S+) +(.*)$", re.M)
    for path in examples(made):
        theirs = [(int(at, 16), kind, rest.split()) for at, kind, rest in row.findall(readelf(path, "-r"))]
        ours = Elf(path.read_bytes()).relocations()
        assert len(ours) == len(theirs) > 0, path
        for mine, (at, kind, rest) in zip(ours, theirs, strict=True):
            assert (mine.offset, mine.kind) == (at, kind)
            if len(rest) > 2:  # value, name, sign, addend
                assert mine.symbol.name == rest[1].partition("@")[0], path
                assert mine.symbol.value == int(rest[0], 16)
                addend = int(rest[3], 16) * (-1 if rest[2] == "-" else 1)
            else:
                addend = int(rest[-1], 16)
            assert mine.addend == addend


def test_symbols_are_those_of_readelf(made: Built, readelf: Callable[..., str]) -> None:
    binding = {"LOCAL": "local", "GLOBAL": "global", "WEAK": "weak"}
    kinds = {
        "NOTYPE": "no type",
        "OBJECT": "object",
        "FUNC": "function",
        "SECTION": "section",
        "FILE": "file",
    }
    row = re.compile(
        r"^ +\d+: ([0-9a-f]+) +(\d+|0x[0-9a-f]+) (\w+) +(\w+) +\w+ +(\w+) (\S+?)(?:@.*)?(?: \(\d+\))?$", re.M
    )
    for path in examples(made):
        elf = Elf(path.read_bytes())
        theirs = [
            (name, int(at, 16), int(size, 0), binding.get(bind), kinds.get(kind), section == "UND")
            for at, size, kind, bind, section, name in row.findall(readelf(path, "--dyn-syms"))
        ]
        ours = [
            (s.name, s.value, s.size, s.binding, s.kind if s.kind in kinds.values() else None, not s.defined)
            for s in elf.symbols(DYNSYM)
            if s.name
        ]
        assert ours == theirs, path


def test_sections_and_segments_are_those_of_readelf(made: Built, readelf: Callable[..., str]) -> None:
    section = re.compile(r"^  \[ *\d+\] (\S*) +\S+ +([0-9a-f]{16}) ([0-9a-f]+) ([0-9a-f]+) ", re.M)
    segment = re.compile(
        r"^  ([A-Z]\w+) +0x([0-9a-f]+) 0x([0-9a-f]+) 0x[0-9a-f]+ 0x([0-9a-f]+) 0x([0-9a-f]+) ([RWE ]{3})",
        re.M,
    )
    for path in examples(made):
        elf = Elf(path.read_bytes())
        theirs = [(n, *(int(x, 16) for x in rest)) for n, *rest in section.findall(readelf(path, "-S"))]
        assert [(s.name, s.address, s.offset, s.size) for s in elf.sections][1:] == theirs[
            -len(elf.sections) + 1 :
        ]
        rows = segment.findall(readelf(path, "-l"))
        assert [
            (s.offset, s.address, s.file_size, s.size, s.access.replace("x", "e").upper().replace("-", " "))
            for s in elf.segments
        ] == [(*(int(x, 16) for x in row[1:5]), row[5]) for row in rows]
        assert sum(s.kind == LOAD for s in elf.segments) == sum(row[0] == "LOAD" for row in rows)
        kind = {"EXEC": "EXEC", "DYN": "DYN", "REL": "REL"}[elf.type]
        assert re.search(rf"Type: +{kind} ", readelf(path, "-h"))
        assert re.search(rf"Entry point address: +{elf.entry:#x}$", readelf(path, "-h"), re.M)


def test_needed_libraries_are_those_of_readelf(made: Built, readelf: Callable[..., str]) -> None:
    for path in examples(made):
        theirs = re.findall(r"\(NEEDED\) +Shared library: \[(.*)\]", readelf(path, "-d"))
        assert Elf(path.read_bytes()).texts(lab.NEEDED) == theirs, path


def test_packed_relocations_are_as_many_as_readelf_says(made: Built, readelf: Callable[..., str]) -> None:
    target = made.folder / "packed.so"
    source = made.folder / "packed.c"
    names = "".join(f"static int v{i}; int *p{i} = &v{i}; long gap{i} = {i};\n" for i in range(200))
    source.write_text(names + "int *row[300] = {" + ",".join("&v7" for _ in range(300)) + "};\n")
    lab.gcc(made.folder, "-shared", "-fPIC", "-Wl,-z,pack-relative-relocs", source, "-o", target)
    elf = Elf(target.read_bytes())
    lab.gcc(made.folder, "-shared", "-fPIC", "-Wl,-z,nopack-relative-relocs", source, "-o", "unpacked.so")
    unpacked = made.elf("unpacked.so")
    relative = [r for r in unpacked.relocations() if r.kind == "RELATIVE"]
    assert len(elf.packed()) + sum(r.kind == "RELATIVE" for r in elf.relocations()) == len(relative) > 499
    values_at = {elf.word(at) for at in elf.packed()}
    assert elf.symbols()[0].name == ""
    v7 = next(s.value for s in elf.symbols() if s.name == "v7")
    assert sum(elf.word(at) == v7 for at in elf.packed()) == 301
    assert all(any(s.kind == LOAD and s.holds(a) for s in elf.segments) for a in values_at)
    said = re.search(
        r"contains \d+ entries:?\s+(?:which relocate )?(\d+) (?:offsets|locations)", readelf(target, "-r")
    )
    if said:
        assert len(elf.packed()) == int(said[1])


def test_versions_are_those_of_readelf(readelf: Callable[..., str]) -> None:
    libc = Elf(libc_path().read_bytes())
    text = readelf(libc_path(), "--dyn-syms")
    for name in ("memcpy", "pthread_create", "fopen", "printf", "stat"):
        theirs = {
            version: mark == "@@"
            for mark, version in re.findall(rf"(?<!UND) {name}(@@?)(GLIBC_\S+)$", text, re.M)
        }
        assert libc.versions(name) == theirs != {}


def test_other_files_are_refused(made: Built) -> None:
    data = bytearray((made.folder / "main.o").read_bytes())
    data[18] = 183
    with pytest.raises(ValueError, match="made for machine 183"):
        Elf(bytes(data))
    with pytest.raises(ValueError, match="not a 64-bit"):
        Elf(b"\x7fELF\x01\x01" + bytes(100))
    with pytest.raises(ValueError, match="no bytes in the file for 0x10"):
        made.elf("fixed").place(0x10)


# The hash table


@pytest.mark.parametrize(  # of https://flapenguin.me/elf-dt-gnu-hash
    ("name", "expected"),
    [
        ("", 5381),
        ("printf", 0x156B2BB8),
        ("exit", 0x7C967E3F),
        ("syscall", 0xBAC212A0),
        ("flapenguin.me", 0x8AE9F18E),
    ],
)
def test_the_hash_is_the_published_one(name: str, expected: int) -> None:
    assert lab.gnu_hash(name) == expected


def test_every_name_is_found_and_no_other(made: Built) -> None:
    for elf in (
        Elf(libc_path().read_bytes()),
        made.elf("libcount.so"),
        made.elf("libwatch.so"),
        made.elf("lazy"),
    ):
        defined: dict[str, set[int]] = {}
        for symbol in elf.symbols(DYNSYM):
            if symbol.defined:
                defined.setdefault(symbol.name, set()).add(symbol.value)
        for name, places in defined.items():
            found = elf.find(name)
            assert found is not None, name
            assert found.value in places
        absent = [f"{name}{i}" for name in list(defined)[:300] for i in ("_", "x")] + ["", "count2"]
        assert [name for name in absent if name not in defined and elf.find(name)] == []
        assert all(
            elf.find(s.name) is None for s in elf.symbols(DYNSYM) if not s.defined and s.name not in defined
        )


# Linked


@pytest.mark.parametrize("main", ["main.o", "main-noplt.o"])
@pytest.mark.parametrize(("text", "data"), [("0x500000", "0x7000000"), ("0x7654000", "0x410000")])
def test_patched_code_is_what_ld_writes(
    main: str, text: str, data: str, made: Built, need: Need, tmp_path: Path
) -> None:
    words = (f"-Ttext={text}", f"-Tdata={data}", "start.o", main, "count.o", "-o", tmp_path / "ld")
    # Where addresses are fixed and small, ld writes them into the instruction instead of a distance.
    options = ("-static", "-pie", "--no-dynamic-linker")
    done = lab.command(need("ld", "binutils"), *options, *words, folder=made.folder)
    assert done.returncode == 0, done.stderr
    theirs = Elf((tmp_path / "ld").read_bytes())
    at = {s.name: s.value for s in theirs.symbols()}
    starts = {"start.o": {".text": "_start"}, main: {".text": "main"}}
    starts["count.o"] = {".text": "count", ".data": "step", ".bss": "total"}
    for file, sections in starts.items():
        elf = made.elf(file)
        number = {s.name: i for i, s in enumerate(elf.sections)}
        places = {number[name]: at[symbol] for name, symbol in sections.items()}
        code = lab.patch(elf, number[".text"], places, at)
        where = theirs.place(at[sections[".text"]])
        assert code == theirs.data[where : where + len(code)], file


OTHER = {
    "a.c": "extern int (*const table[])(int); extern long *where; int twice(int); int seven(void);\n"
    "int main(void) { return table[1](5) + twice(4) + (int)*where + seven(); }\n",
    "b.c": "int twice(int x) { return 2 * x; } static int plus(int x) { return x + 1; }\n"
    "int (*const table[])(int) = {twice, plus}; static long far[40] = {[37] = 11};\n"
    "long *where = &far[37]; long unused[3];\n",
    "c.c": "int twice(int); int seven(void) { return twice(3) + 1; }\n",
}


@pytest.mark.parametrize(
    "mode", [("-fno-pie",), ("-fPIE",), ("-fPIC",), ("-fPIC", "-fno-plt"), ("-O0", "-fPIC")]
)
def test_another_program_linked_by_the_lab_runs(mode: tuple[str, ...], need: Need, tmp_path: Path) -> None:
    for name, text in OTHER.items():
        (tmp_path / name).write_text(text)
        lab.gcc(tmp_path, *PLAIN, *mode, "-mcmodel=small", "-c", name)
    lab.command(need("ar", "binutils"), "rcs", "libbc.a", "c.o", "b.o", folder=tmp_path)
    objects, undefined = lab.choose(
        [
            lab.build().elf("start.o"),
            Elf((tmp_path / "a.o").read_bytes()),
            lab.archive((tmp_path / "libbc.a").read_bytes()),
        ]
    )
    assert (len(objects), undefined) == (4, set())
    try:
        program = lab.link(objects)
    except KeyError as error:  # -fno-pie may ask for 32 and 32S, which the note leaves out
        assert mode == ("-fno-pie",)
        assert error.args[0] in ("32", "32S")
        return
    assert lab.returned(program) == 6 + 8 + 11 + 7


def test_what_cannot_be_linked_is_said(made: Built) -> None:
    with pytest.raises(LinkError, match="undefined: count, step"):
        lab.link([made.elf("start.o"), made.elf("main.o")])
    main = made.elf("main.o")
    text = next(i for i, s in enumerate(main.sections) if s.name == ".text")
    step = 0x1000
    for distance, fits in ((2**31 - 1, True), (2**31, False), (-(2**31), True), (-(2**31) - 1, False)):
        offset = next(r.offset for r in main.relocations() if r.symbol.name == "step")
        names = {"count": 2**40, "step": 2**40 + offset + 4 + distance}
        names["count"] = 2**40 + step
        if fits:
            assert lab.patch(main, text, {text: 2**40}, names)
        else:
            with pytest.raises(LinkError, match="PC32 against step does not fit"):
                lab.patch(main, text, {text: 2**40}, names)
    with pytest.raises(LinkError, match="no way known"):
        lab.relax(bytearray(b"\x48\x03\x05\0\0\0\0"), 3)


def test_ld_too_refuses_what_does_not_fit(made: Built, need: Need) -> None:
    far = ("-Ttext=0x1000", "-Tdata=0x100000000", "start.o", "main.o", "count.o", "-o", "far")
    said = lab.command(need("ld", "binutils"), *far, folder=made.folder).stderr
    assert re.search(r"relocation truncated to fit: R_X86_64_PC32 against symbol [`']step'", said)


def test_the_archive_must_come_behind_who_needs_it(made: Built) -> None:
    with pytest.raises(LinkError) as caught:
        lab.gcc(made.folder, "libcount.a", "main.o", "-o", "never")
    theirs = set(re.findall(r"undefined reference to [`'](\w+)'", str(caught.value)))
    library = lab.archive((made.folder / "libcount.a").read_bytes())
    assert lab.choose([library, made.elf("main.o")])[1] == theirs == {"count", "step"}
    taken, left = lab.choose([made.elf("main.o"), library])
    assert (len(taken), left) == (2, set())


def test_a_local_name_serves_no_other_file(need: Need, tmp_path: Path) -> None:
    (tmp_path / "a.s").write_text(".globl _start\n_start: .quad hidden\n")
    (tmp_path / "b.s").write_text("hidden: .quad 0\n.globl shown\nshown: .quad hidden\n")
    lab.gcc(tmp_path, "-c", "a.s", "b.s")
    objects = [Elf((tmp_path / name).read_bytes()) for name in ("b.o", "a.o")]
    said = lab.command(need("ld", "binutils"), "b.o", "a.o", "-o", "out", folder=tmp_path).stderr
    assert re.search(r"undefined reference to [`']hidden'", said)
    assert lab.choose(objects)[1] == {"hidden"}
    assert lab.choose([objects[1], {"b.o": objects[0]}]) == ([objects[1]], {"hidden"})


@pytest.mark.parametrize("seed", range(6))
def test_members_are_chosen_as_ld_chooses_them(seed: int, need: Need, tmp_path: Path) -> None:
    rng = random.Random(seed)  # noqa: S311
    names = [f"s{i}" for i in range(24)]
    archives: list[list[str]] = [[], [], []]
    for name in names:
        wanted = rng.sample([n for n in names if n != name], rng.randrange(3))
        weak = rng.random() < 0.2
        lines = [f".globl {name}", f"{name}: .quad 0"]
        lines += [f".{'weak' if weak else 'globl'} {w}\n.quad {w}" for w in wanted]
        (tmp_path / f"{name}.s").write_text("\n".join(lines) + "\n")
        rng.choice(archives).append(name)
    (tmp_path / "first.s").write_text(".globl _start\n_start: .quad s0, s9\n.weak s5\n.quad s5\n")
    lab.gcc(tmp_path, "-c", "first.s", *(f"{n}.s" for n in names))
    inputs: list[Path] = [tmp_path / "first.o"]
    for i, members in enumerate(archives):
        lab.command(need("ar", "binutils"), "rcs", f"lib{i}.a", *(f"{n}.o" for n in members), folder=tmp_path)
        inputs.append(tmp_path / f"lib{i}.a")
    options = ("-Map=map", "--unresolved-symbols=ignore-all", "-o", "out")
    lab.command(need("ld", "binutils"), *options, *inputs, folder=tmp_path)
    theirs = set(re.findall(r"^ \.text +\S+ +\S+ \S+\((s\d+)\.o\)$", (tmp_path / "map").read_text(), re.M))
    assert len(theirs) > 1
    loaded: list[Elf | dict[str, Elf]] = [
        Elf(inputs[0].read_bytes()),
        *(lab.archive(path.read_bytes()) for path in inputs[1:]),
    ]
    taken, left = lab.choose(loaded)
    ours = {s.name for elf in taken[1:] for s in elf.symbols() if s.defined and s.name.startswith("s")}
    assert ours == theirs
    strict = lab.command(need("ld", "binutils"), "-o", "out", *inputs, folder=tmp_path).stderr
    assert left == set(re.findall(r"undefined reference to [`'](\w+)'", strict))


def test_members_behind_one_of_odd_length_are_found(made: Built, need: Need, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text("odd")
    shutil.copy(made.folder / "count.o", tmp_path)
    lab.command(need("ar", "binutils"), "rcs", "odd.a", "odd.txt", "count.o", folder=tmp_path)
    assert list(lab.archive((tmp_path / "odd.a").read_bytes())) == ["count.o"]


def test_the_byte_behind_the_end_belongs_to_no_one(made: Built) -> None:
    segment = Segment(LOAD, 5, 0, 0x1000, 16, 32)
    assert [segment.holds(a, n) for a, n in ((0x1000, 32), (0xFFF, 1), (0x101F, 1), (0x1020, 1), (0x101F, 2))] == [
        True, False, True, False, False,
    ]  # fmt: skip
    elf = made.elf("lazy")
    bss = elf.section(".bss")
    assert elf.named(bss.address + bss.size - 1) == (".bss", bss.size - 1)
    with pytest.raises(ValueError, match="is in no section"):
        elf.named(bss.address + bss.size)
    with pytest.raises(ValueError, match="no bytes in the file"):
        elf.place(bss.address + bss.size - 1)


def test_code_that_would_reach_into_the_data_is_refused(tmp_path: Path) -> None:
    for size, fits in ((lab.DATA - lab.TEXT, True), (lab.DATA - lab.TEXT + 1, False)):
        (tmp_path / "big.s").write_text(f".globl _start\n_start: .skip {size}\n")
        lab.gcc(tmp_path, "-c", "big.s")
        objects = [Elf((tmp_path / "big.o").read_bytes())]
        if fits:
            assert lab.link(objects)
        else:
            with pytest.raises(LinkError, match="more code than"):
                lab.link(objects)


def test_what_binding_costs_is_told_from_what_calls_and_opening_cost() -> None:
    lazy, now = [(40e3, 250.0, 7.0)] * 3, [(90e3, 20.0, 4.0), (100e3, 10.0, 4.0), (110e3, 30.0, 4.0)]
    assert lab.binding_ns({"lazy": lazy, "now": now}) == (230.0, 60e3 / lab.COUNT)


def test_a_file_that_is_no_archive_is_refused() -> None:
    with pytest.raises(ValueError, match="not an archive"):
        lab.archive(b"!<thin>\n")


# Loaded


def test_sections_are_not_needed_to_run(made: Built, readelf: Callable[..., str]) -> None:
    cut = made.folder / "cut"
    cut.write_bytes(lab.without_sections((made.folder / "now").read_bytes()))
    cut.chmod(0o755)
    assert made.run("cut") == made.run("now") == 6
    assert "There are no sections in this file" in readelf(cut, "-S")
    assert cut.stat().st_size < (made.folder / "now").stat().st_size


def test_the_kernel_says_where_it_put_things(made: Built) -> None:
    for way in lab.WAYS:
        program, seen = made.elf(way), made.watch(way)
        assert seen["start", "kernel", "AT_ENTRY"].offset == program.entry
        assert seen["start", "kernel", "AT_BASE"].file == "ld.so"
        assert seen["start", "kernel", "AT_BASE"].offset == 0
        base = 0x400000 if program.type == "EXEC" else 0
        assert seen["start", "kernel", "AT_PHDR"].offset == base + 64


def test_what_the_lab_predicts_is_what_the_process_holds(made: Built) -> None:
    libraries = {"libcount.so": made.elf("libcount.so"), "libwatch.so": made.elf("libwatch.so")}
    for way in lab.WAYS:
        for now in ({}, {"LD_BIND_NOW": "1"}):
            files = {"program": made.elf(way), **libraries}
            order = ["program", "libwatch.so", *lab.scope("program", files)[1:]]
            seen = made.watch(way, **now)
            lazy = way in ("lazy", "fixed") and not now
            for file in ("program", "libcount.so"):
                for request in files[file].relocations():
                    definer = lab.bind(request.symbol.name, order, files)
                    if request.kind not in ("JUMP_SLOT", "GLOB_DAT") or definer is None:
                        continue
                    symbol = files[definer].find(request.symbol.name)
                    assert symbol is not None
                    start, end = (seen[when, file, request.symbol.name] for when in ("start", "exit"))
                    assert (end.file, end.offset) == (definer, symbol.value)
                    if lazy and request.kind == "JUMP_SLOT":
                        assert start.file == file
                        assert start.offset == files[file].word(request.offset)
                        assert files[file].named(start.offset)[0] == ".plt"
                    else:
                        assert start == end
            copied = lab.bind("step", order, files, copy=True)
            assert copied == "libcount.so"
            assert seen["exit", "libcount.so", "step"].file == "program"


def test_a_lazy_slot_leads_back_into_its_own_stub(made: Built) -> None:
    for way in ("lazy", "fixed", "now"):
        program = made.elf(way)
        stub, through = lab.call_of(program, made.elf("main.o"), "count")
        slot = lab.slot_of(program, "count")
        assert slot is not None
        assert not through
        code = program.data[program.place(stub) :][:16]
        assert code[:2] == b"\xff\x25"
        assert stub + 6 + int.from_bytes(code[2:6], "little", signed=True) == slot.offset
        assert code[6:11] == b"\x68\0\0\0\0"  # push the number of the request
        assert code[11] == 0xE9
        plt0 = stub + 16 + int.from_bytes(code[12:16], "little", signed=True)
        assert program.named(plt0) == (".plt", 0)
        got = program.tag(lab.PLTGOT)
        head = program.data[program.place(plt0) :][:16]
        assert (head[:2], head[6:8]) == (b"\xff\x35", b"\xff\x25")  # push GOT[1], jump to GOT[2]
        assert plt0 + 6 + int.from_bytes(head[2:6], "little", signed=True) == got + 8
        assert plt0 + 12 + int.from_bytes(head[8:12], "little", signed=True) == got + 16
        assert program.word(slot.offset) == stub + 6
        assert slot.offset == got + 24
        assert program.named(slot.offset)[0] == (".got" if way == "now" else ".got.plt")
        assert not any(s.name == ".got.plt" for s in made.elf("now").sections)


def test_relative_addends_lie_in_memory(made: Built) -> None:
    for name in ("lazy", "now", "noplt", "libcount.so"):
        elf = made.elf(name)
        for request in elf.relocations():
            if request.kind == "RELATIVE":
                assert any(s.kind == LOAD and s.holds(request.addend) for s in elf.segments)
                assert elf.word(request.offset) in (0, request.addend)


def test_bindings_are_those_that_ld_so_logs(made: Built) -> None:
    for way in lab.WAYS:
        said = lab.command(f"./{way}", folder=made.folder, LD_DEBUG="bindings").stderr
        files = {way: made.elf(way), "libcount.so": made.elf("libcount.so")}
        found = re.findall(r"binding file (\S+) \[0\] to (\S+) \[0\]: normal symbol `(count|step)'", said)
        assert {symbol for _, _, symbol in found} == {"count", "step"}
        for whose, to, symbol in found:
            copy = symbol == "step" and lab.short(whose) == way
            assert lab.short(to) == lab.bind(symbol, lab.scope(way, files), files, copy=copy)


GRAPH = {"p": "acb", "a": "d", "b": "de", "c": "a", "d": "f", "e": "", "f": "", "x": "e"}


@pytest.mark.parametrize("preload", ["", "x", "fx"])
def test_the_scope_is_that_of_ld_so(preload: str, tmp_path: Path) -> None:
    for name in "fedabcx":
        (tmp_path / f"{name}.c").write_text(f"int {name}_only = 1;")
        words = [f"-lt{n}" for n in GRAPH[name]]
        lab.gcc(
            tmp_path,
            "-shared",
            "-fPIC",
            lab.LAID,
            f"{name}.c",
            "-L.",
            *words,
            lab.OWN_PATH,
            "-o",
            f"libt{name}.so",
        )
    (tmp_path / "p.c").write_text("int main(void) { return 0; }")
    lab.gcc(tmp_path, lab.LAID, "p.c", "-L.", *(f"-lt{n}" for n in GRAPH["p"]), lab.OWN_PATH, "-o", "p")
    environment = {"LD_PRELOAD": ":".join(f"./libt{n}.so" for n in preload)} if preload else {}
    said = lab.command("./p", folder=tmp_path, LD_DEBUG="scopes", **environment).stderr
    line = next(line for line in said.splitlines() if "scope 0: ./p" in line)
    theirs = [lab.short(word) for word in line.partition("scope 0:")[2].split()]
    files = {n: Elf((tmp_path / n).read_bytes()) for n in ("p", *(f"libt{n}.so" for n in "abcdefx"))}
    ours = lab.scope("p", files, [f"libt{n}.so" for n in preload])
    assert ours == [name for name in theirs if name in files]
    assert ours.index("libtd.so") > ours.index("libtb.so")


def test_the_first_in_the_scope_wins_also_against_the_caller() -> None:
    rows = lab.scopes().rows
    assert [row[3] for row in rows] == ["`b`", "`p`", "`d`", "ld.so ends it, 127"]
    for _, order, bound, code in rows[:3]:
        assert isinstance(bound, str)
        assert isinstance(order, str)
        assert bound in order
        assert code == f"`{bound.strip('`')[-1]}`"
    made = lab.family()
    said = lab.command("./ask", folder=made.folder, LD_LIBRARY_PATH="bare").stderr
    assert "libd.so: cannot open shared object file" in said


# Tables and text


def test_formulas_shown_are_formulas_used() -> None:
    for kind in ("PC32", "PLT32"):
        s, a, p = 0x401200, -4, 0x40110A
        expression = lab.SHOWN[kind].strip("$").lower().replace("l", "s")
        assert lab.FORMULAS[kind](s, a, p) == eval(expression, {"s": s, "a": a, "p": p})  # noqa: S307
    assert lab.FORMULAS["64"](1, 20, 300) == 21


def test_numbers_of_relocations_are_those_of_the_header(need: Need, tmp_path: Path) -> None:
    lines = "".join(f'printf("%d {name}\\n", R_X86_64_{name});' for name in lab.NUMBERS.values())
    (tmp_path / "n.c").write_text(f"#include <elf.h>\n#include <stdio.h>\nint main(void) {{ {lines} }}\n")
    lab.gcc(tmp_path, "n.c", "-o", "n")
    said = lab.command("./n", folder=tmp_path).stdout
    assert {int(n): name for n, name in (line.split() for line in said.splitlines())} == lab.NUMBERS


def test_relocations_against_names_have_the_addends_the_note_gives(made: Built) -> None:
    for file in ("main.o", "count.o"):
        assert {r.addend for r in made.elf(file).relocations()} == {-4}


def test_the_worked_example_adds_up() -> None:
    measured = {k: v["value"] for k, v in json.loads((DOCS / "measured.json").read_text())["values"].items()}
    committed = values.load((DOCS / "lab.json").read_text(encoding="utf-8"))
    count_at = committed["count_at"]
    assert isinstance(count_at, values.Value)
    distance = int(measured["distance"], 16)
    assert int(measured["field"], 16) + 4 + distance == int(str(count_at.value), 16)
    assert bytes.fromhex(measured["bytes"]) == distance.to_bytes(4, "little")
    assert measured["slot_at_once"] < measured["slot_lazily"]  # as the text says of that machine
    assert 100 * measured["slot_at_once"] / measured["slot_lazily"] == pytest.approx(measured["break_even"])
    assert measured["break_even_low"] < measured["break_even"] < measured["break_even_high"] < 50
    assert measured["first_call"] - measured["first_bound"] == pytest.approx(measured["slot_lazily"])
    assert abs(measured["later_washed"] - measured["later_now"]) < 0.1 * measured["later_now"]
    assert measured["later_noplt"] < measured["later_now"] < measured["later_lazy"] < measured["first_low"]
    assert abs(measured["later_noplt"] - measured["later_direct"]) < 0.5 * measured["later_noplt"]


def test_the_sources_in_the_text_are_those_compiled() -> None:
    blocks = re.findall(r"^```c\n(.*?)^```$", NOTE, re.S | re.M)
    assert "".join(blocks).replace("/* main.c */\n", "").replace("/* count.c */\n", "").replace(
        "\n\n", "\n"
    ) == (lab.MAIN_C + lab.COUNT_C).replace("\n\n", "\n")


def test_the_programs_return_what_c_says() -> None:
    made = lab.build()
    assert {way: made.run(way) for way in (*lab.WAYS, "archived")} == dict.fromkeys(
        (*lab.WAYS, "archived"), 6
    )
    assert lab.returned(lab.linked()) == 6


def test_every_message_of_the_last_table_can_be_provoked(need: Need, tmp_path: Path) -> None:
    made = lab.build()
    rows = NOTE.partition(":name: tab-linking-symptoms")[2].partition("```{admonition}")[0]
    messages = [m.strip("` ") for m in re.findall(r"^\* - (`.*`)$", rows, re.M)]
    said: list[str] = []

    def collect(*words: str | Path, ok: bool = False, **environment: str) -> None:
        done = lab.command(*words, folder=tmp_path, **environment)
        assert (done.returncode == 0) == ok or done.returncode == 6
        said.append(done.stderr)

    for name in ("main.o", "count.o", "libcount.a", "libcount.so", "lazy", "now"):
        (tmp_path / name).write_bytes((made.folder / name).read_bytes())
        (tmp_path / name).chmod(0o755)
    gcc = need("gcc", "gcc")
    collect(gcc, "libcount.a", "main.o", "-o", "x")
    collect(gcc, "main.o", "count.o", made.folder / "count.o", "-o", "x")
    collect(gcc, "-shared", "main.o", "-o", "x.so")
    collect(tmp_path / "now", LD_LIBRARY_PATH="none", ok=True)
    family = lab.family()
    said.append(lab.command("./ask", folder=family.folder, LD_LIBRARY_PATH="bare").stderr)
    for folder, source, words in (
        ("empty", "int step = 3;", ()),
        ("big", lab.COUNT_C.replace("step = 3", "step[2] = {3}").replace("* step", "* *step"), ()),
        ("new", lab.COUNT_C, ("-Wl,--version-script=../v2.map",)),
        ("old", lab.COUNT_C, ("-Wl,--version-script=../v1.map",)),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / "v2.map").write_text("V1 { local: nothing; }; V2 { global: count; step; } V1;")
        (tmp_path / "v1.map").write_text("V1 { global: count; step; };")
        (tmp_path / folder / "c.c").write_text(source)
        words_all = ("-shared", "-fPIC", "-Wl,-soname,libcount.so", "c.c", *words, "-o", "libcount.so")
        lab.gcc(tmp_path / folder, *words_all)
    collect("./now", LD_LIBRARY_PATH="empty")
    collect("./lazy", LD_LIBRARY_PATH="big", ok=True)
    lab.gcc(tmp_path, "-pie", "main.o", "-Lnew", "-lcount", "-o", "versioned")
    collect("./versioned", LD_LIBRARY_PATH="old")
    assert len(messages) == 7
    plain = str.maketrans("`", "'")  # binutils and glibc have changed their quotation marks
    text = "\n".join(said).translate(plain).replace("./versioned", "versioned")
    for message in messages:
        assert message.translate(plain).replace("./versioned", "versioned") in text
    watch = {"LD_PRELOAD": str(made.folder / "libwatch.so"), "LD_LIBRARY_PATH": "empty"}
    ran = {
        way: "start\t" in lab.command(f"./{way}", folder=tmp_path, **watch).stdout for way in ("lazy", "now")
    }
    assert ran == {"lazy": True, "now": False}  # lazily bound, it runs until the call


def test_the_worked_formula_has_the_measured_numbers() -> None:
    measured = {k: v["value"] for k, v in json.loads((DOCS / "measured.json").read_text())["values"].items()}
    count_at = lab.values()["count_at"].value
    field, distance = measured["field"], measured["distance"]
    formula = NOTE.replace("&", "").replace("\\\\\n", "")
    assert rf"\mathtt{{{count_at}}} - 4 - \mathtt{{{field}}} = \mathtt{{{distance}}}" in formula
