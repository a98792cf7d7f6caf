# SPDX-License-Identifier: BSD-2-Clause
"""PCI functions of a described machine: configuration space (PCI Express Base 6.0, 7.5) and what sysfs says of them.

"pci": {"0000:01:00.0": {"id": "15b3:101d", "class": "020000", "link": "8x16/16x16", "driver": "mlx5_core", …}}; a link is
"status/capability", each GT/s x width; "down" as status is a port without a device. A bridge has "bridge": [secondary,
subordinate] and "port": root, up or down."""
import struct

import planted
from cpu import ranges

SPEEDS = {'2.5': 1, '5': 2, '8': 3, '16': 4, '32': 5, '64': 6}
PORTS = {'endpoint': 0, 'root': 4, 'up': 5, 'down': 6, 'integrated': 9}
PCIE = 0x70


def parse_link(text):
    status, capability = text.split('/')
    speed, width = capability.split('x')
    if status == 'down':
        return None, (speed, int(width))
    now = status.split('x')
    return (now[0], int(now[1])), (speed, int(width))


def _code(bytes_):
    return {128: 0, 256: 1, 512: 2, 1024: 3, 2048: 4, 4096: 5}[bytes_]


def config(spec):
    out = bytearray(4096)
    vendor, device = (int(x, 16) for x in spec['id'].split(':'))
    class_ = int(spec.get('class', '060000'), 16)
    bridge = spec.get('bridge')
    struct.pack_into('<HHHH', out, 0, vendor, device, 0x0406, 0x0010)
    out[8] = spec.get('revision', 0)
    out[9:12] = bytes([class_ & 0xff, class_ >> 8 & 0xff, class_ >> 16])
    out[0x0c] = 0x10
    out[0x0e] = 1 if bridge else 0x80 if spec.get('multi') else 0
    if bridge:
        out[0x18:0x1b] = bytes([spec['bus'], bridge[0], bridge[1]])
        out[0x1c:0x1e] = b'\xf1\x01'
        struct.pack_into('<HHHH', out, 0x20, 0xfff0, 0x0000, 0xfff1, 0x0001)
    else:
        sub = [int(x, 16) for x in spec.get('subsystem', spec['id']).split(':')]
        struct.pack_into('<HH', out, 0x2c, *sub)
    out[0x34] = 0x40
    # power management first, then PCI Express when there is a link
    out[0x40:0x48] = bytes([1, PCIE if 'link' in spec or spec.get('express') else 0, 3, 0, 8, 0, 0, 0])
    if 'link' in spec or spec.get('express'):
        _express(out, spec)
    if 'loop' in spec:                      # a capability list that goes round
        out[PCIE + 1] = PCIE
    return bytes(out[:spec.get('config', 4096)])


def _express(out, spec):
    bridge = spec.get('bridge')
    port = PORTS[spec.get('port', 'root' if bridge else 'endpoint')]
    slot = spec.get('slot', port in (4, 6))
    control = spec.get('mps', 128), spec.get('mrrs', 512)
    out[PCIE:PCIE + 4] = struct.pack('<BBH', 0x10, 0, 2 | port << 4 | (0x100 if slot and port in (4, 6) else 0))
    struct.pack_into('<I', out, PCIE + 4, _code(spec.get('mps_max', 512)) | 0x8000)
    struct.pack_into('<H', out, PCIE + 8, (0x10 if spec.get('relaxed', True) else 0) | _code(control[0]) << 5 |
                     _code(control[1]) << 12 | 0x0f)
    struct.pack_into('<I', out, PCIE + 0x24, 0x1f)
    if 'link' not in spec:
        return
    status, capability = parse_link(spec['link'])
    top = SPEEDS[capability[0]]
    struct.pack_into('<I', out, PCIE + 0x0c, top | capability[1] << 4 | (1 << 20 if port in (4, 6) else 0))
    if status:
        value = SPEEDS[status[0]] | status[1] << 4 | 1 << 12 | (1 << 13 if port in (4, 6) else 0)
    else:
        value = 1 | 1 << 4 | 1 << 12
    struct.pack_into('<H', out, PCIE + 0x12, value)
    struct.pack_into('<H', out, PCIE + 0x1a, 0x40 if status and slot else 0)
    struct.pack_into('<I', out, PCIE + 0x2c, (1 << top) - 1 << 1)
    struct.pack_into('<H', out, PCIE + 0x30, spec.get('target', top))


def _sysfs_path(address, devices):
    """/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0, by the bus numbers of the bridges above."""
    domain, bus = address.split(':')[0], int(address.split(':')[1], 16)
    above = [a for a, d in devices.items() if a.startswith(domain + ':') and d.get('bridge', [None])[0] == bus]
    if above:
        return _sysfs_path(above[0], devices) + '/' + address
    return f'/sys/devices/pci{domain}:{bus:02x}/{address}'


def build(tree, machine, cpus):
    devices = {a: d for a, d in machine.get('pci', {}).items() if d is not None}
    if not machine.get('pci_bus', True):
        return
    tree.dir('/sys/bus/pci/devices')
    tree.dir('/sys/bus/pci/drivers')
    as_root = machine['live'].get('root', True)
    interface = 0
    for address, spec in sorted(devices.items()):
        spec = {**spec, 'bus': int(address.split(':')[1], 16)}
        path = _sysfs_path(address, devices)
        space = config(spec)
        tree.data(path + '/config', space if as_root else space[:64])
        _attributes(tree, path, spec, space, cpus)
        up = '../' * (path.count('/') - 1)
        tree.link(f'/sys/bus/pci/devices/{address}', '../../../' + path[len('/sys/'):])
        tree.link(path + '/subsystem', up + 'bus/pci')
        if spec.get('driver'):
            driver = spec['driver']
            tree.link(path + '/driver', up + f'bus/pci/drivers/{driver}')
            tree.link(f'/sys/bus/pci/drivers/{driver}/{address}', '../../../../' + path[len('/sys/'):])
        if 'iommu' in spec:
            group = f'/sys/kernel/iommu_groups/{spec["iommu"]}'
            tree.link(path + '/iommu_group', up + group[len('/sys/'):])
            tree.line(group + '/type', spec.get('iommu_type', machine.get('iommu_type', 'identity')))
            tree.link(f'{group}/devices/{address}', '../../../../' + path[len('/sys/'):])
        for name in spec.get('net', []):
            interface += 1
            _interface(tree, path, up, name, interface)
    if any('iommu' in d for d in devices.values()):
        tree.dir('/sys/class/iommu/smmu3.0x0000400000000000')
    else:
        tree.dir('/sys/kernel/iommu_groups')


def _attributes(tree, path, spec, space, cpus):
    vendor, device, = struct.unpack_from('<HH', space, 0)
    sub = struct.unpack_from('<HH', space, 0x2c) if not spec.get('bridge') else (0, 0)
    node = spec.get('node', -1)
    local = [n for n in cpus.online if cpus.node(n) == node] if node >= 0 else cpus.online
    tree.lines(path, vendor=f'0x{vendor:04x}', device=f'0x{device:04x}', subsystem_vendor=f'0x{sub[0]:04x}',
               subsystem_device=f'0x{sub[1]:04x}', revision=f'0x{space[8]:02x}', irq=0, enable=1, numa_node=node,
               local_cpulist=ranges(local), driver_override='(null)', **{'class': f'0x{int(spec.get("class", "060000"), 16):06x}'})
    tree.text(path + '/resource', ('0x%016x 0x%016x 0x%016x\n' % (0, 0, 0)) * 7)
    if 'link' in spec:
        status, capability = parse_link(spec['link'])
        status = status or ('2.5', 1)
        tree.lines(path, max_link_speed=_speed(capability[0]), max_link_width=capability[1],
                   current_link_speed=_speed(status[0]), current_link_width=status[1])


def _speed(text):
    return f'{text if "." in text else text + ".0"} GT/s PCIe'


def _interface(tree, path, up, name, number):
    net = f'{path}/net/{name}'
    tree.lines(net, address=planted.MAC[:-2] + f'{number:02x}', operstate='up', speed=100000, mtu=1500, carrier=1)
    tree.link(net + '/device', '../../../' + path.rsplit('/', 1)[1])
    tree.link(f'/sys/class/net/{name}', '../../' + net[len('/sys/'):])


def dump(machine):
    """The same configuration spaces as lspci -F reads them (the output of lspci -xxxx)."""
    out = []
    for address, spec in sorted(machine.get('pci', {}).items()):
        if spec is None:
            continue
        space = config({**spec, 'bus': int(address.split(':')[1], 16)})
        out.append(f'{address} described device\n' + ''.join(
            f'{o:02x}: {space[o:o + 16].hex(" ")}\n' for o in range(0, len(space), 16)) + '\n')
    return ''.join(out)
