# SPDX-License-Identifier: BSD-2-Clause
"""Upstream's signatures, by keys that gpg makes here, and one that OpenSSL's makers made."""
import json
import os
import shutil
import subprocess
from pathlib import Path

from world import TOP, Skip, archive, digest, recipe

# When keys are made: in the past, so that one can have expired since.
THEN, LATER, MUCH_LATER = "20200101T000000", "20200601T000000", "20210601T000000"
OPENSSL_KEY = "BA5473A2B0587B07FB27CF2D216094DFD0CB81EF"


class Keys:
    """A home of gpg."""

    def __init__(self, folder):
        self.home = folder / "gnupg"
        self.home.mkdir(mode=0o700)

    def gpg(self, *words, at=None, given=None):
        command = ["gpg", "--batch", "--quiet", "--homedir", str(self.home), "--pinentry-mode", "loopback", "--passphrase",
                   "", *(["--faked-system-time", at] if at else []), *map(str, words)]
        return subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout

    def make(self, name, expires="0", at=THEN):
        """The fingerprint of a new key."""
        self.gpg("--quick-generate-key", f"{name} <{name}@tiny.invalid>", "ed25519", "sign", expires, at=at)
        rows = self.gpg("--with-colons", "--list-keys", f"{name}@tiny.invalid").decode().splitlines()
        return next(row.split(":")[9] for row in rows if row.startswith("fpr:"))

    def export(self, *names, armor=True):
        return self.gpg(*(["--armor"] if armor else []), "--export", *names)

    def sign(self, key, content, armor=True, at=LATER):
        return self.gpg(*(["--armor"] if armor else []), "--local-user", key, "--detach-sign", given=content, at=at)

    def close(self):
        subprocess.run(["gpgconf", "--homedir", str(self.home), "--kill", "all"], check=False, stderr=subprocess.DEVNULL)


def with_keys(case):
    def run(world):
        # Sockets of gpg's agent have short names.
        folder = Path(f"/tmp/ampere-crypto-gpg-{os.getpid()}-{world.folder.name}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        keys = Keys(folder)
        try:
            yield from case(world, keys)
        finally:
            keys.close()
            shutil.rmtree(folder, ignore_errors=True)
    run.__doc__ = case.__doc__
    return run


def signed_source(world, fingerprint, url="https://127.0.0.1:1/tiny-1.tar.gz.asc"):
    world.source(signature={"url": url, "fingerprint": fingerprint})


def judged(world, done, wanted):
    yield from world.wants(done, 0)
    if done.proof("signature") != wanted:
        yield f"the proof says {done.proof('signature')!r}, want {wanted!r}"
    manifest = next(world.prefix.glob("store/tiny-*/.ampere-crypto/manifest.json"), None)
    rows = json.loads(manifest.read_text())["proof"] if manifest else []
    if {"what": "signature", "result": wanted} not in rows:
        yield f"the manifest says {rows}"
    if wanted.startswith("not checked") != ("signature of tiny-1.tar.gz not checked" in done.text):
        yield f"the notes: {done.text}"


@with_keys
def case_good(world, keys):
    """a good signature by the recipe's key is recorded, armored and binary, among other keys."""
    right = keys.make("right")
    keys.make("other")
    for armor in (True, False):
        shutil.rmtree(world.prefix, ignore_errors=True)
        shutil.rmtree(world.folder / "mirror", ignore_errors=True)
        signed_source(world, right)
        mirror = world.mirror(**{world.file: world.content, f"{world.file}.sig": keys.sign("right", world.content, armor),
                                 "keys.asc" if armor else "keys.gpg": keys.export(armor=armor)})
        yield from judged(world, world.setup("--offline", "--mirror", mirror), f"good, key {right}")


@with_keys
def case_several_blocks(world, keys):
    """the recipe's key is found in the second block of a file, as Debian's source packages have them."""
    right = keys.make("right")
    keys.make("other")
    blocks = keys.export("other") + keys.export("right")
    signed_source(world, right)
    mirror = world.mirror(source=world.content, a=b"", **{"source.asc": keys.sign("right", world.content),
                                                          "signing-key.asc": blocks})
    yield from judged(world, world.setup("--offline", "--mirror", mirror), f"good, key {right}")


@with_keys
def case_fetched(world, keys):
    """a signature is fetched together with what it signs; the key is the user's to bring."""
    right = keys.make("right")
    world.servers.serve("signed.tar.gz", world.content)
    world.servers.serve("signed.tar.gz.asc", keys.sign("right", world.content))
    world.source(world.servers.url("signed", "signed.tar.gz"),
                 signature={"url": world.servers.url("signed", "signed.tar.gz.asc"), "fingerprint": right})
    mirror = world.mirror(**{"key.pgp": keys.export("right", armor=False)})
    yield from judged(world, world.setup("--mirror", mirror), f"good, key {right}")


@with_keys
def case_not_fetched(world, keys):
    """a signature that cannot be had is said, and is no failure when the digest was right."""
    right = keys.make("right")
    world.servers.serve("unsigned.tar.gz", world.content)
    world.servers.behave("unsigned.tar.gz.asc", lambda x: x.reply("404 Not Found"))
    world.source(world.servers.url("unsigned", "unsigned.tar.gz"),
                 signature={"url": world.servers.url("unsigned", "unsigned.tar.gz.asc"), "fingerprint": right})
    done = world.setup("--mirror", world.mirror(**{"right.key": keys.export("right")}))
    yield from judged(world, done, "not checked: there is no signature of it at hand")
    if world.leftovers():
        yield f"left: {world.leftovers()}"


@with_keys
def case_bad(world, keys):
    """a bad signature by the recipe's key is exit status 4 and nothing is unpacked."""
    right = keys.make("right")
    signed_source(world, right)
    mirror = world.mirror(**{world.file: world.content, f"{world.file}.asc": keys.sign("right", archive("evil-1")),
                             "right.asc": keys.export("right")})
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 4, "tiny-1.tar.gz", "signature", right)
    if list(world.prefix.glob("work/tiny*")):
        yield "it was unpacked"


@with_keys
def case_of_another_file(world, keys):
    """a signature of another file beside it says nothing of this one."""
    right = keys.make("right")
    signed_source(world, right)
    other = archive("tiny-2")
    mirror = world.mirror(**{world.file: world.content, "tiny-2.tar.gz": other,
                             "tiny-2.tar.gz.asc": keys.sign("right", other), "right.asc": keys.export("right")})
    yield from judged(world, world.setup("--offline", "--mirror", mirror),
                      "not checked: there is no signature of it at hand")


@with_keys
def case_other_key(world, keys):
    """a signature by another key does not count, also when that key is at hand and good."""
    right = keys.make("right")
    keys.make("other")
    signed_source(world, right)
    mirror = world.mirror(**{world.file: world.content, f"{world.file}.asc": keys.sign("other", world.content),
                             "keys.asc": keys.export()})
    yield from judged(world, world.setup("--offline", "--mirror", mirror),
                      "not checked: it was made by another key than the recipe's")


@with_keys
def case_no_key(world, keys):
    """without the recipe's key the signature is not checked, with its fingerprint."""
    right = keys.make("right")
    keys.make("other")
    signed_source(world, right)
    mirror = world.mirror(**{world.file: world.content, f"{world.file}.asc": keys.sign("right", world.content),
                             "other.asc": keys.export("other")})
    yield from judged(world, world.setup("--offline", "--mirror", mirror),
                      f"not checked: no key with fingerprint {right} is at hand")


@with_keys
def case_expired_since(world, keys):
    """a signature that was made while its key was valid stays good when the key expires."""
    right = keys.make("right", expires="2021-01-01")
    signed_source(world, right)
    mirror = world.mirror(**{world.file: world.content, f"{world.file}.asc": keys.sign("right", world.content, at=LATER),
                             "right.asc": keys.export("right")})
    yield from judged(world, world.setup("--offline", "--mirror", mirror),
                      f"good, key {right}, which has expired since")


@with_keys
def case_expired_signature(world, keys):
    """a signature that has expired does not count."""
    right = keys.make("right")
    signed_source(world, right)
    signature = keys.gpg("--armor", "--local-user", "right", "--default-sig-expire", "30d", "--detach-sign",
                         given=world.content, at=LATER)
    mirror = world.mirror(**{world.file: world.content, f"{world.file}.asc": signature, "right.asc": keys.export("right")})
    yield from judged(world, world.setup("--offline", "--mirror", mirror), "not checked: it has expired")


@with_keys
def case_expired_before(world, keys):
    """a signature that was made after its key had expired does not count."""
    right = keys.make("right", expires="0")
    signature = keys.sign("right", world.content, at=MUCH_LATER)
    keys.gpg("--quick-set-expire", right, "2021-01-01", at=LATER)
    signed_source(world, right)
    mirror = world.mirror(**{world.file: world.content, f"{world.file}.asc": signature, "right.asc": keys.export("right")})
    yield from judged(world, world.setup("--offline", "--mirror", mirror),
                      "not checked: it was made when its key had expired")


@with_keys
def case_revoked(world, keys):
    """a signature by a key that was revoked does not count."""
    right = keys.make("right")
    signature = keys.sign("right", world.content)
    revocation = (keys.home / f"openpgp-revocs.d/{right}.rev").read_text().replace(":-----BEGIN", "-----BEGIN")
    keys.gpg("--import", given=revocation.encode())
    signed_source(world, right)
    mirror = world.mirror(**{world.file: world.content, f"{world.file}.asc": signature, "right.asc": keys.export("right")})
    yield from judged(world, world.setup("--offline", "--mirror", mirror), "not checked: its key was revoked")


@with_keys
def case_damaged_key(world, keys):
    """a key file whose checksum is wrong is no key."""
    right = keys.make("right")
    lines = keys.export("right").decode().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("="))
    lines[at] = "=AAAA" if lines[at] != "=AAAA" else "=BBBB"
    signed_source(world, right)
    mirror = world.mirror(**{world.file: world.content, f"{world.file}.asc": keys.sign("right", world.content),
                             "right.asc": "\n".join(lines).encode()})
    yield from judged(world, world.setup("--offline", "--mirror", mirror),
                      f"not checked: no key with fingerprint {right} is at hand")


@with_keys
def case_no_gpgv(world, keys):
    """without gpgv the signature is not checked, with the package that has it."""
    right = keys.make("right")
    signed_source(world, right)
    mirror = world.mirror(**{world.file: world.content, f"{world.file}.asc": keys.sign("right", world.content),
                             "right.asc": keys.export("right")})
    tools = world.folder / "tools"
    tools.mkdir()
    for folder in ("/bin", "/usr/bin"):
        for path in Path(folder).iterdir():
            if path.name != "gpgv" and not (tools / path.name).is_symlink():
                (tools / path.name).symlink_to(path)
    done = world.setup("--offline", "--mirror", mirror, environment={"PATH": str(tools)})
    yield from judged(world, done, "not checked: there is no gpgv here (package gpgv, gnupg2 or gpg2)")


def case_openssl(world):
    """OpenSSL's own signature of its own release, with the key of the distribution's source package."""
    versions = json.loads((TOP / "recipes/openssl/recipe.json").read_text())["versions"]
    mirror = world.folder / "openssl"
    done = subprocess.run([TOP / "contrib/mirror-from-distro", mirror, "openssl"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise Skip(f"no source package: {(done.stdout.decode().splitlines() or ['nothing said'])[-1]}")
    have = {digest(path.read_bytes()) for path in mirror.iterdir() if ".tar." in path.name and path.suffix != ".asc"}
    version = next((row for row in versions if row.get("sources", [{}])[0].get("sha256") in have), None)
    if not version:
        yield f"no version of the recipe is what was had: {sorted(path.name for path in mirror.iterdir())}"
        return
    made = recipe("tiny", {"version": version["version"], "sources": version["sources"]})
    made["steps"] = [{"name": "install", "phase": "stage", "argv": ["install", "-D", "-m", "644", "{source}/LICENSE.txt",
                                                                   "{stage}{prefix}/share/hello.txt"]}]
    (world.recipes / "tiny").mkdir(parents=True)
    (world.recipes / "tiny/recipe.json").write_text(json.dumps(made))
    done = world.setup("--offline", "--mirror", mirror)
    yield from world.wants(done, 0)
    if not (done.proof("signature") or "").startswith(f"good, key {OPENSSL_KEY}"):
        yield f"the proof says {done.proof('signature')!r}"
