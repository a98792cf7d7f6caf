# SPDX-License-Identifier: BSD-2-Clause
"""Instructions as the Arm Architecture Reference Manual writes them (DDI 0487, C7.2 and C6.2), for the assembler.

FAMILIES: name as the program has it: (feature as the kernel spells it, [templates]). In a template D, N, M and A are vector register
numbers, X, Y and Z those of general registers (one of them even for pairs), I a number of 0 to 3 and J one of 0 to 63.
NEIGHBOURS: instructions whose encodings are close to one of them and that are none.
"""
ARCH = "armv8.6-a+crypto+sha3+sm4+sve2+sve2-aes+sve2-sha3+sve2-sm4+rng+sme+lse+rcpc+memtag+flagm"


def qqq(name):
    return [f"{name} qD, qN, vM.4s"]


def two(name, arrangement):
    return [f"{name} vD.{arrangement}, vN.{arrangement}"]


def three(name, arrangement):
    return [f"{name} vD.{arrangement}, vN.{arrangement}, vM.{arrangement}"]


def four(name, arrangement):
    return [f"{name} vD.{arrangement}, vN.{arrangement}, vM.{arrangement}, vA.{arrangement}"]


def atomics():
    """Every operation, size and order of LSE."""
    lines = []
    for operation in ("ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin", "swp", "cas"):
        for order in ("", "a", "l", "al"):
            lines += [f"{operation}{order}{size} wX, wY, [xZ]" for size in ("b", "h", "")]
            lines.append(f"{operation}{order} xX, xY, [xZ]")
    lines += [f"casp{order} {r}4, {r}5, {r}8, {r}9, [xZ]" for order in ("", "a", "l", "al") for r in "wx"]
    lines += [f"st{operation}{order}{size} wX, [xZ]" for operation in ("add", "clr", "eor", "set", "smax", "umin")
              for order in ("", "l") for size in ("b", "h", "")]
    return lines


FAMILIES = {
    "aese": ("aes", two("aese", "16b")),
    "aesd": ("aes", two("aesd", "16b")),
    "aesmc": ("aes", two("aesmc", "16b")),
    "aesimc": ("aes", two("aesimc", "16b")),
    "pmull": ("pmull", ["pmull vD.1q, vN.1d, vM.1d"]),
    "pmull2": ("pmull", ["pmull2 vD.1q, vN.2d, vM.2d"]),
    "sha1c": ("sha1", ["sha1c qD, sN, vM.4s"]),
    "sha1p": ("sha1", ["sha1p qD, sN, vM.4s"]),
    "sha1m": ("sha1", ["sha1m qD, sN, vM.4s"]),
    "sha1h": ("sha1", ["sha1h sD, sN"]),
    "sha1su0": ("sha1", three("sha1su0", "4s")),
    "sha1su1": ("sha1", two("sha1su1", "4s")),
    "sha256h": ("sha2", qqq("sha256h")),
    "sha256h2": ("sha2", qqq("sha256h2")),
    "sha256su0": ("sha2", two("sha256su0", "4s")),
    "sha256su1": ("sha2", three("sha256su1", "4s")),
    "sha512h": ("sha512", ["sha512h qD, qN, vM.2d"]),
    "sha512h2": ("sha512", ["sha512h2 qD, qN, vM.2d"]),
    "sha512su0": ("sha512", two("sha512su0", "2d")),
    "sha512su1": ("sha512", three("sha512su1", "2d")),
    "eor3": ("sha3", four("eor3", "16b")),
    "bcax": ("sha3", four("bcax", "16b")),
    "rax1": ("sha3", three("rax1", "2d")),
    "xar": ("sha3", ["xar vD.2d, vN.2d, vM.2d, #J"]),
    "sm3partw1": ("sm3", three("sm3partw1", "4s")),
    "sm3partw2": ("sm3", three("sm3partw2", "4s")),
    "sm3ss1": ("sm3", four("sm3ss1", "4s")),
    "sm3tt1a": ("sm3", ["sm3tt1a vD.4s, vN.4s, vM.s[I]"]),
    "sm3tt1b": ("sm3", ["sm3tt1b vD.4s, vN.4s, vM.s[I]"]),
    "sm3tt2a": ("sm3", ["sm3tt2a vD.4s, vN.4s, vM.s[I]"]),
    "sm3tt2b": ("sm3", ["sm3tt2b vD.4s, vN.4s, vM.s[I]"]),
    "sm4e": ("sm4", two("sm4e", "4s")),
    "sm4ekey": ("sm4", three("sm4ekey", "4s")),
    "rndr": ("rng", ["mrs xX, rndr", "mrs xX, s3_3_c2_c4_0"]),
    "rndrrs": ("rng", ["mrs xX, rndrrs", "mrs xX, s3_3_c2_c4_1"]),
    "sve": ("sve", ["ptrue p3.b", "rdvl xX, #1", "cntd xX", "addvl xX, xY, #-3", "whilelo p1.s, xX, xY", "ld1d {zD.d}, p0/z, [xZ]",
                    "st1b {zD.b}, p7, [xZ, #1, mul vl]", "add zD.d, zN.d, zM.d", "fmla zD.d, p1/m, zN.d, zM.d", "setffr",
                    "prfb pldl1keep, p0, [xZ]", "aese z5.b, z5.b, zM.b", "pmullb zD.q, zN.d, zM.d", "rax1 zD.d, zN.d, zM.d",
                    "eor3 z7.d, z7.d, zM.d, zA.d", "sm4ekey zD.s, zN.s, zM.s", "xar z9.d, z9.d, zM.d, #5"]),
    "sme": ("sme", ["fmopa za0.s, p0/m, p1/m, zN.s, zM.s", "ldr za[w12, 0], [xZ]", "zero {za}"]),
    "crc32": ("crc32", ["crc32b wX, wY, wZ", "crc32h wX, wY, wZ", "crc32w wX, wY, wZ", "crc32x wX, wY, xZ"]),
    "crc32c": ("crc32", ["crc32cb wX, wY, wZ", "crc32ch wX, wY, wZ", "crc32cw wX, wY, wZ", "crc32cx wX, wY, xZ"]),
    "lse": ("atomics", atomics()),
}

NEIGHBOURS = """
pmull v0.8h, v1.8b, v2.8b
pmull2 v0.8h, v1.16b, v2.16b
pmul v0.16b, v1.16b, v2.16b
umull v0.2d, v1.2s, v2.2s
sqdmull v0.2d, v1.2s, v2.2s
eor v0.16b, v1.16b, v2.16b
bic v0.16b, v1.16b, v2.16b
tbl v0.16b, {v1.16b}, v2.16b
rev64 v0.16b, v1.16b
rev32 v0.16b, v1.16b
cmeq v0.16b, v1.16b, #0
abs v0.16b, v1.16b
sqabs s0, s1
suqadd s0, s1
dup v0.4s, v1.s[0]
mov s0, v1.s[1]
ext v0.16b, v1.16b, v2.16b, #8
zip1 v0.4s, v1.4s, v2.4s
sri v0.2d, v1.2d, #3
usdot v0.4s, v1.16b, v2.16b
smmla v0.4s, v1.16b, v2.16b
bfdot v0.4s, v1.8h, v2.8h
fcadd v0.2d, v1.2d, v2.2d, #90
fmadd d0, d1, d2, d3
mrs x0, cntvct_el0
mrs x0, fpcr
mrs x0, nzcv
mrs x0, midr_el1
mrs x0, tpidr_el0
msr nzcv, x0
udiv x0, x1, x2
sdiv w0, w1, w2
lsl x0, x1, x2
ror w0, w1, w2
rbit x0, x1
clz w0, w1
csel x0, x1, x2, eq
ldapr x0, [x1]
ldaprb w0, [x1]
ldapur x0, [x1, #8]
ldr x0, [x1, x2]
ldr x0, [x1, #8]!
ldr x0, [x1], #8
ldur x0, [x1, #-8]
str q0, [x1, x2, lsl #4]
ldtr x0, [x1]
ldxr x0, [x1]
ldaxr w0, [x1]
ldaxrb w0, [x1]
stxr w0, x1, [x2]
stlxrh w0, w1, [x2]
ldxp x0, x1, [x2]
stlxp w0, x1, x3, [x2]
ldar x0, [x1]
stlr w0, [x1]
stllr x0, [x1]
ldp q0, q1, [x2]
ld1 {v0.16b, v1.16b}, [x2]
ld4r {v0.2d, v1.2d, v2.2d, v3.2d}, [x4]
prfm pldl1keep, [x0]
irg x0, x1
subp x0, x1, x2
rmif x0, #1, #2
adrp x0, .
b .
ret
nop
bti c
udf #0
"""
