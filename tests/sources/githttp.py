# SPDX-License-Identifier: BSD-2-Clause
"""Repositories over https: git's own http-backend behind a server on loopback."""
import http.server
import os
import ssl
import subprocess
import threading

BACKEND = "git-http-backend"


def backend():
    where = subprocess.run(["git", "--exec-path"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return os.path.join(where, BACKEND)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        """Quiet."""

    def answer(self):
        path, _, query = self.path.partition("?")
        self.server.paths.append(path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Transfer-Encoding", "") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        env = {"PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(self.server.folder), "GIT_HTTP_EXPORT_ALL": "1",
               "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent", "PATH_INFO": path, "QUERY_STRING": query,
               "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""),
               "CONTENT_LENGTH": str(len(body)), "REMOTE_ADDR": "127.0.0.1",
               "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
               "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", "")}
        done = subprocess.run([backend()], input=body, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        rows = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        self.send_response(int(rows.pop("Status", "200 OK").split()[0]))
        for name, value in rows.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = answer


class Server:
    def __init__(self, servers, folder):
        self.web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(servers.certificate, servers.certificate.with_suffix(".key"))
        self.web.socket = context.wrap_socket(self.web.socket, server_side=True, do_handshake_on_connect=False)
        self.web.folder, self.web.paths, self.web.daemon_threads = folder, [], True
        self.paths, self.port = self.web.paths, self.web.server_address[1]
        threading.Thread(target=self.web.serve_forever, daemon=True).start()

    def close(self):
        self.web.shutdown()
        self.web.server_close()
