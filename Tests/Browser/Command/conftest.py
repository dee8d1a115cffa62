import pytest
from command_project import Project
from harness import Server


@pytest.fixture(params=["served", "by itself"])
def project(request, tmp_path):
    project = Project(tmp_path / "project")
    if request.param == "by itself":
        yield project
        return
    server = Server(project.file)
    yield project
    assert server.stop() == 0


@pytest.fixture
def unserved(tmp_path):
    return Project(tmp_path / "project")
