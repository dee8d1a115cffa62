"""What the machine itself takes: the least that any program could, by plain calls in the same folder."""

import os
import time


def replace_file(folder, content):
    """Puts a file's new bytes in place as safely as can be, and returns the milliseconds of it."""
    new, file = folder / "floor.new", folder / "floor"
    start = time.perf_counter()
    written = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        left = memoryview(content)
        while left:
            left = left[os.write(written, left) :]
        os.fsync(written)
    finally:
        os.close(written)
    os.rename(new, file)
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
    return (time.perf_counter() - start) * 1000
