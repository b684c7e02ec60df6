# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A test certificate authority, and the certificate of its servers on the loopback interface."""

import pathlib
import subprocess
import tempfile


class Authority:
    """`root` is the certificate that a client must trust, `certificate` and `key` are the server's."""

    def __init__(self, name="DNS:localhost,IP:127.0.0.1", days=2):
        """`name` is the name in the server's certificate, `days` its validity; negative for an expired one."""
        self.subject, self.days = name, days

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="obscura-authority-")
        folder = pathlib.Path(self._folder.name)
        self.root, self.certificate, self.key = (folder / name for name in ("root.pem", "server.pem", "server.key"))
        root_key, request, names = folder / "root.key", folder / "server.csr", folder / "names.cnf"
        names.write_text(f"subjectAltName={self.subject}\nbasicConstraints=CA:FALSE\n", encoding="utf-8")
        elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        self._openssl("req", "-x509", *elliptic, "-keyout", root_key, "-out", self.root, "-days", "2",
                      "-subj", "/CN=Obscura's tests", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        self._openssl("req", *elliptic, "-keyout", self.key, "-out", request, "-subj", "/CN=A server of the tests")
        self._openssl("x509", "-req", "-in", request, "-CA", self.root, "-CAkey", root_key, "-CAcreateserial",
                      "-out", self.certificate, "-days", self.days, "-extfile", names)
        return self

    @property
    def fingerprint(self):
        """The SHA-256 of the server's certificate, as openssl shows it."""
        run = subprocess.run(["openssl", "x509", "-in", self.certificate, "-noout", "-fingerprint", "-sha256"],
                             capture_output=True, text=True, check=True)
        return run.stdout.strip().partition("=")[2]

    def __exit__(self, *_):
        self._folder.cleanup()

    def sign_itself(self, name):
        """Makes another certificate for the server, as cameras do: self-signed, with only this name."""
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.key, "-out", self.certificate, "-days",
                      "2", "-subj", f"/CN={name}", "-addext", "basicConstraints=critical,CA:FALSE")

    @staticmethod
    def _openssl(*arguments):
        run = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True)
        if run.returncode:
            raise AssertionError(f"openssl {arguments[0]}: {run.stderr}")
