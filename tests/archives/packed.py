# SPDX-License-Identifier: BSD-2-Clause
"""Archives that are wrong in how they are compressed, cut off, or no tar at all, and what must come of each (see hostile.py)."""
import bz2
import gzip
import lzma
import os
import random
import shutil
import subprocess
import tempfile

from tarmake import BLOCK, COMPRESSORS, END, archive, file, flipped, folder, header, top, xz, xz_claiming, zeros, zstd

RANDOM = random.Random(1).randbytes(200000)
GOOD = top(file(b"top/a"), file(b"top/random", RANDOM))
TREE = {"a": b"data", "random": RANDOM}
NOT_TAR = "not a tar archive"
CUT = "cut off|[Tt]runcated"
BROKEN = "broken|cut off|[Tt]runcated|unsupported"
GIB = 1 << 30


def each_compression():
    """The same faults in every kind of compression."""
    for kind, compress in COMPRESSORS.items():
        data = compress(GOOD)
        yield f"{kind}: whole", (data, TREE)
        for name, size in (("the magic", 7), ("a tenth", len(data) // 10), ("half", len(data) // 2), ("all but 9 bytes", -9),
                           ("all but a byte", -1)):
            yield f"{kind}: {name}", (data[:size], f"{BROKEN}|{NOT_TAR}|end mark")
        # A block of bzip2 is all wrong from its first byte on, and its checksum comes at its end.
        yield f"{kind}: a wrong bit in the data", (flipped(data, len(data) // 2), f"{BROKEN}|{NOT_TAR}" if kind == "bzip2" else BROKEN)
        yield f"{kind}: text behind it", (data + b"more to come\n", "bytes after|broken")
        yield f"{kind}: zeros behind it", (data + bytes(512), TREE if kind == "xz" else "bytes after|broken")
        yield f"{kind}: another archive behind it", (data + compress(top(file(b"top/b"))), "bytes after the end of the archive")
        yield f"{kind}: in two pieces", (compress(GOOD[:1000]) + compress(GOOD[1000:]), TREE)
        yield f"{kind}: nothing in it", (compress(b""), "empty|not a tar")
        yield f"{kind}: text in it", (compress(b"some text\n" * 1000), NOT_TAR)
        yield f"{kind}: twice", (compress(data), f"{NOT_TAR}|twice")
        yield f"{kind}: in another", (compress(COMPRESSORS["xz" if kind == "gzip" else "gzip"](GOOD)), NOT_TAR)


def checksums():
    """Data that is all there and differs from its checksum."""
    made = gzip.compress(GOOD, mtime=0)
    yield "gzip: a wrong checksum", (flipped(made, -8), "broken gzip data")
    yield "gzip: a wrong length", (flipped(made, -4), "broken gzip data")
    stored = gzip.compress(GOOD, compresslevel=0, mtime=0)
    yield "gzip: a wrong bit of contents", (flipped(stored, len(stored) // 2), "broken gzip data")
    yield "gzip: an unknown method", (made[:2] + b"\x09" + made[3:], "broken gzip data")
    yield "gzip: reserved flags", (made[:3] + b"\xe0" + made[4:], "broken gzip data")
    yield "gzip: a name in the header", (made[:3] + b"\x08" + made[4:10] + b"../../name\0" + made[10:], TREE)
    for check in (lzma.CHECK_CRC32, lzma.CHECK_SHA256, lzma.CHECK_NONE):
        yield f"xz: checksum of kind {check}", (xz(GOOD, check=check), TREE)
    made = bytearray(xz(GOOD))
    made[7] = 2
    made[8:12] = (__import__("zlib").crc32(bytes(made[6:8]))).to_bytes(4, "little")
    yield "xz: an unknown checksum", (bytes(made), "unsupported checksum|broken")
    yield "bzip2: a wrong checksum", (flipped(bz2.compress(GOOD), 11), "broken")
    yield "zstd: a wrong checksum", (flipped(zstd(GOOD, "--check"), -2), "broken")


def dictionaries():
    """What decoding may cost: The .xz File Format 5.3.1 (28: 64 MiB, 29: 96 MiB, 40: 4 GiB - 1), RFC 8878 3.1.1.1.2."""
    yield "xz: a dictionary of 64 MiB", (xz_claiming(GOOD, 28), TREE)
    yield "xz: a dictionary of 96 MiB", (xz_claiming(GOOD, 29), "dictionary of over 64 MiB")
    yield "xz: a dictionary of 4 GiB", (xz_claiming(GOOD, 40), "dictionary of over 64 MiB")
    yield "xz: a larger dictionary in the second piece", (xz(GOOD[:1000]) + xz_claiming(GOOD[1000:], 30), "over 64 MiB")
    yield "zstd: a window of 64 MiB", (zstd(GOOD * 1, "--long=26", "--no-check"), TREE)
    frame = bytearray(zstd(GOOD + bytes(3 << 20), "--no-check", "--long=27", "--stream-size=134217728"))
    yield "zstd: a window of 128 MiB", (window(frame, 17 << 3), "window of over 64 MiB")
    yield "zstd: a window of 3 TiB", (window(frame, 31 << 3 | 4), "window of over 64 MiB|broken")


def window(frame, descriptor):
    """The frame with another window descriptor, in place of a single segment's size."""
    return b"\x28\xb5\x2f\xfd" + b"\x00" + bytes([descriptor]) + bytes(frame[6:])


def bombs():
    """A GiB of zeros in as few bytes as each can."""
    makers = {"gzip": lambda out: gzip.GzipFile(fileobj=out, mode="wb", mtime=0), "bzip2": lambda out: bz2.BZ2File(out, "wb"),
              "xz": lambda out: lzma.LZMAFile(out, "wb", preset=0)}
    for kind, make in makers.items():
        yield f"{kind}: a bomb", (zeros(GIB // 4, make), "grows too much|too many bytes")
    with tempfile.TemporaryFile() as file_of_zeros:
        file_of_zeros.truncate(GIB // 4)
        packed = subprocess.run(["zstd", "-q", "-c", "-1"], stdin=file_of_zeros, stdout=subprocess.PIPE, check=True).stdout
    start = zstd(folder(b"top/") + header(b"top/zeros", size=GIB // 4))
    yield "zstd: a bomb", (start + packed + zstd(END), "grows too much|too many bytes")
    yield "gzip: a bomb of names", (gzip.compress(top(*[folder(b"top/d")] * 90000), mtime=0), "grows too much")
    yield "gzip: 16 MiB of zeros are no bomb", (zeros(15 << 20, makers["gzip"]), {"zeros": bytes(15 << 20)})
    yield "gzip: a ratio as asked for", (zeros(20 << 20, makers["gzip"]), {"zeros": bytes(20 << 20)}, "--max-ratio", "2000")


def not_compressed():
    yield "plain: whole", (GOOD, TREE)
    yield "plain: cut in a header", (GOOD[:BLOCK + 100], CUT)
    yield "plain: cut behind a header", (GOOD[:2 * BLOCK], CUT)
    yield "plain: cut in a file", (GOOD[:-100000], CUT)
    yield "plain: cut behind a file", (GOOD[:-2 * BLOCK], "end mark")
    yield "plain: cut in the end mark", (GOOD[:-BLOCK], "end mark")
    yield "plain: cut in the second half of the end mark", (GOOD[:-1], "end mark|[Tt]runcated")
    yield "plain: one record of zeros, then a file", (folder(b"top/") + bytes(BLOCK) + file(b"top/a") + END, "end mark|bytes after")
    yield "plain: zeros behind it", (GOOD + bytes(20480), TREE)
    yield "plain: a byte behind it", (GOOD + bytes(10239) + b"x", "bytes after the end of the archive")
    yield "plain: another archive behind it", (GOOD + top(file(b"top/b")), "bytes after the end of the archive")
    yield "plain: nothing but an end mark", (archive(), "empty archive")
    yield "plain: an empty file", (b"", "empty file")
    yield "plain: one byte", (b"x", NOT_TAR)
    yield "plain: random bytes", (RANDOM, NOT_TAR)
    yield "plain: random bytes for a header", (folder(b"top/") + RANDOM[:BLOCK] + file(b"top/a") + END, "[Dd]amaged")
    yield "plain: text", (b"<html>not found</html>\n" * 100, NOT_TAR)


def other_formats():
    """What other programs make; the starts of 7z and RAR files are their published signatures."""
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "a"), "wb") as out:
            out.write(b"data")
        shutil.make_archive(os.path.join(work, "made"), "zip", work, "a")
        with open(os.path.join(work, "made.zip"), "rb") as made:
            yield "zip", (made.read(), NOT_TAR)
    yield "cpio", (b"070701" + b"%08X" % 1 * 13 + b"a\0" + bytes(500), NOT_TAR)
    yield "ar", (b"!<arch>\n" + b"a/".ljust(16) + b"0".ljust(32) + b"4".ljust(10) + b"`\ndata", NOT_TAR)
    yield "7z", (b"7z\xbc\xaf\x27\x1c\0\4" + bytes(500), NOT_TAR)
    yield "rar", (b"Rar!\x1a\7\1\0" + bytes(500), NOT_TAR)
    yield "lzma without a container", (lzma.compress(GOOD, format=lzma.FORMAT_ALONE), NOT_TAR)
    yield "compress", (b"\x1f\x9d\x90" + RANDOM, NOT_TAR)
    yield "lz4", (b"\x04\x22\x4d\x18" + RANDOM, NOT_TAR)
    yield "a zstd frame to be skipped", (b"\x50\x2a\x4d\x18\4\0\0\0data" + zstd(GOOD), NOT_TAR)


def cases():
    for make in (each_compression, checksums, dictionaries, bombs, not_compressed, other_formats):
        yield from make()
