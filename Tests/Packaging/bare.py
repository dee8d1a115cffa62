"""A Debian 12 with its essential packages only, in a folder, and processes that see nothing else."""

import hashlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".build/bare"
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
CHANGED_BY_SYSTEM = (
    "dev/", "proc/", "run/", "sys/", "tmp/", "var/cache/", "var/lib/apt/", "var/lib/dpkg/", "var/log/", "etc/ld.so.cache",
    "etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-")
"""What differs after any installation: lists of packages, logs, and the last version of the lists of users."""


def prepare():
    """Makes the folder that the others are copies of, once."""
    if (CACHE / "etc/debian_version").exists() and not (CACHE / "debootstrap").exists():
        return
    shutil.rmtree(CACHE, ignore_errors=True)
    CACHE.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["debootstrap", "--variant=minbase", "bookworm", CACHE, MIRROR], check=True, stdout=subprocess.DEVNULL)


def launch(folder, words, mounts=(), **pipes):
    """Starts a command as the first process of a system: `mounts` are lines of a shell that are done before, outside."""
    script = "\n".join([*mounts, f"mount -t proc proc {folder}/proc", f'exec chroot {folder} "$@"'])
    return subprocess.Popen(
        ["unshare", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "sh", "-ec", script, "sh", *map(str, words)],
        stdin=subprocess.DEVNULL, text=True, **pipes)


def first_process(launched):
    """The id of the first process of a system, as it is out here, once it is there."""
    while True:
        assert launched.poll() is None, f"the system ended with {launched.returncode}"
        for process in descendants(launched.pid):
            # One id for each space of processes that it is in.
            ids = re.search(r"^NSpid:(.*)$", read(f"/proc/{process}/status"), re.MULTILINE)
            if ids and ids[1].split()[1:] == ["1"]:
                return process
        time.sleep(0.01)


def descendants(process):
    children = [int(child) for child in read(f"/proc/{process}/task/{process}/children").split()]
    return children + [other for child in children for other in descendants(child)]


def read(path):
    """The text of a file about a process; empty if the process has ended meanwhile."""
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def in_environment(variables, directory):
    """The words that clear the environment for a command, and go to a folder."""
    return ["env", "-i", f"--chdir={directory}", *(f"{name}={value}" for name, value in variables.items())]


class System:
    """A folder, and processes in it, which have ids, mounts and a name of their own; the network is the machine's."""

    def __init__(self, folder, process):
        self.folder, self.process = Path(folder), process

    def command(self, words, user="root", environment=None, directory="/"):
        """The words that run a command inside, with nothing of the environment outside."""
        home = "/root" if user == "root" else f"/home/{user}"
        variables = ENVIRONMENT | {"HOME": home} | (environment or {})
        as_user = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return [
            "nsenter", f"--target={self.process}", "--mount", "--pid", "--uts", "--ipc", "--root",
            *in_environment(variables, directory), *as_user, *map(str, words)]

    def run(self, *words, code=0, **where):
        """Runs a command to its end, checks its exit code, and returns what it printed."""
        done = subprocess.run(
            self.command(words, **where), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == code, f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout

    def install(self, *packages):
        self.run("apt-get", "-qq", "update")
        self.run("apt-get", "-qq", "-y", "--no-install-recommends", "install", *packages)

    def add_user(self, name):
        self.run("useradd", "--create-home", name)

    def copy_in(self, file, place):
        shutil.copy2(file, f"{self.folder}{place}")

    def files(self):
        """Every file and folder, with its owner, permissions and content, without what differs after any installation."""
        found = {}
        for folder, folders, names in os.walk(self.folder):
            for name in [*folders, *names]:
                path = Path(folder, name)
                known = str(path.relative_to(self.folder))
                if not f"{known}/".startswith(CHANGED_BY_SYSTEM) and known not in CHANGED_BY_SYSTEM:
                    status = path.lstat()
                    content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(status.st_mode) else ""
                    found[known] = (status.st_mode, status.st_uid, status.st_gid, content)
        return found


@contextmanager
def copy_of_bare():
    """A folder with a new Debian 12, which is removed in the end."""
    with tempfile.TemporaryDirectory(prefix="flagboard-bare-") as parent:
        folder = Path(parent, "root")
        subprocess.run(["cp", "-a", "--reflink=auto", CACHE, folder], check=True)
        shutil.copy2("/etc/resolv.conf", folder / "etc/resolv.conf")
        yield folder


@contextmanager
def inside(folder):
    """A system of a folder, in which commands can be run."""
    holder = launch(folder, ["sh", "-c", "echo; exec sleep infinity"], stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == "\n"
        yield System(folder, first_process(holder))
    finally:
        # Whatever is left in there ends with the first of its processes.
        holder.kill()
        holder.wait()
        holder.stdout.close()


@contextmanager
def bare_system():
    """A new Debian 12, in which commands can be run."""
    with copy_of_bare() as folder, inside(folder) as system:
        yield system
