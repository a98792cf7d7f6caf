# SPDX-License-Identifier: BSD-2-Clause
"""What bench needs in a guest beside what the lab has there: DPDK's program, its drivers, their libraries."""
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/lab"))
import image as images  # noqa: E402
from cpio import Archive  # noqa: E402

PERF = "usr/bin/dpdk-test-crypto-perf"
TRIPLET = "usr/lib/aarch64-linux-gnu"
# The program loads every driver of its folder: these, and no other.
DRIVERS = ("bus_vdev", "mempool_ring", "crypto_openssl")
LIBRARIES = "crypto-openssl crypto-scheduler cryptodev eal kvargs telemetry mbuf mempool mempool-ring ring rcu net security bus-vdev reorder ethdev meter"
# By release of Debian: DPDK 22.11, whose libraries end in 23, and 24.11.
PACKAGES = {
    12: ["dpdk-dev", "libnuma1", "libfdt1", "libbsd0", "libmd0", "libssl3", *(f"librte-{name}23" for name in LIBRARIES.split())],
    13: ["dpdk-dev", "libnuma1", "libfdt1", "libbsd0", "libmd0", "libssl3t64", "openssl-provider-legacy",
         *(f"librte-{name}25" for name in (LIBRARIES + " log argparse").split())],
}
APPLETS = ("pidof", "kill", "rm", "seq", "chmod")


def make(image, debian):
    """The path of one more archive for the guests of this release."""
    suite = images.suite_of_guest(debian)
    release = 13 if suite == images.SUITES[13] else 12
    root = images.unpack(f"bench-{suite}", suite, ["-n"], PACKAGES[release])
    bases = (root, image.userland[suite])
    drivers = sorted(path for path in (root / TRIPLET / "dpdk").glob("pmds-*/*.so*")
                     if any(path.name.startswith(f"librte_{name}.so") for name in DRIVERS))
    if len({path.name.partition(".")[0] for path in drivers}) != len(DRIVERS):
        raise images.Missing(f"no drivers of DPDK in the packages of {suite}: {[path.name for path in drivers]}")
    legacy = next(path for base in bases for path in base.rglob("ossl-modules/legacy.so"))
    files = [root / PERF, *drivers, legacy, *closure(bases, [root / PERF, *drivers])]
    target = images.LAB / f"bench-{debian}.cpio"
    with open(target, "wb") as stream:
        archive, there = Archive(stream), set()
        for path in files:
            put(archive, next(base for base in bases if path.is_relative_to(base)), path, there)
        for name in APPLETS:
            archive.link(f"/usr/bin/{name}", "busybox")
        archive.link("/var/run", "../run")
        archive.close()
    return target


def put(archive, base, path, there):
    """A file where its package has it, and links as links: a driver that is there twice registers twice."""
    name = str(path.relative_to(base))
    name = f"/usr/{name}" if name.startswith("lib/") else f"/{name}"
    if name in there:
        return
    there.add(name)
    if path.is_symlink():
        archive.link(name, str(path.readlink()))
        put(archive, base, path.parent.resolve() / path.readlink(), there)
    else:
        archive.file(name, path.read_bytes(), 0o755)


def closure(bases, files):
    """As the lab finds them, but in several roots."""
    found, queue = {}, list(files)
    while queue:
        listing = images.run(["aarch64-linux-gnu-readelf", "-d", queue.pop()])
        for name in (line.partition("[")[2].rstrip("]\n") for line in listing.splitlines() if "(NEEDED)" in line):
            if name in found:
                continue
            paths = [base / folder / name for base in bases for folder in (TRIPLET, "lib/aarch64-linux-gnu")]
            found[name] = next((path for path in paths if path.exists()), None)
            if not found[name]:
                raise images.Missing(f"no arm64 {name}: a package in tests/bench-lab/stack.py is missing")
            queue.append(found[name])
    return found.values()
