"""postgres.py: a temporary PostgreSQL cluster. Also works for root, although PostgreSQL itself refuses to run as
root."""
import contextlib
import glob
import os
import queue
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time


def bin_folder():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return found[-1] if found else (os.path.dirname(shutil.which("initdb") or "") or None)


class Cluster:
    """Starts on entry and leaves nothing behind. It does not listen on the network."""

    def __init__(self, options=""):
        self.bin = bin_folder()
        self.options = options or "-c fsync=off"

    @staticmethod
    def available():
        return bin_folder() is not None

    def _run(self, *words, check=True):
        words = list(words)
        if os.getuid() == 0:
            words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=" + self.folder] + words
        return subprocess.run(words, check=check, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="quire-pg.", dir="/tmp")
        if os.getuid() == 0:
            os.chown(self.folder, 65534, 65534)
        os.chmod(self.folder, 0o755)
        self.data = os.path.join(self.folder, "data")
        self._run(self.bin + "/initdb", "-D", self.data, "-U", "quire", "-A", "trust", "-E", "UTF8", "--locale=C",
                  "--no-sync")
        self.start()
        self.url = f"postgresql://quire@/postgres?host={self.folder}"
        return self

    def start(self):
        self._run(self.bin + "/pg_ctl", "-D", self.data, "-s", "-w", "-l", self.folder + "/log", "-o",
                  f"-c listen_addresses='' -k {self.folder} {self.options} -c shared_buffers=32MB -c max_connections=200",
                  "start")

    def kill(self):
        """Ends it like a power failure: no process can clean up."""
        with open(os.path.join(self.data, "postmaster.pid")) as f:
            first = int(f.readline())
        with open(f"/proc/{first}/task/{first}/children") as f:
            for pid in [first, *map(int, f.read().split())]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        # After a reboot no process has the old process id. Here the old process may still be a zombie.
        os.unlink(os.path.join(self.data, "postmaster.pid"))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.folder, ".s.PGSQL.5432.lock"))

    def stop(self):
        self._run(self.bin + "/pg_ctl", "-D", self.data, "-m", "immediate", "-s", "-w", "stop", check=False)

    def sql(self, text):
        done = subprocess.run([self.bin + "/psql", "-X", "-A", "-t", "-q", self.url, "-c", text], check=True,
                              capture_output=True, text=True)
        return done.stdout.strip()

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Proxy:
    """Passes bytes between clients and a cluster, with a delay in each direction if wanted, and counts round trips: how often a
    client waits for an answer. It does not wait for the end of a read."""

    def __init__(self, cluster, delay=0.0):
        self.cluster, self.delay = cluster, delay
        self.folder = tempfile.mkdtemp(prefix="quire-proxy.", dir="/tmp")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.folder + "/.s.PGSQL.5432")
        self.listener.listen(100)
        self.url = cluster.url.replace(cluster.folder, self.folder)
        self.lock = threading.Lock()
        self.n = 0

    def trips(self):
        with self.lock:
            return self.n

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client = self.listener.accept()[0]
                server = socket.socket(socket.AF_UNIX)
                server.connect(self.cluster.folder + "/.s.PGSQL.5432")
                state = {"asks": False}
                for one, other, asks in ((client, server, True), (server, client, False)):
                    chunks = queue.Queue()
                    threading.Thread(target=self._read, args=(one, chunks, state, asks), daemon=True).start()
                    threading.Thread(target=self._write, args=(other, chunks), daemon=True).start()

    def _read(self, one, chunks, state, asks):
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 16):
                with self.lock:
                    self.n += not asks and state["asks"]
                    state["asks"] = asks and b"ROLLBACK" not in data
                chunks.put((time.monotonic() + self.delay, data))
        chunks.put((0, b""))

    def _write(self, other, chunks):
        with contextlib.suppress(OSError):
            while True:
                when, data = chunks.get()
                if not data:
                    other.shutdown(socket.SHUT_WR)
                    return
                time.sleep(max(0, when - time.monotonic()))
                other.sendall(data)

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)
