# SPDX-License-Identifier: BSD-2-Clause
"""The described machines as files, and the program run on them."""
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HOSTS = Path(__file__).resolve().parent.parent
TOP = HOSTS.parent.parent
sys.path.insert(0, str(HOSTS / 'gen'))

import host      # noqa: E402
import machine   # noqa: E402

PROGRAM = os.environ.get('CHECK_PROGRAM', str(TOP / 'build/gcc/src/cli/ampere-crypto'))
# Evidence is taken away hundreds of times: with the release build where there is one.
FAST = os.path.join(os.environ.get('CHECK_RELEASE', str(TOP / 'build/release')), 'src/cli/ampere-crypto')
FAST = FAST if os.path.exists(FAST) else PROGRAM
WORK = Path(os.environ.get('CHECK_WORK', TOP / 'build/check/hosts'))
MEMORY = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
FULL = os.environ.get('CHECK_FULL') == '1'
ROLES = (None, 'dpdk', 'ipsec', 'tls')
# These say when and how the program ran, not what it found.
VOLATILE = ('started', 'elapsed_ms', 'argv')


class Broken(Exception):
    """The program crashed, timed out or printed no JSON."""


def run(argv, program=PROGRAM, wanted=(0, 1, 2, 3), text=True):
    done = subprocess.run([program, *argv], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False,
                          env={**os.environ, 'NO_COLOR': '1', 'ASAN_OPTIONS': 'abort_on_error=1', 'COLUMNS': '80'})
    err = done.stderr.decode('utf-8', 'replace').strip()
    if done.returncode not in wanted:
        lines = [line for line in err.split('\n') if line.strip()]
        raise Broken(f'{" ".join(argv)}: exit status {done.returncode}: {(lines or ["nothing on stderr"])[0]}')
    return done.stdout.decode('utf-8') if text else done.stdout


def run_json(argv, program=PROGRAM):
    out = run(argv, program)
    try:
        return json.loads(out)
    except ValueError as err:
        raise Broken(f'{" ".join(argv)}: no JSON: {err}') from err


def audit(root, role=None, program=PROGRAM):
    return run_json(['audit', '--json', '--root', str(root)] + (['--role', role] if role else []), program)


def steady(document):
    """What must not change from run to run."""
    return {key: value for key, value in document.items() if key not in VOLATILE}


class Machine:
    def __init__(self, name):
        self.name = name
        self.described = machine.load(name)
        self.tree, self.live = host.build(self.described)
        self.place = WORK / name
        self.place.mkdir(parents=True, exist_ok=True)
        self.capture = self.place / 'described.json'

    def write_capture(self):
        """All of the tree, nothing redacted; what is not in it does not exist."""
        self.tree.write_capture(self.capture, self.live)
        return self.capture

    @contextlib.contextmanager
    def directory(self):
        """The same as a directory, but for refusals. In memory where that can be: it is thousands of files."""
        with tempfile.TemporaryDirectory(prefix='ampere-crypto-hosts-', dir=MEMORY) as path:
            self.tree.write_directory(path + '/root', self.live)
            yield path + '/root'

    def expected(self, check, role):
        """[outcome, reason] stated for a check, or None."""
        every = self.described.get('all_outcomes')
        if every:
            return every
        by_role = self.described.get('roles', {}).get(role or 'none', {})
        return by_role.get(check) or self.described.get('outcomes', {}).get(check)

    def expected_ids(self):
        return set(self.described.get('outcomes', {}))
