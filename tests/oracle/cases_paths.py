# SPDX-License-Identifier: BSD-2-Clause
"""Where the loader looks, and in what order."""
from cases import CASES, DEFAULT, LEVELS, USR, best_level, case
from world import DIRECTORY, change_tag


@case
def default_directories_in_order(w):
    """ld.so(8): /lib, then /usr/lib (on multiarch systems the architecture's first)."""
    order = [DEFAULT, USR, "/lib", "/usr/lib"]
    names = [f"libd{i}.so.1" for i in range(4)]
    for i, name in enumerate(names):
        for directory in order[i:]:
            w.library(f"{directory}/{name}")
    w.program("/prog", names)
    return {"expect": {name: f"{order[i]}/{name}" for i, name in enumerate(names)}}


@case
def cache_before_default_directories(w):
    w.library("/opt/a/libx.so.1")
    w.library(f"{DEFAULT}/libx.so.1")
    w.conf("a.conf", "/opt/a")
    w.ldconfig()
    w.program("/prog", ["libx.so.1"])
    return {"expect": {"libx.so.1": "/opt/a/libx.so.1"}}


@case
def conf_files_in_order_of_name(w):
    for directory in "abc":
        w.library(f"/opt/{directory}/libx.so.1")
    w.conf("20-b.conf", "/opt/b", "/opt/a")
    w.conf("10-c.conf", "/opt/c")
    w.conf("05-not-read.txt", "/opt/a")
    w.ldconfig()
    w.program("/prog", ["libx.so.1"])
    return {"expect": {"libx.so.1": "/opt/c/libx.so.1"}}


def cache_format(kind):
    def cache(w):
        for directory in "ab":
            w.library(f"/opt/{directory}/libx.so.1")
            w.library(f"/opt/{directory}/libx.so.10")
            w.library(f"/opt/{directory}/liby9.so.2")
        w.conf("a.conf", "/opt/b", "/opt/a")
        w.ldconfig("-c", kind)
        w.program("/prog", ["libx.so.1", "libx.so.10", "liby9.so.2"])
        return {"expect": {"libx.so.1": "/opt/b/libx.so.1"}}
    return cache


CASES["cache in the new format"] = cache_format("new")
CASES["cache in the old and the new format"] = cache_format("compat")


@case
def no_cache_at_all(w):
    w.library(f"{USR}/libx.so.1")
    w.program("/prog", ["libx.so.1"])
    return {"expect": {"libx.so.1": f"{USR}/libx.so.1"}}


@case
def cache_names_a_file_that_is_gone(w):
    w.library("/opt/a/libx.so.1")
    w.library(f"{USR}/libx.so.1")
    w.conf("a.conf", "/opt/a")
    w.ldconfig()
    w.path("/opt/a/libx.so.1").unlink()
    w.program("/prog", ["libx.so.1"])
    return {"expect": {"libx.so.1": f"{USR}/libx.so.1"}}


@case
def a_library_newer_than_the_cache_is_not_found(w):
    w.conf("a.conf", "/opt/a")
    w.ldconfig()
    w.library("/opt/a/libx.so.1")
    w.program("/prog", ["libx.so.1"])
    return {"expect": {"libx.so.1": None}}


@case
def a_cache_that_is_no_cache(w):
    w.write("/etc/ld.so.cache", b"not a cache" * 20)
    w.library("/lib/libx.so.1")
    w.program("/prog", ["libx.so.1"])
    return {}


@case
def broken_lines_in_the_configuration(w):
    """cases of people: curly quotes, a:b, ~; they name no directory."""
    w.library("/usr/local/lib/libx.so.1")
    w.conf("openssl.conf", "“/usr/local/lib”", "/usr/local/lib:/opt/a", "~/lib", '"/usr/local/lib"')
    w.ldconfig()
    w.program("/prog", ["libx.so.1"])
    return {"expect": {"libx.so.1": None}}


@case
def lines_that_look_odd_but_work(w):
    for i in "abcd":
        w.library(f"/opt/{i} x/lib{i}.so.1")
    w.conf("a.conf", "  /opt/a x/  # here", "\t/opt/b x//\r", "# /opt/none", "", "/opt/c x", "/opt/c x")
    w.path("/etc/ld.so.conf.d/z.conf").write_text("/opt/d x")
    w.ldconfig()
    w.program("/prog", [f"lib{i}.so.1" for i in "abcd"])
    return {"expect": {f"lib{i}.so.1": f"/opt/{i} x/lib{i}.so.1" for i in "abcd"}}


@case
def runpath_after_library_path(w):
    w.library("/opt/run/libx.so.1")
    w.library("/opt/env/libx.so.1")
    w.program("/prog", ["libx.so.1"], runpath="/opt/run")
    return {"library_path": "/opt/env", "expect": {"libx.so.1": "/opt/env/libx.so.1"}}


@case
def rpath_before_library_path(w):
    w.library("/opt/run/libx.so.1")
    w.library("/opt/env/libx.so.1")
    w.program("/prog", ["libx.so.1"], rpath="/opt/run")
    return {"library_path": "/opt/env", "expect": {"libx.so.1": "/opt/run/libx.so.1"}}


@case
def rpath_is_ignored_beside_runpath(w):
    """ld.so(8): DT_RPATH only if DT_RUNPATH does not exist."""
    w.library("/opt/r/libx.so.1")
    w.library("/opt/run/libx.so.1")
    w.program("/prog", ["libx.so.1"], rpath="/opt/r", soname="/opt/run")
    change_tag(w.path("/prog"), 14, 29)
    return {"expect": {"libx.so.1": "/opt/run/libx.so.1"}}


@case
def runpath_is_for_direct_needs_only(w):
    w.library("/opt/a/libb.so.1")
    w.library("/opt/a/liba.so.1", ["libb.so.1"])
    w.program("/prog", ["liba.so.1"], runpath="/opt/a")
    return {"expect": {"liba.so.1": "/opt/a/liba.so.1", "libb.so.1": None}}


@case
def rpath_is_for_all_below(w):
    w.library("/opt/a/libc1.so.1")
    w.library("/opt/a/libb.so.1", ["libc1.so.1"])
    w.library("/opt/a/liba.so.1", ["libb.so.1"])
    w.program("/prog", ["liba.so.1"], rpath="/opt/a")
    return {"expect": {"libc1.so.1": "/opt/a/libc1.so.1"}}


@case
def rpath_of_the_nearest_comes_first(w):
    for directory in "abc":
        w.library(f"/opt/{directory}/libz.so.1")
    w.library("/opt/a/libm1.so.1", ["libz.so.1"], rpath="/opt/b")
    w.library("/opt/a/libl1.so.1", ["libm1.so.1"], rpath="/opt/c")
    w.program("/prog", ["libl1.so.1"], rpath="/opt/a")
    return {"expect": {"libz.so.1": "/opt/b/libz.so.1"}}


@case
def a_library_with_runpath_uses_no_rpath_of_others(w):
    w.library("/opt/a/libb.so.1")
    w.library("/opt/a/liba.so.1", ["libb.so.1"], runpath="/opt/none")
    w.program("/prog", ["liba.so.1"], rpath="/opt/a")
    return {"expect": {"libb.so.1": None}}


@case
def rpath_is_taken_past_a_middle_with_runpath(w):
    w.library("/opt/a/libc1.so.1")
    w.library("/opt/a/libb.so.1", ["libc1.so.1"])
    w.library("/opt/a/liba.so.1", ["libb.so.1"], runpath="/opt/a")
    w.program("/prog", ["liba.so.1"], rpath="/opt/a")
    return {}


@case
def origin_in_runpath(w):
    w.library("/opt/app/lib/libx.so.1", ["liby.so.1"], runpath="${ORIGIN}/sub")
    w.library("/opt/app/lib/sub/liby.so.1")
    w.program("/opt/app/bin/app", ["libx.so.1"], runpath="$ORIGIN/../lib")
    return {"program": "/opt/app/bin/app", "expect": {"libx.so.1": "/opt/app/bin/../lib/libx.so.1"}}


@case
def origin_of_a_program_called_by_a_link(w):
    w.library("/opt/app/lib/libx.so.1")
    w.program("/opt/app/bin/app", ["libx.so.1"], runpath="$ORIGIN/../lib")
    w.link("/usr/bin/app", "/opt/app/bin/app")
    return {"program": "/usr/bin/app", "expect": {"libx.so.1": "/opt/app/bin/../lib/libx.so.1"}}


@case
def origin_of_a_library_in_a_linked_directory(w):
    w.library("/srv/real/libx.so.1", ["liby.so.1"], runpath="$ORIGIN/../other")
    w.library("/opt/other/liby.so.1")
    w.library("/srv/other/liby.so.1")
    w.link("/opt/link", "/srv/real")
    w.program("/prog", ["libx.so.1"], runpath="/opt/link")
    return {}


@case
def lib_and_platform_tokens(w):
    lib = DIRECTORY[1:]
    w.library(f"/opt/{lib}/libx.so.1")
    w.program("/prog", ["libx.so.1", "liby.so.1", "libz.so.1"], runpath="/opt/$LIB:/opt/p/${PLATFORM}:/opt/$NONE/x")
    for name in ("haswell", "x86_64", "aarch64"):
        w.library(f"/opt/p/{name}/liby.so.1")
    w.library("/opt/$NONE/x/libz.so.1")
    return {"expect": {"libx.so.1": f"/opt/{lib}/libx.so.1", "libz.so.1": "/opt/$NONE/x/libz.so.1"}}


@case
def tokens_in_needed_and_in_library_path(w):
    w.library("/opt/x/libx.so.1", soname="$ORIGIN/x/libx.so.1")
    w.library("/opt/y/liby.so.1")
    w.program("/opt/prog", ["$ORIGIN/x/libx.so.1", "liby.so.1"])
    return {"program": "/opt/prog", "library_path": "/opt/none;$ORIGIN/y", "expect": {"liby.so.1": "/opt/y/liby.so.1"}}


@case
def slashes_and_dots_stay_in_the_path(w):
    w.library("/opt/a/libx.so.1")
    w.library("/opt/a/liby.so.1")
    w.program("/prog", ["libx.so.1", "liby.so.1"], runpath="/opt/./a///:/opt/b/../a//")
    w.path("/opt/b").mkdir()
    return {}


@case
def an_absolute_name(w):
    w.library("/opt/a/libx.so.1", soname="/opt/a/libx.so.1")
    w.library("/opt/b/liby.so.1", ["/opt/a/libx.so.1"])
    w.program("/prog", ["/opt/a/libx.so.1", "liby.so.1", "/opt/none/libn.so.1"], runpath="/opt/b")
    return {"expect": {"/opt/a/libx.so.1": "/opt/a/libx.so.1", "/opt/none/libn.so.1": None}}


@case
def hwcaps_in_every_kind_of_directory(w):
    w.conf("c.conf", "/opt/c")
    for directory in ("/opt/r", "/opt/e", "/opt/c", DEFAULT):
        name = f"lib{directory.strip('/')[-1]}.so.1"
        for sub in ("glibc-hwcaps/x86-64-v9/", *(f"glibc-hwcaps/{level}/" for level in LEVELS), ""):
            w.library(f"{directory}/{sub}{name}")
    w.ldconfig()
    w.program("/prog", ["libr.so.1", "libe.so.1", "libc.so.1", f"lib{DEFAULT[-1]}.so.1"], runpath="/opt/r")
    best = best_level()
    return {"library_path": "/opt/e",
            "expect": {"libr.so.1": f"/opt/r/glibc-hwcaps/{best}/libr.so.1"} if best else {}}


@case
def a_lower_hwcaps_directory_is_taken_too(w):
    for sub in ("glibc-hwcaps/x86-64-v2/", ""):
        w.library(f"{USR}/{sub}libx.so.1")
        w.library(f"/opt/c/{sub}liby.so.1")
    w.conf("c.conf", "/opt/c")
    w.ldconfig()
    w.program("/prog", ["libx.so.1", "liby.so.1"])
    return {}


@case
def legacy_subdirectories(w):
    names = ["libp.so.1", "libq.so.1", "libs.so.1"]
    for sub in ("tls/haswell/x86_64", "tls/aarch64", "haswell", "aarch64/atomics", "x86_64", "avx512_1", "atomics"):
        w.library(f"/opt/e/{sub}/libp.so.1")
    for sub in ("avx512_1/x86_64", "haswell/x86_64", "aarch64", ""):
        w.library(f"/opt/e/{sub}/libq.so.1")
    for sub in ("tls/x86_64", "xeon_phi", "tls/none", ""):
        w.library(f"/opt/e/{sub}/libs.so.1")
    w.program("/prog", names)
    return {"library_path": "/opt/e"}


@case
def legacy_subdirectories_in_the_cache(w):
    for sub in ("tls", "haswell", "x86_64", "avx512_1", "xeon_phi", "atomics", ""):
        w.library(f"/opt/e/{sub}/libp.so.1")
    for sub in ("xeon_phi", ""):
        w.library(f"/opt/e/{sub}/libq.so.1")
    w.conf("e.conf", "/opt/e")
    w.ldconfig()
    w.program("/prog", ["libp.so.1", "libq.so.1"])
    return {}
