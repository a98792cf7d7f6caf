# SPDX-License-Identifier: BSD-2-Clause
"""The page in a real browser: two widths, two colour schemes, paper; pictures stay in the work directory."""
import functools
import shutil
import struct
import zlib

from devtools import Browser
from pages import luminance
from program import WORK, Skip, check, documents

PAGES = ("audit", "audit-hostile", "bench", "setup", "detect", "nothing")
WIDTHS = (1280, 360)
# What sticks out of the window, unless it can be scrolled inside of it.
OUTSIDE = """[...document.querySelectorAll('body *')].filter(e => e.getClientRects().length && !e.closest('svg') &&
  !e.closest('.wide') && (e.getBoundingClientRect().right > innerWidth + 1 || e.getBoundingClientRect().left < -1))
  .map(e => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 60)).slice(0, 3)"""
OPEN_ALL = "document.querySelectorAll('details').forEach(e => e.open = true)"


def first_pixel(png):
    """The colour at the top left: a filter of the first row changes nothing of its first pixel (PNG, section 9)."""
    data, at = b"", 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            check(png[at + 16] == 8 and png[at + 17] in (2, 6), "not a picture of 8 bits and three or four colours")
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += size + 12
    return "#" + zlib.decompressobj().decompress(data, 16)[1:4].hex()


@functools.lru_cache(None)
def seen():
    """{(page, width, scheme): what the browser says}"""
    program = shutil.which("chromium")
    if not program:
        raise Skip("no chromium here (package chromium)")
    documents()
    found, browser = {}, Browser(program, WORK / "chromium")
    try:
        for name in PAGES:
            for width in WIDTHS:
                for scheme in ("light", "dark"):
                    browser.show(WORK / f"{name}.html", width, 1000, scheme)
                    said = [event["params"] for event in browser.events if event.get("method") in
                            ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")]
                    asked = [event["params"]["request"]["url"] for event in browser.events
                             if event.get("method") == "Network.requestWillBeSent"]
                    picture = browser.picture()
                    (WORK / f"{name}-{width}-{scheme}.png").write_bytes(picture)
                    browser.ask(OPEN_ALL)
                    found[name, width, scheme] = {
                        "said": said, "asked": asked, "picture": picture, "outside": browser.ask(OUTSIDE),
                        "wide": browser.ask("document.documentElement.scrollWidth"), "styled": browser.ask(
                            "getComputedStyle(document.querySelector('main')).maxWidth"),
                        "small": browser.ask("Math.min(...[...document.querySelectorAll('svg.plot')].map(e => 12.5 *"
                                             " e.getBoundingClientRect().width / e.viewBox.baseVal.width), 99)")}
        browser.show(WORK / "audit.html", 800, 1000, "dark", media="print")
        found["paper"] = browser.ask("getComputedStyle(document.body).backgroundColor + ' ' + getComputedStyle(document.body).color")
        found["shown"] = browser.ask("[...document.querySelectorAll('details:not([open]) dd')].filter(e => e.checkVisibility()).length")
    finally:
        browser.end()
    return found


def each():
    return ((key, value) for key, value in seen().items() if isinstance(key, tuple))


def test_nothing_is_wider_than_the_window():
    for key, value in each():
        check(value["wide"] <= key[1] and not value["outside"], key, value["wide"], value["outside"])


def test_the_browser_obeys_the_style_and_complains_of_nothing():
    for key, value in each():
        check(value["styled"] == "1120px" and not value["said"], key, value["styled"], value["said"])


def test_the_browser_asks_for_nothing_else():
    for key, value in each():
        check(value["asked"] == [f"file://{WORK}/{key[0]}.html"], key, value["asked"])


def test_schemes_are_light_and_dark():
    for (name, width, scheme), value in each():
        color = first_pixel(value["picture"])
        light = luminance(color)
        check(light > 0.8 if scheme == "light" else light < 0.05, name, width, scheme, color)
    for name in PAGES:
        pictures = {value["picture"] for key, value in each() if key[0] == name}
        check(len(pictures) == 4, name, len(pictures), "pictures differ")


def test_letters_of_plots_can_be_read_on_a_telephone():
    sizes = {key: value["small"] for key, value in each() if key[0] == "bench"}
    check(all(9 <= size < 99 for size in sizes.values()), sizes)


def test_paper_is_white_and_shows_what_is_folded():
    check(seen()["paper"] == "rgb(255, 255, 255) rgb(0, 0, 0)", seen()["paper"])
    check(seen()["shown"] > 100, seen()["shown"], "entries of folded verdicts are printed")
