"""postgres.py: a temporary PostgreSQL cluster. Also works for root, although PostgreSQL itself refuses to run as
root."""
import contextlib
import glob
import os
import shutil
import signal
import subprocess
import tempfile


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
