# SPDX-License-Identifier: BSD-2-Clause
"""BMCs that answer wrongly, and what the audit must make of it: never a crash, never a pass for what was not said."""
import json
from dataclasses import dataclass, field

import kinds

ROOT = "/redfish/v1"
SYSTEMS, SYSTEM = f"{ROOT}/Systems", f"{ROOT}/Systems/Self"
BIOS, LATER = f"{SYSTEM}/Bios", f"{SYSTEM}/Bios/SD"
MEMORY, PROCESSORS = f"{SYSTEM}/Memory", f"{SYSTEM}/Processors"
REGISTRY = f"{ROOT}/Registries/BiosAttributeRegistryMP32.1.0.0"
BIG_BYTES = 5 << 20


@dataclass
class Case:
    name: str
    change: object = None       # of the documents of MegaRAC
    acts: dict = field(default_factory=dict)    # address: what the handler does instead; False: nothing
    slc: str = "unknown"        # the outcome of firmware.slc-replacement
    bmc: str = "pass"           # of firmware.bmc
    prefetch: str = None        # of firmware.prefetch, where it matters
    waits: str = None           # of firmware.bmc-settings, where it matters
    says: str = ""              # somewhere in reasons or messages
    logins: int = 1
    more: dict = field(default_factory=dict)    # of the Bmc
    only_full: bool = False


def set_at(address, **members):
    def change(docs):
        docs[address] = {**docs[address], **members}
    return change


def drop(*addresses):
    def change(docs):
        for address in addresses:
            del docs[address]
    return change


def attributes(**members):
    def change(docs):
        docs[BIOS]["Attributes"].update(members)
    return change


def status(code, *headers):
    return lambda x: x.say(code, {"error": {"code": "Base.1.0.GeneralError"}}, *headers)


def raw(content, kind="application/json"):
    return lambda x: x.say(200, content, kind=kind)


def redirect(where, code=302):
    return lambda x: x.say(code, b"", ("Location", where.format(other=x.server.bmc.other)))


def to_slash(x):
    if x.path.endswith("/"):
        return False
    return x.say(308, b"", ("Location", x.path + "/"))


def hang(x):
    x.server.bmc.released.wait(120)
    x.close_connection = True


def trickle(x):
    x.send_response(200)
    x.send_header("Content-Length", "100000")
    x.end_headers()
    while not x.server.bmc.released.wait(0.2):
        x.wfile.write(b"    ")
        x.wfile.flush()


def endless(x):
    x.send_response(200)
    x.send_header("Transfer-Encoding", "chunked")
    x.end_headers()
    for _ in range(1 << 12):
        x.wfile.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
    x.server.bmc.uncut.append(x.path)


def endless_header(x):
    x.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(1 << 14):
        x.wfile.write(f"X-{number}: {'a' * 1000}\r\n".encode())
    x.server.bmc.uncut.append(x.path)


def half(x):
    x.send_response(200)
    x.send_header("Content-Length", "4000")
    x.end_headers()
    x.wfile.write(b'{"Attributes": {')
    x.close_connection = True


def hang_up(x):
    x.close_connection = True


def bomb(x):
    import gzip
    x.say(200, gzip.compress(b" " * (64 << 20)), ("Content-Encoding", "gzip"))


def pages(docs):
    """Four pages of four."""
    members = docs[MEMORY]["Members"]
    for page in range(4):
        address = MEMORY if page == 0 else f"{MEMORY}?$skip={page * 4}"
        docs[address] = {"Members": members[page * 4:page * 4 + 4], "Members@odata.count": 16}
        if page < 3:
            docs[address]["Members@odata.nextLink"] = f"{MEMORY}?$skip={page * 4 + 4}"


def page_loop(docs):
    docs[MEMORY]["Members@odata.nextLink"] = MEMORY


def page_loop_of_two(docs):
    docs[MEMORY]["Members@odata.nextLink"] = f"{MEMORY}?$skip=1"
    docs[f"{MEMORY}?$skip=1"] = {"Members": [], "Members@odata.nextLink": MEMORY}


def two_systems(same):
    def change(docs):
        other = f"{ROOT}/Systems/Node2"
        docs[other] = dict(docs[SYSTEM])
        if not same:
            docs[other].update(Model="X", BiosVersion="0.1", Bios=None)
        docs[SYSTEMS] = kinds.collection(SYSTEMS, [other, SYSTEM])
    return change


def another_registry(docs):
    docs[BIOS]["AttributeRegistry"] = "BiosAttributeRegistryOther.9.9.9"


def two_policies(docs):
    rows = docs[f"{REGISTRY}.json"]["RegistryEntries"]["Attributes"]
    rows.append({**rows[2], "AttributeName": "CHIP103"})
    docs[BIOS]["Attributes"]["CHIP103"] = "Random"


def prefetch(*names):
    """Attributes of these names, all enabled, instead of the one for L1 and L2."""
    def change(docs):
        rows = docs[f"{REGISTRY}.json"]["RegistryEntries"]["Attributes"]
        row = rows.pop(3)
        held = docs[BIOS]["Attributes"]
        del held[row["AttributeName"]]
        for number, name in enumerate(names):
            rows.append({**row, "AttributeName": f"PRE{number}", "DisplayName": name})
            held[f"PRE{number}"] = "Enabled"
    return change


def strange_value(docs):
    docs[f"{REGISTRY}.json"]["RegistryEntries"]["Attributes"][2]["Value"] = [
        {"ValueName": "Enhanced Least Recently Used", "ValueDisplayName": "Policy 7"}]


def deep(docs):
    nested = {}
    for _ in range(200):
        nested = {"Oem": nested}
    docs[BIOS]["Oem"] = nested


def many_members(docs):
    docs[MEMORY] = kinds.collection(MEMORY, [f"{MEMORY}/DIMM{number}" for number in range(5000)])


def duplicate(x):
    attributes_text = json.dumps(x.server.bmc.documents[BIOS]["Attributes"])
    x.say(200, f'{{"Attributes": {attributes_text}, "Attributes": {attributes_text}}}'.encode())


NOTHING = {"bmc": "unknown"}    # the system is not known, so nothing is compared
CASES = [
    Case("all is well", slc="pass", waits="pass"),
    Case("a policy the guide does not want", set_at(BIOS, Attributes={"CHIP003": "Random"}), slc="fail"),
    Case("a change that waits", set_at(LATER, Attributes={"CHIP003": "Random"}), slc="pass", waits="fail",
         says="random after a restart"),
    Case("a later value that is null", set_at(LATER, Attributes={"CHIP003": None}), slc="pass", waits="pass"),
    Case("later settings that are not there", drop(LATER), slc="pass", waits="unknown"),
    Case("no settings for later", set_at(BIOS, **{"@Redfish.Settings": None}), slc="pass", waits="pass"),
    Case("Bios without Attributes", set_at(BIOS, Attributes=None), says="no attributes"),
    Case("Attributes are a list", set_at(BIOS, Attributes=["CHIP003"])),
    Case("Attributes are empty", set_at(BIOS, Attributes={})),
    Case("a system without Bios", set_at(SYSTEM, Bios=None), says="no firmware settings"),
    Case("Bios is not there", drop(BIOS), says="the BMC does not have it"),
    Case("a value that is null", attributes(CHIP003=None), says="holds null"),
    Case("a value that is a number", attributes(CHIP003=0)),
    Case("a value that is a list", attributes(CHIP003=["Enhanced Least Recently Used"])),
    Case("a value the registry lacks", attributes(CHIP003="eLRU"), says="no known meaning"),
    Case("a value with a strange name", strange_value, says="no known meaning"),
    Case("a value that drives terminals", attributes(CHIP003="\x1b[2J\x07"), says="\\x1b"),
    Case("the prefetch of L2 alone", prefetch("L2 Prefetch"), slc="pass", prefetch="unknown", says="nothing tells of L1"),
    Case("the prefetch of L1, twice", prefetch("L1 Prefetch", "L1 Data Prefetch"), slc="pass", prefetch="unknown",
         says="nothing tells of L2"),
    Case("prefetch in parts", prefetch("L1 Prefetch", "L2 Prefetch"), slc="pass", prefetch="pass"),
    Case("two attributes of one name", two_policies, says="several attributes"),
    Case("another registry", another_registry, says="BiosAttributeRegistryOther"),
    Case("no registry is named", set_at(BIOS, AttributeRegistry=None), slc="pass"),
    Case("a registry that is not there", drop(f"{REGISTRY}.json")),
    Case("a registry that is elsewhere", set_at(REGISTRY, Location=[{"Language": "en", "Uri": "https://elsewhere.example/x"}])),
    Case("a registry with a path that climbs", set_at(REGISTRY, Location=[{"Uri": "/redfish/../../etc/passwd"}])),
    Case("a registry without entries", set_at(f"{REGISTRY}.json", RegistryEntries=None)),
    Case("a registry whose rows are numbers", set_at(f"{REGISTRY}.json", RegistryEntries={"Attributes": [1, None, "x"]})),
    Case("registries without members", set_at(f"{ROOT}/Registries", Members=None), says="lists no members"),
    Case("no systems", set_at(SYSTEMS, Members=[], **{"Members@odata.count": 0}), says="lists no system", **NOTHING),
    Case("Systems are null", set_at(ROOT, Systems=None), **NOTHING),
    Case("Systems are text", set_at(ROOT, Systems="/redfish/v1/Systems"), **NOTHING),
    Case("a system without an address", set_at(SYSTEMS, Members=[{"@odata.id": 7}]), says="has no address", **NOTHING),
    Case("a system that is a number", set_at(SYSTEMS, Members=[17]), **NOTHING),
    Case("two systems, one fits", two_systems(False), slc="pass"),
    Case("two systems, both fit", two_systems(True), says="Node2, Self", **NOTHING),
    Case("another machine's BMC", set_at(SYSTEM, Model="R272", BiosVersion="9"), bmc="fail", says="another machine"),
    Case("a new firmware alone", set_at(SYSTEM, BiosVersion="F99"), slc="pass", bmc="fail"),
    Case("a system of nulls", set_at(SYSTEM, Model=None, BiosVersion=None, Manufacturer=None), slc="pass"),
    Case("a member of another type", set_at(SYSTEM, Model=17, BiosVersion=["x"]), slc="pass"),
    Case("pages", pages, slc="pass"),
    Case("pages that are a loop", page_loop, slc="pass", bmc="unknown", says="pages"),
    Case("pages that are a loop of two", page_loop_of_two, slc="pass", bmc="unknown", says="pages"),
    Case("a page is missing", set_at(MEMORY, **{"Members@odata.nextLink": f"{MEMORY}?$skip=16"}), slc="pass", bmc="unknown",
         acts={f"{MEMORY}?$skip=16": status(404)}, says="does not have it"),
    Case("every page is the first", set_at(MEMORY, **{"Members@odata.nextLink": f"{MEMORY}?$skip=16"}), slc="pass", bmc="unknown",
         says="pages"),
    Case("fewer members than said", set_at(MEMORY, **{"Members@odata.count": 24}), slc="pass", bmc="unknown", says="16 of 24"),
    Case("five thousand members", many_members, slc="pass", bmc="unknown", says="more than 256"),
    Case("memory is forbidden", acts={MEMORY: status(403)}, slc="pass", bmc="unknown", says="does not show it to this user"),
    Case("processors lack everything", set_at(f"{PROCESSORS}/1", TotalCores=None, ProcessorType=None), slc="pass"),
    Case("fewer cores", set_at(f"{PROCESSORS}/1", TotalCores=64), slc="pass", bmc="fail", says="64 by the BMC, 80 by SMBIOS"),
    Case("slower memory", set_at(f"{MEMORY}/DIMM2", OperatingSpeedMhz=2666), slc="pass", bmc="fail"),
    Case("half the speed, as clock", lambda docs: [docs[f"{MEMORY}/DIMM{n}"].update(OperatingSpeedMhz=1600) for n in range(0, 16, 2)],
         slc="pass"),
    Case("other DIMMs", lambda docs: [docs[f"{MEMORY}/DIMM{n}"].update(PartNumber="X") for n in range(0, 16, 2)], slc="pass", bmc="fail"),
    Case("HTML", acts={BIOS: raw(b"<html><body>Login</body></html>", "text/html")}, says="no sound JSON"),
    Case("JSON that is called HTML", acts={MEMORY: lambda x: x.say(200, x.server.bmc.documents[MEMORY], kind="text/html")}, slc="pass"),
    Case("nothing", acts={BIOS: raw(b"")}, says="no sound JSON"),
    Case("204", acts={BIOS: lambda x: x.say(204)}, says="no sound JSON"),
    Case("a list", acts={BIOS: raw(b"[]")}, says="no sound JSON"),
    Case("a key twice", acts={BIOS: duplicate}, says="no sound JSON"),
    Case("bytes that are no UTF-8", acts={BIOS: raw(b'{"Attributes": {"CHIP003": "\xff\xfe"}}')}, says="no sound JSON"),
    Case("two hundred levels", deep, says="no sound JSON"),
    Case("half of it", acts={BIOS: half}, bmc="unknown", says="connection"),
    Case("the connection ends", acts={BIOS: hang_up}, bmc="unknown", says="connection"),
    Case("five megabytes", acts={BIOS: raw(b" " * BIG_BYTES)}, says="longer than is read"),
    Case("it never ends", acts={BIOS: endless}, says="longer than is read"),
    Case("a header that never ends", acts={BIOS: endless_header}, says="header"),
    Case("a bomb", acts={BIOS: bomb}, says="longer than is read"),
    Case("a BMC that hangs", acts={BIOS: hang}, bmc="unknown", says="too slow"),
    Case("a BMC that trickles", acts={BIOS: trickle}, bmc="unknown", says="too slow", only_full=True),
    Case("500", acts={BIOS: status(500)}, says="answers with an error"),
    Case("503", acts={SYSTEMS: status(503)}, says="503", **NOTHING),
    Case("401 in the middle", acts={BIOS: status(401)}, says="does not show it"),
    Case("a redirect", acts={BIOS: to_slash}, slc="pass"),
    Case("a redirect to itself", acts={BIOS: redirect(BIOS)}, says="redirect"),
    Case("a redirect to another host", acts={BIOS: redirect("{other}/redfish/v1/Systems/Self/Bios")}, says="another place"),
    Case("a redirect to another name", acts={BIOS: lambda x: x.say(302, b"", ("Location", f"https://localhost:{x.server.bmc.port}{BIOS}"))},
         says="another place"),
    Case("a redirect to http", acts={BIOS: lambda x: x.say(302, b"", ("Location", f"http://127.0.0.1:{x.server.bmc.port}{BIOS}"))},
         says="another place"),
    Case("a redirect to a file", acts={BIOS: redirect("file:///etc/passwd")}, says="another place"),
    Case("a redirect to nowhere", acts={BIOS: status(302)}),
    Case("a next page elsewhere", set_at(MEMORY, **{"Members@odata.nextLink": "https://elsewhere.example/redfish/v1/x"}),
         slc="pass", bmc="unknown"),
    Case("Redfish is not there", acts={ROOT: status(404)}, logins=0, **NOTHING),
    Case("the root needs a login", acts={ROOT: lambda x: False if x.authorized() else x.error(401)}, slc="pass"),
    Case("the root is HTML", acts={ROOT: raw(b"<html>", "text/html")}, says="no sound JSON", **NOTHING),
    Case("the root redirects elsewhere", acts={ROOT: redirect("{other}/redfish/v1/")}, logins=0, says="another place", **NOTHING),
    Case("the root hangs", acts={ROOT: hang}, logins=0, says="too slow", **NOTHING),
    Case("no sessions", acts={f"{ROOT}/SessionService/Sessions": status(404)}, slc="pass", logins=0),
    Case("sessions are not made", acts={f"{ROOT}/SessionService/Sessions": status(405)}, slc="pass", logins=0),
    Case("no sessions and no basic", acts={f"{ROOT}/SessionService/Sessions": status(404)}, logins=0, more={"basic": False},
         says="does not show it to this user", **NOTHING),
    Case("wrong password", acts={f"{ROOT}/SessionService/Sessions": status(401)}, logins=0, says="refuses these credentials", **NOTHING),
    Case("all sessions are taken", acts={f"{ROOT}/SessionService/Sessions": status(503)}, logins=0, says="sessions are taken", **NOTHING),
    Case("login without a token", acts={f"{ROOT}/SessionService/Sessions": lambda x: x.command == "POST" and x.say(201, {}) is None},
         logins=0, says="without a token", **NOTHING),
    Case("login redirected elsewhere", acts={f"{ROOT}/SessionService/Sessions": redirect("{other}/redfish/v1/Sessions", 307)}, logins=0,
         says="another place", **NOTHING),
    Case("a session with a whole address", slc="pass", more={"absolute": True}),
    Case("a session without an address", slc="pass", more={"no_location": True}),
    Case("sessions in another place", lambda docs: docs[ROOT]["Links"].update(Sessions=kinds.link("/redfish/v1/Other/Sessions")), slc="pass",
         more={"login": "/redfish/v1/Other/Sessions"}),
]
