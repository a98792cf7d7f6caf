# SPDX-License-Identifier: BSD-2-Clause
"""Removal is exact: all of ours, nothing of others, nothing that is needed."""
import os

from tool import NEEDS, NEW, OLD, check, fresh, generation, good, listing, program, says, settled, tool, tree, whole


def remove(prefix, *names):
    return program("remove", *names, "--json", "--prefix", prefix)


def test_everything_goes_and_what_was_there_before_stays():
    top = fresh("everything")
    (top / "before").mkdir()
    (top / "before/file").write_text("mine")
    before = listing(top)
    for prefix in (top / "made/by/us", top / "before"):
        for arguments in (OLD, NEEDS, NEW):
            good(tool(prefix, "apply", *arguments))
        for name in ("cache", "logs"):
            (prefix / name).mkdir()
        (prefix / "cache" / ("a" * 64)).write_text("source")
        (prefix / "cache" / ("a" * 64 + ".part")).write_text("half a source")
        (prefix / "logs/software.log").write_text("log")
        result = good(remove(prefix)).json()
        check(listing(top) == before, listing(top), before)
        check(len(result["results"]) == 3, result["results"])
        left = [str(prefix / "file") + ": not of this program"] if prefix.name == "before" else []
        check(result["summary"]["left"] == left, result["summary"]["left"])
        check(result["summary"]["prefix_gone"] == (not left), result["summary"])


def test_an_empty_directory_of_the_user_stays():
    top = fresh("empty")
    good(tool(top, "apply", *OLD))
    good(remove(top))
    check(top.is_dir() and listing(top) == {}, listing(top))


def test_removing_from_nothing_is_fine():
    top = fresh("nothing")
    good(remove(top / "absent"))
    good(remove(top))
    check(listing(top) == {}, listing(top))


def test_what_others_changed_or_added_stays_and_is_named():
    prefix = fresh("others") / "p"
    good(tool(prefix, "apply", *OLD))
    top = tree(prefix, OLD)
    (top / "etc/settings").write_text("changed by me")
    (top / "lib/mine").mkdir()
    (top / "lib/mine/file").write_text("mine")
    (top / "bin/mode").symlink_to("software")
    (top / "lib/libsoftware.so").unlink()
    (top / "lib/libsoftware.so").symlink_to("/my/own.so")
    (top / ".ampere-crypto/note").write_text("mine")
    os.chmod(top / "bin/software", 0o700)
    result = good(remove(prefix, "software")).json()
    relative = {line.split(": ")[0].removeprefix(f"{top}/") for line in result["summary"]["left"]}
    wanted = {"etc/settings", "lib/mine", "lib/mine/file", "bin/mode", "lib/libsoftware.so", ".ampere-crypto/note"}
    check(relative == wanted, relative)
    check((top / "etc/settings").read_text() == "changed by me" and (top / "lib/mine/file").read_text() == "mine")
    check(not (top / "bin/software").exists() and not (top / "lib/libsoftware.so.1").exists())
    check(not any(path.name == "manifest.json" for path in prefix.rglob("*")), "no tree is left")
    left = listing(top)
    # neither another run nor another tree of that name touches it
    good(tool(prefix, "try"))
    check(listing(top) == left, listing(top), left)
    good(tool(prefix, "apply", *OLD))
    whole(prefix)
    check(listing(f"{top}.left-1") == left, listing(prefix / "store"))


def test_what_an_active_tree_needs_is_not_removed():
    prefix = fresh("needed") / "p"
    good(tool(prefix, "apply", *OLD))
    good(tool(prefix, "apply", *NEEDS))
    before = settled(prefix)
    result = remove(prefix, "software")
    check(result.code == 2 and "other needs software 1.0" in result.err, result.err)
    check(settled(prefix) == before)
    # an inactive one that is needed counts as well
    good(tool(prefix, "apply", *NEW))
    result = remove(prefix, "software")
    check(result.code == 2 and "other needs software 1.0" in result.err, result.err)
    good(remove(prefix, "other", "software"))
    check(not list((prefix / "store").iterdir()) and generation(prefix) == 0, listing(prefix))


def test_one_name_goes_the_rest_works():
    prefix = fresh("one") / "p"
    good(tool(prefix, "apply", *OLD))
    good(tool(prefix, "apply", *NEEDS))
    good(tool(prefix, "apply", "third", "1", "3" * 16, "altra", "no"))
    good(remove(prefix, "other"))
    check(says(prefix) == "software 1.0" and says(prefix, "third") == "third 1")
    check(not tree(prefix, NEEDS).exists() and not (prefix / "current/other").exists())
    # generations with it cannot be gone back to, so they are gone
    check(sorted(name.name for name in (prefix / "generations").iterdir()) == ["1", "4"], listing(prefix / "generations"))
    whole(prefix)


def test_names_that_are_not_there():
    prefix = fresh("unknown") / "p"
    good(tool(prefix, "apply", *OLD))
    for name in ("sofware", "..", "", "store/software", "*"):
        before = settled(prefix)
        result = remove(prefix, name)
        check(result.code in (2, 64) and settled(prefix) == before, name, result.code, result.err)
    good(remove(prefix, "software", "software"))


def test_a_removal_that_was_interrupted_is_ended_by_the_next_run():
    prefix = fresh("interrupted") / "p"
    good(tool(prefix, "apply", *OLD))
    good(tool(prefix, "apply", *NEW))
    top = tree(prefix, OLD)
    (top / "lib/mine").write_text("mine")
    os.rename(top / ".ampere-crypto/manifest.json", top / ".removing.json")
    (top / "bin/software").unlink()
    good(tool(prefix, "try"))
    check(listing(top) == {"lib": True, "lib/mine": False}, listing(top))
    check(says(prefix) == "software 2.0")


def test_remains_of_a_power_failure_are_cleaned():
    prefix = fresh("power") / "p"
    good(tool(prefix, "apply", *OLD))
    for text in (None, "", "{\n  \"schema\": "):
        top = tree(prefix, NEW)
        (top / ".ampere-crypto").mkdir(parents=True)
        (top / "half").write_text("half")
        if text is not None:
            (top / ".ampere-crypto/manifest.json").write_text(text)
        (prefix / "generations/.new").mkdir()
        (prefix / "generations/7").mkdir()
        (prefix / "work/junk/deep").mkdir(parents=True)
        (prefix / ".current.new").symlink_to("nowhere")
        good(tool(prefix, "try"))
        check(not top.exists() and listing(prefix / "work") == {}, listing(prefix))
        check(sorted(os.listdir(prefix / "generations")) == ["1"], listing(prefix / "generations"))
        check(not (prefix / ".current.new").is_symlink())
    good(tool(prefix, "apply", *NEW))
    whole(prefix)


def test_cleaning_never_follows_links_and_knows_no_depth():
    top = fresh("links-in-work")
    prefix = top / "p"
    good(tool(prefix, "apply", *OLD))
    (top / "precious").mkdir()
    (top / "precious/file").write_text("kept")
    (prefix / "work/link").symlink_to(top / "precious")
    (prefix / "work/closed").mkdir()
    (prefix / "work/closed/file").write_text("x")
    (prefix / "work/closed").chmod(0)
    here = os.getcwd()
    os.chdir(prefix / "work")
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    os.symlink(top / "precious", "link")
    os.chdir(here)
    good(tool(prefix, "try"))
    check(listing(prefix / "work") == {}, list(listing(prefix / "work"))[:5])
    check((top / "precious/file").read_text() == "kept")
