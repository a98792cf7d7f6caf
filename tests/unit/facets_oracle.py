# SPDX-License-Identifier: BSD-2-Clause
"""Reads the SARIF, JUnit, OpenMetrics and HTML that test_formats.c made of hostile texts with other implementations: json, expat, a
reader after the text format of OpenMetrics 1.0 (section "ABNF"), html.parser."""
import html.parser
import json
import re
import urllib.parse
import xml.etree.ElementTree

# What neither XML nor HTML has a character for, and line ends that their parsers change.
NO_CHARACTERS = {"\ufffe": r"\xef\xbf\xbe", "\uffff": r"\xef\xbf\xbf"}
VOID = {"meta", "br"}
TAGS = {"html", "head", "meta", "title", "style", "body", "main", "header", "p", "h1", "h2", "h3", "ul", "li", "b", "span", "time",
        "section", "div", "details", "summary", "dl", "dt", "dd", "code", "table", "thead", "tbody", "tr", "th", "td", "figure",
        "figcaption", "svg", "desc", "line", "text", "g", "path", "circle", "rect", "strong", "footer"}


def in_markup(shown):
    return "".join(NO_CHARACTERS.get(character, character) for character in shown)


# SARIF ---------------------------------------------------------------------------------------------------------------

def sarif_faults(data, texts, _printable):
    run = json.loads(data)["runs"][0]
    rules, results = run["tool"]["driver"]["rules"], run["results"]
    if len(results) != len(texts) or len(rules) != len(texts):
        yield f"sarif: {len(results)} results, {len(rules)} rules of {len(texts)} texts"
    for number, (result, raw) in enumerate(zip(results, texts)):
        want = raw.decode("utf-8", "replace")
        rule = rules[result["ruleIndex"]]
        location = result["locations"][0]
        said = [rule["shortDescription"]["text"], rule["fullDescription"]["text"]]
        if want:
            said += [result["message"]["text"], location["message"]["text"]]
        if any(text != want for text in said):
            yield f"sarif: {number}: {said}, not {want!r}"
        if rule["id"] != result["ruleId"] or rule["id"] != f"id.{number}":
            yield f"sarif: {number}: rule {rule['id']} of {result['ruleId']}"
        uri = location["physicalLocation"]["artifactLocation"]["uri"] if want.strip("/") else ""
        if not re.fullmatch(r"(?:[A-Za-z0-9._~/!$&'()*+,;=@-]|%[0-9A-F]{2})*", uri):
            yield f"sarif: {number}: {uri!r} is no relative reference"
        if urllib.parse.unquote_to_bytes(uri) != raw.lstrip(b"/"):
            yield f"sarif: {number}: {uri!r} is not {raw!r}"
        waived = number % 2 == 0
        if [entry["justification"] for entry in result["suppressions"]] != ([want] if waived else []):
            yield f"sarif: {number}: {result['suppressions']}"


# JUnit ---------------------------------------------------------------------------------------------------------------

def junit_faults(data, texts, printable):
    suite = xml.etree.ElementTree.fromstring(data)[0]
    cases = suite.findall("testcase")
    if len(cases) != len(texts):
        yield f"junit: {len(cases)} cases of {len(texts)} texts"
    for number, (case, raw) in enumerate(zip(cases, texts)):
        want = in_markup(printable(raw))
        if case.get("name") != f"id.{number}: {want}":
            yield f"junit: {number}: name {case.get('name')!r}, not {want!r}"
        element = case[0]
        wanted = ("failure", want) if number % 2 else ("skipped", f"waived: {want}; {want}")
        if (element.tag, element.get("message")) != wanted:
            yield f"junit: {number}: {element.tag} {element.get('message')!r}, not {wanted}"
        if number % 2 and want and f"found: {want}\nwanted: {want}\n" not in element.text:
            yield f"junit: {number}: {element.text!r} has not {want!r}"


# OpenMetrics ---------------------------------------------------------------------------------------------------------

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})\{{({LABEL}(?:,{LABEL})*)\}} (\S+)")


def read_metrics(text):
    """{family: (unit, help, [(labels, value)])}; ValueError for what the format does not allow, or only one of the two formats."""
    families, current = {}, None
    lines = text.split("\n")
    if lines[-2:] != ["# EOF", ""] or "# EOF" in lines[:-2]:
        raise ValueError("no # EOF at the end, or one before it")
    for line in lines[:-2]:
        comment = re.fullmatch(rf"# (TYPE|UNIT|HELP) ({NAME}) (.*)", line)
        if comment and comment.group(1) == "TYPE":
            current = comment.group(2)
            if current in families or comment.group(3) != "gauge":
                raise ValueError(f"{line}: a second time, or no type of both formats")
            families[current] = [None, None, []]
        elif comment:
            if comment.group(2) != current or families[current][2]:
                raise ValueError(f"{line}: not before the samples of its family")
            if comment.group(1) == "UNIT" and not current.endswith("_" + comment.group(3)):
                raise ValueError(f"{line}: not the end of the name")
            if re.search(r'["\\]', comment.group(3)):
                raise ValueError(f"{line}: escapes in help differ between the formats")
            families[current][comment.group(1) == "HELP"] = comment.group(3)
        else:
            sample = SAMPLE.fullmatch(line)
            if not sample or sample.group(1) != current:
                raise ValueError(f"{line!r}: no sample of {current}")
            labels = {name: re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found.group(1), found.group(1)), value)
                      for name, value in re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', sample.group(2))}
            if labels in [other for other, _ in families[current][2]]:
                raise ValueError(f"{line}: a second time")
            families[current][2].append((labels, float(sample.group(3))))
    return families


def openmetrics_faults(data, texts, printable):
    families = read_metrics(data.decode("utf-8"))
    seen = {}
    for name in ("ampere_crypto_even_bytes", "ampere_crypto_odd_bytes"):
        for labels, value in families[name][2]:
            seen[int(labels["number"])] = (labels, value)
    for number, raw in enumerate(texts):
        labels, value = seen.get(number, ({}, None))
        if labels != {"command": "test", "number": str(number), "text": printable(raw)} or value != number / 3:
            yield f"openmetrics: {number}: {labels} {value}, not {printable(raw)!r}"


# HTML ----------------------------------------------------------------------------------------------------------------

class Page(html.parser.HTMLParser):
    """Texts of dd by the dt before them, of other elements by tag; what may not be in such a page is a fault."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.texts, self.entries, self.faults, self.term = [], {}, {}, [], None

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            self.faults.append(f"<{tag}>")
        for name, _ in attrs:
            if name.startswith("on") or name in ("href", "src", "style", "action", "xlink:href"):
                self.faults.append(f"<{tag} {name}>")
        if tag not in VOID:
            self.open.append((tag, []))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> in {[name for name, _ in self.open]}")
            return
        _, pieces = self.open.pop()
        text = "".join(pieces)
        self.texts.setdefault(tag, []).append(text)
        if tag == "dt":
            self.term = text
        elif tag == "dd":
            self.entries.setdefault(self.term, []).append(text)
        if self.open:
            self.open[-1][1].append(text)

    def handle_data(self, data):
        if self.open:
            self.open[-1][1].append(data)

    def handle_comment(self, data):
        self.faults.append(f"comment {data!r}")


def html_faults(data, texts, printable):
    page = Page()
    page.feed(data.decode("utf-8"))
    page.close()
    yield from (f"html: {fault}" for fault in page.faults[:3])
    if page.open:
        yield f"html: open at the end: {[tag for tag, _ in page.open]}"
    wanted = sorted(text for text in (in_markup(printable(raw)) for raw in texts) if text)
    for entry in ("found", "wanted", "remark", "why", "cost", "fix", "undo"):
        if sorted(page.entries.get(entry, [])) != wanted:
            yield f"html: {entry}: {sorted(set(wanted) ^ set(page.entries.get(entry, [])))!r}"
    for tag in ("h3", "desc", "figcaption"):
        if tag == "h3" and sorted(page.texts[tag]) != wanted:
            yield f"html: {tag}: {sorted(set(wanted) ^ set(page.texts[tag]))!r}"
    shown = set(page.texts["text"])
    if not set(wanted) <= shown:
        yield f"html: no text of a plot: {sorted(set(wanted) - shown)!r}"


def faults(given, texts, printable):
    found = []
    for name, read in (("sarif", sarif_faults), ("junit", junit_faults), ("openmetrics", openmetrics_faults), ("html", html_faults)):
        try:
            found += read(bytes.fromhex(given[name]), texts, printable)
        except (ValueError, KeyError, IndexError, xml.etree.ElementTree.ParseError) as problem:
            found.append(f"{name}: {type(problem).__name__}: {problem}")
    return found
