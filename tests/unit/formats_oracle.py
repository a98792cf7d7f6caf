#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Reads the CSV and the Markdown that test_formats.c made of hostile texts, with other implementations: Python's csv module, a
table checker after section 4.10 of the GitHub Flavored Markdown specification, and cmark-gfm where it is there.

{"texts": [hex…], "csv": hex, "markdown": hex …} on standard input; the faults on standard output, exit status 1 for any. The
other formats are read by facets_oracle.py."""
import csv
import html.parser
import io
import json
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True

import facets_oracle

# Bidi_Control of Unicode's PropList.txt
BIDI = {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
FORMULA = "=+-@'\uff1d\uff0b\uff0d\uff20"
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
ALLOWED_TAGS = {"h1", "h2", "p", "table", "thead", "tbody", "tr", "th", "td", "br", "strong", "code", "ul", "li", "details",
                "summary"}


def first_character(data):
    for size in range(1, 5):
        try:
            return data[:size].decode("utf-8"), size
        except UnicodeDecodeError:
            continue
    return None, 1


def is_control(character):
    code = ord(character)
    return code < 0x20 or 0x7F <= code < 0xA0 or code in BIDI


def printable(data):
    """What stands for raw bytes: controls but line feeds and what is no UTF-8 as \\xNN."""
    out = ""
    while data:
        character, size = first_character(data)
        if character is None or (is_control(character) and character != "\n"):
            out += "".join(f"\\x{byte:02x}" for byte in data[:size])
        else:
            out += character
        data = data[size:]
    return out


def guarded(text):
    """An apostrophe stands before what a spreadsheet takes for a formula, and before an apostrophe."""
    return "'" + text if text.lstrip(" \n")[:1] in tuple(FORMULA) else text


def lines(text):
    """Blanks at the ends of cells and lines do not count in Markdown."""
    return "\n".join(line.strip(" \t") for line in text.split("\n")).strip("\n")


# CSV -----------------------------------------------------------------------------------------------------------------

def csv_faults(data, texts):
    text = data.decode("utf-8")
    if re.search(r"(?<!\r)\n", re.sub(r'"(?:[^"]|"")*"', "", text)) or not text.endswith("\r\n"):
        yield "a row does not end with CR LF"
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    header = ["name", "count", "share", "good", "maybe", "inner.text", "inner.sizes", "list", "text", "some.text", "some.sizes"]
    if rows[0] != header:
        yield f"header {rows[0]}"
    if len(rows) != len(texts) + 1:
        yield f"{len(rows)} rows of {len(texts)} texts"
    for number, (row, raw) in enumerate(zip(rows[1:], texts)):
        want, read_back = guarded(printable(raw)), guarded(printable(raw.decode("utf-8", "replace").encode()))
        if len(row) != len(header):
            yield f"row {number}: {len(row)} cells"
            continue
        if row[0] != want or row[5] != want or row[8] != read_back or row[9]:
            yield f"row {number}: {row[0]!r}, {row[5]!r}, {row[8]!r}, {row[9]!r}, not {want!r}"
        item = raw.replace(b"\\", b"\\\\").replace(b";", b"\\;")
        joined = guarded(printable(item + b";" + item))
        if row[7] != joined:
            yield f"row {number}: list {row[7]!r}, not {joined!r}"
        if row[1] != str(-number) or row[3] != ("true" if number % 2 else "false"):
            yield f"row {number}: {row[1:4]}"
        if row[2] != ("" if number == 0 else row[2]) or (number and float(row[2]) != -number / 3):
            yield f"row {number}: share {row[2]!r}"
        if row[4] != ("" if number % 2 else str(number)) or row[6] != "64;-1" or row[10]:
            yield f"row {number}: {row[4]!r}, {row[6]!r}"


# Markdown: our own reading of a table --------------------------------------------------------------------------------

def table_cells(line):
    """Cells of a row: pipes that have no backslash before them separate."""
    cells, cell, escaped = [], "", False
    for character in line.strip():
        if character == "|" and not escaped:
            cells.append(cell)
            cell = ""
        else:
            cell += character
        escaped = character == "\\" and not escaped
    if cells[:1] != [""] or cell:
        raise ValueError(f"not a row between pipes: {line!r}")
    return [cell.strip() for cell in cells[1:]]


def inline_text(cell):
    """The text that a cell shows; ValueError when anything in it would be markup."""
    out, at = "", 0
    while at < len(cell):
        rest = cell[at:]
        tag = re.match(r"<br>|<!-- -->|</?code>|\*\*", rest)
        entity = re.match(r"&(?:#\d+|#x[0-9a-fA-F]+|\w+);", rest)
        if rest[0] == "\\" and rest[1:2] and rest[1] in PUNCTUATION:
            out, at = out + rest[1], at + 2
        elif tag:
            out, at = out + ("\n" if tag.group() == "<br>" else ""), at + tag.end()
        elif entity:
            out, at = out + html.unescape(entity.group()), at + entity.end()
        elif rest[0] in "`*_[]<>~&$|@" and not cell[at:].startswith("@<!-- -->"):
            raise ValueError(f"markup at {rest[:20]!r}")
        elif re.match(r"(https?|ftp)://|www\.", rest):
            raise ValueError(f"a link at {rest[:20]!r}")
        else:
            out, at = out + rest[0], at + 1
    return out


def table_rows(text):
    """Rows of the one table with a column of that name, below its head."""
    rows = text.split("\n")
    head = next(number for number, line in enumerate(rows) if line.startswith("| number |"))
    count = len(table_cells(rows[head]))
    if [cell.strip("-:") for cell in table_cells(rows[head + 1])] != [""] * count:
        raise ValueError("no delimiter row")
    for line in rows[head + 2:]:
        if not line:
            return
        cells = table_cells(line)
        if len(cells) != count:
            raise ValueError(f"{len(cells)} cells of {count}: {line!r}")
        yield [inline_text(cell) for cell in cells]


def markdown_faults(data, texts):
    text = data.decode("utf-8")
    rows = list(table_rows(text))
    if len(rows) != len(texts):
        yield f"{len(rows)} rows of {len(texts)} texts"
    for number, (row, raw) in enumerate(zip(rows, texts)):
        if row[0] != str(number) or lines(row[1]) != lines(printable(raw)) or row[2] != "end":
            yield f"row {number}: {row!r}, not {printable(raw)!r}"


# Markdown as cmark-gfm has it ----------------------------------------------------------------------------------------

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tables, self.tags, self.findings = [], set(), []
        self.cell = None

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.cell = ""
        elif tag == "br" and self.cell is not None:
            self.cell += "\n"

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.tables[-1][-1].append(self.cell)
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data


def rendered_faults(data, texts):
    done = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "tagfilter"],
                          input=data, stdout=subprocess.PIPE, check=True)
    page = Page()
    page.feed(done.stdout.decode("utf-8"))
    if page.tags - ALLOWED_TAGS:
        yield f"tags {page.tags - ALLOWED_TAGS}"
    tables = {table[0][0]: table for table in page.tables}
    rows = tables["number"][1:]
    for number, (row, raw) in enumerate(zip(rows, texts)):
        if row[0] != str(number) or lines(row[1]) != lines(printable(raw)) or row[2] != "end":
            yield f"cmark-gfm: row {number}: {row!r}, not {printable(raw)!r}"
    if len(rows) != len(texts):
        yield f"cmark-gfm: {len(rows)} rows of {len(texts)} texts"
    # Findings: everything that fails in one table, what passes in the folded one.
    found = [row for table in page.tables if table[0][0] == "outcome" for row in table[1:]]
    shown = [row[3] for row in found]
    if sorted(map(lines, shown)) != sorted(lines(printable(raw)) for raw in texts):
        yield f"cmark-gfm: findings {shown!r}"
    if "details" not in page.tags or {row[0] for row in found} != {"FAIL", "PASS"}:
        yield f"cmark-gfm: outcomes {[row[0] for row in found]}"


def main():
    given = json.load(sys.stdin)
    texts = [bytes.fromhex(text) for text in given["texts"]]
    faults = list(csv_faults(bytes.fromhex(given["csv"]), texts))
    faults += markdown_faults(bytes.fromhex(given["markdown"]), texts)
    if shutil.which("cmark-gfm"):
        faults += rendered_faults(bytes.fromhex(given["markdown"]), texts)
    faults += facets_oracle.faults(given, texts, printable)
    for fault in faults[:20]:
        print(ascii(fault)[1:-1])
    print(len(texts), "texts")
    return int(bool(faults) or len(texts) < 2)


if __name__ == "__main__":
    sys.exit(main())
