# SPDX-License-Identifier: BSD-2-Clause
"""What the policy says no to, and that nothing is changed then."""
import subprocess

import cases
from cases import ALL, CURRENT, SAFE, VERSIONS, fails, ok
from systems import CONFD, PREFIX, compile_library

CASES = []


def case(kind):
    def add(function):
        CASES.append((function.__name__.replace("_", " "), kind, function))
        return function
    return add


def refused(system, policy, trees, status, text, **more):
    """By plan and by apply, and neither writes anything."""
    before = system.etc(), system.path("/etc/ld.so.cache").exists() and system.path("/etc/ld.so.cache").read_bytes()
    plan = system.plan(policy, *trees, **more)
    assert plan["refusal"] and text in plan["refusal"], f"refusal is {plan['refusal']}, want \"{text}\""
    fails(system.tool("apply", policy, *trees, **more), status, text)
    after = system.etc(), system.path("/etc/ld.so.cache").exists() and system.path("/etc/ld.so.cache").read_bytes()
    assert before == after, "something changed"


def openssl(system):
    trees = [system.tree("openssl", ("libcrypto.so.3", VERSIONS))]
    system.activate(*trees)
    return trees


def ipsec(system, **more):
    trees = [system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()), **more)]
    system.activate(*trees)
    return trees


@case("rhel")
def all_on_the_rhel_family(system):
    """Rocky's own ID is not the family's: ID_LIKE says it; CentOS and Fedora have it as ID, and quotes are optional."""
    trees = openssl(system)
    for text in (None, "ID=fedora\n", "NAME='CentOS Stream'\nID='centos'\n", 'ID="ol"\nID_LIKE="fedora"\n', "ID_LIKE=rhel\nID=x\n"):
        if text:
            system.write("/usr/lib/os-release", text)
        refused(system, "all", trees, 6, "crypto policies")
    system.write("/usr/lib/os-release", 'ID=fedoral\nID_LIKE="notrhel"\nHOME_URL="https://rhel"\n')
    assert system.plan("all", *trees)["refusal"] is None
    system.path("/usr/lib/os-release").unlink()
    refused(system, "all", trees, 6, "cannot be told")


@case("here")
def all_in_fips_mode(system):
    trees = openssl(system)
    system.write("/proc/sys/crypto/fips_enabled", "0\n")
    assert system.plan("all", *trees)["refusal"] is None
    system.write("/proc/sys/crypto/fips_enabled", "1\n")
    refused(system, "all", trees, 6, "in FIPS mode")
    ok(system.tool("apply", "safe", *ipsec(system)))
    system.write("/proc/sys/crypto/fips_enabled", "0\n")
    system.write("/etc/system-fips", "")
    refused(system, "all", trees, 6, "/etc/system-fips")
    system.path("/etc/system-fips").unlink()
    for path in ("sys/crypto/fips_enabled", "cpuinfo"):
        system.path("/proc/" + path).unlink()
    for path in ("sys/crypto", "sys"):
        system.path("/proc/" + path).rmdir()
    refused(system, "all", trees, 6, "/proc is not mounted")


@case("here")
def hosts_without_glibc(system):
    """musl's loader reads /etc/ld-musl-ARCH.path; an ld.so.conf would do nothing there."""
    trees = ipsec(system)
    source = 'static const char i[] __attribute__((section(".interp"), used)) = "/lib/ld-musl-x86_64.so.1";\nvoid _start(void) {}\n'
    target = system.top / "musl"
    subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", "-x", "c", "-", "-o", str(target)], input=source, text=True, check=True,
                   timeout=60)
    system.copy(target, "/usr/bin/sh")
    refused(system, "safe", trees, 6, "not a glibc layout: /lib/ld-musl-x86_64.so.1 is not glibc's loader")
    assert system.plan("none", *trees)["refusal"] is None


@case("here")
def configurations_that_would_not_be_read(system):
    trees = ipsec(system)
    system.write("/etc/ld.so.conf", "/usr/local/lib\n# include /etc/ld.so.conf.d/*.conf\n")
    refused(system, "safe", trees, 6, "does not include /etc/ld.so.conf.d/*.conf")
    system.path("/etc/ld.so.conf").unlink()
    refused(system, "safe", trees, 6, "there is no /etc/ld.so.conf")
    for path in system.path(CONFD).iterdir():
        path.unlink()
    system.path(CONFD).rmdir()
    refused(system, "safe", trees, 6, "there is no /etc/ld.so.conf.d")


# prefix: what is said of it. '#' and '=' are what ldconfig cannot read; a case below shows it.
PREFIXES = {
    "/opt/a#b": "'#' begins a comment",
    "/opt/a=b": "'=' names a type of libraries",
    "/opt/a b": "is a blank",
    "/opt/a\tb": "is a blank",
    "/opt/a\nb": "is a blank",
    "/opt/a:b": "separates directories",
    "/opt/a,b": "separates directories",
    "/opt/\u201ca\u201d": "not printable ASCII",
    "/opt/caf\u00e9": "not printable ASCII",
    "/opt/'a'": "is a quote",
    "/opt/$HOME": "is not expanded",
    "/opt/*": "is not expanded",
    "/opt/a\x7f": "not printable ASCII",
    "opt/a": "not an absolute path",
    "/opt//a": "an empty part",
    "/opt/../a": "an empty part",
    "/opt/./a": "an empty part",
    "/opt/a/": "an empty part",
}


@case("here")
def prefixes_that_a_line_cannot_hold(system):
    trees = ipsec(system)
    for prefix, text in PREFIXES.items():
        refused(system, "safe", trees, 64, text, prefix=prefix)
    for prefix in ("/opt/Ampere_crypto-1.0+git@x%y", "/srv/a/b/c"):
        plan = system.plan("safe", *trees, prefix=prefix)
        assert plan["refusal"] is None and plan["entries"], prefix


@case("here")
def what_ldconfig_makes_of_such_lines(system):
    """The reason for the first two rows: the line names another directory, or the cache has nothing of it."""
    for character in "#=":
        directory = f"/opt/a{character}libc6/lib"
        system.path(directory).mkdir(parents=True)
        compile_library(system.path(directory + "/libodd.so.1"))
        system.write(f"{CONFD}/odd.conf", directory + "\n")
        system.ldconfig()
        assert not any("libodd" in line for line in system.cache()), f"ldconfig reads '{character}' after all"


@case("here")
def files_of_our_names_that_are_not_ours(system):
    """Typographic quotes, another tool's lines, a comment that somebody wrote, a link, a directory: left as they are."""
    trees = ipsec(system)
    for file in (SAFE, ALL):
        for text in ("\u201c/opt/x\u201d\n", "/usr/local/lib\n", f"{CURRENT}/ipsec-mb/lib\n/usr/lib\n",
                     f"{CURRENT}/a/lib\n/opt/other/current/a/lib\n", "include /etc/other\n"):
            system.write(file, text)
            for policy in ("safe", "all", "none"):
                refused(system, policy, trees, 2, "holds what setup has not written")
            fails(system.tool("remove", "none"), 2, "holds what setup has not written")
            assert system.path(file).read_text() == text
        # Only the comments are somebody else's: seen where bytes are written.
        for text in ("", f"{CURRENT}/ipsec-mb/lib\n", f"# ampere-crypto setup\n{CURRENT}/ipsec-mb/lib # mine\n"):
            system.write(file, text)
            fails(system.tool("apply", "safe", *trees), 2, "holds what setup has not written")
            assert system.path(file).read_text() == text
        system.path(file).unlink()
        system.write("/etc/mine", f"# ampere-crypto setup\n{CURRENT}/ipsec-mb/lib\n")
        system.link(file, "/etc/mine")
        fails(system.tool("apply", "safe", *trees), 2, "is a link")
        assert system.path(file).is_symlink()
        system.path(file).unlink()
        system.path(file).mkdir()
        fails(system.tool("apply", "safe", *trees), 2, "irectory")
        system.path(file).rmdir()


@case("here")
def directories_that_get_no_entry(system):
    """A static archive; two trees with one name; a library of another machine; a name that is taken by a link for ld(1) only."""
    system.path(f"{PREFIX}/store/static-1-k1/lib").mkdir(parents=True)
    system.path(f"{PREFIX}/store/static-1-k1/lib/libAArch64crypto.a").write_text("!<arch>\n")
    one, two = system.tree("one", ("libsame.so.1", ())), system.tree("two", ("libsame.so.1", ()))
    taken = system.tree("taken", ("libtaken.so.9", ()))
    compile_library(system.path("/usr/local/lib/libtaken.so.1"))
    system.link("/usr/local/lib/libtaken.so", "libtaken.so.1")
    other = system.tree("other", ("libother.so.1", ()))
    library = system.path(f"{PREFIX}/store/other-1-k1/lib/libother.so.1.0")
    data = bytearray(library.read_bytes())
    data[18:20] = b"\xf3\x00"  # EM_RISCV
    library.write_bytes(data)
    plan = system.plan("safe", f"static={PREFIX}/store/static-1-k1/lib", one, two, taken, other)
    why = {row["directory"].split("/")[4]: row["why"] for row in plan["left_out"]}
    assert "no shared library" in why["static"] and "comes from one" in why["two"], why
    assert "libtaken.so is already where the loader looks" in why["taken"] and "another machine" in why["other"], why
    assert [entry["line"] for entry in plan["entries"]] == [f"{CURRENT}/one/lib"], plan["entries"]
    fails(system.tool("apply", "safe", one), 2, f"{PREFIX}/current: No such file or directory")
    assert not system.path(SAFE).exists(), "an entry that leads nowhere stays"
    system.activate(one)
    cases.apply_once(system, [one])


@case("here")
def trees_into_which_ldconfig_would_write(system):
    """ldconfig links the soname of every file it finds: in a store that would be a change behind the manifest's back."""
    tree = system.tree("a", ("liba.so.1", ()))
    system.path(f"{PREFIX}/store/a-1-k1/lib/liba.so.1").unlink()
    refused(system, "safe", [tree], 2, "has no liba.so.1: ldconfig would make that link")
    system.activate(tree)
    system.write(SAFE, f"{CURRENT}/a/lib\n")
    system.ldconfig()
    assert system.path(f"{PREFIX}/store/a-1-k1/lib/liba.so.1").is_symlink(), "the real ldconfig does not do that"


@case("here")
def policies_that_do_not_exist(system):
    fails(system.tool("plan", "some"), 64, "safe, all or none")
