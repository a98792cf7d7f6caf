# SPDX-License-Identifier: BSD-2-Clause
"""One file each, and what must come of it: stated from RFC 9110 and the helper's protocol (src/fetch/request.h, answer.h)."""
import dataclasses
import hashlib

from server import DATA, HALF, OTHER


def digest(content):
    return hashlib.sha256(content).hexdigest()


@dataclasses.dataclass
class Case:
    name: str
    urls: str                       # SERVER:BEHAVIOUR..., or whole addresses with {names}
    want: str = "done"              # or the kind of failure; either of two where versions of curl differ
    begin: bytes = b""              # what the file holds before
    size: object = len(DATA)        # None: not known
    sha256: object = digest(DATA)   # None: not known
    most: int = 1 << 30
    options: tuple = ()
    content: object = None          # of the file afterwards; DATA after done, None is anything after a failure
    ranges: object = None           # first bytes asked for, one for each request that the servers saw
    says: tuple = ()                # texts that a note or the failure holds
    silent: tuple = ()              # texts that no line holds


def failed(name, urls, want, **more):
    return Case(name, urls, want, **more)


WHOLE = dict(ranges=[None])
UNKNOWN = dict(size=None, sha256=None)
QUICK = ("--low-speed", "1000:1")

CASES = [
    Case("a file is fetched", "good:whole", **WHOLE),
    Case("a file of unknown size and digest is fetched", "good:whole", **UNKNOWN, **WHOLE),
    Case("a body in chunks and with trailers is fetched", "good:chunks", size=None, **WHOLE),
    Case("a body that ends with TLS is fetched", "good:unsaid", size=None, **WHOLE),
    Case("an interim reply is passed over", "good:interim", **WHOLE),
    Case("an encoded body is kept as it came", "good:encoded", **WHOLE),
    Case("a host is found by its name", "https://localhost:{good}/{case}/whole", **WHOLE),
    # What is there already
    Case("a beginning is continued", "good:whole", begin=DATA[:1000], ranges=[1000]),
    Case("a wrong beginning is fetched anew", "good:whole", begin=OTHER[:1000], ranges=[1000, None],
         says=("once more from nothing",)),
    Case("a beginning of a file without a digest is not trusted", "good:whole", begin=OTHER[:1000], sha256=None, **WHOLE),
    Case("a whole file is not fetched", "good:whole", begin=DATA, ranges=[]),
    Case("a whole file with wrong bytes is fetched anew", "good:whole", begin=OTHER, **WHOLE),
    Case("a longer file is fetched anew", "good:whole", begin=DATA + b"!", **WHOLE),
    Case("a server without ranges sends the whole", "good:no-ranges", begin=OTHER[:1000], ranges=[1000]),
    Case("a refused range is asked for as a whole", "good:refuses-ranges", begin=DATA[:1000], ranges=[1000, None]),
    Case("another range than asked for is not taken", "good:another-range", begin=DATA[:1000], ranges=[1000, None]),
    Case("a range without numbers is not taken", "good:range-without-numbers", begin=DATA[:1000], ranges=[1000, None]),
    # Connections that end early
    Case("a broken download goes on where it stopped", "good:half-then-rest", ranges=[None, HALF], says=("going on",)),
    Case("it does so without a digest when the server names its file", "good:half-then-rest", **UNKNOWN,
         ranges=[None, HALF]),
    Case("without a digest and a name it begins again", "good:weak-half-then-rest", **UNKNOWN, ranges=[None, None]),
    failed("after three times it gives up", "good:always-a-little", "network", ranges=[None, 1000, 2000, 3000],
           content=DATA[:4000]),
    failed("a download that does not move is not repeated", "good:header-only", "network", ranges=[None]),
    Case("the next address continues", "good:always-a-little good:whole", ranges=[None, 1000, 2000, 3000, 4000]),
    failed("a body whose end only the connection tells is not trusted", "good:cut-unsaid", "http", content=b"", **UNKNOWN),
    failed("such a body is cut and the size tells", "good:cut-unsaid", "size or network", sha256=None),
    failed("such a body is cut and the digest tells", "good:cut-unsaid", "digest or network", size=None),
    Case("a file that changed is fetched as a whole", "good:changed", ranges=[None, HALF]),
    Case("a file that changed in silence is fetched anew", "good:changed-silently", ranges=[None, HALF, None]),
    # Sizes
    failed("endless chunks are cut off", "good:endless-chunks", "size", content=b""),
    failed("an endless body is cut off", "good:endless", "size", content=b""),
    failed("an endless body of unknown size is cut off at the maximum", "good:endless", "size", most=100_000, size=None,
           content=b""),
    failed("so are endless chunks", "good:endless-chunks", "size", most=100_000, **UNKNOWN),
    failed("an endless header is cut off", "good:endless-header", "http", content=b""),
    failed("a length that is too large is refused before the body", "good:one-more", "size", content=b"", **WHOLE),
    failed("a length that is too small is refused before the body", "good:one-less", "size", content=b"", **WHOLE),
    failed("a refused length leaves the beginning", "good:one-more", "size", begin=DATA[:1000], most=1 << 20),
    failed("one byte more is too much", "good:one-more-unsaid", "size", content=b""),
    failed("one byte less is too little", "good:one-less-unsaid", "size"),
    failed("a length above the maximum is refused", "good:whole", "size", most=len(DATA) - 1, **UNKNOWN, **WHOLE),
    Case("a length of the maximum is not", "good:whole", most=len(DATA), **UNKNOWN),
    # Time
    failed("a server that says nothing more is slow", "good:stalls", "slow", options=QUICK, content=DATA[:1000]),
    failed("a server that trickles is slow", "good:trickles", "slow", options=QUICK),
    failed("the run has a limit", "good:trickles", "slow", options=("--low-speed", "1:30", "--time-limit", "1")),
    failed("a server that does not shake hands is no server", "mute:whole", "network", options=("--connect-timeout", "1")),
    Case("after a slow server the next one continues", "good:stalls good:whole", options=QUICK, ranges=[None, 1000]),
    # Redirects
    Case("a redirect is followed", "good:to-whole", ranges=[None, None]),
    Case("a redirect to another host is followed", "good:to-localhost"),
    failed("a redirect to http is refused", "good:to-http", "refused", **WHOLE),
    failed("a redirect to a file is refused", "good:to-file", "refused", **WHOLE),
    failed("a redirect to ftp is refused", "good:to-ftp", "refused", silent=("geheim",), **WHOLE),
    failed("a redirect to gopher is refused", "good:to-gopher", "refused", **WHOLE),
    failed("a redirect loop ends", "good:to-loop", "refused", ranges=[None] * 6),
    failed("a redirect to a bad certificate is refused", "good:to-expired", "tls", **WHOLE),
    failed("a redirect to nowhere is no file", "good:302-nowhere", "http", content=b"", **UNKNOWN),
    # Answers
    failed("404 is a failure", "good:404", "http", content=b"", says=("404",), **UNKNOWN),
    failed("204 is no file", "good:204", "http", **UNKNOWN),
    failed("203 is no file", "good:203", "http", content=b"", **UNKNOWN),
    failed("304 is no file", "good:304", "http", **UNKNOWN),
    failed("a part that was not asked for is no file", "good:unasked-range", "http", content=b"", **UNKNOWN),
    failed("what is not HTTP is no file", "good:not-http", "http", content=b"", **UNKNOWN),
    Case("after 500 the next address is tried", "good:500 good:whole", ranges=[None, None], says=("500", "trying")),
    # Digests
    failed("wrong bytes are a failure of their own", "good:other", "digest", content=b"", says=(digest(OTHER),), **WHOLE),
    Case("after wrong bytes the next address is tried", "good:other good:whole", says=(digest(OTHER),),
         ranges=[None, None]),
    failed("wrong bytes are not forgotten at the next failure", "good:other good:404", "digest"),
    failed("nor at a slow one", "good:other good:stalls", "digest", options=QUICK),
    # TLS
    failed("a self-signed certificate is refused", "self-signed:whole", "tls", ranges=[]),
    failed("the certificate of another host is refused", "elsewhere:whole", "tls", ranges=[]),
    failed("an expired certificate is refused", "expired:whole", "tls", ranges=[]),
    failed("what does not speak TLS is refused", "plain:whole", "tls", ranges=[]),
    failed("an unknown authority is refused", "good:whole", "tls", options=("--ca", "{self_signed}"), ranges=[]),
    Case("after a bad certificate the next address is tried", "expired:whole good:whole"),
    # Addresses
    failed("nobody listens", "https://127.0.0.1:{closed}/", "network"),
    failed("http is refused", "http://127.0.0.1:{plain}/{case}/whole", "refused", ranges=[]),
    failed("what is no address is refused", "whole", "refused"),
    failed("an address without a scheme is refused", "127.0.0.1:{good}/{case}/whole", "refused", ranges=[]),
    failed("another scheme is refused", "ftp://user:geheim@127.0.0.1:{plain}/{case}/whole", "refused", silent=("geheim",)),
    Case("a password is used and not said", "https://user:geheim@127.0.0.1:{good}/{case}/needs-password",
         silent=("geheim", "user")),
    failed("a password is not said in a failure", "https://user:geheim@127.0.0.1:{good}/{case}/404 "
           "https://user:geheim@127.0.0.1:{expired}/{case}/x https://user:geheim@127.0.0.1:{closed}/", "network",
           silent=("geheim", "user")),
    failed("a wrong password is a failure", "https://user:falsch@127.0.0.1:{good}/{case}/needs-password", "http",
           silent=("falsch", "geheim")),
    Case("a password does not follow a redirect to another host", "https://user:geheim@127.0.0.1:{good}/{case}/to-localhost",
         silent=("geheim", "user")),
    failed("a password of a redirect is not said", "good:to-password", "http", silent=("geheim",)),
    failed("an odd password is not said", "https://user:geheim%2f@127.0.0.1:{closed}/a@b", "network", silent=("geheim",)),
    Case("no cookie is kept", "good:cookie-then-whole"),
    # Text of servers
    failed("a hostile status line is harmless", "good:hostile-status", "http"),
    failed("a hostile redirect is harmless", "good:hostile-redirect", "refused", silent=("geheim",)),
    # Files of this machine
    Case("a file: address is copied", "file://{file}"),
    Case("a file: address is continued", "file://{file}", begin=DATA[:1000]),
    Case("a file: address with an escape is copied", "file://{folder}/sour%63e"),
    Case("a file: address of a name with a blank is copied", "file://{folder}/a%20blank"),
    failed("a missing file is a failure", "file://{folder}/missing", "io", says=("No such file",)),
    Case("after a missing file the next address is tried", "file://{folder}/missing good:whole", says=("trying",)),
    failed("a directory is no file", "file://{folder}", "io", says=("not a regular file",)),
    failed("a FIFO is no file", "file://{folder}/fifo", "io", says=("not a regular file",)),
    failed("another host's file is refused", "file://elsewhere.example{file}", "refused"),
    failed("a longer file is a failure", "file://{file}", "size", size=len(DATA) - 1, content=b""),
    failed("a shorter file is a failure", "file://{file}", "size", size=len(DATA) + 1, content=b""),
    failed("a file above the maximum is a failure", "file://{file}", "size", most=1000, **UNKNOWN),
    failed("a file with wrong bytes is a failure", "file://{folder}/other", "digest", content=b""),
    Case("an empty file is a file", "file://{folder}/empty", size=0, sha256=digest(b""), content=b""),
]

# Requests that are none: nothing is fetched, not even by the good request before them.
GOOD = f"get\tgood\t{{fd}}\t{len(DATA)}\t{digest(DATA)}\t{len(DATA)}\t{{url}}"
ROW = "get\tx\t9\t-\t-\t10\thttps://127.0.0.1/"
USAGE = {
    "no word": "",
    "another word": "put" + ROW[3:],
    "blanks in place of tabs": ROW.replace("\t", " "),
    "no address": ROW.rpartition("\t")[0],
    "an empty address": ROW.rpartition("\t")[0] + "\t",
    "seventeen addresses": ROW + "\thttps://127.0.0.1/" * 16,
    "a long address": ROW + "a" * 5000,
    "a control character": ROW + "\x1b[2J",
    "a carriage return": ROW + "\r",
    "a byte that is no ASCII": ROW + "\xe9",
    "a blank in an address": ROW + "a b",
    "a NUL": ROW + "\0",
    "no ID": ROW.replace("\tx\t", "\t\t"),
    "an ID with a blank": ROW.replace("\tx\t", "\ta b\t"),
    "a long ID": ROW.replace("\tx\t", "\t" + "x" * 200 + "\t"),
    "the ID twice": ROW.replace("\tx\t", "\tgood\t"),
    "the descriptor twice": ROW.replace("\t9\t", "\t{fd}\t"),
    "standard output as the file": ROW.replace("\t9\t", "\t1\t"),
    "a negative descriptor": ROW.replace("\t9\t", "\t-1\t"),
    "a descriptor that overflows": ROW.replace("\t9\t", "\t4294967305\t"),
    "a size that is no number": ROW.replace("\t-\t-\t", "\t1e3\t-\t"),
    "a size that overflows": ROW.replace("\t-\t-\t", "\t18446744073709551626\t-\t"),
    "a size above the maximum": ROW.replace("\t-\t-\t", "\t11\t-\t"),
    "a maximum that is not known": ROW.replace("\t10\t", "\t-\t"),
    "a digest in upper case": ROW.replace("\t-\t-\t", f"\t-\t{digest(DATA).upper()}\t"),
    "a short digest": ROW.replace("\t-\t-\t", f"\t-\t{digest(DATA)[:-1]}\t"),
    "a digest with a NUL": ROW.replace("\t-\t-\t", f"\t-\t{digest(DATA)}\0\t"),
}
OPTIONS = ("--help", "--low-speed", "--low-speed=", "--low-speed=10", "--low-speed=0:1", "--low-speed=1:0", "--low-speed=1:-1",
           "--low-speed=1:1:1", "--parallel=0", "--parallel=65", "--time-limit=0", "--time-limit=1s",
           "--connect-timeout=99999", "--insecure", "word")
