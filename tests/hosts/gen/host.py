#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""A described machine as a capture, as a directory root, as a cpuinfo file, for lspci -F or for dmidecode --from-dump.

host.py MACHINE.json [--capture FILE] [--directory DIR] [--lspci FILE] [--dmi FILE]"""
import argparse
import base64
import os

import cpu
import kernel
import machine as machines
import numa
import pci
import redfish
import smbios
import software
from tree import Tree


def live(machine):
    out = dict(machine['live'])
    if out.get('arch') == 'aarch64' and 'hwcap' not in out:
        out['hwcap'], out['hwcap2'] = cpu.hwcaps(machine['cpu'])
    if out.get('hwcap') == 'unknown':
        del out['hwcap']
    out.setdefault('environment', [])
    out.setdefault('root', True)
    return out


def build(machine):
    """(tree, live) of a description."""
    tree = Tree()
    cpus = cpu.build(tree, machine)
    numa.build(tree, machine, cpus)
    numa.build_acpi(tree, machine, cpus)
    pci.build(tree, machine, cpus)
    kernel.build(tree, machine)
    software.build(tree, machine)
    redfish.build(tree, machine)
    for path, text in machine.get('files', {}).items():
        tree.text(path, text)
    for path, data in machine.get('data', {}).items():
        tree.data(path, base64.b64decode(data))
    for path, target in machine.get('links', {}).items():
        tree.link(path, target)
    for path, size in machine.get('big', {}).items():
        tree.data(path, b'x' * size)
    for path in machine.get('dirs', []):
        tree.dir(path)
    for path in machine.get('remove', []):
        tree.remove(path)
    for path, size in machine.get('truncate', {}).items():
        for found in tree.expand(path):
            tree.files[found] = tree.files[found][:size]
    for path in machine.get('deny', []):
        for found in tree.expand(path):
            tree.refuse(found)
    if not machine['live'].get('root', True):
        for path in [p for p, mode in tree.modes.items() if not mode & 0o004 and p in tree.files]:
            tree.refuse(path)
    for path, name in machine.get('errno', {}).items():
        for found in tree.expand(path):
            tree.refuse(found, name)
    return tree, live(machine)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('machine')
    for name in ('capture', 'directory', 'lspci', 'dmi'):
        parser.add_argument('--' + name)
    args = parser.parse_args()
    described = machines.load(args.machine)
    tree, alive = build(described)
    if args.capture:
        tree.write_capture(args.capture, alive)
    if args.directory:
        tree.write_directory(os.path.abspath(args.directory), alive)
    if args.lspci:
        with open(args.lspci, 'w', encoding='ascii') as out:
            out.write(pci.dump(described))
    if args.dmi:
        with open(args.dmi, 'wb') as out:
            out.write(smbios.dump(described))


if __name__ == '__main__':
    main()
