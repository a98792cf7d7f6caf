# SPDX-License-Identifier: BSD-2-Clause
"""What the loader makes of the files it finds."""
from cases import DEFAULT, USR, case
from world import patch


@case
def preload_file(w):
    w.library("/opt/p/libp.so.1", ["libx.so.1"])
    w.library("/opt/p/libq.so.1")
    w.library(f"{DEFAULT}/libx.so.1")
    w.library(f"{DEFAULT}/libr.so.1")
    w.write("/etc/ld.so.preload", "/opt/p/libp.so.1:/opt/none.so # a comment /opt/p/libq.so.1\nlibr.so.1\tlibr.so.1\n")
    w.program("/prog", ["libx.so.1"])
    return {"expect": {"/opt/p/libp.so.1": "/opt/p/libp.so.1", "libr.so.1": f"{DEFAULT}/libr.so.1"}}


@case
def preload_variable(w):
    w.library("/opt/p/libp.so.1")
    w.library("/opt/e/libq.so.1")
    w.library("/opt/p/libx.so.1")
    w.library(f"{DEFAULT}/libx.so.1")
    w.write("/etc/ld.so.preload", "/opt/p/libp.so.1\n")
    w.program("/prog", ["libx.so.1"])
    return {"library_path": "/opt/e", "preload": "libq.so.1 /opt/p/libx.so.1:libnone.so",
            "expect": {"libq.so.1": "/opt/e/libq.so.1"}}


@case
def no_default_directories_flag(w):
    """ld.so(8): -z nodeflib: the cache's default directories and the default directories are passed over."""
    w.library(f"{USR}/libx.so.1")
    w.library("/opt/a/liby.so.1")
    w.library("/opt/r/libc.so.6")
    w.path("/opt/r/libc.so.6").write_bytes(w.path(f"{DEFAULT}/libc.so.6").read_bytes())
    w.conf("a.conf", "/opt/a")
    w.ldconfig()
    w.program("/prog", ["libx.so.1", "liby.so.1"], runpath="/opt/r", more=["-Wl,-z,nodefaultlib"])
    return {"expect": {"libx.so.1": None, "liby.so.1": "/opt/a/liby.so.1"}}


@case
def missing_libraries(w):
    w.library(f"{DEFAULT}/liba.so.1", ["libm1.so.1", "libm2.so.1"])
    w.program("/prog", ["libm1.so.1", "liba.so.1"])
    return {"expect": {"libm1.so.1": None, "libm2.so.1": None}}


@case
def one_file_with_two_names(w):
    w.library(f"{DEFAULT}/libx.so.1.2")
    w.link(f"{DEFAULT}/libx.so.1", "libx.so.1.2")
    w.link(f"{DEFAULT}/liby.so.1", "libx.so.1")
    w.library(f"{DEFAULT}/libz.so.1", ["liby.so.1", "libx.so.1"])
    w.program("/prog", ["libx.so.1", "liby.so.1", "libz.so.1"])
    return {}


@case
def a_soname_stands_for_the_file(w):
    w.library("/opt/a/libx.so", soname="libreal.so.3")
    w.library("/opt/b/libreal.so.3")
    w.library("/opt/a/liby.so.1", ["libreal.so.3"], runpath="/opt/b")
    w.program("/prog", ["libx.so", "liby.so.1"], runpath="/opt/a")
    return {"expect": {"libx.so": "/opt/a/libx.so"}}


@case
def breadth_first_decides_who_is_first(w):
    w.library("/opt/l/libs.so.1")
    w.library("/opt/r/libs.so.1")
    w.library("/opt/a/libl.so.1", ["libll.so.1"], runpath="/opt/a")
    w.library("/opt/a/libll.so.1", ["libs.so.1"], runpath="/opt/l")
    w.library("/opt/a/libr.so.1", ["libs.so.1"], runpath="/opt/r")
    w.program("/prog", ["libl.so.1", "libr.so.1"], runpath="/opt/a")
    return {"expect": {"libs.so.1": "/opt/r/libs.so.1"}}


@case
def circular_needs(w):
    w.library(f"{DEFAULT}/liba.so.1", ["libb.so.1"])
    w.library(f"{DEFAULT}/libb.so.1", ["liba.so.1", "libb.so.1"])
    w.program("/prog", ["liba.so.1"])
    return {}


@case
def another_machine_and_another_class_are_passed_over(w):
    for directory, offset, data in (("/opt/m", 18, b"\x08\x00"), ("/opt/c", 4, b"\x01")):
        w.library(f"{directory}/libx.so.1")
        patch(w.path(f"{directory}/libx.so.1"), offset, data)
    w.library("/opt/z/libx.so.1")
    w.program("/prog", ["libx.so.1"], runpath="/opt/m:/opt/c:/opt/z")
    return {"expect": {"libx.so.1": "/opt/z/libx.so.1"}}


@case
def a_text_file_stops_the_loader(w):
    w.write("/opt/a/libx.so.1", "GROUP ( libx.so.2 )\n" * 8)
    w.library("/opt/b/libx.so.1")
    w.program("/prog", ["libx.so.1"], runpath="/opt/a:/opt/b")
    return {"stops": "/opt/a/libx.so.1"}


@case
def an_empty_file_stops_the_loader(w):
    w.write("/opt/a/libx.so.1", "")
    w.library("/opt/b/libx.so.1")
    w.program("/prog", ["libx.so.1"], runpath="/opt/a:/opt/b")
    return {"stops": "/opt/a/libx.so.1"}


@case
def another_byte_order_stops_the_loader(w):
    w.library("/opt/a/libx.so.1")
    patch(w.path("/opt/a/libx.so.1"), 5, b"\x02")
    w.program("/prog", ["libx.so.1"], runpath="/opt/a")
    return {"stops": "/opt/a/libx.so.1"}


@case
def a_circle_of_links_ends_its_list_only(w):
    w.link("/opt/a/libx.so.1", "libx.so.1")
    w.library("/opt/b/libx.so.1")
    w.library(f"{DEFAULT}/libx.so.1")
    w.program("/prog", ["libx.so.1"], runpath="/opt/a:/opt/b")
    return {}


@case
def a_dangling_link_is_nothing(w):
    w.link("/opt/a/libx.so.1", "/opt/none")
    w.library("/opt/b/libx.so.1")
    w.program("/prog", ["libx.so.1"], runpath="/opt/a:/opt/b")
    return {"expect": {"libx.so.1": "/opt/b/libx.so.1"}}


@case
def missing_versions(w):
    w.library(f"{DEFAULT}/libv.so.3", versions=["V_3_0"])
    w.library(f"{DEFAULT}/libw.so.1", [("libv.so.3", "V_3_0", "V_3_4")], uses=["V_3_0", "V_3_4"])
    w.program("/prog", [("libv.so.3", "V_3_0", "V_3_2"), "libw.so.1"], uses=["V_3_0", "V_3_2"])
    return {"versions": {("/prog", "V_3_2"), (f"{DEFAULT}/libw.so.1", "V_3_4")}}


@case
def versions_of_a_library_without_any(w):
    w.library(f"{DEFAULT}/libv.so.3")
    w.program("/prog", [("libv.so.3", "V_3_0")], uses=["V_3_0"])
    return {"versions": set()}


@case
def versions_of_a_missing_library(w):
    w.program("/prog", [("libv.so.3", "V_3_0")], uses=["V_3_0"])
    return {"versions": set(), "expect": {"libv.so.3": None}}


@case
def the_new_program_with_the_old_library(w):
    """One soname, two files: the program was linked against the one in /opt, the loader takes the distribution's."""
    w.library(f"{DEFAULT}/libcrypto.so.3", versions=["OPENSSL_3_0"])
    w.library("/opt/ssl/lib/libcrypto.so.3", versions=["OPENSSL_3_0", "OPENSSL_3_4"])
    w.ldconfig()
    w.program("/opt/ssl/bin/openssl", [("libcrypto.so.3", "OPENSSL_3_0", "OPENSSL_3_4")], uses=["OPENSSL_3_0", "OPENSSL_3_4"])
    return {"program": "/opt/ssl/bin/openssl", "expect": {"libcrypto.so.3": f"{DEFAULT}/libcrypto.so.3"},
            "versions": {("/opt/ssl/bin/openssl", "OPENSSL_3_4")}}
