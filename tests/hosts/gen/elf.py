# SPDX-License-Identifier: BSD-2-Clause
"""Small ELF64 files with what a loader reads: dynamic section, symbol versions, notes (System V gABI, GNU symbol versioning)."""
import struct

MACHINES = {'aarch64': 183, 'x86_64': 62, 'riscv64': 243}
INTERPRETERS = {'aarch64': '/lib/ld-linux-aarch64.so.1', 'x86_64': '/lib64/ld-linux-x86-64.so.2',
                'riscv64': '/lib/ld-linux-riscv64-lp64d.so.1'}


def sysv_hash(name):
    h = 0
    for c in name.encode():
        h = (h << 4) + c
        g = h & 0xf0000000
        h ^= g >> 24
        h &= ~g & 0xffffffff
    return h


class Strings:
    def __init__(self):
        self.data = bytearray(b'\0')
        self.at = {'': 0}

    def add(self, text):
        if text not in self.at:
            self.at[text] = len(self.data)
            self.data += text.encode() + b'\0'
        return self.at[text]


def build(spec):
    """"arch", "needed", "soname", "runpath", "rpath", "needs": {soname: [versions]}, "defines": [versions], "imports":
    {symbol: version or ""}, "exports": {symbol: version or ""}, "program", "notes": [[name, type, hex]], "text": [strings of .rodata],
    "flags_1", "static"."""
    out = bytearray(64)
    strings, sections = Strings(), []
    dynamic = []

    def place(name, type_, data, align=8, link=0, info=0, entry=0, flags=2):
        out.extend(bytes(-len(out) % align))
        at = len(out)
        out.extend(data)
        sections.append((name, type_, flags, at, len(data), link, info, align, entry))
        return at

    phnum = 3 + bool(spec.get('program')) + bool(spec.get('notes'))
    out.extend(bytes(56 * phnum))
    headers = []
    if spec.get('program'):
        interp = INTERPRETERS[spec.get('arch', 'aarch64')].encode() + b'\0'
        at = place('.interp', 1, interp, 1)
        headers.append((3, 4, at, len(interp), 1))
    if spec.get('notes'):
        data = b''.join(_note(*note) for note in spec['notes'])
        at = place('.note.gnu.property', 7, data, 4)
        headers.append((4, 4, at, len(data), 4))
    versions = {}
    verdef = _verdef(spec, strings, versions)
    verneed = _verneed(spec, strings, versions)
    symbols, versym = _symbols(spec, strings, versions)
    for name in spec.get('needed', []):
        dynamic.append((1, strings.add(name)))
    for tag, key in ((14, 'soname'), (15, 'rpath'), (29, 'runpath')):
        if spec.get(key):
            dynamic.append((tag, strings.add(spec[key])))
    at = place('.dynstr', 3, bytes(strings.data), 1)
    dynamic += [(5, at), (10, len(strings.data))]
    strtab = len(sections)
    dynamic += [(6, place('.dynsym', 11, symbols, 8, strtab, 1, 24)), (11, 24)]
    count = len(symbols) // 24
    dynamic.append((4, place('.hash', 5, struct.pack('<III', 1, count, min(1, count - 1)) +
                             b''.join(struct.pack('<I', i + 1 if 0 < i < count - 1 else 0) for i in range(count)),
                             4, strtab + 1, 0, 4)))
    if versions:
        dynamic.append((0x6ffffff0, place('.gnu.version', 0x6fffffff, versym, 2, strtab + 1, 0, 2)))
    if verdef:
        dynamic += [(0x6ffffffc, place('.gnu.version_d', 0x6ffffffd, verdef, 8, strtab, len(spec['defines']) + 1)),
                    (0x6ffffffd, len(spec['defines']) + 1)]
    if verneed:
        dynamic += [(0x6ffffffe, place('.gnu.version_r', 0x6ffffffe, verneed, 8, strtab, len(spec['needs']))),
                    (0x6fffffff, len(spec['needs']))]
    if spec.get('flags_1'):
        dynamic.append((0x6ffffffb, spec['flags_1']))
    place('.rodata', 1, b'\0'.join(t.encode() for t in spec.get('text', [])) + b'\0', 8)
    dynamic.append((0, 0))
    table = b''.join(struct.pack('<QQ', tag, value) for tag, value in dynamic)
    at = place('.dynamic', 6, table, 8, strtab, 0, 16, 3)
    if not spec.get('static'):
        headers.append((2, 6, at, len(table), 8))
    return _finish(out, spec, headers, sections, phnum)


def _finish(out, spec, headers, sections, phnum):
    names = Strings()
    sections.append(('.shstrtab', 3, 0, 0, 0, 0, 0, 1, 0))
    offsets = [names.add(s[0]) for s in sections]
    at = len(out)
    out.extend(names.data)
    sections[-1] = ('.shstrtab', 3, 0, at, len(names.data), 0, 0, 1, 0)
    end = len(out)
    out.extend(bytes(-len(out) % 8))
    shoff = len(out)
    out.extend(bytes(64))
    for name, (_, type_, flags, offset, size, link, info, align, entry) in zip(offsets, sections):
        out.extend(struct.pack('<IIQQQQIIQQ', name, type_, flags, offset if flags else 0, offset, size, link, info,
                               align, entry))
    headers.append((1, 7, 0, end, 0x1000))
    headers += [(0x6474e551, 6, 0, 0, 16)] * (phnum - len(headers))     # PT_GNU_STACK fills up
    for i, (type_, flags, offset, size, align) in enumerate(sorted(headers, key=lambda h: {3: 0, 1: 1}.get(h[0], 2))):
        struct.pack_into('<IIQQQQQQ', out, 64 + 56 * i, type_, flags, offset, offset, offset, size, size, align)
    kind = 3 if not spec.get('static') else 2
    struct.pack_into('<16sHHIQQQIHHHHHH', out, 0, b'\x7fELF\x02\x01\x01', kind, MACHINES[spec.get('arch', 'aarch64')], 1,
                     0, 64, shoff, 0, 64, 56, phnum, 64, len(sections) + 1, len(sections))
    return bytes(out)


def _note(name, type_, data):
    name, data = name.encode() + b'\0', bytes.fromhex(data)
    return (struct.pack('<III', len(name), len(data), type_) + name + bytes(-len(name) % 4) + data +
            bytes(-len(data) % 4))


def _verdef(spec, strings, versions):
    defines = spec.get('defines')
    if not defines:
        return b''
    out, names = b'', [spec.get('soname', '')] + defines
    for i, name in enumerate(names):
        versions[name] = i + 1
        last = i + 1 == len(names)
        out += struct.pack('<HHHHIII', 1, int(i == 0), i + 1, 1, sysv_hash(name), 20, 0 if last else 28)
        out += struct.pack('<II', strings.add(name), 0)
    return out


def _verneed(spec, strings, versions):
    needs = spec.get('needs')
    if not needs:
        return b''
    out = b''
    for i, (soname, wanted) in enumerate(needs.items()):
        size = 16 + 16 * len(wanted)
        out += struct.pack('<HHIII', 1, len(wanted), strings.add(soname), 16, 0 if i + 1 == len(needs) else size)
        for j, name in enumerate(wanted):
            index = max([1] + list(versions.values())) + 1
            versions[name] = index
            weak = 2 if name.startswith('?') else 0
            name = name.lstrip('?')
            out += struct.pack('<IHHII', sysv_hash(name), weak, index, strings.add(name), 0 if j + 1 == len(wanted) else 16)
    return out


def _symbols(spec, strings, versions):
    out, versym = bytes(24), struct.pack('<H', 0)
    for name, version in spec.get('imports', {}).items():
        out += struct.pack('<IBBHQQ', strings.add(name), 0x12, 0, 0, 0, 0)
        versym += struct.pack('<H', versions.get(version, 1))
    for name, version in spec.get('exports', {}).items():
        out += struct.pack('<IBBHQQ', strings.add(name), 0x12, 0, 1, 64, 8)
        versym += struct.pack('<H', versions.get(version, 1))
    return out, versym
