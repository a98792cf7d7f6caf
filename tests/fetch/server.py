# SPDX-License-Identifier: BSD-2-Clause
"""Servers on loopback that behave in all ways a download can go wrong. The path of a request is /CASE/BEHAVIOUR."""
import collections
import random
import select
import socketserver
import ssl
import threading

SOURCE = random.Random(2)
DATA = SOURCE.randbytes(300_000)
OTHER = SOURCE.randbytes(len(DATA))
HALF = len(DATA) // 2
ENDLESS_BYTES = 64 << 20  # a server that is not cut off stops here
PATIENCE_S = 30
BEHAVIOURS = {}


def behaviour(function):
    BEHAVIOURS[function.__name__.replace("_", "-")] = function
    return function


class Exchange:
    """One request: its headers by lower-case name, how many came before it for this path, and the way back."""

    def __init__(self, server, stream, path, headers, number):
        self.server, self.stream, self.path, self.headers, self.number = server, stream, path, headers, number

    def first(self):
        """The first byte asked for, or None."""
        text = self.headers.get("range", "")
        return int(text[6:-1]) if text.startswith("bytes=") and text.endswith("-") else None

    def send(self, content):
        self.stream.sendall(content)

    def head(self, status, *headers):
        self.send("\r\n".join([f"HTTP/1.1 {status}", "Connection: close", *headers, "", ""]).encode("latin-1"))

    def reply(self, status, content=b"", *headers):
        self.head(status, f"Content-Length: {len(content)}", *headers)
        self.send(content)

    def part(self, content, first, *headers):
        self.reply("206 Partial Content", content[first:],
                   f"Content-Range: bytes {first}-{len(content) - 1}/{len(content)}", *headers)

    def wait_for_end(self):
        """Until the client closes; a client that does not is a failure of its own."""
        self.stream.settimeout(PATIENCE_S)
        while self.stream.recv(4096):
            pass


def serve(x, content, tag='"one"'):
    """What a good server does with ranges and If-Range (RFC 9110)."""
    first, wanted = x.first(), x.headers.get("if-range", tag)
    if first is None or wanted != tag:
        x.reply("200 OK", content, f"ETag: {tag}", "Accept-Ranges: bytes")
    elif first >= len(content):
        x.reply("416 Range Not Satisfiable", b"", f"Content-Range: bytes */{len(content)}")
    else:
        x.part(content, first, f"ETag: {tag}")


@behaviour
def whole(x):
    serve(x, DATA)


@behaviour
def other(x):
    serve(x, OTHER)


@behaviour
def no_ranges(x):
    x.reply("200 OK", DATA)


@behaviour
def refuses_ranges(x):
    x.reply(*(("200 OK", DATA) if x.first() is None else ("416 Range Not Satisfiable",)))


@behaviour
def another_range(x):
    x.part(DATA, x.first() + 1) if x.first() is not None else serve(x, DATA)


@behaviour
def range_without_numbers(x):
    x.reply("206 Partial Content", DATA[x.first():]) if x.first() is not None else serve(x, DATA)


@behaviour
def unasked_range(x):
    x.part(DATA, 0)


@behaviour
def half_then_rest(x):
    if x.number:
        serve(x, DATA)
    else:
        x.head("200 OK", f"Content-Length: {len(DATA)}", 'ETag: "one"')
        x.send(DATA[:HALF])


@behaviour
def weak_half_then_rest(x):
    if x.number:
        serve(x, DATA)
    else:
        x.head("200 OK", f"Content-Length: {len(DATA)}", 'ETag: W/"one"')
        x.send(DATA[:HALF])


@behaviour
def always_a_little(x):
    first = x.first() or 0
    x.head("206 Partial Content" if first else "200 OK", f"Content-Length: {len(DATA) - first}",
           f"Content-Range: bytes {first}-{len(DATA) - 1}/{len(DATA)}")
    x.send(DATA[first:first + 1000])


@behaviour
def header_only(x):
    x.head("200 OK", f"Content-Length: {len(DATA)}")


@behaviour
def changed(x):
    if x.number:
        serve(x, DATA, '"two"')
    else:
        x.head("200 OK", f"Content-Length: {len(DATA)}", 'ETag: "one"')
        x.send(OTHER[:HALF])


@behaviour
def changed_silently(x):
    if x.number:
        serve(x, DATA)
    else:
        x.head("200 OK", f"Content-Length: {len(DATA)}")
        x.send(OTHER[:HALF])


@behaviour
def endless_chunks(x):
    x.head("200 OK", "Transfer-Encoding: chunked")
    for _ in range(ENDLESS_BYTES >> 16):
        x.send(b"10000\r\n" + bytes(1 << 16) + b"\r\n")
    x.server.uncut.append(x.path)


@behaviour
def endless(x):
    x.head("200 OK")
    for _ in range(ENDLESS_BYTES >> 16):
        x.send(bytes(1 << 16))
    x.server.uncut.append(x.path)


@behaviour
def endless_header(x):
    x.send(b"HTTP/1.1 200 OK\r\n")
    for _ in range(ENDLESS_BYTES >> 10):
        x.send(b"X-Long: " + b"a" * 1014 + b"\r\n")
    x.server.uncut.append(x.path)


@behaviour
def one_more(x):
    x.reply("200 OK", DATA + b"!")


@behaviour
def one_less(x):
    x.reply("200 OK", DATA[:-1])


@behaviour
def one_more_unsaid(x):
    x.head("200 OK")
    x.send(DATA + b"!")


@behaviour
def unsaid(x):
    """No length: the end of TLS is the end of the body."""
    x.head("200 OK")
    x.send(DATA)
    x.stream.unwrap()


@behaviour
def cut_unsaid(x):
    """The connection ends, TLS does not: whoever sits between can do that."""
    x.head("200 OK")
    x.send(DATA[:HALF])


@behaviour
def one_less_unsaid(x):
    x.head("200 OK", "Transfer-Encoding: chunked")
    x.send(f"{len(DATA) - 1:x}\r\n".encode() + DATA[:-1] + b"\r\n0\r\n\r\n")


@behaviour
def chunks(x):
    x.head("200 OK", "Transfer-Encoding: chunked", "Trailer: Content-Length")
    for at in range(0, len(DATA), 10_000):
        x.send(b"2710\r\n" + DATA[at:at + 10_000] + b"\r\n")
    x.send(b"0\r\nContent-Length: 7\r\n\r\n")


@behaviour
def stalls(x):
    x.head("200 OK", f"Content-Length: {len(DATA)}")
    x.send(DATA[:1000])
    x.wait_for_end()


@behaviour
def trickles(x):
    """Twenty bytes a second; the client's close is the end."""
    x.head("200 OK", f"Content-Length: {len(DATA)}")
    for at in range(PATIENCE_S * 20):
        x.send(DATA[at:at + 1])
        if select.select([x.stream], [], [], 0.05)[0]:
            return


@behaviour
def together(x):
    """Answers when two requests are here at once."""
    x.server.barrier.wait(PATIENCE_S)
    serve(x, DATA)


@behaviour
def one_of_six(x):
    serve(x, DATA)
    x.server.six.release()


@behaviour
def after_six(x):
    """Answers when six others have been served."""
    x.head("200 OK", f"Content-Length: {len(DATA)}")
    x.send(DATA[:1000])
    for _ in range(6):
        x.server.six.acquire(timeout=PATIENCE_S)
    x.send(DATA[1000:])


@behaviour
def after_release(x):
    x.server.arrived.set()
    x.server.released.wait(PATIENCE_S)
    serve(x, DATA)


@behaviour
def interim(x):
    x.send(b"HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\n")
    serve(x, DATA)


@behaviour
def encoded(x):
    x.reply("200 OK", DATA, "Content-Encoding: gzip")


@behaviour
def needs_password(x):
    # user:geheim
    if x.headers.get("authorization") == "Basic dXNlcjpnZWhlaW0=":
        serve(x, DATA)
    else:
        x.reply("401 Unauthorized", b"", 'WWW-Authenticate: Basic realm="geheim"')


@behaviour
def cookie_then_whole(x):
    x.reply("302 Found", b"body", "Set-Cookie: a=b; Path=/", "Location: whole")


@behaviour
def hostile_status(x):
    x.send(b"HTTP/1.1 404 \x1b]0;title\x07\x1b[2J\tfailed\x85\r\nContent-Length: 0\r\n\r\n")


@behaviour
def hostile_redirect(x):
    x.reply("302 Found", b"", "Location: gopher://\x1b[2J\tuser:geheim@host/\x07")


@behaviour
def not_http(x):
    x.send(b"SSH-2.0-OpenSSH_9.2\r\n" + DATA)


def answer_status(status):
    return lambda x: x.reply(status, b"what is said of it")


def redirect(location):
    return lambda x: x.reply("302 Found", b"", "Location: " + location.format(**x.server.addresses))


BEHAVIOURS.update({
    "404": answer_status("404 Not Found"),
    "500": answer_status("500 Internal Server Error"),
    "204": lambda x: x.head("204 No Content"),
    "203": answer_status("203 Non-Authoritative Information"),
    "304": lambda x: x.head("304 Not Modified"),
    "302-nowhere": answer_status("302 Found"),
    "to-whole": redirect("whole"),
    "to-localhost": redirect("https://localhost:{good}/other-host/whole"),
    "to-loop": redirect("to-loop"),
    "to-http": redirect("http://127.0.0.1:{plain}/x/whole"),
    "to-expired": redirect("https://127.0.0.1:{expired}/x/whole"),
    "to-file": redirect("file://{file}"),
    "to-ftp": redirect("ftp://user:geheim@127.0.0.1:{plain}/x"),
    "to-gopher": redirect("gopher://127.0.0.1:{plain}/x"),
    "to-password": redirect("https://user:geheim@127.0.0.1:{good}/given-password/404"),
})


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        try:
            if self.server.context:
                self.request = self.server.context.wrap_socket(self.request, server_side=True)
            self.exchange()
        except (OSError, ssl.SSLError, threading.BrokenBarrierError):
            pass
        finally:
            self.request.close()

    def exchange(self):
        received = b""
        self.server.connections += 1
        while b"\r\n\r\n" not in received:
            more = self.request.recv(4096)
            if not more:
                return
            if more.startswith(b"\x16\x03"):  # TLS to a server without it
                self.request.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                return
            received += more
        first, *lines = received.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        path = first.split(" ")[1]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        with self.server.lock:
            log = self.server.seen[path.split("/")[1]]
            number = sum(1 for seen, _ in log if seen == path)
            log.append((path, headers))
        BEHAVIOURS[path.split("/")[-1]](Exchange(self.server, self.request, path, headers, number))


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, certificate, addresses):
        super().__init__(("127.0.0.1", 0), Handler)
        self.context, self.addresses, self.connections = None, addresses, 0
        self.seen, self.uncut = collections.defaultdict(list), []
        self.lock, self.barrier = threading.Lock(), threading.Barrier(2)
        self.arrived, self.released = threading.Event(), threading.Event()
        self.six = threading.Semaphore(0)
        self.port = self.server_address[1]
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate, certificate.with_suffix(".key"))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that goes away is what these tests are about."""
