#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Reads {"schemas": {name: schema}, "documents": [{"format": name, "accepted": what our loader said, "document": …}]} on
standard input and asks jsonschema, another implementation, the same of each document. Exit status 77: no jsonschema here."""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("no python3-jsonschema")
    sys.exit(77)


def main():
    asked = json.load(sys.stdin)
    validators = {}
    for name, schema in asked["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[name] = jsonschema.Draft202012Validator(schema)
    wrong = 0
    for row in asked["documents"]:
        fault = jsonschema.exceptions.best_match(validators[row["format"]].iter_errors(row["document"]))
        if (fault is None) != row["accepted"]:
            wrong += 1
            if wrong < 10:
                print(f'{row["format"]}: loader: {row["message"] or "accepted"}; schema: {fault and fault.message}; '
                      f'{json.dumps(row["document"])[:1500]}')
    print(len(asked["documents"]), "documents,", wrong, "judged differently")
    return 1 if wrong or not asked["documents"] else 0


if __name__ == "__main__":
    sys.exit(main())
