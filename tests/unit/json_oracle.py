#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Python's json module as another implementation of JSON.

`make SEED COUNT` prints one line per text: its bytes in hexadecimal, a blank, and what Python makes of them, again as JSON
in hexadecimal, or "-" when the text breaks RFC 8259 or one of the limits of base/json.h.
`read` reads a document of {"bytes": hexadecimal, "text": …}, {"digits": …, "number": …}, {"bits": …, "real": …} and
{"json": text, "value": …} entries on standard input and fails unless each pair is equal.
"""
import json
import random
import re
import struct
import sys

PIECES = ["{", "}", "[", "]", ",", ":", " ", "\n", "\t", '"', '"a"', '"b":', '"a":1', "0", "1", "-1", "01", "1.", ".5", "1.5",
          "1e5", "1e", "9007199254740992", "9007199254740993", "-9007199254740993", "1e999", "true", "false", "null", "nul",
          "NaN", "Infinity", "//", "'a'", '"\\n"', '"\\u0041"', '"\\u0000"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\x"', '"é"',
          '"\t"', "\ufeff", '"\\/"', '"\x7f"', '"\u2028"']


class Refused(ValueError):
    pass


def members(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise Refused("a key twice")
    return dict(pairs)


def integer(digits):
    if abs(int(digits)) > 2**53:
        raise Refused("beyond 2^53")
    return int(digits)


def real(digits):
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise Refused("not finite")
    return number


def constant(name):
    raise Refused(name)


def depth(value):
    if isinstance(value, dict):
        value = list(value.values())
    elif not isinstance(value, list):
        return 0
    return 1 + max((depth(item) for item in value), default=0)


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts(item)


def read_strictly(raw):
    """What base/json.h accepts, said with Python's own parser."""
    text = raw.decode("utf-8")
    if text.startswith("\ufeff"):
        raise Refused("byte order mark")
    value = json.loads(text, object_pairs_hook=members, parse_int=integer, parse_float=real, parse_constant=constant)
    if depth(value) > 32:
        raise Refused("too deep")
    for item in texts(value):
        if "\0" in item or re.search("[\ud800-\udfff]", item):
            raise Refused("NUL or half a surrogate pair")
    return value


def some_value(rng, level):
    kind = rng.randrange(8 if level < 4 else 6)
    if kind == 0:
        return rng.choice([True, False, None])
    if kind == 1:
        return rng.choice([0, 1, -1, 2**53, -(2**53), rng.randrange(-10**6, 10**6)])
    if kind == 2:
        return rng.choice([0.5, -1.25, 1e300, 1e-300, rng.random()])
    if kind < 6:
        return "".join(rng.choice('ab"\\/\b\f\n\r\té€😀\x1f') for _ in range(rng.randrange(6)))
    if kind == 6:
        return [some_value(rng, level + 1) for _ in range(rng.randrange(4))]
    return {f"k{i}{rng.choice(['', 'é', ' '])}": some_value(rng, level + 1) for i in range(rng.randrange(4))}


def some_text(rng):
    kind = rng.randrange(4)
    if kind == 0:
        return "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 8))).encode()
    text = json.dumps(some_value(rng, 0), ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1, "\t"])).encode()
    if kind == 1:
        return text
    text = bytearray(text)
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(text) + 1)
        if rng.random() < 0.5:
            text[at:at + 1] = b""
        else:
            text[at:at] = rng.choice([rng.choice(PIECES).encode(), bytes([rng.randrange(256)])])
    return bytes(text)


def make(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        raw = some_text(rng)
        try:
            verdict = json.dumps(read_strictly(raw), ensure_ascii=False).encode().hex()
        except (ValueError, RecursionError):
            verdict = "-"
        print(raw.hex(), verdict)


def plain(value):
    """A value that is only equal to the same value: 1 is not true, but 1 is 1.0, as in JSON."""
    if isinstance(value, dict):
        return [[key, plain(item)] for key, item in value.items()]
    if isinstance(value, list):
        return ["list"] + [plain(item) for item in value]
    return (isinstance(value, bool), value)


def same(entry):
    if "bytes" in entry:
        expected = bytes.fromhex(entry["bytes"]).decode("utf-8", "replace").replace("\0", "\ufffd")
        return expected == entry["text"]
    if "digits" in entry:
        return isinstance(entry["number"], int) and int(entry["digits"]) == entry["number"]
    if "bits" in entry:
        number = struct.unpack(">d", bytes.fromhex(entry["bits"]))[0]
        if number != number or number in (float("inf"), float("-inf")):
            return entry["real"] is None
        return float(entry["real"]) == number
    return plain(json.loads(entry["json"])) == plain(entry["value"])


def read():
    document = json.loads(sys.stdin.buffer.read().decode("utf-8"), object_pairs_hook=members, parse_constant=constant)
    wrong = [entry for entry in document["pairs"] if not same(entry)]
    for entry in wrong[:10]:
        print("not equal:", ascii(entry))
    print(len(document["pairs"]), "pairs")
    return 1 if wrong or not document["pairs"] else 0


if __name__ == "__main__":
    sys.exit(make(int(sys.argv[2]), int(sys.argv[3])) if sys.argv[1] == "make" else read())
