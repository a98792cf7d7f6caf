# SPDX-License-Identifier: BSD-2-Clause
"""A proxy on loopback that opens tunnels (RFC 9110 section 9.3.6) and remembers who asked for which."""
import select
import socket
import socketserver
import threading


class Tunnel(socketserver.BaseRequestHandler):
    def handle(self):
        received = b""
        while b"\r\n\r\n" not in received:
            more = self.request.recv(4096)
            if not more:
                return
            received += more
        lines = received.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ")
        self.server.asked.append((method, target, any(line.lower().startswith("proxy-authorization:") for line in lines)))
        host, _, port = target.rpartition(":")
        with socket.create_connection((host, int(port)), timeout=30) as there:
            # The length is of no body: nothing of a proxy's header may be taken for the server's.
            self.request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nETag: \"proxy\"\r\n\r\n")
            self.copy(there)

    def copy(self, there):
        ways = {self.request: there, there: self.request}
        while True:
            for ready in select.select(list(ways), [], [])[0]:
                content = ready.recv(65536)
                if not content:
                    return
                ways[ready].sendall(content)


class Proxy(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Tunnel)
        self.asked = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that goes away is no matter."""
