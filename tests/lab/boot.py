# SPDX-License-Identifier: BSD-2-Clause
"""Starts one guest and returns what it sent: qemu-system-aarch64 without KVM, UEFI, ACPI, SMBIOS tables of our own."""
import io
import shutil
import subprocess
import sys
import tarfile
import time

from cpio import Archive
from image import LAB, TOP

sys.path.insert(0, str(TOP / "tests/hosts/gen"))
import planted
import smbios

OUTPUT_LIMIT_BYTES = 64 << 20
CPUS = {
    "altra": "neoverse-n1,midr=0x413fd0c1,cntfrq=25000000",
    "ampereone": "max,midr=0xc00fac40,sve=off,sme=off,pauth-impdef=on,cntfrq=1000000000",
    "graviton2": "neoverse-n1,midr=0x413fd0c1,cntfrq=121875000",
}


def two_nodes(each_mb, distance):
    return ["-m", str(2 * each_mb), "-object", f"memory-backend-ram,id=m0,size={each_mb}M",
            "-object", f"memory-backend-ram,id=m1,size={each_mb}M", "-numa", "node,nodeid=0,memdev=m0,cpus=0-1",
            "-numa", "node,nodeid=1,memdev=m1,cpus=2-3", "-numa", f"dist,src=0,dst=1,val={distance}"]


LAYOUTS = {
    "1P": ["-smp", "4,sockets=1,cores=4", "-m", "1024"],
    "1P large": ["-smp", "4,sockets=1,cores=4", "-m", "3072"],
    "2P": ["-smp", "4,sockets=2,cores=2", *two_nodes(512, 20)],
    "2P large": ["-smp", "4,sockets=2,cores=2", *two_nodes(1024, 20)],
    "1P hemisphere": ["-smp", "4,sockets=1,cores=4", *two_nodes(1536, 11)],
}
# A network card: behind a port of 16 GT/s x16 whose host bridge belongs to node 1, or on the bus that belongs to no node.
# (Linux with pages of 16 KiB stops at the I/O window of that bridge.)
CARDS = {
    None: [],
    "node 1": ["-device", "pxb-pcie,bus=pcie.0,id=bridge,bus_nr=16,numa_node=1",
               "-device", "pcie-root-port,bus=bridge,id=port0,chassis=1,x-speed=16,x-width=16", "-device", "e1000e,bus=port0,romfile="],
    "no node": ["-device", "e1000e,bus=pcie.0,romfile="],
}


class Answer:
    """What one command of the guest printed, and its exit status."""

    def __init__(self, out, err, status):
        self.out, self.err, self.status = out, err, status

    @property
    def text(self):
        return self.out.decode(errors="replace")


def write_overlay(path, files):
    with open(path, "wb") as stream:
        archive = Archive(stream)
        for name, content in sorted(files.items()):
            archive.file(name, content if isinstance(content, bytes) else content.encode())
        archive.close()


def qemu_argv(image, boot, tables):
    vmlinuz = image.kernels[boot["debian"]]
    firmware = str(image.firmware / "AAVMF_CODE.no-secboot.fd").replace(",", ",,")
    return ["qemu-system-aarch64", "-M", "virt,gic-version=3" + boot.get("board", ""), "-accel", "tcg,thread=multi", "-cpu", CPUS[boot["cpu"]],
            *LAYOUTS[boot["layout"]],
            "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-serial", "file:console",
            "-drive", f"if=pflash,format=raw,unit=0,readonly=on,file={firmware}",
            "-drive", "if=pflash,format=raw,unit=1,file=variables.fd",
            "-device", "virtio-serial-pci,romfile=", "-chardev", "file,id=out,path=out.tar",
            "-device", "virtserialport,chardev=out,name=out",
            *CARDS[boot.get("card")],
            "-kernel", str(vmlinuz), "-initrd", "initramfs",
            "-append", "console=ttyAMA0 quiet loglevel=4 panic=-1 acpi=force init_on_alloc=0 " + boot.get("cmdline", ""),
            *[word for number in range(tables) for word in ("-smbios", f"file=smbios-{number}")]]


def write_smbios(described, work):
    """One file per structure, as qemu wants them; their number. The end structure is qemu's own."""
    if not described:
        return 0
    structures = [data for kind, _, data in smbios.build({"smbios": dict(described, end=False)}).out]
    for number, data in enumerate(structures):
        (work / f"smbios-{number}").write_bytes(data)
    return len(structures)


def start(image, boot, commands, work, limit_s=240):
    """Boot until power-off; {command: Answer} and the seconds it took. RuntimeError says what the console showed."""
    work.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(image.firmware / "AAVMF_VARS.fd", work / "variables.fd")
    files = {"/lab/setup": boot["setup"]}
    files.update({f"/lab/commands/{name}": text for name, text in commands.items()})
    if boot.get("variable"):
        files["/lab/variable"] = boot["variable"]
    tables = write_smbios(boot["smbios"], work)
    write_overlay(work / "overlay", files)
    with open(work / "initramfs", "wb") as joined:
        for part in (image.initramfs[boot["debian"]], *boot.get("archives", ()), work / "overlay"):
            with open(part, "rb") as stream:
                shutil.copyfileobj(stream, joined)
    started = time.monotonic()
    with open(work / "qemu.log", "wb") as log:
        child = subprocess.Popen(qemu_argv(image, boot, tables), cwd=work, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            child.wait(timeout=limit_s)
        except subprocess.TimeoutExpired:
            pass
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
    elapsed_s = time.monotonic() - started
    sent = (work / "out.tar").read_bytes() if (work / "out.tar").exists() else b""
    for name in ("initramfs", "variables.fd", "overlay"):
        (work / name).unlink(missing_ok=True)
    if not sent or len(sent) > OUTPUT_LIMIT_BYTES:
        seen = (work / "qemu.log").read_bytes() + ((work / "console").read_bytes() if (work / "console").exists() else b"")
        raise RuntimeError(f"the guest sent {len(sent)} bytes in {elapsed_s:.0f} s; console: …{seen[-1500:].decode(errors='replace')}")
    with tarfile.open(fileobj=io.BytesIO(sent)) as archive:
        found = {member.name.removeprefix("./"): archive.extractfile(member).read() for member in archive if member.isfile()}
    names = [name.removesuffix(".status") for name in found if name.endswith(".status")]
    answers = {name: Answer(found[name + ".out"], found[name + ".err"], int(found[name + ".status"])) for name in names}
    for name in ("setup", "dmesg"):
        answers[name] = Answer(found[name + ".out"], found.get(name + ".err", b""), 0)
    return answers, elapsed_s
