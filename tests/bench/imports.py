# SPDX-License-Identifier: BSD-2-Clause
"""--import of many files as a command: one document that fits the schema, ids of their own, nothing measured or verified."""
import csv
import io
import json
import subprocess

from machines import described
from program import PROGRAM, TOP, WORK, Skip, check, environment, run

CAPTURED = TOP / "tests/engines/captured"


def files():
    found = sorted(CAPTURED.glob("*.txt"))
    check(len(found) > 30, len(found))
    return found


def test_many_files_in_one_document():
    table = WORK / "imports.csv"
    done = run("--json", f"--output=csv={table}", *(f"--import={path}" for path in files()))
    document = json.loads(done.out)
    check(done.code == document["exit_code"], done.code, document["exit_code"])
    results = document["results"]
    check(len(results) > 50 and len({result["id"] for result in results}) == len(results), len(results))
    for result in results:
        check(not result["verified"] and result["unverified"], result["id"], "imported and verified")
        number, rates = result["estimate"], result["rates"]
        check(result["cycles_per_byte"] is None, result["id"], "cycles of a timer")
        if number is None:
            check(result["reason"], result["id"], result["outcome"])
        elif number["unit"] == "Gbps" and rates["mops"] is not None and result["size_bytes"]:
            # Both columns are rounded to four digits behind the point.
            product = rates["mops"] * result["size_bytes"] * 8 / 1000
            room = 0.02 * max(product, rates["gbps"]) + 0.0002 * result["size_bytes"] * 8 / 1000 + 0.0002
            check(abs(product - rates["gbps"]) <= room, result["id"], rates)
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    check([row["id"] for row in rows] == [result["id"] for result in results], "rows of CSV", len(rows), len(results))


def test_imports_fit_the_schema():
    try:
        import jsonschema
    except ImportError:
        raise Skip("no python3-jsonschema") from None
    schema = json.loads(subprocess.run([PROGRAM, "schema", "bench"], env=environment(), capture_output=True, check=True,
                                       timeout=60).stdout)
    root = described("import-altra", "altra-1p")
    for arguments in ([], ["--root", root]):
        done = run("--json", *arguments, *(f"--import={path}" for path in files()))
        found = list(jsonschema.Draft202012Validator(schema).iter_errors(json.loads(done.out)))
        check(not found, found[:1])


def test_what_holds_no_engine_is_said():
    path = WORK / "nothing.txt"
    for text in ("", "hello\n", "\0\xff" * 1000, "+F:" * 10000):
        path.write_text(text)
        done = run("--json", f"--import={path}")
        document = json.loads(done.out) if done.out else None
        check(done.code not in (0, 1), f"status {done.code}")
        check(document is None or not any(result["estimate"] for result in document["results"]), document)
        check(done.err or document["messages"] or document["results"], "it is said nowhere")


def test_a_page_says_what_is_not_measured_once():
    page, reason = WORK / "imports.html", "the device does not do this algorithm"
    done = run(f"--output=html={page}", f"--import={CAPTURED / 'cperf-22.11-x86-err_unsupported_algo.txt'}")
    check(reason in done.out, "text", done.out)
    check(page.read_text().count(reason) == 1, "page", page.read_text().count(reason))
