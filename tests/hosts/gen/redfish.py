# SPDX-License-Identifier: BSD-2-Clause
"""What a BMC says of a described machine, as files: RESOURCE/index.json, as in DMTF's mockups."""
import json
import os
import sys

import planted

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'redfish'))

import kinds     # noqa: E402


def build(tree, machine):
    """"redfish": {"kind", "settings": {setting: value}, "system", "documents": {address: members that differ}, "absent": [address]}"""
    described = machine.get('redfish')
    if not described:
        return
    kinds.SERIAL, kinds.ASSET, kinds.UUID, kinds.HOST = planted.SERIAL, planted.ASSET, planted.UUID, planted.HOST_NAME
    make = kinds.KINDS[described['kind']]
    named = {'system': described['system']} if 'system' in described else {}
    documents = make(**named, **described.get('settings', {}))
    for address, members in described.get('documents', {}).items():
        documents[address] = {**documents[address], **members}
    for address in described.get('absent', []):
        del documents[address]
    for address, document in documents.items():
        tree.text(f'{address}/index.json', json.dumps(document))
