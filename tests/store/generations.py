# SPDX-License-Identifier: BSD-2-Clause
"""What is active, and going back."""
import os

from tool import KEY, NEEDS, NEW, OLD, check, fresh, generation, good, program, says, tool, tree, whole


def versions(prefix):
    current = prefix / "current"
    return {name: os.readlink(current / name).split("/")[-1] for name in os.listdir(current) if name[0] != "."}


def test_each_change_makes_a_generation_and_no_change_none():
    prefix = fresh("change") / "p"
    for arguments, number in ((OLD, 1), (OLD, 1), (NEEDS, 2), (NEW, 3), (NEW, 3), (NEEDS, 3), (OLD, 4)):
        good(tool(prefix, "apply", *arguments))
        check(generation(prefix) == number, arguments, generation(prefix))
    check(versions(prefix) == {"software": f"software-1.0-{KEY['old']}", "other": f"other-7-{KEY['needs']}"}, versions(prefix))


def test_going_back_and_forth():
    prefix = fresh("back") / "p"
    for arguments in (OLD, NEW, NEEDS):
        good(tool(prefix, "apply", *arguments))
    for arguments, number, text in (([], 2, "software 2.0"), ([], 1, "software 1.0"), (["--to", "3"], 3, "software 2.0"),
                                    (["--to", "1"], 1, "software 1.0"), (["--to", "1"], 1, "software 1.0")):
        good(program("rollback", *arguments, "--prefix", prefix))
        check(generation(prefix) == number and says(prefix) == text, arguments, generation(prefix), says(prefix))
    for arguments, words in (([], "before the active one"), (["--to", "9"], "no generation 9"), (["--to", "0"], "number")):
        result = program("rollback", *arguments, "--prefix", prefix)
        check(result.code in (2, 64) and words in result.err, arguments, result.code, result.err)
        check(generation(prefix) == 1)
    # what comes next has a number of its own
    good(tool(prefix, "apply", "third", "1", "3" * 16, "altra", "no"))
    check(generation(prefix) == 4 and says(prefix) == "software 1.0", generation(prefix))


def test_trees_for_another_target_do_not_stay_active():
    prefix = fresh("target") / "p"
    good(tool(prefix, "apply", *OLD))
    good(tool(prefix, "apply", "other", "7", KEY["needs"], "ampereone-ac04", "no"))
    check(set(versions(prefix)) == {"other"}, versions(prefix))
    good(program("rollback", "--prefix", prefix))
    check(says(prefix) == "software 1.0")


def test_a_generation_whose_tree_is_gone_is_not_gone_back_to():
    prefix = fresh("gone") / "p"
    good(tool(prefix, "apply", *OLD))
    good(tool(prefix, "apply", *NEW))
    os.rename(tree(prefix, OLD), prefix / "moved")
    result = program("rollback", "--prefix", prefix)
    check(result.code == 2 and "has lost its tree software-1.0" in result.err, result.err)
    check(says(prefix) == "software 2.0")


def test_the_same_tree_twice_is_fine_and_stays_as_it_is():
    prefix = fresh("twice") / "p"
    good(tool(prefix, "install", *OLD))
    before = (tree(prefix, OLD) / ".ampere-crypto/manifest.json").stat()
    good(tool(prefix, "install", *OLD))
    after = (tree(prefix, OLD) / ".ampere-crypto/manifest.json").stat()
    check((before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns))
    whole(prefix)


def test_a_tree_that_is_not_there_cannot_be_active():
    prefix = fresh("absent") / "p"
    good(tool(prefix, "apply", *OLD))
    result = tool(prefix, "activate", *NEW)
    check(result.code == 2 and "is not in" in result.err, result.err)
    check(generation(prefix) == 1)


def test_a_damaged_current_is_said():
    for target in ("store", "generations/7", "generations/x", "/etc", "generations/1/../1"):
        prefix = fresh("damaged") / "p"
        good(tool(prefix, "apply", *OLD))
        (prefix / "current").unlink()
        (prefix / "current").symlink_to(target)
        result = program("status", "--prefix", prefix)
        check(result.code == 2 and result.err.count("\n") == 1 and str(prefix) in result.err, target, result.err)
