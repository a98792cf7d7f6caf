# SPDX-License-Identifier: BSD-2-Clause
"""What the guests boot: packages from a private root, the arm64 build of the program, an initramfs that holds both.

Everything lies below build/lab and is made again only when what it is made of has changed.
"""
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
SUITES = ("bookworm", "trixie")
# The firmware of Debian 13 describes its flash outside of the memory that SRAT covers, so that the kernel takes both nodes.
FIRMWARE = ("trixie", ["-n"], ["qemu-efi-aarch64"])
KERNELS = {"6.1": ("bookworm", ["-n"], ["@linux-image-arm64"]), "6.12-16k": ("trixie", ["-n"], ["@linux-image-arm64-16k"])}
USERLAND = ["libc6", "libcjson-dev", "libpci-dev", "busybox-static", "openssl", "libc-bin", "base-files"]
PROGRAMS = ["usr/bin/openssl", "usr/sbin/ldconfig", "sbin/ldconfig", "bin/busybox", "usr/bin/busybox"]
SETTINGS = re.compile(r"^(usr/share/ampere-crypto/.*|etc/ld\.so\.conf.*|usr/lib/os-release|etc/debian_version)$")
APPLETS = ("sh cat cp cut dd dmesg echo env false find grep head insmod id ls ln lsmod mkdir mount modprobe od poweroff printf "
           "readlink sed setpriv sleep sort stat sync tail tar test timeout touch tr true umount uname wc xxd").split()
MODULES = re.compile(r"/(arch/arm64/crypto|crypto|lib/crypto|fs/efivarfs|drivers/virtio|drivers/vfio|drivers/cpufreq|"
                     r"drivers/char/virtio_console|drivers/iommu|lib)(/|\.ko)")


class Missing(Exception):
    """Something that the lab needs cannot be had on this machine."""


def run(argv, **options):
    done = subprocess.run([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False, **options)
    if done.returncode:
        raise RuntimeError(f"{argv[0]} exited {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def suite_of_host():
    """The libraries must be those of the cross compiler's C library, or older ones; it is this system's."""
    text = Path("/etc/os-release").read_text(errors="replace")
    found = re.search(r"^VERSION_CODENAME=\"?(\w+)", text, re.M)
    return found.group(1) if found and found.group(1) in SUITES else SUITES[0]


def unpack(name, suite, options, packages):
    into = LAB / name
    argv = [TOP / "contrib/apt-root", "-a", "arm64", "-s", suite, *options, into, *packages]
    done = subprocess.run([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Missing(f"no arm64 packages: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else argv[0]}")
    return into


class Image:
    """Paths of what a boot needs; kernels maps a name of KERNELS to (Image file, module folder, release)."""

    def __init__(self, kernels):
        for tool, package in TOOLS.items():
            if not any(os.access(Path(folder) / tool, os.X_OK) for folder in os.environ["PATH"].split(":") + ["/usr/sbin", "/sbin"]):
                raise Missing(f"no {tool} (package {package})")
        LAB.mkdir(parents=True, exist_ok=True)
        self.firmware = unpack("firmware", *FIRMWARE) / "usr/share/AAVMF"
        self.sysroot = unpack("sysroot", suite_of_host(), [], USERLAND)
        self.kernels = {}
        for name in kernels:
            folder = unpack(f"kernel-{name}", *KERNELS[name])
            vmlinuz = next((folder / "boot").glob("vmlinuz-*"))
            release = vmlinuz.name.partition("-")[2]
            modules = folder / ("usr/lib/modules" if (folder / "usr/lib/modules").is_dir() else "lib/modules") / release
            self.kernels[name] = (vmlinuz, modules, release)
        self.staged = self.build_program()
        self.initramfs = {name: self.pack(name) for name in kernels}

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

    def closure(self, files):
        """The files of the sysroot that an arm64 loader opens for these: by name in the library folders, transitively."""
        found, queue = {}, list(files)
        while queue:
            listing = run(["aarch64-linux-gnu-readelf", "-d", queue.pop()])
            for name in re.findall(r"\(NEEDED\).*\[(.+)\]", listing):
                if name in found:
                    continue
                for folder in ("lib/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu"):
                    path = self.sysroot / folder / name
                    if path.exists():
                        found[name] = path
                        queue.append(path)
                        break
                else:
                    raise Missing(f"no arm64 {name}: a package in tests/lab/image.py is missing")
        return found

    def pack(self, kernel):
        """Write the initramfs of one kernel: /usr merged, the closure of the programs, chosen modules, /init."""
        _, modules, release = self.kernels[kernel]
        chosen = sorted(path for path in modules.rglob("*.ko*") if MODULES.search(str(path)[len(str(modules)):]))
        target = LAB / f"initramfs-{kernel}.cpio"
        inputs = [Path(__file__), Path(__file__).with_name("init"), *sorted(self.staged.rglob("*"))]
        digest = hashlib.sha256(repr([(str(path), path.stat().st_mtime_ns) for path in inputs + chosen]).encode()).hexdigest()
        stamp = target.with_suffix(".stamp")
        if target.exists() and stamp.exists() and stamp.read_text() == digest:
            return target
        scratch = LAB / f"modules-{kernel}"
        for path in chosen + [modules / name for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order")]:
            copy = scratch / "lib/modules" / release / path.relative_to(modules)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        run(["depmod", "-b", scratch, release], env=dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin:/sbin"))
        with open(target, "wb") as stream:
            archive = Archive(stream)
            self.pack_programs(archive)
            for path in sorted((scratch / "lib/modules" / release).rglob("*")):
                if path.is_file():
                    archive.file(f"/usr/lib/modules/{release}/{path.relative_to(scratch / 'lib/modules' / release)}", path.read_bytes())
            archive.close()
        stamp.write_text(digest)
        return target

    def pack_programs(self, archive):
        for folder in ("bin", "sbin", "lib"):
            archive.folder(f"/usr/{folder}")
            archive.link(f"/{folder}", f"usr/{folder}")
        for folder in ("/proc", "/sys", "/dev", "/run", "/lab", "/root", "/var"):
            archive.folder(folder)
        archive.folder("/tmp", 0o1777)
        archive.folder("/out", 0o1777)
        archive.file("/init", Path(__file__).with_name("init").read_bytes(), 0o755)
        archive.file("/etc/passwd", b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/sh\n")
        programs = [self.sysroot / name for name in PROGRAMS if (self.sysroot / name).exists()]
        for path in programs:
            folder = "/usr/sbin" if path.parent.name == "sbin" else "/usr/bin"
            archive.file(f"{folder}/{path.name}", path.read_bytes(), 0o755)
        for name in APPLETS:
            archive.link(f"/usr/bin/{name}", "busybox")
        archive.link("/usr/sbin/modprobe", "../bin/busybox")
        built = self.staged / "usr/bin/ampere-crypto"
        archive.file("/usr/bin/ampere-crypto", built.read_bytes(), 0o755)
        for name, path in sorted(self.closure([*programs, built]).items()):
            archive.file(f"/usr/lib/aarch64-linux-gnu/{name}", path.read_bytes(), 0o755)
        archive.link("/usr/lib/ld-linux-aarch64.so.1", "aarch64-linux-gnu/ld-linux-aarch64.so.1")
        for base in (self.sysroot, self.staged):
            for path in sorted(base.rglob("*")):
                name = str(path.relative_to(base))
                if SETTINGS.match(name) and path.is_file():
                    archive.file("/" + name, path.read_bytes())
