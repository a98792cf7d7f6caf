# SPDX-License-Identifier: BSD-2-Clause
"""Small systems in directories, with real programs, the real loader and the real ldconfig: what they say is the truth here.

Kinds: "here" (programs of this machine in Debian's layout), "rhel" (the same programs in lib64, ld.so.conf and os-release as RHEL has
them), "arm64" (Debian's packages of that architecture, under qemu-aarch64).
"""
import json
import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CHECK_BUILD", TOP / "build/gcc"))
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/loader"))
TOOL = BUILD / "tests/loader/ldconf-tool"
QEMU = "/usr/bin/qemu-aarch64"
PREFIX = "/opt/ampere-crypto"
CONFD = "/etc/ld.so.conf.d"
LIBRARY = re.compile(r"^\t(\S+) => (.*?)(?: \(0x[0-9a-f]+\))?$")

STOPPED = re.compile(r"error while loading shared libraries: (.*)")

# Of these, what this machine has; the first three are what every Debian for this suite has.
PROGRAMS = ["/bin/sh", "/usr/bin/env", "/usr/bin/openssl", "/usr/bin/curl", "/usr/bin/ssh", "/usr/bin/wget", "/usr/sbin/sshd",
            "/usr/bin/cat", "/usr/lib/git-core/git-remote-https", "/usr/lib/git-core/git-remote-http"]
PLUGINS = ["ossl-modules/legacy.so"]
ARM_PACKAGES = ["openssl", "curl", "openssh-client", "dash", "coreutils", "libc-bin", "libc6"]
# Every version that libcrypto 3 has defined, up to 3.5 (util/libcrypto.num of OpenSSL).
VERSIONS = [f"OPENSSL_3.{v}" for v in ("0.0", "0.1", "0.3", "0.8", "0.9", "1.0", "2.0", "3.0", "4.0", "5.0")]


class Skip(Exception):
    """What this machine cannot do."""


def interpreter(path):
    """PT_INTERP of a 64-bit little-endian ELF file; None: none, False: not such a file."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return False
    if data[:6] != b"\x7fELF\x02\x01":
        return False
    at, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", data, at + i * size)
        if kind == 3:
            return data[offset:offset + length].rstrip(b"\0").decode()
    return None


INTERP = interpreter("/usr/bin/env")
LOADER = os.path.realpath(INTERP)
TRIPLET = os.path.basename(os.path.dirname(LOADER))


def needed(path, loader=LOADER):
    """(name, path) of what the real loader of this machine takes for a file."""
    done = subprocess.run([loader, "--list", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False, timeout=30)
    return [found.groups() for found in map(LIBRARY.match, done.stdout.splitlines()) if found and found[2].startswith("/")]


def compile_library(target, versions=(), gcc="gcc", soname=None, needs=()):
    """A shared library with these versions, and nothing else in it."""
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    script = target.parent.parent / f"{target.name}.map"
    script.write_text("".join(f"{v} {{ global: v{i}; }};\n" for i, v in enumerate(versions)))
    source = "".join(f"int v{i}(void) {{ return {i}; }}\n" for i in range(len(versions))) or "int nothing;\n"
    subprocess.run([gcc, "-shared", "-fPIC", "-nostdlib", "-x", "c", "-", "-o", str(target), f"-Wl,-soname,{soname or target.name}",
                    *([f"-Wl,--version-script={script}"] if versions else []), *needs], input=source, text=True, check=True, timeout=60)
    script.unlink()


class System:
    """One root directory; paths are absolute within it."""

    gcc, emulated, triplet, interp = "gcc", False, TRIPLET, INTERP

    def __init__(self, top):
        self.top = Path(top)
        self.environment = {}

    def path(self, path):
        return self.top / path.lstrip("/")

    def write(self, path, text):
        target = self.path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)  # the file may be a hard link to the template's
        target.write_bytes(text if isinstance(text, bytes) else text.encode())

    def link(self, path, target):
        self.path(path).parent.mkdir(parents=True, exist_ok=True)
        self.path(path).unlink(missing_ok=True)
        self.path(path).symlink_to(target)

    def copy(self, source, path):
        self.path(path).parent.mkdir(parents=True, exist_ok=True)
        self.path(path).unlink(missing_ok=True)
        shutil.copy(source, self.path(path))

    @property
    def libraries(self):
        """Where the distribution's libraries are, as its cache names them."""
        return f"/lib/{self.triplet}"

    def crypto(self):
        return self.path(f"/usr{self.libraries}/libcrypto.so.3")

    # ---- the real ones

    def ldconfig_words(self):
        return ["/sbin/ldconfig"]

    def ldconfig(self, *words):
        done = subprocess.run([*self.ldconfig_words(), "-r", str(self.top), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=True, timeout=60)
        return done.stdout

    def cache(self):
        """ldconfig -p, without the head and the tail that say who made it."""
        return [line for line in self.ldconfig("-p").splitlines() if line.startswith("\t")]

    def chroot(self, *words, **variables):
        def enter():
            os.chroot(self.top)
            os.chdir("/")
        return subprocess.run(words, preexec_fn=enter, env=dict(variables, LC_ALL="C"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, timeout=60)

    def run(self, *words, **variables):
        return self.chroot(*words, **variables)

    def loads(self, program):
        """name -> path, what the real loader takes for a program or plugin; None: not found."""
        done = self.run(self.interp, program, LD_TRACE_LOADED_OBJECTS="1")
        found = {}
        for line in done.stdout.splitlines():
            match = LIBRARY.match(line)
            if match and not match[1].startswith("linux-vdso"):
                found[match[1]] = None if match[2] == "not found" else match[2]
        stopped = STOPPED.search(done.stderr)
        if stopped:
            return {"stopped": stopped[1]}
        if not done.stdout:
            raise RuntimeError(f"{program}: the real loader says {done.stdout} {done.stderr}")
        return found

    def programs(self):
        """All that is dynamic in the usual places: programs, and plugins in directories of their own."""
        names = []
        for place in ("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", "/usr/libexec"):
            for folder, _, files in os.walk(self.path(place)):
                for name in files:
                    inside = "/" + str((Path(folder) / name).relative_to(self.top))
                    kind = interpreter(self.path(inside))
                    plugin = kind is None and b"libcrypto.so" in self.path(inside).read_bytes() and \
                        os.path.dirname(inside) != "/usr" + self.libraries
                    if not os.path.islink(self.path(inside)) and (kind == self.interp or plugin):
                        names.append(inside)
        return sorted(names)

    def all_loads(self):
        return {program: self.loads(program) for program in self.programs()}

    def etc(self):
        """Names, kinds, modes, owners and bytes of the loader's configuration."""
        tree = {}
        for path in [self.path("/etc/ld.so.conf"), *sorted(self.path("/etc").glob("ld.so.conf.d/**/*")),
                     *sorted(self.path("/etc").glob("ld.so.conf.d/.*"))]:
            if os.path.lexists(path):
                status = path.lstat()
                content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
                tree[str(path.relative_to(self.top))] = (status.st_mode, status.st_uid, status.st_gid, content)
        return tree

    def state(self):
        return self.all_loads(), self.cache(), self.etc()

    # ---- the one under test

    def tool(self, what, policy, *trees, prefix=PREFIX, wrap=(), umask=None, **variables):
        env = dict(os.environ, LDCONFIG=" ".join(self.ldconfig_words()), ASAN_OPTIONS="detect_leaks=0", **variables)
        return subprocess.run([*wrap, str(TOOL), what, str(self.top), policy, prefix, *trees], env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=120,
                              preexec_fn=(lambda: os.umask(umask)) if umask is not None else None)

    def plan(self, policy, *trees, **more):
        done = self.tool("plan", policy, *trees, **more)
        if done.returncode:
            raise RuntimeError(f"plan: {done.stderr}")
        return json.loads(done.stdout)

    def state_now(self, **more):
        return json.loads(self.tool("state", "safe", **more).stdout)

    # ---- a prefix

    def tree(self, name, *libraries, key="k1", prefix=PREFIX):
        """A tree in the store, current through generation 1; libraries are (soname, versions) or (soname, file)."""
        store = f"{prefix}/store/{name}-1-{key}"
        self.path(store + "/lib").mkdir(parents=True, exist_ok=True)
        for soname, what in libraries:
            target = self.path(f"{store}/lib/{soname}.0")
            if isinstance(what, (str, Path)):
                shutil.copy(what, target)
            else:
                compile_library(target, what, self.gcc, soname)
            self.link(f"{store}/lib/{soname}", f"{soname}.0")
            if not soname.endswith(".so"):
                self.link(f"{store}/lib/{soname.split('.so')[0]}.so", soname)
        return f"{name}={store}/lib"

    def activate(self, *trees, number=1, prefix=PREFIX):
        generation = self.path(f"{prefix}/generations/{number}")
        generation.mkdir(parents=True, exist_ok=True)
        for tree in trees:
            name, directory = tree.split("=")
            (generation / name).symlink_to("../../store/" + directory.split("/store/")[1].split("/")[0])
        self.link(f"{prefix}/current", f"generations/{number}")


def merge_usr(system, *extra):
    for name in ("bin", "sbin", "lib", *extra):
        system.path("/usr/" + name).mkdir(parents=True, exist_ok=True)
        system.link("/" + name, "usr/" + name)


def put_programs(system, place):
    """The programs of this machine and what its loader takes for them; `place` says where a library goes."""
    plugins = [f"/usr/lib/{TRIPLET}/{plugin}" for plugin in PLUGINS] + \
        sorted(map(str, Path("/usr/lib").glob("python3*/lib-dynload/_ssl.*.so")))
    wanted = [path for path in PROGRAMS + plugins if os.path.exists(path)]
    copied = set()
    for path in wanted:
        plugin = path in plugins
        system.copy(os.path.realpath(path), place(path) if plugin else path)
        for name, library in needed(path):
            if name not in copied:
                copied.add(name)
                system.copy(os.path.realpath(library), place(f"{os.path.dirname(LOADER)}/{name}"))
    system.copy(LOADER, place(f"{os.path.dirname(LOADER)}/{os.path.basename(INTERP)}"))
    if not system.path(INTERP).exists():
        system.link(INTERP, place(f"{os.path.dirname(LOADER)}/{os.path.basename(INTERP)}"))


def finish(system, os_release, cpuinfo):
    system.write("/usr/lib/os-release", os_release)
    system.link("/etc/os-release", "../usr/lib/os-release")
    system.write("/proc/cpuinfo", cpuinfo)
    system.path("/proc/sys/crypto").mkdir(parents=True, exist_ok=True)
    for path in ("/usr/local/lib", "/tmp"):
        system.path(path).mkdir(parents=True, exist_ok=True)
    system.ldconfig()


def make_here(top):
    system = System(top)
    merge_usr(system, *(["lib64"] if INTERP.startswith("/lib64/") else []))
    put_programs(system, lambda path: path)
    system.write("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n\n")
    system.write(f"{CONFD}/libc.conf", "# libc default configuration\n/usr/local/lib\n")
    system.write(f"{CONFD}/{TRIPLET}.conf", f"# Multiarch support\n/usr/local/lib/{TRIPLET}\n/lib/{TRIPLET}\n/usr/lib/{TRIPLET}\n")
    finish(system, 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n', Path("/proc/cpuinfo").read_text())
    return system


class Rhel(System):
    """lib64; the loader's built-in directories are told by where the loader itself is. This machine's own loader and ldconfig have
    Debian's built in, so that here the configuration names the directory."""

    @property
    def libraries(self):
        return "/lib64"


def make_rhel(top):
    system = Rhel(top)
    merge_usr(system, "lib64")
    put_programs(system, lambda path: path.replace(f"/lib/{TRIPLET}/", "/lib64/"))
    system.write("/etc/ld.so.conf", "include ld.so.conf.d/*.conf\n")
    system.write(f"{CONFD}/lib64.conf", "/lib64\n/usr/lib64\n")
    finish(system, 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\n', Path("/proc/cpuinfo").read_text())
    return system


class Arm(System):
    gcc, emulated, triplet = "aarch64-linux-gnu-gcc", True, "aarch64-linux-gnu"
    interp = "/lib/ld-linux-aarch64.so.1"

    def ldconfig_words(self):
        return [QEMU, str(self.path("/usr/sbin/ldconfig"))]

    def run(self, *words, **variables):
        settings = [part for name, value in variables.items() for part in ("-E", f"{name}={value}")]
        return self.chroot(f"/emulator/{os.path.basename(LOADER)}", "--library-path", "/emulator", "/emulator/qemu-aarch64",
                           "-cpu", "neoverse-n1", *settings, *words)


CPUINFO = ("processor\t: 0\nFeatures\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics\n"
           "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\n")


def prune(system):
    """Packages as they are unpacked, merged as installing them does, and only what is looked at: emulation is slow."""
    for name in ("bin", "sbin", "lib"):
        subprocess.run(["cp", "-a", f"{system.top}/{name}/.", f"{system.top}/usr/{name}/"], check=True)
        shutil.rmtree(system.path("/" + name))
    merge_usr(system)
    for folder in ("/usr/bin", "/usr/sbin"):
        for path in system.path(folder).iterdir():
            if f"{folder}/{path.name}" not in [*PROGRAMS, "/usr/bin/dash", "/usr/sbin/ldconfig"]:
                path.unlink()
    for folder in ("/usr/share", "/var", "/usr/lib/apt", f"/usr/lib/{Arm.triplet}/gconv", "/usr/lib/openssh"):
        shutil.rmtree(system.path(folder), ignore_errors=True)


def make_arm(top):
    for tool in (QEMU, shutil.which(Arm.gcc) or Arm.gcc):
        if not os.path.exists(tool):
            raise Skip(f"no {os.path.basename(tool)}")
    system = Arm(top)
    done = subprocess.run([str(TOP / "contrib/apt-root"), "-a", "arm64", str(system.top), *ARM_PACKAGES], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise Skip("no arm64 packages: " + done.stdout.strip().rpartition("\n")[2])
    prune(system)
    system.link("/usr/bin/sh", "dash")
    for file in (QEMU, LOADER, *(path for _, path in needed(QEMU))):
        system.copy(file, f"/emulator/{os.path.basename(file)}")
    finish(system, "ID=debian\n", CPUINFO)
    return system


KINDS = {"here": make_here, "rhel": make_rhel, "arm64": make_arm}
TEMPLATES = {}


def fresh(kind, name):
    """A system of a kind; files are shared with the template until they are replaced, the configuration is copied."""
    if kind not in TEMPLATES:
        shutil.rmtree(WORK / "templates" / kind, ignore_errors=True)
        TEMPLATES[kind] = None
        TEMPLATES[kind] = KINDS[kind](WORK / "templates" / kind)
    if not TEMPLATES[kind]:
        raise RuntimeError(f"no system of {kind} could be made, see above")
    template, top = TEMPLATES[kind], WORK / "systems" / name
    shutil.rmtree(top, ignore_errors=True)
    top.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-al", str(template.top), str(top)], check=True)
    shutil.rmtree(top / "etc")
    subprocess.run(["cp", "-a", str(template.top / "etc"), str(top / "etc")], check=True)
    return type(template)(top)
