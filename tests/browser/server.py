"""The built site as a host serves it: under a sub-path, with the policy of the promises in a header."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'"
)
SUB_PATH = "/a/b/"
TYPES = {
    "": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}


class Handler(SimpleHTTPRequestHandler):
    """Serves the folder of the site below the sub-path, and nothing beside it."""

    protocol_version = "HTTP/1.1"  # a connection is kept, as hosts do
    extensions_map = TYPES
    error_content_type = "text/plain"
    error_message_format = "%(code)d %(message)s"

    def translate_path(self, path: str) -> str:
        inside = path.startswith(SUB_PATH)
        return super().translate_path(path[len(SUB_PATH) - 1 :] if inside else "/nothing/is/beside/it")

    def do_GET(self) -> None:
        if self.path == "/favicon.ico":  # browsers ask for it by themselves where a page names no icon
            self.send_response(HTTPStatus.NO_CONTENT)
            self.end_headers()
        else:
            super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The site's own page for a missing address, as hosts serve it."""
        page = Path(self.directory, "404.html")
        if code != HTTPStatus.NOT_FOUND or not page.exists():
            super().send_error(code, message, explain)
            return
        text = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", TYPES[".html"])
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        """Say nothing: what goes wrong is seen in the browser."""


class Server(ThreadingHTTPServer):
    """Does not wait for connections that a browser keeps open."""

    block_on_close = False
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves a page drops its requests: no fault."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of *folder* on this machine, ending with a slash."""
    with Server(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}{SUB_PATH}"
        server.shutdown()
        thread.join()
