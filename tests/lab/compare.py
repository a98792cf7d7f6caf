# SPDX-License-Identifier: BSD-2-Clause
"""What the guest is (stated), what plain shell sees in it, what the program says: each pair is compared."""
import json
import re

from boots import LIBCRYPTO


def numbers(text):
    return [int(word, 0) for word in text.split()]


def winners(text):
    """{algorithm: driver of the highest priority that is not internal} of a /proc/crypto."""
    best = {}
    for block in text.split("\n\n"):
        entry = dict(re.findall(r"^(\w[\w ]*?) *: (.*)$", block, re.M))
        if "name" not in entry or entry.get("internal") == "yes" or entry.get("selftest") != "passed":
            continue
        if entry["name"] not in best or int(entry["priority"]) > best[entry["name"]][0]:
            best[entry["name"]] = (int(entry["priority"]), entry["driver"])
    return {name: driver for name, (_, driver) in best.items()}


def pages(text):
    found = {}
    for node, size_kb, count in re.findall(r"node(\d+)/hugepages/hugepages-(\d+)kB/nr_hugepages (\d+)", text):
        found[int(node), int(size_kb)] = int(count)
    return found


def loaded_libcrypto(text):
    """Paths of libcrypto in what LD_TRACE_LOADED_OBJECTS makes the loader print."""
    return re.findall(r"libcrypto\.so\.3 => (\S+)", text)


def differ(what, found, wanted):
    return [] if found == wanted else [f"{what} is {found!r}, want {wanted!r}"]


def guest_faults(is_, answers, boot):
    """The guest against what was stated of it."""
    text = {name: answer.text for name, answer in answers.items()}
    features = set(text["view-features"].split("\n")[0].split())
    best = winners(text["view-crypto"])
    refused = {name for name, status in re.findall(r"^module (\S+) (\d+)", text["setup"], re.M) if status != "0"}
    faults = differ("MIDR", numbers(text["view-cpu"]), [is_["midr"]] * is_["cpus"])
    faults += differ("missing features", is_["features"] - features, set())
    faults += differ("features that must not be there", is_["lacks"] & features, set())
    faults += differ("distances", [numbers(line) for line in text["view-nodes"].splitlines()], is_["distances"])
    faults += differ("packages", len(set(text["view-packages"].split())), is_["packages"])
    shown = f"{is_['timer_hz'] // 1000000}.{is_['timer_hz'] // 10000 % 100:02d}"
    faults += differ("timer in MHz as the kernel shows it", text["view-timer"].split()[:1], [shown])
    faults += differ("page size", numbers(text["view-page"]), [is_["page_size_bytes"] // 1024])
    faults += differ("huge pages", {key: pages(text["view-pages"]).get(key) for key in is_["pages"]}, is_["pages"])
    faults += differ("winning drivers", {name: best.get(name) for name in is_["winners"]}, is_["winners"])
    faults += differ("algorithms that must be absent", is_.get("absent", set()) & set(best), set())
    faults += differ("refused modules", refused, is_.get("refused", set()))
    faults += differ("DMI", text["view-dmi"].splitlines(), [is_["vendor"], is_["product"]])
    faults += differ("libcrypto of openssl", loaded_libcrypto(text["view-loader"]), [is_.get("libcrypto", LIBCRYPTO)])
    cards = [(int(node), type_ or None) for node, type_ in re.findall(r"^(-?\d+) ?(\S*)$", text["view-cards"], re.M)]
    faults += differ("cards (node, IOMMU)", cards, [is_["card"]] if "card" in is_ else [])
    variable = bytes(int(word, 16) for word in text["view-variable"].split())
    faults += differ("firmware variable", variable, boot.get("variable") or b"")
    return faults


def at(document, path):
    for key in path.split("."):
        document = document.get(key) if isinstance(document, dict) else None
    return document


def detect_faults(is_, answer, answers, root):
    """The host object of `detect --json` against what the guest is. Without root the DMI table is closed: no SKU then."""
    host = json.loads(answer.text)["host"]
    release, machine = answers["view-kernel"].text.split()
    wanted = {
        "arch": machine, "kernel": release, "midr": f"0x{is_['midr']:08x}", "implementer": is_["midr"] >> 24,
        "cpus": is_["cpus"], "nodes": is_["nodes"], "packages": is_["packages"], "page_size_bytes": is_["page_size_bytes"],
        "timer_hz": is_["timer_hz"], "machine.vendor": is_["vendor"], "machine.product": is_["product"],
        "virtualization.vm": "qemu", "virtualization.container": "none",
        "family": is_["family"],
        "family_confidence": is_["confidence"][0 if root else 1], "sku": is_["sku"] if root else None,
    }
    faults = []
    for path, value in wanted.items():
        found = at(host, path)
        if path == "implementer" and isinstance(found, str):
            found = int(found, 0)
        faults += differ(path, found, value)
    faults += differ("features", sorted(host["features"]), sorted(answers["view-features"].text.split("\n")[0].split()))
    return faults


def findings(text):
    return {finding["id"]: finding for finding in json.loads(text)["results"]}


def having(outcome, text):
    return {name for name, finding in findings(text).items() if finding["outcome"] == outcome}


def outcome_faults(text, wanted):
    """The outcomes of an audit document against those stated."""
    found = {name: finding["outcome"] for name, finding in findings(text).items()}
    return [fault for name, outcome in sorted(wanted.items()) for fault in differ(name, found.get(name), outcome)]


def first_difference(one, other, path=""):
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        parts = [(key, one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        parts = list(zip(range(len(one)), one, other))
    else:
        return None if one == other else f"{path} is {str(one)[:200]!r}, replayed {str(other)[:200]!r}"
    return next(filter(None, (first_difference(a, b, f"{path}/{key}") for key, a, b in parts)), None)


def same_but_time(one, other):
    """Where two documents differ, byte for byte, without what names the run: argv, started, elapsed_ms. None: nowhere."""
    runs = re.compile(r'"(started|elapsed_ms)": ?("[^"]*"|[0-9.]+),?|"argv": ?\[[^]]*\],?')
    if runs.sub("", one) == runs.sub("", other):
        return None
    left, right = ({**json.loads(text), "argv": 0, "started": 0, "elapsed_ms": 0} for text in (one, other))
    return first_difference(left, right) or "the same values in another spelling"
