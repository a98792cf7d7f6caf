# SPDX-License-Identifier: BSD-2-Clause
"""Identifiers planted in every described machine. None of them may leave the program."""
SERIAL = 'PLANTEDSERIAL'
ASSET = 'PLANTEDASSET'
UUID_BYTES = bytes.fromhex('5ec2e75ec2e75ec2e75ec2e75ec2e701')
UUID = '5ee7c25e-e7c2-c25e-e75e-c2e75ec2e701'
HOST_NAME = 'planted-host-name'
DOMAIN = 'planted.example'
MAC = '02:5e:c2:e7:00:01'
IPV4 = '203.0.113.77'
IPV6 = '2001:db8:5ec2::e7'
KEY = 'PLANTEDKEYMATERIALq83vEjRWeJC6'


def planted():
    """Every spelling that must not be found, lower case."""
    mac = MAC.replace(':', '')
    return sorted({SERIAL, ASSET, UUID, UUID.replace('-', ''), UUID_BYTES.hex(), HOST_NAME, DOMAIN, MAC, mac,
                   MAC.replace(':', '-'), IPV4, IPV6, KEY, bytes(map(int, IPV4.split('.'))).hex()},
                  key=str.lower)
