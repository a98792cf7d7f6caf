# SPDX-License-Identifier: BSD-2-Clause
"""Every check has a machine where it fails and one where it is unknown, as the descriptions state it."""
import machine

# What no machine can show, and why.
IMPOSSIBLE = {
    ('software.compiler', 'fail'): 'compilers run on the machine itself, never on a described one: see detect --probe',
    ('kernel.page-size', 'fail'): 'every size that the kernel can have is fine: the check is for information',
}


def stated():
    """{check: {outcome: machine}} over all descriptions."""
    out, every = {}, set()
    for name in machine.names():
        described = machine.load(name)
        rows = [described.get('outcomes', {})] + list(described.get('roles', {}).values())
        every.update(described.get('outcomes', {}))
        for row in rows:
            for check, (outcome, _) in row.items():
                if 'all_outcomes' not in described:
                    out.setdefault(check, {}).setdefault(outcome, name)
        if 'all_outcomes' in described:
            for check in every:
                out.setdefault(check, {}).setdefault(described['all_outcomes'][0], name)
    return out


def faults(known):
    """`known`: ids that the program judged."""
    out, rows = [], stated()
    for check in sorted(set(known) | set(rows)):
        if check not in known:
            out.append(f'{check} is described, and the program does not know it')
        for outcome in ('pass', 'fail', 'unknown'):
            have = rows.get(check, {}).get(outcome)
            if not have and (check, outcome) not in IMPOSSIBLE and not (outcome == 'pass' and (check, 'fail') in IMPOSSIBLE):
                out.append(f'no machine where {check} is {outcome}')
            if have and (check, outcome) in IMPOSSIBLE:
                out.append(f'{check} is {outcome} on {have}, which is called impossible')
    return out
