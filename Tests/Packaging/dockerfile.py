"""The last stage of a Dockerfile, as far as it needs no engine: its steps are done in a folder."""

import json
import re
import shlex
import shutil
from dataclasses import dataclass, field


@dataclass
class Image:
    """What a container is started with."""

    environment: dict = field(default_factory=dict)
    user: str = "0:0"
    directory: str = "/"
    volumes: list = field(default_factory=list)
    ports: list = field(default_factory=list)
    entrypoint: list = field(default_factory=list)
    command: list = field(default_factory=list)
    health: list = field(default_factory=list)


def steps(text):
    """The instructions of the last stage, without its FROM: each with its words."""
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    found = [tuple(line.split(None, 1)) for line in lines if line.strip()]
    stages = [number for number, (name, _) in enumerate(found) if name == "FROM"]
    return found[stages[-1]][1], found[stages[-1] + 1:]


def build(text, system, from_build):
    """Does the steps in a system; `from_build` has the files of the first stage by their path there."""
    image = Image()
    for name, words in steps(text)[1]:
        match name:
            case "RUN":
                system.run("sh", "-c", words)
            case "COPY":
                option, source, target = words.split()
                assert option == "--from=build"
                shutil.copy2(from_build[source], f"{system.folder}{target}")
            case "ENV":
                image.environment |= dict(pair.split("=", 1) for pair in shlex.split(words))
            case "USER":
                image.user = words
            case "WORKDIR":
                image.directory = words
                assert (system.folder / words.lstrip("/")).is_dir(), words
            case "VOLUME":
                image.volumes.append(words)
            case "EXPOSE":
                image.ports.append(int(words))
            case "ENTRYPOINT":
                image.entrypoint = json.loads(words)
            case "CMD":
                image.command = json.loads(words)
            case "HEALTHCHECK":
                image.health = json.loads(words.split("CMD ", 1)[1])
            case _:
                raise AssertionError(f"{name}: the trial doesn't know what this does")
    return image
