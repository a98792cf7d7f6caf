# SPDX-License-Identifier: BSD-2-Clause
"""dpdk-test-crypto-perf --ptest verify on the vectors of recipes/dpdk/vectors."""
import re
import subprocess
from pathlib import Path

OPERATIONS = 64
CHAIN = ["--cipher-algo", "aes-cbc", "--cipher-key-sz", "16", "--cipher-iv-sz", "16", "--auth-key-sz", "64"]
SHA1 = [*CHAIN, "--auth-algo", "sha1-hmac", "--digest-sz", "20"]
SHA256 = [*CHAIN, "--auth-algo", "sha2-256-hmac", "--digest-sz", "32"]
CTR_CMAC = ["--cipher-algo", "aes-ctr", "--cipher-key-sz", "16", "--cipher-iv-sz", "16",
            "--auth-algo", "aes-cmac", "--auth-key-sz", "32", "--digest-sz", "16"]
GCM = ["--optype", "aead", "--aead-algo", "aes-gcm", "--aead-key-sz", "16", "--aead-iv-sz", "12", "--aead-aad-sz", "20",
       "--digest-sz", "16"]


def cipher(algorithm):
    words = ["--optype", "cipher-only", "--cipher-algo", algorithm, "--cipher-key-sz", "16", "--cipher-iv-sz", "16"]
    return {way: [*words, "--cipher-op", way] for way in ("encrypt", "decrypt")}


def chain(words):
    return {"encrypt": [*words, "--optype", "cipher-then-auth", "--cipher-op", "encrypt", "--auth-op", "generate"],
            "decrypt": [*words, "--optype", "auth-then-cipher", "--cipher-op", "decrypt", "--auth-op", "verify"]}


def authentication(algorithm):
    words = ["--optype", "auth-only", "--auth-algo", algorithm, "--auth-key-sz", "16", "--auth-iv-sz", "16",
             "--digest-sz", "4"]
    return {way: [*words, "--auth-op", way] for way in ("generate", "verify")}


# (device, vector, bytes of the buffer, the options of each direction)
RUNS = (
    ("crypto_openssl", "aes-cbc", 64, cipher("aes-cbc")),
    ("crypto_openssl", "aes-cbc-sha1-hmac", 64, chain(SHA1)),
    ("crypto_openssl", "aes-cbc-sha256-hmac", 64, chain(SHA256)),
    ("crypto_openssl", "aes-ctr-cmac", 64, chain(CTR_CMAC)),
    ("crypto_openssl", "aes-gcm", 60, {way: [*GCM, "--aead-op", way] for way in ("encrypt", "decrypt")}),
    ("crypto_armv8", "aes-cbc-sha1-hmac", 64, chain(SHA1)),
    ("crypto_armv8", "aes-cbc-sha256-hmac", 64, chain(SHA256)),
    ("crypto_armv8", "aes-cbc-sha1-hmac-1024", 1024, chain(SHA1)),
    ("crypto_armv8", "aes-cbc-sha256-hmac-1024", 1024, chain(SHA256)),
    ("crypto_snow3g", "snow3g-uea2", 31, cipher("snow3g-uea2")),
    ("crypto_snow3g", "snow3g-uia2", 11, authentication("snow3g-uia2")),
    ("crypto_zuc", "zuc-eea3", 24, cipher("zuc-eea3")),
)

ROW = re.compile(r"^\s*\d+(?:\s+\d+){6}\s+(\d+)$", re.M)


def run(command, device, vector, size, words, timeout_s=120):
    """(exit status, operations that failed or None when there is no row, output)."""
    name = [] if "cipher-only" in words else ["--test-name", "expected"]
    argv = [*command, "-l", "0,1", "--no-huge", "-m", "256", "--no-pci", "--no-shconf", "--vdev", device, "--",
            "--ptest", "verify", "--devtype", device, "--test-file", str(vector), *name, "--buffer-sz", str(size),
            "--burst-sz", "32", "--total-ops", str(OPERATIONS), "--silent", *words]
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=timeout_s, stdin=subprocess.DEVNULL)
    found = ROW.search(done.stdout)
    fields = found.group().split() if found else None
    if not fields or fields[3] != fields[4] or fields[3] != str(OPERATIONS) or fields[5] != "0" or fields[6] != "0":
        return done.returncode, None, done.stdout
    return done.returncode, int(fields[7]), done.stdout


def keys(vector):
    """What an operation makes and is compared: the ciphertext, and the digest where there is one."""
    text = Path(vector).read_text()
    return [key for key in ("ciphertext", "digest") if f"{key} =" in text]


def flip(vector, key, where):
    """A copy of a vector with one bit of `key` changed, in the directory `where`."""
    lines = Path(vector).read_text().split("\n")
    at = lines.index(f"{key} =") + 1
    first = int(lines[at][:4], 16) ^ 1
    lines[at] = f"0x{first:02x}{lines[at][4:]}"
    changed = Path(where) / f"{Path(vector).stem}-{key}.data"
    changed.write_text("\n".join(lines))
    return changed
