# SPDX-License-Identifier: BSD-2-Clause
"""Stand-ins for compilers: which -mcpu and -march they take, and the __ARM_FEATURE_ macros that these then define.

Measured with the real compilers, but for GCC 9 and 13, which are from aarch64-cores.def of these releases.
"""
N1 = "CRYPTO AES SHA2 ATOMICS"
ONE = "AES SHA2 SHA3 SHA512 ATOMICS"
KNOWN = {
    # GCC's neoverse-n1 has no cryptography; nothing of AmpereOne.
    "gcc-9": ("gcc (GCC) 9.5.0", {
        "-mcpu=neoverse-n1": "ATOMICS", "-mcpu=neoverse-n1+crypto": N1, "-march=armv8.2-a+crypto": "CRYPTO AES SHA2"}),
    # Takes ampere1, which lacks cryptography here, and rejects ampere1a.
    "gcc-12": ("gcc (Debian 12.2.0-14) 12.2.0", {
        "-mcpu=neoverse-n1": "ATOMICS", "-mcpu=neoverse-n1+crypto": N1, "-march=armv8.2-a+crypto": "CRYPTO AES SHA2",
        "-mcpu=ampere1": "ATOMICS", "-mcpu=ampere1+crypto+sha3+rng": f"CRYPTO RNG {ONE}",
        "-march=armv8.6-a+crypto+sha3+rng": f"CRYPTO RNG {ONE}",
        "-march=armv8.6-a+crypto+sha3+sm4+fp16+rng": f"CRYPTO RNG SM3 SM4 {ONE}"}),
    "gcc-13": ("gcc (GCC) 13.2.0", {
        "-mcpu=neoverse-n1": "ATOMICS", "-mcpu=neoverse-n1+crypto": N1, "-mcpu=ampere1": f"CRYPTO RNG {ONE}",
        "-mcpu=ampere1a": f"CRYPTO RNG SM4 MEMORY_TAGGING {ONE}"}),
    # Takes ampere1 without cryptography; its +crypto would not give SHA-3.
    "clang-14": ("Debian clang version 14.0.6", {
        "-mcpu=neoverse-n1": N1, "-mcpu=neoverse-n1+crypto": N1, "-mcpu=ampere1": "ATOMICS",
        "-mcpu=ampere1+crypto": "CRYPTO AES SHA2 ATOMICS", "-mcpu=ampere1+aes+sha2+sha3": ONE,
        "-march=armv8.6-a+aes+sha2+sha3": ONE}),
    # Its ampere1 has SM4, which AC03 lacks.
    "clang-15": ("Debian clang version 15.0.6", {
        "-mcpu=neoverse-n1+crypto": N1, "-mcpu=ampere1": f"CRYPTO SM4 {ONE}", "-mcpu=ampere1+aes+sha2+sha3": f"CRYPTO SM4 {ONE}",
        "-march=armv8.6-a+aes+sha2+sha3": ONE}),
    "clang-16": ("Debian clang version 16.0.6", {
        "-mcpu=neoverse-n1+crypto": N1, "-mcpu=ampere1": f"CRYPTO RNG BTI PAUTH {ONE}",
        "-mcpu=ampere1a": f"CRYPTO RNG BTI PAUTH SM4 MEMORY_TAGGING {ONE}"}),
}


def stand_in(directory, name, machine):
    """Writes the compiler `name` that makes code for `machine`; its path."""
    version, known = KNOWN[name]
    lines = ["#!/bin/sh", "# SPDX-License-Identifier: BSD-2-Clause", 'case " $* " in',
             f"*' --version '*) echo '{version}'; exit ;;", f"*' -dumpmachine '*) echo {machine}; exit ;;",
             "*' -print-prog-name=cc1 '*) echo cc1; exit ;;", "esac"]
    lines.append("sha3=no macros=")
    lines.append('case " $* " in')
    for flags, macros in known.items():
        sha3 = "yes" if "SHA3" in macros.split() else "no"
        lines.append(f"*' {flags} '*) sha3={sha3} macros='{macros}' ;;")
    lines += ["*' -m'*) echo 'error: unknown value' >&2; exit 1 ;;", "esac", 'case " $* " in',
              "*' -dM '*) for macro in $macros; do echo \"#define __ARM_FEATURE_$macro 1\"; done ;;",
              '*" assembler "*) read -r word _; [ "$word" != eor3 ] || [ $sha3 = yes ] ;;', "esac"]
    path = directory / (name.split("-")[0] if machine.startswith("x86") else f"aarch64-linux-gnu-{name}")
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(lines) + "\n"
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        path.chmod(0o755)
    return path
