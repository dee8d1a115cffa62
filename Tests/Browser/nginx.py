"""Runs a real nginx with TLS before a server."""

import shutil
import socket
import subprocess
import time

from etcd import free_ports
from harness import ROOT

NGINX = shutil.which("nginx") or str(ROOT / ".build-tools/nginx")

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} ssl;
        server_name localhost;
        ssl_certificate {folder}/certificate.pem;
        ssl_certificate_key {folder}/key.pem;
        location / {{
            return 200 "another application\\n";
        }}
{location}
    }}
}}
"""


class Nginx:
    """nginx at a port of its own, with a certificate of its own; `location` is what a test tries of its configuration."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.port = free_ports(1)[0]
        self.origin = f"https://localhost:{self.port}"
        self.process = None
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out",
             folder / "certificate.pem"],
            check=True, capture_output=True)

    def start(self, location):
        configuration = self.folder / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(folder=self.folder, port=self.port, location=location))
        with (self.folder / "output").open("w") as output:
            self.process = subprocess.Popen(
                [NGINX, "-p", self.folder, "-e", self.folder / "error.log", "-c", configuration], stdout=output,
                stderr=output, stdin=subprocess.DEVNULL)
        self._wait()

    def _wait(self):
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                log = (self.folder / "output").read_text()
                assert self.process.poll() is None and time.monotonic() < end, f"nginx doesn't answer: {log}"

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
