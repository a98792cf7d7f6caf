# SPDX-License-Identifier: BSD-2-Clause
"""What differs, who differs from most, and what changed since last time; the arithmetic is done again by Python's statistics."""
import random
import statistics

from program import check, finding, fresh, host, measured, report, result_of, run, write

APART, NEAR, LEAST = 3.5, 0.03, 5


def score(values, value):
    """The modified z-score as the manual page has it."""
    median = statistics.median(values)
    distances = [abs(one - median) for one in values]
    scale = 1.4826 * statistics.median(distances) or 1.2533 * statistics.mean(distances)
    return (value - median) / scale if scale else 0.0


def outliers(document):
    return {(row["machine"], row["id"]) for row in document["summary"]["outliers"]}


def bench_fleet(where, values, **more):
    return [write(where / f"m{number}.json", result_of("bench", [measured(value, **more)]))
            for number, value in enumerate(values)]


def test_rates_apart_are_those_that_statistics_finds():
    rng = random.Random(11)
    fixed = [[10.0] * 5 + [8.0], [10.0, 10.1, 9.9, 10.05, 7.0], [10.0, 10.0, 10.0, 10.0, 10.0],
             [10.0, 10.01, 10.02, 9.99, 10.2], [1.0, 2.0, 3.0, 4.0, 50.0], [10.0, 10.1, 9.9, 5.0], [1, 1, 1, 9, 9, 9, 9]]
    drawn = [[rng.gauss(20, 0.3) for _ in range(rng.randint(5, 30))] + [rng.uniform(5, 40)] for _ in range(12)]
    found = 0
    for number, values in enumerate(fixed + drawn):
        where = fresh(f"rates-{number}")
        document = report(*bench_fleet(where, values))
        median = statistics.median(values)
        wanted = {(f"m{i}", "dpdk/aes-gcm-128/crypto_openssl/1024/1") for i, value in enumerate(values)
                  if len(values) >= LEAST and abs(score(values, value)) > APART and abs(value / median - 1) >= NEAR
                  and not value * 0.995 <= median <= value * 1.005}
        check(outliers(document) == wanted, number, values, outliers(document), wanted)
        found += len(wanted)
    check(found > 10, found, "outliers are among the cases")


def test_a_wide_interval_around_the_median_is_no_outlier():
    where = fresh("wide")
    files = bench_fleet(where, [10.0, 10.1, 9.9, 10.05, 9.95])
    for low, high, wanted in ((6.0, 8.0, True), (6.0, 10.0, False), (6.0, 12.0, False)):
        last = write(where / "last.json", result_of("bench", [measured(7.0, low, high)]))
        check(bool(outliers(report(*files, last))) == wanted, low, high)


def test_rates_of_other_machines_failed_cases_and_emulators_are_left_out():
    where = fresh("alike")
    files = bench_fleet(where, [10.0, 10.1, 9.9, 10.05, 9.95])
    for change in (dict(of=host(sku="Q64-22")), dict(of=host(cpus=64))):
        other = write(where / "other.json", result_of("bench", [measured(5.0)], **change))
        check(not outliers(report(*files, other)) - {("other", "host.sku"), ("other", "host.cpus")}, change)
    for change in (dict(outcome="unknown"), dict(outcome="na"), dict(emulated=True)):
        other = write(where / "other.json", result_of("bench", [measured(5.0, **change)]))
        check(not outliers(report(*files, other)), change)
    other = write(where / "other.json", result_of("bench", [measured(5.0, outcome="fail")]))
    check(outliers(report(*files, other)), "a number below its band is a number")


def audits(where, rows, **more):
    return [write(where / f"m{number}.json", result_of("audit", [finding("a.b", outcome, found)], **more))
            for number, (outcome, found) in enumerate(rows)]


# what each machine says of one check; the machines that differ from most
MAJORITIES = [
    ([("pass", "x")] * 4 + [("fail", "y")], {"m4"}),
    ([("pass", "x")] * 3 + [("fail", "y")], set()),                        # four machines are too few
    ([("pass", "x")] * 6 + [("fail", "y")] * 2, {"m6", "m7"}),             # three quarters
    ([("pass", "x")] * 5 + [("fail", "y")] * 2, set()),                    # less
    ([("pass", "x")] * 4 + [("pass", "y")], {"m4"}),                       # the outcome is the same
    ([("pass", str(n)) for n in range(5)], set()),                         # each finds something else
    ([("pass", str(n)) for n in range(5)] + [("fail", "9")], {"m5"}),      # but one of them fails
    ([("unknown", None)] * 5, set()),
]


def test_checks_apart_from_three_quarters_of_five():
    for number, (rows, wanted) in enumerate(MAJORITIES):
        document = report(*audits(fresh(f"majority-{number}"), rows))
        check({machine for machine, _ in outliers(document)} == wanted, number, outliers(document), wanted)


def test_what_differs_is_grouped_the_most_frequent_first():
    where = fresh("groups")
    files = audits(where, [("pass", "x"), ("fail", "y"), ("pass", "x"), ("pass", "z")])
    files.append(write(where / "n.json", result_of("audit", [finding("a.b"), finding("c.d")], of=host(kernel="6.9", firmware="2.11"))))
    rows = {row["id"]: row for row in report(*files)["summary"]["differences"]}
    check(set(rows) == {"host.kernel", "host.firmware.version", "a.b"}, set(rows))
    check([(one["value"], one["machines"]) for one in rows["a.b"]["values"]] ==
          [("pass: x", ["m0", "m2", "n"]), ("fail: y", ["m1"]), ("pass: z", ["m3"])], rows["a.b"])
    check(rows["a.b"]["what"] == "outcome" and rows["host.kernel"]["what"] == "machine", rows)
    check(rows["host.kernel"]["values"][1] == {"value": "6.9", "machines": ["n"]}, rows["host.kernel"])


def test_what_fails_is_said_once_with_what_to_do_worst_and_most_frequent_first():
    where = fresh("checks")
    rows = [[finding("a.low", "fail", severity="low"), finding("b.high", "fail"), finding("c.pass"), finding("d.high", "fail")],
            [finding("a.low", "fail", severity="low"), finding("b.high"), finding("c.pass", "unknown"), finding("d.high", "fail")],
            [finding("a.low", "fail", severity="critical"), finding("b.high"), finding("c.pass", "waived"), finding("d.high")]]
    files = [write(where / f"m{number}.json", result_of("audit", one)) for number, one in enumerate(rows)]
    checks = report(*files)["summary"]["checks"]
    check([(row["id"], row["severity"], row["machines"]) for row in checks] ==
          [("a.low", "critical", ["m0", "m1", "m2"]), ("d.high", "high", ["m0", "m1"]), ("b.high", "high", ["m0"])], checks)
    check([(row["why"], row["fix"], row["undo"]) for row in checks[1:]] ==
          [(f"why {name}", f"fix {name}", f"undo {name}") for name in ("d.high", "b.high")], checks)
    text = run("report", *files).out
    check("fix b.high" not in text and "fix b.high" in run("report", "--verbose", *files).out, text)


def drift(*documents):
    where = fresh("drift")
    files = [f"web={write(where / f'{n}.json', one)}" for n, one in enumerate(documents)]
    machine, = report(*files)["results"]
    return [(row["command"], row["kind"], row["id"]) for row in machine["drift"]], machine


LATER = "2026-02-01T00:00:00Z"


def test_drift_is_of_the_newest_against_the_one_before_whatever_the_order():
    old = result_of("audit", [finding("a.b"), finding("c.d", "fail")], "2025-01-01T00:00:00Z")
    mid = result_of("audit", [finding("a.b"), finding("c.d")])
    new = result_of("audit", [finding("a.b", "fail", "y"), finding("c.d"), finding("e.f")], LATER)
    for order in ((old, mid, new), (new, mid, old), (mid, new, old)):
        found, machine = drift(*order)
        check(found == [("audit", "worse", "a.b"), ("audit", "added", "e.f")], found)
        check(machine["drift"][0]["since"] == mid["started"] and machine["drift"][0]["until"] == LATER, machine["drift"][0])
        check(machine["audit"] == {"started": LATER, "role": None, "pass": 2, "fail": 1, "na": 0, "unknown": 0, "waived": 0,
                                   "critical": 0, "high": 1}, machine["audit"])
        check([(row["id"], row["found"]) for row in machine["failing"]] == [("a.b", "y")], machine["failing"])


# the second run of bench, and what drift says
RATES = [
    (measured(9.0), {}, [("bench", "worse")]),
    (measured(11.0), {}, [("bench", "better")]),
    (measured(10.04), {}, []),                                # the intervals meet
    (measured(9.0, low=8.0, high=9.96), {}, []),              # they meet in 9.95 … 9.96
    (measured(9.0, version="3.5.0"), {}, [("bench", "changed")]),
    (measured(9.0), dict(of=host(kernel="6.9")), [("bench", "changed"), ("bench", "changed")]),
    (measured(9.0), dict(of=host(firmware="9")), [("bench", "changed"), ("bench", "changed")]),
    (measured(9.0, suite_version=2), {}, [("bench", "changed")]),
    (measured(9.0, emulated=True), {}, [("bench", "changed")]),
    (measured(9.0, outcome="fail"), {}, [("bench", "worse")]),
]


def test_a_rate_is_slower_only_beyond_both_intervals_in_the_same_circumstances():
    for number, (after, more, wanted) in enumerate(RATES):
        found, _ = drift(result_of("bench", [measured(10.0)]), result_of("bench", [after], LATER, **more))
        check([row[:2] for row in found] == wanted, number, found, wanted)


def test_the_text_has_no_more_digits_than_are_known():
    where = fresh("digits")
    files = bench_fleet(where, [10.123456, 10.13, 10.11, 10.12, 7.654321])
    text = run("report", *files).out
    check("7.65 Gbps" in text and "10.1 Gbps" in text and "7.654" not in text and "10.12" not in text, text)
    check("-24 % of the median of 5" in text, text)


def test_numbers_have_their_unit_and_what_does_not_apply_no_answer():
    where = fresh("units")
    files = [write(where / f"m{number}.json", result_of("audit", [finding("memory.speed", found=speed, unit="MT/s"),
                                                                  finding("firmware.bmc", outcome, found=False, unit=None)]))
             for number, (speed, outcome) in enumerate([(2666, "na"), (3200, "pass")])]
    text = " ".join(run("report", *files).out.split())
    check("pass: 2666 MT/s" in text and "pass: 3200 MT/s" in text, text)
    check("pass: no" in text and "na: no" not in text, text)


def test_the_head_of_a_page_does_not_judge_what_fails_on_it():
    path = write(fresh("head") / "web.json", result_of("audit", [finding("a.b", "fail")]))
    page = run("report", path, "--quiet", "--output", "html=-").out
    check("<h1>Report</h1>" in page and "nothing found" not in page, page[-2000:])


def test_the_same_input_gives_the_same_page():
    where = fresh("same")
    files = audits(where, [("pass", "x"), ("fail", "y"), ("pass", "x")])
    files += [f"b{number}={path}" for number, path in enumerate(bench_fleet(fresh("same-bench"), [10.0, 9.0, 11.0]))]
    first, second = report(*files), report(*reversed(files))
    for document in (first, second):
        for name in ("argv", "started", "elapsed_ms"):
            del document[name]
    check(first == second, "the order of arguments is no matter")


def test_a_run_that_could_not_be_done_is_no_clean_machine():
    """Its counts are not zero, they are not there; an older run that did its work counts; diff has nothing to compare."""
    where = fresh("could-not")
    failed = result_of("audit", [], started="2026-01-02T00:00:00Z", exit_code=2,
                       messages=[{"level": "error", "text": "profiles/audit/cpu.json:1:1: broken"}])
    done = result_of("audit", [finding("a.b", "fail")])
    alone, last, first = (write(where / f"{name}.json", document) for name, document in
                          (("alone", failed), ("last", failed), ("first", done)))
    document = report(alone, f"both={first}", f"both={last}")
    rows = {row["label"]: row for row in document["results"]}
    check(rows["alone"]["audit"] is None, rows["alone"])
    check(rows["both"]["audit"]["fail"] == 1, rows["both"])
    said = [message["text"] for message in document["messages"]]
    for label in ("alone", "both"):
        check(any(text.startswith(f"{label}: audit") and "exit status 2" in text and "broken" in text for text in said), label, said)
    compared = run("diff", first, last)
    check(compared.code == 2 and "broken" in compared.err and "last.json" in compared.err, compared.code, compared.err)
    # Nothing that applies, under any threshold: that run did its work.
    check(run("diff", first, write(where / "skipped.json", result_of("audit", [], exit_code=77))).code in (0, 1))
