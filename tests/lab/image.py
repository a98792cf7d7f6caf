# SPDX-License-Identifier: BSD-2-Clause
"""What the guests boot: packages from a private root, the arm64 build of the program, an initramfs that holds both.

Everything lies below build/lab and is made again only when what it is made of has changed.
"""
import fcntl
import hashlib
import os
import re
import subprocess
from pathlib import Path

from cpio import Archive

TOP = Path(__file__).resolve().parents[2]
LAB = TOP / "build/lab"
TOOLS = {
    "qemu-system-aarch64": "qemu-system-arm",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu",
    "apt-get": "apt",
    "depmod": "kmod",
    "meson": "meson",
    "pkg-config": "pkgconf",
}
SUITES = {12: "bookworm", 13: "trixie"}
# The firmware of Debian 13 describes its flash outside of the memory that SRAT covers, so that the kernel takes both nodes.
FIRMWARE = ("trixie", ["-n"], ["qemu-efi-aarch64"])
# By release of Debian: 12 with pages of 4 KiB, 13 with pages of 16 KiB.
KERNELS = {12: ("bookworm", ["-n"], ["@linux-image-arm64"]), 13: ("trixie", ["-n"], ["@linux-image-arm64-16k"])}
USERLAND = ["libc6", "libcjson-dev", "libpci-dev", "libarchive-dev", "liblzma-dev", "zlib1g-dev", "libcurl4-openssl-dev",
            "busybox-static", "openssl", "libc-bin", "base-files"]
PROGRAMS = ["usr/bin/openssl", "usr/sbin/ldconfig", "sbin/ldconfig", "bin/busybox", "usr/bin/busybox"]
HELPER = "usr/libexec/ampere-crypto/ampere-crypto-kat-bench"
SETTINGS = re.compile(r"^(usr/share/ampere-crypto/.*|etc/ld\.so\.conf.*|usr/lib/os-release|etc/debian_version)$")
APPLETS = ("sh cat cp cut dd dmesg echo env false find grep head ifconfig insmod id ls ln lsmod mkdir mount modprobe od poweroff printf "
           "readlink sed setpriv sleep sort stat sync tail tar test timeout touch tr true umount uname unshare wc xxd").split()
MODULES = re.compile(r"/(arch/arm64/crypto|crypto|lib/crypto|fs/efivarfs|drivers/virtio|drivers/vfio|drivers/cpufreq|"
                     r"drivers/char/virtio_console|drivers/net/ethernet/intel/e1000e|drivers/ptp|drivers/pps|drivers/iommu|lib)(/|\.ko)")


class Missing(Exception):
    """Something that the lab needs cannot be had on this machine."""


def run(argv, **options):
    done = subprocess.run([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False, **options)
    if done.returncode:
        raise RuntimeError(f"{argv[0]} exited {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def suite_of_host():
    """What the cross compiler builds runs with the C library of the same release and of newer ones."""
    text = Path("/etc/os-release").read_text(errors="replace")
    found = re.search(r"^VERSION_CODENAME=\"?(\w+)", text, re.M)
    return found.group(1) if found and found.group(1) in SUITES.values() else SUITES[12]


def suite_of_guest(debian):
    """The libraries and OpenSSL of a guest: of its release, but not older than what the program is built for."""
    return SUITES[13] if suite_of_host() == SUITES[13] else SUITES[debian]


def unpack(name, suite, options, packages):
    into = LAB / name
    argv = [TOP / "contrib/apt-root", "-a", "arm64", "-s", suite, *options, into, *packages]
    done = subprocess.run([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Missing(f"no arm64 packages: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else argv[0]}")
    return into


class Image:
    """Paths of what a boot needs, by release of Debian: kernels, their module folders, initramfs."""

    def __init__(self, debians):
        searched = os.environ["PATH"].split(":") + ["/usr/sbin", "/sbin"]
        for tool, package in TOOLS.items():
            if not any(os.access(Path(folder) / tool, os.X_OK) for folder in searched):
                raise Missing(f"no {tool} (package {package})")
        LAB.mkdir(parents=True, exist_ok=True)
        with open(LAB / "lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.make(debians)

    def make(self, debians):
        self.firmware = unpack("firmware", *FIRMWARE) / "usr/share/AAVMF"
        suites = {suite_of_host(), *map(suite_of_guest, debians)}
        self.userland = {suite: unpack(f"userland-{suite}", suite, [], USERLAND) for suite in sorted(suites)}
        self.sysroot = self.userland[suite_of_host()]
        self.kernels, self.modules = {}, {}
        for debian in debians:
            folder = unpack(f"kernel-{debian}", *KERNELS[debian])
            self.kernels[debian] = next((folder / "boot").glob("vmlinuz-*"))
            self.modules[debian] = next(path for path in (folder / "usr/lib/modules", folder / "lib/modules") if path.is_dir())
        self.staged = self.build_program()
        self.initramfs = {debian: self.pack(debian) for debian in debians}

    def build_program(self):
        build, staged = LAB / "arm64", LAB / "staged"
        libraries = LAB / "sysroot.ini"
        triplet = self.sysroot / "usr/lib/aarch64-linux-gnu"
        libraries.write_text(f"""[properties]
sys_root = '{self.sysroot}'
pkg_config_libdir = '{triplet}/pkgconfig:{self.sysroot}/usr/share/pkgconfig'

[built-in options]
c_args = ['--sysroot={self.sysroot}']
c_link_args = ['--sysroot={self.sysroot}']
""")
        if not (build / "build.ninja").exists():
            run(["meson", "setup", "--cross-file", TOP / "tests/lab/arm64.ini", "--cross-file", libraries,
                 "--prefix", "/usr", build, TOP])
        run(["meson", "compile", "-j", "2", "-C", build])
        run(["meson", "install", "--no-rebuild", "--quiet", "--destdir", staged, "-C", build])
        return staged

    def closure(self, userland, files):
        """The files that an arm64 loader opens for these: by name in the library folders, transitively."""
        found, queue = {}, list(files)
        while queue:
            listing = run(["aarch64-linux-gnu-readelf", "-d", queue.pop()])
            for name in re.findall(r"\(NEEDED\).*\[(.+)\]", listing):
                if name in found:
                    continue
                paths = [userland / folder / "aarch64-linux-gnu" / name for folder in ("lib", "usr/lib")]
                found[name] = next((path for path in paths if path.exists()), None)
                if not found[name]:
                    raise Missing(f"no arm64 {name}: a package in tests/lab/image.py is missing")
                queue.append(found[name])
        return found

    def pack(self, debian):
        """Write the initramfs of one release: /usr merged, the closure of the programs, chosen modules, /init."""
        userland, release = self.userland[suite_of_guest(debian)], self.kernels[debian].name.partition("-")[2]
        modules = self.modules[debian] / release
        chosen = sorted(path for path in modules.rglob("*.ko*") if MODULES.search(str(path)[len(str(modules)):]))
        target = LAB / f"initramfs-{debian}.cpio"
        inputs = [Path(__file__), Path(__file__).with_name("init"), userland, *sorted(self.staged.rglob("*")), *chosen]
        digest = hashlib.sha256(repr([(str(path), path.stat().st_mtime_ns) for path in inputs]).encode()).hexdigest()
        stamp = target.with_suffix(".stamp")
        if target.exists() and stamp.exists() and stamp.read_text() == digest:
            return target
        scratch = LAB / f"modules-{debian}"
        for path in chosen + [modules / name for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order")]:
            copy = scratch / "lib/modules" / release / path.relative_to(modules)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        run(["depmod", "-b", scratch, release], env=dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin:/sbin"))
        with open(target, "wb") as stream:
            archive = Archive(stream)
            self.pack_programs(archive, userland)
            for path in sorted(path for path in (scratch / "lib/modules" / release).rglob("*") if path.is_file()):
                archive.file(f"/usr/{path.relative_to(scratch)}", path.read_bytes())
            archive.close()
        stamp.write_text(digest)
        return target

    def pack_programs(self, archive, userland):
        for folder in ("bin", "sbin", "lib"):
            archive.folder(f"/usr/{folder}")
            archive.link(f"/{folder}", f"usr/{folder}")
        for folder in ("/proc", "/sys", "/dev", "/run", "/lab", "/root", "/var/lib"):
            archive.folder(folder)
        archive.folder("/tmp", 0o1777)
        archive.folder("/out", 0o1777)
        archive.file("/init", Path(__file__).with_name("init").read_bytes(), 0o755)
        archive.file("/etc/passwd", b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/sh\n")
        programs = [userland / name for name in PROGRAMS if (userland / name).exists()]
        for path in programs:
            folder = "/usr/sbin" if path.parent.name == "sbin" else "/usr/bin"
            archive.file(f"{folder}/{path.name}", path.read_bytes(), 0o755)
        for name in APPLETS:
            archive.link(f"/usr/bin/{name}", "busybox")
        archive.link("/usr/sbin/modprobe", "../bin/busybox")
        built = self.staged / "usr/bin/ampere-crypto"
        archive.file("/usr/bin/ampere-crypto", built.read_bytes(), 0o755)
        archive.file(f"/{HELPER}", (self.staged / HELPER).read_bytes(), 0o755)
        for name, path in sorted(self.closure(userland, [*programs, built, self.staged / HELPER]).items()):
            archive.file(f"/usr/lib/aarch64-linux-gnu/{name}", path.read_bytes(), 0o755)
        archive.link("/usr/lib/ld-linux-aarch64.so.1", "aarch64-linux-gnu/ld-linux-aarch64.so.1")
        for base in (userland, self.staged):
            for path in sorted(base.rglob("*")):
                name = str(path.relative_to(base))
                if SETTINGS.match(name) and path.is_file():
                    archive.file("/" + name, path.read_bytes())
