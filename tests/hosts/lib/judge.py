# SPDX-License-Identifier: BSD-2-Clause
"""What a machine's description states against what the program says; replay; what may not leak."""
import base64
import json

import planted
from world import FAST, ROLES, Machine, audit, run, run_json, steady

IDENTITY = ('arch', 'family', 'family_confidence', 'product', 'sku', 'midr', 'cpus', 'packages', 'nodes',
            'page_size_bytes', 'timer_hz')


def flat(identity):
    virtual = identity.get('virtualization') or {}
    return {**{key: identity.get(key) for key in IDENTITY}, 'vm': virtual.get('vm'), 'container': virtual.get('container')}


def outcomes_of(machine, reports):
    """Differences between the statement and the reports, and the ids that were judged."""
    faults, seen = [], {}
    found = flat(reports[None]['host'])
    for key, want in machine.described.get('expect', {}).items():
        if want != '*' and found.get(key) != want:
            faults.append(f'{key} is {found.get(key)!r}, want {want!r}')
    for role, report in reports.items():
        for result in report['results']:
            check = result['id']
            want = machine.expected(check, role)
            if want is None:
                faults.append(f'{check} is {result["outcome"]}, and the description states nothing')
            elif result['outcome'] != want[0] and seen.get(check) != result['outcome']:
                said = result.get('reason') or ''
                faults.append(f'{check}{" for " + role if role else ""} is {result["outcome"]} '
                              f'({said}; found {json.dumps(result["found"])[:200]}), want {want[0]}: {want[1]}')
            seen[check] = result['outcome']
    faults += winners_of(machine, reports)
    return faults, seen


def winners_of(machine, reports):
    """Where the description states which libcrypto a program loads."""
    result = next((r for r in reports[None]['results'] if r['id'] == 'software.libcrypto'), {'evidence': []})
    loads = {e['raw'].split(',')[0]: e['path'] for e in result['evidence'] if e['raw']}
    return [f'{program} loads {loads.get(program)}, want {want}'
            for program, want in machine.described.get('winner', {}).items() if loads.get(program) != want]


def planted_in(data):
    text = data.lower() if isinstance(data, str) else data.decode('utf-8', 'replace').lower()
    return [word for word in planted.planted() if word.lower() in text]


def capture_leaks(text):
    """Planted identifiers in a capture: in its text, and in bytes that it holds as base64 or in hexadecimal."""
    found = set(planted_in(text))
    for path, entry in json.loads(text)['questions'].items():
        pieces = [entry['base64']] if 'base64' in entry else []
        pieces += [row[-1] for row in entry.get('ranges', [])]
        for piece in pieces:
            raw = base64.b64decode(piece)
            found.update(f'{word} in {path}' for word in planted_in(raw.decode('latin-1')))
            if planted.UUID_BYTES in raw:
                found.add(f'the UUID in {path}')
            if bytes(map(int, planted.IPV4.split('.'))) in raw:
                found.add(f'the address in {path}')
    return sorted(found)


def captured(machine, root):
    copy = machine.place / 'captured.json'
    run(['capture', '--force', '--quiet', '--root', str(root), str(copy)], wanted=(0,))
    return copy


def replay(copy, root, reports):
    """A capture of the machine gives the same reports, byte for byte."""
    faults = []
    for role in ('dpdk', 'ipsec', 'tls'):
        again = audit(copy, role, FAST)
        if json.dumps(steady(again)) != json.dumps(steady(reports[role])):
            faults.append(f'audit --role {role} differs: {first_difference(reports[role], again)}')
    detected = [steady(run_json(['detect', '--json', '--root', str(place)], FAST)) for place in (root, copy)]
    if json.dumps(detected[0]) != json.dumps(detected[1]):
        faults.append(f'detect differs: {first_difference(*detected)}')
    return faults


def first_difference(a, b):
    a, b = steady(a), steady(b)
    for key in a:
        if key == 'results':
            for x, y in zip(a['results'], b['results']):
                if x != y:
                    name = x['id'] if isinstance(x, dict) and 'id' in x else 'result'
                    part = next((k for k in x if x[k] != y.get(k)), '?')
                    return f'{name}.{part} is {json.dumps(y.get(part))[:160]}, was {json.dumps(x[part])[:160]}'
        if a[key] != b.get(key):
            return f'{key} is {json.dumps(b.get(key))[:160]}, was {json.dumps(a[key])[:160]}'
    return 'nothing that can be named'


def one(name):
    """All about one machine: [(test, faults)], ids seen, evidence of passing findings."""
    machine = Machine(name)
    if machine.tree.refused:
        done = examine(machine, machine.write_capture(), None)
    else:
        with machine.directory() as root:
            done = examine(machine, root, machine.write_capture())
    if not any(faults for _, faults in done[0]):
        machine.capture.unlink()        # half a megabyte each; kept for the reader of a failure
    return done


def examine(machine, root, described):
    """`root` is a directory, and `described` the complete capture; only the capture when something is refused."""
    name, out = machine.name, []
    reports = {role: audit(root, role) for role in ROLES}
    faults, seen = outcomes_of(machine, reports)
    out.append((f'outcomes {name}', faults))
    shown = json.dumps(reports) + run(['audit', '--all', '--verbose', '--root', str(root)], FAST)
    shown += run(['detect', '--root', str(root)], FAST)
    leaks = [f'{word} is shown' for word in planted_in(shown)] if described else []
    if described:
        copy = captured(machine, root)
        out.append((f'replay {name}', replay(copy, root, reports)))
        text = copy.read_text(encoding='utf-8')
        leaks += [f'{word} is captured' for word in capture_leaks(text)]
        other = audit(described, 'dpdk', FAST)
        faults = [f'{a["id"]} is {b["outcome"]} from the capture, {a["outcome"]} from the directory'
                  for a, b in zip(reports['dpdk']['results'], other['results']) if a['outcome'] != b['outcome']]
        if flat(reports['dpdk']['host']) != flat(other['host']):
            faults.append('the identity differs')
        out.append((f'capture {name}', faults))
        out.append((f'secrets {name}', leaks))
    return out, seen, evidence_of(reports)


def evidence_of(reports):
    """(check, path, raw, role) of what passing findings rest on."""
    out, have = [], set()
    for role in ('dpdk', 'ipsec', 'tls'):
        for result in reports[role]['results']:
            if result['outcome'] == 'pass' and result['id'] not in have:
                have.add(result['id'])
                out += [(result['id'], e['path'], e['raw'], role) for e in result['evidence']]
    return out
