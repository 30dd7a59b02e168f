"""The lab of the FAT note, against mkfs.fat, mtools and fsck.fat, and against slower ways to the same number."""

from __future__ import annotations

import itertools
import os
import random
import re
import shlex
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labs.kit import values
from labs.systems import fat
from labs.systems.fat import FREE, MIB, Fat, RunCache

DOCS = Path(__file__).parents[3] / "docs" / "systems" / "fat"
NOTE = (DOCS / "index.md").read_text(encoding="utf-8")

Need = Callable[[str, str], str]


@dataclass(frozen=True)
class Tools:
    """mkfs.fat, fsck.fat and mtools in a folder of their own, with the clock and the volume id fixed."""

    folder: Path
    need: Need
    skip_check: bool = False
    """Let mtools go on where it would refuse a volume."""

    def run(self, tool: str, *args: str, ok: Sequence[int] = (0,)) -> str:
        package = "dosfstools" if tool.endswith(".fat") else "mtools"
        env = {
            **os.environ,
            "SOURCE_DATE_EPOCH": "1000000000",
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "MTOOLSRC": "/dev/null",
            **({"MTOOLS_SKIP_CHECK": "1"} if self.skip_check else {}),
        }
        done = subprocess.run(
            [self.need(tool, package), *args], cwd=self.folder, env=env, capture_output=True, text=True
        )
        assert done.returncode in ok, (tool, args, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def image(self, *options: str, kib: int, name: str = "made.img") -> str:
        (self.folder / name).unlink(missing_ok=True)
        self.run("mkfs.fat", "-C", "--invariant", *options, name, str(kib))
        return name

    def read(self, name: str = "made.img") -> Fat:
        return Fat((self.folder / name).read_bytes())

    def fsck(self, volume: Fat) -> str:
        (self.folder / "check.img").write_bytes(volume.image)
        return self.run("fsck.fat", "-vn", "check.img", ok=(0, 1))

    def obey(self, image: str, orders: Sequence[tuple[str, str, int]]) -> None:
        for verb, path, size in orders:
            if verb == "write":
                (self.folder / "source").write_bytes(fat.text(path.rpartition("/")[2], size))
                self.run("mcopy", "-i", image, "source", f"::{path}")
            else:
                self.run({"delete": "mdel", "mkdir": "mmd"}[verb], "-i", image, f"::{path}")


@pytest.fixture
def tools(tmp_path: Path, need: Need) -> Tools:
    return Tools(tmp_path, need)


def without_boot_code(volume: Fat) -> bytes:
    """The image without the tool's name and its boot program, which the lab does not write."""
    image = bytearray(volume.image)
    wide = volume.bpb.wide
    for start in (0, 6 * volume.bpb.sector_bytes) if wide else (0,):
        image[start : start + 11] = bytes(11)
        image[start + (90 if wide else 62) : start + 510] = bytes(510 - (90 if wide else 62))
    return bytes(image)


# Written: the same bytes as the tools


def test_box_is_what_mkfs_and_mtools_make(tools: Tools) -> None:
    tools.obey(tools.image("-n", "BOX", kib=1440), fat.ORDERS)
    assert without_boot_code(fat.box()) == without_boot_code(tools.read())


def test_a_made_image_is_the_same_every_time(tools: Tools) -> None:
    tools.obey(tools.image("-n", "BOX", kib=1440), fat.ORDERS)
    first = tools.read().image
    tools.obey(tools.image("-n", "BOX", kib=1440), fat.ORDERS)
    assert tools.read().image == first


MORE: tuple[tuple[str, str, int], ...] = (
    ("write", "empty", 0),
    ("mkdir", "A.B", 0),
    *(("write", f"A.B/file number {i}.dat", 517 * i) for i in range(24)),
    *(("delete", f"A.B/file number {i}.dat", 0) for i in range(0, 24, 3)),
    ("write", "UPPER.TXT", 12_345),
    ("write", "Mixed.Case", 20_000),
    ("write", "lower.EXT", 1),
    ("write", "passing", 700),
    ("delete", "passing", 0),
    ("write", "after", 700),
)


@pytest.mark.parametrize(
    ("bits", "kib", "cluster", "options"),
    [
        (12, 4000, 4, ("-s", "4", "-n", "V")),
        (16, 16384, 1, ("-F", "16", "-s", "1", "-a", "-n", "V")),
        (32, 34000, 1, ("-F", "32", "-n", "V")),
    ],
)
def test_other_volumes_are_what_the_tools_make(
    tools: Tools, bits: int, kib: int, cluster: int, options: tuple[str, ...]
) -> None:
    tools.obey(tools.image(*options, kib=kib), MORE)
    bpb = fat.plan(tools.read().bpb.sectors, bits, cluster)
    track, heads = struct.unpack_from("<HH", tools.read().image, 24)
    made = fat.make(bpb, bits, "V", geometry=(track, heads), stamp=fat.FORMATTED)
    assert without_boot_code(fat.obey(made, MORE)) == without_boot_code(tools.read())


# Read: what the tools put in


KINDS = [
    pytest.param(("-n", "FLOPPY"), 1440, id="floppy"),
    pytest.param(("-F", "12", "-s", "8"), 8000, id="FAT12-4K"),
    pytest.param(("-F", "16", "-s", "4"), 16384, id="FAT16-2K"),
    pytest.param(("-F", "16", "-S", "1024", "-s", "2"), 20000, id="FAT16-1K-sectors"),
    pytest.param(("-F", "16", "-f", "1"), 16384, id="FAT16-one-copy"),
    pytest.param(("-F", "32", "-s", "1"), 40000, id="FAT32"),
    pytest.param(("-F", "32", "-s", "2"), 70000, id="FAT32-1K"),
]
NAMES = ("readme.txt", "UPPER.TXT", "a name with blanks and. dots.tar.gz", "MiXed", "x" * 200, "größe – ½.md")


def tree(seed: int, cluster: int) -> dict[str, bytes]:
    """Files by path, with sizes at and around the edges of clusters."""
    rng = random.Random(seed)  # noqa: S311
    edges = (0, 1, cluster - 1, cluster, cluster + 1, 5 * cluster + 7)
    folders = ("", "sub/", "sub/deeper still/")
    found = {folder + name: rng.randbytes(rng.choice(edges)) for folder in folders for name in NAMES}
    return found | {f"sub/many {i}": rng.randbytes(rng.randrange(300)) for i in range(40)}


@pytest.mark.parametrize(("options", "kib"), KINDS)
def test_what_the_tools_wrote_is_read_back(tools: Tools, options: tuple[str, ...], kib: int) -> None:
    image = tools.image(*options, kib=kib)
    cluster = tools.read().bpb.cluster_bytes
    files, later = tree(kib, cluster), random.Random(kib).randbytes(60 * cluster)  # noqa: S311
    for path, data in files.items():
        target = tools.folder / "tree" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    tops = sorted(str(p.relative_to(tools.folder)) for p in (tools.folder / "tree").iterdir())
    tools.run("mcopy", "-s", "-i", image, *tops, "::")
    for i in range(0, 40, 2):
        del files[f"sub/many {i}"]
        tools.run("mdel", "-i", image, f"::sub/many {i}")
    (tools.folder / "later").write_bytes(later)
    tools.run("mcopy", "-i", image, "later", "::later")
    files["later"] = later

    volume = tools.read()
    walked = volume.walk()
    assert {path: volume.read(e) for path, e in walked.items() if not e.is_dir} == files
    assert {path for path, e in walked.items() if e.is_dir} == {"sub", "sub/deeper still"}
    assert fat.check(volume) == []

    said = tools.fsck(volume)
    counted = re.search(r"check.img: (\d+) files, (\d+)/(\d+) clusters", said)
    assert counted is not None, said
    used = volume.bpb.clusters - len(volume.free())
    assert counted.groups()[1:] == (str(used), str(volume.bpb.clusters))
    assert re.findall(r"(\d+) bit entries", said) == [str(volume.bits)]
    starts = re.findall(r"starts? at byte (\d+)", said)
    assert int(starts[0]) == volume.bpb.reserved * volume.bpb.sector_bytes
    assert int(starts[-1]) == volume.bpb.first_data * volume.bpb.sector_bytes

    information = tools.run("minfo", "-i", image, "::")
    length = "Big fatlen=" if volume.bpb.wide else "sectors per fat: "
    for line in (
        f"sector size: {volume.bpb.sector_bytes} bytes",
        f"cluster size: {volume.bpb.cluster_sectors} sectors",
        f"reserved (boot) sectors: {volume.bpb.reserved}",
        f"max available root directory slots: {volume.bpb.root_slots}",
        f"{length}{volume.bpb.fat_sectors}",
    ):
        assert line in information

    listed = tools.run("mdir", "-/", "-a", "-b", "-i", image, "::")
    assert {line.removeprefix("::/").rstrip("/") for line in listed.splitlines()} == set(walked)
    free = re.search(r"([\d ]+) bytes free", tools.run("mdir", "-i", image, "::"))
    assert free is not None
    assert int(free[1].replace(" ", "")) == len(volume.free()) * cluster


@pytest.mark.parametrize(("options", "kib"), [(("-F", "12"), 4000), (("-F", "32", "-s", "1"), 34000)])
def test_chains_in_pieces_are_those_of_mshowfat(tools: Tools, options: tuple[str, ...], kib: int) -> None:
    image = tools.image(*options, kib=kib)
    size = tools.read().bpb.cluster_bytes
    tools.obey(image, [("write", f"f{i}", size * (1 + i % 4)) for i in range(20)])
    tools.obey(image, [("delete", f"f{i}", 0) for i in range(1, 20, 2)])
    if "32" in options:  # back to the start of the volume: the hint would lead on
        data = bytearray((tools.folder / image).read_bytes())
        struct.pack_into("<I", data, 512 + 492, 2)
        (tools.folder / image).write_bytes(data)
    tools.obey(image, [("write", "pieces", 30 * size)])
    volume = tools.read()
    chain = volume.chain(volume.walk()["pieces"].first)
    shown = tools.run("mshowfat", "-i", image, "::pieces")
    spans = [[int(n) for n in span.split("-")] for span in re.findall(r"<([\d-]+)>", shown)]
    assert len(spans) > 5
    assert chain == [n for span in spans for n in range(span[0], span[-1] + 1)]


def test_the_tools_read_what_the_lab_wrote(tools: Tools) -> None:
    for bits, sectors, cluster in ((12, 3000, 1), (16, 30_000, 2), (32, 70_000, 1)):
        volume = fat.obey(fat.make(fat.plan(sectors, bits, cluster), bits), MORE)
        assert re.search(r"check.img: \d+ files, ", tools.fsck(volume))
        assert "eaving" not in tools.fsck(volume)
        for path, entry in volume.walk().items():
            if not entry.is_dir:
                (tools.folder / "back").unlink(missing_ok=True)
                tools.run("mcopy", "-i", "check.img", f"::{path}", "back")
                assert (tools.folder / "back").read_bytes() == volume.read(entry)


# Without tools: properties


name = st.text("abcXYZ 019.-_ß€", min_size=1, max_size=30).filter(
    lambda n: n == n.strip(" .") and n.strip(" .") != ""
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([(12, 900, 1), (12, 3000, 2), (16, 4300, 1)]), st.data())
def test_any_tree_is_read_back_and_sound(shape: tuple[int, int, int], data: st.DataObject) -> None:
    bits, sectors, cluster = shape
    volume = fat.make(fat.plan(sectors, bits, cluster), bits)
    size = volume.bpb.cluster_bytes
    wanted: dict[str, bytes] = {}
    folded: set[str] = set()
    volume.add("d", None)
    for n in data.draw(st.lists(name, max_size=25)):
        path = data.draw(st.sampled_from(["", "d/"])) + n
        if path.lower() in folded or path.lower() == "d":
            continue
        folded.add(path.lower())
        wanted[path] = data.draw(st.binary(max_size=1)) * data.draw(st.integers(0, 4 * size))
        volume.add(path, wanted[path])
        if data.draw(st.integers(0, 3)) == 0:
            victim = data.draw(st.sampled_from(sorted(wanted)))
            del wanted[victim]
            folded.discard(victim.lower())
            volume.delete(victim)
    walked = volume.walk()
    directory = walked.pop("d")
    assert {path: volume.read(entry) for path, entry in walked.items()} == wanted
    assert fat.check(volume) == []
    chains = [volume.chain(entry.first) for entry in walked.values() if entry.first]
    chains.append(volume.chain(directory.first))
    used = [n for chain in chains for n in chain]
    assert len(used) == len(set(used)) == volume.bpb.clusters - len(volume.free())
    for path, entry in walked.items():
        assert (len(volume.chain(entry.first)) if entry.first else 0) == -(-len(wanted[path]) // size)
    shorts = [entry.short for entry in volume.entries()]
    assert len(shorts) == len(set(shorts))


@given(st.lists(st.integers(0, 0xFFF), min_size=2, max_size=40))
def test_twelve_bits_are_packed_like_nibbles_in_a_row(entries: list[int]) -> None:
    if len(entries) % 2:
        entries = [*entries, 0]
    # As one long number with the first entry lowest, the table is the entries' twelve bits in a row.
    whole = sum(entry << 12 * i for i, entry in enumerate(entries))
    table = whole.to_bytes(len(entries) * 3 // 2, "little")
    assert [fat.get12(table, n) for n in range(len(entries))] == entries


@pytest.mark.parametrize("bits", [12, 16, 32])
def test_an_entry_leaves_its_neighbours_alone(bits: int) -> None:
    volume = fat.make(fat.plan({12: 3000, 16: 5000, 32: 5000}[bits], bits), bits)
    rng = random.Random(bits)  # noqa: S311
    wanted: dict[int, int] = {}
    for _ in range(300):
        n = rng.randrange(2, volume.bpb.clusters + 2)
        wanted[n] = rng.randrange(fat.MASK[bits] + 1)
        volume.put(n, wanted[n])
    assert {n: volume.get(n, copy) for n in wanted for copy in (0, 1)} == wanted


def test_the_top_four_bits_of_a_fat32_entry_are_kept_and_not_read() -> None:
    volume = fat.make(fat.plan(5000, 32), 32)
    at = volume.bpb.reserved * 512 + 9 * 4
    volume.image[at : at + 4] = (0xA000_0000 | 77).to_bytes(4, "little")
    assert volume.get(9) == 77
    volume.put(9, 78)
    assert volume.image[at : at + 4] == (0xA000_0000 | 78).to_bytes(4, "little")


@given(st.binary(min_size=11, max_size=11))
def test_the_checksum_adds_to_a_rotated_byte(short: bytes) -> None:
    bits = [0] * 8  # lowest first, rotated as a list, added as a number
    for byte in short:
        bits = bits[1:] + bits[:1]
        total = (sum(b << i for i, b in enumerate(bits)) + byte) % 256
        bits = [total >> i & 1 for i in range(8)]
    assert fat.checksum(short) == sum(b << i for i, b in enumerate(bits))


@given(st.integers(500, 200_000), st.sampled_from([12, 16, 32]), st.sampled_from([1, 2, 8]))
def test_a_fat_is_as_short_as_it_can_be(sectors: int, bits: int, cluster: int) -> None:
    bpb = fat.plan(sectors, bits, cluster)
    shorter = replace(bpb, fat_sectors=bpb.fat_sectors - 1)
    assert bpb.fat_sectors * 512 * 8 // bits >= bpb.clusters + 2
    assert shorter.fat_sectors == 0 or shorter.fat_sectors * 512 * 8 // bits < shorter.clusters + 2


def test_a_fat_that_is_exactly_full_is_long_enough() -> None:
    entries = 10 * 512 // 4
    bpb = fat.plan(32 + 2 * 10 + entries - 2, 32)
    assert (bpb.fat_sectors, bpb.clusters) == (10, entries - 2)


def test_a_first_cluster_beyond_16_bits_is_found(tools: Tools) -> None:
    image = tools.image("-F", "32", kib=34000)
    data = bytearray((tools.folder / image).read_bytes())
    struct.pack_into("<I", data, 512 + 492, 66_000)
    (tools.folder / image).write_bytes(data)
    tools.obey(image, [("write", "high", 3000)])
    volume = tools.read(image)
    assert volume.chain(volume.walk()["high"].first) == list(range(66_001, 66_007))
    assert volume.read(volume.walk()["high"]) == fat.text("high", 3000)


def test_clusters_lie_side_by_side_to_the_end_of_the_volume() -> None:
    for bpb in (fat.box().bpb, fat.plan(9000, 16, 2), fat.plan(9001, 32, 4)):
        assert bpb.sector(2) == bpb.first_data
        assert bpb.sector(100) - bpb.sector(99) == bpb.cluster_sectors
        assert 0 <= bpb.sectors - bpb.sector(bpb.clusters + 2) < bpb.cluster_sectors
        assert bpb.first_data * 512 >= bpb.root_sector * 512 + bpb.root_slots * 32


@pytest.mark.parametrize("bits", [12, 16, 32])
def test_the_boot_sector_says_what_was_planned(bits: int) -> None:
    for sectors in (4400, 70_000):
        bpb = fat.plan(sectors, bits, 32)
        volume = fat.make(bpb, bits)
        assert volume.bpb == bpb
        assert volume.bpb.text == f"FAT{bits}   "
    struct.pack_into("<H", volume.image, 22, 0)
    struct.pack_into("<I", volume.image, 36, 0)
    assert not fat.Bpb.read(volume.image).wide  # no length at all is not a FAT32


def test_only_a_fat32_has_the_upper_half_of_a_first_cluster() -> None:
    for bits, first in ((12, 2), (16, 2), (32, 3 | 7 << 16)):
        volume = fat.make(fat.plan(5000, bits), bits)
        at = volume.add("f", b"x").slots[-1]
        struct.pack_into("<H", volume.image, at + 20, 7)  # others keep something else there
        assert volume.walk()["f"].first == first


def test_a_name_may_begin_with_the_byte_that_marks_a_deleted_slot() -> None:
    assert fat.short_text(b"\x05BC     TXT") == b"\xe5".decode("cp437") + "BC.TXT"


def test_long_slots_out_of_order_or_not_all_there_are_ignored() -> None:
    short = b"ARATHE~1MAR"
    slots = fat.long_slots(fat.LONG_FILE.encode("utf-16-le"), short)
    assert fat.long_name(slots, short) == fat.LONG_FILE
    for wrong in (slots[1:], slots[:-1], [slots[0], slots[2], slots[1]], []):
        assert fat.long_name(wrong, short) is None


def test_a_long_name_with_a_wrong_checksum_is_ignored() -> None:
    volume = fat.box()
    entry = volume.walk()[fat.LONG_FILE]
    volume.image[entry.slots[0] + 13] ^= 1
    assert "ARATHE~1.MAR" in volume.walk()
    assert fat.LONG_FILE not in volume.walk()


def test_a_full_root_refuses_and_a_directory_grows() -> None:
    volume = fat.make(fat.plan(3000, 12, root_slots=16), 12)
    volume.add("sub", None)
    for i in range(100):
        volume.add(f"sub/f{i}", b"x")
    assert len(volume.entries(volume.walk()["sub"].first)) == 100
    assert len(volume.chain(volume.walk()["sub"].first)) == -(-102 * 32 // 512)
    for i in range(15):
        volume.add(f"f{i}", b"")
    with pytest.raises(OSError, match="root directory is full"):
        volume.add("one more", b"")
    with pytest.raises(OSError, match="no space left"):
        volume.add("sub/big", bytes(512 * 3000))


def test_a_name_of_255_characters_takes_21_slots() -> None:
    volume = fat.make(fat.plan(3000, 12), 12)
    assert len(volume.add("n" * 255, b"").slots) == 21


# Types


@pytest.mark.parametrize(
    ("clusters", "bits"), [(1, 12), (4084, 12), (4085, 16), (65524, 16), (65525, 32), (268_000_000, 32)]
)
def test_the_count_decides(clusters: int, bits: int) -> None:
    assert fat.bits_by_count(clusters) == bits


def of_clusters(clusters: int, bits: int) -> fat.Bpb:
    bpb = fat.plan(clusters + 2000, bits)
    return replace(bpb, sectors=bpb.first_data + clusters)


@pytest.mark.parametrize(
    ("made", "clusters", "linux", "edk2"),
    [
        (12, 4084, 12, 12),
        (16, 4085, 16, 16),
        (16, 65524, 16, 16),
        (32, 65524, 32, None),
        (32, 65525, 32, 32),
        (32, 4000, 32, None),
    ],
)
def test_readers_part_ways_on_a_small_fat32(
    made: int, clusters: int, linux: int | None, edk2: int | None
) -> None:
    bpb = of_clusters(clusters, made)
    assert bpb.clusters == clusters
    assert (fat.bits_linux(bpb), fat.bits_edk2(bpb)) == (linux, edk2)


def test_too_many_clusters_for_a_short_length_field_are_refused() -> None:
    bpb = replace(of_clusters(65525, 32), wide=False, fat_sectors=1000)
    bpb = replace(bpb, sectors=bpb.first_data + 65525)
    assert fat.bits_edk2(bpb) is None
    assert fat.bits_linux(bpb) is None
    assert fat.bits_linux(replace(bpb, fat_sectors=255)) == 16  # no more are counted than the table can hold
    assert fat.bits_edk2(replace(bpb, sectors=bpb.first_data + 65524)) == 16


def test_the_text_misled_one_reader() -> None:
    bpb = fat.box().bpb
    assert fat.bits_text(bpb) == 12
    assert fat.bits_text(replace(bpb, text="FAT16   ")) == 16
    assert fat.bits_text(replace(bpb, text="FAT     ")) is None
    assert fat.bits_text(replace(bpb, text="FAT16 by")) is None  # all eight were compared


def test_mtools_and_fsck_do_not_look_at_the_text(tools: Tools) -> None:
    volume = fat.box()
    volume.image[54:62] = b"FAT16   "
    assert "12 bit entries" in tools.fsck(volume)
    assert "A rather long name" in tools.run("mdir", "-i", "check.img", "::")
    assert Fat(volume.image).bits == 12


def test_mkfs_warns_below_the_least_fat32(tools: Tools) -> None:
    for sector, cluster in ((512, 1), (4096, 1)):
        least = fat.smallest_fat32(sector, cluster)
        for sectors, warned in ((least, False), (least - 1, True)):
            with (tools.folder / "least.img").open("wb") as file:
                file.truncate(sectors * sector)
            options = ("-F", "32", "-a", "-S", str(sector), "-s", str(cluster), "-v", "--invariant")
            said = tools.run("mkfs.fat", *options, "least.img")
            assert ("less then suggested minimum" in said) == warned
            if not warned:
                assert "provides 65525 clusters" in said


def test_mkfs_makes_a_fat32_that_the_count_calls_fat16(tools: Tools) -> None:
    said = tools.run("mkfs.fat", "-C", "--invariant", "-F", "32", "-v", "small.img", "16384")
    assert "WARNING: Number of clusters for 32 bit FAT is less then suggested minimum." in said
    volume = tools.read("small.img")
    assert volume.bpb.clusters == fat.VOLUMES[3][1].clusters == 32232
    assert volume.bits == 32
    assert fat.bits_by_count(volume.bpb.clusters) == 16
    assert "less than the required minimum of 65525" in tools.fsck(volume)
    image = tools.image("-s", "4", kib=16384, name="sixteen.img")
    assert tools.read(image).bpb.clusters == fat.VOLUMES[2][1].clusters


def test_an_mtools_that_goes_by_the_count_sees_no_file_on_a_small_fat32(tools: Tools) -> None:
    volume = fat.obey(fat.make(fat.VOLUMES[3][1], 32), fat.ORDERS)
    assert set(volume.walk()) == {"todo.txt", fat.LONG_FILE, "sub", "sub/Readme.TXT"}
    said = tools.fsck(volume)
    assert f"check.img: 4 files, 14/{volume.bpb.clusters} clusters" in said
    listed = tools.run("mdir", "-i", "check.img", "::", ok=(0, 1))
    if fat.LONG_FILE in listed:  # 4.0.48 goes by the length field; 4.0.32 does not
        return
    assert "Error reading FAT" in listed
    tools = replace(tools, skip_check=True)
    assert "No files" in tools.run("mdir", "-i", "check.img", "::")
    (tools.folder / "source").write_bytes(b"x")
    assert "No directory slots" in tools.run("mcopy", "-i", "check.img", "source", "::", ok=(1,))


# Damage


SAYS = {
    "which is free": r"Contains a free cluster \(15\)\. Assuming EOF\.",
    "needs 3 clusters, its chain has 2": r"File size is 1200 bytes, cluster chain length is 1024 bytes\.",
    "needs 2 clusters, its chain has 3": r"File size is 700 bytes, cluster chain length is > 1024 bytes\.",
    "cluster in no file": r"Reclaimed 1 unused cluster",
    "clusters in no file": r"Reclaimed 2 unused clusters",
    "share 2 clusters": r"share clusters\.",
}


@pytest.mark.parametrize("writes", ["growth", "move"])
def test_fsck_agrees_on_every_crash(tools: Tools, writes: str) -> None:
    volume = fat.box()
    todo = fat.growth(volume, "todo.txt", 1200) if writes == "growth" else fat.move(volume, "todo.txt", "sub")
    for made in itertools.product((False, True), repeat=len(todo)):
        broken = fat.after_crash(volume, todo, made)
        found, said = "; ".join(fat.check(broken)), tools.fsck(broken)
        assert ("Leaving filesystem unchanged" in said) == bool(found), said
        for ours, theirs in SAYS.items():
            # fsck.fat looks at the size once more after it has cut a chain in memory
            if not (ours.startswith("needs 3") and "which is free" in found):
                assert (ours in found) == bool(re.search(theirs, said)), (made, found, said)


def damaged(**entries: int) -> Fat:
    volume = fat.box()
    for n, value in entries.items():
        volume.put(int(n[1:]), value)
    return volume


@pytest.mark.parametrize(
    ("volume", "ours", "theirs"),
    [
        (damaged(n12=8), "loops back to cluster 8", "Circular cluster chain."),
        (damaged(n5=6), "share 2 clusters", "share clusters."),
        (damaged(n5=0xFF7), "leads to cluster 5, which is bad", None),
        (damaged(n5=3000), "leads to cluster 3000, which does not exist", "out of range (3000 > 2848)"),
        (damaged(n20=0xFFF, n30=31, n31=0xFFF), "3 clusters in no file", "Reclaimed 3 unused clusters"),
    ],
)
def test_damage_is_found(tools: Tools, volume: Fat, ours: str, theirs: str | None) -> None:
    assert any(ours in line for line in fat.check(volume))
    if theirs is not None:
        assert theirs in tools.fsck(volume)


def test_the_repair_keeps_what_the_note_says(tools: Tools) -> None:
    for made, expected in (
        ((True, False), {"todo.txt": 700, "sub/todo.txt": 0}),
        ((False, True), {"FSCK0000.REC": 1024}),
    ):
        volume = fat.box()
        tools.fsck(fat.after_crash(volume, fat.move(volume, "todo.txt", "sub"), made))
        tools.run("fsck.fat", "-a", "check.img", ok=(1,))
        repaired = tools.read("check.img")
        others = {"sub": 0, "sub/Readme.TXT": 100, fat.LONG_FILE: 4200}
        assert {path: entry.size for path, entry in repaired.walk().items()} == expected | others
        assert fat.check(repaired) == []


@pytest.mark.parametrize(
    ("made", "size"),
    [
        ((False, False, True), 1024),  # the size is cut to the chain
        ((False, True, False), 700),  # what was appended goes
        ((False, True, True), 1024),
        ((True, True, False), 700),  # the clusters behind the size go
    ],
)
def test_the_repair_of_a_growth_keeps_what_the_note_says(
    tools: Tools, made: tuple[bool, ...], size: int
) -> None:
    volume = fat.box()
    tools.fsck(fat.after_crash(volume, fat.growth(volume, "todo.txt", 1200), made))
    tools.run("fsck.fat", "-a", "check.img", ok=(1,))
    repaired = tools.read("check.img")
    entry = repaired.walk()["todo.txt"]
    assert (entry.size, len(repaired.chain(entry.first))) == (size, 2)
    assert (len(repaired.free()), fat.check(repaired)) == (len(volume.free()), [])


def test_the_repair_of_loops_and_shared_chains_loses_what_the_note_says(tools: Tools) -> None:
    whole = {path: entry.size for path, entry in fat.box().walk().items()}
    unequal, dirty = fat.box(), fat.box()
    unequal.put(15, 0xFFF)
    unequal.image[512 : 10 * 512] = fat.box().image[512 : 10 * 512]  # only the second FAT knows
    dirty.image[0x25] |= 1
    for volume, changed in (
        (damaged(n12=8), {}),
        (unequal, {}),
        (dirty, {}),
        (damaged(n5=6), {fat.LONG_FILE: 4 * 512, "FSCK0000.REC": 5 * 512}),
    ):
        tools.fsck(volume)
        tools.run("fsck.fat", "-a", "check.img", ok=(1,))
        repaired = tools.read("check.img")
        assert {path: entry.size for path, entry in repaired.walk().items()} == whole | changed
        assert fat.check(repaired) == []


def test_a_bad_cluster_is_not_a_lost_one() -> None:
    volume = fat.box()
    volume.put(100, volume.mark(fat.BAD))
    assert fat.check(volume) == []
    assert 100 not in volume.free()


@pytest.mark.parametrize("bits", [12, 16, 32])
def test_every_end_mark_ends_and_the_last_cluster_exists(bits: int) -> None:
    volume = fat.make(fat.plan(5000, bits, 2), bits)
    last, top = volume.bpb.clusters + 1, fat.MASK[bits]
    for mark in range(top - 7, top + 1):
        volume.put(last, mark)
        volume.put(9, last)
        assert volume.chain(9) == [9, last]
    volume.put(last, top - 8)
    assert volume.follow(9) == ([9], f"leads to cluster {last}, which is bad")
    volume.put(9, last + 1)
    assert volume.follow(9) == ([9], f"leads to cluster {last + 1}, which does not exist")
    assert volume.follow(1) == ([], "leads to cluster 1, which does not exist")


def test_a_planted_loop_raises() -> None:
    with pytest.raises(fat.DamagedError, match="chain of cluster 2 loops back to cluster 8"):
        volume = damaged(n12=8)
        volume.read(volume.walk()[fat.LONG_FILE])


def test_copies_that_differ_are_seen(tools: Tools) -> None:
    volume = fat.box()
    volume.image[(volume.bpb.reserved + volume.bpb.fat_sectors) * 512 + 20] ^= 1
    assert fat.check(volume) == ["the copies of the FAT differ"]
    assert "FATs differ but appear to be intact." in tools.fsck(volume)


def test_a_dirty_volume_is_said_to_be_dirty(tools: Tools) -> None:
    volume = fat.box()
    volume.image[0x25] |= 1
    assert "Dirty bit is set." in tools.fsck(volume)
    volume = fat.make(fat.plan(70_000, 32), 32)
    assert "Dirty bit" not in tools.fsck(volume)
    volume.image[0x41] |= 1
    assert "Dirty bit is set." in tools.fsck(volume)


@pytest.mark.parametrize(("bits", "place"), [(12, None), (16, 15), (32, 27)])
def test_fsck_sees_the_bit_that_edk2_clears(tools: Tools, bits: int, place: int | None) -> None:
    volume = fat.make(fat.plan({12: 3000, 16: 9000, 32: 70_000}[bits], bits), bits)
    volume.put(1, fat.MASK[bits] & ~(1 << place) if place else 0x7FF)
    assert ("Dirty bit is set." in tools.fsck(volume)) == (place is not None)


def test_the_order_end_link_size_only_leaks() -> None:
    volume = fat.box()
    before = volume.read(volume.walk()["todo.txt"])
    writes = fat.growth(volume, "todo.txt", 1200)
    for reached in range(3):
        hit = fat.after_crash(volume, writes, [i < reached for i in range(3)])
        hit.add("next", bytes(2000))
        assert hit.read(hit.walk()["todo.txt"]) == before
        assert not any("share" in line for line in fat.check(hit))


def test_a_free_cluster_in_a_chain_is_given_away() -> None:
    volume = fat.box()
    hit = fat.after_crash(volume, fat.growth(volume, "todo.txt", 1200), (False, True, False))
    hit.add("next", b"n")
    assert "next and todo.txt share 1 cluster" in fat.check(hit)


def test_a_deleted_file_keeps_its_bytes_and_loses_its_chain() -> None:
    volume = fat.box()
    entry, content = volume.walk()[fat.LONG_FILE], fat.text(fat.LONG_FILE, 4200)
    before = bytes(volume.image)
    volume.delete(fat.LONG_FILE)
    (old, gone) = sorted(volume.entries(deleted=True), key=lambda e: e.first, reverse=True)
    assert (gone.first, gone.size, gone.name[1:]) == (entry.first, entry.size, "RATHE~1.MAR")
    assert old.name[1:] == "ld.bin"
    data = volume.bpb.first_data * 512
    assert volume.image[data:] == before[data:]
    assert all(volume.get(n) == FREE for n in (2, 3, 4, 5, 8, 9, 10, 11, 12))
    assert fat.salvage(volume, gone)[:2048] == content[:2048]
    assert fat.salvage(volume, gone) != content
    assert fat.salvage(volume, gone, skip_used=True) == content


# Seeks


def walk_entry_by_entry(starts: Sequence[int], size: int, targets: Sequence[int]) -> list[int]:
    """fs/fat/cache.c with disk clusters and one step an entry: reads for each target."""
    disk: list[int] = []
    for i in range(size):
        jump = i in starts and i > 0
        disk.append(disk[-1] + (10 if jump else 1) if disk else 2)
    lru: list[list[int]] = []  # [fcluster, dcluster, nr_contig], latest first
    reads = []
    for target in targets:
        count = 0
        if target:
            here, cid, best = 0, [-1, -1, 0], 0
            hit, offset = None, 0
            for p in lru:
                if p[0] <= target and best < p[0]:
                    hit, best = p, p[0]
                    if p[0] + p[2] < target:
                        offset = p[2]
                    else:
                        offset = target - p[0]
                        break
            if hit:
                lru.remove(hit)
                lru.insert(0, hit)
                cid, here = list(hit), hit[0] + offset
                assert disk[here] == hit[1] + offset
            while here < target:
                count += 1
                here += 1
                cid[2] += 1
                if cid[1] + cid[2] != disk[here]:
                    cid = [here, disk[here], 0]
            for p in lru:
                if p[0] == cid[0]:
                    p[2] = max(p[2], cid[2])
                    break
            else:
                if len(lru) < 8:
                    lru.append(cid)
                else:
                    lru[-1] = cid
                p = cid
            lru.remove(p)
            lru.insert(0, p)
        reads.append(count)
    return reads


@settings(max_examples=200, deadline=None)
@given(st.sets(st.integers(1, 149), max_size=40), st.lists(st.integers(0, 149), max_size=60))
def test_the_cache_reads_what_the_kernel_would(cuts: set[int], targets: list[int]) -> None:
    starts = [0, *sorted(cuts)]
    cache = RunCache(starts)
    assert [cache.seek(t) for t in targets] == walk_entry_by_entry(starts, 150, targets)


def test_eight_pieces_are_free_and_nine_are_not() -> None:
    for pieces in range(1, 9):
        assert fat.mean_seek(10_000, pieces, seed=1) < 1
    assert all(reads > 50 for reads in fat.mean_seeks(10_000, 9))
    assert len(set(fat.mean_seeks(10_000, 9))) == 10


def test_a_first_seek_reads_one_entry_for_each_cluster_before() -> None:
    assert [RunCache([0]).seek(n) for n in (0, 1, 77, fat.MOVIE - 1)] == [0, 1, 77, 262_143]
    volume = fat.box()
    chain = volume.chain(2)
    for i, n in enumerate(chain):
        at = 2
        for _ in range(RunCache([0, 4]).seek(i)):
            at = volume.get(at)
        assert at == n


# The note


def test_the_commands_in_the_note_make_box(tools: Tools) -> None:
    (block,) = re.findall(r"```console\n(.*?)```", NOTE, re.S)
    for verb, path, size in fat.ORDERS:
        if verb == "write":
            name = path.rpartition("/")[2]
            (tools.folder / name).write_bytes(fat.text(name, size))
    commands = [shlex.split(line.removeprefix("$ ")) for line in block.splitlines()]
    assert commands[0] == [
        "export",
        "SOURCE_DATE_EPOCH=1000000000",
        "TZ=UTC",
    ]  # as the tools are always run here
    for tool, *args in commands[1:]:
        tools.run(tool, *args)
    assert without_boot_code(tools.read("box.img")) == without_boot_code(fat.box())


def test_the_note_shows_what_fsck_says(tools: Tools) -> None:
    broken = [
        fat.after_crash(fat.box(), fat.move(fat.box(), "todo.txt", "sub"), (True, False)),
        damaged(n12=8),
    ]
    crash = fat.growth(fat.box(), "todo.txt", 1200)
    unequal, dirty = fat.box(), fat.box()
    unequal.image[(1 + 9) * 512 + 20] ^= 1
    dirty.image[0x25] |= 1
    broken += [
        unequal,
        dirty,
        fat.after_crash(fat.box(), fat.move(fat.box(), "todo.txt", "sub"), (False, True)),
    ]
    broken += [fat.after_crash(fat.box(), crash, m) for m in itertools.product((False, True), repeat=3)]
    said = "\n".join(tools.fsck(volume) for volume in broken)
    quoted = re.findall(
        r"^\* - `([^`]+)`", NOTE.partition(":name: tab-fat-fsck")[2].partition("```")[0], re.M
    )
    assert len(quoted) >= 5
    for line in quoted:
        assert line in said, line


def test_the_diagram_shows_the_chain() -> None:
    volume = fat.box()
    diagram = NOTE.partition(":name: fig-fat-chain")[2].partition("```")[0]
    chain = volume.chain(volume.walk()[fat.LONG_FILE].first)
    for n in (2, 5, 8, 12):
        assert n in chain
        assert f"sector {volume.bpb.sector(n)}" in diagram


def test_the_text_agrees_with_the_lab() -> None:
    lab = values.load((DOCS / "lab.json").read_text(encoding="utf-8"))
    numbers = {
        name: float(v.value)
        for name, v in lab.items()
        if name.startswith(("pieces", "least_of", "most_of", "uncached")) and isinstance(v, values.Value)
    }
    assert numbers["pieces_8"] < 3 < 1000 < numbers["pieces_9"]
    assert numbers["least_of_8"] < numbers["pieces_8"] < numbers["most_of_8"] < 10
    assert numbers["least_of_9"] < numbers["pieces_9"] < numbers["most_of_9"] < 1.3 * numbers["least_of_9"]
    assert 1 - numbers["pieces_64"] / numbers["uncached"] == pytest.approx(4 / 5, abs=0.02)
    assert "saves four fifths of the walk" in " ".join(NOTE.split())
    assert fat.MOVIE * fat.CARD.cluster_bytes == 1024 * MIB


def test_the_quoted_numbers_another_way(tools: Tools) -> None:
    lab = {name: v.value for name, v in fat.values().items()}
    clusters = 2**30 // 4096
    assert lab["links"] == len(range(1, clusters))
    assert lab["uncached"] == sum(range(clusters)) / clusters
    assert (lab["links_mib"], lab["amplified"]) == pytest.approx((1, 256), abs=0.01)
    crossing = [n for n in range(2, 2850) if 12 * n // 4096 != (12 * n + 11) // 4096]
    assert lab["straddle"] == crossing[0]
    table = bytearray(160)
    table[151:153] = b"\xf0\xff"  # entry 101: the high 12 bits of the bytes 151 and 152
    assert (lab["ask_at"], fat.get12(table, 101), fat.get12(table, 100)) == (151, 0xFFF, 0)
    assert lab["ask_links"] == -(-(10**9) // 2**15) - 1  # the last of so many clusters, from the first
    assert lab["slack"] == -4200 % 512
    assert lab["most_slots"] == len(fat.long_slots(b"x\0" * 255, b"X" * 11)) + 1
    with (tools.folder / "esp.img").open("wb") as file:
        file.truncate(256 * MIB)
    said = tools.run("mkfs.fat", "-F", "32", "-S", "4096", "-v", "esp.img")
    assert f"provides {65525 - int(str(lab['short']))} clusters" in said
