# SPDX-License-Identifier: BSD-2-Clause
"""JUnit's XML: well-formed, as junit.xsd has it, and counted rightly."""
import subprocess
import xml.etree.ElementTree

from program import HERE, WORK, check, documents, tool


def xmllint(path):
    return subprocess.run([tool("xmllint", "libxml2-utils"), "--noout", "--schema", HERE / "junit.xsd", path], check=False,
                          capture_output=True, text=True, timeout=60)


def test_the_schema_accepts_it():
    for name in documents():
        done = xmllint(WORK / f"{name}.junit")
        check(done.returncode == 0, name, done.stderr[:400])


def test_the_schema_refuses_what_readers_do():
    text = documents()["audit"]["junit"].decode()
    for number, (before, after) in enumerate((("<testcase name=", "<testcase title="), ("<skipped message=", "<skipped text="),
                                              (' time="0.', ' time="-0.'), ("<properties>", "<properties/><properties>"))):
        check(before in text, before)
        path = WORK / f"broken-{number}.junit"
        path.write_text(text.replace(before, after, 1))
        check(xmllint(path).returncode != 0, after, "was taken")


def test_the_counts_are_those_of_the_cases():
    for name, made in documents().items():
        top = xml.etree.ElementTree.fromstring(made["junit"])
        suite = top[0]
        counts = {"tests": len(suite.findall("testcase")), "failures": len(suite.findall("testcase/failure")),
                  "errors": len(suite.findall("testcase/error")), "skipped": len(suite.findall("testcase/skipped"))}
        for element in (top, suite):
            got = {key: int(element.get(key)) for key in counts}
            check(got == counts, name, element.tag, got, counts)
