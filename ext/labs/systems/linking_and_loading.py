"""The lab of the note on linking and loading: ELF read, linked, bound and watched.

``Elf`` reads any 64-bit ELF file for x86-64. ``choose`` and ``link`` make a program that the kernel runs.
``scope`` and ``find`` say what ld.so will bind, and a running process, watched from a library in it, confirms
it. The example is compiled with gcc in a temporary folder. Only what does not depend on the versions of gcc,
binutils and glibc is printed.
"""

from __future__ import annotations

import functools
import os
import platform
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from labs.kit import Column, Table, Value

if TYPE_CHECKING:
    from labs.kit import Draw

WRITE, ALLOC = 1, 2
"""Flags of a section: it is written to; it needs memory when the program runs."""
SYMTAB, RELA, NOTE, NOBITS, DYNSYM = 2, 4, 7, 8, 11
"""Kinds of sections."""
LOAD, DYNAMIC, RELRO = 1, 2, 0x6474E552
"""Kinds of segments."""
NEEDED, PLTGOT, STRINGS, SYMBOLS, HASH = 1, 3, 5, 6, 0x6FFFFEF5
"""Tags of the dynamic segment."""
FILE_TYPES = {1: "REL", 2: "EXEC", 3: "DYN"}
BINDINGS = {0: "local", 1: "global", 2: "weak"}
KINDS = {0: "no type", 1: "object", 2: "function", 3: "section", 4: "file", 6: "TLS", 10: "IFUNC"}


FORMULAS: dict[str, Callable[[int, int, int], int]] = {
    "PC32": lambda s, a, p: s + a - p,
    "PLT32": lambda s, a, p: s + a - p,  # s is a stub's address where there is one
    "64": lambda s, a, p: s + a,
}
"""What the lab's linker stores, from symbol, addend and place."""
NUMBERS = {
    0: "NONE",
    1: "64",
    2: "PC32",
    4: "PLT32",
    5: "COPY",
    6: "GLOB_DAT",
    7: "JUMP_SLOT",
    8: "RELATIVE",
    9: "GOTPCREL",
    10: "32",
    11: "32S",
    16: "DTPMOD64",
    17: "DTPOFF64",
    18: "TPOFF64",
    36: "TLSDESC",
    37: "IRELATIVE",
    41: "GOTPCRELX",
    42: "REX_GOTPCRELX",
}
"""The kinds of relocations by number, as in glibc's ``elf/elf.h``, there with ``R_X86_64_`` in front."""


@dataclass(frozen=True)
class Section:
    """A part of the file as linkers see it."""

    name: str
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int


@dataclass(frozen=True)
class Segment:
    """A part of the file as the kernel and ld.so see it."""

    kind: int
    flags: int
    offset: int
    address: int
    file_size: int
    size: int

    @property
    def access(self) -> str:
        """Read, write, execute: ``r-x``."""
        return "".join(c if self.flags & bit else "-" for c, bit in (("r", 4), ("w", 2), ("x", 1)))

    def holds(self, address: int, size: int = 1) -> bool:
        """Whether it covers these addresses."""
        return self.address <= address and address + size <= self.address + self.size


@dataclass(frozen=True)
class Symbol:
    """A name: defined in a section, or wanted."""

    name: str
    value: int
    size: int
    binding: str
    kind: str
    section: int

    @property
    def defined(self) -> bool:
        """Whether the file has it; else the file wants it."""
        return self.section != 0


@dataclass(frozen=True)
class Relocation:
    """A request: at *offset*, store what the formula of *kind* gives."""

    offset: int
    kind: str
    symbol: Symbol
    addend: int


def gnu_hash(name: str) -> int:
    """The hash of the table that ld.so looks names up in."""
    h = 5381
    for byte in name.encode():
        h = (h * 33 + byte) & 0xFFFFFFFF
    return h


class Elf:
    """One 64-bit little-endian ELF file."""

    def __init__(self, data: bytes) -> None:
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("not a 64-bit little-endian ELF file")
        self.data = data
        kind, machine, _, self.entry, segments, sections = struct.unpack_from("<HHIQQQ", data, 16)
        if machine != 62:
            raise ValueError(f"made for machine {machine}, not for x86-64 (62)")
        _, size, count, section_size, section_count, names = struct.unpack_from("<6H", data, 52)
        self.type = FILE_TYPES[kind]
        self.segments = [
            Segment(*struct.unpack_from("<IIQQ8xQQ", data, segments + i * size)) for i in range(count)
        ]
        raw = [
            struct.unpack_from("<IIQQQQIIQQ", data, sections + i * section_size) for i in range(section_count)
        ]
        self.sections = [Section(string(data, raw[names][4] + name), *rest[:7]) for name, *rest in raw]

    def section(self, name: str) -> Section:
        """The section of that name."""
        for section in self.sections:
            if section.name == name:
                return section
        raise KeyError(name)

    def content(self, section: Section) -> bytes:
        """Its bytes in the file."""
        return b"" if section.kind == NOBITS else self.data[section.offset : section.offset + section.size]

    def symbols(self, kind: int = SYMTAB) -> list[Symbol]:
        """All of ``.symtab``, or with ``DYNSYM`` of ``.dynsym``; the first one is empty."""
        for table in self.sections:
            if table.kind == kind:
                names = self.sections[table.link].offset
                return [self.symbol(table.offset, names, i) for i in range(table.size // 24)]
        return []

    def symbol(self, table: int, names: int, i: int) -> Symbol:
        """Symbol *i* of the table at one place in the file, with its names at another."""
        name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", self.data, table + 24 * i)
        binding, kind = BINDINGS.get(info >> 4, str(info >> 4)), KINDS.get(info & 15, str(info & 15))
        return Symbol(string(self.data, names + name), value, size, binding, kind, section)

    def relocations(self, name: str = "") -> list[Relocation]:
        """The requests in the section of that name, or in all."""
        found = []
        for table in self.sections:
            if table.kind == RELA and name in ("", table.name):
                of = self.sections[table.link]
                names = self.sections[of.link].offset
                for at in range(table.offset, table.offset + table.size, 24):
                    offset, info, addend = struct.unpack_from("<QQq", self.data, at)
                    kind = NUMBERS.get(info & 0xFFFFFFFF, str(info & 0xFFFFFFFF))
                    symbol = self.symbol(of.offset, names, info >> 32)
                    if symbol.kind == "section":
                        symbol = replace(symbol, name=self.sections[symbol.section].name)
                    found.append(Relocation(offset, kind, symbol, addend))
        return found

    def requests_for(self, section: int) -> list[Relocation]:
        """The requests that an object makes for one of its sections, given by its number."""
        table = next((s.name for s in self.sections if s.kind == RELA and s.info == section), None)
        return self.relocations(table) if table else []

    def defines(self) -> set[str]:
        """The names that an object offers to others."""
        return {s.name for s in self.symbols() if s.defined and s.binding != "local"}

    def wants(self) -> set[str]:
        """The names that an object must get from others; a weak one may stay undefined."""
        return {s.name for s in self.symbols() if not s.defined and s.binding == "global"}

    def place(self, address: int) -> int:
        """Where in the file the byte is that will have this address."""
        for segment in self.segments:
            if segment.kind == LOAD and segment.address <= address < segment.address + segment.file_size:
                return segment.offset + address - segment.address
        raise ValueError(f"no bytes in the file for {address:#x}")

    def word(self, address: int) -> int:
        """The eight bytes at an address, as they are in the file."""
        return int.from_bytes(self.data[(at := self.place(address)) : at + 8], "little")

    def named(self, address: int) -> tuple[str, int]:
        """The section an address lies in, and how far behind its start."""
        for section in self.sections:
            if section.flags & ALLOC and section.address <= address < section.address + section.size:
                return section.name, address - section.address
        raise ValueError(f"{address:#x} is in no section")

    def dynamic(self) -> list[tuple[int, int]]:
        """Tags and values of the dynamic segment: what ld.so reads first."""
        for segment in self.segments:
            if segment.kind == DYNAMIC:
                pairs = struct.iter_unpack("<QQ", self.data[segment.offset :][: segment.file_size])
                return [(tag, value) for tag, value in pairs if tag]
        return []

    def tag(self, wanted: int) -> int:
        """The value of a tag that is there."""
        return dict(self.dynamic())[wanted]

    def texts(self, wanted: int) -> list[str]:
        """The texts of a tag, such as ``NEEDED``."""
        names = self.place(self.tag(STRINGS)) if self.dynamic() else 0
        return [string(self.data, names + value) for tag, value in self.dynamic() if tag == wanted]

    def find(self, name: str) -> Symbol | None:
        """What ld.so finds under *name* in this file: by its hash table, without section headers."""
        table, symbols, names = (self.place(self.tag(t)) for t in (HASH, SYMBOLS, STRINGS))
        buckets, first, words, shift = struct.unpack_from("<4I", self.data, table)
        h, filters = gnu_hash(name), table + 16
        (word,) = struct.unpack_from("<Q", self.data, filters + h // 64 % words * 8)
        if not word >> h % 64 & word >> (h >> shift) % 64 & 1:
            return None  # the Bloom filter: surely not here
        heads = filters + words * 8
        (i,) = struct.unpack_from("<I", self.data, heads + h % buckets * 4)
        while i >= first:
            (chained,) = struct.unpack_from("<I", self.data, heads + (buckets + i - first) * 4)
            symbol = self.symbol(symbols, names, i)
            if chained | 1 == h | 1 and symbol.name == name and symbol.defined:
                return symbol
            if chained & 1:
                return None  # the last one of its bucket
            i += 1
        return None

    def packed(self) -> list[int]:
        """The addresses in ``.relr.dyn``: each wants the load address added, as by RELATIVE."""
        found: list[int] = []
        for section in self.sections:
            if section.name == ".relr.dyn":
                at = 0
                for (entry,) in struct.iter_unpack("<Q", self.content(section)):
                    if entry & 1:  # a bit for each of the next 63 words
                        found += [at + 8 * i for i in range(63) if entry >> i + 1 & 1]
                        at += 8 * 63
                    else:
                        found.append(entry)
                        at = entry + 8
        return found

    def versions(self, name: str) -> dict[str, bool]:
        """The versions under which a library defines *name*, and which one new programs get."""
        known = {}
        section = next(s for s in self.sections if s.name == ".gnu.version_d")
        names, at = self.sections[section.link].offset, section.offset
        for _ in range(section.info):
            _, _, index, _, _, first, after = struct.unpack_from("<HHHHIII", self.data, at)
            known[index] = string(self.data, names + struct.unpack_from("<I", self.data, at + first)[0])
            at += after
        marks = struct.iter_unpack("<H", self.content(self.section(".gnu.version")))
        found = {}
        for symbol, (mark,) in zip(self.symbols(DYNSYM), marks, strict=True):
            if symbol.name == name and symbol.defined:
                found[known[mark & 0x7FFF]] = not mark & 0x8000
        return found


def string(data: bytes, at: int) -> str:
    """The text that ends at the next zero."""
    return data[at : data.index(0, at)].decode()


# Linking


def archive(data: bytes) -> dict[str, Elf]:
    """The objects in a ``.a`` file, by name."""
    if not data.startswith(b"!<arch>\n"):
        raise ValueError("not an archive")
    found, at = {}, 8
    while at + 60 <= len(data):
        name, size = data[at : at + 16].decode().rstrip(), int(data[at + 48 : at + 58])
        body = data[at + 60 : at + 60 + size]
        if body.startswith(b"\x7fELF"):
            found[name.rstrip("/")] = Elf(body)
        at += 60 + size + size % 2
    return found


def choose(
    inputs: Sequence[Elf | Mapping[str, Elf]],
) -> tuple[list[Elf], set[str]]:
    """What gets into the program from *inputs*, and what stays undefined."""
    taken: list[Elf] = []
    defined = {"_GLOBAL_OFFSET_TABLE_"}  # the linker's own
    wanted: set[str] = set()

    def take(elf: Elf) -> None:
        taken.append(elf)
        defined.update(elf.defines())
        wanted.update(elf.wants())
        wanted.difference_update(defined)

    for item in inputs:
        if isinstance(item, Elf):
            take(item)
            continue
        left = list(item.values())
        while helps := [m for m in left if wanted & m.defines()]:
            take(helps[0])
            left.remove(helps[0])
    return taken, wanted


class LinkError(Exception):
    """What cannot be linked; the message says why."""


TEXT, DATA, ROUND = 0x401000, 0x402000, 0x100
"""Where the lab's linker puts code and data; each section begins at a multiple of ``ROUND``."""


def arrange(objects: Sequence[Elf]) -> dict[tuple[int, int], int]:
    """An address for each section that needs memory, by number of the object and of the section."""
    next_one, found = {False: TEXT, True: DATA}, {}
    for i, elf in enumerate(objects):
        for j, section in enumerate(elf.sections):
            if section.flags & ALLOC and section.kind != NOTE and section.size:
                writable = bool(section.flags & WRITE)
                found[i, j] = next_one[writable]
                next_one[writable] += -(-section.size // ROUND) * ROUND
    if next_one[False] > DATA:
        raise LinkError("more code than this linker has room for")
    return found


def addresses(objects: Sequence[Elf], places: Mapping[tuple[int, int], int]) -> dict[str, int]:
    """The address of every global name."""
    return {
        s.name: places[i, s.section] + s.value
        for i, elf in enumerate(objects)
        for s in elf.symbols()
        if s.binding != "local" and s.defined and (i, s.section) in places
    }


def patch(
    elf: Elf,
    target: int,
    places: Mapping[int, int],
    names: Mapping[str, int],
) -> bytes:
    """Section *target* with its requests granted."""
    code = bytearray(elf.content(elf.sections[target]))
    for request in elf.requests_for(target):
        symbol, at, kind = request.symbol, request.offset, request.kind
        base = places[symbol.section] if symbol.defined else names[symbol.name]
        if kind in ("GOTPCRELX", "REX_GOTPCRELX"):
            relax(code, at)  # the address is known, so no slot has to hold it
            kind = "PC32"
        s, p = base + symbol.value, places[target] + at
        value = FORMULAS[kind](s, request.addend, p)
        bits = 64 if kind == "64" else 32
        if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            raise LinkError(f"{kind} against {symbol.name} does not fit")
        code[at : at + bits // 8] = value.to_bytes(bits // 8, "little", signed=True)
    return bytes(code)


def relax(code: bytearray, at: int) -> None:
    """Turn an instruction that reads an address from the GOT into one that has it."""
    if code[at - 2] == 0x8B:  # mov slot(%rip), %reg becomes lea symbol(%rip), %reg
        code[at - 2] = 0x8D
    elif code[at - 2 : at] == b"\xff\x15":  # call *slot(%rip) becomes call symbol, one prefix longer
        code[at - 2 : at] = b"\x67\xe8"
    else:
        raise LinkError(f"no way known to do without the GOT at {at:#x}")


def link(objects: Sequence[Elf]) -> bytes:
    """A program of type EXEC that the kernel runs: one segment of code, one of data, entry ``_start``."""
    _, undefined = choose(objects)
    if undefined:
        raise LinkError("undefined: " + ", ".join(sorted(undefined)))
    places = arrange(objects)
    names = addresses(objects, places)
    memory = {False: bytearray(), True: bytearray()}
    for (i, j), address in places.items():
        elf = objects[i]
        own = {k: at for (of, k), at in places.items() if of == i}
        made = patch(elf, j, own, names).ljust(elf.sections[j].size, b"\0")
        part, start = (memory[True], DATA) if address >= DATA else (memory[False], TEXT)
        part.extend(bytes(address - start - len(part)))
        part.extend(made)
    code, data = bytes(memory[False]), bytes(memory[True])
    segments = (
        struct.pack("<IIQQQQQQ", LOAD, 5, 0x1000, TEXT, TEXT, len(code), len(code), 0x1000),
        struct.pack("<IIQQQQQQ", LOAD, 6, 0x2000, DATA, DATA, len(data), len(data), 0x1000),
    )
    head = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, names["_start"], 64, 0, 0, 64, 56, len(segments), 64, 0, 0
    )
    return (head + b"".join(segments)).ljust(0x1000, b"\0") + code.ljust(0x1000, b"\0") + data


def without_sections(data: bytes) -> bytes:
    """The file cut behind what its LOAD segments need, with no section headers."""
    end = max(s.offset + s.file_size for s in Elf(data).segments if s.kind == LOAD)
    cut = bytearray(data[:end])
    cut[40:48], cut[58:64] = bytes(8), bytes(6)
    return bytes(cut)


# Binding


def scope(
    program: str,
    files: Mapping[str, Elf],
    preload: Sequence[str] = (),
) -> list[str]:
    """The order in which ld.so looks for a name."""
    order = [program, *preload]
    for name in order:  # grows while it is walked
        for needed in files[name].texts(NEEDED):
            if needed in files and needed not in order:
                order.append(needed)
    return order


def bind(name: str, order: Sequence[str], files: Mapping[str, Elf], *, copy: bool = False) -> str | None:
    """The first file in *order* that defines *name*; a COPY skips the program, which holds the copy."""
    return next((n for n in order[1 if copy else 0 :] if files[n].find(name)), None)


# The example

MAIN_C = """\
extern int step;
int count(int times);

int main(void)
{
    count(2);
    return count(1) - step;
}
"""
COUNT_C = """\
int step = 3;
static int total;

int count(int times)
{
    total += times * step;
    return total;
}
"""
START_S = """\
.globl _start
_start:
    call main
    mov %eax, %edi
    mov $60, %eax
    syscall
.section .note.GNU-stack,"",@progbits
"""
"""What crt1.o and the C library do elsewhere: call ``main``, and ``exit`` with its result."""

WATCH_C = r"""
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

struct place { uintptr_t address, offset; const char *file; };

static int holds(struct dl_phdr_info *m, size_t size, void *data)
{
    struct place *p = data;
    (void)size;
    for (int i = 0; i < m->dlpi_phnum; i++) {
        uintptr_t start = m->dlpi_addr + m->dlpi_phdr[i].p_vaddr;
        if (m->dlpi_phdr[i].p_type == PT_LOAD && p->address >= start &&
            p->address < start + m->dlpi_phdr[i].p_memsz) {
            p->file = *m->dlpi_name ? m->dlpi_name : "program";
            p->offset = p->address - m->dlpi_addr;
            return 1;
        }
    }
    return 0;
}

static const char *access_to(uintptr_t address)
{
    static char line[512], mode[8];
    unsigned long from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) == 3 && address >= from && address < to)
            break;
    if (maps)
        fclose(maps);
    return mode;
}

static void say(const char *when, const char *file, const char *name, uintptr_t *slot)
{
    struct place p = {*slot, *slot, "nowhere"};
    if (*slot == (uintptr_t)_r_debug.r_map)
        p = (struct place){0, 0, "link map"};
    else
        dl_iterate_phdr(holds, &p);
    dprintf(1, "%s\t%s\t%s\t%s\t%lx\t%s\n", when, file, name, p.file, (long)p.offset,
            access_to((uintptr_t)slot));
}

static void rows(const char *when, struct link_map *m, ElfW(Addr) table, ElfW(Addr) size, ElfW(Sym) *symbols,
                 const char *names)
{
    ElfW(Rela) *r = (void *)table;
    for (; (ElfW(Addr))r < table + size; r++) {
        unsigned long kind = ELF64_R_TYPE(r->r_info);
        if (kind == R_X86_64_JUMP_SLOT || kind == R_X86_64_GLOB_DAT)
            say(when, *m->l_name ? m->l_name : "program", names + symbols[ELF64_R_SYM(r->r_info)].st_name,
                (uintptr_t *)(m->l_addr + r->r_offset));
    }
}

static void watch(const char *when)
{
    for (struct link_map *m = _r_debug.r_map; m; m = m->l_next) {
        ElfW(Addr) tag[64] = {0};
        for (ElfW(Dyn) *d = m->l_ld; d->d_tag; d++)
            if (d->d_tag < 64)
                tag[d->d_tag] = d->d_un.d_ptr;
        if (strstr(m->l_name, "vdso") || !tag[DT_SYMTAB])
            continue;
        rows(when, m, tag[DT_RELA], tag[DT_RELASZ], (void *)tag[DT_SYMTAB], (void *)tag[DT_STRTAB]);
        rows(when, m, tag[DT_JMPREL], tag[DT_PLTRELSZ], (void *)tag[DT_SYMTAB], (void *)tag[DT_STRTAB]);
        if (m == _r_debug.r_map && tag[DT_PLTGOT])
            for (int i = 0; i < 3; i++) {
                char index[2] = {(char)('0' + i), 0};
                say(when, "program", index, (uintptr_t *)tag[DT_PLTGOT] + i);
            }
    }
}

__attribute__((constructor)) static void before(void)
{
    uintptr_t aux[3] = {getauxval(AT_PHDR), getauxval(AT_ENTRY), getauxval(AT_BASE)};
    const char *const names[] = {"AT_PHDR", "AT_ENTRY", "AT_BASE"};
    for (int i = 0; i < 3; i++)
        say("start", "kernel", names[i], &aux[i]);
    watch("start");
}

__attribute__((destructor)) static void after(void)
{
    watch("exit");
}
"""
"""A library that goes into the process by LD_PRELOAD and prints every slot, before ``main`` and at exit."""

PLAIN = ("-O1", "-fcf-protection=none", "-fno-stack-protector", "-fno-asynchronous-unwind-tables")
LAID = "-Wl,--hash-style=gnu,-z,relro,-z,separate-code,-z,nopack-relative-relocs,--no-as-needed"


class NoCompilerError(Exception):
    """The example cannot be compiled on this machine; the message says what it needs."""


def command(*words: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program that was run in *folder*, in English, without variables that change what ld.so does."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("LD_", "GLIBC_", "LANG", "LC_"))}
    return subprocess.run(  # noqa: S603 - the compiler, and what it made of the sources above
        [str(word) for word in words],
        cwd=folder,
        env={**clean, "LC_ALL": "C", **environment},
        capture_output=True,
        text=True,
    )


def gcc(folder: Path, *words: str | Path) -> None:
    """Run gcc in *folder*; what it says is raised."""
    done = command(shutil.which("gcc") or "gcc", *words, folder=folder)
    if done.returncode:
        raise LinkError(done.stderr)


@dataclass(frozen=True)
class Built:
    """The example, compiled and linked in several ways, in a folder of its own."""

    folder: Path
    holder: tempfile.TemporaryDirectory[str]  # removes the folder when Python ends

    def elf(self, name: str) -> Elf:
        """One of its files."""
        return Elf((self.folder / name).read_bytes())

    def run(self, name: str, **environment: str) -> int:
        """What the program returns to the shell."""
        return command(self.folder / name, folder=self.folder, **environment).returncode

    def watch(self, name: str, **environment: str) -> dict[tuple[str, str, str], Seen]:
        """What stood in the slots, by moment, file and name, while the program ran."""
        environment["LD_PRELOAD"] = str(self.folder / "libwatch.so")
        done = command(self.folder / name, folder=self.folder, **environment)
        found = {}
        for line in done.stdout.splitlines():
            when, file, symbol, where, offset, access = line.split("\t")
            found[when, short(file), symbol] = Seen(short(where), int(offset, 16), access)
        return found


@dataclass(frozen=True)
class Seen:
    """A slot at one moment: the file that its content points into, how far in, and its page's access."""

    file: str
    offset: int
    access: str


def short(path: str) -> str:
    """A file's name without its folder; ld.so has another one on each architecture."""
    name = path.rpartition("/")[2]
    return "ld.so" if name.startswith("ld-linux") else name


WAYS: dict[str, tuple[str, ...]] = {
    "lazy": ("-pie", "-Wl,-z,lazy", "main.o"),
    "now": ("-pie", "-Wl,-z,now", "main.o"),
    "noplt": ("-pie", "-Wl,-z,lazy", "main-noplt.o"),
    "fixed": ("-no-pie", "-Wl,-z,lazy", "main.o"),
}


@functools.cache
def build() -> Built:
    """The example's files, made once."""
    if platform.machine() != "x86_64" or platform.system() != "Linux" or not shutil.which("gcc"):
        raise NoCompilerError("needs gcc on Linux for x86-64: apt install gcc libc6-dev")
    holder = tempfile.TemporaryDirectory(prefix="linking-")
    folder = Path(holder.name)
    for name, text in {"main.c": MAIN_C, "count.c": COUNT_C, "start.s": START_S, "watch.c": WATCH_C}.items():
        (folder / name).write_text(text, encoding="utf-8")
    gcc(folder, *PLAIN, "-fPIE", "-c", "main.c")
    gcc(folder, *PLAIN, "-fPIE", "-fno-plt", "-c", "main.c", "-o", "main-noplt.o")
    gcc(folder, *PLAIN, "-fPIC", "-c", "count.c")
    gcc(folder, "-c", "start.s")
    command("ar", "rcs", "libcount.a", "count.o", folder=folder)
    gcc(folder, "-shared", LAID, "-Wl,-z,lazy,-soname,libcount.so", "count.o", "-o", "libcount.so")
    gcc(folder, "-O1", "-shared", "-fPIC", "watch.c", "-o", "libwatch.so")
    for way, words in WAYS.items():
        gcc(folder, LAID, *words, "-L.", "-lcount", "-Wl,-rpath,$ORIGIN", "-o", way)
    gcc(folder, LAID, "-no-pie", "main.o", "libcount.a", "-o", "archived")
    return Built(folder, holder)


def place_of(elf: Elf, address: int) -> str:
    """An address in words that do not change with the toolchain: section and distance."""
    section, distance = elf.named(address)
    return f"`{section} + {distance:#x}`" if distance else f"`{section}`"


def call_of(program: Elf, compiled: Elf, name: str) -> tuple[int, bool]:
    """Where the first call of *name* in ``main`` leads, and if that is a slot."""
    offset = next(r.offset for r in compiled.relocations(".rela.text") if r.symbol.name == name)
    field = next(s.value for s in program.symbols() if s.name == "main") + offset
    at = program.place(field)
    distance = int.from_bytes(program.data[at : at + 4], "little", signed=True)
    return field + 4 + distance, program.data[at - 2 : at] == b"\xff\x15"


def slot_of(elf: Elf, name: str) -> Relocation | None:
    """The request that fills the slot of *name*, if there is one."""
    kinds = ("JUMP_SLOT", "GLOB_DAT")
    return next((r for r in elf.relocations() if r.kind in kinds and r.symbol.name == name), None)


def said(seen: Seen, files: Mapping[str, Elf]) -> str:
    """What a slot's content is, in words."""
    elf = files.get(seen.file)
    if elf is None:
        return seen.file
    named = [s.name for s in elf.symbols(DYNSYM) if s.defined and s.value == seen.offset]
    return f"`{named[0]}` in `{seen.file}`" if named else place_of(elf, seen.offset)


def linked() -> bytes:
    """The example as the lab's own linker makes it, with ``start.o`` in place of the C library."""
    made = build()
    library = archive((made.folder / "libcount.a").read_bytes())
    return link(choose([made.elf("start.o"), made.elf("main.o"), library])[0])


def returned(program: bytes) -> int:
    """Write a program to the example's folder, run it, and tell what it returns."""
    made = build()
    path = made.folder / "made"
    path.write_bytes(program)
    path.chmod(0o755)
    return made.run("made")


# Five ways to link one call


def way_row(label: str, way: str, **environment: str) -> tuple[str, ...]:
    """One line of the table: where the call leads, and what is in the slot while the program runs."""
    made = build()
    program = made.elf(way)
    files = {"program": program, "libcount.so": made.elf("libcount.so")}
    compiled = made.elf("main-noplt.o" if way == "noplt" else "main.o")
    target, through = call_of(program, compiled, "count")
    slot = slot_of(program, "count")
    if slot is None:
        named = next(s.name for s in program.symbols() if s.value == target and s.kind == "function")
        return label, f"`{named}`", "none", "", ""
    seen = made.watch(way, **environment)
    start, end = (seen[when, "program", "count"] for when in ("start", "exit"))
    contents = dict.fromkeys(said(s, files).partition(" in ")[0] for s in (start, end))
    return (
        label,
        "what is in the slot" if through else place_of(program, target),
        f"{slot.kind} in `{program.named(slot.offset)[0]}`",
        ", then ".join(contents),
        "yes" if "w" in start.access else "no",
    )


def ways() -> Table:
    """One program, linked five ways and run."""
    columns = ("linked or run with", "the call leads to", "slot", "slot holds", "writable in `main`")
    rows = (
        way_row("`libcount.a`", "archived"),
        way_row("`-z lazy`", "lazy"),
        way_row("the same, run with `LD_BIND_NOW=1`", "lazy", LD_BIND_NOW="1"),
        way_row("`-z now`", "now"),
        way_row("`-z lazy`, compiled with `-fno-plt`", "noplt"),
    )
    return Table(tuple(map(Column, columns)), rows)


def got() -> Table:
    """The reserved entries and the slot of the lazily bound program: in the file, at start, at exit."""
    made = build()
    program, seen = made.elf("lazy"), made.watch("lazy")
    files = {"program": program, "libcount.so": made.elf("libcount.so")}
    start = program.tag(PLTGOT)
    rows: list[tuple[str, ...]] = []
    for i, name in enumerate(("0", "1", "2", "count")):
        content = program.word(start + 8 * i)
        moments = [seen[when, "program", name] for when in ("start", "exit")]
        unmoved = i == 0 and all(s.offset == content for s in moments)
        words = ["unchanged" if unmoved else said(s, files) for s in moments]
        in_file = place_of(program, content) if content else "0"
        rows.append((str(i), in_file, *words, moments[0].access[:2].replace("-", "")))
    heads = ("entry", "in the file", "before `main`", "at exit", "access")
    return Table(tuple(map(Column, heads)), tuple(rows))


# What the files say

STORY = {"main.o": ("main", "count", "step"), "count.o": ("count", "step", "total")}
SHOWN = {
    "PC32": "$S + A - P$",
    "PLT32": "$L + A - P$",
    "REX_GOTPCRELX": r"$G + \mathrm{GOT} + A - P$",
    "GLOB_DAT": "$S$",
    "JUMP_SLOT": "$S$",
    "COPY": "copies bytes",
}


def names() -> Table:
    """The symbol tables of the two objects, without what gcc adds."""
    rows = []
    for file, wanted in STORY.items():
        elf = build().elf(file)
        for name in wanted:
            symbol = next(s for s in elf.symbols() if s.name == name)
            where = f"`{elf.sections[symbol.section].name}`" if symbol.defined else "undefined"
            rows.append((f"`{file}`", f"`{name}`", symbol.binding, symbol.kind, where))
    return Table(tuple(map(Column, ("file", "name", "binding", "kind", "where"))), tuple(rows))


def requests() -> Table:
    """The relocations of the example, first those for ld, then those for ld.so."""
    rows: list[tuple[str, ...]] = []
    for file, who in (("main.o", "ld"), ("count.o", "ld"), ("lazy", "ld.so"), ("libcount.so", "ld.so")):
        elf = build().elf(file)
        found = {}
        for request in elf.relocations():
            symbol = request.symbol
            local = symbol.defined and symbol.binding == "local"
            name = elf.sections[symbol.section].name if local else symbol.name
            if name in ("count", "step", ".bss"):
                found[name, request.kind] = f"`{name}`" + (f" {request.addend:+d}" if request.addend else "")
        label = {"lazy": "the program"}.get(file, f"`{file}`")
        rows += (
            (label, against.replace("-", "−"), kind, SHOWN[kind], who)
            for (_, kind), against in sorted(found.items())
        )
    heads = ("in", "against", "kind", "formula", "for")
    return Table(tuple(map(Column, heads)), tuple(rows))


PARTS = (
    *(".interp", ".gnu.hash", ".dynsym", ".dynstr", ".rela.dyn", ".rela.plt", ".plt", ".text", ".eh_frame"),
    *(".dynamic", ".got", ".got.plt", ".data", ".bss", ".symtab", ".strtab"),
)


def segments() -> Table:
    """Which sections lie in which segments; those with the same access are taken together."""
    program = build().elf("lazy")
    held: dict[str, list[str]] = {}
    for name in PARTS:
        section = program.section(name)
        if not section.flags & ALLOC:
            held.setdefault("none", []).append(f"`{name}`")
        for segment in program.segments:
            if section.flags & ALLOC and segment.holds(section.address, section.size):
                key = {LOAD: f"LOAD, {segment.access.replace('-', '')}", RELRO: "GNU_RELRO"}.get(segment.kind)
                if key:
                    held.setdefault(key, []).append(f"`{name}`")
    order = ("LOAD, r", "LOAD, rx", "LOAD, rw", "GNU_RELRO", "none")
    return Table((Column("segment"), Column("sections in it")), tuple((k, " ".join(held[k])) for k in order))


# Who wins

OWN_PATH = "-Wl,-rpath,$ORIGIN"
WHO_D = "char who(void) { return 'd'; } char ask(void) { return who(); }"
ASK_A = "char ask(void); char ask_a(void) { return ask(); }"
LIBRARIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "libd.so": (WHO_D, ()),
    "symbolic/libd.so": (WHO_D, ("-Wl,-Bsymbolic",)),
    "liba.so": (ASK_A, ("-ld", OWN_PATH)),
    "bare/liba.so": (ASK_A, ("-ld",)),
    "libb.so": ("char who(void) { return 'b'; }", ()),
    "libp.so": ("char who(void) { return 'p'; }", ()),
}
"""Source of each library, and what it is linked with. ``libd.so`` calls a function that it defines itself."""
ASK_C = "char ask_a(void); int main(void) { return ask_a(); }"


@functools.cache
def family() -> Built:
    """A program that needs liba and libb, where liba needs libd."""
    made = build()
    for name, (text, words) in LIBRARIES.items():
        target = made.folder / name
        target.parent.mkdir(exist_ok=True)
        source = made.folder / f"{target.stem}.c"
        source.write_text(text, encoding="utf-8")
        soname = f"-Wl,-soname,{target.name}"
        gcc(made.folder, *PLAIN, "-fPIC", "-shared", LAID, soname, source.name, "-L.", *words, "-o", name)
    (made.folder / "ask.c").write_text(ASK_C, encoding="utf-8")
    gcc(made.folder, *PLAIN, "-pie", LAID, "ask.c", "-L.", "-la", "-lb", OWN_PATH, "-o", "ask")
    return made


def scopes() -> Table:
    """The order that the lab computes, whom it says ``who`` binds to, and what the program returned."""
    made = family()
    files = {name: made.elf(name) for name in ("ask", *LIBRARIES) if "/" not in name}
    rows: list[tuple[str | None, ...]] = []
    for label, preload, folder in (
        ("as it is", (), ""),
        ("`LD_PRELOAD=./libp.so`", ("libp.so",), ""),
        ("`libd` linked with `-Bsymbolic`", (), "symbolic"),
        ("`liba` without a RUNPATH", (), "bare"),
    ):
        order = scope("ask", files, preload)
        bound = bind("who", ["libd.so"] if folder == "symbolic" else order, files)
        asked = {"LD_PRELOAD": "./libp.so"} if preload else {}
        if folder:
            asked["LD_LIBRARY_PATH"] = folder  # goes before a RUNPATH
        code = made.run("ask", **asked)
        if code == 127:
            rows.append((label, None, None, "ld.so ends it, 127"))
        else:
            searched = ", ".join(f"`{n.partition('.')[0]}`" for n in order)
            rows.append((label, searched, f"`{(bound or '').partition('.')[0]}`", f"`{chr(code)}`"))
    heads = ("run", "searched, in this order", "`who` is found in", "returns")
    return Table(tuple(map(Column, heads)), tuple(rows))


def libc() -> Elf:
    """The C library that programs linked here will use."""
    said = command(shutil.which("gcc") or "gcc", "-print-file-name=libc.so.6", folder=build().folder).stdout
    return Elf(Path(said.strip()).read_bytes())


# What is timed

RUNS = 301
COUNT, JUMPS = 1000, 20_000
"""Functions in a library, each called from a slot of another one, which the program opens with ``dlopen``;
and jumps that displace what the branch predictor knows of those calls.
"""
TIME_C = """\
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}
int main(int argc, char **argv)
{
    double t[23];
    int x = argc;
    t[0] = now();
    void *caller = dlopen(argv[1], strcmp(argv[2], "now") ? RTLD_LAZY : RTLD_NOW);
    t[1] = now();
    if (!caller)
        return 1;
    int (*calls)(int) = (int (*)(int))dlsym(caller, "calls");
    for (int i = 2; i < 23; i++) {
        for (int k = 0; i == 5 && k < 20 && !strcmp(argv[2], "washed"); k++)
            __asm__ volatile(".rept " JUMPS "\\n jmp 1f\\n .balign 16\\n 1:\\n .endr");
        t[i] = now();
        x = calls(x);
    }
    printf("%.0f %.2f %.2f\\n", t[1] - t[0], (t[3] - t[2]) / COUNT, (t[22] - t[12]) / COUNT / 10);
    return x == 0;
}
"""
CALLERS: dict[str, tuple[str, ...]] = {
    "libcaller.so": (),
    "libcaller-noplt.so": ("-fno-plt",),
    "libcaller-direct.so": ("many.c", "-Wl,-Bsymbolic"),
}
"""The libraries that call, and how each is made; the last one calls itself."""
BOUND = {
    "lazy": ("./libcaller.so", "lazy"),
    "now": ("./libcaller.so", "now"),
    "noplt": ("./libcaller-noplt.so", "now"),
    "direct": ("./libcaller-direct.so", "now"),
    "washed": ("./libcaller.so", "washed"),  # lazily; after three passes come the other jumps, 20 times
}
"""What is timed: the library, and how it is opened."""


def timed() -> dict[str, list[tuple[float, float, float]]]:
    """For each way, in ns: to open the library, a call in the first pass, and one in later passes."""
    folder, indices = build().folder, range(COUNT)
    functions = "".join(f"int f{i}(int x) {{ return x + {i}; }}\n" for i in indices)
    declared = "".join(f"int f{i}(int x);" for i in indices)
    made = "".join(f"x = f{i}(x);" for i in indices)
    calls = f"{declared}\nint calls(int x) {{ {made} return x; }}\n"
    for name, text in {"many.c": functions, "caller.c": calls, "time.c": TIME_C}.items():
        (folder / name).write_text(text, encoding="utf-8")
    shared = (*PLAIN, "-fPIC", "-shared", LAID)
    gcc(folder, *shared, "many.c", "-o", "libmany.so")
    for name, words in CALLERS.items():
        gcc(folder, *shared, "caller.c", *words, "-Wl,-z,lazy", "-o", name)
    sizes = (f"-DCOUNT={COUNT}", f'-DJUMPS="{JUMPS}"')
    gcc(folder, *PLAIN, LAID, *sizes, "time.c", "-L.", "-lmany", "-ldl", OWN_PATH, "-o", "time")
    found: dict[str, list[tuple[float, float, float]]] = {way: [] for way in BOUND}
    for _ in range(RUNS):  # in turn, so that a disturbance meets all
        for way, words in BOUND.items():
            opened, first, later = command(folder / "time", *words, folder=folder).stdout.split()
            found[way].append((float(opened), float(first), float(later)))
    return found


def binding_ns(runs: Mapping[str, Sequence[tuple[float, float, float]]]) -> tuple[float, float]:
    """What binding a slot adds to its first call, and what it adds to opening the library."""
    (start, first), (open_now, first_now) = (
        [median(times[i] for times in runs[way]) for i in (0, 1)] for way in ("lazy", "now")
    )
    return first - first_now, (open_now - start) / COUNT


def measure() -> dict[str, Value]:
    """Times of this machine, and numbers of this toolchain."""
    made, program, runs = build(), Elf(linked()), timed()
    objects = choose([made.elf("start.o"), made.elf("main.o"), made.elf("count.o")])[0]
    places = arrange(objects)
    offset = next(r.offset for r in objects[1].relocations() if r.symbol.name == "count")
    field = next(at for (i, _), at in sorted(places.items()) if i == 1) + offset
    bytes_there = program.data[program.place(field) :][:4]
    kinds = [r.kind for r in libc().relocations()]
    medians = {way: tuple(map(median, zip(*times, strict=True))) for way, times in runs.items()}
    low, _, high = quantiles([first for _, first, _ in runs["lazy"]], n=4)
    lazily, at_once = binding_ns(runs)
    size = RUNS // 7
    shares = []
    for k in range(7):
        first_call, start = binding_ns({way: times[k * size :][:size] for way, times in runs.items()})
        shares.append(100 * start / first_call)
    return {
        "field": Value(f"{field:#x}"),
        "distance": Value(f"{int.from_bytes(bytes_there, 'little'):#x}"),
        "bytes": Value(bytes_there.hex(" ")),
        "libc_requests": Value(len(kinds)),
        "libc_relative": Value(kinds.count("RELATIVE") + len(libc().packed())),
        "libc_irelative": Value(kinds.count("IRELATIVE")),
        "first_call": Value(medians["lazy"][1], "ns"),
        "first_low": Value(low, "ns"),
        "first_high": Value(high, "ns"),
        "first_bound": Value(medians["now"][1], "ns"),
        **{f"later_{way}": Value(found[2], "ns") for way, found in medians.items()},
        **{f"open_{way}": Value(medians[way][0] / 1000, "µs") for way in ("lazy", "now")},
        "open_saved": Value((medians["now"][0] - medians["lazy"][0]) / 1000, "µs"),
        "slot_lazily": Value(lazily, "ns"),
        "slot_at_once": Value(at_once, "ns"),
        "break_even": Value(100 * at_once / lazily, "%"),
        "break_even_low": Value(min(shares), "%"),
        "break_even_high": Value(max(shares), "%"),
    }


def versions() -> dict[str, str]:
    """The tools that decided what was measured."""
    folder = build().folder
    ld = command(shutil.which("ld") or "ld", "--version", folder=folder).stdout.splitlines()[0].split()[-1]
    said = command(shutil.which("gcc") or "gcc", "-dumpfullversion", folder=folder).stdout.strip()
    return {"gcc": said, "binutils": ld, "glibc": platform.libc_ver()[1]}


# What the note shows


def values() -> dict[str, Value]:
    """The figures the note quotes."""
    made = build()
    main, lazy, now = made.elf("main.o"), made.elf("lazy"), made.elf("now")
    library = archive((made.folder / "libcount.a").read_bytes())
    field = next(r.offset for r in main.relocations() if r.symbol.name == "count")
    objects = choose([made.elf("start.o"), main, library])[0]
    places = arrange(objects)
    memcpy = libc().versions("memcpy")
    copied = next(r for r in lazy.relocations() if r.kind == "COPY")
    slots = {way: slot_of(made.elf(way), "count") for way in ("lazy", "now")}
    return {
        "hole": Value(main.content(main.section(".text"))[field - 1 : field + 4].hex(" ")),
        "count_at": Value(f"{addresses(objects, places)['count']:#x}"),
        "linked_sections": Value(len(places)),
        "slots": Value(COUNT),
        "jumps": Value(JUMPS),
        "missing": Value(" and ".join(sorted(choose([library, main])[1]))),
        "returned": Value(made.run("lazy")),
        "returned_linked": Value(returned(linked())),
        "returned_cut": Value(returned(without_sections((made.folder / "lazy").read_bytes()))),
        "stub": Value(place_of(lazy, call_of(lazy, main, "count")[0]).strip("`")),
        "after_jump": Value(
            place_of(lazy, lazy.word(slots["lazy"].offset)).strip("`") if slots["lazy"] else ""
        ),
        "copy_in": Value(place_of(lazy, copied.offset).partition(" ")[0].strip("`")),
        "now_file": Value(place_of(now, now.word(slots["now"].offset)).strip("`") if slots["now"] else ""),
        "memcpy_new": Value(next(v for v, default in memcpy.items() if default)),
        "memcpy_old": Value(next(v for v, default in memcpy.items() if not default)),
        "ask_distance": Value(f"{FORMULAS['PC32'](0x404010, -4, 0x401A36):#x}"),
        "ask_back": Value(f"{FORMULAS['PLT32'](0x401030, -4, 0x401A36) % 2**32:#x}"),
    }


def tables() -> dict[str, Table]:
    """The tables the note shows."""
    return {
        "names": names(),
        "requests": requests(),
        "segments": segments(),
        "ways": ways(),
        "got": got(),
        "scopes": scopes(),
    }


FIGURES: dict[str, Draw] = {}


def main() -> None:
    """Print what the note shows."""
    made = build()
    library = archive((made.folder / "libcount.a").read_bytes())
    inputs: list[Elf | Mapping[str, Elf]] = [made.elf("start.o"), made.elf("main.o"), library]
    print("linked by the lab          still wanted")
    for i, name in enumerate(("start.o", "+ main.o", "+ libcount.a"), start=1):
        wanted = " ".join(sorted(choose(inputs[:i])[1])) or "nothing"
        print(f"  {name:24s} {wanted}")
    program = linked()
    print(f"  {len(program):,} bytes, returns {returned(program)}")
    print("\nthe slot of count          before main    at exit   access")
    runs: tuple[tuple[str, str, dict[str, str]], ...] = (
        ("-z lazy", "lazy", {}),
        ("-z lazy -no-pie", "fixed", {}),
        ("-z lazy, LD_BIND_NOW=1", "lazy", {"LD_BIND_NOW": "1"}),
        ("-z now", "now", {}),
        ("-z lazy -fno-plt", "noplt", {}),
    )
    for label, way, environment in runs:
        files = {"program": made.elf(way), "libcount.so": made.elf("libcount.so")}
        seen = made.watch(way, **environment)
        start, end = (seen[when, "program", "count"] for when in ("start", "exit"))
        words = [said(s, files).replace("`", "").partition(" in ")[0] for s in (start, end)]
        print(f"  {label:24s} {words[0]:13s}  {words[1]:8s}  {start.access[:2]}")


if __name__ == "__main__":
    main()
