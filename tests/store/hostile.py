# SPDX-License-Identifier: BSD-2-Clause
"""Stages that a build left behind, and manifests, that no store may hold."""
import json
import os
import socket
import subprocess

from tool import KEY, NEEDS, NOBODY, OLD, Skip, check, fresh, good, listing, program, tool, tree, whole


def stage(name):
    """A prefix with one tree, and an empty directory that is to be staged."""
    prefix = fresh(name) / "p"
    good(tool(prefix, "apply", *OLD))
    directory = prefix.parent / "stage"
    directory.mkdir()
    return prefix, directory


def refused(prefix, directory, words, description=NEEDS, name="?"):
    result = tool(prefix, "stage", directory, *description)
    check(result.code == 2 and words in result.err, name, result.code, result.err)
    check(result.err.count("\n") == 1, name, result.err)
    check(not tree(prefix, description).exists(), name, listing(prefix / "store"))


def test_special_files_are_refused():
    def device(path):
        if os.geteuid() != 0:
            raise Skip("needs root to make a device")
        os.mknod(path, 0o600 | 0o020000, os.makedev(1, 3))

    def unix_socket(path):
        here = os.getcwd()
        os.chdir(path.parent)
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
        os.chdir(here)

    for make in (os.mkfifo, unix_socket, device):
        prefix, directory = stage("special")
        make(directory / "odd")
        refused(prefix, directory, "neither file, directory nor link", name=make)


def test_links_that_leave_the_tree_are_refused():
    sibling = f"software-1.0-{KEY['old']}"
    stranger = f"stranger-1.0-{KEY['old']}"
    here = f"other-7-{KEY['needs']}"
    rows = [
        # where, target, whether it may be
        ("link", "file", True), ("link", "missing", True), ("a/link", "../file", True), ("a/b/link", "../../a/../file", True),
        ("link", "..", False), ("link", "../..", False), ("a/link", "../../file", False), ("link", "/etc/passwd", False),
        ("link", "a/../../x", False), ("link", "missing/../../x", False), ("etc/outside", "/etc/ssl/certs", True),
        ("etc/other", "/etc/ssl/certs", False),
        ("link", f"../{sibling}/lib/x", True), ("a/link", f"../../{sibling}/lib/x", True),
        ("link", f"../{sibling}/../x", False), ("link", f"../{stranger}/lib/x", False), ("link", f"../{here}/file", True),
        ("link", f"../{sibling}-more/x", False), ("link", f"../../store/{sibling}/x", False),
        ("link", "PREFIX/store/" + sibling + "/lib/x", True), ("link", "PREFIX/store/" + stranger, False),
        ("link", "PREFIX/store/" + sibling + "/../x", False), ("link", "PREFIX/lock", False),
        # through another link: "up" leads to a, so up/.. is the top and up/../.. leaves
        ("link", "up/../file", True), ("link", "up/../../x", False), ("link", "self/self/self/../x", False),
        ("loop", "loop", False),
    ]
    for where, target, may in rows:
        prefix, directory = stage("leaving")
        for name in ("a/b", "etc"):
            (directory / name).mkdir(parents=True)
        (directory / "file").write_text("x")
        (directory / "up").symlink_to("a")
        (directory / "self").symlink_to(".")
        target = target.replace("PREFIX", str(prefix))
        (directory / where).symlink_to(target)
        if may:
            result = tool(prefix, "stage", directory, *NEEDS)
            check(result.code == 0, where, target, result.err)
            whole(prefix)
        else:
            refused(prefix, directory, "leads out of the tree", name=(where, target))


def test_a_tree_that_can_move_has_no_absolute_links():
    description = (*NEEDS[:4], "yes", *NEEDS[5:])
    prefix, directory = stage("movable")
    (directory / "link").symlink_to(prefix / f"store/software-1.0-{KEY['old']}/lib/x")
    refused(prefix, directory, "leads out of the tree", description)


def test_names_that_are_no_text_are_refused():
    for name in (b"\xff", b"new\nline", b"esc\x1b[2J", b"\xe2\x80\xae", b"x" * 200 + b"/" + b"y" * 255):
        prefix, directory = stage("no-text")
        path = os.fsencode(directory) + b"/" + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        deep = name.startswith(b"xxx")
        if deep:
            for _ in range(5):
                path += b"/" + b"z" * 250
            os.makedirs(path)
        else:
            with open(path, "w", encoding="ascii") as out:
                out.write("x")
        result = tool(prefix, "stage", directory, *NEEDS)
        check(result.code == 2 and "not UTF-8" in result.err and "\x1b" not in result.err, name, result.err)
        check(not tree(prefix, NEEDS).exists(), name)


def test_a_tree_that_is_too_deep_is_refused():
    prefix, directory = stage("deep")
    (directory / "/".join("d" * 80)).mkdir(parents=True)
    refused(prefix, directory, "nested too deep")


def test_set_user_and_group_bits_and_write_permissions_go():
    prefix, directory = stage("modes")
    for mode in (0o4755, 0o2755, 0o6777, 0o1777, 0o666, 0o600, 0o400, 0o700):
        (directory / f"{mode:04o}").write_text("x")
        (directory / f"{mode:04o}").chmod(mode)
    (directory / "dir").mkdir()
    (directory / "dir").chmod(0o2777)
    good(tool(prefix, "stage", directory, *NEEDS))
    for path in tree(prefix, NEEDS).rglob("*"):
        wanted = 0o755 if path.is_dir() or (path.name.isdigit() and int(path.name, 8) & 0o100) else 0o644
        check(path.stat().st_mode & 0o7777 == wanted, path, oct(path.stat().st_mode))
    whole(prefix)


def test_files_with_names_outside_of_the_tree_are_refused():
    prefix, directory = stage("hard-links")
    (directory / "one").write_text("x")
    os.link(directory / "one", directory / "two")
    good(tool(prefix, "stage", directory, *NEEDS))
    whole(prefix)
    prefix, directory = stage("hard-links")
    (prefix.parent / "mine").write_text("x")
    os.link(prefix.parent / "mine", directory / "one")
    refused(prefix, directory, "another name outside")


def test_what_another_user_built_becomes_ours_and_what_he_took_from_others_is_refused():
    if os.geteuid() != 0:
        raise Skip("needs root to act as another user")
    prefix, directory = stage("builder")
    for name in ("bin", "bin/program", "lib"):
        (directory / name).touch() if name.endswith("program") else (directory / name).mkdir()
    (directory / "link").symlink_to("bin")
    subprocess.run(["chown", "-hR", f"{NOBODY}:{NOBODY}", str(directory)], check=True)
    good(tool(prefix, "stage", directory, *NEEDS))
    for path in [tree(prefix, NEEDS), *tree(prefix, NEEDS).rglob("*")]:
        check((path.lstat().st_uid, path.lstat().st_gid) == (0, 0), path)
    prefix, directory = stage("builder")
    (prefix.parent / "secret").write_text("secret")
    (prefix.parent / "secret").chmod(0o600)
    os.link(prefix.parent / "secret", directory / "mine")
    os.chown(directory, NOBODY, NOBODY)
    refused(prefix, directory, "belongs to someone else")
    check((prefix.parent / "secret").stat().st_mode & 0o777 == 0o600, "its mode is what it was")


def test_papers_of_a_build_are_replaced():
    prefix, directory = stage("papers")
    (directory / ".ampere-crypto").mkdir()
    (directory / ".ampere-crypto/manifest.json").symlink_to("/etc/passwd")
    (directory / ".ampere-crypto/sbom.spdx.json").mkdir()
    (directory / ".ampere-crypto/build.log").write_text("log")
    (directory / ".removing.json").write_text("{}")
    good(tool(prefix, "stage", directory, *NEEDS))
    whole(prefix)
    check((tree(prefix, NEEDS) / ".ampere-crypto/build.log").read_text() == "log")
    check(not (tree(prefix, NEEDS) / ".removing.json").exists())
    prefix, directory = stage("papers")
    (directory / ".ampere-crypto").symlink_to(prefix)
    result = tool(prefix, "stage", directory, *NEEDS)
    check(result.code == 2, result.err)


def test_names_that_cannot_name_a_tree_are_refused():
    for name, version, key in (("..", "1", "1" * 16), ("a/b", "1", "1" * 16), ("", "1", "1" * 16), (".a", "1", "1" * 16),
                               ("a", "../1", "1" * 16), ("a", "1 2", "1" * 16), ("a", "1", "1" * 15), ("a", "1", "G" * 16),
                               ("a", "1", "1" * 17), ("a" * 100, "1", "1" * 16), ("a\n", "1", "1" * 16)):
        prefix = fresh("tree-names") / "p"
        result = tool(prefix, "install", name, version, key, "altra", "no")
        check(result.code == 2 and result.err.count("\n") == 1, name, result.err)
        check(not (prefix / "store").exists() or not list((prefix / "store").iterdir()), name)


SETTINGS = "etc/settings"


def change(manifest, what):
    """A manifest made hostile in one way; the tree itself stays as it is."""
    files = manifest["files"]
    settings = next(file for file in files if file["path"] == SETTINGS)
    changes = {
        "dots": lambda: settings.update(path="../../../precious"),
        "dots inside": lambda: settings.update(path="etc/../../../precious"),
        "absolute": lambda: settings.update(path="/etc/passwd"),
        "twice": lambda: files.insert(files.index(settings), dict(settings)),
        "order": files.reverse,
        "itself": lambda: settings.update(path=".ampere-crypto/manifest.json"),
        "no digest": lambda: settings.update(sha256=None),
        "short digest": lambda: settings.update(sha256="ab"),
        "set user": lambda: settings.update(mode="4755"),
        "writable": lambda: settings.update(mode="0666"),
        "type": lambda: settings.update(type="device"),
        "a link with content": lambda: settings.update(type="link"),
        "negative": lambda: settings.update(size=-1),
        "empty path": lambda: settings.update(path=""),
        "slash at the end": lambda: settings.update(path="etc/settings/"),
        "another tree": lambda: manifest.update(name="stranger"),
        "a name with dots": lambda: manifest.update(name="../x"),
        "unknown key": lambda: manifest.update(more=1),
        "another format": lambda: manifest.update(schema="ampere-crypto/manifest 2.0.0"),
        "no files": lambda: manifest.pop("files"),
        "files are text": lambda: manifest.update(files="all"),
        "dependency": lambda: manifest.update(dependencies=[{"name": "../..", "version": "1", "key": "1" * 16}]),
    }
    changes[what]()
    return list(changes)


def test_hostile_manifests_are_refused_and_nothing_outside_is_touched():
    prefix = fresh("manifests") / "p"
    good(tool(prefix, "apply", *OLD))
    (prefix.parent / "precious").write_text("kept")
    path = tree(prefix, OLD) / ".ampere-crypto/manifest.json"
    honest = path.read_text()
    for what in change(json.loads(honest), "order"):
        manifest = json.loads(honest)
        change(manifest, what)
        path.write_text(json.dumps(manifest, indent=2) + "\n")
        result = program("status", "--verify", "--json", "--prefix", prefix)
        check(result.code == 4 and "manifest" in result.out, what, result.code, result.out[-400:], result.err)
        for command in ("env", "run"):
            result = program(command, "--prefix", prefix, *(["true"] if command == "run" else []))
            check(result.code == 2 and result.err.count("\n") == 1, what, command, result.err)
        program("remove", "software", "--prefix", prefix)
        check((prefix.parent / "precious").read_text() == "kept", what)
        check((tree(prefix, OLD) / SETTINGS).exists(), what, "a tree with a hostile manifest is not touched")
        if not (prefix / "current").exists():
            path.write_text(honest)
            good(tool(prefix, "activate", *OLD[:4]))
    path.write_text(honest)
    whole(prefix)
