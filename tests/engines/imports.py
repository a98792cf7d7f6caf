# SPDX-License-Identifier: BSD-2-Clause
"""What `bench --import` must make of texts: written from the figures in them and from the names of profiles/suites."""
import math

NOT_HERE = "imported: not verified here"


def result(case, where, size, cores, outcome="pass", value=None, unit="Gbps", more="", **rest):
    return {"id": f"import/{case}/{where}/{size}/{cores}{more}", "case": case, "size_bytes": size, "cores": cores,
            "outcome": outcome, "value": value, "unit": unit, **rest}


ARMV8, OPENSSL = "aes-cbc-128+sha1-hmac", "crypto_openssl"
# text: (its results; None: only how many, whether notes must say something)
CASES = {
    "guide-altra-armv8": [result(ARMV8, "crypto_armv8", 64, 1, value=3.3169, ticks=3.86),
                          result(ARMV8, "crypto_armv8", 128, 1, value=4.7584, ticks=5.38),
                          result(ARMV8, "crypto_armv8", 256, 1, value=6.1002, ticks=8.39)],
    "three-workers-and-log-lines": [result("unknown", "dpdk-crypto-perf", 64, 3, value=3.3169 + 3.3167 + 3.3171,
                                           core_list="workers 1-3", raw=[3.3169, 3.3167, 3.3171], ticks=None)],
    "cperf-22.11-x86-ok_throughput_2vdevs": [
        result("aes-cbc-128", OPENSSL, 64, 2, value=1.8890 + 1.0862, raw=[1.8890, 1.0862]),
        result("aes-cbc-128", OPENSSL, 1024, 2, value=6.8370 + 3.9670, raw=[6.8370, 3.9670])],
    "cperf-22.11-x86-ok_throughput_options_dump": [
        result(ARMV8, OPENSSL, 64, 1, value=.1702, more="/burst-8"), result(ARMV8, OPENSSL, 64, 1, value=.1732),
        result(ARMV8, OPENSSL, 1024, 1, value=1.1256, more="/burst-8"), result(ARMV8, OPENSSL, 1024, 1, value=1.0057)],
    "cperf-22.11-x86-verify_failed_ops": [result(ARMV8, OPENSSL + ":verify", 2048, 1, "fail", reason="1000 of 1000")],
    "cperf-22.11-x86-ok_verify": [result(ARMV8, OPENSSL + ":verify", 2048, 1, reason="1000 operations")],
    "cperf-22.11-x86-err_smart_dash": [result("aes-cbc-128", OPENSSL, 64, 1, "unknown", reason="typographic dash")],
    "cperf-24.11-arm64-qemu-thr_n1": [result("aes-cbc-128", OPENSSL, 64, 1, "unknown", reason="emulated"),
                                      result("aes-cbc-128", OPENSSL, 1024, 1, "unknown", reason="emulated")],
    "cperf-24.11-arm64-qemu-armv8_missing": [result("aes-cbc-128", "crypto_armv8", 0, 1, "na", reason="no driver")],
    "cperf-22.11-x86-err_no_memory": [result("aes-cbc-128", OPENSSL, 0, 1, "unknown", reason="memory")],
    "cperf-24.11-x86-ok_modex": [result("modex", OPENSSL, 0, 1, value=.1041, unit="MOps")],
    "cperf-24.11-x86-ok_latency": [
        result("aes-cbc-128", OPENSSL + ":latency", 64, 1, reason="3.757 us"),
        result("aes-cbc-128", OPENSSL + ":latency", 1024, 1, reason="24.777 us")],
    "cperf-22.11-x86-ok_pmd_cyclecount_csv": [
        result("aes-cbc-128", OPENSSL + ":pmd-cyclecount", 64, 1, reason="2079.970", ticks=5.519)],
    "cperf-22.11-x86-ok_snow3g": [result("snow3g-uea2", "crypto_snow3g", 64, 1, value=2.4444),
                                  result("snow3g-uea2", "crypto_snow3g", 1024, 1, value=4.6393)],
    "openssl-1.1.1c-rsa": [*(result("sha256", "openssl-speed", size, 1, value=k * 8e3 / 1e9) for size, k in
                             ((16, 103748.93), (64, 295784.77), (256, 630833.32), (1024, 871714.13),
                              (8192, 981505.37), (16384, 990163.48))),
                           result("rsa-2048-sign", "openssl-speed", 0, 1, value=222.6e-6, unit="MOps"),
                           result("rsa-2048-verify", "openssl-speed", 0, 1, value=8365.6e-6, unit="MOps")],
    "openssl-3.0.22-x86-multi2-gcm": [result("aes-128-gcm", "openssl-speed", 1024, 2, value=1719966.72 * 8e3 / 1e9)],
    "openssl-3.5.9-x86-kem": [result(f"ml-kem-768-{what}", "openssl-speed", 0, 1, value=rate * 1e-6, unit="MOps")
                              for what, rate in (("keygen", 23369.0), ("encaps", 32807.1), ("decaps", 21489.0))],
    "openssl-mb": [result("aes-128-cbc-hmac-sha1", "openssl-speed", 8192, 1, value=6.5536),
                   result("aes-128-cbc-hmac-sha1", "openssl-speed", 16384, 1, value=6.5536)],
    "openssl-seconds-and-rate-disagree": [
        result("rsa-2048-sign", "openssl-speed", 0, 1, "unknown", reason="contradicts itself"),
        result("rsa-2048-verify", "openssl-speed", 0, 1, value=8365.6e-6, unit="MOps")],
    "openssl-sm2-dsa-ffdh": [result("dsa-2048-sign", "openssl-speed", 0, 1, value=.005, unit="MOps"),
                             result("dsa-2048-verify", "openssl-speed", 0, 1, value=.01, unit="MOps"),
                             result("sm2-sign", "openssl-speed", 0, 1, value=.002, unit="MOps"),
                             result("sm2-verify", "openssl-speed", 0, 1, value=.005, unit="MOps"),
                             result("ffdh-2048", "openssl-speed", 0, 1, value=.002, unit="MOps")],
    "openssl-mr-of-ecdh-before-and-after-1.1.1": [
        result("ecdh-256", "openssl-speed", 0, 1, value=.02, unit="MOps"),
        result("x25519", "openssl-speed", 0, 1, value=.025, unit="MOps"),
        result("rsa-2048-sign", "openssl-speed", 0, 1, "unknown", reason="seconds of one"),
        result("rsa-2048-verify", "openssl-speed", 0, 1, "unknown", reason="seconds of one")],
    "openssl-slh-dsa": [result(f"slh-dsa-sha2-128s-{what}", "openssl-speed", 0, 1, value=rate * 1e-6, unit="MOps")
                        for what, rate in (("keygen", 50), ("sign", 5), ("verify", 5000))],
    "bssl-before-and-after": [result("aes-128-gcm-seal", "bssl-speed", 8192, 1, value=1663.7 * 8e-3),
                              result("aes-256-gcm-seal", "bssl-speed", 16384, 1, value=1430.3 * 8e-3),
                              result("aes-128-gcm-seal", "bssl-speed", 8192, 1, value=2061.3 * 8e-3, more="#2")],
    "bssl-keys": [result("rsa-2048-sign", "bssl-speed", 0, 1, value=1499.9e-6, unit="MOps"),
                  result("rsa-2048-verify", "bssl-speed", 0, 1, value=45535.5e-6, unit="MOps"),
                  result("ecdsa-p256-sign", "bssl-speed", 0, 1, value=.012, unit="MOps")],
    "no-engine-at-all": [],
}
MIXED_NAMES = ["sha256"] * 6 + ["rsa-2048-sign", "rsa-2048-verify", "rsa-2048-encrypt", "rsa-2048-decrypt",
                                "ecdsa-p256-sign", "ecdsa-p256-verify", "x25519", "ed25519-sign", "ed25519-verify"]


def near(want, have):
    return have is not None and math.isclose(want, have, rel_tol=1e-9)


def result_faults(want, have):
    for key in ("id", "case", "size_bytes", "cores", "outcome", "core_list"):
        if key in want and have.get(key) != want[key]:
            yield f"{key} {have.get(key)}, want {want[key]}"
    estimate = have.get("estimate")
    if have["verified"] or have["unverified"] != NOT_HERE or have.get("reference"):
        yield "it is verified or compared"
    if want["value"] is None and estimate:
        yield f"a number, {estimate['value']}"
    if want["value"] is not None and not (estimate and near(want["value"], estimate["value"])):
        yield f"estimate {estimate}, want {want['value']}"
    if estimate and (estimate["unit"] != want["unit"] or estimate["samples"] != 1 or estimate["low"] is not None):
        yield f"estimate {estimate}"
    if want.get("reason") and want["reason"] not in (have.get("reason") or ""):
        yield f"reason {have.get('reason')}, want {want['reason']}"
    if "ticks" in want and have["rates"].get("ticks_per_op") != want["ticks"]:
        yield f"ticks {have['rates'].get('ticks_per_op')}, want {want['ticks']}"
    if "raw" in want and [sample["value"] for sample in have["raw"]] != want["raw"]:
        yield f"raw {have['raw']}"


def faults(want, document):
    results = document["results"]
    if [r["id"] for r in results] != [w["id"] for w in want]:
        yield f"{[r['id'] for r in results]}, want {[w['id'] for w in want]}"
        return
    if not results and not document["notes"]:
        yield "neither a result nor a word about it"
    for expected, have in zip(want, results):
        yield from (f"{expected['id']}: {fault}" for fault in result_faults(expected, have))
