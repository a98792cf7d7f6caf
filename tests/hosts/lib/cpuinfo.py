# SPDX-License-Identifier: BSD-2-Clause
"""detect --cpuinfo on /proc/cpuinfo of many machines, rows of tests/hosts/cpuinfo.json."""
import json

from world import HOSTS, WORK, run_json

NEEDED = ('aes', 'pmull', 'sha1', 'sha2', 'atomics')
# How the keys are written: a tab, or blanks up to a column.
PADS = {'tab': None, 'pad16': 16, 'pad14': 14}


def line(key, value, style):
    pad = PADS[style]
    if pad is None and key == 'CPU architecture':
        return f'{key}: {value}\n'        # the kernel writes this one without a tab
    return f'{key}\t: {value}\n' if pad is None else f'{key:<{pad}}: {value}\n'


def text(row):
    blocks, number = [], 0
    for cpus in row['cpus']:
        for _ in range(cpus['count']):
            block = line('processor', number, row['style']) if cpus.get('processor', True) else ''
            blocks.append(block + ''.join(line(k, v, row['style']) for k, v in cpus['lines'].items()))
            number += 1
    out = row.get('before', '') + '\n'.join(blocks) + row.get('after', '')
    if row.get('blank_at_end', True) and blocks:
        out += '\n'
    if not row.get('newline_at_end', True):
        out = out.rstrip('\n')
    out = out[:row.get('cut', len(out))]
    return out.replace('\n', '\r\n') if row.get('crlf') else out


def compare(found, want):
    faults = []
    for key in ('arch', 'family', 'midr', 'cpus', 'features', 'timer_hz'):
        if key in want and found[key] != want[key]:
            faults.append(f'{key} is {found[key]!r}, want {want[key]!r}')
    if 'confidence' in want and found['family_confidence'] != want['confidence']:
        faults.append(f'confidence is {found["family_confidence"]}, want {want["confidence"]}')
    if want.get('arch') == 'aarch64' and 'family' in want and 'features' not in want:
        missing = [name for name in NEEDED if name not in found['features']]
        if missing != want.get('missing', []):
            faults.append(f'missing features are {missing}, want {want.get("missing", [])}')
    faults += [f'{name} is not among the features' for name in want.get('has', []) if name not in found['features']]
    if 'gcc' in want and want['gcc'] not in (found['flags'] or {}).get('gcc', {}).get('wanted', '').replace('+', '=').split('='):
        faults.append(f'flags for gcc are {found["flags"]}, want {want["gcc"]}')
    return faults


def rows():
    """[(test, faults)]"""
    out = []
    place = WORK / 'cpuinfo'
    place.mkdir(parents=True, exist_ok=True)
    with open(HOSTS / 'cpuinfo.json', encoding='utf-8') as file:
        table = json.load(file)['rows']
    for row in table:
        path = place / row['name']
        path.write_bytes(text(row).encode())
        found = run_json(['detect', '--json', '--cpuinfo', str(path)])['host']
        out.append((f'cpuinfo {row["name"]}', compare(found, row['expect'])))
    return out
