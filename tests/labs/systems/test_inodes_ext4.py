"""The lab of the ext4 note, against mke2fs, debugfs and e2fsck, and against slower ways to the same number."""

from __future__ import annotations

import itertools
import os
import random
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from labs.systems import inodes_ext4 as ext4
from labs.systems.inodes_ext4 import KIB, DamagedError, Ext4, Run

NOTE = (Path(__file__).parents[3] / "docs" / "systems" / "inodes-ext4" / "index.md").read_text(
    encoding="utf-8"
)

Need = Callable[[str, str], str]


@dataclass(frozen=True)
class Tools:
    """The tools of e2fsprogs in a folder of their own, with the clock fixed."""

    folder: Path
    need: Need

    def run(self, tool: str, *args: str, ok: Sequence[int] = (0,)) -> str:
        """What *tool* prints."""
        env = {**os.environ, "E2FSPROGS_FAKE_TIME": "1000000000", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            [self.need(tool, "e2fsprogs"), *args], cwd=self.folder, env=env, capture_output=True, text=True
        )
        assert done.returncode in ok, (tool, args, done.stdout, done.stderr)
        return done.stdout

    def make(
        self, *options: str, size: str = "16M", tree: Path | None = None, name: str = "made.img"
    ) -> Ext4:
        """An image made by mke2fs, with the tree in it."""
        (self.folder / name).unlink(missing_ok=True)
        self.run("mke2fs", "-q", *options, *(("-d", str(tree)) if tree else ()), name, size)
        return self.read(name)

    def read(self, name: str = "made.img") -> Ext4:
        """An image by the lab's reader."""
        return Ext4((self.folder / name).read_bytes())

    def debugfs(self, *requests: str, name: str = "made.img", write: bool = False) -> str:
        """What debugfs answers, without its prompts."""
        (self.folder / "requests").write_text("\n".join(requests) + "\n", encoding="utf-8")
        said = self.run("debugfs", *(("-w",) if write else ()), "-f", "requests", name)
        return re.sub(r"^debugfs: .*\n", "", said, flags=re.M)

    def write(self, volume: Ext4, name: str = "check.img") -> None:
        """A volume as a file, with holes where it has zeros, which is much faster."""
        part = 64 * KIB
        with (self.folder / name).open("wb") as file:
            file.truncate(len(volume.disk))
            for at in range(0, len(volume.disk), part):
                data = volume.disk[at : at + part]
                if data != bytes(len(data)):
                    file.seek(at)
                    file.write(data)
            for n, data in volume.changed.items():
                file.seek(n * len(data))
                file.write(data)

    def fsck(self, volume: Ext4, *options: str, ok: Sequence[int] = (0, 4)) -> str:
        """What e2fsck says about a volume; it may change the file ``check.img``."""
        self.write(volume)
        return self.run("e2fsck", *(options or ("-fn",)), "check.img", ok=ok)


@pytest.fixture
def tools(tmp_path: Path, need: Need) -> Iterator[Tools]:
    yield Tools(tmp_path, need)
    shutil.rmtree(tmp_path)


# The example

CLOCKS = [range(12, 16), range(124, 126), range(130, 136)]
"""Where in an inode the time of its last change stands, and the checksum over it."""


def still(volume: Ext4, number: int) -> bytes:
    """An inode without what depends on the day and on who runs the tools."""
    raw = bytearray(volume.inode(number).raw)
    for at in [*itertools.chain(*CLOCKS), *range(2, 4), *range(24, 26), *range(120, 124)]:
        raw[at] = 0
    return bytes(raw)


def test_the_commands_of_the_note_make_shelf(tools: Tools) -> None:
    """All but the clocks of the inodes, and what mke2fs counts in the superblock."""
    (block,) = re.findall(r"```console\n(.*?)```", NOTE, re.S)
    script = "".join(line[2:] + "\n" for line in block.splitlines())
    where = Path(tools.need("mke2fs", "e2fsprogs")).parent
    subprocess.run(
        ["/bin/bash", "-ec", f"umask 022\n{script}"],
        cwd=tools.folder,
        env={**os.environ, "PATH": f"{os.environ['PATH']}:{where}", "TZ": "UTC"},
        check=True,
        capture_output=True,
    )
    made, shelf = tools.read("shelf.img"), ext4.shelf()
    length = shelf.sb.group_inodes * shelf.sb.inode_bytes // shelf.sb.block_bytes
    tables = {
        n for g in range(4) for n in range(shelf.group(g).inode_table, shelf.group(g).inode_table + length)
    }
    counted = {n for g in (0, 1, 3) for n in (shelf.sb.span(g).start, shelf.sb.span(g).start + 1)}
    unused = {shelf.group(g).block_bitmap for g in range(1, 4)}
    for n in set(range(shelf.sb.blocks)) - tables - counted - unused:
        assert made.block(n) == shelf.block(n), n
    assert made.used_inodes() == shelf.used_inodes()
    assert all(still(made, number) == still(shelf, number) for number in shelf.used_inodes())
    assert [made.group(g).free_blocks for g in range(4)] == [shelf.group(g).free_blocks for g in range(4)]
    assert ext4.check(made) == []


def test_e2fsck_finds_nothing_wrong_with_shelf(tools: Tools) -> None:
    assert re.search(r"SHELF: 17/8192 files .* 6090/32768 blocks", tools.fsck(ext4.shelf(), ok=(0,)))
    assert ext4.check(ext4.shelf()) == []


# Read: what the tools put in

KINDS = [
    pytest.param(("-t", "ext4"), id="ext4"),
    pytest.param(("-t", "ext4", "-b", "4096", "-O", "^has_journal"), id="ext4-4K"),
    pytest.param(("-t", "ext4", "-O", "^64bit", "-N", "1000"), id="ext4-32-bit"),
    pytest.param(("-t", "ext4", "-O", "^metadata_csum,^flex_bg,^resize_inode"), id="ext4-without-checksums"),
    pytest.param(("-t", "ext4", "-b", "2048", "-I", "512", "-O", "^resize_inode"), id="ext4-2K"),
    pytest.param(("-t", "ext4", "-g", "4096", "-G", "2"), id="small groups"),
    pytest.param(("-t", "ext4", "-O", "^extent,^64bit"), id="ext4-with-maps"),
    pytest.param(("-t", "ext3", "-b", "1024"), id="ext3"),
    pytest.param(("-t", "ext2", "-b", "2048", "-I", "128"), id="ext2"),
]


def plant(folder: Path, seed: int) -> Path:
    """A tree with sizes around the edges of blocks, holes, links of both kinds and odd names."""
    rng = random.Random(seed)  # noqa: S311
    edges = (0, 1, 59, 60, 61, 140, 1023, 1024, 1025, 4096, 12 * 1024 + 1, 70_000)
    for above in ("", "sub/", "sub/deeper still/"):
        (folder / above).mkdir(parents=True, exist_ok=True)
        for i, size in enumerate(edges):
            (folder / f"{above}file {i} ½{'x' * (i * 9)}").write_bytes(rng.randbytes(size))
    for i in range(120):
        (folder / "sub" / f"many {i}").write_bytes(rng.randbytes(rng.randrange(200)))
    with (folder / "holes").open("wb") as file:
        for _ in range(40):
            file.seek(rng.randrange(300) * 1024)
            file.write(rng.randbytes(rng.randrange(1, 5000)))
    for length in (1, 58, 59, 60, 61, 200):
        (folder / f"link {length}").symlink_to("y" * length)
    os.link(folder / "file 4 ½xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", folder / "sub" / "the same")
    return folder


@dataclass(frozen=True)
class Planted:
    """A volume with such a tree in it, which no test changes."""

    tools: Tools
    options: tuple[str, ...]
    source: Path
    volume: Ext4


@pytest.fixture(scope="module", params=KINDS)
def planted(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, need: Need
) -> Iterator[Planted]:
    tools = Tools(tmp_path_factory.mktemp("planted"), need)
    source = plant(tools.folder / "tree", len(str(request.param)))
    yield Planted(tools, request.param, source, tools.make(*request.param, tree=source, size="40M"))
    shutil.rmtree(tools.folder)


def test_what_mke2fs_wrote_is_read_back(planted: Planted) -> None:
    source, volume = planted.source, planted.volume
    expected = {
        str(path.relative_to(source)): str(path.readlink()).encode()
        if path.is_symlink()
        else path.read_bytes()
        for path in source.rglob("*")
        if path.is_symlink() or path.is_file()
    }
    walked = volume.walk()
    assert {path for path, i in walked.items() if i.kind == "directory"} == {
        *("lost+found", "sub", "sub/deeper still")
    }
    assert walked["sub/the same"].number == walked["file 4 ½" + "x" * 36].number
    assert walked["sub/the same"].links == 2
    assert {p: volume.read(i) for p, i in walked.items() if i.kind in ("file", "link")} == expected
    assert {p for p, i in walked.items() if i.in_itself} == {f"link {n}" for n in (1, 58, 59)}
    for path in walked:
        if "/" not in path:
            assert volume.lookup(path) == walked[path]
    with pytest.raises(FileNotFoundError):
        volume.lookup("missing")
    if "^resize_inode" in str(planted.options):
        assert ext4.check(volume) == []


def listed(said: str) -> tuple[list[Run], list[int]]:
    """The runs and the blocks of the tree in debugfs's ``stat``, for extents and for maps."""
    runs, tree = [], []
    text = re.split(r"(?:EXTENTS|BLOCKS):\n", said)[-1].replace("\n", " ") if "S:\n" in said else ""
    for inside, blocks in re.findall(r"\(([^)]+)\):(\S+?)(?:,|\s|$)", text):
        start, _, end = blocks.partition("-")
        if inside[0].isalpha():
            tree.append(int(start))
            continue
        first, unwritten = int(inside.partition("-")[0].partition("[")[0]), "[u]" in inside
        runs.append(Run(first, int(end or start) - int(start) + 1, int(start), not unwritten))
    return runs, tree


def test_the_runs_are_those_of_debugfs(planted: Planted) -> None:
    volume, tools, options = planted.volume, planted.tools, planted.options
    walked = volume.walk()
    numbers = sorted({inode.number for inode in walked.values()})
    said = tools.debugfs(*(f"stat <{number}>" for number in numbers))
    answers = re.split(r"^(?=Inode: \d+ +Type)", said, flags=re.M)[1:]
    assert len(answers) == len(numbers)
    for number, answer in zip(numbers, answers, strict=True):
        inode = volume.inode(number)
        runs, tree = listed(answer)
        assert (volume.pieces(inode), sorted(volume.tree(inode))) == (runs, sorted(tree)), answer
        assert f"Links: {inode.links}   Blockcount: {inode.sectors}\n" in answer
        assert f"Size: {inode.size}\n" in answer
        if "metadata_csum" not in str(options) and "ext4" in options:
            is_now = re.search(r"Inode checksum: 0x([0-9a-f]+)", answer)
            assert is_now is not None
            assert [int(is_now[1], 16)] * 2 == list(ext4.sums(volume, inode))


def test_inodes_are_where_debugfs_says(planted: Planted) -> None:
    volume, tools = planted.volume, planted.tools
    rng = random.Random(3)  # noqa: S311
    numbers = [1, 2, volume.sb.group_inodes, volume.sb.group_inodes + 1, volume.sb.inodes]
    numbers += [rng.randrange(1, volume.sb.inodes + 1) for _ in range(20)]
    numbers = [number for number in numbers if number <= volume.sb.inodes]
    said = tools.debugfs(*(f"imap <{number}>" for number in numbers))
    found = re.findall(r"block group (\d+)\s+located at block (\d+), offset 0x([0-9a-f]+)", said)
    expected = [volume.place(number) for number in numbers]
    assert [(int(g), int(b), int(o, 16)) for g, b, o in found] == [(g, b, o) for g, _, b, o in expected]
    for number in (0, volume.sb.inodes + 1):
        with pytest.raises(DamagedError, match="does not exist"):
            volume.place(number)


def test_groups_are_those_of_dumpe2fs(planted: Planted) -> None:
    volume = planted.volume
    said = planted.tools.run("dumpe2fs", "made.img")
    groups = re.split(r"^Group \d+: ", said, flags=re.M)[1:]
    assert len(groups) == volume.sb.groups
    for g, text in enumerate(groups):
        about, span = volume.group(g), volume.sb.span(g)
        assert f"(Blocks {span.start}-{span.stop - 1})" in text
        assert ("superblock at" in text) == volume.sb.has_copy(g)
        for name, n in (("Block bitmap", about.block_bitmap), ("Inode bitmap", about.inode_bitmap)):
            assert re.search(rf"{name} at {n} ", text), text
        assert f"Inode table at {about.inode_table}-" in text
        assert f"  {about.free_blocks} free blocks, {about.free_inodes} free inodes" in text
    assert f"Free blocks:              {volume.sb.free_blocks}\n" in said
    assert f"Free inodes:              {volume.sb.free_inodes}\n" in said


def test_copies_of_the_superblock() -> None:
    """Against the list in mke2fs(8): 1, and the powers of 3, 5 and 7."""
    sb = ext4.shelf().sb
    copies = [g for g in range(400) if sb.has_copy(g)]
    assert copies == [0, 1, 3, 5, 7, 9, 25, 27, 49, 81, 125, 243, 343]


def test_a_tree_of_two_levels_is_read(tools: Tools) -> None:
    source = tools.folder / "tree"
    source.mkdir()
    with (source / "comb").open("wb") as file:
        for i in range(1500):
            file.seek(2 * i * 1024)
            file.write(bytes([1 + i % 255]) * 1024)
    volume = tools.make("-t", "ext4", "-b", "1024", tree=source, size="32M")
    inode = volume.lookup("comb")
    pieces = volume.pieces(inode)
    assert struct.unpack_from("<H", inode.block, 6)[0] == 2
    covered = [run.first + i for run in pieces for i in range(run.count)]
    assert covered == list(range(0, 3000, 2))
    assert volume.read(inode) == (source / "comb").read_bytes()
    least, depth = ext4.extent_blocks(len(pieces), KIB)
    assert depth == 2
    assert least <= len(volume.tree(inode)) <= 2 * least + 2
    assert inode.sectors == 2 * (1500 + len(volume.tree(inode)))
    runs, tree = listed(tools.debugfs("stat /comb"))
    assert (pieces, sorted(volume.tree(inode))) == (runs, sorted(tree))

    # e2fsck writes trees anew that could be smaller; then they have the size that the lab computes.
    tools.run("e2fsck", "-fy", "-E", "bmap2extent", "made.img", ok=(0, 1))
    volume = tools.read()
    inode = volume.lookup("comb")
    least, _ = ext4.extent_blocks(len(volume.pieces(inode)), KIB)
    assert least <= len(volume.tree(inode)) <= least + 2


def test_runs_longer_than_the_limit_of_written_ones_are_unwritten(tools: Tools) -> None:
    volume = tools.make("-t", "ext4", "-b", "1024")
    (tools.folder / "one").write_bytes(b"x")
    tools.debugfs("write one one", "fallocate /one 3 40", write=True)
    volume = tools.read()
    inode = volume.lookup("one")
    runs, _ = listed(tools.debugfs("stat /one"))
    assert volume.pieces(inode) == runs
    assert [run.written for run in runs] == [True, False]
    assert (runs[1].first, runs[1].count) == (3, 38)
    assert volume.read(inode) == b"x"

    node = struct.pack("<HHHHI", 0xF30A, 3, 4, 0, 0)
    node += struct.pack("<IHHI", 0, 32768, 1, 5) + struct.pack("<IHHI", 32768, 32769, 0, 9)
    node += struct.pack("<IHHI", 32769, 65535, 0, 11)
    assert list(volume.runs(node)) == [
        *(Run(0, 32768, 5 + 2**32), Run(32768, 1, 9, written=False), Run(32769, 32767, 11, written=False)),
    ]
    with pytest.raises(DamagedError, match="magic"):
        list(volume.runs(bytes(60)))


class Far(Ext4):
    """SHELF, as if the blocks named in *far* were on a disk of many TiB."""

    far: Mapping[int, bytes]

    def block(self, n: int) -> bytes:
        return self.far.get(n) or super().block(n)


def test_numbers_of_more_than_32_bits() -> None:
    """No image here is as large: the records are built from the tables in ifork.rst and group_descr.rst."""
    volume = Far(ext4.shelf().disk)
    leaf = struct.pack("<HHHHI", 0xF30A, 1, 4, 0, 0) + struct.pack("<IHHI", 7, 3, 2, 9)
    volume.far = {5 * 2**32 + 6: leaf}
    root = struct.pack("<HHHHI", 0xF30A, 1, 4, 1, 0) + struct.pack("<IIHH", 7, 6, 5, 0)
    assert list(volume.runs(root)) == [Run(7, 3, 2 * 2**32 + 9)]

    low = (
        struct.pack("<IIIHHHH", 1, 2, 3, 4, 5, 6, 0) + bytes(4) + struct.pack("<H", 7) + bytes(4) + b"\x08\0"
    )
    high = struct.pack("<IIIHH", 9, 10, 11, 12, 13) + bytes(8) + struct.pack("<HHI", 14, 0, 0)
    group = ext4.Group.read(low + high)
    assert (group.block_bitmap, group.inode_bitmap, group.inode_table) == (
        *(9 * 2**32 + 1, 10 * 2**32 + 2, 11 * 2**32 + 3),
    )
    assert (group.free_blocks, group.free_inodes) == (12 * 65536 + 4, 13 * 65536 + 5)
    assert (group.bitmap_sum, group.checksum) == (14 * 65536 + 7, 8)

    raw = bytearray(volume.disk[1024:2048])
    struct.pack_into("<3I", raw, 336, 15, 16, 17)
    large = ext4.Superblock.read(raw)
    assert (large.blocks, large.free_blocks) == (15 * 2**32 + 32768, 17 * 2**32 + 26678)


def test_every_level_of_a_map_is_read(tools: Tools) -> None:
    """Blocks at the edges of the four levels, the rest a hole; 12 + 256 + 65,536 are reached by three of them."""
    source = tools.folder / "tree"
    source.mkdir()
    edges = (0, 11, 12, 267, 268, 523, 524, 1100, 65803, 65804, 66059, 66060, 131340, 200000)
    with (source / "f").open("wb") as file:
        for n in edges:
            file.seek(n * 1024)
            file.write(struct.pack("<I", n + 1) * 256)
    volume = tools.make("-t", "ext4", "-b", "1024", "-O", "^extent,^64bit", tree=source)
    inode = volume.lookup("f")
    pieces = volume.pieces(inode)
    assert [run.first + i for run in pieces for i in range(run.count)] == list(edges)
    assert [struct.unpack_from("<I", volume.block(n))[0] - 1 for n in volume.data(inode)] == list(edges)
    runs, tree = listed(tools.debugfs("stat /f"))
    assert (pieces, sorted(volume.tree(inode))) == (runs, sorted(tree))


def test_what_lies_beyond_the_disk_is_refused() -> None:
    shelf = ext4.shelf()
    with pytest.raises(DamagedError, match="does not exist"):
        shelf.block(shelf.sb.blocks)
    with pytest.raises(DamagedError, match="no superblock"):
        Ext4(bytes(4096))


def test_deleted_entries_stand_in_the_room_before_them(tools: Tools) -> None:
    source = tools.folder / "tree"
    source.mkdir()
    for name in ("a", "bcdef", "ghi", "jklmnopqrs", "t"):
        (source / name).write_bytes(b"")
    tools.make("-t", "ext4", tree=source)
    before = tools.read()
    numbers = {name: before.lookup(name).number for name in ("bcdef", "ghi", "t")}
    tools.debugfs("rm bcdef", "rm ghi", "rm t", write=True)
    volume = tools.read()
    (block,) = volume.data(volume.inode(ext4.ROOT))
    assert {e.name: e.inode for e in ext4.hidden(volume.block(block))} == numbers
    assert not {e.name for e in ext4.slots(volume.block(block))} & set(numbers)
    said = tools.debugfs("ls -d /")
    assert set(re.findall(r"<(\d+)> \(\d+\) (\w+)", said)) == {(str(n), name) for name, n in numbers.items()}


def test_the_first_entry_of_a_block_is_deleted_by_its_number(tools: Tools) -> None:
    """There is none before it to be made longer: its inode becomes 0."""
    source = tools.folder / "tree" / "d"
    source.mkdir(parents=True)
    for i in range(80):
        (source / f"a name of 20 bytes {i:02d}").write_bytes(b"")
    before = tools.make("-t", "ext4", "-b", "1024", tree=source.parent)
    second = before.data(before.lookup("d"))[1]
    gone = ext4.slots(before.block(second))[0]
    tools.debugfs(f'rm "/d/{gone.name}"', write=True)
    volume = tools.read()
    assert ext4.slots(volume.block(second))[0].inode == 0
    names = {entry.name for entry in volume.entries(volume.lookup("d"))}
    assert names == {".", "..", *(path.name for path in source.iterdir())} - {gone.name}


# Directories


def test_an_index_has_room_for_as_many_blocks_as_the_lab_says(tools: Tools) -> None:
    """Of two levels, as e2fsck writes it; mke2fs writes none, and to the lab its blocks look empty."""
    source = tools.folder / "tree" / "d"
    source.mkdir(parents=True)
    for i in range(600):
        (source / f"{i:0200d}").touch()
    for size, levels in (("1024", 1), ("4096", 0)):
        made = tools.make("-t", "ext4", "-b", size, "-N", "1000", tree=source.parent)
        assert not made.lookup("d").flags & 0x1000
        tools.run("e2fsck", "-fyD", "made.img", ok=(0, 1))
        volume = tools.read()
        folder = volume.lookup("d")
        assert folder.flags & 0x1000
        first, *rest = (volume.block(n) for n in volume.data(folder))
        assert first[30] == levels
        assert int.from_bytes(first[32:34], "little") == ext4.index_limit(int(size), root=True)
        if levels:
            node = rest[int.from_bytes(first[36:40], "little") - 1]
            assert int.from_bytes(node[8:10], "little") == ext4.index_limit(int(size), root=False)
        names = {path.name for path in source.iterdir()}
        assert {entry.name for entry in volume.entries(folder)} == {".", ".."} | names
        assert volume.lookup(f"d/{7:0200d}") == volume.inode(made.find(made.lookup("d"), f"{7:0200d}") or 0)


def test_what_is_inside_an_inode_is_refused(tools: Tools) -> None:
    source = tools.folder / "tree"
    (source / "d").mkdir(parents=True)
    (source / "f").write_bytes(b"x")
    volume = tools.make("-t", "ext4", "-O", "inline_data", tree=source)
    for path in ("d/e", "f"):
        with pytest.raises(DamagedError, match="inside its inode"):
            volume.read(volume.lookup(path))


def test_entries_that_fit_into_a_block(tools: Tools) -> None:
    """Filled by debugfs until the directory takes a second block; ``.`` and ``..`` take 24 bytes."""
    tools.make("-t", "ext4", "-b", "1024", "-N", "512")
    for length in (1, 7, 8, 9, 20):
        fits = ext4.leaf_entries(length, KIB)
        made = [f"{i:0{length}x}"[-length:] if length > 1 else chr(48 + i) for i in range(fits + 2)][:75]
        tools.debugfs(f"mkdir d{length}", f"cd d{length}", *(f"mknod {n} p" for n in made), write=True)
        volume = tools.read()
        blocks = volume.data(volume.lookup(f"d{length}"))
        count = len([e for e in ext4.slots(volume.block(blocks[0])) if e.name not in ("", ".", "..")])
        room = 8 + -(-length // 4) * 4
        assert count * room + 24 <= KIB - 12
        assert count == min(75, (fits * room + (KIB - 12) % room - 24) // room)
    assert ext4.leaf_entries(20, 4 * KIB) == (4096 - 12) // 28


# What a file costs


def pointers(blocks: int, per: int) -> int:
    """Blocks of pointers by walking every block of the file."""
    used = set()
    for n in range(blocks):
        n -= 12
        for level in (1, 2, 3):
            if 0 <= n < per**level:
                used |= {(level, k, n // per**k) for k in range(1, level + 1)}
                break
            n -= per**level
    return len(used)


@pytest.mark.parametrize("blocks", [0, 1, 12, 13, 28, 29, 30, 44, 45, 283, 284, 285, 300, 301, 541, 4000])
def test_blocks_of_a_map(blocks: int) -> None:
    assert ext4.map_blocks(blocks, 64) == pointers(blocks, 16)


def test_the_most_a_map_can_hold() -> None:
    """Against Documentation/filesystems/ext4/blocks.rst: 16,843,020 with 1 KiB, 1,074,791,436 with 4 KiB."""
    for size, most in ((KIB, 16_843_020), (4 * KIB, 1_074_791_436)):
        assert ext4.map_blocks(most, size) > 0
        with pytest.raises(ValueError, match="cannot hold"):
            ext4.map_blocks(most + 1, size)
    assert ext4.values()["map_most"].value == 1_074_791_436


def test_maps_are_as_large_as_those_of_mke2fs(tools: Tools) -> None:
    source = tools.folder / "tree"
    source.mkdir()
    sizes = [12 * KIB, 12 * KIB + 1, 268 * KIB, 269 * KIB, 700 * KIB, 3000 * KIB]
    for size in sizes:
        (source / str(size)).write_bytes(b"\1" * size)
    volume = tools.make("-t", "ext4", "-b", "1024", "-O", "^extent,^64bit", tree=source)
    for size in sizes:
        inode = volume.lookup(str(size))
        assert len(volume.tree(inode)) == ext4.map_blocks(-(-size // KIB), KIB)
        assert inode.sectors == 2 * (-(-size // KIB) + ext4.map_blocks(-(-size // KIB), KIB))
        assert volume.read(inode) == b"\1" * size


def packed(runs: int, per: int) -> tuple[int, int]:
    """Nodes and depth of a full tree, by cutting lists."""
    level: list[object] = list(range(runs))
    nodes, depth = 0, 0
    while len(level) > 4:
        level = [level[i : i + per] for i in range(0, len(level), per)]
        nodes, depth = nodes + len(level), depth + 1
    return nodes, depth


@settings(deadline=None)
@given(st.integers(0, 20_000), st.sampled_from((64, 256, 1024, 4096)))
def test_blocks_of_an_extent_tree(runs: int, size: int) -> None:
    assert ext4.extent_blocks(runs, size) == packed(runs, size // 12 - 1)


def test_depth_of_the_deepest_tree() -> None:
    """ifork.rst has 5 as the smallest n with 4((size - 12)/12)^n >= 2^32; that is for blocks of 1 KiB."""
    for size, depth in ((KIB, 5), (4 * KIB, 4), (64 * KIB, 3)):
        assert ext4.extent_blocks(2**32, size)[1] == depth
        assert 4 * ext4.per_node(size) ** (depth - 1) < 2**32 <= 4 * ext4.per_node(size) ** depth


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 100_000), st.one_of(st.integers(1, 40), st.integers(1, 100_000)))
@example(70_000, 71_000)
@example(32_769 * 3 + 5, 32_769)
def test_runs_of_equal_pieces(blocks: int, length: int) -> None:
    cuts = set(range(0, blocks, length))
    cuts |= {piece + k for piece in cuts for k in range(0, min(length, blocks - piece), 32768)}
    assert ext4.runs_of(blocks, length) == len(cuts)


def test_the_inodes_run_out_first(tools: Tools) -> None:
    volume = tools.make("-t", "ext4", "-b", "1024", "-N", "64")
    files, room = ext4.files_until_full(volume)
    said = tools.debugfs(*(f"mknod f{i} p" for i in range(files + 5)), write=True)
    full = tools.read()
    assert sum(path.startswith("f") for path in full.walk()) == files
    assert ext4.files_until_full(full)[0] == 0
    assert room - ext4.files_until_full(full)[1] <= 4 * KIB
    assert said is not None


# Checked: what e2fsck says

FAULTS = (
    (r"block ([\d,]+) is used and marked free", "Block bitmap differences:.* \\+{}"),
    (r"block ([\d,]+) is marked used and nobody's", "Block bitmap differences:.* -{}"),
    (r"group (\d+) counts ([\d,]+) free, its bitmap ([\d,]+)", r"group #{} \({}, counted={}\)"),
    (r"wrong checksum of the bitmap", "block bitmap does not match checksum"),
    (r"inode (\d+) has a wrong checksum", "Inode {} .*checksum does not match"),
    (r"inode (\d+) counts (\d+) links, it has (\d+)", "Inode {} ref count is {}, should be {}"),
    (r"inode (\d+) counts (\d+) sectors, it has \d+ blocks", "Inode {}, i_blocks is {}, should be"),
)


def test_a_volume_with_the_features_of_1_47_4_is_consistent(tools: Tools) -> None:
    """Its checksums begin with a number of their own, and a file for orphans has no name."""
    features = "metadata_csum_seed,orphan_file,^resize_inode"
    tools.make("-t", "ext4", "-O", features, tree=plant(tools.folder / "tree", 4))
    tools.run("tune2fs", "-U", "00112233-4455-6677-8899-aabbccddeeff", "made.img")
    volume = tools.read()
    assert volume.disk[1024 + 104 :][:2] == b"\x00\x11"
    assert volume.sb.nameless[-1] > 10
    assert ext4.check(volume) == []


def agree(tools: Tools, volume: Ext4) -> None:
    """The checker and e2fsck find the same, but for the total in the superblock, which is only a hint."""
    said = tools.fsck(volume)
    found = ext4.check(volume)
    for pattern, phrase in FAULTS:
        ours = [re.fullmatch(pattern, fault) for fault in found]
        for match in filter(None, ours):
            groups = [part.replace(",", "") for part in match.groups()]
            assert re.search(phrase.format(*groups), said), (match[0], said)
        if not any(ours):
            assert not re.search(re.sub(r"\{\}", r"\\d+", phrase), said), (phrase, said)


def test_a_file_that_grew_is_what_e2fsck_expects(tools: Tools) -> None:
    shelf = ext4.shelf()
    home, data = ext4.append(shelf, ext4.TODO, ext4.more(shelf))
    grown = shelf.after([*home.values(), *data.items()])
    agree(tools, grown)
    assert ext4.check(grown) == []
    assert grown.read(grown.inode(ext4.TODO)) == shelf.read(shelf.inode(ext4.TODO)) + ext4.more(shelf)
    assert grown.read(grown.inode(ext4.TODO)).decode().endswith("Buy milk.\nBu")


@pytest.mark.parametrize("made", ext4.subsets(3))
def test_torn_writes_are_judged_as_by_e2fsck(tools: Tools, made: tuple[bool, ...]) -> None:
    shelf = ext4.shelf()
    home, _ = ext4.append(shelf, ext4.TODO, ext4.more(shelf))
    assert tuple(home) == ext4.HOME
    torn = shelf.after(ext4.some(list(home.values()), made))
    agree(tools, torn)
    assert (ext4.check(torn) == []) == (len(set(made)) == 1)


@pytest.mark.parametrize("options", [("-b", "4096"), ("-b", "2048", "-O", "^has_journal"), ("-g", "2048")])
def test_files_grow_on_other_volumes(tools: Tools, options: tuple[str, ...]) -> None:
    source = tools.folder / "tree"
    source.mkdir()
    for i in range(5):
        (source / f"f{i}").write_bytes(b"\1" * (i * 700 + 1))
    made = tools.make("-t", "ext4", "-O", "^resize_inode", *options, tree=source)
    assert ext4.check(made) == []
    size = made.sb.block_bytes
    for i in range(5):
        written = i % 2 == 0
        inode = made.lookup(f"f{i}")
        data = b"\2" * (-inode.size % size + 1 + i * size // 5)
        home, changed = ext4.append(made, inode.number, data, written=written)
        grown = made.after([*home.values(), *changed.items()])
        agree(tools, grown)
        assert ext4.check(grown) == []
        seen = grown.read(grown.inode(inode.number))
        kept = -inode.size % size
        assert seen == b"\1" * inode.size + (data if written else data[:kept].ljust(len(data), b"\0"))
        runs, _ = listed(tools.debugfs(f"stat <{inode.number}>", name="check.img"))
        assert runs == grown.pieces(grown.inode(inode.number))
    with pytest.raises(ValueError, match="one new block"):
        ext4.append(made, made.lookup("f0").number, b"\2" * (3 * size))


def damaged(shelf: Ext4) -> Mapping[str, Ext4]:
    """Faults in other places than those of a growing file."""

    def slot(number: int, at: int, form: str, value: int) -> Ext4:
        _, _, block, byte = shelf.place(number)
        raw = bytearray(shelf.inode(number).raw)
        struct.pack_into(form, raw, at, value)
        total, _ = ext4.sums(shelf, ext4.Inode.read(number, bytes(raw)))
        struct.pack_into("<H", raw, 124, total & 0xFFFF)
        struct.pack_into("<H", raw, 130, total >> 16)
        return shelf.after([(block, ext4.patched(shelf.block(block), byte, raw))])

    _, _, block, byte = shelf.place(16)
    torn = ext4.patched(shelf.block(block), byte + 8, b"\1")
    return {
        "links": slot(16, 26, "<H", 3),
        "sectors": slot(18, 28, "<I", 5862),
        "shared": slot(16, 60, "<I", 2133),
        "checksum": shelf.after([(block, torn)]),
    }


@pytest.mark.parametrize("fault", ["links", "sectors", "shared", "checksum"])
def test_other_damage_is_judged_as_by_e2fsck(tools: Tools, fault: str) -> None:
    volume = damaged(ext4.shelf())[fault]
    found = ext4.check(volume)
    assert found
    if fault == "shared":
        assert "block 2133 is in inode 18 and in use already" in found
        assert re.search(r"Multiply-claimed block\(s\) in inode 1[68]: 2133", tools.fsck(volume))
    else:
        agree(tools, volume)


def test_checksums_are_crc32c() -> None:
    """The check value of CRC-32C, which ends with an inversion that ext4 leaves out."""
    assert ext4.crc32c(b"123456789") ^ 0xFFFFFFFF == 0xE3069283


# The journal


def written(tools: Tools, volume: Ext4) -> dict[int, bytes]:
    """The blocks that e2fsck's recovery changes, but for the superblock and the head of the journal."""
    tools.fsck(volume, "-y", "-E", "journal_only", ok=(0, 1))
    after, part = tools.read("check.img"), 64 * KIB
    own = {1024 // volume.sb.block_bytes, *ext4.log_blocks(volume)}
    near = [
        at
        for at in range(0, len(after.disk), part)
        if after.disk[at : at + part] != volume.disk[at : at + part]
    ]
    per = part // volume.sb.block_bytes
    near_blocks = {n for at in near for n in range(at // part * per, (at // part + 1) * per)}
    return {
        n: after.block(n)
        for n in sorted(near_blocks | set(volume.changed))
        if n not in own and after.block(n) != volume.block(n)
    }


def replayed(volume: Ext4) -> dict[int, bytes]:
    """The same by the lab."""
    found, _ = ext4.replay(volume)
    return {n: data for n, data in found.changed.items() if data != volume.block(n)}


def transaction() -> tuple[Ext4, dict[int, bytes], list[tuple[int, bytes]]]:
    start = ext4.mounted(ext4.shelf())
    home, _ = ext4.append(start, ext4.TODO, ext4.more(start))
    return start, dict(home.values()), ext4.commit(start, dict(home.values()))


def test_debugfs_reads_the_transaction(tools: Tools) -> None:
    start, change, log = transaction()
    tools.write(start.after(log), "log.img")
    said = tools.debugfs("logdump -a", name="log.img")
    assert [int(n) for n in re.findall(r"FS block (\d+) logged", said)] == list(change)
    assert re.search(r"sequence 1, type 2 \(commit block\) at block 5", said)
    assert len(log) == len(change) + 2


@pytest.mark.parametrize(
    "made",
    [(1, 1, 1, 1, 1), (1, 1, 1, 1, 0), (0, 1, 1, 1, 1), (1, 0, 0, 0, 0), (0, 0, 0, 0, 1), (0, 1, 0, 1, 0)],
)
def test_a_crash_in_the_journal_is_recovered_as_by_e2fsck(tools: Tools, made: tuple[int, ...]) -> None:
    start, change, log = transaction()
    crashed = start.after(itertools.compress(log, made))
    assert written(tools, crashed) == replayed(crashed) == (change if all(made) else {})


@pytest.mark.parametrize("made", [(0, 0, 0), (1, 0, 0), (0, 1, 1), (1, 1, 1)])
def test_a_crash_after_the_commit_is_recovered_as_by_e2fsck(tools: Tools, made: tuple[int, ...]) -> None:
    start, change, log = transaction()
    crashed = start.after([*log, *itertools.compress(change.items(), made)])
    left = dict(itertools.compress(change.items(), [not m for m in made]))
    assert written(tools, crashed) == replayed(crashed) == left


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_a_lost_block_of_the_journal_is_noticed(tools: Tools, lost: int) -> None:
    start, _, log = transaction()
    crashed = start.after(write for i, write in enumerate(log) if i != lost)
    with pytest.raises(DamagedError, match="wrong checksum"):
        ext4.replay(crashed)
    tools.fsck(crashed, "-fy", ok=(0, 1))
    assert ext4.check(tools.read("check.img")) == []


def test_other_transactions_are_replayed(tools: Tools) -> None:
    """Two of them, as debugfs writes them, on a volume with larger blocks."""
    tools.make("-t", "ext4", "-b", "4096", "-O", "^resize_inode", "-J", "size=4")
    rng = random.Random(11)  # noqa: S311
    (tools.folder / "one").write_bytes(rng.randbytes(4096))
    (tools.folder / "three").write_bytes(rng.randbytes(3 * 4096))
    for _ in range(2):  # the second time the log begins where it did, and the numbers go on
        tools.debugfs("jo -c", "jw -b 3000 one", "jw -b 3001,3000,3003 three", "jc", write=True)
        volume = tools.read()
        head = struct.unpack_from(">II", volume.block(ext4.log_blocks(volume)[0]), 24)
        tools.run("e2fsck", "-y", "-E", "journal_only", "made.img", ok=(0, 1))
    assert head[0] > head[1] > 0
    volume = volume.after((n, bytes(4096)) for n in (3000, 3001, 3003))
    found, done = ext4.replay(volume)
    data = (tools.folder / "three").read_bytes()
    assert done == 2
    assert replayed(volume) == written(tools, volume) == {
        3001: data[:4096], 3000: data[4096:8192], 3003: data[8192:],
    }  # fmt: skip
    assert found.block(3002) == bytes(4096)


def test_a_log_of_an_earlier_turn_is_left_alone(tools: Tools) -> None:
    """The first transaction to repeat is the second, and what stands at its place is the first."""
    start, _, log = transaction()
    at = ext4.log_blocks(start)[0]
    head = ext4.patched(start.block(at), 24, struct.pack(">I", 2))
    stale = start.after([*log, (at, ext4.sealed(head, 252, 0xFFFFFFFF))])
    assert ext4.replay(stale)[1] == 0
    assert written(tools, stale) == replayed(stale) == {}


def test_a_transaction_may_have_several_descriptors(tools: Tools) -> None:
    """One of 1 KiB has room for 62 blocks; here the first names 62 of 150."""
    tools.make("-t", "ext4", "-b", "1024", "-O", "^resize_inode", "-J", "size=1")
    data = random.Random(5).randbytes(150 * KIB)  # noqa: S311
    (tools.folder / "many").write_bytes(data)
    numbers = [12000 + 3 * i for i in range(150)]
    tools.debugfs("jo -c", f"jw -b {','.join(map(str, numbers))} many", "jc", write=True)
    said = tools.debugfs("logdump -a")
    assert len(re.findall("Dumping descriptor block", said)) == 3
    volume = tools.read()
    assert ext4.replay(volume)[1] == 1
    assert replayed(volume) == written(tools, volume)
    assert replayed(volume) == {n: data[i * KIB : (i + 1) * KIB] for i, n in enumerate(numbers)}
    log = ext4.log_blocks(volume)
    end = next(n for n in log if volume.block(n)[:8] == struct.pack(">II", ext4.JOURNAL_MAGIC, 2))
    lost = volume.after([(end, bytes(KIB))])
    assert (ext4.replay(lost)[1], replayed(lost), written(tools, lost)) == (0, {}, {})


def test_what_the_replay_leaves_out_is_refused(tools: Tools) -> None:
    tools.make("-t", "ext4", "-b", "4096", "-J", "size=4")
    (tools.folder / "magic").write_bytes(struct.pack(">I", ext4.JOURNAL_MAGIC).ljust(4096, b"\1"))
    for request, said in (("jw -b 3000 magic", "escaped"), ("jw -r 3000", "revokes")):
        shutil.copy(tools.folder / "made.img", tools.folder / "log.img")
        tools.debugfs("jo -c", request, "jc", name="log.img", write=True)
        with pytest.raises(DamagedError, match=said):
            ext4.replay(tools.read("log.img"))


def test_an_empty_journal_changes_nothing() -> None:
    assert ext4.replay(ext4.shelf())[1] == 0
    assert ext4.replay(ext4.mounted(ext4.shelf()))[1] == 0


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32), st.integers(1, 20))
def test_what_was_committed_is_replayed(seed: int, count: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    start = ext4.mounted(ext4.shelf())
    change = {rng.randrange(6000, 16000): rng.randbytes(1024) for _ in range(count)}
    log = ext4.commit(start, change)
    found, done = ext4.replay(start.after(log))
    assert (done, {n: found.block(n) for n in change}) == (1, change)
    assert ext4.replay(start.after(log[:-1]))[1] == 0


def test_crashes_are_all_counted() -> None:
    """Sixteen ways to have some of the first four blocks, eight to have some of the three at home."""
    assert ext4.crashes(ext4.shelf(), flushed=True) == ext4.Crashes(old=16, new=8, refused=0)
    assert ext4.crashes(ext4.shelf(), flushed=False) == ext4.Crashes(old=24, new=1, refused=7)


def test_modes_allow_what_the_manual_says() -> None:
    """ext4.rst: ordered forces data out before the commit, writeback does not, journal logs both."""
    allowed = {mode: {made for made in ext4.subsets(2) if rule(*made)} for mode, rule in ext4.MODES.items()}
    assert allowed["writeback"] == set(ext4.subsets(2))
    assert allowed["ordered"] == allowed["writeback"] - {(False, True)}
    assert allowed["journal"] == {(False, False), (True, True)}


def test_stale_data_is_what_the_deleted_file_held(tools: Tools) -> None:
    shelf = ext4.shelf()
    home, _ = ext4.append(shelf, ext4.TODO, ext4.more(shelf))
    (tools.folder / "stale.img").write_bytes(shelf.after(home.values()).image())
    tools.debugfs("dump /notes/todo out", name="stale.img")
    seen = (tools.folder / "out").read_bytes()
    assert seen == b"Call the plumber.\n" + bytes(1006) + b"Gate code: 4711\n" + bytes(160)
    rows = ext4.tables()["modes"].rows
    assert [row[2] for row in rows if "Gate" in str(row[2])] == [
        "1,200 bytes: `Call the plumber.`, `Gate code: 4711`, 1,166 zeros"
    ]
    assert seen.count(0) == 1166


# The note


def test_the_lookup_reads_what_the_table_says() -> None:
    """Against the blocks that the reader itself asks for; the descriptors are in memory since the mount."""
    shelf = Ext4(ext4.shelf().disk)
    assert shelf.read(shelf.lookup("notes/2026/todo.txt")) == b"Call the plumber.\n"
    descriptors = shelf.described_at(0)[0]
    assert [n for n in shelf.reads if n != descriptors] == [
        block for _, block, _ in ext4.steps(ext4.shelf(), "notes/2026/todo.txt")
    ]


def test_the_sixty_bytes_are_explained() -> None:
    shelf = ext4.shelf()
    for path, words in (
        ("novel.txt", "from block 0: 2,930 from 2,133"),
        ("holes.bin", "a node in 2,105"),
        ("notes/latest", '"2026/todo.tx"'),
        ("notes/todo", "F30A; 1 of 4 in use, depth 0"),
    ):
        lines = ext4.sixty(shelf, shelf.lookup(path))
        assert words in "\n".join(lines)
        assert bytes.fromhex(" ".join(line[2:37] for line in lines)) == shelf.lookup(path).block


def test_the_diagram_has_the_numbers_of_the_lab() -> None:
    diagram = NOTE.partition(":name: fig-ext4-lookup")[2].partition("```")[0].replace(",", "")
    for _, block, _ in ext4.steps(ext4.shelf(), "notes/2026/todo.txt"):
        assert re.search(rf"block {block}\b", diagram), block
    for number in (2, 13, 14, 16):
        assert re.search(rf"inode {number}\b", diagram)


def test_the_prose_says_what_the_lab_computes() -> None:
    lab = {name: value.value for name, value in ext4.values().items()}
    assert len([row for row in ext4.tables()["torn"].rows if len(set(row[:3])) > 1]) == 6  # "six torn states"
    assert lab["crash_old"] == 16  # "16 crashes before the commit"
    assert lab["crash_new"] == 8  # "8 after it"
    assert round(float(lab["shattered"]) / float(lab["map_blocks"])) == 3  # "up to three times"
    shelf = ext4.shelf()
    assert shelf.sb.group_blocks * shelf.sb.block_bytes == 8 * 2**20  # "a table every 8 MiB"
    assert len(ext4.log_blocks(shelf)) * shelf.sb.block_bytes == 2**20  # "1 MiB in SHELF"
    assert (shelf.inode(ext4.TODO).size, ext4.GROWN) == (18, 1200)  # "from 18 to 1,200 bytes"
    alt = NOTE.partition(":name: fig-ext4-runs")[2].partition("\n\n")[0]
    assert f"flat at {lab['map_blocks']}." in alt
    assert f"start at {lab['shattered']} " in alt
    single = next(n for n in range(1, 9999) if ext4.extent_blocks(ext4.runs_of(ext4.MOVIE, n))[0] == 1)
    assert f"a single block at {single}." in alt
    assert 3 < float(lab["even"]) < 3.05  # "just above 3 blocks", "more than three blocks"
    least = [n for n, _, blocks, tree, _ in ext4.cost_rows() if float(str(tree)) < float(str(blocks))]
    assert least[0] == 4
    assert lab["quiz_place"] == ext4.shelf().group(1).inode_table
