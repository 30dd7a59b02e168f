"""The lab of the ext4 note: inodes, extents, directories and the journal, read from an image of mke2fs.

``Ext4`` reads any image, also that of an ext2 or ext3. The example, SHELF, lies beside this module; the note
has the commands that made it. ``append``, ``commit`` and ``replay`` change copies of it in memory.
"""

from __future__ import annotations

import itertools
import lzma
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from labs.kit import Column, Draw, Palette, Table, Value
from labs.systems import fat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KIB, MIB, GIB, TIB = 2**10, 2**20, 2**30, 2**40
SHELF = Path(__file__).with_suffix(".img.xz")
ROOT, JOURNAL = 2, 8
"""Inodes with a fixed number."""
ORPHAN_FILE, RECOVER, WIDE, OWN_SEED, CHECKSUMS = 0x1000, 0x4, 0x80, 0x2000, 0x400
"""Bits of the three feature words: compatible, incompatible (three) and read-only compatible."""
EXTENTS, INLINE = 0x80000, 0x10000000
"""Flags of an inode."""
INODES_UNUSED, BLOCKS_UNUSED = 1, 2
"""Flags of a group: its bitmap was never written, because nothing is in use."""
EXTENT_MAGIC, JOURNAL_MAGIC = 0xF30A, 0xC03B3998
LONGEST = 2**15
"""Blocks of a written run; a greater length field marks one that is allocated and not yet written."""
RECORD = 12
"""Bytes of an extent, of an index entry and of the header before them."""


class DamagedError(Exception):
    """Something that cannot be read; the message says where."""


def _crc_table() -> list[int]:
    found = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        found.append(n)
    return found


CRC_TABLE = _crc_table()


def crc32c(data: bytes | bytearray, crc: int = 0xFFFFFFFF) -> int:
    """Castagnoli's CRC as ext4 uses it: begun with ones and not inverted at the end."""
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc


# On the disk


@dataclass(frozen=True)
class Superblock:
    """What the superblock says about the volume, as far as it is needed here."""

    inodes: int
    blocks: int
    free_blocks: int
    free_inodes: int
    first_block: int
    block_bytes: int
    group_blocks: int
    group_inodes: int
    inode_bytes: int
    compatible: int
    incompatible: int
    read_only: int
    descriptor_bytes: int
    seed: int
    """What every checksum but the superblock's begins with."""
    nameless: tuple[int, ...]
    """Inodes that no directory names: for growing, the journal, the orphan file."""

    @classmethod
    def read(cls, at: bytes | bytearray) -> Superblock:
        """The superblock in 1,024 bytes."""
        if at[56:58] != b"\x53\xef":
            raise DamagedError("no superblock: its magic number is missing")
        inodes, blocks, _, free_blocks, free_inodes, first, shift = struct.unpack_from("<7I", at)
        group_blocks, _, group_inodes = struct.unpack_from("<3I", at, 32)
        compatible, incompatible, read_only = struct.unpack_from("<3I", at, 92)
        wide = bool(incompatible & WIDE)
        high, _, free_high = struct.unpack_from("<3I", at, 336) if wide else (0, 0, 0)
        uuid = bytes(at[104:120])
        return cls(
            *(inodes, blocks | high << 32, free_blocks | free_high << 32, free_inodes),
            *(first, KIB << shift, group_blocks, group_inodes),
            *(int.from_bytes(at[88:90], "little"), compatible, incompatible, read_only),
            descriptor_bytes=int.from_bytes(at[254:256], "little") if wide else 32,
            seed=int.from_bytes(at[624:628], "little") if incompatible & OWN_SEED else crc32c(uuid),
            nameless=(7, JOURNAL, int.from_bytes(at[640:644], "little") if compatible & ORPHAN_FILE else 0),
        )

    @property
    def groups(self) -> int:
        """How many block groups there are."""
        return -(-(self.blocks - self.first_block) // self.group_blocks)

    def span(self, group: int) -> range:
        """The blocks of a group."""
        start = self.first_block + group * self.group_blocks
        return range(start, min(start + self.group_blocks, self.blocks))

    def has_copy(self, group: int) -> bool:
        """Whether a group begins with a superblock: 0, 1 and the powers of 3, 5 and 7 do (sparse_super)."""
        if group <= 1 or not self.read_only & 1:
            return True
        return any(group == base**k for base in (3, 5, 7) for k in range(1, 21))


@dataclass(frozen=True)
class Group:
    """A group descriptor: where the group's bitmaps and inode table are, and what is free in it."""

    block_bitmap: int
    inode_bitmap: int
    inode_table: int
    free_blocks: int
    free_inodes: int
    flags: int
    bitmap_sum: int
    checksum: int

    @classmethod
    def read(cls, at: bytes | bytearray) -> Group:
        """The descriptor in 32 or 64 bytes."""
        low = struct.unpack_from("<3I2H", at)
        high = struct.unpack_from("<3I2H8xH", at, 32) if len(at) >= 64 else (0,) * 6
        return cls(
            *(low[0] | high[0] << 32, low[1] | high[1] << 32, low[2] | high[2] << 32),
            *(low[3] | high[3] << 16, low[4] | high[4] << 16),
            flags=int.from_bytes(at[18:20], "little"),
            bitmap_sum=int.from_bytes(at[24:26], "little") | high[5] << 16,
            checksum=int.from_bytes(at[30:32], "little"),
        )


@dataclass(frozen=True)
class Inode:
    """One inode: everything about a file but its name."""

    number: int
    mode: int
    size: int
    links: int
    sectors: int
    """What ``stat`` prints as blocks: units of 512 bytes, those of the tree included."""
    flags: int
    block: bytes
    """The 60 bytes of ``i_block``."""
    generation: int
    raw: bytes

    @classmethod
    def read(cls, number: int, raw: bytes) -> Inode:
        """The inode in its slot of the table."""
        mode, _, low = struct.unpack_from("<HHI", raw)
        links, sectors, flags = struct.unpack_from("<HII", raw, 26)
        generation, _, high = struct.unpack_from("<III", raw, 100)
        return cls(number, mode, low | high << 32, links, sectors, flags, raw[40:100], generation, raw)

    @property
    def kind(self) -> str:
        """``file``, ``directory``, ``link`` or ``other``."""
        return {8: "file", 4: "directory", 10: "link"}.get(self.mode >> 12, "other")

    @property
    def in_itself(self) -> bool:
        """A symbolic link whose target stands where other files have their tree."""
        return self.kind == "link" and self.size < 60 and not self.flags & INLINE


@dataclass(frozen=True)
class Run:
    """Blocks of a file that follow each other on the disk."""

    first: int
    """The first block, counted from the start of the file."""
    count: int
    start: int
    """The first block, counted from the start of the disk."""
    written: bool = True


@dataclass(frozen=True)
class Entry:
    """One entry of a directory."""

    inode: int
    length: int
    """Bytes to the next entry (``rec_len``)."""
    kind: int
    name: str
    at: int
    """Where it begins in its block."""


Where = tuple[int, int, int, int]


class Ext4:
    """A volume in memory; ``reads`` lists the blocks that were read, in order."""

    def __init__(self, disk: bytes, changed: Mapping[int, bytes] | None = None) -> None:
        self.disk = disk
        self.changed = dict(changed or {})
        """Blocks that were written since."""
        self.sb = Superblock.read(disk[1024:2048])
        self.reads: list[int] = []

    def after(self, writes: Iterable[tuple[int, bytes]]) -> Ext4:
        """The volume with *writes* on its disk."""
        return Ext4(self.disk, self.changed | dict(writes))

    def image(self) -> bytes:
        """All of its bytes."""
        found = bytearray(self.disk)
        for n, data in self.changed.items():
            found[n * len(data) : (n + 1) * len(data)] = data
        return bytes(found)

    def block(self, n: int) -> bytes:
        """The bytes of block *n*."""
        if not 0 <= n < self.sb.blocks:
            raise DamagedError(f"block {n} does not exist")
        self.reads.append(n)
        size = self.sb.block_bytes
        return self.changed.get(n) or self.disk[n * size : (n + 1) * size]

    def described_at(self, group: int) -> tuple[int, int]:
        """The block and the byte of a group's descriptor: they lie behind the superblock, side by side."""
        block, byte = divmod(group * self.sb.descriptor_bytes, self.sb.block_bytes)
        return self.sb.first_block + 1 + block, byte

    def descriptor(self, group: int) -> bytes:
        """The bytes of a group's descriptor."""
        block, byte = self.described_at(group)
        return self.block(block)[byte : byte + self.sb.descriptor_bytes]

    def group(self, group: int) -> Group:
        """The descriptor of a group."""
        return Group.read(self.descriptor(group))

    # region place
    def place(self, number: int) -> Where:
        """Group of inode *number*, its index there, its block, its first byte."""
        if not 1 <= number <= self.sb.inodes:
            raise DamagedError(f"inode {number} does not exist")
        group, index = divmod(number - 1, self.sb.group_inodes)
        block, byte = divmod(index * self.sb.inode_bytes, self.sb.block_bytes)
        return group, index, self.group(group).inode_table + block, byte

    # endregion

    def inode(self, number: int) -> Inode:
        """Inode *number*."""
        _, _, block, byte = self.place(number)
        return Inode.read(number, self.block(block)[byte : byte + self.sb.inode_bytes])

    # region runs
    def runs(self, node: bytes) -> Iterator[Run]:
        """The runs below a node: the 60 bytes of an inode, or a block."""
        magic, entries, _, depth = struct.unpack_from("<HHHH", node)
        if magic != EXTENT_MAGIC:
            raise DamagedError("no magic number in a node")
        for at in range(RECORD, RECORD * (entries + 1), RECORD):
            if depth:
                _, low, high = struct.unpack_from("<IIH", node, at)
                yield from self.runs(self.block(low | high << 32))
            else:
                first, length, high, low = struct.unpack_from("<IHHI", node, at)
                start, written = low | high << 32, length <= LONGEST
                count = length if written else length - LONGEST
                yield Run(first, count, start, written)

    # endregion

    def mapped(self, pointers: bytes, level: int, first: int) -> Iterator[Run]:
        """The same for the block map of ext2 and ext3: four bytes for each block, 0 for a hole."""
        per = self.sb.block_bytes // 4
        for i, n in enumerate(struct.unpack(f"<{len(pointers) // 4}I", pointers)):
            if n and level:
                yield from self.mapped(self.block(n), level - 1, first + i * per**level)
            elif n:
                yield Run(first + i, 1, n)

    def pieces(self, inode: Inode) -> list[Run]:
        """Where the data of a file or directory is, by whichever of the two ways the inode uses."""
        if inode.flags & INLINE or inode.in_itself or inode.kind == "other":
            return []
        if inode.flags & EXTENTS:
            return list(self.runs(inode.block))
        per, found = self.sb.block_bytes // 4, list(self.mapped(inode.block[:48], 0, 0))
        for level, first in ((1, 12), (2, 12 + per), (3, 12 + per + per**2)):
            found += self.mapped(inode.block[44 + 4 * level : 48 + 4 * level], level, first)
        return merged(found)

    def data(self, inode: Inode) -> list[int]:
        """The blocks of its data, in the order of its bytes."""
        return [n for run in self.pieces(inode) for n in range(run.start, run.start + run.count)]

    def tree(self, inode: Inode) -> list[int]:
        """The blocks that hold the tree or the map itself."""
        before = len(self.reads)
        self.pieces(inode)
        return self.reads[before:]

    def read(self, inode: Inode) -> bytes:
        """The bytes of a file; what was never written reads as zeros."""
        if inode.flags & INLINE:
            raise DamagedError("a file inside its inode is not read here")
        if inode.in_itself:
            return inode.block[: inode.size]
        size = self.sb.block_bytes
        data = bytearray(-(-inode.size // size) * size)
        for run in self.pieces(inode):
            if run.written and run.first * size < inode.size:
                part = b"".join(self.block(n) for n in range(run.start, run.start + run.count))
                data[run.first * size : run.first * size + len(part)] = part
        return bytes(data[: inode.size])

    def entries(self, inode: Inode) -> Iterator[Entry]:
        """The entries of a directory that are in use, block by block."""
        if inode.flags & INLINE:
            raise DamagedError("a directory inside its inode is not read here")
        for n in self.data(inode):
            yield from (entry for entry in slots(self.block(n)) if entry.inode and entry.name)

    def find(self, inode: Inode, name: str) -> int | None:
        """The number under *name* in a directory; an index is passed over, its blocks look empty."""
        return next((entry.inode for entry in self.entries(inode) if entry.name == name), None)

    def lookup(self, path: str) -> Inode:
        """The inode at the end of a path; links on the way are not followed."""
        inode = self.inode(ROOT)
        for name in path.strip("/").split("/") if path.strip("/") else []:
            number = self.find(inode, name)
            if number is None:
                raise FileNotFoundError(path)
            inode = self.inode(number)
        return inode

    def walk(self, inode: Inode | None = None, above: str = "") -> dict[str, Inode]:
        """Every file and directory below one, by path."""
        found: dict[str, Inode] = {}
        for entry in self.entries(inode or self.inode(ROOT)):
            if entry.name in (".", ".."):
                continue
            below = self.inode(entry.inode)
            found[above + entry.name] = below
            if below.kind == "directory":
                found |= self.walk(below, f"{above}{entry.name}/")
        return found

    # What is in use

    def bitmap(self, group: int) -> bytes:
        """The block bitmap of a group, worked out where it was never written."""
        about, blocks = self.group(group), self.sb.span(group)
        if not (about.flags & BLOCKS_UNUSED and self.sb.read_only & (CHECKSUMS | 0x10)):
            return self.block(about.block_bitmap)
        bits = (1 << self.sb.group_blocks) - (1 << len(blocks))  # behind the end of the disk: in use
        bits |= sum(1 << n - blocks.start for n in self.fixed() if n in blocks)
        return bits.to_bytes(self.sb.group_blocks // 8, "little").ljust(self.sb.block_bytes, b"\xff")

    def fixed(self) -> frozenset[int]:
        """The blocks of the superblocks, descriptors, bitmaps and inode tables."""
        sb = self.sb
        tables = -(-sb.groups * sb.descriptor_bytes // sb.block_bytes)
        length = -(-sb.group_inodes * sb.inode_bytes // sb.block_bytes)
        found: set[int] = set()
        for g in range(sb.groups):
            about = self.group(g)
            found |= {about.block_bitmap, about.inode_bitmap}
            found |= set(range(about.inode_table, about.inode_table + length))
            if sb.has_copy(g):
                found |= set(range(sb.span(g).start, sb.span(g).start + 1 + tables))
        return frozenset(found)

    def used_inodes(self) -> list[int]:
        """The numbers of the inodes that are in use."""
        found = []
        for g in range(self.sb.groups):
            about = self.group(g)
            if not (about.flags & INODES_UNUSED and self.sb.read_only & (CHECKSUMS | 0x10)):
                bits = int.from_bytes(self.block(about.inode_bitmap), "little")
                start = g * self.sb.group_inodes + 1
                found += [start + i for i in range(self.sb.group_inodes) if bits >> i & 1]
        return found


def merged(runs: Iterable[Run]) -> list[Run]:
    """*runs* with those joined that follow each other in the file and on the disk."""
    found: list[Run] = []
    for run in runs:
        last = found[-1] if found else None
        if last and (last.first + last.count, last.start + last.count) == (run.first, run.start):
            found[-1] = replace(last, count=last.count + run.count)
        else:
            found.append(run)
    return found


def slots(block: bytes) -> list[Entry]:
    """The entries of one block of a directory, those in use and those not."""
    found, at = [], 0
    while at < len(block):
        inode, length, size, kind = struct.unpack_from("<IHBB", block, at)
        if length < 8 or length % 4 or at + length > len(block):
            raise DamagedError(f"a directory entry of {length} bytes")
        name = block[at + 8 : at + 8 + size].decode("utf-8", "surrogateescape")
        found.append(Entry(inode, length, kind, name, at))
        at += length
    return found


def hidden(block: bytes) -> list[Entry]:
    """Deleted entries that still stand in the room of the entry before them."""
    found = []
    for entry in slots(block):
        at = entry.at + 8 + -(-len(entry.name.encode()) // 4) * 4
        while at + 12 <= entry.at + entry.length:
            inode, length, size, kind = struct.unpack_from("<IHBB", block, at)
            if not inode or not size or length < 8 + size or at + length > len(block):
                break
            found.append(Entry(inode, length, kind, block[at + 8 : at + 8 + size].decode(), at))
            at += 8 + -(-size // 4) * 4
    return found


@cache
def shelf() -> Ext4:
    """SHELF, the example."""
    return Ext4(lzma.decompress(SHELF.read_bytes()))


# What a file costs beyond its data


def map_blocks(blocks: int, block_bytes: int = 4 * KIB) -> int:
    """Blocks of pointers that a file without holes needs beyond its inode, by the block map."""
    per = block_bytes // 4
    left, found = blocks - 12, 0
    for level in (1, 2, 3):
        here = min(left, per**level)
        if here <= 0:
            return found
        found += sum(-(-here // per**k) for k in range(1, level + 1))
        left -= here
    if left > 0:
        raise ValueError(f"a block map cannot hold {blocks:,} blocks")
    return found


def per_node(block_bytes: int = 4 * KIB) -> int:
    """Records in a block of an extent tree, beside the header."""
    return (block_bytes - RECORD) // RECORD


def extent_blocks(runs: int, block_bytes: int = 4 * KIB) -> tuple[int, int]:
    """Blocks of a full extent tree of *runs* beyond the inode, and its depth."""
    found, depth = 0, 0
    while runs > 4:
        runs = -(-runs // per_node(block_bytes))
        found, depth = found + runs, depth + 1
    return found, depth


def runs_of(blocks: int, length: int) -> int:
    """Runs of a file of *blocks* whose pieces have *length* blocks; a longer piece takes several."""
    whole, rest = divmod(blocks, length)
    return whole * -(-length // LONGEST) + -(-rest // LONGEST)


def index_limit(block_bytes: int, *, root: bool) -> int:
    """Blocks that one block of a directory's index can point to, with a checksum at its end."""
    return (block_bytes - (32 if root else 8)) // 8 - 1


def leaf_entries(name: int, block_bytes: int) -> int:
    """Entries with names of *name* bytes that fit into a block of a directory, before its checksum."""
    return (block_bytes - RECORD) // (8 + -(-name // 4) * 4)


def files_until_full(volume: Ext4) -> tuple[int, int]:
    """How many empty files can still be made, and the bytes that are then free (their names not counted)."""
    return volume.sb.free_inodes, volume.sb.free_blocks * volume.sb.block_bytes


# The checker


def sums(volume: Ext4, inode: Inode) -> tuple[int, int]:
    """The checksum of an inode as it should be, and as it is."""
    raw = bytearray(inode.raw)
    is_now = int.from_bytes(raw[124:126], "little") | int.from_bytes(raw[130:132], "little") << 16
    raw[124:126] = raw[130:132] = b"\0\0"
    return crc32c(struct.pack("<II", inode.number, inode.generation) + raw, volume.sb.seed), is_now


def check(volume: Ext4) -> list[str]:
    """What is wrong with blocks, links and checksums, one line for each fault."""
    sb, found = volume.sb, []
    owner: dict[int, int] = dict.fromkeys(volume.fixed(), 0)
    names: dict[int, int] = {}
    inodes = {n: volume.inode(n) for n in volume.used_inodes()}
    for number, inode in inodes.items():
        if not inode.mode:
            continue
        if sb.read_only & CHECKSUMS and sums(volume, inode)[0] != sums(volume, inode)[1]:
            found.append(f"inode {number} has a wrong checksum")
        blocks = volume.tree(inode) + volume.data(inode)
        if inode.sectors * 512 != len(blocks) * sb.block_bytes:
            found.append(f"inode {number} counts {inode.sectors} sectors, it has {len(blocks)} blocks")
        for n in blocks:
            if n in owner:
                found.append(f"block {n} is in inode {number} and in use already")
            owner[n] = number
        if inode.kind == "directory":
            for entry in volume.entries(inode):
                names[entry.inode] = names.get(entry.inode, 0) + 1
    for number, inode in inodes.items():
        if inode.mode and number not in sb.nameless and inode.links != names.get(number, 0):
            found.append(f"inode {number} counts {inode.links} links, it has {names.get(number, 0)}")
    for g in range(sb.groups):
        found += check_group(volume, g, owner)
    return found


def check_group(volume: Ext4, g: int, owner: Mapping[int, int]) -> list[str]:
    """What is wrong with the bitmap and the descriptor of a group, if each block has its *owner*."""
    about, blocks, bitmap = volume.group(g), volume.sb.span(g), volume.bitmap(g)
    marked = {n for i, n in enumerate(blocks) if bitmap[i // 8] >> i % 8 & 1}
    owned = {n for n in blocks if n in owner}
    free = len(blocks) - len(marked)
    found = [f"block {n:,} is used and marked free" for n in sorted(owned - marked)]
    found += [f"block {n:,} is marked used and nobody's" for n in sorted(marked - owned)]
    if about.free_blocks != free:
        found.append(f"group {g} counts {about.free_blocks:,} free, its bitmap {free:,}")
    if volume.sb.read_only & CHECKSUMS:
        if not about.flags & BLOCKS_UNUSED and about.bitmap_sum != bitmap_sum(volume, bitmap):
            found.append("wrong checksum of the bitmap")
        if about.checksum != descriptor_sum(volume, g, volume.descriptor(g)):
            found.append("wrong checksum of the descriptor")
    return found


def bitmap_sum(volume: Ext4, bitmap: bytes | bytearray) -> int:
    """The checksum of a block bitmap; it stands in the descriptor, 16 bits of it in a short one."""
    total = crc32c(bitmap[: volume.sb.group_blocks // 8], volume.sb.seed)
    return total if volume.sb.descriptor_bytes >= 64 else total & 0xFFFF


def descriptor_sum(volume: Ext4, g: int, raw: bytes | bytearray) -> int:
    """The checksum of a group descriptor."""
    return crc32c(struct.pack("<I", g) + raw[:30] + bytes(2) + raw[32:], volume.sb.seed) & 0xFFFF


# A file grows

HOME = ("bitmap", "descriptor", "inode")
"""The three blocks of metadata that change when a file grows by a block."""
Write = tuple[int, bytes]
"""A block of the disk, and what is to stand there."""


def append(
    volume: Ext4, number: int, data: bytes, *, written: bool = True
) -> tuple[dict[str, Write], dict[int, bytes]]:
    """The writes of metadata, by the names in ``HOME``, and of data, if *data* is added behind a file.

    It takes the lowest free block of the inode's group and only one; the file must have one to three runs.
    With *written* false the new run is marked as not yet written.
    """
    size, inode = volume.sb.block_bytes, volume.inode(number)
    group, _, table, byte = volume.place(number)
    runs = volume.pieces(inode)
    here = inode.size % size
    tail, rest = data[: -here % size], data[-here % size :]
    if not 0 < len(rest) <= size or not 0 < len(runs) < 4:
        raise ValueError("not one new block, or no room in the inode")
    last = runs[-1].start + runs[-1].count - 1
    changed = {last: (volume.block(last)[:here] + tail).ljust(size, b"\0")} if tail else {}

    bitmap = bytearray(volume.bitmap(group))
    blocks = len(volume.sb.span(group))
    free = next((i for i in range(blocks) if not bitmap[i // 8] >> i % 8 & 1), None)
    if free is None:
        raise OSError("no free block in the group")
    bitmap[free // 8] |= 1 << free % 8
    start = volume.sb.span(group).start + free
    changed[start] = rest.ljust(size, b"\0")

    about, total = volume.group(group), bitmap_sum(volume, bitmap)
    raw = bytearray(volume.descriptor(group))
    struct.pack_into("<H", raw, 12, about.free_blocks - 1)
    struct.pack_into("<H", raw, 24, total & 0xFFFF)
    struct.pack_into("<H", raw, 56, total >> 16)
    struct.pack_into("<H", raw, 30, descriptor_sum(volume, group, raw))
    descriptors, at = volume.described_at(group)

    slot = bytearray(inode.raw)
    struct.pack_into("<I", slot, 4, inode.size + len(data))
    struct.pack_into("<I", slot, 28, inode.sectors + size // 512)
    struct.pack_into("<H", slot, 42, len(runs) + 1)
    length = 1 if written else 1 + LONGEST
    first = -(-inode.size // size)
    struct.pack_into("<IHHI", slot, 40 + RECORD * (len(runs) + 1), first, length, start >> 32, start)
    total, _ = sums(volume, Inode.read(number, bytes(slot)))
    struct.pack_into("<H", slot, 124, total & 0xFFFF)
    struct.pack_into("<H", slot, 130, total >> 16)
    home = {
        "bitmap": (about.block_bitmap, bytes(bitmap)),
        "descriptor": (descriptors, patched(volume.block(descriptors), at, raw)),
        "inode": (table, patched(volume.block(table), byte, slot)),
    }
    return home, changed


def patched(block: bytes, at: int, part: bytes | bytearray) -> bytes:
    """A block with *part* in place of what stood at byte *at*."""
    return block[:at] + part + block[at + len(part) :]


# The journal


def log_blocks(volume: Ext4) -> list[int]:
    """The blocks of the journal in order; it is a file, inode 8."""
    return volume.data(volume.inode(JOURNAL))


def sealed(block: bytes, at: int, seed: int) -> bytes:
    """A block of the journal with its checksum, which stands at *at*."""
    total = crc32c(block[:at] + bytes(4) + block[at + 4 :], seed)
    return block[:at] + struct.pack(">I", total) + block[at + 4 :]


def intact(block: bytes, at: int, seed: int) -> bool:
    """Whether the checksum at *at* is right."""
    return sealed(block, at, seed) == block


def mounted(volume: Ext4) -> Ext4:
    """The volume in use: "needs recovery" is set, and the log is expected at block 1 of the journal."""
    block, byte = divmod(1024, volume.sb.block_bytes)
    sb = bytearray(volume.block(block)[byte : byte + 1024])
    struct.pack_into("<I", sb, 96, volume.sb.incompatible | RECOVER)
    struct.pack_into("<I", sb, 1020, crc32c(sb[:1020]))
    start = log_blocks(volume)[0]
    head = bytearray(volume.block(start))
    struct.pack_into(">I", head, 28, 1)  # where the log begins
    struct.pack_into(">I", head, 40, 0x12)  # 64-bit block numbers, and checksums of the third kind
    head[80] = 4  # crc32c
    log = patched(bytes(head), 0, sealed(bytes(head[:1024]), 252, 0xFFFFFFFF))
    return volume.after([(block, patched(volume.block(block), byte, sb)), (start, log)])


def commit(volume: Ext4, change: Mapping[int, bytes]) -> list[Write]:
    """The writes that put *change* into the journal of a mounted volume as its first transaction."""
    log, size = log_blocks(volume), volume.sb.block_bytes
    head = volume.block(log[0])
    sequence, uuid = head[24:28], head[48:64]
    seed = crc32c(uuid)
    tags = b""
    for i, (n, data) in enumerate(change.items()):
        flags = (2 if i else 0) | (8 if i == len(change) - 1 else 0)  # the same UUID; the last tag
        total = crc32c(data, crc32c(sequence, seed))
        tags += struct.pack(">4I", n & 0xFFFFFFFF, flags, n >> 32, total) + (b"" if i else uuid)
    first = struct.pack(">II", JOURNAL_MAGIC, 1) + sequence + tags
    last = struct.pack(">II", JOURNAL_MAGIC, 2) + sequence
    blocks = [
        sealed(first.ljust(size, b"\0"), size - 4, seed),
        *change.values(),
        sealed(last.ljust(size, b"\0"), 16, seed),
    ]
    return list(zip(log[1:], blocks, strict=False))


def replay(volume: Ext4) -> tuple[Ext4, int]:
    """The volume as a mount finds it, and how many transactions it repeats."""
    log, found, done = log_blocks(volume), dict[int, bytes](), 0
    head = volume.block(log[0])
    sequence, at = struct.unpack_from(">II", head, 24)
    seed = crc32c(head[48:64])
    while at:
        copies = []
        while begins(volume.block(log[at]), 1, sequence):
            for n, total in described(volume.block(log[at]), seed):
                at += 1
                copies.append((n, total, volume.block(log[at])))
            at += 1
        if not begins(volume.block(log[at]), 2, sequence):
            break  # no commit block: the transaction never happened
        for n, total, data in copies:
            if total != crc32c(data, crc32c(struct.pack(">I", sequence), seed)):
                raise DamagedError(f"wrong checksum of {n} in the journal")
            found[n] = data
        at, sequence, done = at + 1, sequence + 1, done + 1
    return volume.after(found.items()), done


def begins(block: bytes, kind: int, sequence: int) -> bool:
    """Whether a block of the journal is of *kind* (1: descriptor, 2: commit) and of this transaction."""
    magic, found, number = struct.unpack_from(">III", block)
    if (magic, found, number) == (JOURNAL_MAGIC, 5, sequence):
        raise DamagedError("the journal revokes blocks, which is not read here")
    return bool((magic, found, number) == (JOURNAL_MAGIC, kind, sequence))


def described(block: bytes, seed: int) -> Iterator[tuple[int, int]]:
    """Where the blocks behind a descriptor belong, and their checksums."""
    if not intact(block, len(block) - 4, seed):
        raise DamagedError("wrong checksum of a descriptor in the journal")
    at, flags = RECORD, 0
    while not flags & 8 and at + 16 <= len(block) - 4:
        low, flags, high, total = struct.unpack_from(">4I", block, at)
        if flags & 1:
            raise DamagedError("a block in the journal is escaped, which is not read here")
        yield low | high << 32, total
        at += 16 if flags & 2 else 32


def subsets(count: int) -> list[tuple[bool, ...]]:
    """Every way in which some of *count* writes have reached the disk."""
    return list(itertools.product((False, True), repeat=count))


def some(writes: Sequence[Write], made: Sequence[bool]) -> list[Write]:
    """The writes that were made."""
    return list(itertools.compress(writes, made))


TODO, GROWN = 16, 1200
"""The file that grows, and to how many bytes."""


def more(volume: Ext4) -> bytes:
    """What is added to the file."""
    return (b"Buy milk.\n" * GROWN)[: GROWN - volume.inode(TODO).size]


@dataclass(frozen=True)
class Crashes:
    """What a mount finds after every crash, by how far the writes had come."""

    old: int
    new: int
    refused: int


def crashes(volume: Ext4, *, flushed: bool) -> Crashes:
    """Crashes while the transaction is written, and while its blocks then go to their places.

    With *flushed* the disk has all blocks of a transaction before it gets the commit block, as Linux asks.
    Without, any of the five may be missing.
    """
    start = mounted(volume)
    home, _ = append(start, TODO, more(start))
    change = dict(home.values())
    log, places = commit(start, change), list(change.items())
    before, behind = [start.block(n) for n in change], list(change.values())
    states = [some(log, made) for made in subsets(len(log)) if not flushed or not made[-1]]
    states += [log + some(places, made) for made in subsets(len(places))] if flushed else []
    count = {"old": 0, "new": 0, "refused": 0}
    for writes in states:
        try:
            found, _ = replay(start.after(writes))
        except DamagedError:
            count["refused"] += 1
            continue
        blocks = [found.block(n) for n in change]
        if blocks not in (before, behind):
            raise AssertionError("a crash left something between old and new")
        count["old" if blocks == before else "new"] += 1
    return Crashes(**count)


def content(volume: Ext4, number: int) -> str:
    """What a file reads, in words."""
    data = volume.read(volume.inode(number))
    lines = [line for line in data.replace(b"\0", b"\n").decode().split("\n") if line]
    kinds = list(dict.fromkeys(lines))
    zeros = data.count(b"\0")
    return f"{len(data):,} bytes: " + ", ".join(
        [f"`{kind}`" for kind in kinds] + ([f"{zeros:,} zeros"] if zeros else [])
    )


# The note


def steps(volume: Ext4, path: str) -> list[tuple[str, int, str]]:
    """What is read from a cold start to get to the first block of a file: what, which block, what it says."""
    found: list[tuple[str, int, str]] = []
    number, names = ROOT, path.strip("/").split("/")
    for name in [*names, ""]:
        inode = volume.inode(number)
        start = volume.pieces(inode)[0].start
        found.append((f"inode {number}", volume.place(number)[2], f"its data is in block {start:,}"))
        if name:
            number = volume.find(inode, name) or 0
            found.append(("a directory", start, f"`{name}` is inode {number}"))
        else:
            found.append(("the data", start, f"{inode.size} bytes"))
    return found


def sixty(volume: Ext4, inode: Inode) -> list[str]:
    """The 60 bytes of ``i_block`` in five lines of twelve, with what they mean."""
    parts = [inode.block[at : at + RECORD] for at in range(0, 60, RECORD)]
    if inode.in_itself:
        says = [f'"{part.rstrip(bytes(1)).decode()}"' if any(part) else "" for part in parts]
    else:
        _, entries, most, depth = struct.unpack_from("<HHHH", parts[0])
        says = [f"F30A; {entries} of {most} in use, depth {depth}"]
        for i, part in enumerate(parts[1:]):
            if i >= entries:
                says.append("")
            elif depth:
                first, low = struct.unpack_from("<II", part)
                says.append(f"from block {first}: a node in {low:,}")
            else:
                run = Run(*struct.unpack_from("<IH2xI", part))
                says.append(f"from block {run.first}: {run.count:,} from {run.start:,}")
    return [f"  {part.hex(' ')}  {said}".rstrip() for part, said in zip(parts, says, strict=True)]


MOVIE = fat.MOVIE
"""Blocks of the FAT note's file: 1 GiB in blocks of 4 KiB."""
LENGTHS = (1, 2, 3, 4, 8, 64, 1024, 32768)


def cost_rows() -> tuple[tuple[float | str | None, ...], ...]:
    """A file of 1 GiB in pieces of equal length: what the map and the extents need."""
    found = []
    for length in LENGTHS:
        runs = runs_of(MOVIE, length)
        blocks, depth = extent_blocks(runs)
        found.append((length, runs, map_blocks(MOVIE), blocks, depth))
    return tuple(found)


def tables() -> dict[str, Table]:
    """The tables the note shows."""
    volume = shelf()
    sb = volume.sb
    groups = []
    length = sb.group_inodes * sb.inode_bytes // sb.block_bytes
    for g in range(sb.groups):
        about = volume.group(g)
        groups.append(
            (
                *(g, sb.span(g).start, "yes" if sb.has_copy(g) else "no"),
                f"{about.block_bitmap}, {about.inode_bitmap}",
                f"{about.inode_table:,}–{about.inode_table + length - 1:,}",
                *(about.free_blocks, about.free_inodes),
            )
        )
    folder = volume.block(volume.pieces(volume.lookup("notes/2026"))[0].start)
    entries = sorted([*slots(folder), *hidden(folder)], key=lambda entry: entry.at)
    gone = {entry.at for entry in hidden(folder)}
    writes = list(append(volume, TODO, more(volume))[0].values())
    yes = ("—", "written")
    torn = tuple(
        (*(yes[m] for m in made), verdict(check(volume.after(some(writes, made))))) for made in subsets(3)
    )
    listed = tuple(
        (
            *(entry.at, entry.inode, entry.length),
            "(checksum)" if not entry.inode else f"`{entry.name}`" + ", deleted" * (entry.at in gone),
        )
        for entry in entries
    )
    return {
        "groups": Table(
            heads("group; first block; superblock; bitmaps; inode table; free blocks; free inodes"),
            tuple(groups),
        ),
        "entries": Table(heads("byte; inode; bytes to the next; name"), listed),
        "cost": Table(heads("blocks in a piece; pieces; map; extents; depth"), cost_rows()),
        "torn": Table(heads("bitmap; descriptor; inode; what the checker says"), torn),
        "modes": Table(
            heads("data; commit; after the crash `todo.txt` has; can happen with"), tuple(mode_rows(volume))
        ),
    }


def heads(text: str) -> tuple[Column, ...]:
    """Columns without units."""
    return tuple(map(Column, text.split("; ")))


def mode_rows(volume: Ext4) -> Iterator[tuple[str, str, str, str]]:
    """What the file reads if its data and its transaction had or had not reached the disk."""
    yes = ("—", "written")
    for written, made in itertools.product((True, False), subsets(2)):
        home, data = append(volume, TODO, more(volume), written=written)
        found = volume.after([*data.items()] * made[0] + [*home.values()] * made[1])
        if written:
            modes = [mode for mode, allowed in MODES.items() if allowed(*made)]
            yield yes[made[0]], yes[made[1]], content(found, TODO), ", ".join(modes)
        elif made == (False, True):
            yield yes[0], "unwritten run", content(found, TODO), "Linux 6.12 by default"


MODES: dict[str, Callable[[bool, bool], bool]] = {
    "writeback": lambda data, commit: True,
    "ordered": lambda data, commit: data or not commit,
    "journal": lambda data, commit: data == commit,
}
"""Whether a mode lets the data and the commit block be on the disk like this."""


def verdict(faults: Sequence[str]) -> str:
    """The checker's lines as one."""
    return "; ".join(faults) if faults else "consistent"


def values() -> dict[str, Value]:
    """The figures the note quotes."""
    volume = shelf()
    sb = volume.sb
    path = steps(volume, "notes/2026/todo.txt")
    group, index, block, byte = volume.place(5000)
    novel, holes = volume.lookup("novel.txt"), volume.lookup("holes.bin")
    flushed, loose = crashes(volume, flushed=True), crashes(volume, flushed=False)
    files, room = files_until_full(volume)
    shattered, depth = extent_blocks(MOVIE)
    _, data = append(volume, TODO, more(volume))
    limits = {root: index_limit(4 * KIB, root=root) for root in (True, False)}
    return {
        "size": Value(sb.blocks * sb.block_bytes / MIB, "MiB"),
        "inode_bytes": Value(sb.inode_bytes),
        "group_inodes": Value(sb.group_inodes),
        "ask_group": Value(group),
        "ask_index": Value(index),
        "ask_block": Value(block),
        "ask_byte": Value(byte),
        "todo_block": Value(volume.place(TODO)[2]),
        "steps": Value(len(path)),
        "step_blocks": Value(len({block for _, block, _ in path})),
        "novel_blocks": Value(-(-novel.size // sb.block_bytes)),
        "novel_start": Value(volume.pieces(novel)[0].start),
        "holes_node": Value(volume.tree(holes)[0]),
        "holes_runs": Value(len(volume.pieces(holes))),
        "holes_size": Value(holes.size),
        "holes_used": Value(holes.sectors * 512),
        "most_run": Value(LONGEST),
        "longest": Value(LONGEST * 4 * KIB / MIB, "MiB"),
        "fat_links": Value(MOVIE - 1),
        "fat_mib": Value((MOVIE - 1) * 4 / MIB, "MiB"),
        "whole_runs": Value(runs_of(MOVIE, MOVIE)),
        "whole_blocks": Value(extent_blocks(runs_of(MOVIE, MOVIE))[0]),
        "map_blocks": Value(map_blocks(MOVIE)),
        "shattered": Value(shattered),
        "shattered_depth": Value(depth),
        "shattered_mib": Value(shattered * 4 * KIB / MIB, "MiB"),
        "per_node": Value(per_node()),
        "even": Value(1024 / per_node()),
        "map_most": Value(12 + 1024 + 1024**2 + 1024**3),
        "depth_4k": Value(extent_blocks(2**32)[1]),
        "depth_1k": Value(extent_blocks(2**32, KIB)[1]),
        "root_limit": Value(limits[True]),
        "node_limit": Value(limits[False]),
        "million_linear": Value(-(-(10**6) // leaf_entries(20, 4 * KIB))),
        "two_levels": Value(limits[True] * limits[False] * leaf_entries(20, 4 * KIB) / 1e6),
        "free_files": Value(files),
        "free_room": Value(room / MIB, "MiB"),
        "free_share": Value(room / (sb.blocks * sb.block_bytes) * 100, "%"),
        "tib_tables": Value(TIB // (16 * KIB) * 256 / GIB, "GiB"),
        "tables_share": Value(256 / (16 * KIB) * 100, "%"),
        "new_block": Value(min(set(data) - {volume.pieces(volume.inode(TODO))[0].start})),
        "torn_noticed": Value(sum("checksum" in str(row[-1]) for row in tables()["torn"].rows)),
        "crash_old": Value(flushed.old),
        "crash_new": Value(flushed.new),
        "crash_all": Value(flushed.old + flushed.new + flushed.refused),
        "loose_all": Value(loose.old + loose.new + loose.refused),
        "loose_refused": Value(loose.refused),
        "quiz_place": Value(volume.place(2049)[2]),
        "quiz_map": Value(map_blocks(10 * GIB // (4 * KIB))),
        "quiz_runs": Value(runs_of(10 * GIB // (4 * KIB), 10 * GIB // (4 * KIB))),
        "quiz_inodes": Value(100 * GIB // (16 * KIB)),
        "quiz_share": Value(4 * KIB / (16 * KIB) * 100, "%"),
        "quiz_extents": Value(extent_blocks(runs_of(10 * GIB // (4 * KIB), 10 * GIB // (4 * KIB)))[0]),
    }


def draw_runs(ax: Axes, palette: Palette) -> None:
    """Metadata blocks of a file of 1 GiB against the length of its pieces."""
    lengths = [*range(1, 1025), LONGEST]
    tree = [extent_blocks(runs_of(MOVIE, length))[0] for length in lengths]
    ax.axhline(map_blocks(MOVIE), color=palette.lines[1], linestyle=(0, (5, 2)))
    ax.plot(lengths, tree, color=palette.lines[0], drawstyle="steps-post")
    ax.text(500, map_blocks(MOVIE) * 1.12, "block map", ha="left", va="bottom")
    ax.text(24, 45, "extents", ha="left", va="bottom")
    even = 1024 / per_node()
    ax.plot([even], [map_blocks(MOVIE)], color=palette.lines[2], marker="o")
    ax.text(even * 1.25, map_blocks(MOVIE) * 1.12, f"{even:.2f} blocks", ha="left", va="bottom")
    ax.set(xscale="log", yscale="log", xlim=(1, 32768), ylim=(0.8, 1500))
    ax.set_xticks([1, 4, 16, 64, 256, 1024, 4096, 32768])
    ax.set_xticklabels(["1", "4", "16", "64", "256", "1,024", "4,096", "32,768"])
    ax.set_yticks([1, 10, 100, 1000])
    ax.set_yticklabels(["1", "10", "100", "1,000"])
    ax.minorticks_off()
    ax.set(xlabel="length of a piece (blocks of 4 KiB)", ylabel="metadata blocks of the file")


FIGURES: dict[str, Draw] = {"inodes-ext4-runs": draw_runs}


def main() -> None:
    """Print what the note shows."""
    volume = shelf()
    for path in ("novel.txt", "holes.bin", "notes/latest"):
        inode = volume.lookup(path)
        print(f"{path}, inode {inode.number}")
        print("\n".join(sixty(volume, inode)))
    print("\ninode  kind       links     bytes  blocks  path")
    for path, inode in volume.walk().items():
        count = inode.sectors * 512 // volume.sb.block_bytes
        print(f"{inode.number:5d}  {inode.kind:9s}  {inode.links:5d} {inode.size:9,}  {count:6,}  {path}")
    sb = volume.sb
    print(f"\n{sb.free_inodes:,} inodes and {sb.free_blocks:,} blocks free; {verdict(check(volume))}")


if __name__ == "__main__":
    main()
