# SPDX-License-Identifier: BSD-2-Clause
"""Manifest and SBOM say what is there, as other programs see it; verification finds what is not."""
import copy
import hashlib
import json
import os

import spdx
from tool import NEEDS, OLD, check, fresh, good, program, tool, tree, whole

MANIFEST, SBOM = ".ampere-crypto/manifest.json", ".ampere-crypto/sbom.spdx.json"


def installed(name):
    prefix = fresh(name) / "p"
    good(tool(prefix, "apply", *OLD))
    good(tool(prefix, "apply", *NEEDS))
    return prefix, tree(prefix, NEEDS)


def seen(top):
    """What Python finds in a tree, as a manifest says it."""
    found = {}
    for path in top.rglob("*"):
        name, status = str(path.relative_to(top)), path.lstat()
        if name == MANIFEST:
            continue
        mode = f"{status.st_mode & 0o7777:04o}"
        if path.is_symlink():
            found[name] = ("link", None, 0, None, os.readlink(path))
        elif path.is_dir():
            found[name] = ("directory", mode, 0, None, None)
        else:
            found[name] = ("file", mode, status.st_size, hashlib.sha256(path.read_bytes()).hexdigest(), None)
    return found


def test_the_manifest_lists_what_is_there():
    _, top = installed("lists")
    manifest = json.loads((top / MANIFEST).read_text())
    listed = {file["path"]: (file["type"], file["mode"], file["size"], file["sha256"], file["target"])
              for file in manifest["files"]}
    check(listed == seen(top), listed, seen(top))
    paths = [file["path"].encode() for file in manifest["files"]]
    check(paths == sorted(paths) and len(set(paths)) == len(paths), paths)
    check(manifest["schema"].startswith("ampere-crypto/manifest 1."), manifest["schema"])
    check([one["name"] for one in manifest["dependencies"]] == ["software"], manifest["dependencies"])


def test_the_manifest_fits_its_schema():
    try:
        import jsonschema
    except ImportError:
        return
    _, top = installed("schema")
    schema = good(program("schema", "manifest")).json()
    jsonschema.Draft202012Validator(schema).validate(json.loads((top / MANIFEST).read_text()))


def test_the_sbom_has_what_spdx_wants():
    _, top = installed("spdx")
    document = json.loads((top / SBOM).read_text())
    found = list(spdx.faults(document))
    check(not found, found[:5])
    files = {file["fileName"][2:]: {one["algorithm"]: one["checksumValue"] for one in file["checksums"]}
             for file in document["files"]}
    wanted = {str(path.relative_to(top)): {"SHA1": hashlib.sha1(path.read_bytes()).hexdigest(),
                                           "SHA256": hashlib.sha256(path.read_bytes()).hexdigest()}
              for path in top.rglob("*") if path.is_file() and not path.is_symlink() and
              str(path.relative_to(top)) not in (MANIFEST, SBOM)}
    check(files == wanted, files, wanted)
    names = {package["name"] for package in document["packages"]}
    check({"other", "software", "software-1.tar.gz"} <= names, names)


def test_the_checker_of_spdx_finds_what_is_missing():
    # a checker that finds nothing would pass everything
    _, top = installed("checker")
    honest = json.loads((top / SBOM).read_text())
    changes = [
        lambda d: d.pop("spdxVersion"), lambda d: d.pop("dataLicense"), lambda d: d.pop("name"), lambda d: d.pop("creationInfo"),
        lambda d: d.update(documentNamespace="https://example.org/#x"), lambda d: d["packages"][0].pop("downloadLocation"),
        lambda d: d["packages"][0].pop("packageVerificationCode"), lambda d: d["packages"][1].update(filesAnalyzed=True),
        lambda d: d["files"][0]["checksums"].pop(0), lambda d: d["files"][0].update(fileName="x"),
        lambda d: d["files"].append(d["files"][0]), lambda d: d["relationships"].pop(0),
        lambda d: d["relationships"][1].update(relatedSpdxElement="SPDXRef-None"),
    ]
    for number, change in enumerate(changes):
        document = copy.deepcopy(honest)
        change(document)
        check(list(spdx.faults(document)), number)


def test_sha1_of_sizes_around_a_block():
    prefix = fresh("sha1") / "p"
    directory = prefix.parent / "stage"
    directory.mkdir()
    for size in (0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1000, 65535, 65536, 65537, 200000):
        (directory / str(size)).write_bytes(bytes(n * 7 & 255 for n in range(size)))
    good(tool(prefix, "try"))
    good(tool(prefix, "stage", directory, *OLD))
    for file in json.loads((tree(prefix, OLD) / SBOM).read_text())["files"]:
        content = (tree(prefix, OLD) / file["fileName"]).read_bytes()
        check(file["checksums"][0]["checksumValue"] == hashlib.sha1(content).hexdigest(), file["fileName"])


def test_the_same_tree_gives_the_same_papers():
    texts = []
    for name in ("same-1", "same-2"):
        prefix = fresh(name) / "p"
        good(tool(prefix, "apply", *OLD))
        texts.append([(tree(prefix, OLD) / paper).read_text().replace(str(prefix), "PREFIX") for paper in (MANIFEST, SBOM)])
    check(texts[0] == texts[1], "papers differ")


def test_verification_finds_every_kind_of_difference():
    def rewrite(path):
        path.write_text("as chipped\n")

    def touch(path):
        os.utime(path, (1, 1))

    changes = [
        # what is done to the tree, what is to be found
        (lambda top: rewrite(top / "etc/settings"), [("changed", "etc/settings")]),
        (lambda top: (top / "etc/settings").unlink(), [("missing", "etc/settings")]),
        (lambda top: (top / "etc/settings").chmod(0o4755), [("changed", "etc/settings")]),
        (lambda top: (top / "etc").chmod(0o777), [("changed", "etc")]),
        (lambda top: (top / "etc/new").write_text(""), [("added", "etc/new")]),
        (lambda top: (top / "etc/new").mkdir(), [("added", "etc/new")]),
        (lambda top: os.mkfifo(top / "etc/new"), [("added", "etc/new")]),
        (lambda top: (top / "etc/settings").rename(top / "etc/moved"), [("added", "etc/moved"), ("missing", "etc/settings")]),
        (lambda top: [(top / "lib/libother.so").unlink(), (top / "lib/libother.so").symlink_to("/lib/x")],
         [("changed", "lib/libother.so")]),
        (lambda top: [(top / "etc/settings").unlink(), (top / "etc/settings").symlink_to("../bin/other")],
         [("changed", "etc/settings")]),
        (lambda top: [(top / "etc/settings").unlink(), (top / "etc/settings").mkdir()], [("changed", "etc/settings")]),
        (lambda top: (top / MANIFEST).unlink(), [("missing", "")]),
        (lambda top: (top / MANIFEST).write_text("{}\n"), [("changed", "")]),
        (lambda top: (top / SBOM).write_text("{}\n"), [("changed", SBOM)]),
        (lambda top: touch(top / "etc/settings"), []),
    ]
    for number, (change, wanted) in enumerate(changes):
        prefix, top = installed("differences")
        change(top)
        result = program("status", "--verify", "--json", "--prefix", prefix)
        found = [(one["what"], one["path"].removeprefix(str(top)).lstrip("/"))
                 for one in next(one for one in result.json()["results"] if one["name"] == "other")["differences"]]
        check(sorted(found) == wanted, number, found, wanted)
        check(result.code == (4 if wanted else 0), number, result.code)
        check(result.json()["summary"]["differences"] == len(wanted), number)


def test_an_inactive_tree_is_verified_too():
    prefix, _ = installed("inactive")
    good(tool(prefix, "apply", "software", "9", "9" * 16, "altra", "no"))
    whole(prefix)
    (tree(prefix, OLD) / "etc/settings").write_text("other")
    check(program("status", "--verify", "--prefix", prefix).code == 4)
    good(program("status", "--prefix", prefix))


def test_links_of_generations_are_verified():
    for change in (lambda link: link.symlink_to("/usr"), lambda link: None, lambda link: link.mkdir()):
        prefix, _ = installed("generation-links")
        link = prefix / "generations/2/other"
        link.unlink()
        change(link)
        result = program("status", "--verify", "--json", "--prefix", prefix)
        found = [one["path"] for tree in result.json()["results"] for one in tree["differences"]]
        check(result.code == 4 and found == [str(link)], found)
