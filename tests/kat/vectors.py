# SPDX-License-Identifier: BSD-2-Clause
"""Test files for dpdk-test-crypto-perf: their grammar, their lengths, and what plain Python makes of their keys."""
import hashlib
import hmac
import json
import re
import subprocess
from pathlib import Path

import reference
from reference import Aes

TOP = Path(__file__).resolve().parents[2]
SIZES = (64, 2048)
VALUE = re.compile(r"0x[0-9a-f]{2}(?:,[ \n]0x[0-9a-f]{2})*\n")
# SNOW 3G and ZUC are compared with ipsec-mb in mobile.c; of CCM only the lengths are looked at here.
MOBILE = ("snow3g-uea2", "snow3g-uia2", "zuc-eea3", "zuc-eia3")
KEYS = {"plaintext", "ciphertext", "cipher_key", "cipher_iv", "auth_key", "auth_iv", "aead_key", "aead_iv", "aad", "digest"}


def parse(text):
    """{key: bytes}; None when it is not in the grammar."""
    parts, rest = {}, re.sub(r"^#.*\n", "", text)
    while rest.strip():
        found = re.match(r"\n*(\[expected\]\n)?(\w+) =\n(" + VALUE.pattern + ")", rest)
        if not found or found.group(2) in parts or bool(found.group(1)) != (found.group(2) == "digest"):
            return None
        parts[found.group(2)] = bytes(int(word, 16) for word in re.findall(r"0x(..)", found.group(3)))
        rest = rest[found.end():]
    return parts


def ciphertext(name, p):
    if name.startswith("aes-cbc"):
        return reference.cbc_encrypt(Aes(p["cipher_key"]), p["cipher_iv"], p["plaintext"])
    if name.startswith("aes-ctr"):
        return reference.xor(p["plaintext"], reference.ctr_stream(Aes(p["cipher_key"]), p["cipher_iv"], len(p["plaintext"])))
    if name.startswith("aes-gcm"):
        return reference.gcm_seal(p["aead_key"], p["aead_iv"], p["aad"], p["plaintext"])[0]
    if name.startswith("3des"):
        return triple(name, p)
    return p.get("ciphertext")


def triple(name, p):
    """3DES by the program openssl; CTR by the cipher's blocks (NIST SP 800-38A 6.5)."""
    words = ["openssl", "enc", "-nopad", "-K", p["cipher_key"].hex()]
    if name == "3des-cbc":
        return subprocess.run([*words, "-des-ede3-cbc", "-iv", p["cipher_iv"].hex()], input=p["plaintext"],
                              stdout=subprocess.PIPE, check=True).stdout
    first, blocks = int.from_bytes(p["cipher_iv"], "big"), (len(p["plaintext"]) + 7) // 8
    counters = b"".join(((first + i) % (1 << 64)).to_bytes(8, "big") for i in range(blocks))
    stream = subprocess.run([*words, "-des-ede3-ecb"], input=counters, stdout=subprocess.PIPE, check=True).stdout
    return reference.xor(p["plaintext"], stream)


def digest(name, p):
    data = p.get("ciphertext", p["plaintext"])
    hashed = re.search(r"(md5|sha\d+)(-hmac)?$", name)
    if hashed and hashed.group(2):
        return hmac.new(p["auth_key"], data, hashed.group(1)).digest()
    if hashed:
        return hashlib.new(hashed.group(1), data).digest()
    if name.endswith("aes-cmac"):
        return reference.cmac(p["auth_key"], data)
    if name.startswith("aes-gmac"):
        return reference.gcm_tag(Aes(p["auth_key"]), p["auth_iv"], data, b"")
    if name.startswith("aes-gcm"):
        return reference.gcm_tag(Aes(p["aead_key"]), p["aead_iv"], p["aad"], data)
    return p.get("digest")


def names_and_sizes():
    """Of the suites: what a vector must have, {name: {key: bytes}}."""
    wanted = {name: {} for name in MOBILE}
    for case in json.loads((TOP / "profiles/suites/dpdk-all.json").read_text())["cases"]:
        options = case["dpdk"]
        if "vector" not in options:
            continue
        row = wanted.setdefault(options["vector"], {})
        for kind in ("cipher", "auth", "aead"):
            for part in ("key", "iv"):
                size = options.get(kind, {}).get(part)
                row.update({f"{kind}_{part}": size} if size else {})
        for key, option in (("aad", "aad"), ("digest", "full-digest")):
            row.update({key: options[option]} if options.get(option) else {})
    return wanted


def judge(name, size, text, sizes):
    parts = parse(text)
    if not parts:
        return [f"{name} of {size} bytes is not in the grammar: {text[:60]}"]
    faults = [f"{name}: {key} has {len(parts.get(key, b''))} bytes, want {want}" for key, want in
              {"plaintext": size, **sizes}.items() if len(parts.get(key, b"")) != want]
    faults += [f"{name}: unknown keys {set(parts) - KEYS}"] if set(parts) - KEYS else []
    if not faults and parts.get("ciphertext") != ciphertext(name, parts):
        faults.append(f"{name} of {size} bytes: another ciphertext")
    if not faults and parts.get("digest") != digest(name, parts):
        faults.append(f"{name} of {size} bytes: another digest")
    return faults


def faults(run, library):
    found = []
    for name, sizes in names_and_sizes().items():
        texts = []
        for size in SIZES:
            status, rows = run("vector", "--library", library, f"{name}:{size}")
            texts.append("\n".join(rows) + "\n")
            found += judge(name, size, texts[-1], sizes) if status == 0 else [f"{name}: status {status} {rows[-1:]}"]
    for word in ("aes-cbc-128:17", "none:16", "zuc-eea3:0"):
        status, rows = run("vector", "--library", library, word)
        found += [] if status == 2 and len(rows) == 1 and rows[0].startswith("error ") else [f"{word}: {status} {rows}"]
    return found
