#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""SMBIOS tables of a described machine (SMBIOS 3.7 specification, clauses 5 and 7).

smbios.py MACHINE.json OUT writes OUT/TYPE-N.bin, one structure each, for qemu -smbios file=, and OUT/dump.bin for
dmidecode --from-dump."""
import os
import struct
import sys

import planted

DIMM_TYPES = {'DDR3': 0x18, 'DDR4': 0x1a, 'LPDDR4': 0x1e, 'DDR5': 0x22, 'LPDDR5': 0x23}


def slots_gigabyte(sockets):
    return [(s, f'DIMM_P{s}_{c}{d}', f'Bank {n + 1}', n // 2)
            for s in range(sockets) for n, (c, d) in enumerate((c, d) for c in 'ABCDEFGH' for d in '01')]


def slots_jade_wiwynn(sockets):
    return [(s, f'DIMM {n}' if s == 0 else f'Socket {s} DIMM {n}', f'Bank {n}', (n - 1) // 2)
            for s in range(sockets) for n in range(1, 17)]


def slots_jade_edk2(sockets):
    return [(s, f'Socket {s} DIMM {16 * s + n}', f'Bank {16 * s + n}', n // 2)
            for s in range(sockets) for n in range(16)]


def slots_asrockrack(sockets):
    return [(s, f'DDR4_{c}1', f'Bank {n + 1}', n) for s in range(sockets) for n, c in enumerate('ABCDEFGH')]


def slots_asrockrack_edk2(sockets):
    return [(s, f'DIMM {c}1', f'Bank {n}', n) for s in range(sockets) for n, c in enumerate('ABCDEFGH')]


def slots_adlink_edk2(sockets):
    return [(s, f'DIMM {n + 1}', f'Bank {n}', n) for s in range(sockets) for n in range(6)]


def slots_adlink_es2(sockets):
    return [(s, f'Socket {s} DIMM {n}', f'Bank {n}', n) for s in range(sockets) for n in range(6)]


def slots_supermicro(sockets):
    names = [[f'DIMM{c}{d}' for c in 'ABCDEFGH' for d in '12'], [f'DIMM{c}{d}' for c in 'JKLMNPQR' for d in '12']]
    return [(s, locator, '', n // 2) for s in range(sockets) for n, locator in enumerate(names[s])]


def slots_supermicro_m(sockets):
    return [(s, f'DIMM{c}1', '', n) for s in range(sockets) for n, c in enumerate('ABCDEFGHIJKL')]


def slots_huawei(sockets, channels=8, per_channel=2):
    return [(s, f'DIMM{s}{c}{d} J{s * 16 + c * 2 + d}', f'SOCKET {s} CHANNEL {c} DIMM {d}', c)
            for s in range(sockets) for c in range(channels) for d in range(per_channel)]


def slots_huawei_1612(sockets):
    return slots_huawei(sockets, 4)


def slots_atlas(sockets):
    return slots_huawei(sockets, 4, 1)


def slots_lenovo(sockets):
    return [(s, f'DIMM{n}', f'SOCKET {s} CHANNEL {n} DIMM {n}', n) for s in range(sockets) for n in range(8)]


def slots_thunderx(sockets):
    return [(s, f'DIMM_P{s}_{"ABCDEFGH"[4 * s + c]}{d}', f'P{s}_Node{s}_Channel{c}_Dimm{d}', c)
            for s in range(sockets) for c in range(4) for d in range(2)]


def slots_hpe(sockets):
    return [(s, f'PROC {s + 1} DIMM {n}', '', (n - 1) // 2) for s in range(sockets) for n in range(1, 17)]


def slots_qemu(sockets):
    return [(0, f'DIMM {n}', '', n) for n in range(sockets)]


LAYOUTS = {name[6:].replace('_', '-'): slots for name, slots in list(globals().items()) if name.startswith('slots_')}


class Tables:
    def __init__(self, version):
        self.version = version
        self.out = []            # (type, handle, bytes with strings)

    def add(self, type_, fields, strings=(), handle=None, length=None):
        """fields: {offset: (format, value)}; a value that is a str in format 's' becomes an index into the strings."""
        strings = [s for s in strings]
        size = length or max(o + struct.calcsize('<' + ('B' if f == 's' else f)) for o, (f, _) in fields.items())
        body = bytearray(size)
        for offset, (fmt, value) in fields.items():
            if fmt == 's':
                index = 0
                if value:
                    strings.append(value)
                    index = len(strings)
                fmt, value = 'B', index
            if offset + struct.calcsize('<' + fmt) <= size:
                struct.pack_into('<' + fmt, body, offset, value)
        handle = len(self.out) if handle is None else handle
        struct.pack_into('<BBH', body, 0, type_, size, handle)
        text = b''.join(s.encode('utf-8', 'surrogateescape') + b'\0' for s in strings) or b'\0'
        self.out.append((type_, handle, bytes(body) + text + b'\0'))
        return handle

    def raw(self, type_, data):
        self.out.append((type_, 0, data))

    def bytes(self):
        return b''.join(data for _, _, data in self.out)


def build(machine):
    """Tables of machine["smbios"], or None when it has none."""
    spec = machine.get('smbios')
    if not spec:
        return None
    version = tuple(int(v) for v in spec.get('version', '3.4').split('.'))
    tables = Tables(version)
    _bios(tables, spec.get('bios', {}))
    _system(tables, spec)
    for processor in spec.get('processors', {}).values():
        _processor(tables, processor)
    _memory(tables, spec.get('memory'))
    if spec.get('redfish', True) and version >= (3, 0):
        _redfish_host_interface(tables)
    for extra in spec.get('structures', []):
        _extra(tables, extra)
    if spec.get('end', True):
        tables.add(127, {3: ('B', 0)}, length=4)
    return tables


def _bios(tables, bios):
    tables.add(0, {
        0x04: ('s', bios.get('vendor', '')), 0x05: ('s', bios.get('version', '')), 0x06: ('H', 0),
        0x08: ('s', bios.get('date', '')), 0x09: ('B', 0xff), 0x0a: ('Q', 0x8018080), 0x12: ('H', 0x0d01),
        0x14: ('B', bios.get('major', 255)), 0x15: ('B', bios.get('minor', 255)),
        0x16: ('B', bios.get('ec_major', 255)), 0x17: ('B', bios.get('ec_minor', 255)),
        0x18: ('H', bios.get('rom_mb', 32))})


def _system(tables, spec):
    system, board, chassis = spec.get('system', {}), spec.get('board', {}), spec.get('chassis', {})
    tables.add(1, {
        0x04: ('s', system.get('vendor', '')), 0x05: ('s', system.get('product', '')),
        0x06: ('s', system.get('version', '')), 0x07: ('s', system.get('serial', planted.SERIAL)),
        0x08: ('16s', planted.UUID_BYTES), 0x18: ('B', 6), 0x19: ('s', system.get('sku', '')),
        0x1a: ('s', system.get('family', ''))})
    tables.add(2, {
        0x04: ('s', board.get('vendor', system.get('vendor', ''))),
        0x05: ('s', board.get('product', system.get('product', ''))), 0x06: ('s', board.get('version', '')),
        0x07: ('s', planted.SERIAL + '-BOARD'), 0x08: ('s', planted.ASSET), 0x09: ('B', 1), 0x0a: ('s', ''),
        0x0b: ('H', 2), 0x0d: ('B', 10), 0x0e: ('B', 0)})
    tables.add(3, {
        0x04: ('s', chassis.get('vendor', system.get('vendor', ''))), 0x05: ('B', chassis.get('type', 23)),
        0x06: ('s', chassis.get('version', '')), 0x07: ('s', planted.SERIAL + '-CHASSIS'),
        0x08: ('s', chassis.get('asset', planted.ASSET)), 0x09: ('B', 3), 0x0a: ('B', 3), 0x0b: ('B', 3),
        0x0c: ('B', 3), 0x0d: ('I', 0), 0x11: ('B', 0), 0x12: ('B', 1), 0x13: ('B', 0), 0x14: ('B', 0),
        0x15: ('s', chassis.get('sku', ''))})


def _cache(tables, level, kind, kib, name):
    units = kib if kib < 0x8000 else 0x8000 | (kib // 64)
    big = kib if kib < 1 << 31 else 1 << 31 | (kib // 64)
    return tables.add(7, {
        0x04: ('s', name), 0x05: ('H', 0x180 | (level - 1)), 0x07: ('H', min(units, 0xffff)),
        0x09: ('H', min(units, 0xffff)), 0x0b: ('H', 2), 0x0d: ('H', 2), 0x0f: ('B', 0), 0x10: ('B', 5),
        0x11: ('B', kind), 0x12: ('B', 7), 0x13: ('I', big), 0x17: ('I', big)})


def _processor(tables, spec):
    cores = spec.get('cores', 0)
    caches = spec.get('caches_kib', {})
    handles = {}
    for level in (1, 2, 3):
        kib = caches.get(str(level))
        name = spec.get('cache_names', {}).get(str(level), f'L{level} Cache')
        handles[level] = _cache(tables, level, 5, kib, name) if kib else 0xffff
    populated = spec.get('status', 'populated')
    status = {'populated': 0x41, 'disabled': 0x42, 'empty': 0x00}[populated]
    small = min(cores, 255)
    old = tables.version < (3, 0)
    tables.add(4, {
        0x04: ('s', spec.get('socket', 'CPU 0')), 0x05: ('B', 3), 0x06: ('B', spec.get('family', 0xfe)),
        0x07: ('s', spec.get('vendor', '')), 0x08: ('8s', bytes.fromhex(spec.get('id', '00' * 8))),
        0x10: ('s', spec.get('version', '')), 0x11: ('B', 0x89), 0x12: ('H', spec.get('external_mhz', 0)),
        0x14: ('H', spec.get('max_mhz', 0)), 0x16: ('H', spec.get('current_mhz', 0)), 0x18: ('B', status),
        0x19: ('B', 1), 0x1a: ('H', handles[1]), 0x1c: ('H', handles[2]), 0x1e: ('H', handles[3]),
        0x20: ('s', planted.SERIAL + '-CPU'), 0x21: ('s', planted.ASSET), 0x22: ('s', spec.get('part', '')),
        0x23: ('B', small), 0x24: ('B', min(spec.get('enabled', cores), 255)),
        0x25: ('B', min(spec.get('threads', cores), 255)),
        0x26: ('H', 0xec | (0x200 if spec.get('soc_id_bit') else 0)), 0x28: ('H', spec.get('family2', 0x101)),
        0x2a: ('H', cores), 0x2c: ('H', spec.get('enabled', cores)), 0x2e: ('H', spec.get('threads', cores))},
        length=0x2a if old else 0x30)


def slots(memory):
    return LAYOUTS[memory['layout']](memory.get('sockets', 1))


def populated(memory):
    """{locator: DIMM description} of the filled slots."""
    where = memory.get('populated', '1dpc')
    sockets = memory.get('filled_sockets', memory.get('sockets', 1))
    found, seen = {}, {}
    for socket, locator, _, channel in slots(memory):
        order = seen[(socket, channel)] = seen.get((socket, channel), -1) + 1
        use = socket < sockets and (
            where == 'all' or (where == '1dpc' and order == memory.get('first_slot', 0)) or
            (isinstance(where, list) and locator in where))
        if use:
            found[locator] = dict(memory.get('dimm', {}))
    for locator, change in memory.get('changes', {}).items():
        if change is False:
            found.pop(locator, None)
        else:
            found[locator] = {**found.get(locator, memory.get('dimm', {})), **change}
    return found


def _memory(tables, memory):
    if not memory:
        return
    all_slots, filled = slots(memory), populated(memory)
    per_socket = len(all_slots) // max(1, memory.get('sockets', 1))
    arrays = {}
    for socket in sorted({s for s, _, _, _ in all_slots}):
        arrays[socket] = tables.add(16, {
            0x04: ('B', 3), 0x05: ('B', 3), 0x06: ('B', memory.get('ecc', 6)), 0x07: ('I', 0x80000000),
            0x0b: ('H', 0xfffe), 0x0d: ('H', per_socket), 0x0f: ('Q', memory.get('max_gb', 4096) << 30)})
    for socket, locator, bank, _ in all_slots:
        _dimm(tables, arrays[socket], locator, bank, filled.get(locator), memory)


def _dimm(tables, array, locator, bank, dimm, memory):
    empty = dimm is None
    dimm = dimm or {}
    mib = int(dimm.get('gb', 0) * 1024)
    small = mib if mib < 0x7fff else 0x7fff
    voltage = 0 if empty else dimm.get('mv', 1200)
    none = memory.get('empty', {})
    length = {2: 0x28}.get(tables.version[0], 0x5c if tables.version >= (3, 3) else 0x54)
    tables.add(17, {
        0x04: ('H', array), 0x06: ('H', 0xfffe), 0x08: ('H', 0xffff if empty else dimm.get('total_width', 72)),
        0x0a: ('H', 0xffff if empty else 64), 0x0c: ('H', small), 0x0e: ('B', 9), 0x0f: ('B', 0),
        0x10: ('s', locator), 0x11: ('s', bank),
        0x12: ('B', 2 if empty else DIMM_TYPES.get(dimm.get('type', 'DDR4'), 2)),
        0x13: ('H', 4 if empty else 0x2080), 0x15: ('H', dimm.get('speed', 0)),
        0x17: ('s', none.get('vendor', '') if empty else dimm.get('vendor', '')),
        0x18: ('s', none.get('serial', '') if empty else planted.SERIAL + '-DIMM'),
        0x19: ('s', '' if empty else planted.ASSET),
        0x1a: ('s', none.get('part', '') if empty else dimm.get('part', '')), 0x1b: ('B', dimm.get('rank', 0)),
        0x1c: ('I', mib if small == 0x7fff else 0), 0x20: ('H', dimm.get('configured', 0)), 0x22: ('H', voltage),
        0x24: ('H', voltage), 0x26: ('H', voltage), 0x28: ('B', 2 if empty else 3), 0x29: ('H', 4), 0x2b: ('s', ''),
        0x2c: ('H', 0), 0x2e: ('H', 0), 0x30: ('H', 0), 0x32: ('H', 0), 0x34: ('Q', 0), 0x3c: ('Q', mib << 20),
        0x44: ('Q', 0), 0x4c: ('Q', 0), 0x54: ('I', 0), 0x58: ('I', 0)}, length=length)


def _redfish_host_interface(tables):
    """Type 42, a network host interface with Redfish over IP: it holds addresses and a host name (DSP0270)."""
    ip = bytes(map(int, planted.IPV4.split('.'))) + bytes(12)
    name = planted.HOST_NAME.encode()
    redfish = (planted.UUID_BYTES + bytes([1, 1]) + ip + bytes([255] * 3) + bytes(13) + bytes([1, 1]) + ip +
               bytes([255] * 3) + bytes(13) + struct.pack('<HIB', 443, 0, len(name)) + name)
    device = bytes([2]) + struct.pack('<HH', 0x046b, 0xffb0) + bytes([0, 0])
    body = bytes([0x40, len(device)]) + device + bytes([1, 4, len(redfish)]) + redfish
    tables.add(42, {4: (f'{len(body)}s', body)})


def _extra(tables, extra):
    """A structure given in hexadecimal, as it is: also a broken one."""
    data = bytes.fromhex(extra['hex'])
    for text in extra.get('strings', []):
        data += text.encode('utf-8', 'surrogateescape') + b'\0'
    tables.raw(data[0] if data else 0, data + (b'\0' if extra.get('strings') else b'\0\0') * (not extra.get('bare')))


def entry_point(version, size, count, largest, address=0x20):
    major, minor = version
    if major >= 3:
        out = bytearray(struct.pack('<5sBBBBBBBIQ', b'_SM3_', 0, 24, major, minor, 0, 1, 0, size, address))
        out[5] = -sum(out) & 0xff
        return bytes(out)
    dmi = bytearray(struct.pack('<5sBHIHB', b'_DMI_', 0, size, address, count, major << 4 | minor))
    dmi[5] = -sum(dmi) & 0xff
    out = bytearray(struct.pack('<4sBBBBHB5s', b'_SM_', 0, 0x1f, major, minor, largest, 0, bytes(5)) + dmi)
    out[4] = -sum(out) & 0xff
    return bytes(out)


def files(machine):
    """(entry point, table) as /sys/firmware/dmi/tables has them, with the damage that the description asks for."""
    tables = build(machine)
    if tables is None:
        return None
    data = bytearray(tables.bytes())
    spec = machine['smbios']
    size = len(data)
    for patch in spec.get('patches', []):
        # {"type": 17, "index": 2, "offset": 1, "hex": "ff"}: bytes of the index-th structure of a type
        seen, position = -1, 0
        for type_, _, body in tables.out:
            seen += type_ == patch['type']
            if type_ == patch['type'] and seen == patch.get('index', 0):
                new = bytes.fromhex(patch['hex'])
                data[position + patch['offset']:position + patch['offset'] + len(new)] = new
                break
            position += len(body)
    cut = spec.get('cut')
    if cut:
        data = data[:cut]
    entry = entry_point(tables.version, size, len(tables.out), max(len(b) for _, _, b in tables.out))
    return entry, bytes(data)


def dump(machine):
    """What dmidecode --from-dump reads: the entry point, and the table at offset 32."""
    entry, data = files(machine)
    return entry.ljust(0x20, b'\0') + data


def main():
    import machine as machines
    if len(sys.argv) != 3:
        sys.exit('usage: smbios.py MACHINE.json OUT')
    described = machines.load(sys.argv[1])
    os.makedirs(sys.argv[2], exist_ok=True)
    seen = {}
    for type_, _, data in build(described).out:
        if type_ == 127:
            continue
        seen[type_] = seen.get(type_, -1) + 1
        with open(f'{sys.argv[2]}/{type_}-{seen[type_]}.bin', 'wb') as out:
            out.write(data)
    with open(f'{sys.argv[2]}/dump.bin', 'wb') as out:
        out.write(dump(described))


if __name__ == '__main__':
    main()
