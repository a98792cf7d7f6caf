# SPDX-License-Identifier: BSD-2-Clause
"""Outputs as logs, terminals and pastes leave them: what must read the same, and damage that must not make numbers."""
import random
import re

SEED = 20240719
RATES = ("bytes_per_s", "ops_per_s", "ticks_per_op", "ticks_enqueue", "ticks_dequeue", "latency_max_us")
COUNTS = ("size", "core", "burst", "enqueued", "dequeued", "failed_ops")
NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?")
# What a printed number may stand for: itself, thousands of bytes, megabytes, Gbps, MOps.
SCALES = (1, 1e3, 1e6, 1e9 / 8)


def each_line(text, change):
    return b"\n".join(change(index, line) if line else line for index, line in enumerate(text.split(b"\n")))


def stamped(text, stamp):
    return each_line(text, lambda index, line: stamp % (index % 60) + line)


# name: the text as it came through it
SAME = {
    "CRLF": lambda text: text.replace(b"\n", b"\r\n"),
    "GitHub": lambda text: stamped(text, b"2024-01-01T00:00:%02d.1234567Z "),
    "GitLab": lambda text: stamped(text, b"2024-01-01T00:00:%02d.123456Z 00O "),
    "Jenkins": lambda text: stamped(text, b"[2024-01-01T00:00:%02d.123Z] "),
    "gh run view": lambda text: stamped(text, b"bench\tRun it\t2024-01-01T00:00:%02d.1234567Z "),
    "syslog": lambda text: stamped(text, b"Jan  1 00:00:%02d host bench[12]: "),
    "docker compose": lambda text: each_line(text, lambda index, line: b"bench-1  | " + line),
    "ANSI": lambda text: each_line(text, lambda index, line: b"\x1b[32m" + line[:7] + b"\x1b[0m" + line[7:] + b"\x1b[K"),
    "a mail": lambda text: each_line(text, lambda index, line: b"> " + line),
    "Markdown": lambda text: b"It printed\n```\n" + text + b"\n```\nwhat now?\n",
    "indentation": lambda text: each_line(text, lambda index, line: b"        " + line),
    "another program between": lambda text: text.replace(b"\n", b"\n[ INFO ] node exporter: 3 metrics, 17 ms\n"),
    "Buildkite": lambda text: stamped(text, b"\x1b_bk;t=17040672000%02d\x07"),
    "tput sgr0": lambda text: each_line(text, lambda index, line: b"\x1b(B\x1b[m" + line + b"\x1b(B"),
    "typed and taken back": lambda text: each_line(text, lambda index, line: line[:3] + b"z\b\x1b[Kzz\b \b\b \b" + line[3:]),
    "journalctl -o short-iso": lambda text: stamped(text, b"2024-01-01T00:00:%02d+0000 host bench[12]: "),
    "seconds since 1970": lambda text: stamped(text, b"1704067200.%02d3456 "),
    "a web server": lambda text: stamped(text, b"[01/Jan/2024:00:00:%02d +0000] "),
    "Python": lambda text: stamped(text, b"2024-01-01 00:00:%02d,123 - bench - INFO - "),
    "glog": lambda text: stamped(text, b"I0101 00:00:%02d.123456 12 bench.cc:7] "),
    "RFC 5424": lambda text: stamped(text, b"<14>1 2024-01-01T00:00:%02d.000Z host bench 12 - - "),
    "TeamCity": lambda text: stamped(text, b"[00:00:%02d] : [Step 1/2] "),
    "kubectl logs": lambda text: each_line(text, lambda index, line: b"[pod/bench-0/main] " + line),
    "mpirun": lambda text: each_line(text, lambda index, line: b"[1,0]<stdout>: " + line),
    "grep -n": lambda text: each_line(text, lambda index, line: b"bench.log:%d:" % (index + 1) + line),
    "cat -n": lambda text: each_line(text, lambda index, line: b"%6d\t " % (index + 1) + line),
    "NULs": lambda text: text.replace(b" ", b"\0 "),
}


def facts(runs):
    """Everything but the numbers of lines."""
    return [{key: value if key != "rows" else [{k: v for k, v in row.items() if k != "line"} for row in value]
             for key, value in run.items() if key != "line"} for run in runs]


def same_faults(read, text, runs):
    changes = {name: change for name, change in SAME.items() if b"\\\n" not in text or name != "another program between"}
    want = facts(runs)
    for name, have in zip(changes, read([change(text) for change in changes.values()])):
        if facts(have) != want:
            yield f"{name}: reads otherwise: {first_difference(want, facts(have))}"


def first_difference(want, have):
    if len(want) != len(have):
        return f"{len(have)} runs, want {len(want)}"
    for a, b in zip(want, have):
        for key in a:
            if a[key] != b.get(key):
                return f"{key}: {str(b.get(key))[:150]}, want {str(a[key])[:150]}"
    return "?"


def cut_line(chooser, lines):
    index = chooser.randrange(len(lines))
    return lines[:index] + [lines[index][:chooser.randrange(len(lines[index]) + 1)]] + lines[index + 1:]


def cut_text(chooser, lines):
    text = b"\n".join(lines)
    return text[:chooser.randrange(len(text) + 1)].split(b"\n")


def cut_start(chooser, lines):
    return lines[chooser.randrange(len(lines)):]


def drop_line(chooser, lines):
    index = chooser.randrange(len(lines))
    return lines[:index] + lines[index + 1:]


def double_line(chooser, lines):
    index = chooser.randrange(len(lines))
    return lines[:index + 1] + lines[index:]


def shuffle_lines(chooser, lines):
    lines = lines[:]
    chooser.shuffle(lines)
    return lines


def twice(chooser, lines):
    return lines + lines


DAMAGE = (cut_line, cut_text, cut_start, drop_line, double_line, shuffle_lines, twice)
ROUNDS = 8


def printed(text):
    """All numbers of the text, and what they may stand for."""
    numbers = {float(found) for found in NUMBER.findall(text)}
    return {round(number * scale, 6) for number in numbers for scale in SCALES} | {0.0}


def is_made(row, key, value, numbers, text):
    """Rates that the program divides itself: of counts by their seconds, of bytes by their size."""
    if key == "ops_per_s" and "size" in row and row["size"] and "bytes_per_s" in row:
        return abs(value * row["size"] - row["bytes_per_s"]) <= 1e-6 * row["bytes_per_s"]
    if "seconds" not in row or not row["seconds"]:
        return False
    count = value * row["seconds"] / (row["size"] if key == "bytes_per_s" and row.get("size") else 1)
    return abs(count - round(count)) < 1e-3 * max(1, count * 1e-6) and str(round(count)).encode() in text


def invented(row, numbers, text):
    for key in RATES + COUNTS:
        value = row.get(key)
        if value is None or key in ("enqueued", "dequeued") and "latency_us" in row:
            continue
        if any(abs(value - number) <= 1e-9 * abs(number) for number in (round(value, 6),) if number in numbers):
            continue
        if key in ("bytes_per_s", "ops_per_s") and is_made(row, key, value, numbers, text):
            continue
        yield f"{key} {value} of line {row['line']} is not in the text"


def damage_faults(read, text):
    chooser = random.Random(SEED)
    spoilt = [(damage.__name__, b"\n".join(damage(chooser, text.split(b"\n")))) for damage in DAMAGE
              for _ in range(ROUNDS)]
    for (name, damaged), runs in zip(spoilt, read([damaged for _, damaged in spoilt])):
        numbers = printed(damaged)
        for run in runs:
            for row in run["rows"]:
                yield from (f"{name}: {fault}" for fault in invented(row, numbers, damaged))
