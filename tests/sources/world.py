# SPDX-License-Identifier: BSD-2-Clause
"""A recipe that is built in a second, the servers and mirrors it may come from, and runs of setup on it."""
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/fetch"))

import certificates
from server import BEHAVIOURS, Server, serve

PROGRAM = Path(os.environ.get("CHECK_PROGRAM", TOP / "build/gcc/src/cli/ampere-crypto"))
LIMIT_S = 120
FILES = {
    "Makefile": "all: hello.txt\nhello.txt: greeting\n\tcat greeting > hello.txt\n"
                "install: all\n\tinstall -D -m 644 hello.txt $(DESTDIR)$(PREFIX)/share/hello.txt\n",
    "greeting": "hello\n",
    "README": "three files\n",
}


def archive(name, size=0, **more):
    """A tarball of FILES; its size grows with `size` bytes of something that does not compress."""
    raw = io.BytesIO()
    files = {path: text.encode() for path, text in {**FILES, **more}.items()}
    if size:
        files["ballast"] = b"".join(hashlib.sha256(b"%d" % at).digest() for at in range(size // 32))
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode, entry.mtime = len(content), 0o644, 946684800
            tar.addfile(entry, io.BytesIO(content))
    return gzip.compress(raw.getvalue(), mtime=0)


def digest(content):
    return hashlib.sha256(content).hexdigest()


def recipe(name, version):
    """What setup is told of it: `make` and `make install`, nothing more."""
    return {
        "name": name, "summary": "a recipe for tests", "homepage": "https://tiny.invalid/", "license": "0BSD",
        "rules": [{"families": ["*"], "versions": ["*"], "why": "there is one version", "references": ["tests/sources"]}],
        "versions": [dict(version, status="supported")],
        "tools": [{"kind": "program", "name": "make", "debian": "make", "rhel": "make", "suse": "make"}],
        "steps": [
            {"name": "make", "phase": "build", "argv": ["make", "-C", "{source}"]},
            {"name": "install", "phase": "stage",
             "argv": ["make", "-C", "{source}", "install", "DESTDIR={stage}", "PREFIX={prefix}"]},
        ],
        "relocatable": True, "products": ["share/hello.txt"],
    }


class Skip(Exception):
    """Raised by a case that cannot be judged here, with the reason."""


class Done:
    def __init__(self, status, output, errors):
        self.status, self.errors = status, errors
        self.document = json.loads(output) if output.strip() else {}
        self.messages = [f"{one.get('kind', '')} {one.get('text', '')}" for one in self.document.get("messages", [])]
        self.text = "\n".join([errors, *self.messages])

    def state(self, name="tiny"):
        return next((row["state"] for row in self.document.get("results", []) if row["name"] == name), None)

    def proof(self, what, name="tiny"):
        for row in self.document.get("results", []):
            for proof in row.get("proof", []) if row["name"] == name else []:
                if proof["what"] == what:
                    return proof["result"]
        return None


class World:
    """One case: a directory of its own with recipes, mirrors and a prefix."""

    def __init__(self, folder, servers):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder, self.servers = folder, servers
        self.prefix, self.recipes = folder / "prefix", folder / "recipes"
        self.content = archive("tiny-1")
        self.file = "tiny-1.tar.gz"

    def mirror(self, name="mirror", **files):
        where = self.folder / name
        where.mkdir(exist_ok=True)
        for path, content in files.items():
            (where / path).write_bytes(content)
        return where

    def put_recipe(self, name, version):
        where = self.recipes / name
        where.mkdir(parents=True, exist_ok=True)
        (where / "recipe.json").write_text(json.dumps(recipe(name, version)))

    def source(self, url=None, content=None, size=True, file=None, **more):
        """The recipe `tiny` of one file."""
        content = self.content if content is None else content
        row = {"file": file or self.file, "url": url or f"https://127.0.0.1:1/{self.file}", "sha256": digest(content), **more}
        if size:
            row["size"] = len(content)
        self.put_recipe("tiny", {"version": "1", "sources": [row]})

    def cached(self, content=None):
        return self.prefix / "cache" / digest(self.content if content is None else content)

    def wants(self, done, status, *texts):
        """What is wrong with the end of a run."""
        if done.status != status:
            yield f"exit status {done.status}, want {status}: {done.text[-700:]}"
        for text in texts:
            if text not in done.text:
                yield f"nothing says {text!r}: {done.text[-700:]}"
        if (status == 0) != bool(self.installed()):
            yield "something was installed" if status else "nothing was installed"

    def leftovers(self):
        """Files of the cache that no run may leave behind."""
        return sorted(path.name for path in (self.prefix / "cache").glob("*.*")
                      if not path.name.endswith((".git", ".asc", ".json")))

    def make_prefix(self):
        """A prefix of the program's own: no other is touched. The cache is empty."""
        self.put_recipe("nothing", {"version": "1", "sources": [
            {"file": "nothing", "url": "https://127.0.0.1:1/nothing", "sha256": "0" * 64}]})
        done = self.setup("--offline", names=("nothing",))
        if done.status != 2 or not (self.prefix / "cache").is_dir():
            raise RuntimeError(f"no prefix was made: {done.status} {done.text}")

    def installed(self):
        return next(iter(self.prefix.glob("store/tiny-*/share/hello.txt")), None)

    def command(self, *words, names=("tiny",), progress="never"):
        return [str(PROGRAM), "setup", *names, "--target", "native", "--prefix", str(self.prefix), "--recipes",
                str(self.recipes), "--json", "--progress", progress, *map(str, words)]

    def environment(self, **more):
        return {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
                "SSL_CERT_FILE": str(self.servers.authority), "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1", **more}

    def setup(self, *words, names=("tiny",), environment=None, before=(), progress="never", **more):
        command = [*before, *self.command(*words, names=names, progress=progress)]
        done = subprocess.run(command, env=self.environment(**(environment or {})), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False, **more)
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode("utf-8", "replace"))

    def strace(self, log, calls):
        """Words before a command, or None where there is no strace."""
        found = shutil.which("strace")
        return [found, "-f", "-qq", "-e", f"trace={calls}", "-o", str(log)] if found else None


class Servers:
    def __init__(self, folder):
        made = certificates.make(folder)
        self.authority, self.certificate, self.names = made["authority"], made["good"], {}
        self.good = Server(made["good"], self.names)
        self.names["good"] = self.good.port
        os.chmod(self.authority, 0o644)

    def serve(self, name, content):
        """The last part of an address decides what is served."""
        BEHAVIOURS[name] = lambda exchange: serve(exchange, content)

    def behave(self, name, function):
        BEHAVIOURS[name] = function

    def url(self, *parts):
        return "/".join([f"https://127.0.0.1:{self.good.port}", *parts])

    def requests(self, case):
        return [path for path, _ in self.good.seen[case]]
