"""Kills and stops a writer that publishes, members of etcd and a replica in turn, and checks all that readers saw.

`FLAGBOARD_SEED` repeats a run; script/test always tries the same, script/torture others each time.
"""

import os
import random
import tempfile
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from etcd import ETCD
from followers import Scene
from readers import PROGRAM
from table import Row, Skipped

FULL, QUICK = 1000, 20
"""Kills."""
PER_SCENE = 50
"""After so many kills all begins anew, on empty files."""


def try_seed(seed, count):
    """Plays a scene; returns it, and what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder), seed)
        try:
            scene.play(count)
            return scene, None
        except AssertionError as problem:
            return scene, f"seed {seed}: {problem}"
        except Exception:
            return scene, f"seed {seed}: {traceback.format_exc()}"
        finally:
            scene.end()


def run(count, jobs):
    for program in (ETCD, PROGRAM):
        if not Path(program).exists():
            raise Skipped(f"{program} is not there")
    first = int(os.environ.get("FLAGBOARD_SEED") or (1 if count <= QUICK else random.randrange(1_000_000)))
    portions = [min(PER_SCENE, count - start) for start in range(0, count, PER_SCENE)]
    with ThreadPoolExecutor(jobs) as pool:
        outcomes = list(pool.map(try_seed, range(first, first + len(portions)), portions))
    scenes = [scene for scene, _ in outcomes]
    problems = tuple(problem for _, problem in outcomes if problem)
    kills, pauses = Counter(), Counter()
    for scene in scenes:
        kills += scene.kills
        pauses += scene.pauses
    told = lambda counter: ", ".join(f"{what} {number}" for what, number in counter.most_common())
    total = lambda what: sum(getattr(scene, what) for scene in scenes)
    note = (
        f"seeds from {first}; {told(kills)}; pauses: {told(pauses)}; healed and compared {total('healed')} times; "
        f"{total('changes')} changes acknowledged, {total('unknown')} cut; {total('checked')} reads checked")
    return [Row("kills of what is followed", kills.total(), len(problems), note, problems)]
