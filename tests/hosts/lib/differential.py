# SPDX-License-Identifier: BSD-2-Clause
"""The same described machine read by lscpu, dmidecode and lspci: they agree, or the difference is listed with its reason."""
import json
import re
import shutil
import subprocess

import pci
import smbios
from world import FAST, Machine, audit, run_json

# Where lscpu says something else, and why that is right for it.
LSCPU_DIFFERS = {
    'Architecture': 'lscpu prints what it was built for',
    ('apple-m1', 'Model name'): 'lscpu gives one row per kind of core',
    ('altra-1p-offline-cpus', 'CPU(s)'): 'lscpu counts present CPUs here, we those that are online',
}
LSCPU_MACHINES = ('altra-1p', 'altra-1p-defaults', 'altra-1p-offline-cpus', 'altra-2p-jade-wiwynn', 'altra-2p-anc-quadrant',
                  'ampereone-1p', 'graviton2-metal', 'kunpeng920-2p-taishan', 'nvidia-grace', 'x86-epyc', 'vm-hetzner-cax11')
DMIDECODE_MACHINES = ('altra-1p', 'altra-1p-smbios-2', 'altra-2p-jade-edk2', 'altra-2p-unequal', 'altra-q64-22-asrockrack-altrad8ud',
                      'altra-q80-30-gigabyte-e252-16dimm', 'altra-q80-26-adlink-ava', 'altra-1p-down-clocked', 'ampereone-1p',
                      'ampereone-m', 'altramax-2p-huaqin')
LSPCI_MACHINES = ('altra-1p', 'altra-1p-link-degraded', 'altra-1p-gen3-card', 'altra-1p-narrow-slot', 'altra-1p-pci-defaults',
                  'altra-q80-26-adlink-ava', 'ampereone-a192-supermicro-64k', 'graviton2-metal')
TOOLS = {'lscpu': 'util-linux', 'dmidecode': 'dmidecode', 'lspci': 'pciutils'}


def output(argv):
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=60,
                          env={'LC_ALL': 'C', 'PATH': '/usr/sbin:/usr/bin:/sbin:/bin'}).stdout


def flatten(rows):
    for row in rows:
        yield row['field'].rstrip(':'), row['data']
        yield from flatten(row.get('children', []))


def lscpu(name):
    machine, faults = Machine(name), []
    with machine.directory() as root:
        theirs = dict(flatten(json.loads(output(['lscpu', '--sysroot', root, '-J']))['lscpu']))
        host = run_json(['detect', '--json', '--root', root], FAST)['host']
    ours = {'CPU(s)': host['cpus'], 'Socket(s)': host['packages'], 'NUMA node(s)': host['nodes'],
            'Flags': ' '.join(host['features'])}
    if host['arch'] == 'aarch64':
        ours['BogoMIPS'] = f'{host["timer_hz"] * 2 / 1000000:.2f}'
        if host['implementer'] == 0x41:
            ours['Stepping'] = f'r{host["variant"]}p{host["revision"]}'
        if host['family'] in ('altra', 'neoverse-n1'):
            ours['Model name'] = 'Neoverse-N1'
    for key, value in ours.items():
        if key in theirs and theirs[key] != str(value) and (name, key) not in LSCPU_DIFFERS:
            faults.append(f'{key} is {theirs[key]} for lscpu and {value} for us')
        if key not in theirs and key != 'Stepping':
            faults.append(f'lscpu has no {key}')
    return [(f'lscpu {name}', faults)]


def sections(text, title):
    for block in text.split('\n\n'):
        if title in block.split('\n'):
            yield dict(re.findall(r'^\t([^\t:]+): (.*)$', block, re.M))


def dmidecode(name):
    machine, faults = Machine(name), []
    dump = machine.place / 'dump.bin'
    dump.write_bytes(smbios.dump(machine.described))
    text = output(['dmidecode', '--from-dump', str(dump)])
    report = audit(machine.write_capture(), None, FAST)
    host, found = report['host'], {r['id']: r for r in report['results']}
    for title, key, ours in (('BIOS Information', 'Vendor', host['firmware']['vendor']),
                             ('BIOS Information', 'Version', host['firmware']['version']),
                             ('BIOS Information', 'Release Date', host['firmware']['date'])):
        theirs = next(sections(text, title))[key]
        if theirs != ours:
            faults.append(f'{title} {key} is {theirs} for dmidecode and {ours} for us')
    used = [p for p in sections(text, 'Processor Information') if p['Status'].startswith('Populated')]
    if host['packages'] != len(used):
        faults.append(f'{len(used)} processors for dmidecode, {host["packages"]} packages for us')
    if host['sku'] and {p['Part Number'] for p in used} != {host['sku']}:
        faults.append(f'part number is {used[0]["Part Number"]} for dmidecode and {host["sku"]} for us')
    dimms = [d for d in sections(text, 'Memory Device') if d['Size'] != 'No Module Installed']
    stated = smbios.populated(machine.described['smbios']['memory'])
    if sorted(d['Locator'] for d in dimms) != sorted(stated):
        faults.append(f'filled slots are {sorted(d["Locator"] for d in dimms)} for dmidecode')
    least = min(int(d['Configured Memory Speed'].split()[0]) for d in dimms)
    ours = found['memory.speed']['found']
    if isinstance(ours, int) and ours != least:
        faults.append(f'the slowest DIMM runs at {least} for dmidecode and {ours} for us')
    return [(f'dmidecode {name}', faults)]


def devices(text):
    """{address: registers} of lspci -vv."""
    out = {}
    for block in text.split('\n\n'):
        address = block.split(' ', 1)[0]
        link = {kind: (float(speed), int(width)) for kind, speed, width in
                re.findall(r'(LnkCap|LnkSta):.*?Speed ([0-9.]+)GT/s[^,]*, Width x(\d+)', block)}
        control = re.search(r'MaxPayload (\d+) bytes, MaxReadReq (\d+) bytes', block)
        behind = re.search(r'secondary=(\w\w),', block)
        if address:
            out[address] = {'link': link, 'behind': behind and behind.group(1), 'class': block.split('\n')[0],
                            'active': 'DLActive+' in block, 'payload': control and int(control.group(1)),
                            'read': control and int(control.group(2)), 'relaxed': 'RlxdOrd+' in block}
    return out


def lspci(name):
    machine, faults = Machine(name), []
    dump = machine.place / 'lspci.txt'
    dump.write_text(pci.dump(machine.described), encoding='ascii')
    found = {r['id']: r for r in audit(machine.write_capture(), 'dpdk', FAST)['results']}
    want = {'pci.link': set(), 'pci.slot': set(), 'pci.payload': set(), 'pci.read-request': set(), 'pci.relaxed-ordering': set()}
    all_ = devices(output(['lspci', '-F', str(dump), '-vv', '-D']))
    for port in all_.values():
        if not port['behind'] or not port['active']:
            continue
        for address, card in all_.items():
            if address.split(':')[1] != port['behind'] or not card['link']:
                continue
            caps = (port['link']['LnkCap'], card['link']['LnkCap'])
            if any(card['link']['LnkSta'][i] < min(caps[0][i], caps[1][i]) for i in (0, 1)):
                want['pci.link'].add(address)
            if any(caps[0][i] < caps[1][i] for i in (0, 1)):
                want['pci.slot'].add(address)
            if port['payload'] != card['payload']:
                want['pci.payload'].add(address)
            if 'Ethernet' in card['class'] and card['read'] < 512:
                want['pci.read-request'].add(address)
            if 'Ethernet' in card['class'] and not card['relaxed']:
                want['pci.relaxed-ordering'].add(address)
    for check, addresses in want.items():
        ours = found[check]['found'] or []
        if len(ours) != len(addresses) or not all(any(a in item for item in ours) for a in addresses):
            faults.append(f'{check} names {ours}, by lspci it is {sorted(addresses)}')
    return [(f'lspci {name}', faults)]


def jobs():
    """(work, machine) of every tool that is here, and (tool, package) of those that are not."""
    have, lack = [], []
    for work, machines in ((lscpu, LSCPU_MACHINES), (dmidecode, DMIDECODE_MACHINES), (lspci, LSPCI_MACHINES)):
        tool = work.__name__
        if shutil.which(tool, path='/usr/sbin:/usr/bin:/sbin:/bin'):
            have += [(work, name) for name in machines]
        else:
            lack.append((tool, TOOLS[tool]))
    return have, lack
