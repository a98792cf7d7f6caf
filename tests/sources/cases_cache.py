# SPDX-License-Identifier: BSD-2-Clause
"""PREFIX/cache: what lies there is not believed."""
import os
import shutil
import subprocess

from world import Skip, archive, digest


def case_poisoned(world):
    """wrong bytes under the right name are exit status 4 and go; the next run fetches anew."""
    world.source()
    world.make_prefix()
    world.cached().write_bytes(archive("evil-1"))
    yield from world.wants(world.setup(), 4, digest(world.content), digest(archive("evil-1")), "removed")
    if world.cached().exists():
        yield "the wrong bytes are still there"
    yield from world.wants(world.setup("--mirror", world.mirror(source=world.content)), 0)


def case_link(world):
    """a link in the place of a file is not followed, whatever it leads to."""
    world.source()
    world.make_prefix()
    real = world.folder / "real"
    real.write_bytes(world.content)
    world.cached().symlink_to(real)
    yield from world.wants(world.setup(), 4, str(world.cached()), "link")


def case_directory(world):
    """a directory in the place of a file is named."""
    world.source()
    world.make_prefix()
    world.cached().mkdir()
    yield from world.wants(world.setup(), 2, str(world.cached()))


def case_fifo(world):
    """a FIFO in the place of a file is not waited for."""
    world.source()
    world.make_prefix()
    os.mkfifo(world.cached())
    yield from world.wants(world.setup(), 2, str(world.cached()))


def case_part(world):
    """a part that is something else than the file's beginning does no harm."""
    world.servers.serve("part.tar.gz", world.content)
    world.source(world.servers.url("part", "part.tar.gz"))
    world.make_prefix()
    world.cached().with_suffix(".part").write_bytes(b"x" * 300)
    yield from world.wants(world.setup(), 0)


def case_part_link(world):
    """a link in the place of a part is not written through."""
    world.servers.serve("part-link.tar.gz", world.content)
    world.source(world.servers.url("part-link", "part-link.tar.gz"))
    world.make_prefix()
    victim = world.folder / "victim"
    victim.write_text("mine")
    world.cached().with_suffix(".part").symlink_to(victim)
    yield from world.wants(world.setup(), 2, ".part")
    if victim.read_text() != "mine":
        yield "the file it leads to was changed"


# Root of a namespace of one user cannot become another.
AS_ROOT = [] if os.geteuid() == 0 else ["--build-as-root"]


def on_small_disk(world):
    """Words before a command that give it a cache of 64 KiB."""
    namespace = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    if not shutil.which("unshare") or subprocess.run([*namespace, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skip("no mount namespace for this user")
    world.make_prefix()
    cache = world.prefix / "cache"
    return [*namespace, "sh", "-c", f"mount -t tmpfs -o size=64k,mode=755 small '{cache}' && \"$@\"; "
            f"status=$?; ls '{cache}' >'{world.folder}/left'; exit $status", "sh"]


def case_full_copy(world):
    """a full disk ends the copy of a mirror's file, with the path, and leaves nothing there."""
    world.content = archive("tiny-1", 1 << 18)
    world.source()
    before = on_small_disk(world)
    done = world.setup("--mirror", world.mirror(source=world.content), *AS_ROOT, before=before)
    yield from world.wants(done, 2, str(world.prefix / "cache"), "No space left")
    left = (world.folder / "left").read_text().split()
    if [name for name in left if name != "mirrors" and not name.endswith(".json")]:
        yield f"left: {left}"


def case_full_download(world):
    """a full disk ends a download, with the name of the file."""
    world.content = archive("tiny-1", 1 << 18)
    world.servers.serve("full.tar.gz", world.content)
    world.source(world.servers.url("full", "full.tar.gz"))
    yield from world.wants(world.setup(*AS_ROOT, before=on_small_disk(world)), 2, "tiny-1.tar.gz", "No space left")


def case_umask(world):
    """a careful umask of root's does not keep the build's user from its sources."""
    world.source()
    done = world.setup("--mirror", world.mirror(source=world.content), before=["sh", "-c", "umask 077; exec \"$@\"", "sh"])
    yield from world.wants(done, 0)
