# SPDX-License-Identifier: BSD-2-Clause
"""Machine descriptions: JSON with inheritance. A value null takes away what the base says; objects merge, all else replaces."""
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINES = os.path.join(os.path.dirname(HERE), 'machines')
# Lists that add to those of the base.
GROWING = ('remove', 'deny')


def merge(base, over):
    out = dict(base)
    for key, value in over.items():
        if key == 'expect':
            out[key] = {**out.get(key, {}), **value}      # null is an expectation there
        elif value is None:
            out.pop(key, None)
        elif isinstance(value, dict) and isinstance(out.get(key), dict) and '=' not in value:
            out[key] = merge(out[key], value)
        elif isinstance(value, dict):
            out[key] = merge({}, {k: v for k, v in value.items() if k != '='})
        elif key in GROWING:
            out[key] = out.get(key, []) + value
        else:
            out[key] = value
    return out


def _unique(pairs):
    out = {}
    for key, value in pairs:
        if key in out:
            raise ValueError(f'key "{key}" twice')
        out[key] = value
    return out


def load(path):
    """A description by file name or by the name of a file in machines/, with its bases merged in."""
    if '/' not in path and not path.endswith('.json'):
        path = os.path.join(MACHINES, path + '.json')
    with open(path, encoding='utf-8') as file:
        try:
            over = json.load(file, object_pairs_hook=_unique)
        except ValueError as err:
            raise ValueError(f'{path}: {err}') from err
    name = os.path.splitext(os.path.basename(path))[0]
    bases = over.pop('base', [])
    base = {}
    for item in [bases] if isinstance(bases, str) else bases:
        base = merge(base, load(os.path.join(os.path.dirname(path), item + '.json')))
    out = merge(base, over)
    out['name'] = name
    return out


def names():
    """Machines to test; a name that begins with '_' is only a base."""
    return sorted(f[:-5] for f in os.listdir(MACHINES) if f.endswith('.json') and not f.startswith('_'))
