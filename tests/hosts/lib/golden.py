# SPDX-License-Identifier: BSD-2-Clause
"""The layout of the text on a few machines. Whether it is right is for the outcomes to say.

golden.py writes the files anew, to be read before they are committed."""
import difflib
import sys

from world import HOSTS, Machine, run

TEXTS = (('altra-1p', 'detect'), ('altra-1p-defaults', 'audit'), ('vm-oci-a1', 'detect'), ('altra-1p-hostile-strings', 'detect'))


def text(name, command):
    return run([command, '--root', str(Machine(name).write_capture())])


def compare():
    """[(test, faults)]"""
    out = []
    for name, command in TEXTS:
        path = HOSTS / 'golden' / f'{name}.{command}.txt'
        want = path.read_text(encoding='utf-8').split('\n') if path.exists() else []
        lines = [line for line in difflib.unified_diff(want, text(name, command).split('\n'), lineterm='', n=0)][2:]
        out.append((f'layout of {command} {name}', lines and [f'differs from golden/{path.name}'] + lines))
    return out


if __name__ == '__main__':
    for machine_name, of in TEXTS:
        (HOSTS / 'golden' / f'{machine_name}.{of}.txt').write_text(text(machine_name, of), encoding='utf-8')
    sys.exit(0)
