# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""nginx with the module rtmp, as many streaming platforms use it."""

import http.server
import pathlib
import threading
import urllib.parse

import processes
import server

MODULES = pathlib.Path("/usr/lib/nginx/modules")
APPLICATION = "live"

# One process, so that a kill ends the server and no child keeps the port.
BEGIN = """\
{modules}
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr info;
events {{ worker_connections 64; }}
rtmp {{
    access_log off;
    server {{
        listen {host}:{port};
        chunk_size 4096;
        application {application} {{
            live on;
            # Sound and picture may be apart by so much before the server makes them meet again.
            sync 10ms;
            {notice}
        }}
    }}
}}
"""

TLS = """\
stream {{
    server {{
        listen {host}:{tls_port} ssl;
        ssl_certificate {certificate};
        ssl_certificate_key {key};
        proxy_pass {host}:{port};
        tcp_nodelay on;
    }}
}}
"""


class RTMPServer(server.Server):
    """Accepts any stream key, or those that `gate` accepts; with TLS if it has the certificate of an `authority`."""

    name = "nginx"

    def __init__(self, gate=None, authority=None, stream_key="key", **place):
        super().__init__(**place)
        self.gate, self.authority, self.stream_key = gate, authority, stream_key
        self.tls_port = processes.free_port() if authority else None

    def command(self):
        names = ["ngx_rtmp_module.so"] + ["ngx_stream_module.so"] * bool(self.authority)
        missing = [name for name in names if not (MODULES / name).exists()]
        if missing:
            raise FileNotFoundError(f"{' and '.join(missing)} not found: scripts/install-packages broadcast")
        values = {
            "modules": "\n".join(f"load_module {MODULES / name};" for name in names), "folder": self.folder,
            "host": self.host, "port": self.port, "application": APPLICATION,
            "notice": f"on_publish {self.gate.url};" if self.gate else ""
        }
        text = BEGIN.format(**values)
        if self.authority:
            text += TLS.format(tls_port=self.tls_port, certificate=self.authority.certificate,
                               key=self.authority.key, **values)
        path = pathlib.Path(self.folder) / "nginx.conf"
        path.write_text(text, encoding="utf-8")
        return ["nginx", "-p", self.folder, "-e", "stderr", "-c", path]

    def wait_until_ready(self):
        super().wait_until_ready()
        if self.tls_port:
            self.program.wait_for_port(self.tls_port)

    @property
    def url(self):
        if self.tls_port:
            return f"rtmps://{self.host}:{self.tls_port}/{APPLICATION}/{self.stream_key}"
        return self.reading_url

    @property
    def reading_url(self):
        return f"rtmp://{self.host}:{self.port}/{APPLICATION}/{self.stream_key}"


class StreamKeyGate:
    """Handles nginx's authorization requests: accepts only one stream key."""

    def __init__(self, stream_key):
        self.stream_key = stream_key
        # All requested stream keys, in order.
        self.asked = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/publish"

    def __enter__(self):
        gate = self

        class Handler(http.server.BaseHTTPRequestHandler):

            def do_POST(self):
                form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                name = form.get("name", [""])[0]
                gate.asked.append(name)
                self.send_response(200 if name == gate.stream_key else 403)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
