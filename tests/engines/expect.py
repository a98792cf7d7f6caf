# SPDX-License-Identifier: BSD-2-Clause
"""What must be in the runs of a text: the pages of tests/engines/expected, written by hand from facts and the text.

A page is a list of runs. `rows` is how many, `has` some of them (in this order, each by the keys it names), `void`
[how many rows are void, pattern of each reason], `absent` keys no row has; `reason` is a pattern, `notes` patterns,
`options` texts; every other key is a value.
"""
import math
import re


def same(want, have):
    if isinstance(want, bool) or not isinstance(want, (int, float)):
        return want == have
    return isinstance(have, (int, float)) and math.isclose(want, have, rel_tol=1e-9)


def row_faults(wanted, rows):
    """Each wanted row is found behind the one before it."""
    at = 0
    for want in wanted:
        for index in range(at, len(rows)):
            if all(same(value, rows[index].get(key)) for key, value in want.items()):
                at = index + 1
                break
        else:
            yield f"no row {want} behind row {at}"
            return


def run_faults(want, run):
    rows = run["rows"]
    void = [row["void"] for row in rows if "void" in row]
    for key, value in want.items():
        if key == "rows":
            if len(rows) != value:
                yield f"{len(rows)} rows, want {value}"
        elif key == "has":
            yield from row_faults(value, rows)
        elif key == "void":
            if len(void) != value[0]:
                yield f"{len(void)} void rows, want {value[0]}: {void[:3]}"
            yield from (f"void for '{why}', want {value[1]}" for why in void if not re.search(value[1], why))
        elif key == "absent":
            yield from (f"a row has {name}" for name in value for row in rows if name in row)
        elif key == "reason":
            if not re.search(value, run.get("reason") or ""):
                yield f"reason '{run.get('reason')}', want {value}"
        elif key == "notes":
            yield from (f"no note of {note} in {run['notes']}" for note in value
                        if not any(re.search(note, text) for text in run["notes"]))
        elif key == "options":
            yield from (f"no option {option} in {run['options']}" for option in value if option not in run["options"])
        elif not same(value, run.get(key)):
            yield f"{key} is {run.get(key)!r}, want {value!r}"


def faults(page, runs):
    if len(runs) != len(page):
        yield f"{len(runs)} runs, want {len(page)}: {[(run['engine'], run['line'], len(run['rows'])) for run in runs]}"
        return
    for number, (want, run) in enumerate(zip(page, runs), 1):
        yield from (f"run {number}: {fault}" for fault in run_faults(want, run))
