# SPDX-License-Identifier: BSD-2-Clause
"""A BMC on loopback: TLS, sessions, documents; a misbehaviour takes over any request."""
import base64
import gzip
import http.server
import json
import secrets
import ssl
import threading

import kinds

SESSIONS = "/redfish/v1/SessionService/Sessions"
ROOTS = ("/redfish", "/redfish/v1")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 120

    def setup(self):
        self.request = self.server.context.wrap_socket(self.request, server_side=True)
        super().setup()

    def log_message(self, *args):
        pass

    def plain(self):
        return self.path.partition("?")[0].rstrip("/")

    def say(self, status, content=b"", *headers, kind="application/json"):
        if not isinstance(content, bytes):
            content = json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def error(self, status):
        """The words of DSP0266."""
        self.say(status, {"error": {"code": "Base.1.8.GeneralError", "message": "see @Message.ExtendedInfo",
                                    "@Message.ExtendedInfo": [{"MessageId": "Base.1.8.GeneralError",
                                                               "MessageArgs": [kinds.SERIAL]}]}})

    def authorized(self):
        bmc = self.server.bmc
        token, basic = self.headers.get("X-Auth-Token"), self.headers.get("Authorization", "")
        wanted = base64.b64encode(f"{kinds.USER}:{kinds.PASSWORD}".encode()).decode()
        return token in bmc.sessions.values() or (bmc.basic and basic == "Basic " + wanted)

    def answer(self):
        bmc = self.server.bmc
        self.content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with bmc.lock:
            bmc.seen.append((self.command, self.path, dict(self.headers)))
        for prefix, act in bmc.acts.items():
            if self.plain() == prefix or self.path == prefix:
                if act(self) is not False:
                    return
        if self.command == "POST" and self.plain() == bmc.login:
            self.log_in()
        elif self.command == "DELETE" and self.plain().startswith(bmc.login + "/"):
            self.log_out()
        else:
            self.show()

    def log_in(self):
        bmc = self.server.bmc
        try:
            asked = json.loads(self.content)
        except ValueError:
            asked = {}
        if asked != {"UserName": kinds.USER, "Password": kinds.PASSWORD}:
            self.error(401)
            return
        name, token = f"{bmc.login}/{secrets.token_hex(5)}", "TOKEN" + secrets.token_hex(16)
        with bmc.lock:
            bmc.sessions[name] = token
            bmc.tokens.append(token)
        where = (f"https://{self.headers['Host']}{name}" if bmc.absolute else name)
        headers = [] if bmc.no_location else [("Location", where)]
        self.say(201, {"@odata.id": name, "UserName": kinds.USER}, ("X-Auth-Token", token), *headers)

    def log_out(self):
        bmc = self.server.bmc
        found = self.authorized() and bmc.sessions.pop(self.plain(), None)
        bmc.logouts += bool(found)
        self.say(204) if found else self.error(404)

    def show(self):
        bmc = self.server.bmc
        path = self.path if self.path in bmc.documents else self.plain()
        if path not in ROOTS and not self.authorized():
            self.error(401)
        elif path not in bmc.documents:
            self.error(404)
        elif bmc.slashes and not self.path.endswith("/") and "?" not in self.path:
            self.say(308, b"", ("Location", self.path + "/"))
        elif "registrystore" in path:
            self.say(200, gzip.compress(json.dumps(bmc.documents[path]).encode()), ("Content-Encoding", "gzip"))
        else:
            self.say(200, bmc.documents[path])

    def do_GET(self):
        self.answer()

    def do_POST(self):
        self.answer()

    def do_DELETE(self):
        self.answer()


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A client that goes away or trusts nobody is what these tests are about."""


class Bmc:
    """documents by address without a slash at the end; acts by address: called with the handler in place of it."""

    def __init__(self, certificate, documents, acts=None, slashes=False, login=SESSIONS, **more):
        self.documents, self.acts, self.slashes, self.login = documents, acts or {}, slashes, login
        self.basic, self.absolute = more.get("basic", True), more.get("absolute", False)
        self.no_location = more.get("no_location", False)
        self.seen, self.sessions, self.tokens, self.logouts = [], {}, [], 0
        self.lock = threading.Lock()
        self.arrived, self.released = threading.Event(), threading.Event()
        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.listener.bmc = self
        self.listener.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.listener.context.load_cert_chain(certificate, certificate.with_suffix(".key"))
        self.port = self.listener.server_address[1]
        self.url = f"https://127.0.0.1:{self.port}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def close(self):
        self.released.set()
        self.listener.shutdown()
        self.listener.server_close()

    def paths(self, command="GET"):
        return [path for method, path, _ in self.seen if method == command]
