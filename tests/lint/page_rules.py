# SPDX-License-Identifier: BSD-2-Clause
"""Rules of manual pages and of what the program says about itself."""
import subprocess


def man_pages(tree):
    pages = list(tree.texts(".scd", under="man/"))
    if not pages:
        yield "man/ holds no page"
    for name, text in pages:
        roff = subprocess.run(["scdoc"], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
        if roff.returncode:
            yield f"{name}: scdoc: {roff.stderr.strip()}"
            continue
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=roff.stdout, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        yield from (f"{name}: {line}" for line in lint.stdout.splitlines())


RULES = {
    "manual pages pass mandoc": man_pages,
}
