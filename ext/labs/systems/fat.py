"""The lab of the FAT note: FAT12, FAT16 and FAT32 read, written, broken and checked, one byte at a time.

``Fat`` reads an image that any tool made. ``make``, ``add`` and ``delete`` write one, and for the orders that
the note gives they write what ``mkfs.fat`` and mtools write. The example is a floppy image called BOX.
"""

from __future__ import annotations

import itertools
import random
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from labs.kit import Column, Draw, Palette, Table, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KIB, MIB, GIB = 2**10, 2**20, 2**30
SLOT = 32
"""Bytes of a directory entry."""
DELETED, VOLUME, DIRECTORY, ARCHIVE, LONG = 0xE5, 0x08, 0x10, 0x20, 0x0F
LONG_PLACES = (1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30)
"""Where the 13 UTF-16 units of a long name stand in a slot."""
MASK = {12: 0xFFF, 16: 0xFFFF, 32: 0x0FFFFFFF}
"""The bits of an entry that count."""
FREE, BAD, LAST = 0, 7, 8
"""The marks: 0; and the last digit of 0xFF7 (bad) and of 0xFF8, from which on a chain ends."""


class DamagedError(Exception):
    """A chain that cannot be followed; the message says where."""


@dataclass(frozen=True)
class Bpb:
    """The BIOS parameter block: what the boot sector says about the volume."""

    sector_bytes: int
    cluster_sectors: int
    reserved: int
    fats: int
    root_slots: int
    sectors: int
    media: int
    fat_sectors: int
    wide: bool
    """The length of a FAT stands in the 32-bit field, as on FAT32."""
    root_cluster: int = 0
    info_sector: int = 0
    text: str = ""
    """The eight characters that look like a type and decide nothing."""

    @classmethod
    def read(cls, boot: bytes | bytearray) -> Bpb:
        """The block in a boot sector."""
        size, cluster, reserved, fats, slots, few, media, short = struct.unpack_from("<HBHBHHBH", boot, 11)
        many, long, _, _, root, info = struct.unpack_from("<IIHHIH", boot, 32)
        wide = short == 0 and long != 0
        text = boot[82:90] if wide else boot[54:62]
        return cls(
            *(size, cluster, reserved, fats, slots, few or many, media, long if wide else short, wide),
            root_cluster=root if wide else 0,
            info_sector=info if wide else 0,
            text=text.decode("latin-1"),
        )

    @property
    def cluster_bytes(self) -> int:
        """Bytes of a cluster."""
        return self.sector_bytes * self.cluster_sectors

    @property
    def root_sector(self) -> int:
        """The sector behind the last FAT."""
        return self.reserved + self.fats * self.fat_sectors

    @property
    def first_data(self) -> int:
        """The first sector of cluster 2."""
        return self.root_sector + -(-self.root_slots * SLOT // self.sector_bytes)

    @property
    def clusters(self) -> int:
        """How many clusters there are; the last one is numbered ``clusters + 1``."""
        return (self.sectors - self.first_data) // self.cluster_sectors

    def sector(self, n: int) -> int:
        """The first sector of cluster *n*."""
        return self.first_data + (n - 2) * self.cluster_sectors


def bits_by_count(clusters: int) -> int:
    """Microsoft's rule: the number of clusters, and nothing else, decides."""
    return 12 if clusters < 4085 else 16 if clusters < 65525 else 32


def bits_linux(bpb: Bpb) -> int | None:
    """What Linux 6.12 takes the volume for, or None where it refuses (``fat_fill_super``)."""
    bits = 32 if bpb.wide else 16 if bpb.clusters > 0xFF4 else 12
    room = bpb.fat_sectors * bpb.sector_bytes * 8 // bits - 2
    limit = {12: 0xFF4, 16: 0xFFF4, 32: 0x0FFFFFF6}[bits]
    return bits if min(bpb.clusters, room) <= limit else None


def bits_edk2(bpb: Bpb) -> int | None:
    """What the UEFI reference driver takes it for, or None for "corrupted" (``FatOpenDevice``)."""
    if bpb.wide:
        return 32 if bpb.clusters >= 0xFFF5 else None
    if bpb.clusters >= 0xFFF5:
        return None
    return 12 if bpb.clusters < 0xFF5 else 16


def bits_text(bpb: Bpb) -> int | None:
    """What U-Boot took it for until November 2023: the text decides, the length field helps."""
    known = ("FAT32   ",) if bpb.wide else ("FAT12   ", "FAT16   ")
    return int(bpb.text[3:5]) if bpb.text in known else None


def get12(table: bytes | bytearray, n: int) -> int:
    """Entry *n* of a FAT12: two entries share three bytes."""
    at = n + n // 2
    pair = table[at] | table[at + 1] << 8
    return pair >> 4 if n % 2 else pair & 0xFFF


def checksum(short: bytes) -> int:
    """The byte that ties long-name slots to the 11 bytes of their short name."""
    total = 0
    for byte in short:
        total = (total >> 1 | (total & 1) << 7) + byte & 0xFF
    return total


@dataclass(frozen=True)
class Entry:
    """One file or directory as its directory has it."""

    name: str
    short: bytes
    attributes: int
    first: int
    size: int
    slots: tuple[int, ...]
    """Where its slots are in the image, in bytes; the short entry is the last."""

    @property
    def is_dir(self) -> bool:
        """Whether it is a directory."""
        return bool(self.attributes & DIRECTORY)


class Fat:
    """A volume in memory. Reading it never changes it."""

    def __init__(self, image: bytes | bytearray, bits: int | None = None) -> None:
        self.image = bytearray(image)
        self.bpb = Bpb.read(self.image[:512])
        decided = bits or bits_linux(self.bpb)
        if decided is None:
            raise DamagedError("neither the length field nor the number of clusters fits a type")
        self.bits = decided

    def table(self, copy: int = 0) -> bytes:
        """The bytes of one copy of the FAT."""
        size = self.bpb.fat_sectors * self.bpb.sector_bytes
        start = self.bpb.reserved * self.bpb.sector_bytes + copy * size
        return bytes(self.image[start : start + size])

    def get(self, n: int, copy: int = 0) -> int:
        """Entry *n*: the number of the next cluster, or a mark."""
        start = (self.bpb.reserved + copy * self.bpb.fat_sectors) * self.bpb.sector_bytes
        if self.bits == 12:
            at = start + n + n // 2
            return get12(self.image[at - n - n // 2 : at + 2], n)
        width = self.bits // 8
        at = start + n * width
        return int.from_bytes(self.image[at : at + width], "little") & MASK[self.bits]

    # region follow
    def follow(self, first: int) -> tuple[list[int], str]:
        """The clusters from *first* to the end, and why they ended too soon."""
        found: dict[int, None] = {}
        n = first
        while True:
            if n in found:
                return list(found), f"loops back to cluster {n}"
            if not 2 <= n < self.bpb.clusters + 2:
                return list(found), f"leads to cluster {n}, which does not exist"
            after = self.get(n)
            if after == FREE:
                return list(found), f"leads to cluster {n}, which is free"
            if after == self.mark(BAD):
                return list(found), f"leads to cluster {n}, which is bad"
            found[n] = None
            if after >= self.mark(LAST):
                return list(found), ""
            n = after

    # endregion

    def mark(self, name: int) -> int:
        """``BAD`` or ``LAST`` in the width of this volume's entries."""
        return MASK[self.bits] - 15 + name

    def chain(self, first: int) -> list[int]:
        """The clusters of the file that begins at *first*, in the order of its bytes."""
        clusters, reason = self.follow(first)
        if reason:
            raise DamagedError(f"the chain of cluster {first} {reason}")
        return clusters

    def span(self, n: int) -> slice:
        """Where the bytes of cluster *n* are in the image."""
        start = self.bpb.sector(n) * self.bpb.sector_bytes
        return slice(start, start + self.bpb.cluster_bytes)

    def slots(self, first: int) -> list[int]:
        """Where the slots of a directory are in the image; 0 stands for the root."""
        first = first or self.bpb.root_cluster
        if first == 0:
            start = self.bpb.root_sector * self.bpb.sector_bytes
            return list(range(start, start + self.bpb.root_slots * SLOT, SLOT))
        spans = [self.span(n) for n in self.follow(first)[0]]
        return [at for span in spans for at in range(span.start, span.stop, SLOT)]

    def entries(self, first: int = 0, *, deleted: bool = False) -> list[Entry]:
        """The entries of a directory in the order of their slots, without label, ``.`` and ``..``.

        With *deleted* the deleted ones instead, whose names have lost their first letter.
        """
        found: list[Entry] = []
        parts: list[tuple[int, bytes]] = []
        for at in self.slots(first):
            slot = bytes(self.image[at : at + SLOT])
            if slot[0] == 0:
                break
            if slot[11] & 0x3F == LONG:
                parts = [*(parts if not slot[0] & 0x40 else []), (at, slot)]
                continue
            if (slot[0] == DELETED) == deleted and not slot[11] & VOLUME and slot[0] != ord("."):
                found.append(self._entry(at, slot, [] if deleted else parts))
            parts = []
        return found

    def _entry(self, at: int, slot: bytes, parts: Sequence[tuple[int, bytes]]) -> Entry:
        high, low, size = struct.unpack_from("<H4xHI", slot, 20)
        name = long_name([part for _, part in parts], slot[:11])
        places = () if name is None else tuple(place for place, _ in parts)
        return Entry(
            short_text(slot[:11], slot[12]) if name is None else name,
            slot[:11],
            slot[11],
            low | (high << 16 if self.bits == 32 else 0),
            size,
            (*places, at),
        )

    def walk(self, first: int = 0, above: str = "") -> dict[str, Entry]:
        """Every file and directory below a directory, by path."""
        found: dict[str, Entry] = {}
        for entry in self.entries(first):
            found[above + entry.name] = entry
            if entry.is_dir:
                found |= self.walk(entry.first, f"{above}{entry.name}/")
        return found

    def read(self, entry: Entry) -> bytes:
        """The bytes of a file."""
        if entry.size == 0:
            return b""
        return b"".join(self.image[self.span(n)] for n in self.chain(entry.first))[: entry.size]

    def free(self) -> list[int]:
        """The clusters whose entry is 0."""
        return [n for n in range(2, self.bpb.clusters + 2) if self.get(n) == FREE]

    # From here on: writing.

    def put(self, n: int, value: int) -> None:
        """Set entry *n* in every copy; the top four bits of a FAT32 entry stay as they are."""
        for copy in range(self.bpb.fats):
            start = (self.bpb.reserved + copy * self.bpb.fat_sectors) * self.bpb.sector_bytes
            if self.bits == 12:
                place = slice(start + n + n // 2, start + n + n // 2 + 2)
                pair = int.from_bytes(self.image[place], "little")
                pair = pair & 0x00F | value << 4 if n % 2 else pair & 0xF000 | value
                self.image[place] = pair.to_bytes(2, "little")
            else:
                width = self.bits // 8
                place = slice(start + n * width, start + n * width + width)
                kept = int.from_bytes(self.image[place], "little") & ~MASK[self.bits]
                self.image[place] = (kept | value).to_bytes(width, "little")

    def hint(self, freed: int, last: int = 0) -> None:
        """Note in FAT32's FSInfo sector that *freed* clusters came free, and which one was given out last."""
        if self.bpb.info_sector:
            at = self.bpb.info_sector * self.bpb.sector_bytes + 488
            count, before = struct.unpack_from("<II", self.image, at)
            struct.pack_into("<II", self.image, at, count + freed, last or before)

    def allocate(self, count: int) -> list[int]:
        """*count* free clusters, chained: the lowest ones, on FAT32 those behind the last one given out."""
        start = 2
        if self.bpb.info_sector:
            at = self.bpb.info_sector * self.bpb.sector_bytes + 492
            start = int.from_bytes(self.image[at : at + 4], "little") + 1
        end = self.bpb.clusters + 2
        order = itertools.chain(range(start, end), range(2, min(start, end)))
        taken = list(itertools.islice((n for n in order if self.get(n) == FREE), count))
        if len(taken) < count:
            raise OSError("no space left on the volume")
        for n, after in itertools.zip_longest(taken, taken[1:], fillvalue=MASK[self.bits]):
            self.put(n, after)
        if taken:
            self.hint(-count, taken[-1])
        return taken

    def add(self, path: str, data: bytes | None, stamp: int = 0) -> Entry:
        """A new file, or with None a directory, in a directory that exists; *stamp* is date << 16 | time."""
        above, _, name = path.rpartition("/")
        parent = self.walk()[above].first if above else 0
        short, case = short_name(name, {entry.short for entry in self.entries(parent)})
        long = b"" if short_text(short, case) == name else name.encode("utf-16-le")
        size = self.bpb.cluster_bytes
        clusters = self.allocate(1 if data is None else -(-len(data) // size))
        first = clusters[0] if clusters else 0
        for i, n in enumerate(clusters):
            piece = bytes(size) if data is None else data[i * size : (i + 1) * size]
            start = self.span(n).start
            self.image[start : start + len(piece)] = piece
        if data is None:
            for i, (dots, to) in enumerate(((b".", first), (b"..", parent))):
                slot = packed(dots.ljust(11), 0, DIRECTORY, to, 0, stamp)
                at = self.span(first).start + i * SLOT
                self.image[at : at + SLOT] = slot
        kind = DIRECTORY if data is None else ARCHIVE
        slot = packed(short, case, kind, first, len(data or b""), stamp)
        parts = [*long_slots(long, short), slot]
        for at, part in zip(self.room(parent, len(parts)), parts, strict=True):
            self.image[at : at + SLOT] = part
        return self.walk()[path]

    def room(self, parent: int, count: int) -> list[int]:
        """The first *count* slots in a row free or deleted; a directory may grow, a fixed root not."""
        places = self.slots(parent)
        row: list[int] = []
        for at in places:
            row = [*row, at] if self.image[at] in (0, DELETED) else []
            if len(row) == count:
                return row
        last = parent or self.bpb.root_cluster
        if last == 0:
            raise OSError("the root directory is full")
        tail = self.chain(last)[-1]
        (new,) = self.allocate(1)
        self.image[self.span(new)] = bytes(self.bpb.cluster_bytes)
        self.put(tail, new)
        return self.room(parent, count)

    def delete(self, path: str) -> None:
        """Free the chain and mark the slots; the bytes, the first cluster and the size stay."""
        entry = self.walk()[path]
        clusters = self.chain(entry.first) if entry.first else []
        for n in clusters:
            self.put(n, FREE)
        for at in entry.slots:
            self.image[at] = DELETED
        self.hint(len(clusters))


def short_text(short: bytes, case: int = 0) -> str:
    """``todo.txt`` from 11 padded bytes; bits 3 and 4 of *case* make base and extension small."""
    first = b"\xe5" if short[0] == 5 else short[:1]
    base = (first + short[1:8]).decode("cp437").rstrip()
    extension = short[8:].decode("cp437").rstrip()
    base, extension = base.lower() if case & 8 else base, extension.lower() if case & 16 else extension
    return f"{base}.{extension}" if extension else base


def short_name(name: str, taken: set[bytes]) -> tuple[bytes, int]:
    """The 11 bytes that stand for *name*, and the bits that say which half of it is in small letters."""
    base, dot, extension = name.rpartition(".") if "." in name.strip(".") else (name, "", "")
    plain = all(c.isascii() and (c.isalnum() or c in "!#$%&'()-@^_`{}~") for c in base + extension)
    if plain and 1 <= len(base) <= 8 and (1 if dot else 0) <= len(extension) <= 3:
        small = [bool(part) and part == part.lower() != part.upper() for part in (base, extension)]
        short = base.upper().ljust(8).encode() + extension.upper().ljust(3).encode()
        if short not in taken:
            mixed = any(part not in (part.lower(), part.upper()) for part in (base, extension))
            return short, 0 if mixed else 8 * small[0] + 16 * small[1]
    clean = [
        "".join(c if c.isascii() and c.isalnum() else "_" for c in part if c not in " .")
        for part in (base, extension)
    ]
    stem, tail = clean[0].upper(), clean[1].upper()[:3].ljust(3)
    for i in itertools.count(1):
        short = (stem[: 7 - len(str(i))] + f"~{i}").ljust(8).encode() + tail.encode()
        if short not in taken:
            return short, 0
    raise AssertionError


def packed(short: bytes, case: int, kind: int, first: int, size: int, stamp: int) -> bytes:
    """The 32 bytes of a short entry; created, read and changed at the same moment."""
    time, date = stamp & 0xFFFF, stamp >> 16
    head = struct.pack("<11sBBBHHH", short, kind, case, 0, time, date, date)
    return head + struct.pack("<HHHHI", first >> 16, time, date, first & 0xFFFF, size)


def long_slots(name: bytes, short: bytes) -> list[bytes]:
    """The slots of a long name (UTF-16), last part first, as they lie in the directory."""
    count = -(-len(name) // 26)
    padded = (name + b"\0\0").ljust(count * 26, b"\xff")[: count * 26]
    found = []
    for number in range(count, 0, -1):
        slot = bytearray(SLOT)
        slot[0], slot[11], slot[13] = number | 0x40 * (number == count), LONG, checksum(short)
        for i, at in enumerate(LONG_PLACES, start=13 * (number - 1)):
            slot[at : at + 2] = padded[2 * i : 2 * i + 2]
        found.append(bytes(slot))
    return found


def long_name(slots: Sequence[bytes], short: bytes) -> str | None:
    """The name in the slots before a short entry, if they are complete and belong to it."""
    numbers = [slot[0] & 0x3F for slot in slots]
    whole = numbers == list(range(len(slots), 0, -1)) and len(slots) > 0 and bool(slots[0][0] & 0x40)
    if not whole or any(slot[13] != checksum(short) for slot in slots):
        return None
    units = b"".join(slot[at : at + 2] for slot in reversed(slots) for at in LONG_PLACES)
    return units.decode("utf-16-le", "replace").partition("\0")[0].rstrip("\uffff")


# Making a volume


def plan(
    sectors: int,
    bits: int,
    cluster_sectors: int = 1,
    *,
    sector_bytes: int = 512,
    reserved: int | None = None,
    root_slots: int = 512,
    media: int = 0xF8,
) -> Bpb:
    """A volume with two FATs that are no longer than its clusters ask for."""
    reserved = reserved if reserved is not None else 32 if bits == 32 else 1
    bpb = Bpb(
        *(sector_bytes, cluster_sectors, reserved, 2, 0 if bits == 32 else root_slots, sectors, media, 0),
        wide=bits == 32,
        root_cluster=2 if bits == 32 else 0,
        info_sector=1 if bits == 32 else 0,
        text=f"FAT{bits}   ",
    )
    fits = range(1, sectors)[
        bisect_left(
            range(1, sectors),
            True,
            key=lambda n: n * sector_bytes * 8 // bits >= replace(bpb, fat_sectors=n).clusters + 2,
        )
    ]
    return replace(bpb, fat_sectors=fits)


def fat32_clusters(mib: int, sector: int, per_cluster: int) -> int:
    """The clusters of a volume of so many MiB made with ``-F 32``, of *per_cluster* sectors each."""
    return plan(mib * MIB // sector, 32, per_cluster, sector_bytes=sector).clusters


def make(
    bpb: Bpb,
    bits: int,
    label: str = "",
    serial: int = 0x1234ABCD,
    geometry: tuple[int, int] = (32, 2),
    stamp: int = 0,
) -> Fat:
    """An empty volume; *geometry* is sectors a track and heads, which nothing here uses."""
    image = bytearray(bpb.sectors * bpb.sector_bytes)
    few = bpb.sectors if bpb.sectors < 0x10000 else 0
    struct.pack_into(
        *("<3s8sHBHBHHBHHHII", image, 0, b"\xeb\x58\x90" if bpb.wide else b"\xeb\x3c\x90", b"LABS    "),
        *(bpb.sector_bytes, bpb.cluster_sectors, bpb.reserved, bpb.fats, bpb.root_slots, few, bpb.media),
        *(0 if bpb.wide else bpb.fat_sectors, *geometry, 0, 0 if few else bpb.sectors),
    )
    if bpb.wide:
        struct.pack_into("<IHHIHH", image, 36, bpb.fat_sectors, 0, 0, bpb.root_cluster, bpb.info_sector, 6)
    drive = 0x80 if bpb.media == 0xF8 else 0
    name = (label or "NO NAME").ljust(11).encode()
    struct.pack_into(
        "<BBBI11s8s", image, 64 if bpb.wide else 36, drive, 0, 0x29, serial, name, bpb.text.encode()
    )
    image[510:512] = b"\x55\xaa"
    if bpb.wide:
        size = bpb.sector_bytes
        info = struct.pack("<I480xIII14xH", 0x41615252, 0x61417272, bpb.clusters - 1, 2, 0xAA55)
        image[size : size + 512] = info
        image[6 * size : 8 * size] = image[: 2 * size]
    volume = Fat(image, bits)
    volume.put(0, MASK[bits] & ~0xFF | bpb.media)
    volume.put(1, MASK[bits])
    if bpb.wide:
        volume.put(2, MASK[32] - 7)
    if label:
        at = volume.slots(0)[0]
        volume.image[at : at + SLOT] = packed(name, 0, VOLUME, 0, 0, stamp)
    return volume


# Damage


def several(count: int) -> str:
    """``1 cluster``, ``2 clusters``."""
    return f"{count} cluster{'s' * (count != 1)}"


def check(volume: Fat) -> list[str]:
    """What is wrong, one line each; an empty list for a sound volume."""
    found: list[str] = []
    owner: dict[int, str] = {}
    size = volume.bpb.cluster_bytes

    def claim(path: str, clusters: Sequence[int]) -> None:
        shared = [n for n in clusters if n in owner]
        if shared:
            found.append(f"{path} and {owner[shared[0]]} share {several(len(shared))}")
        owner.update((n, path) for n in clusters if n not in owner)

    if volume.bpb.root_cluster:
        claim("/", volume.follow(volume.bpb.root_cluster)[0])
    for path, entry in volume.walk().items():
        clusters, reason = volume.follow(entry.first) if entry.first else ([], "")
        if reason:
            found.append(f"{path} {reason}")
        claim(path, clusters)
        need = len(clusters) if entry.is_dir else -(-entry.size // size)
        if len(clusters) != need and not reason:
            found.append(f"{path} needs {several(need)}, its chain has {len(clusters)}")
    used = [n for n in range(2, volume.bpb.clusters + 2) if volume.get(n) not in (FREE, volume.mark(BAD))]
    lost = [n for n in used if n not in owner]
    if lost:
        found.append(f"{several(len(lost))} in no file")
    if any(volume.table(copy) != volume.table() for copy in range(1, volume.bpb.fats)):
        found.append("the copies of the FAT differ")
    return found


Write = Callable[[Fat], None]


def resize(path: str, size: int) -> Write:
    """The write that changes a size in a directory."""

    def write(volume: Fat) -> None:
        struct.pack_into("<I", volume.image, volume.walk()[path].slots[-1] + 28, size)

    return write


def entry_write(n: int, value: int) -> Write:
    """The write that changes one entry (0xFFF and above: the end) in every copy."""
    return lambda volume: volume.put(n, value)


def after_crash(volume: Fat, writes: Sequence[Write], made: Sequence[bool]) -> Fat:
    """The volume when of *writes* only those marked in *made* have reached the disk."""
    hit = Fat(volume.image, volume.bits)
    for write, reached in zip(writes, made, strict=True):
        if reached:
            write(hit)
    return hit


def growth(volume: Fat, path: str, size: int) -> list[Write]:
    """The three writes that let a file grow by one cluster: its end, the link to it, the size."""
    tail, new = volume.chain(volume.walk()[path].first)[-1], volume.free()[0]
    return [entry_write(new, MASK[volume.bits]), entry_write(tail, new), resize(path, size)]


def move(volume: Fat, path: str, to: str) -> list[Write]:
    """The two writes that move a file to another directory: the new slot, the old slot."""
    entry = volume.walk()[path]
    slot = bytes(volume.image[entry.slots[-1] :][:SLOT])
    (place,) = volume.room(volume.walk()[to].first, 1)

    def enter(hit: Fat) -> None:
        hit.image[place : place + SLOT] = slot

    def leave(hit: Fat) -> None:
        hit.image[entry.slots[-1]] = DELETED

    return [enter, leave]


def salvage(volume: Fat, entry: Entry, *, skip_used: bool = False) -> bytes:
    """A guess at a deleted file: its size from its first cluster on, over free clusters only if asked."""
    need = -(-entry.size // volume.bpb.cluster_bytes)
    order = (n for n in range(entry.first, volume.bpb.clusters + 2) if not skip_used or volume.get(n) == FREE)
    guess = itertools.islice(order, need)
    return b"".join(volume.image[volume.span(n)] for n in guess)[: entry.size]


# What a seek costs


class RunCache:
    """Linux's cache of a file's runs (fs/fat/cache.c, 6.12): eight of them, the latest first.

    The file is given by where its runs begin, in clusters of the file; runs are apart on the disk.
    """

    def __init__(self, starts: Sequence[int], size: int = 8) -> None:
        self.starts = list(starts)
        self.size = size
        self.runs: list[list[int]] = []
        """Pairs: a cluster of the file, and how many behind it are known to follow it on the disk."""

    def seek(self, target: int) -> int:
        """How many entries are read to find cluster *target* of the file."""
        if target == 0:
            return 0
        hit, known = None, 0
        for run in self.runs:
            if known < run[0] <= target:
                hit, known = run, run[0]
                if target <= run[0] + run[1]:
                    break
        begin = max(1, self.starts[bisect_right(self.starts, target) - 1])
        at = 0
        if hit:
            self.runs.remove(hit)
            self.runs.insert(0, hit)
            at = min(hit[0] + hit[1], target)
        self._add(begin, target - begin)
        return target - at

    def _add(self, begin: int, known: int) -> None:
        same = next((run for run in self.runs if run[0] == begin), None)
        if same:
            self.runs.remove(same)
            known = max(known, same[1])
        elif len(self.runs) == self.size:
            self.runs.pop()
        self.runs.insert(0, [begin, known])


def mean_seek(clusters: int, pieces: int, seed: int, seeks: int = 1500, warm: int = 500) -> float:
    """Entries read for a seek to a random cluster of a file in equal *pieces*, once the cache is warm."""
    cache = RunCache([clusters * i // pieces for i in range(pieces)])
    rng = random.Random(seed)  # noqa: S311 - a repeatable sequence of places
    reads = [cache.seek(rng.randrange(clusters)) for _ in range(warm + seeks)]
    return sum(reads[warm:]) / seeks


def mean_seeks(clusters: int, pieces: int) -> list[float]:
    """The same for ten sequences of places."""
    return [mean_seek(clusters, pieces, seed) for seed in range(1, 11)]


# The note's example


STAMP = 0x2B29 << 16 | 0x0DD4
"""9 September 2001, 01:46:40: 10^9 seconds after 1970."""
FORMATTED = 0x466E << 16 | 0x4B5A
"""The moment that ``mkfs.fat --invariant`` writes."""
LONG_FILE = "A rather long name.markdown"


def text(name: str, size: int) -> bytes:
    """*size* bytes of numbered lines, so that a wrong cluster is seen."""
    lines = "".join(f"{name}, line {i}\n" for i in range(size // 8))
    return lines.encode()[:size]


ORDERS: tuple[tuple[str, str, int], ...] = (
    ("write", "draft.txt", 2000),
    ("write", "todo.txt", 700),
    ("delete", "draft.txt", 0),
    ("write", LONG_FILE, 4200),
    ("mkdir", "sub", 0),
    ("write", "sub/Readme.TXT", 100),
    ("write", "old.bin", 1300),
    ("delete", "old.bin", 0),
)
"""What was done to BOX."""


def obey(volume: Fat, orders: Sequence[tuple[str, str, int]], stamp: int = STAMP) -> Fat:
    """*volume* after *orders*."""
    for verb, path, size in orders:
        if verb == "delete":
            volume.delete(path)
        else:
            volume.add(path, None if verb == "mkdir" else text(path.rpartition("/")[2], size), stamp)
    return volume


def box() -> Fat:
    """The floppy image of the note: ``mkfs.fat -C --invariant -n BOX box.img 1440`` and the orders."""
    bpb = plan(2880, 12, root_slots=224, media=0xF0)
    return obey(make(bpb, 12, "BOX", geometry=(18, 2), stamp=FORMATTED), ORDERS)


def smallest_fat32(sector_bytes: int, cluster_sectors: int) -> int:
    """Sectors of the smallest volume that is FAT32 by every rule, with 32 reserved ones and two FATs."""
    fat = -(-(65525 + 2) * 4 // sector_bytes)
    return 32 + 2 * fat + 65525 * cluster_sectors


def runs(clusters: Sequence[int]) -> str:
    """``2–5, 8–12``."""
    parts: list[list[int]] = []
    for n in clusters:
        if parts and parts[-1][-1] + 1 == n:
            parts[-1].append(n)
        else:
            parts.append([n])
    return ", ".join(f"{p[0]}–{p[-1]}" if len(p) > 1 else f"{p[0]}" for p in parts)


CARD = plan(8 * GIB // 512, 32, 8)
"""A card of 8 GiB with clusters of 4 KiB, for the seeks."""
MOVIE = GIB // CARD.cluster_bytes
"""Clusters of a file of 1 GiB on it."""
PIECES = (*range(1, 17), 20, 24, 28, 32, 40, 48, 56, 64)

VOLUMES: tuple[tuple[str, Bpb], ...] = (
    ("BOX, 1,440 KiB", plan(2880, 12, root_slots=224, media=0xF0)),
    ("BOX, its text says `FAT16`", replace(plan(2880, 12, root_slots=224, media=0xF0), text="FAT16   ")),
    ("16 MiB, 2 KiB clusters", plan(16 * MIB // 512, 16, 4)),
    ("16 MiB as FAT32", plan(16 * MIB // 512, 32)),
    ("256 MiB as FAT32, 4 KiB sectors", plan(256 * MIB // 4096, 32, sector_bytes=4096)),
    ("260 MiB as FAT32, 4 KiB sectors", plan(260 * MIB // 4096, 32, sector_bytes=4096)),
)
"""Volumes to be judged by the four rules."""


def verdict(lines: Sequence[str]) -> str:
    """What ``check`` found, in one cell."""
    return "; ".join(lines) or "sound"


def slot_line(slot: bytes) -> str:
    """What a directory slot says."""
    first, size = struct.unpack_from("<HI", slot, 26)
    if slot[11] & 0x3F == LONG:
        part = b"".join(slot[at : at + 2] for at in LONG_PLACES).decode("utf-16-le").partition("\0")[0]
        return f"long name, part {slot[0] & 0x3F}, checksum {slot[13]:02x}: `{part.replace(' ', '␣')}`"
    if slot[11] & VOLUME:
        return f"volume label `{slot[:11].decode().rstrip()}`"
    if slot[11] & DIRECTORY:
        return f"directory `{short_text(slot[:11], slot[12])}`, cluster {first}"
    name = (
        "?" + short_text(slot[:11], slot[12])[1:] if slot[0] == DELETED else short_text(slot[:11], slot[12])
    )
    return f"{'deleted ' * (slot[0] == DELETED)}file `{name}`, cluster {first}, {size:,} bytes"


def tables() -> dict[str, Table]:
    """The tables the note shows."""
    volume = box()
    bpb, image = volume.bpb, volume.image
    regions = (
        ("boot sector", 0, bpb.reserved),
        ("FAT", bpb.reserved, bpb.fat_sectors),
        ("its copy", bpb.reserved + bpb.fat_sectors, bpb.fat_sectors),
        ("root directory", bpb.root_sector, bpb.first_data - bpb.root_sector),
        ("data", bpb.first_data, bpb.sectors - bpb.first_data),
    )
    fields = (
        (11, 2, "bytes in a sector"),
        (13, 1, "sectors in a cluster"),
        (14, 2, "reserved sectors before the first FAT"),
        (16, 1, "copies of the FAT"),
        (17, 2, "slots in the root directory"),
        (19, 2, "sectors of the volume (if 0: see offset 32)"),
        (22, 2, "sectors of a FAT (if 0: see offset 36)"),
    )
    slots = [bytes(image[at : at + SLOT]) for at in volume.slots(0)[:8]]
    grown = growth(volume, "todo.txt", 1200)
    moved = move(volume, "todo.txt", "sub")
    yes = ("—", "written")
    readers = (lambda b: bits_by_count(b.clusters), bits_linux, bits_edk2, bits_text)
    return {
        "regions": Table(
            (Column("region"), Column("first sector"), Column("sectors"), Column("first byte")),
            tuple((name, at, count, at * bpb.sector_bytes) for name, at, count in regions),
        ),
        "bpb": Table(
            (Column("offset"), Column("bytes in BOX"), Column("value"), Column("meaning")),
            tuple(
                (at, f"`{image[at : at + n].hex(' ')}`", int.from_bytes(image[at : at + n], "little"), what)
                for at, n, what in fields
            ),
        ),
        "slots": Table(
            (Column("first byte"), Column("attributes"), Column("what the slot says")),
            tuple((f"`{slot[0]:02x}`", f"`{slot[11]:02x}`", slot_line(slot)) for slot in slots),
        ),
        "types": Table(
            tuple(map(Column, ("volume", "clusters", "count alone", "Linux", "EDK II", "old U-Boot"))),
            tuple(
                (name, b.clusters, *(str(bits) if (bits := rule(b)) else "refused" for rule in readers))
                for name, b in VOLUMES
            ),
        ),
        "growth": Table(
            tuple(map(Column, ("end", "link", "size", "what the checker says"))),
            tuple(
                (*(yes[m] for m in made), verdict(check(after_crash(volume, grown, made))))
                for made in itertools.product((False, True), repeat=3)
            ),
        ),
        "moves": Table(
            tuple(map(Column, ("new slot", "old slot gone", "what the checker says"))),
            tuple(
                (*(yes[m] for m in made), verdict(check(after_crash(volume, moved, made))))
                for made in itertools.product((False, True), repeat=2)
            ),
        ),
    }


def values() -> dict[str, Value]:
    """The figures the note quotes."""
    volume = box()
    bpb, table = volume.bpb, volume.table()
    long = volume.walk()[LONG_FILE]
    content = text(LONG_FILE, long.size)
    (old,) = volume.entries(deleted=True)
    gone = obey(volume_copy(volume), [("delete", LONG_FILE, 0)])
    alone = obey(volume_copy(gone), [("delete", "todo.txt", 0)])
    crashed = after_crash(volume, growth(volume, "todo.txt", 1200), (False, True, True))
    crashed.add("next.txt", text("next.txt", 300))
    asked = plan(64 * MIB // 512, 16, 4)
    return {
        "box": Value(bpb.sectors * bpb.sector_bytes),
        "clusters": Value(bpb.clusters),
        "last": Value(bpb.clusters + 1),
        "first_data": Value(bpb.first_data),
        "size": Value(long.size),
        "count": Value(len(volume.chain(long.first))),
        "slack": Value(len(volume.chain(long.first)) * bpb.cluster_bytes - long.size),
        "jump": Value(volume.get(5)),
        "jump_sector": Value(bpb.sector(volume.get(5))),
        "packed": Value(table[3:6].hex(" ")),
        "entry_2": Value(f"0x{get12(table, 2):03X}"),
        "entry_3": Value(f"0x{get12(table, 3):03X}"),
        "straddle": Value(next(n for n in range(2, 2850) if (n + n // 2) % 512 == 511)),
        "wrong_width": Value(Fat(volume.image, 16).get(2)),
        "most_slots": Value(1 + -(-255 // 13)),
        "old_right": Value(same_bytes(salvage(volume, old), text("old.bin", old.size))),
        "old_size": Value(old.size),
        "long_right": Value(same_bytes(salvage(gone, long), content)),
        "long_skipping": Value(same_bytes(salvage(gone, long, skip_used=True), content)),
        "long_alone": Value(same_bytes(salvage(alone, long, skip_used=True), content)),
        "short": Value(65525 - VOLUMES[4][1].clusters),
        "least_512": Value(smallest_fat32(512, 1) * 512 / MIB, "MiB"),
        "least_8": Value(smallest_fat32(512, 8) * 512 / MIB, "MiB"),
        "least_4096": Value(smallest_fat32(4096, 1) * 4096 / MIB, "MiB"),
        "links": Value(MOVIE - 1),
        "links_mib": Value((MOVIE - 1) * 4 / MIB, "MiB"),
        "amplified": Value((MOVIE - 1) * 4 / CARD.cluster_bytes),
        "uncached": Value((MOVIE - 1) / 2),
        "card_fat": Value(CARD.fat_sectors * CARD.sector_bytes / MIB, "MiB"),
        **{f"pieces_{k}": Value(fmean(mean_seeks(MOVIE, k))) for k in (8, 9, 64)},
        **{f"least_of_{k}": Value(min(mean_seeks(MOVIE, k))) for k in (8, 9)},
        **{f"most_of_{k}": Value(max(mean_seeks(MOVIE, k))) for k in (8, 9)},
        "later": Value(verdict(check(crashed))),
        "most_volume": Value(2**32 * 512 / 2**40, "TiB"),
        "ask_at": Value(101 + 101 // 2),
        "ask_clusters": Value(asked.clusters),
        "ask_bits": Value(f"FAT{bits_linux(asked)}"),
        "ask_links": Value((10**9 - 1) // (32 * KIB)),
    }


def same_bytes(guess: bytes, content: bytes) -> int:
    """How many bytes are right before the first wrong one."""
    pairs = zip(guess, content, strict=True)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), len(content))


def volume_copy(volume: Fat) -> Fat:
    """The same bytes, to be changed."""
    return Fat(volume.image, volume.bits)


Dash = str | tuple[float, tuple[float, ...]]


def draw_cliff(ax: Axes, palette: Palette) -> None:
    """Entries read for a random seek, by the number of pieces."""
    reads = [fmean(mean_seeks(MOVIE, k)) / 1000 for k in PIECES]
    ax.plot(PIECES, reads, color=palette.lines[0], marker="o")
    ax.axvline(8.5, color=palette.muted, linewidth=0.8, linestyle=(0, (2, 2)))
    ax.text(10, 1.4, "up to eight pieces: all of them in the cache", va="center")
    ax.set(xlim=(0, 65), ylim=(0, 30), xticks=[1, 8, 16, 24, 32, 40, 48, 56, 64])
    ax.set(xlabel="pieces the file lies in", ylabel="entries read for a seek (thousands)")


def draw_types(ax: Axes, palette: Palette) -> None:
    """Clusters against the size of the volume, with the thresholds of the three types."""
    sizes = [2 ** (k / 8) for k in range(81)]
    looks: tuple[tuple[int, Dash, int], ...] = ((512, "-", 0), (4096, (0, (5, 2)), 1))
    for sector, dash, colour in looks:
        counts = [plan(int(size * MIB) // sector, 32, sector_bytes=sector).clusters for size in sizes]
        ax.plot(sizes, counts, color=palette.lines[colour], linestyle=dash)
        least = smallest_fat32(sector, 1) * sector / MIB
        ax.plot([least], [65525], color=palette.lines[2], marker="o")
        ax.text(least * 0.94, 65525 * 1.15, f"{least:.1f} MiB", ha="right", va="bottom")
    for limit in (4085, 65525):
        ax.axhline(limit, color=palette.lines[2], linewidth=1, linestyle=(0, (1, 1.6)))
    ax.text(7.6, 23_000, "clusters of 512 B", ha="right")
    ax.text(6, 700, "clusters of 4 KiB", ha="left")
    ax.text(1.15, 300_000, "FAT32 by count", ha="left")
    ax.text(960, 14_000, "FAT16 by count", ha="right")
    ax.text(960, 1400, "FAT12 by count", ha="right")
    ax.set(xscale="log", yscale="log", xlim=(1, 1024), ylim=(200, 3e6))
    ax.set_xticks([1, 4, 16, 64, 256, 1024])
    ax.set_xticklabels(["1", "4", "16", "64", "256", "1024"])
    ax.set_yticks([1000, 4085, 10**4, 65525, 10**6])
    ax.set_yticklabels(["1,000", "4,085", "10,000", "65,525", "10⁶"])
    ax.minorticks_off()
    ax.set(xlabel="size of the volume (MiB)", ylabel="clusters")


FIGURES: dict[str, Draw] = {"fat-cliff": draw_cliff, "fat-types": draw_types}


def main() -> None:
    """Print what the note shows."""
    volume = box()
    numbers = range(18)
    print("BOX: the FAT, entries 0 to 17")
    print("     n " + " ".join(f"{n:3d}" for n in numbers))
    print(" entry " + " ".join(f"{volume.get(n):03X}" for n in numbers))
    print("\npath                          bytes  clusters")
    for path, entry in volume.walk().items():
        print(f"{path:28s} {entry.size:6,}  {runs(volume.chain(entry.first))}")
    print(f"\n{len(volume.free()):,} of {volume.bpb.clusters:,} clusters free; {verdict(check(volume))}")
    print("\na file of 1 GiB in clusters of 4 KiB, seeks to random places, Linux's cache warm")
    print("pieces  entries read for a seek")
    for k in (1, 7, 8, 9, 10, 16, 64, 1024):
        print(f"{k:6d}  {fmean(mean_seeks(MOVIE, k)):10,.1f}")


if __name__ == "__main__":
    main()
