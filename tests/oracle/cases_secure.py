# SPDX-License-Identifier: BSD-2-Clause
"""Set-user-ID programs, started by another user: ld.so(8), "Secure-execution mode"."""
from cases import DEFAULT, case


def set_user_id(w, path="/prog"):
    w.path(path).chmod(0o4755)


@case
def secure_library_path_is_ignored(w):
    w.library("/opt/env/libx.so.1")
    w.library(f"{DEFAULT}/libx.so.1")
    w.program("/prog", ["libx.so.1"])
    set_user_id(w)
    return {"secure": True, "library_path": "/opt/env", "expect": {"libx.so.1": f"{DEFAULT}/libx.so.1"}}


@case
def secure_runpath_and_rpath_still_count(w):
    w.library("/opt/run/libx.so.1", ["liby.so.1"])
    w.library("/opt/run/liby.so.1")
    w.program("/prog", ["libx.so.1"], rpath="/opt/run")
    set_user_id(w)
    return {"secure": True, "expect": {"libx.so.1": "/opt/run/libx.so.1", "liby.so.1": "/opt/run/liby.so.1"}}


@case
def secure_origin_outside_default_directories_is_dropped(w):
    w.library("/opt/app/lib/libx.so.1")
    w.library(f"{DEFAULT}/libx.so.1")
    w.program("/opt/app/bin/prog", ["libx.so.1"], runpath="$ORIGIN/../lib:/opt/none$ORIGIN")
    set_user_id(w, "/opt/app/bin/prog")
    return {"secure": True, "program": "/opt/app/bin/prog", "expect": {"libx.so.1": f"{DEFAULT}/libx.so.1"}}


@case
def secure_origin_below_a_default_directory_counts(w):
    w.library("/usr/lib/app/lib/libx.so.1")
    w.library(f"{DEFAULT}/libx.so.1")
    w.program("/usr/lib/app/bin/prog", ["libx.so.1"], runpath="$ORIGIN/../lib")
    set_user_id(w, "/usr/lib/app/bin/prog")
    return {"secure": True, "program": "/usr/lib/app/bin/prog"}


@case
def secure_origin_that_climbs_out_is_dropped(w):
    w.library("/opt/libx.so.1")
    w.library(f"{DEFAULT}/libx.so.1")
    w.program("/usr/lib/app/prog", ["libx.so.1"], runpath="$ORIGIN/../../../opt")
    set_user_id(w, "/usr/lib/app/prog")
    return {"secure": True, "program": "/usr/lib/app/prog", "expect": {"libx.so.1": f"{DEFAULT}/libx.so.1"}}


@case
def secure_origin_of_a_library_counts(w):
    w.library("/opt/a/libx.so.1", ["liby.so.1"], runpath="$ORIGIN/sub")
    w.library("/opt/a/sub/liby.so.1")
    w.program("/prog", ["libx.so.1"], runpath="/opt/a")
    set_user_id(w)
    return {"secure": True}


@case
def secure_preload_file_counts(w):
    w.library("/opt/p/libp.so.1")
    w.write("/etc/ld.so.preload", "/opt/p/libp.so.1\n")
    w.program("/prog")
    set_user_id(w)
    return {"secure": True, "expect": {"/opt/p/libp.so.1": "/opt/p/libp.so.1"}}


@case
def secure_preload_variable_with_a_path_is_ignored(w):
    w.library("/opt/p/libp.so.1")
    w.program("/prog")
    set_user_id(w)
    return {"secure": True, "preload": "/opt/p/libp.so.1", "expect": {"/opt/p/libp.so.1": None}}
