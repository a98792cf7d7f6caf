# SPDX-License-Identifier: BSD-2-Clause
"""Certificates of the test servers, made by the openssl command: one authority, and what can be wrong with a server."""
import subprocess

CONFIG = """[ca]
default_ca = made
[made]
database = {folder}/index
new_certs_dir = {folder}
serial = {folder}/serial
default_md = sha256
policy = any
copy_extensions = none
[any]
commonName = supplied
[req]
distinguished_name = nothing
[nothing]
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[here]
subjectAltName = IP:127.0.0.1,DNS:localhost
[elsewhere]
subjectAltName = DNS:elsewhere.example
"""
# name: (extensions, first day, last day); GeneralizedTime
SERVERS = {
    "good": ("here", "20200101000000Z", "20491231000000Z"),
    "elsewhere": ("elsewhere", "20200101000000Z", "20491231000000Z"),
    "expired": ("here", "20200101000000Z", "20210101000000Z"),
}


def openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT)


def new_key(path):
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)


def make(folder):
    """Files of an authority (authority.pem) and for each server NAME.pem with its key; the paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "openssl.cnf"
    config.write_text(CONFIG.format(folder=folder))
    (folder / "index").write_text("")
    (folder / "index.attr").write_text("unique_subject = no\n")
    (folder / "serial").write_text("1000\n")
    found = {}
    for name, extensions in (("authority", "authority"), ("self-signed", "here")):
        key, found[name] = folder / f"{name}.key", folder / f"{name}.pem"
        new_key(key)
        openssl("req", "-x509", "-new", "-config", config, "-extensions", extensions, "-key", key, "-days", 3650,
                "-subj", f"/CN={name}", "-out", found[name])
    for name, (extensions, first, last) in SERVERS.items():
        key, request, found[name] = folder / f"{name}.key", folder / f"{name}.csr", folder / f"{name}.pem"
        new_key(key)
        openssl("req", "-new", "-config", config, "-key", key, "-subj", f"/CN={name}", "-out", request)
        openssl("ca", "-batch", "-notext", "-config", config, "-cert", found["authority"], "-keyfile",
                folder / "authority.key", "-extensions", extensions, "-startdate", first, "-enddate", last,
                "-in", request, "-out", found[name])
    return found
