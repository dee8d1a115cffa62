"""The machine that the figures are from."""

import os
import platform
from pathlib import Path


def description(folder):
    """The processor, its cores, the kernel, and the file system of the folder."""
    kernel = platform.release().partition("-")[0]
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {kernel}, {_file_system(folder)}"


def load():
    """How many programs wanted a core in the last minute."""
    return os.getloadavg()[0]


def _processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _file_system(folder):
    """The type of the file system that the folder is on: the one of the longest mount point that it is under."""
    held = found = ""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, point, kind, *_ = line.split(" ")
        if Path(folder).resolve().is_relative_to(point) and len(point) >= len(held):
            held, found = point, kind
    return found
