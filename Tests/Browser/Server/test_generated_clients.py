"""Clients that are made of the API's description, by the two programs that most people make them with."""

import gc
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness import Server
from samples import demonstration
from tokens import make_token

TOOLS = Path(sys.executable).parent
FEE, LOCKED = "checkout/delivery_fee", "onboarding/minimum_age"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clients")
    server = Server(demonstration(folder / "demo"), access="token")
    token = make_token(server.file, "ada", "admin")
    description = folder / "openapi.json"
    description.write_text(server.get("/api/v1/openapi.json", {"Authorization": f"Bearer {token}"}).text)
    yield server, token, description
    server.stop()


def made(folder, *command):
    """Runs a program that makes a client, and has Python find what it made; returns what it said."""
    done = subprocess.run(
        [TOOLS / command[0], *command[1:]], cwd=folder, capture_output=True, text=True, timeout=300,
        env=os.environ | {"PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def imported(monkeypatch):
    """Imports a module from a folder for the time of the test."""
    known = set(sys.modules)

    def load(folder, name):
        monkeypatch.syspath_prepend(str(folder))
        return importlib.import_module(name)

    yield load
    for name in set(sys.modules) - known:
        if name.partition(".")[0] in ("flagboard_client", "openapi_client"):
            del sys.modules[name]


def test_openapi_python_client_reads_all_of_it_and_its_client_works(world, tmp_path, imported):
    server, token, description = world
    said = made(tmp_path, "openapi-python-client", "generate", "--path", str(description), "--output-path", "made")
    assert "WARNING" not in said and "Unable" not in said, said
    load = lambda name: imported(tmp_path / "made", f"flagboard_client.{name}")  # noqa: E731
    models = load("models")
    operations = {path["operationId"] for methods in json.loads(description.read_text())["paths"].values()
                  for path in methods.values()}
    modules = {path.stem: path.parent.name for path in (tmp_path / "made/flagboard_client/api").glob("*/*.py")}
    assert {name.replace("_", "") for name in modules} >= {name.lower() for name in operations}

    client = load("client").AuthenticatedClient(base_url=server.address, token=token)

    def call(name, *place, status=200, **sent):
        answer = load(f"api.{modules[name]}.{name}").sync_detailed(*place, client=client, **sent)
        assert answer.status_code == status, f"{name}: {answer.status_code} {answer.content.decode()}"
        return answer.parsed

    assert FEE in [flag.key for flag in call("list_flags").flags]
    before = call("get_flag", FEE).value
    changed = call("set_flag", FEE, body=models.SetFlagBody(value=before + 1, reason="asked for"), if_match="*")
    assert changed.outcome == "applied" and changed.change.after == before + 1
    refused = call("set_flag", LOCKED, body=models.SetFlagBody(value=3), if_match="*", status=423)
    assert refused.code == "locked" and refused.key == LOCKED
    wanted = models.WantedDefinition(type_=models.WantedDefinitionType.BOOL, default=False)
    defined = call("put_definition", "made/one", body=models.PutDefinitionBody(definition=wanted), if_none_match="*")
    assert defined.definition.definition.default is False
    changes = [
        models.SetChange(key="made/one", action=models.SetChangeAction.SET, value=True, revision="*"),
        models.LockChange(key="made/one", action=models.LockChangeAction.LOCK),
        models.ResetChange(key=FEE, action=models.ResetChangeAction.RESET, revision="*"),
        models.DefineChange(key="made/two", action=models.DefineChangeAction.DEFINE, definition=wanted),
    ]
    outcomes = call("apply_batch", body=models.ApplyBatchBody(changes=changes)).outcomes
    assert [outcome.outcome for outcome in outcomes] == ["applied"] * 4
    renamed = models.Renaming(action=models.RenamingAction.RENAME, new_key="made/three")
    assert call("move_definition", "made/two", body=renamed, if_match="*").definition.key == "made/three"
    newest = call("list_changes", limit=20).changes
    assert {(change.key, str(change.kind)) for change in newest} >= {
        (FEE, "set"), (FEE, "reset"), ("made/one", "lock"), ("made/two", "define"), ("made/three", "define")}
    assert call("get_change", newest[-1].id).hash_ == newest[-1].hash_
    again = call("set_flag", FEE, body=models.SetFlagBody(value=before + 5), if_match="*").change
    [undone] = call("undo", body=models.UndoBody(reason="mistaken")).outcomes
    assert (undone.change.key, undone.change.before) == (FEE, before + 5) and "mistaken" in undone.change.reason
    [redone] = call("revert_change", undone.change.id, body=models.RevertChangeBody()).outcomes
    assert redone.change.after == again.after
    missing = call("get_flag", "no/such", status=404)
    assert missing.code == "unknown-flag"


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_openapi_generator_reads_batches_and_its_client_works(world, tmp_path, imported):
    server, token, description = world
    said = made(tmp_path, "openapi-generator-cli", "generate", "-i", str(description), "-g", "python", "-o", "made")
    assert "'oneOf' is intended" not in said and "ERROR" not in said, said
    api = imported(tmp_path / "made", "openapi_client")
    set_up = api.Configuration(host=server.address)
    set_up.access_token = token
    with api.ApiClient(set_up) as client:
        flags, definitions = api.FlagsAndValuesApi(client), api.DefinitionsApi(client)
        past = api.HistoryApi(client)
        assert FEE in [flag.key for flag in flags.list_flags().flags]
        before = flags.get_flag(FEE).value
        changed = flags.set_flag(key=FEE, if_match="*", set_flag_request=api.SetFlagRequest(value=before + 2))
        assert changed.outcome == "applied" and changed.change.after == before + 2
        with pytest.raises(api.ApiException) as refused:
            flags.set_flag(key=LOCKED, if_match="*", set_flag_request=api.SetFlagRequest(value=3))
        assert refused.value.status == 423 and refused.value.data.code == "locked"
        wanted = api.WantedDefinition(type="bool", default=False)
        defined = definitions.put_definition(
            key="spun/one", if_none_match="*", put_definition_request=api.PutDefinitionRequest(definition=wanted))
        assert defined.definition.key == "spun/one"
        one = api.ApplyBatchRequestChangesInner
        request = api.ApplyBatchRequest(changes=[
            one(api.SetChange(key="spun/one", action="set", value=True, revision="*")),
            one(api.LockChange(key="spun/one", action="lock")),
            one(api.ResetChange(key=FEE, action="reset", revision="*")),
            one(api.DefineChange(key="spun/two", action="define", definition=wanted)),
        ])
        outcomes = flags.apply_batch(apply_batch_request=request).actual_instance.outcomes
        assert [outcome.outcome for outcome in outcomes] == ["applied"] * 4
        assert api.ApplyBatchRequest.from_json(request.to_json()).to_dict() == request.to_dict()
        moved = api.MoveDefinitionRequest(api.Retirement(action="retire", reason="not used"))
        assert definitions.move_definition(key="spun/two", if_match="*", move_definition_request=moved).outcome == "applied"
        newest = past.list_changes(limit=20).changes
        assert {(change.key, change.kind) for change in newest} >= {
            (FEE, "set"), (FEE, "reset"), ("spun/one", "lock"), ("spun/two", "redefine")}
        assert past.get_change(newest[-1].id).hash == newest[-1].hash
        again = flags.set_flag(key=FEE, if_match="*", set_flag_request=api.SetFlagRequest(value=before + 5)).change
        [undone] = past.undo(undo_request=api.UndoRequest(reason="mistaken")).actual_instance.outcomes
        assert (undone.change.key, undone.change.before) == (FEE, before + 5) and "mistaken" in undone.change.reason
        reverting = api.RevertChangeRequest(scope="change")
        [redone] = past.revert_change(id=undone.change.id, revert_change_request=reverting).actual_instance.outcomes
        assert redone.change.after == again.after
        client.rest_client.pool_manager.clear()
    # What the client made of a refusal has a connection that it never closes: it goes here, and not in another test.
    del refused
    gc.collect()
