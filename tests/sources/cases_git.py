# SPDX-License-Identifier: BSD-2-Clause
"""One commit: from a repository or a bundle of a mirror, or over https."""
import os
import shutil
import subprocess

import githttp
from world import FILES

EPOCH = "946684800 +0000"


def make_repository(where, files=None, commits=1):
    """A bare repository; its last commit's 40 digits."""
    tree = where.with_suffix(".tree")
    tree.mkdir(parents=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(tree), "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        env.update({f"GIT_{role}_NAME": "tiny", f"GIT_{role}_EMAIL": "tiny@tiny.invalid", f"GIT_{role}_DATE": EPOCH})

    def git(*words):
        done = subprocess.run(["git", *map(str, words)], env=env, cwd=tree, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.strip()

    git("init", "--quiet", "--initial-branch=main")
    for number in range(commits):
        for path, text in {**FILES, **(files or {}), "number": f"{number}\n"}.items():
            (tree / path).write_text(text)
        git("add", "--all")
        git("commit", "--quiet", f"--message={number}")
    git("clone", "--quiet", "--bare", tree, where)
    commit = git("rev-parse", "HEAD")
    shutil.rmtree(tree)
    return commit


def git_in(repository, *words):
    return subprocess.run(["git", "-C", str(repository), "-c", "safe.directory=*", *map(str, words)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


def commit_source(world, commit, url="https://127.0.0.1:1/tiny"):
    world.put_recipe("tiny", {"version": "1", "git": {"url": url, "commit": commit}})


def case_git_repository(world):
    """a commit is taken from a repository of a mirror, and kept; later runs need no mirror."""
    mirror = world.mirror()
    commit = make_repository(mirror / "any name.git", commits=3)
    commit_source(world, commit)
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 0, commit, "any name.git")
    kept = world.prefix / f"cache/{commit}.git"
    if git_in(kept, "rev-parse", "HEAD") != commit:
        yield "the cache has another commit"
    if {path.stat().st_uid for path in kept.rglob("*")} != {os.getuid()}:
        yield "files of the cache are another user's"
    log = next(world.prefix.glob("store/tiny-*/.ampere-crypto/build.log"), None)
    if not log or "hello" not in world.installed().read_text():
        yield "it was built of something else"
    shutil.rmtree(world.prefix / "store")
    shutil.rmtree(world.prefix / "generations")
    (world.prefix / "current").unlink()
    yield from world.wants(world.setup("--offline"), 0)


def case_git_packed(world):
    """a commit in a pack is found, also one that is not the newest."""
    mirror = world.mirror()
    make_repository(mirror / "tiny.git", commits=300)
    git_in(mirror / "tiny.git", "repack", "-a", "-d", "--quiet")
    commit_source(world, git_in(mirror / "tiny.git", "rev-parse", "HEAD~150"))
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 0)


def case_git_bundle(world):
    """a commit is taken from a bundle that lists it."""
    mirror = world.mirror()
    commit = make_repository(world.folder / "tiny.git", commits=2)
    git_in(world.folder / "tiny.git", "bundle", "create", "--quiet", mirror / "tiny.bundle", "main")
    commit_source(world, commit)
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 0, "tiny.bundle")


def case_git_missing(world):
    """offline, a commit that no mirror has is named, with how to bring it."""
    mirror = world.mirror()
    make_repository(mirror / "tiny.git")
    commit_source(world, "1" * 40)
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 2, "1" * 40, "https://127.0.0.1:1/tiny",
                           "NAME.git", "NAME.bundle")


def case_git_poisoned(world):
    """an object with other bytes than its name says is exit status 4, and the copy goes."""
    mirror = world.mirror()
    commit = make_repository(mirror / "tiny.git")
    make_repository(world.folder / "evil.git", {"greeting": "evil\n"})
    blob = git_in(mirror / "tiny.git", "rev-parse", f"{commit}:greeting")
    evil = git_in(world.folder / "evil.git", "rev-parse", "HEAD:greeting")
    for repository in (mirror / "tiny.git", world.folder / "evil.git"):
        for pack in list(repository.glob("objects/pack/*.pack")):
            moved = world.folder / pack.name
            pack.rename(moved)
            with open(moved, "rb") as given:
                subprocess.run(["git", "-C", str(repository), "-c", "safe.directory=*", "unpack-objects", "-q"], stdin=given,
                               check=True)
    target = mirror / f"tiny.git/objects/{blob[:2]}/{blob[2:]}"
    target.chmod(0o644)
    target.write_bytes((world.folder / f"evil.git/objects/{evil[:2]}/{evil[2:]}").read_bytes())
    commit_source(world, commit)
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 4, commit)
    if list(world.prefix.glob("cache/*.git*")):
        yield "the copy is still there"


def case_git_hostile(world):
    """neither configuration nor hooks nor links of a mirror's repository have a say."""
    mirror, marker = world.mirror(), world.folder / "marker"
    marker.mkdir(mode=0o777)
    marker.chmod(0o777)
    repository = mirror / "tiny.git"
    commit = make_repository(repository)
    script = f"#!/bin/sh\ntouch '{marker}/hook'\n"
    for hook in ("post-checkout", "post-index-change", "pre-auto-gc", "fsmonitor-watchman", "reference-transaction"):
        (repository / "hooks").mkdir(exist_ok=True)
        (repository / "hooks" / hook).write_text(script)
        (repository / "hooks" / hook).chmod(0o755)
    with open(repository / "config", "a", encoding="ascii") as config:
        config.write(f"[core]\n\tfsmonitor = touch '{marker}/fsmonitor'\n\tworktree = {marker}\n"
                     f"[uploadpack]\n\tpackObjectsHook = touch '{marker}/upload'\n")
    (repository / "objects/info").mkdir(exist_ok=True)
    (repository / "objects/info/alternates").write_text(f"{marker}\n")
    commit_source(world, commit)
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 0)
    if list(marker.iterdir()):
        yield f"run: {list(marker.iterdir())}"
    kept = world.prefix / f"cache/{commit}.git"
    if (kept / "hooks").exists() or "fsmonitor" in (kept / "config").read_text():
        yield "the cache has what is not ours"


def case_git_object_links(world):
    """links in the place of objects are not followed."""
    mirror = world.mirror()
    repository = mirror / "tiny.git"
    commit = make_repository(repository)
    secret = world.folder / "secret"
    secret.write_text("secret")
    (repository / "objects/ab").mkdir(exist_ok=True)
    (repository / "objects/ab" / ("c" * 38)).symlink_to(secret)
    commit_source(world, commit)
    done = world.setup("--offline", "--mirror", mirror)
    yield from world.wants(done, 2, str(repository))
    if list(world.prefix.glob("cache/*.git*")):
        yield "half a copy is there"


def case_git_https(world):
    """a commit is fetched over https alone, without its history, by the user of the build."""
    folder = world.folder / "served"
    folder.mkdir()
    commit = make_repository(folder / "tiny.git", commits=5)
    server = githttp.Server(world.servers, folder)
    try:
        commit_source(world, commit, f"https://127.0.0.1:{server.port}/tiny.git")
        yield from world.wants(world.setup(), 0, commit)
        kept = world.prefix / f"cache/{commit}.git"
        if git_in(kept, "rev-list", "--count", "HEAD") != "1" or not server.paths:
            yield f"the cache has {git_in(kept, 'rev-list', '--count', 'HEAD')} commits, asked {server.paths}"
        if list(kept.rglob("*.sample")) or {path.stat().st_uid for path in kept.rglob("*")} != {os.getuid()}:
            yield "the cache has what is not ours"
    finally:
        server.close()


def case_git_https_missing(world):
    """a commit that the repository does not have is exit status 2, with its name and address."""
    folder = world.folder / "served"
    folder.mkdir()
    make_repository(folder / "tiny.git")
    server = githttp.Server(world.servers, folder)
    try:
        url = f"https://127.0.0.1:{server.port}/tiny.git"
        commit_source(world, "2" * 40, url)
        yield from world.wants(world.setup(), 2, "2" * 40, url)
        commit_source(world, "3" * 40, f"https://127.0.0.1:{server.port}/nowhere.git")
        yield from world.wants(world.setup(), 2, "3" * 40, "nowhere.git")
        if list(world.prefix.glob("cache/*.git*")):
            yield "something is in the cache"
    finally:
        server.close()


def case_git_redirect(world):
    """a server cannot send git to another kind of address."""
    for number, target in enumerate(("http://127.0.0.1:1/x", "file:///etc", "ext::touch /tmp/x")):
        world.servers.behave("refs?service=git-upload-pack",
                             lambda x, target=target: x.reply("302 Found", b"", f"Location: {target}/info/refs"))
        commit_source(world, f"{number}" * 40, world.servers.url("redirect", "tiny.git"))
        yield from world.wants(world.setup(), 2, f"{number}" * 40)
        if len(world.servers.requests("redirect")) != number + 1:
            yield f"asked for {world.servers.requests('redirect')}"
