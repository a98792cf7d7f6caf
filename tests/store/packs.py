# SPDX-License-Identifier: BSD-2-Clause
"""A generation as one file, and back; packs that were changed, cut or are for elsewhere."""
import io
import json
import subprocess
import tarfile

from tool import NEEDS, NEW, OLD, check, fresh, generation, good, listing, program, says, settled, tool, tree, whole

MOVABLE = ("free", "1", "f" * 16, "altra", "yes")
LONG = "long/" + "directory-with-a-name/" * 12 + "file"


def packed(name, *descriptions):
    prefix = fresh(name) / "p"
    for description in descriptions or (OLD, NEEDS):
        good(tool(prefix, "apply", *description))
    pack = prefix.parent / "pack"
    good(tool(prefix, "pack", pack))
    return prefix, pack


def members(pack):
    with tarfile.open(pack) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def test_other_programs_read_a_pack():
    prefix = fresh("others-read") / "p"
    directory = prefix.parent / "stage"
    (directory / LONG).parent.mkdir(parents=True)
    (directory / LONG).write_text("deep")
    (directory / "empty").mkdir()
    (directory / "exact").write_bytes(b"x" * 512)
    (directory / ("n" * 100)).write_text("a name that just fits")
    good(tool(prefix, "try"))
    good(tool(prefix, "stage", directory, *OLD))
    good(tool(prefix, "activate", *OLD[:4]))
    pack = prefix.parent / "pack"
    good(tool(prefix, "pack", pack))
    found = members(pack)
    first = next(iter(found))
    check(first == "pack.json", first)
    top = f"store/{'-'.join(OLD[:3])}"
    for path in tree(prefix, OLD).rglob("*"):
        if path.is_file() and not path.is_symlink():
            name = f"{top}/{path.relative_to(tree(prefix, OLD))}"
            check(found.pop(name) == path.read_bytes(), name)
    check(list(found) == ["pack.json"], list(found))
    listed = subprocess.run(["tar", "-tf", str(pack)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    check(f"{top}/{LONG}" in listed.stdout and not listed.stderr, listed.stderr)
    what = json.loads(members(pack)["pack.json"])
    check((what["prefix"], what["target"]) == (str(prefix), "altra"), what)
    before = settled(prefix)
    good(program("remove", "--prefix", prefix))
    good(tool(prefix, "unpack", pack))
    check(settled(prefix) == before, settled(prefix), before)
    whole(prefix)


def test_the_same_generation_gives_the_same_bytes():
    prefix, pack = packed("same")
    first = pack.read_bytes()
    good(tool(prefix, "pack", pack))
    check(pack.read_bytes() == first)
    good(program("remove", "--prefix", prefix))
    good(tool(prefix, "unpack", pack))
    good(tool(prefix, "pack", pack))
    check(pack.read_bytes() == first, "packing what was unpacked")


def test_what_an_active_tree_needs_comes_along():
    prefix, pack = packed("closure", OLD, NEEDS, NEW)
    good(program("remove", "--prefix", prefix))
    good(tool(prefix, "unpack", pack, "altra"))
    check(says(prefix) == "software 2.0" and tree(prefix, OLD).is_dir(), listing(prefix / "store"))
    whole(prefix)


def test_unpacking_keeps_what_is_there():
    prefix, pack = packed("keeps")
    good(program("remove", "--prefix", prefix))
    good(tool(prefix, "apply", *NEW))
    good(tool(prefix, "apply", "third", "1", "3" * 16, "altra", "no"))
    good(tool(prefix, "unpack", pack))
    check(generation(prefix) == 3 and says(prefix) == "software 1.0" and says(prefix, "third") == "third 1")
    good(tool(prefix, "unpack", pack))
    check(generation(prefix) == 3)
    check(listing(prefix / "work") == {}, "no copy of the pack stays")
    good(program("rollback", "--prefix", prefix))
    check(says(prefix) == "software 2.0")


def test_another_prefix_is_refused_unless_every_tree_can_move():
    prefix, pack = packed("elsewhere", MOVABLE)
    other = prefix.parent / "other"
    good(tool(other, "unpack", pack))
    check(says(other, "free") == "free 1")
    whole(other)
    good(tool(prefix, "apply", *OLD))
    good(tool(prefix, "pack", pack))
    before = settled(other)
    result = tool(other, "unpack", pack)
    check(result.code == 6 and str(prefix) in result.err and str(other) in result.err, result.code, result.err)
    check(settled(other) == before)


def test_another_target_is_refused():
    prefix, pack = packed("target")
    good(program("remove", "--prefix", prefix))
    result = tool(prefix, "unpack", pack, "ampereone-ac04")
    check(result.code == 6 and "for altra" in result.err, result.code, result.err)


def test_nothing_is_packed_that_differs_from_its_manifest():
    prefix, pack = packed("differs")
    pack.unlink()
    (tree(prefix, OLD) / "etc/settings").write_text("as chipped\n")
    result = tool(prefix, "pack", pack)
    check(result.code == 4 and "etc/settings" in result.err, result.code, result.err)
    (tree(prefix, OLD) / "etc/settings").unlink()
    check(tool(prefix, "pack", pack).code == 4)
    check(sorted(path.name for path in pack.parent.iterdir()) == ["p"], "no half of a pack stays")
    result = tool(fresh("nothing-active") / "p", "pack", pack)
    check(result.code == 2 and "nothing is active" in result.err, result.err)


def rewritten(pack, change):
    """The pack with its members changed by a function of name and content; None takes one away."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in members(pack).items():
            content = change(name, content)
            if content is None:
                continue
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o755 if "/bin/" in name else 0o644
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def json_change(change):
    def apply(name, content):
        if name != "pack.json":
            return content
        document = json.loads(content)
        change(document)
        return json.dumps(document).encode()
    return apply


def test_a_pack_that_was_changed_is_refused_and_nothing_changes():
    prefix, pack = packed("changed")
    good(program("remove", "--prefix", prefix))
    good(tool(prefix, "apply", *NEW))
    before, honest = settled(prefix), pack.read_bytes()
    changes = [
        # what is changed, the exit status
        (lambda name, content: content + b"x" if name.endswith("etc/settings") else content, 4),
        (lambda name, content: b"as chipped\n" if name.endswith("etc/settings") else content, 4),
        (lambda name, content: None if name.endswith("etc/settings") else content, 4),
        (lambda name, content: content.replace(b"altra", b"alter") if name.endswith("manifest.json") else content, 4),
        (lambda name, content: None if name.endswith("manifest.json") else content, 4),
        (lambda name, content: None if name == "pack.json" else content, 4),
        (json_change(lambda d: d["trees"][0].update(manifest="0" * 64)), 4),
        (json_change(lambda d: d["trees"][0].update(name="stranger")), 4),
        (json_change(lambda d: d["trees"][0].update(name="../../x")), 2),
        (json_change(lambda d: d["trees"].clear()), 2),
        (json_change(lambda d: d["trees"].pop()), 4),
        (json_change(lambda d: d.update(target="emag")), 4),
        (json_change(lambda d: d.update(schema="ampere-crypto/pack 2.0.0")), 2),
    ]
    for number, (change, code) in enumerate(changes):
        pack.write_bytes(rewritten_of(honest, pack, change))
        result = tool(prefix, "unpack", pack)
        check(result.code == code and result.err.count("\n") == 1, number, result.code, result.err)
        check(settled(prefix) == before and says(prefix) == "software 2.0", number)
    # the rewriting itself is no reason: without a change the pack is taken
    pack.write_bytes(rewritten_of(honest, pack, lambda name, content: content))
    good(tool(prefix, "unpack", pack))


def rewritten_of(honest, pack, change):
    pack.write_bytes(honest)
    return rewritten(pack, change)


def added(pack, member, content=b""):
    out = io.BytesIO(pack.read_bytes())
    with tarfile.open(fileobj=out, mode="a") as archive:
        archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def test_a_pack_with_more_in_it_brings_nothing_more():
    prefix, pack = packed("more")
    good(program("remove", "--prefix", prefix))
    honest = pack.read_bytes()
    top = f"store/{'-'.join(OLD[:3])}"
    link, file, device = tarfile.TarInfo(f"{top}/etc/link"), tarfile.TarInfo(f"{top}/etc/more"), tarfile.TarInfo("device")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    file.size, device.type = 1, tarfile.CHRTYPE
    outside = tarfile.TarInfo("../../../escaped")
    outside.size = 1
    for member, content in ((link, b""), (file, b"x"), (device, b""), (outside, b"x")):
        pack.write_bytes(added(pack, member, content))
        result = tool(prefix, "unpack", pack)
        check(result.code in (2, 4) and result.err.count("\n") == 1, member.name, result.code, result.err)
        check(not prefix.exists() or not (prefix / "current").exists(), member.name)
        check(not list(prefix.parent.rglob("escaped")), member.name)
        pack.write_bytes(honest)


def test_what_is_no_pack():
    prefix, pack = packed("no-pack")
    size = pack.stat().st_size
    honest = pack.read_bytes()
    for number, content in enumerate((b"", b"x", b"\0" * 10240, honest[:size // 2], honest[:700], honest[512:])):
        pack.write_bytes(content)
        result = tool(prefix, "unpack", pack)
        check(result.code in (2, 4) and result.err.count("\n") == 1, number, result.code, result.err)
    for path in (prefix, prefix.parent / "absent", "/dev/null"):
        check(tool(prefix, "unpack", path).code == 2, path)
    whole(prefix)
