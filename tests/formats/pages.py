# SPDX-License-Identifier: BSD-2-Clause
"""The page: it stands alone, checkers of HTML find nothing, its colours have contrast."""
import base64
import hashlib
import json
import re
import shutil
import subprocess

import fetched
from facets_oracle import Page
from program import WORK, Skip, check, documents, tool


def test_nothing_is_fetched_or_run():
    for name, made in documents().items():
        text = made["html"].decode()
        page = Page()
        page.feed(text)
        page.close()
        check(not page.faults and not page.open, name, page.faults[:3], page.open)
        check(not re.search(r"url\(|@import|expression\(|https?:", re.search(r"<style>(.*?)</style>", text, re.S).group(1)), name)


def test_the_policy_allows_this_style_alone():
    for name, made in documents().items():
        text = made["html"].decode()
        style = re.search(r"<style>(.*?)</style>", text, re.S).group(1)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text).group(1)
        check(policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'", name, policy)
        check(text.index(policy) < text.index("<style>"), name, "the policy comes too late")


def test_tables_have_scopes_and_pictures_have_words():
    for name, made in documents().items():
        text = made["html"].decode()
        check(not re.search(r"<th(?![^>]*scope=)[ >]", text), name, "a th without scope")
        for picture in re.findall(r"<svg class=\"plot\".*?</svg>", text, re.S):
            check("<title>" in picture and "<desc " in picture and 'role="img"' in picture, name, picture[:200])
        check(text.count('<svg class="plot"') == text.count('<details class="numbers">'), name, "a plot without its table")
        levels = [int(level) for level in re.findall(r"<h([1-6])", text)]
        check(levels[0] == 1 and levels.count(1) == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), name, levels)


def test_plots_draw_the_published_numbers_apart():
    page = documents()["bench"]["html"].decode()
    check('<svg class="plot"' in page and 'class="curve published"' in page and "published</li>" in page, "no published line")


def test_tidy_finds_nothing():
    tidy = tool("tidy", "tidy")
    for name in documents():
        done = subprocess.run([tidy, "-q", "-e", WORK / f"{name}.html"], capture_output=True, text=True, check=False, timeout=60)
        check(done.returncode == 0, name, done.stderr[:400])


# Contrast (WCAG 2.2, relative luminance and contrast ratio) ------------------------------------------------------------------

def luminance(color):
    color = color.lstrip("#")
    color = "".join(2 * digit for digit in color) if len(color) == 3 else color
    parts = [int(color[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_colours_have_contrast_in_each_scheme():
    style = re.search(r"<style>(.*?)</style>", documents()["audit"]["html"].decode(), re.S).group(1)
    schemes = [dict(re.findall(r"--([\w-]+):(#[0-9a-f]+)", block)) for block in re.findall(r":root\{([^}]*)\}", style)]
    check(len(schemes) == 3, len(schemes), "schemes: light, dark, paper")
    for colors in schemes:
        pairs = [("text", "ground"), ("text", "card"), ("quiet", "ground"), ("quiet", "card"), ("accent", "ground"), ("accent", "card"),
                 ("text", "code"), ("quiet", "code"), ("bad", "card"), *((word, f"{word}-ground") for word in ("bad", "doubt", "good", "na"))]
        for one, other in pairs:
            check(contrast(colors[one], colors[other]) >= 4.5, one, other, contrast(colors[one], colors[other]))
        for line in range(6):
            check(contrast(colors[f"l{line}"], colors["card"]) >= 3, "line", line)


# Checkers that come from elsewhere --------------------------------------------------------------------------------------------

# It reads no digest: the test above computes it, and a browser obeys it.
KNOWN = "Inline style violates Content Security Policy"


def full_the_nu_checker_finds_nothing():
    java = tool("java", "default-jre-headless")
    jar = WORK / "vnu.jar"
    jar.write_bytes(fetched.file_of("vnu-jar", "package/build/dist/vnu.jar"))
    files = [str(WORK / f"{name}.html") for name in documents()]
    done = subprocess.run([java, "-jar", jar, "--format", "json", "--exit-zero-always", *files], capture_output=True, text=True,
                          check=False, timeout=300)
    found = [f"{message['url'][-30:]}:{message.get('lastLine')}: {message['message']}" for message in json.loads(done.stderr)["messages"]
             if not message["message"].startswith(KNOWN)]
    check(not found, found[:3])


def full_html_validate_finds_nothing():
    place = WORK / "html-validate"
    if not shutil.which("npm"):
        raise Skip("no package html-validate: there is no npm here")
    place.mkdir(exist_ok=True)
    done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "html-validate"], cwd=place, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180)
    if done.returncode:
        raise Skip("no package html-validate: npm has none")
    (place / ".htmlvalidate.json").write_text('{"extends":["html-validate:standard"],"root":true}')
    for name in documents():
        shutil.copy(WORK / f"{name}.html", place)
    files = [f"{name}.html" for name in documents()]
    done = subprocess.run(["node_modules/.bin/html-validate", *files], cwd=place, capture_output=True, text=True, check=False, timeout=180)
    check(done.returncode == 0, (done.stdout + done.stderr)[:600])
