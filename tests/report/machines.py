# SPDX-License-Identifier: BSD-2-Clause
"""Results that the program itself writes of described machines, of imported measurements and of a plan of setup."""
import json
import sys

from program import TOP, WORK, Skip, check, fresh, run

MACHINES = ["altra-1p-defaults", "altra-1p-edk2", "altra-1p-down-clocked", "altra-1p-hostile-strings", "altra-1p-slow-dimms"]


def written():
    """Results of every command that runs here, by label."""
    sys.path.insert(0, str(TOP / "tests/hosts/gen"))
    import host
    import machine

    where = fresh("written")
    arguments = []
    for name in MACHINES:
        tree, live = host.build(machine.load(name))
        capture = where / f"{name}.capture"
        tree.write_capture(str(capture), live)
        imports = [f"--import={path}" for path in sorted((TOP / "tests/engines/captured").glob("*ok_throughput*.txt"))]
        for command, words in (("audit", ["--role", "dpdk"]), ("detect", []), ("bench", imports)):
            done = run(command, "--json", "--root", capture, *words)
            path = where / f"{name}-{command}.json"
            path.write_text(done.out)
            arguments.append(f"{name}={path}")
    done = run("setup", "--json", "--dry-run", "--offline", "--prefix", WORK / "prefix", "--target", "native", "openssl")
    if json.loads(done.out)["results"]:
        (where / "setup.json").write_text(done.out)
        arguments.append(f"{MACHINES[0]}={where / 'setup.json'}")
    return arguments


def test_what_the_program_writes_is_read_and_the_report_fits_its_schema():
    try:
        import jsonschema
    except ImportError:
        raise Skip("no python3-jsonschema") from None
    arguments = written()
    done = run("report", "--json", *arguments)
    document = done.document()
    check(done.code == 0 and not document["messages"], done.err, document["messages"])
    schema = json.loads(run("schema", "report").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)
    check([row["label"] for row in document["results"]] == sorted(MACHINES), "every machine is there")
    for row in document["results"]:
        audit = json.loads(next(open(word.split("=", 1)[1]).read() for word in arguments
                                if word.startswith(row["label"] + "=") and word.endswith("audit.json")))
        summary = audit["summary"]
        check({name: row["audit"][name] for name in ("pass", "fail", "na", "unknown", "waived")} ==
              {name: summary[name] for name in ("pass", "fail", "na", "unknown", "waived")}, row["audit"], summary)
        check(row["audit"]["role"] == "dpdk" and row["sku"] == audit["host"]["sku"], row["audit"])
        failing = [one["id"] for one in audit["results"] if one["outcome"] == "fail"]
        check(sorted(failing) == sorted(one["id"] for one in row["failing"]), failing)


def test_every_format_is_written():
    arguments = written()
    where = fresh("formats")
    outputs = [f"--output={name}={where}/page.{name}" for name in ("text", "json", "csv", "markdown", "html")]
    done = run("report", *outputs, *arguments)
    check(done.code == 0, done.err)
    for path in where.iterdir():
        check(path.stat().st_size > 500, path.name, path.stat().st_size)
    page = (where / "page.html").read_text()
    for name in MACHINES:
        check(name in page, name)
    check("<svg" in page, "measurements by size are drawn")
