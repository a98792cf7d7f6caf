# SPDX-License-Identifier: BSD-2-Clause
"""Evidence taken away: what a passing finding rests on is refused, removed, or was never captured."""
import json

from judge import captured
from world import FAST, Machine, audit

# Checks with several witnesses: one that cannot be read leaves the others. A finding that still passes must not cite it.
WITNESSES = {
    'cpu.family': 'SOC_ID, SMBIOS, PCI and the timer each say it',
    'cpu.features': 'the auxiliary vector lists what /proc/cpuinfo does',
    'cpu.id-registers': 'the auxiliary vector lists what /proc/cpuinfo does',
    'cpu.uniform': 'the MIDR of each CPU is in sysfs too',
    'firmware.anc': 'the SRAT tells the nodes that sysfs does',
    'firmware.cppc': 'setup and the DSDT stand beside what the kernel sees',
    'firmware.lpi': 'setup and the DSDT stand beside what the kernel sees',
    'firmware.pending': 'setup and effect agree whatever the DSDT says',
    'firmware.slc-as-l3': 'sysfs and the PPTT each list the caches',
    'firmware.version': 'sysfs has the string of the SMBIOS table too',
    'kernel.irqbalance': 'the process list tells what control groups do',
}


def share(evidence):
    """{machine: {path: {role: [checks]}}}: each check with each path once, on the first machine that has it."""
    out, taken = {}, set()
    for machine, rows in evidence.items():
        for check, path, _, role in rows:
            # A made-up name is no file of the description; other machines have the same evidence under its own.
            if not path.startswith('/') or '*' in path or '/hidden-' in path or (check, path) in taken:
                continue
            taken.add((check, path))
            out.setdefault(machine, {}).setdefault(path, {}).setdefault(role, []).append(check)
    return out


class Copies:
    """The complete capture of a machine with one entry changed, written again and again to one file."""

    def __init__(self, machine):
        self.machine = machine
        self.path = machine.place / 'changed.json'
        self.capture = machine.tree.capture(machine.live)
        self.entries = {k: f'{json.dumps(k)}: {json.dumps(v)}' for k, v in self.capture.pop('questions').items()}
        self.head = json.dumps(self.capture)[:-1] + ', "questions": {\n'

    def spellings(self, path):
        return {path, self.machine.tree.canonical(path)}

    def exists(self, path):
        return self.machine.tree.canonical(path) in self.entries

    def write(self, entries):
        self.path.write_text(self.head + ',\n'.join(entries.values()) + '}}\n', encoding='utf-8')
        return self.path

    def refused(self, path):
        changed = {k: v for k, v in self.entries.items() if not self.below(k, path)}
        for name in self.spellings(path):
            changed[name] = f'{json.dumps(name)}: {json.dumps(self.refusal(name))}'
        return self.write(changed)

    def refusal(self, path):
        """A file that may not be read can still be seen; where there is none, its directory may not be searched."""
        size = len(self.machine.tree.read(path) or b'')
        if size or self.machine.tree.canonical(path) in self.machine.tree.files:
            return {'errno': 'EACCES', 'stat': {'type': 'file', 'size': size, 'mode': 0o400}}
        if self.exists(path):
            return {'errno': 'EACCES', 'stat': {'type': 'dir', 'size': 0, 'mode': 0o700}}
        return {key + 'errno': 'EACCES' for key in ('', 'stat_', 'lstat_', 'link_')}

    def removed(self, path):
        return self.write({k: v for k, v in self.entries.items() if not self.below(k, path)})

    def below(self, key, path):
        return any(key == name or key.startswith(name + '/') for name in self.spellings(path))


def results(path, role):
    return {r['id']: r for r in audit(path, role, FAST)['results']}


def cites(result, path):
    return any(e['path'] == path for e in result['evidence'])


def take_away(name, paths):
    """[(test, faults)] of one machine."""
    machine = Machine(name)
    copies = Copies(machine)
    faults = {'refused': [], 'removed': []}
    before = {}
    for path, roles in paths.items():
        for role, checks in roles.items():
            if role not in before:
                before[role] = results(copies.write(copies.entries), role)
            now = results(copies.refused(path), role)
            for check in checks:
                if now[check]['outcome'] == 'unknown' or (check in WITNESSES and not cites(now[check], path)):
                    continue
                faults['refused'].append(f'{check} is {now[check]["outcome"]} with {path} refused, want unknown')
            if not copies.exists(path):
                continue
            now = results(copies.removed(path), role)
            for check, was in before[role].items():
                if now[check]['outcome'] != 'pass':
                    continue
                # What takes away the fault itself may of course pass.
                if was['outcome'] in ('fail', 'unknown') and not cites(was, path):
                    faults['removed'].append(f'{check} was {was["outcome"]} and passes without {path}')
                elif check in checks and cites(now[check], path):
                    faults['removed'].append(f'{check} still cites {path}, which is gone')
    copies.path.unlink()
    return [(f'evidence refused {name}', faults['refused']), (f'evidence removed {name}', faults['removed']),
            (f'evidence not captured {name}', forgotten(machine, paths))]


def forgotten(machine, paths):
    """A capture that was never asked about the evidence."""
    faults = []
    if machine.tree.refused:
        whole = captured(machine, machine.write_capture())
    else:
        with machine.directory() as root:
            whole = captured(machine, root)
    capture = json.loads(whole.read_text(encoding='utf-8'))
    copy = machine.place / 'changed.json'
    for path, roles in paths.items():
        names = {path, machine.tree.canonical(path)}
        questions = {k: v for k, v in capture['questions'].items() if not any(k == n or k.startswith(n + '/') for n in names)}
        if len(questions) == len(capture['questions']):
            continue
        copy.write_text(json.dumps({**capture, 'complete': False, 'questions': questions}), encoding='utf-8')
        for role, checks in roles.items():
            now = results(copy, role)
            faults += [f'{check} passes and cites {path}, which was not captured' for check in checks
                       if now[check]['outcome'] == 'pass' and (check not in WITNESSES or cites(now[check], path))]
    copy.unlink(missing_ok=True)
    return faults
