# SPDX-License-Identifier: BSD-2-Clause
"""One run in all formats, in another locale, against the schema."""
import csv
import io
import json
import subprocess

from program import (GCM, KAT, LIBRARY, PROGRAM, SHA, SNOW, WORK, Skip, check, close, environment, look, make_prefix, run, suite)


def outputs(name, **options):
    """The document and the other formats of one run."""
    paths = {kind: WORK / f"{name}.{kind}" for kind in ("csv", "markdown", "text")}
    for path in paths.values():
        path.unlink(missing_ok=True)
    prefix = make_prefix(f"outputs-{name}", dpdk="played.dpdk()")
    done = run("--json", *(f"--output={kind}={path}" for kind, path in paths.items()), "--seconds", 3, "--prefix", prefix,
               suite(KAT, SHA, SNOW, GCM), **options)
    check(done.code == 0, f"status {done.code}", done.err)
    return done.document(), {kind: path.read_text() for kind, path in paths.items()}


def comma_locale():
    """An environment in which numbers have a decimal comma."""
    path = WORK / "locales"
    if not (path / "de_DE.UTF-8").exists():
        path.mkdir(exist_ok=True)
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", path / "de_DE.UTF-8"], check=False,
                              capture_output=True)
        if made.returncode not in (0, 1):
            raise Skip("no locale de_DE can be made here")
    env = environment(LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8", LOCPATH=str(path))
    shown = subprocess.run(["/usr/bin/printf", "%.1f", "1,5"], env=env, capture_output=True, text=True, check=False)
    if shown.stdout != "1,5":
        raise Skip("no locale de_DE can be made here")
    return env


def agree(document, texts):
    rows = list(csv.DictReader(io.StringIO(texts["csv"])))
    results = {result["id"]: result for result in document["results"]}
    check({row["id"] for row in rows} == set(results) and len(rows) == len(results), "rows of CSV", [row["id"] for row in rows])
    for row in rows:
        result = results[row["id"]]
        check(row["outcome"] == result["outcome"], row["id"], row["outcome"])
        number = result["estimate"]
        column = next((name for name in ("value", "estimate.value", "estimate_value") if name in row), None)
        check(column, "no column of the value", list(row))
        if number is None:
            check(row[column] == "", row["id"], row[column])
        else:
            check(abs(float(row[column]) - number["value"]) <= 1e-3 * number["value"], row["id"], row[column], number)
        check(result["case"] in texts["markdown"] and result["case"] in texts["text"], row["id"], "is in no page")


def test_formats_of_one_run_agree():
    agree(*outputs("plain"))


def test_a_comma_locale_changes_nothing():
    document, texts = outputs("comma", env=comma_locale())
    agree(document, texts)
    check(any(result["raw"] for result in document["results"]), "nothing was measured")


def test_the_document_fits_the_schema():
    try:
        import jsonschema
    except ImportError:
        raise Skip("no python3-jsonschema") from None
    schema = json.loads(subprocess.run([PROGRAM, "schema", "bench"], env=environment(), capture_output=True, check=True,
                                       timeout=60).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    measured = run("--json", "--seconds", 1, "--prefix", make_prefix("schema", dpdk="played.dpdk()"), suite(KAT, SNOW))
    planned = run("--json", "--dry-run", "scaling")
    broken = run("--json", "--seconds", 1, "--prefix", make_prefix("schema-broken", dpdk="played.crash()"), suite(KAT, SNOW))
    for done in (measured, planned, broken):
        found = list(validator.iter_errors(json.loads(done.out)))
        check(not found, found[:1])
    wrong = json.loads(measured.out)
    wrong["results"][0]["outcome"] = "good"
    check(list(validator.iter_errors(wrong)), "the schema takes an outcome that is none")


def test_the_seed_is_kept():
    document = run("--json", "--dry-run", "--seed", 42, "smoke").document()
    check(document["summary"]["seed"] == "42", document["summary"])


def test_forced_code_is_not_measured():
    """A mask in the caller's environment reaches neither what is measured nor what is expected."""
    prefix = make_prefix("masked")
    plain, masked = (run("--json", "--seconds", 1, "--prefix", prefix, suite(KAT), env=environment(**changes)).document()
                     for changes in ({}, {"OPENSSL_ia32cap": "0:0", "OPENSSL_armcap": "0"}))
    words = [document["results"][0]["library"]["capability"] for document in (plain, masked)]
    check(words[0] == words[1], words)
    check(masked["results"][0]["verified"] and masked["results"][0]["library"]["path"] == str(LIBRARY), masked["results"][0])
    said = [[name for name in ("OPENSSL_ia32cap", "OPENSSL_armcap")
             if any(message["text"].startswith(f"{name} is set here") for message in document["messages"])]
            for document in (plain, masked)]
    check(said == [[], ["OPENSSL_ia32cap", "OPENSSL_armcap"]], said)


def test_raw_samples_are_kept():
    document = run("--json", "--seconds", 2, "--prefix", make_prefix("raw"), suite(KAT)).document()
    look(document)
    result = document["results"][0]
    check(len(result["raw"]) >= 3 and all(sample["invocation"] >= 0 for sample in result["raw"]), len(result["raw"]))
    if result["estimate"]:
        kept = {}
        for sample in result["raw"]:
            if sample["dropped"] is None:
                kept.setdefault(sample["invocation"], []).append(sample["value"])
        medians = sorted(median(values) for values in kept.values())
        check(close(median(medians), result["estimate"]["value"]), medians, result["estimate"])


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2
