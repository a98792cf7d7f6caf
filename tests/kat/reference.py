# SPDX-License-Identifier: BSD-2-Clause
"""The answers of kat-bench by another implementation: AES, GCM, CMAC, ChaCha20-Poly1305 and RSA in plain Python,
hashes by hashlib. What is encrypted, and with which keys, is made as src/kat-bench/job.h says."""
import hashlib
import hmac
import re
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
OPS = 3


def xtime(a):
    return (a << 1 ^ (0x11b if a & 0x80 else 0)) & 0xff


def times(a, b):
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a, b = xtime(a), b >> 1
    return product


def make_box():
    box = []
    for x in range(256):
        inverse = next((y for y in range(256) if times(x, y) == 1), 0)
        value = 0x63
        for i in range(5):
            value ^= (inverse << i | inverse >> (8 - i)) & 0xff
        box.append(value)
    return box


BOX = make_box()
UNBOX = [BOX.index(x) for x in range(256)]
# Products of MixColumns and its inverse (FIPS 197).
BY = {k: [times(x, k) for x in range(256)] for k in (1, 2, 3, 9, 11, 13, 14)}


class Aes:
    """FIPS 197, a block at a time."""

    def __init__(self, key):
        words = [list(key[i:i + 4]) for i in range(0, len(key), 4)]
        count, rcon = len(words), 1
        for i in range(count, 4 * (count + 7)):
            word = list(words[-1])
            if i % count == 0:
                word = [BOX[b] for b in word[1:] + word[:1]]
                word[0] ^= rcon
                rcon = xtime(rcon)
            elif count > 6 and i % count == 4:
                word = [BOX[b] for b in word]
            words.append([a ^ b for a, b in zip(word, words[i - count])])
        self.keys = [sum(words[i:i + 4], []) for i in range(0, len(words), 4)]

    @staticmethod
    def mix(state, row):
        return [BY[row[0]][c[i]] ^ BY[row[1]][c[(i + 1) % 4]] ^ BY[row[2]][c[(i + 2) % 4]] ^ BY[row[3]][c[(i + 3) % 4]]
                for c in (state[j:j + 4] for j in range(0, 16, 4)) for i in range(4)]

    def encrypt(self, block):
        state = [a ^ b for a, b in zip(block, self.keys[0])]
        for key in self.keys[1:]:
            state = [BOX[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
            if key is not self.keys[-1]:
                state = self.mix(state, (2, 3, 1, 1))
            state = [a ^ b for a, b in zip(state, key)]
        return bytes(state)

    def decrypt(self, block):
        state = [a ^ b for a, b in zip(block, self.keys[-1])]
        for key in reversed(self.keys[:-1]):
            state = [UNBOX[state[(i - 4 * (i % 4)) % 16]] for i in range(16)]
            state = [a ^ b for a, b in zip(state, key)]
            if key is not self.keys[0]:
                state = self.mix(state, (14, 11, 13, 9))
        return bytes(state)


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def ctr_stream(aes, first, size, width=16):
    """`width`: bytes of the block that count."""
    fixed, number = first[:16 - width], int.from_bytes(first[16 - width:], "big")
    blocks = ((number + i) % (1 << 8 * width) for i in range((size + 15) // 16))
    return b"".join(aes.encrypt(fixed + n.to_bytes(width, "big")) for n in blocks)[:size]


def cbc_encrypt(aes, iv, plain):
    out = b""
    for at in range(0, len(plain), 16):
        iv = aes.encrypt(xor(plain[at:at + 16], iv))
        out += iv
    return out


def cbc_decrypt(aes, iv, cipher):
    blocks = [cipher[at:at + 16] for at in range(0, len(cipher), 16)]
    return b"".join(xor(aes.decrypt(block), before) for block, before in zip(blocks, [iv] + blocks))


def padded(data):
    return data + bytes(-len(data) % 16)


def gcm_tag(aes, iv, aad, cipher):
    """NIST SP 800-38D."""
    h, y = int.from_bytes(aes.encrypt(bytes(16)), "big"), 0
    data = padded(aad) + padded(cipher) + (8 * len(aad)).to_bytes(8, "big") + (8 * len(cipher)).to_bytes(8, "big")
    for at in range(0, len(data), 16):
        y ^= int.from_bytes(data[at:at + 16], "big")
        z, v = 0, h
        for i in range(127, -1, -1):
            z ^= v if y >> i & 1 else 0
            v = v >> 1 ^ (0xe1 << 120 if v & 1 else 0)
        y = z
    return xor(y.to_bytes(16, "big"), aes.encrypt(iv + b"\0\0\0\1"))


def gcm_stream(aes, iv, size):
    return ctr_stream(aes, iv + b"\0\0\0\2", size, 4)


def cmac(key, data):
    """RFC 4493."""
    def double(block):
        n = int.from_bytes(block, "big") << 1
        return (n & (1 << 128) - 1 ^ (0x87 if n >> 128 else 0)).to_bytes(16, "big")
    aes = Aes(key)
    one = double(aes.encrypt(bytes(16)))
    whole = data and len(data) % 16 == 0
    last = data[-16:] if whole else padded(data[len(data) // 16 * 16:] + b"\x80")
    rest = data[:-16] if whole else data[:len(data) // 16 * 16]
    return cbc_encrypt(aes, bytes(16), rest + xor(last, one if whole else double(one)))[-16:]


def chacha_block(key, counter, nonce):
    """RFC 8439 section 2.3."""
    begin = [int.from_bytes(part, "little") for text in (b"expand 32-byte k", key, counter.to_bytes(4, "little"), nonce)
             for part in (text[i:i + 4] for i in range(0, len(text), 4))]
    x = list(begin)
    quarters = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for _ in range(10):
        for a, b, c, d in quarters:
            for left, right, to, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[left] = x[left] + x[right] & 0xffffffff
                mixed = x[to] ^ x[left]
                x[to] = (mixed << bits | mixed >> (32 - bits)) & 0xffffffff
    return b"".join((a + b & 0xffffffff).to_bytes(4, "little") for a, b in zip(x, begin))


def chacha_seal(key, nonce, aad, plain):
    """RFC 8439 section 2.8."""
    stream = b"".join(chacha_block(key, i + 1, nonce) for i in range((len(plain) + 63) // 64))
    cipher, once = xor(plain, stream), chacha_block(key, 0, nonce)
    r = int.from_bytes(once[:16], "little") & 0x0ffffffc0ffffffc0ffffffc0fffffff
    data = padded(aad) + padded(cipher) + len(aad).to_bytes(8, "little") + len(cipher).to_bytes(8, "little")
    a = 0
    for at in range(0, len(data), 16):
        a = (a + int.from_bytes(data[at:at + 16] + b"\1", "little")) * r % ((1 << 130) - 5)
    return cipher, (a + int.from_bytes(once[16:], "little") & (1 << 128) - 1).to_bytes(16, "little")


def gcm_seal(key, nonce, aad, plain):
    aes = Aes(key)
    cipher = xor(plain, gcm_stream(aes, nonce, len(plain)))
    return cipher, gcm_tag(aes, nonce, aad, cipher)


def material(what, size):
    return b"".join(hashlib.sha256(f"{what} {i}".encode()).digest() for i in range((size + 31) // 32))[:size]


def updates(cipher, size):
    """What three operations in place write: each begins with what the one before left."""
    key, iv, data = material(f"key {cipher}", int(cipher[4:7]) // 8), None, material(f"in {cipher} {size}", size)
    aes, iv = Aes(key), material(f"iv {cipher}", 12 if cipher.endswith("gcm") else 16)
    gcm = cipher.endswith("gcm")
    stream, out = gcm_stream(aes, iv, OPS * size) if gcm else ctr_stream(aes, iv, OPS * size), b""
    for i in range(OPS):
        data = xor(data, stream[i * size:(i + 1) * size])
        out += data
    return out + (gcm_tag(aes, iv, b"", out) if gcm else b"")


def rekeyed(cipher, size):
    """In place with one key and IV: the message and its ciphertext take turns."""
    key, iv, data = material(f"key {cipher}", int(cipher[4:7]) // 8), material(f"iv {cipher}", 12), material(
        f"in {cipher} {size}", size)
    text, tag = gcm_seal(key, iv, b"", data)
    return text + data + text + tag


def chained(case, size):
    cipher, way = case[:11], case[12:]
    aes, iv = Aes(material(f"key {cipher}", int(cipher[4:7]) // 8)), material(f"iv {cipher}", 16)
    data, out = material(f"in {cipher} {size}", size), b""
    for _ in range(OPS):
        after = cbc_encrypt(aes, iv, data) if way == "encrypt" else cbc_decrypt(aes, iv, data)
        iv, data = (after if way == "encrypt" else data)[-16:], after
        out += data
    return out


def sealed(case, size):
    cipher, opened = case[:-5], case.endswith("-open")
    key = material(f"key {cipher}", 16 if "128" in cipher else 32)
    iv, aad = material(f"iv {cipher}", 12), material(f"aad {cipher}", 13)
    plain, out = material(f"in {cipher} {size}", size), b""
    for i in range(OPS):
        nonce = iv[:4] + ((int.from_bytes(iv[4:], "big") + i) % (1 << 64)).to_bytes(8, "big")
        text, tag = (chacha_seal if "chacha" in cipher else gcm_seal)(key, iv if opened else nonce, aad, plain)
        out += (plain if opened else text) + tag
    return out


def der(data):
    """The values of a sequence."""
    values, at = [], 0
    while at < len(data):
        size, head = data[at + 1], 2
        if size & 0x80:
            head += size & 0x7f
            size = int.from_bytes(data[at + 2:at + head], "big")
        values.append(data[at + head:at + head + size])
        at += head + size
    return values


def rsa_signature(bits, digest):
    """RFC 8017 section 8.2.1 with the key of the program's source."""
    text = (TOP / "src/kat-bench/known_key.c").read_text()
    found = re.search(rf"#define RSA_{bits}_PRIVATE\s*\\\n((?:\s*\"[0-9a-f]+\"\s*\\?\n)+)", text).group(1)
    key = bytes.fromhex("".join(re.findall(r'"([0-9a-f]+)"', found)))
    modulus, _, private = (int.from_bytes(value, "big") for value in der(der(key)[0])[1:4])
    info = bytes.fromhex("3031300d060960864801650304020105000420") + digest
    encoded = b"\0\1" + b"\xff" * (bits // 8 - len(info) - 3) + b"\0" + info
    return pow(int.from_bytes(encoded, "big"), private, modulus).to_bytes(bits // 8, "big")


def answer(case, size):
    """The digest that kat-bench should print, or None where only itself could tell."""
    if case.endswith(("-ctr", "-update")):
        out = updates(case[:11], size)
    elif case.endswith("-rekey"):
        out = rekeyed(case[:11], size)
    elif "-cbc-" in case:
        out = chained(case, size)
    elif case.endswith(("-seal", "-open")):
        out = sealed(case, size)
    elif case.startswith("sha"):
        out = OPS * hashlib.new(case.replace("sha3-", "sha3_"), material(f"in {case} {size}", size)).digest()
    elif case.startswith("hmac-"):
        name, data = case[5:], material(f"in {case[5:]} {size}", size)
        out = OPS * hmac.new(material(f"key {name}", 20 if name == "sha1" else 32), data, name).digest()
    elif case == "cmac-aes-128":
        out = OPS * cmac(material("key aes-128-cbc", 16), material(f"in aes-128-cbc {size}", size))
    elif re.fullmatch(r"rsa-\d+-sign", case):
        out = OPS * rsa_signature(int(case[4:8]), material(f"in {case} 32", 32))
    elif case == "x25519":
        out = OPS * bytes.fromhex("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")
    elif case == "ecdh-p256":
        out = OPS * bytes.fromhex("46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b")
    else:
        return None
    return hashlib.sha256(out).hexdigest()
