# SPDX-License-Identifier: BSD-2-Clause
"""Archives byte by byte, so that they can be wrong: POSIX.1-2017 pax (ustar and extended headers), and the GNU tar manual,
"Basic Tar Format" and "Storing Sparse Files"."""
import bz2
import gzip
import io
import lzma
import struct
import subprocess
import zlib

BLOCK = 512
END = bytes(2 * BLOCK)
USTAR, GNU, V7 = b"ustar\00000", b"ustar  \0", bytes(8)
TIME = 1500000000


def padded(data):
    return data + bytes(-len(data) % BLOCK)


def octal(number, width):
    return b"%0*o\0" % (width - 1, number)


def base256(number, width=12):
    """GNU's binary numbers: the first byte is 0x80, or 0xff for negative ones."""
    return (b"\xff" if number < 0 else b"\x80") + number.to_bytes(width - 1, "big", signed=number < 0)


def header(name, size=0, kind=b"0", link=b"", mode=0o644, mtime=TIME, magic=USTAR, prefix=b"", tail=None, checksum=None, owner=0):
    """size and mtime: a number, or the twelve bytes of the field; tail: what stands from byte 345 on."""
    size = size if isinstance(size, bytes) else octal(size, 12)
    mtime = mtime if isinstance(mtime, bytes) else octal(mtime, 12)
    rest = tail if tail is not None else prefix
    parts = [name.ljust(100, b"\0"), octal(mode, 8), octal(owner, 8), octal(owner, 8), size, mtime, b" " * 8, kind,
             link.ljust(100, b"\0"), magic, bytes(64), octal(8, 8), octal(1, 8), rest]
    block = b"".join(parts).ljust(BLOCK, b"\0")
    assert len(block) == BLOCK and len(name) <= 100 and len(link) <= 100, (name, len(block))
    total = sum(block) if checksum is None else checksum
    return block[:148] + b"%06o\0 " % total + block[156:]


def file(name, data=b"data", **fields):
    fields.setdefault("size", len(data))
    return header(name, **fields) + padded(data)


def folder(name, **fields):
    return header(name, kind=b"5", mode=fields.pop("mode", 0o755), **fields)


def symlink(name, target, **fields):
    return header(name, kind=b"2", link=target, **fields)


def hardlink(name, target, **fields):
    return header(name, kind=b"1", link=target, **fields)


def record(key, value):
    """LENGTH KEY=VALUE\\n, where the length counts its own digits."""
    rest = b" " + key + b"=" + value + b"\n"
    size = len(rest)
    while len(b"%d" % size) + len(rest) != size:
        size = len(b"%d" % size) + len(rest)
    return b"%d" % size + rest


def pax(kind=b"x", body=None, **records):
    """An extended header; keyword names have their dots as two underscores."""
    if body is None:
        body = b"".join(record(key.replace("__", ".").encode(), value) for key, value in records.items())
    return file(b"PaxHeaders/x", body, kind=kind)


def gnu_long(kind, text):
    """L: the name of the next entry, K: its link."""
    return file(b"././@LongLink", text + b"\0", kind=kind, magic=GNU)


def gnu_sparse(name, pieces, real_size, data=b""):
    """An old GNU sparse file: pieces are (offset, size) of data."""
    table = b"".join(octal(offset, 12) + octal(size, 12) for offset, size in pieces).ljust(96, b"\0")
    number = octal(real_size, 12) if real_size < 8 ** 11 else base256(real_size)
    tail = bytes(12 + 12 + 12 + 4 + 1) + table + b"\0" + number
    return header(name, size=len(data), kind=b"S", magic=GNU, tail=tail) + padded(data)


def archive(*members):
    return b"".join(members) + END


def top(*members):
    """The usual: one directory at the top."""
    return archive(folder(b"top/"), *members)


def zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, stdout=subprocess.PIPE, check=True).stdout


def xz(data, dictionary=None, **options):
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": dictionary}] if dictionary else None
    return lzma.compress(data, format=lzma.FORMAT_XZ, filters=filters, **options)


def xz_claiming(data, code):
    """xz data whose block header asks for a dictionary of another size (The .xz File Format, section 5.3.1)."""
    made = bytearray(xz(data))
    size = (made[12] + 1) * 4
    at = made.index(b"\x21\x01", 12) + 2
    made[at] = code
    made[12 + size - 4:12 + size] = struct.pack("<I", zlib.crc32(bytes(made[12:12 + size - 4])))
    return bytes(made)


def zeros(size, make):
    """A compressed archive of one file of `size` zeros, made in pieces."""
    out, piece = io.BytesIO(), bytes(1 << 20)
    with make(out) as stream:
        stream.write(folder(b"top/") + header(b"top/zeros", size=size))
        for _ in range(size >> 20):
            stream.write(piece)
        stream.write(END)
    return out.getvalue()


def flipped(data, at):
    """One bit is wrong."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1:]


COMPRESSORS = {"gzip": lambda data: gzip.compress(data, mtime=0), "xz": xz, "zstd": lambda data: zstd(data, "--check"),
               "bzip2": bz2.compress}
