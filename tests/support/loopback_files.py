"""A server of files on loopback: whole, cut off, with or without ranges; it remembers what it was asked for."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class LoopbackFiles:
    """What is served, and how."""

    def __init__(self, address):
        self.address = address
        self.files = {}
        self.cut_after = {}
        self.redirects = {}
        self.takes_ranges = True
        self.said_length = None
        """what the header says instead of the length"""
        self.asked = []
        self.was_asked, self.gate = threading.Event(), threading.Event()
        self.gate.set()

    def url(self, path, content=None):
        """Serve a content under a path, and give its address."""
        if content is not None:
            self.files[path] = content
        return f"{self.address}/{path}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        served = self.server.served
        path = self.path.rpartition("/")[2].partition("?")[0]
        wanted = self.headers.get("Range")
        served.asked.append((self.path, wanted))
        served.was_asked.set()
        served.gate.wait(30)
        if path in served.redirects:
            self.send_response(302)
            self.send_header("Location", served.redirects[path])
            self.end_headers()
            return
        content = served.files.get(path)
        if content is None:
            self.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and served.takes_ranges else 0
        if start and start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", served.said_length or str(len(content) - start))
        self.end_headers()
        self.wfile.write(content[start : served.cut_after.get(path, len(content))])

    def log_message(self, *_):
        """Say nothing."""


@contextmanager
def serving():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.served = LoopbackFiles(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
