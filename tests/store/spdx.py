# SPDX-License-Identifier: BSD-2-Clause
"""The mandatory fields of an SPDX 2.3 document (sections 6, 7, 8 and 11 of the specification), as JSON; yields what is wrong."""
import hashlib
import re

ID = re.compile(r"SPDXRef-[A-Za-z0-9.-]+")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
CREATOR = re.compile(r"(Tool: \S.*-\S+|Person: .+|Organization: .+)")
URI = re.compile(r"[a-z][a-z0-9+.-]*:[^\s#]+")
# section 7.7: a URI, git and its like with the place after an @, or one of two words
LOCATION = re.compile(r"NONE|NOASSERTION|(?:(?:git|hg|svn|bzr)\+)?[a-z]+://[^\s#]+")
SIZES = {"SHA1": 40, "SHA256": 64}
RELATIONS = {"DESCRIBES", "CONTAINS", "DEPENDS_ON", "GENERATED_FROM", "PATCH_APPLIED"}


def document_faults(document):
    wanted = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT"}
    for key, value in wanted.items():
        if document.get(key) != value:
            yield f"{key} is {document.get(key)!r}"
    if not document.get("name"):
        yield "no name"
    if not URI.fullmatch(document.get("documentNamespace", "")):
        yield f"documentNamespace is {document.get('documentNamespace')!r}"
    creation = document.get("creationInfo", {})
    if not TIME.fullmatch(creation.get("created", "")):
        yield f"created is {creation.get('created')!r}"
    if not creation.get("creators") or not all(CREATOR.fullmatch(one) for one in creation["creators"]):
        yield f"creators are {creation.get('creators')!r}"


def checksum_faults(where, checksums, mandatory):
    found = {}
    for one in checksums:
        size = SIZES.get(one.get("algorithm"))
        if not size or not re.fullmatch(f"[0-9a-f]{{{size}}}", one.get("checksumValue", "")):
            yield f"{where}: checksum {one}"
        found[one.get("algorithm")] = one.get("checksumValue")
    if mandatory not in found and mandatory:
        yield f"{where}: no {mandatory}"


def package_faults(package, files):
    where = package.get("SPDXID")
    if not package.get("name"):
        yield f"{where}: no name"
    if not LOCATION.fullmatch(package.get("downloadLocation", "")):
        yield f"{where}: downloadLocation is {package.get('downloadLocation')!r}"
    yield from checksum_faults(where, package.get("checksums", []), None)
    code = package.get("packageVerificationCode")
    if package.get("filesAnalyzed", True):
        # section 7.9: SHA-1 of the sorted SHA-1 of the files
        sums = sorted(one["checksumValue"] for file in files for one in file["checksums"] if one["algorithm"] == "SHA1")
        if not code or code.get("packageVerificationCodeValue") != hashlib.sha1("".join(sums).encode()).hexdigest():
            yield f"{where}: packageVerificationCode is {code!r}"
    elif code:
        yield f"{where}: a packageVerificationCode though no file was analysed"


def file_faults(file):
    where = file.get("SPDXID")
    if not file.get("fileName", "").startswith("./"):
        yield f"{where}: fileName is {file.get('fileName')!r}"
    yield from checksum_faults(where, file.get("checksums", []), "SHA1")


def faults(document):
    files, packages = document.get("files", []), document.get("packages", [])
    yield from document_faults(document)
    elements = [document, *packages, *files]
    names = [element.get("SPDXID", "") for element in elements]
    for name in names:
        if not ID.fullmatch(name) or names.count(name) != 1:
            yield f"identifier {name!r}"
    for package in packages:
        yield from package_faults(package, files)
    for file in files:
        yield from file_faults(file)
    described = False
    for relation in document.get("relationships", []):
        if relation.get("relationshipType") not in RELATIONS:
            yield f"relationship {relation}"
        for end in ("spdxElementId", "relatedSpdxElement"):
            if relation.get(end) not in names:
                yield f"relationship to {relation.get(end)}, which is not there"
        described |= relation.get("relationshipType") == "DESCRIBES"
    if not described:
        yield "nothing says what the document describes"
