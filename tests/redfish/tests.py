# SPDX-License-Identifier: BSD-2-Clause
"""Kinds of BMCs, TLS, credentials, interruptions, captures."""
import json
import os
import signal
import socket
import subprocess
from pathlib import Path

import kinds
import program
from program import Done, audit, closed, leaks, secret_fd, start, wait_for

# What each kind must come to when its settings are as the guide wants them, and when they are not.
WANTED = {
    "ami": {"slc-replacement": "pass", "prefetch": "pass", "bmc": "pass", "bmc-settings": "pass"},
    "supermicro": {"slc-replacement": "pass", "prefetch": "pass", "bmc": "pass", "bmc-settings": "pass"},
    "hpe": {"slc-replacement": "pass", "prefetch": "pass", "bmc": "pass", "bmc-settings": "pass"},
    "openbmc": {"slc-replacement": "unknown", "prefetch": "unknown", "bmc": "pass", "bmc-settings": "unknown"},
}
BAD = {"slc-replacement": "Random", "prefetch": "Disabled", "cppc": "Enabled", "anc": "Quadrant"}
# The certificate, what vouches for it (None: the system), and what must be said; None: it is trusted.
TLS = {
    "good": ("good", "authority", None),
    "expired": ("expired", "authority", "expired"),
    "self-signed": ("self-signed", "authority", "self"),
    "self-signed, named by --ca": ("self-signed", "self-signed", None),
    "wrong name": ("elsewhere", "authority", "name"),
    "authority not known": ("good", None, "certificate"),
}
USAGE = {
    "http": ("http://127.0.0.1", [], "in the clear"),
    "a password in the address": ("https://auditor:geheim@127.0.0.1", [], "use --credentials"),
    "a path": ("https://127.0.0.1/redfish/v1/Systems", [], "HOST[:PORT] alone"),
    "no scheme": ("127.0.0.1", [], "want https://"),
    "a file": ("file:///etc/passwd", [], "want https://"),
    "a TAB": ("https://127.0.0.1\tx", [], "want https://"),
    "no host": ("https://", [], "want https://"),
    "no such descriptor": ("https://127.0.0.1:1", ["--credentials", "fd:99"], "fd:99"),
    "a descriptor that is a word": ("https://127.0.0.1:1", ["--credentials", "fd:x"], "number of a descriptor"),
    "standard output as descriptor": ("https://127.0.0.1:1", ["--credentials", "fd:1"], "written to"),
    "no such file": ("https://127.0.0.1:1", ["--credentials", "/nowhere/secret"], "/nowhere/secret"),
    "a directory": ("https://127.0.0.1:1", ["--credentials", "/"], "no regular file"),
}


def kind_good(kind, world):
    bmc = world.bmc(kinds.KINDS[kind](), slashes=kind == "hpe",
                    login=kinds.KINDS[kind]()["/redfish/v1"]["Links"]["Sessions"]["@odata.id"].rstrip("/"))
    done = audit(world.root, bmc, world.authority)
    for check, want in WANTED[kind].items():
        if done.outcome("firmware." + check) != want:
            yield f"firmware.{check} is {done.outcome('firmware.' + check)}, want {want}: {done.said()}"
    if not closed(bmc) or len(bmc.tokens) != 1:
        yield f"{len(bmc.tokens)} logins, {bmc.logouts} logouts"
    if any(method not in ("GET", "POST", "DELETE") for method, _, _ in bmc.seen) or len(bmc.paths("POST")) > 2:
        yield f"asked {[row[:2] for row in bmc.seen]}"
    gets = bmc.paths()
    if kind != "hpe" and len(set(gets)) != len(gets):
        yield "a document was asked for twice"
    yield from leaks(done.out + done.err, bmc, program.NAMES)
    bmc.close()


def kind_bad(kind, world):
    bmc = world.bmc(kinds.KINDS[kind](**BAD), slashes=kind == "hpe")
    done = audit(world.root, bmc, world.authority)
    for check in ("slc-replacement", "prefetch", "bmc-settings"):
        if done.outcome("firmware." + check) != "fail":
            yield f"firmware.{check} is {done.outcome('firmware.' + check)}, want fail: {done.said()}"
    # What the kernel shows decides these.
    for check in ("anc", "cppc"):
        if done.outcome("firmware." + check) != "pass":
            yield f"firmware.{check} is {done.outcome('firmware.' + check)}, want pass"
    bmc.close()


def kind_replayed(kind, world):
    """A capture holds what the BMC said, and nothing of whom it is."""
    bmc = world.bmc(kinds.KINDS[kind](), slashes=kind == "hpe")
    copy = world.folder / f"{kind}.capture.json"
    live = audit(world.root, bmc, world.authority)
    fd = secret_fd()
    made = Done(start(["capture", "--quiet", "--root", str(world.root), str(copy)], bmc, world.authority, fd))
    os.close(fd)
    if made.status:
        yield f"capture: exit status {made.status}: {made.err}"
        return
    replay = subprocess.run([program.PROGRAM, "audit", "--json", "--root", str(copy), "--only", "firmware.*"],
                            capture_output=True, check=False)
    again = json.loads(replay.stdout)
    again = {key: value for key, value in again.items() if key not in program.VOLATILE}
    if again != live.steady():
        differing = [a["id"] for a, b in zip(live.report["results"], again["results"]) if a != b]
        yield f"the replay differs: {differing or [key for key in again if again[key] != live.report[key]]}"
    held = {path: row for path, row in json.loads(copy.read_text())["questions"].items() if path.startswith("/redfish/")}
    if len(held) < 10:
        yield f"the capture holds {sorted(held)}"
    yield from leaks(json.dumps(held), bmc, (*program.NAMES, f":{bmc.port}"))
    if not closed(bmc):
        yield "a session is left"
    bmc.close()


def tls(name, world):
    certificate, vouches, says = TLS[name]
    bmc = world.bmc(certificate=certificate)
    done = audit(world.root, bmc, vouches and world.made[vouches])
    messages = "\n".join(message["text"] for message in done.report["messages"])
    outcome = done.outcome("firmware.slc-replacement")
    if outcome != ("unknown" if says else "pass"):
        yield f"firmware.slc-replacement is {outcome}: {messages}"
    if says and says not in messages:
        yield f"does not say {says!r}: {messages!r}"
    if says and (bmc.seen or bmc.tokens):
        yield f"sent {bmc.seen}"
    if done.status != 0:
        yield f"exit status {done.status}"
    bmc.close()


def usage(name, world):
    url, words, says = USAGE[name]
    done = Done(start(["audit", "--json", "--root", str(world.root), *words], url, None))
    if done.status != 64 or says not in done.err:
        yield f"exit status {done.status}, {done.err!r}; want 64 and {says!r}"
    yield from leaks(done.out + done.err)


def secret_file(mode, content, says, world):
    path = world.folder / f"secret-{mode:o}-{abs(hash(content))}"
    path.write_bytes(content)
    path.chmod(mode)
    bmc = world.bmc()
    done = Done(start(["audit", "--json", "--root", str(world.root), "--only", "firmware.*", "--credentials", str(path)], bmc,
                      world.authority))
    if says is None and (done.status != 0 or done.outcome("firmware.slc-replacement") != "pass"):
        yield f"exit status {done.status}: {done.err}"
    if says is not None and (done.status != 64 or says not in done.err):
        yield f"exit status {done.status}, {done.err!r}; want 64 and {says!r}"
    yield from leaks(done.out + done.err, bmc)
    if not closed(bmc):
        yield "a session is left"
    bmc.close()


def no_credentials(world):
    bmc = world.bmc()
    done = audit(world.root, bmc, world.authority, credentials=False)
    if done.status or "--credentials" not in done.said() or bmc.paths() != ["/redfish/v1/"]:
        yield f"exit status {done.status}, asked {bmc.paths()}: {done.said()}"
    bmc.close()


def nobody_there(world):
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        done = audit(world.root, f"https://127.0.0.1:{held.getsockname()[1]}", world.authority)
    if done.status or done.outcome("firmware.slc-replacement") != "unknown" or "onnect" not in done.said():
        yield f"exit status {done.status}: {done.said()}"


def proxies(world):
    """The environment's proxies are not for BMCs."""
    bmc = world.bmc()
    away = {name: world.other.url for name in ("https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy")}
    done = audit(world.root, bmc, world.authority, environment=away)
    if done.outcome("firmware.slc-replacement") != "pass":
        yield f"{done.said()}"
    bmc.close()


def children_of(pid):
    out = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False).stdout
    return [int(word) for word in out.split()]


def seen_in_proc(pid):
    text = b""
    for name in ("cmdline", "environ"):
        try:
            text += Path(f"/proc/{pid}/{name}").read_bytes()
        except OSError:
            pass
    return text.decode("utf-8", "replace")


def halted(world, kind):
    """A run that waits for Systems: (bmc, child, descriptor)."""
    acts = {"/redfish/v1/Systems": lambda x: (x.server.bmc.arrived.set(), x.server.bmc.released.wait(60)) and False}
    bmc = world.bmc(acts=acts)
    fd = secret_fd() if kind == "fd" else None
    environment = {} if fd is not None else {"AMPERE_CRYPTO_REDFISH_CREDENTIALS": f"{kinds.USER}:{kinds.PASSWORD}"}
    child = start(["audit", "--json", "--root", str(world.root), "--only", "firmware.*"], bmc, world.authority, fd, environment,
                  start_new_session=True)
    if fd is not None:
        os.close(fd)
    if not bmc.arrived.wait(60):
        raise RuntimeError("the BMC was not asked")
    return bmc, child


def watched(kind, world):
    bmc, child = halted(world, kind)
    helpers = children_of(child.pid)
    if not helpers:
        yield "no helper was seen"
    for pid in [child.pid, *helpers]:
        for fault in leaks(seen_in_proc(pid), bmc):
            yield f"process {pid}: {fault}"
    bmc.released.set()
    done = Done(child)
    if done.outcome("firmware.slc-replacement") != "pass":
        yield f"exit status {done.status}: {done.out[-300:]}"
    yield from leaks(done.out + done.err, bmc)
    bmc.close()


def interrupted(name, world):
    """However the command ends, the session is closed, and the helper ends."""
    bmc, child = halted(world, "fd")
    helpers = children_of(child.pid)
    number = getattr(signal, name)
    if number == signal.SIGINT:
        os.killpg(child.pid, number)    # as the terminal does
    else:
        child.send_signal(number)
    child.communicate(timeout=60)
    if child.returncode != -number:
        yield f"exit status {child.returncode}"
    if not wait_for(lambda: closed(bmc)):
        yield f"{bmc.logouts} logouts of {len(bmc.tokens)} logins"
    if not wait_for(lambda: not any(Path(f"/proc/{pid}/exe").exists() for pid in helpers)):
        yield "the helper is still there"
    bmc.close()


def failing_audit(world):
    """An error of the audit itself comes after the login: there is a logout all the same."""
    bmc = world.bmc()
    done = audit(world.root, bmc, world.authority, "--waivers", "/nowhere/waivers.json")
    if done.status != 2 or not bmc.tokens or not closed(bmc):
        yield f"exit status {done.status}, {len(bmc.tokens)} logins, {bmc.logouts} logouts"
    bmc.close()


def text_section(world):
    """Beside each other: the BMC's value, what waits, what is in effect."""
    bmc = world.bmc(kinds.ami(**BAD))
    fd = secret_fd()
    done = Done(start(["audit", "--root", str(world.root), "--only", "firmware.*"], bmc, world.authority, fd))
    os.close(fd)
    row = next((line.split() for line in done.out.splitlines() if line.strip().startswith("ANC mode  ")), [])
    if row[2:] != ["quadrant", "the", "same", "monolithic"]:
        yield f"shows {row}: {done.out}"
    bmc.close()


def jobs():
    good = f"{kinds.USER}:{kinds.PASSWORD}\n".encode()
    yield from ((f"kind {kind}", kind_good, kind) for kind in kinds.KINDS)
    yield from ((f"kind {kind} set otherwise", kind_bad, kind) for kind in kinds.KINDS if kind != "openbmc")
    yield from ((f"replay {kind}", kind_replayed, kind) for kind in kinds.KINDS)
    yield from ((f"TLS {name}", tls, name) for name in TLS)
    yield from ((f"usage {name}", usage, name) for name in USAGE)
    yield ("secret file", secret_file, 0o600, good, None)
    yield ("secret file without a line end", secret_file, 0o400, good[:-1], None)
    yield ("secret file for all", secret_file, 0o644, good, "chmod 600")
    yield ("secret file for the group", secret_file, 0o640, good, "chmod 600")
    yield ("secret file without a colon", secret_file, 0o600, b"geheim\n", "no line USER:PASSWORD")
    yield ("secret file without a user", secret_file, 0o600, b":geheim\n", "no line USER:PASSWORD")
    yield ("secret file that is empty", secret_file, 0o600, b"", "no line USER:PASSWORD")
    yield ("secret file with control characters", secret_file, 0o600, b"user:ge\x01heim\n", "control character")
    yield ("secret file that is long", secret_file, 0o600, b"user:" + b"x" * 4000, "longer than")
    yield ("no credentials", no_credentials)
    yield ("nobody there", nobody_there)
    yield ("proxies of the environment", proxies)
    yield from ((f"processes with credentials by {kind}", watched, kind) for kind in ("fd", "environment"))
    yield from ((f"ended by {name}", interrupted, name) for name in ("SIGINT", "SIGTERM", "SIGKILL"))
    yield ("an audit that fails", failing_audit)
    yield ("the text", text_section)
