# SPDX-License-Identifier: BSD-2-Clause
"""Memory nodes and huge pages of a described machine, and the ACPI tables that say the same (ACPI 6.5, 5.2.16, 5.2.17, 5.2.30)."""
import struct

from cpu import mask, ranges

NODE = '/sys/devices/system/node'
POOLS_KIB = {4096: (64, 2048, 32768, 1048576), 16384: (2048, 32768, 1048576), 65536: (2048, 524288, 16777216)}


def pools_kib(machine):
    if machine['live'].get('arch') == 'x86_64':
        return (2048, 1048576)
    return POOLS_KIB.get(machine.get('page_size', machine['live'].get('page_size_bytes')), (2048,))


def distances(machine, cpus):
    """"distance" of the description, or Altra's: 10 self, 11 within a package, 20 to the other."""
    spec = machine.get('numa', {})
    if 'distance' in spec:
        return spec['distance']
    count = cpus.nodes()
    package = [n // cpus.nodes_per_package for n in range(count)]
    return [[10 if a == b else 11 if package[a] == package[b] else 20 for b in range(count)] for a in range(count)]


def build(tree, machine, cpus):
    spec = machine.get('numa', {})
    if spec is False:
        return
    rows = distances(machine, cpus)
    nodes = list(range(len(rows)))
    bits = max(cpus.count, machine['cpu'].get('mask_bits', cpus.count))
    members = {k: [n for n in cpus.online if cpus.node(n) == k] for k in nodes}
    mib = {k: spec.get('mib', {}).get(str(k), spec.get('node_mib', 131072)) for k in nodes}
    tree.lines(NODE, online=ranges(nodes), possible=ranges(nodes), has_cpu=ranges([k for k in nodes if members[k]]),
               has_memory=ranges([k for k in nodes if mib[k]]), has_normal_memory=ranges([k for k in nodes if mib[k]]))
    pages = machine.get('hugepages', {})
    used = 0
    for k in nodes:
        path = f'{NODE}/node{k}'
        tree.lines(path, cpulist=ranges(members[k]), cpumap=mask(members[k], bits), distance=' '.join(map(str, rows[k])))
        total, free = _node_hugepages(tree, path, k, pages, pools_kib(machine))
        used += total
        tree.text(path + '/meminfo', _node_meminfo(k, mib[k] * 1024, total, free, pages))
        for n in members[k]:
            tree.link(f'{path}/cpu{n}', f'../../cpu/cpu{n}')
    _hugepages(tree, pages, pools_kib(machine))
    _meminfo(tree, machine, sum(mib.values()) * 1024, used)


def _pool(pages, kib, node):
    """[total, free] of a pool on a node."""
    value = pages.get(str(kib), {}).get(str(node), [0, 0])
    return value if isinstance(value, list) else [value, value]


def _node_hugepages(tree, path, node, pages, pools):
    total_kib = free_kib = 0
    for kib in pools:
        total, free = _pool(pages, kib, node)
        tree.lines(f'{path}/hugepages/hugepages-{kib}kB', nr_hugepages=total, free_hugepages=free, surplus_hugepages=0)
        total_kib += total * kib
        free_kib += free * kib
    return total_kib, free_kib


def _hugepages(tree, pages, pools):
    for kib in pools:
        counts = [value if isinstance(value, list) else [value, value] for value in pages.get(str(kib), {}).values()]
        total, free = sum(c[0] for c in counts), sum(c[1] for c in counts)
        tree.lines(f'/sys/kernel/mm/hugepages/hugepages-{kib}kB', nr_hugepages=total, free_hugepages=free,
                   nr_hugepages_mempolicy=total, nr_overcommit_hugepages=0, resv_hugepages=0, surplus_hugepages=0)


def _default_kib(pages, pools):
    return pages.get('default_kib', 524288 if 524288 in pools else 2048)


def _node_meminfo(node, kib, huge_total, huge_free, pages):
    free = max(0, kib - huge_total - kib // 20)
    rows = (('MemTotal', kib), ('MemFree', free), ('MemUsed', kib - free), ('FilePages', 1024), ('AnonPages', 1024),
            ('AnonHugePages', 0))
    text = ''.join(f'Node {node} {name + ":":<15}{value:>9} kB\n' for name, value in rows)
    default = pages.get('default_kib', 2048)
    total, available = _pool(pages, default, node)
    return text + f'Node {node} HugePages_Total: {total:>5}\nNode {node} HugePages_Free:  {available:>5}\n'


def _meminfo(tree, machine, kib, huge_kib):
    pages = machine.get('hugepages', {})
    default = _default_kib(pages, pools_kib(machine))
    counts = [v if isinstance(v, list) else [v, v] for v in pages.get(str(default), {}).values()]
    free = max(0, kib - huge_kib - kib // 20)
    tree.text('/proc/meminfo', f'MemTotal:       {kib:>8} kB\nMemFree:        {free:>8} kB\n'
              f'MemAvailable:   {free:>8} kB\nAnonHugePages:         0 kB\n'
              f'HugePages_Total: {sum(c[0] for c in counts):>7}\nHugePages_Free:  {sum(c[1] for c in counts):>7}\n'
              f'HugePages_Rsvd:        0\nHugePages_Surp:        0\nHugepagesize:   {default:>8} kB\n'
              f'Hugetlb:        {huge_kib:>8} kB\n')


def table(signature, body, revision=1, oem='AMPERE'):
    """An ACPI table: 36 bytes of header, the sum of all bytes is 0 modulo 256."""
    head = struct.pack('<4sIBB6s8sI4sI', signature.encode(), 36 + len(body), revision, 0, oem.encode().ljust(6)[:6],
                       b'ALTRA   ', 1, b'AMP.', 0x1000013)
    out = bytearray(head + body)
    out[9] = -sum(out) & 0xff
    return bytes(out)


def slit(rows):
    return table('SLIT', struct.pack('<Q', len(rows)) + b''.join(bytes(r) for r in rows))


def firmware_nodes(machine, cpus):
    """Distances and the domain of each CPU as the firmware has them: `domains` of one package, whatever nodes the kernel shows."""
    domains = machine['acpi'].get('domains')
    if not domains:
        return distances(machine, cpus), cpus.node
    return ([[10 if a == b else 11 for b in range(domains)] for a in range(domains)], lambda cpu: cpu * domains // cpus.count)


def srat(machine, cpus):
    rows, domain = firmware_nodes(machine, cpus)
    body = struct.pack('<IQ', 1, 0)
    for n in range(cpus.count):
        body += struct.pack('<BBIIII', 3, 18, domain(n), n, 1, 0)
    for k in range(len(rows)):
        body += struct.pack('<BBIHQQIIQ', 1, 40, k, 0, k << 40, 1 << 37, 0, 1, 0)
    return table('SRAT', body, 3)


def pptt(machine, cpus, l3_kib=None):
    """Packages, clusters when there are any, cores; private L1 and L2 caches of the description, and the L3 of a package."""
    body = bytearray()

    def add(data):
        body.extend(data)
        return 36 + len(body) - len(data)

    def cache(next_, kib, kind, ways, sets):
        return add(struct.pack('<BBHIIIIBBH', 1, 24, 0, 0x7f, next_, kib << 10, sets, ways, {'Data': 0, 'Instruction': 4,
                                                                                         'Unified': 8}[kind], 64))
    described = machine['cpu'].get('caches', [])
    l3 = cache(0, l3_kib, 'Unified', 16, 1024) if l3_kib else None
    caches, below = [], 0
    for level, kind, kib, ways, sets, _ in reversed([c for c in described if c[0] < 3]):
        offset = cache(below if level == 1 else 0, kib, kind, ways, sets)
        if level == 2:
            below = offset
        else:
            caches.append(offset)
    for package in range(cpus.packages):
        private = [l3] if l3 else []
        top = add(struct.pack('<BBHIIII', 0, 20 + 4 * len(private), 0, 0x11, 0, package, len(private)) +
                  b''.join(struct.pack('<I', p) for p in private))
        for core in range(cpus.cores):
            add(struct.pack('<BBHIIII', 0, 20 + 4 * len(caches), 0, 0x0a, top, package * cpus.cores + core, len(caches)) +
                b''.join(struct.pack('<I', c) for c in caches))
    return table('PPTT', bytes(body), 2)


def package(data):
    """A PkgLength and what it counts, itself included (ACPI 6.5, 20.2.4): one byte up to 63, else two."""
    if len(data) < 63:
        return bytes([len(data) + 1]) + data
    size = len(data) + 2
    return bytes([0x40 | size & 15, size >> 4]) + data


def aml_integer(value):
    """ZeroOp, OneOp, BytePrefix, WordPrefix, DWordPrefix, QWordPrefix (20.2.3); a text is AML in hexadecimal."""
    if isinstance(value, str):
        return bytes.fromhex(value)
    if value < 2:
        return bytes([value])
    prefix, size = next(row for row in ((10, 1), (11, 2), (12, 4), (14, 8)) if value < 1 << 8 * row[1])
    return bytes([prefix]) + value.to_bytes(size, 'little')


def dsdt(integers, extra=''):
    """Scope (\\_SB) with the names, a method that uses the first of them, and a device, as edk2-platforms lays it out."""
    names = b''.join(b'\x08' + name.encode() + aml_integer(value) for name, value in integers.items())
    # If (CPCE) {Return (0x12)}: its PkgLength is 8, which looks like NameOp in front of the name.
    use = b''.join(b'\x14' + package(b'_M00\x00' + b'\xa0' + package(name.encode() + b'\xa4\x0a\x12'))
                   for name in list(integers)[:1])
    device = b'\x5b\x82' + package(b'C000' + b'\x08_HID\x0dACPI0007\0' + b'\x08_UID\x00')
    return table('DSDT', b'\x10' + package(b'\\_SB_' + names + use + device) + bytes.fromhex(extra), 2)


def build_acpi(tree, machine, cpus):
    spec = machine.get('acpi')
    if not spec:
        return
    base = '/sys/firmware/acpi/tables'
    names = spec.get('tables', ['PPTT', 'SRAT', 'SLIT', 'HEST', 'BERT'])
    l3 = next((c[2] for c in machine['cpu'].get('caches', []) if c[0] == 3), spec.get('l3_kib'))
    made = {'PPTT': lambda: pptt(machine, cpus, l3), 'SRAT': lambda: srat(machine, cpus),
            'SLIT': lambda: slit(firmware_nodes(machine, cpus)[0]),
            'DSDT': lambda: dsdt(spec.get('integers', {}), spec.get('aml', ''))}
    for name in names:
        tree.data(f'{base}/{name}', made[name]() if name in made else table(name, bytes(4)), mode=0o400)
    tree.line('/sys/firmware/acpi/pm_profile', 4)
