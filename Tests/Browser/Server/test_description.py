"""The description of the API is valid OpenAPI 3.1, and what is answered is what it says."""

import copy
import json
from urllib.parse import quote

import jsonschema
import pytest
from harness import Server
from openapi_spec_validator import OpenAPIV31SpecValidator
from samples import demonstration
from tokens import make_token

FEE = "checkout/delivery_fee"
STREAMS = {"listen", "listenToEvaluations"}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    server = Server(demonstration(tmp_path_factory.mktemp("described") / "demo"), access="token")
    yield server, make_token(server.file, "admin", "admin")
    server.stop()


@pytest.fixture(scope="module")
def document(world):
    server, token = world
    return json.loads(server.get("/api/v1/openapi.json", {"Authorization": f"Bearer {token}"}).text)


def test_it_is_valid(document):
    assert document["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def closed(schema):
    """The schema without what it lets through beside its members: what is told must be described."""
    if isinstance(schema, dict):
        made = {name: closed(part) for name, part in schema.items()}
        if isinstance(made.get("properties"), dict) and made.get("type") == "object":
            made.setdefault("additionalProperties", False)
        return made
    return [closed(part) for part in schema] if isinstance(schema, list) else schema


class Asker:
    """Asks for what the description has, and holds each answer against it."""

    def __init__(self, server, token, document):
        self.server, self.token, self.seen = server, token, set()
        self.document = copy.deepcopy(document)
        self.document["components"]["schemas"] = closed(document["components"]["schemas"])

    def __call__(self, name, status, body=None, query="", match=None, new=None, token=True, **place):
        path, method, operation = self.operation(name)
        for part, value in place.items():
            path = path.replace("{" + part + "}", quote(str(value), safe=""))
        heads = {"Authorization": f"Bearer {self.token}"} if token else {}
        heads |= {"If-Match": match} if match else {}
        heads |= {"If-None-Match": new} if new else {}
        data = None if body is None else json.dumps(body).encode()
        heads |= {} if body is None else {"Content-Type": "application/json"}
        answer = self.server.request(method.upper(), path + query, data, heads)
        assert answer.status == status, f"{name}: {answer.status} {answer.text[:500]}"
        responses = operation["responses"]
        described = responses.get(str(status), responses["default"])
        kind = (answer.headers.get("content-type") or "").partition(";")[0]
        content = described.get("content", {})
        assert (kind in content) if answer.text else not content, f"{name}: {status} {kind}"
        if kind.endswith("json") and kind != "application/jsonl":
            schema = content[kind]["schema"] | {"components": self.document["components"]}
            jsonschema.Draft202012Validator(schema).validate(json.loads(answer.text))
        if status == 200 and "headers" in described:
            assert set(described["headers"]) <= {"ETag"} and answer.headers.get("etag"), name
        self.seen.add(name)
        return answer

    def operation(self, name):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                if operation["operationId"] == name:
                    return path, method, operation
        raise AssertionError(f"{name} is not described")


def test_each_answer_is_as_described(world, document):
    ask = Asker(*world, document)
    ask("listFlags", 200)
    tag = ask("listFlags", 200, query="?limit=2").headers["etag"]
    ask("listFlags", 304, new=tag)
    ask("listFlags", 400, query="?sate=on")
    ask("listFlags", 401, token=False)
    tag = ask("getFlag", 200, key=FEE).headers["etag"]
    ask("getFlag", 404, key="no/such")
    for flag in json.loads(ask("listFlags", 200).text)["flags"]:
        ask("getFlag", 200, key=flag["key"])
        ask("evaluateFlag", 200, key=flag["key"], body={})
        if flag["isDefined"]:
            ask("getDefinition", 200, key=flag["key"])
    ask("setFlag", 200, {"value": 3.5, "reason": "why"}, match=tag, key=FEE)
    ask("setFlag", 412, {"value": 4.5}, match=tag, key=FEE)
    ask("setFlag", 428, {"value": 4.5}, key=FEE)
    ask("setFlag", 422, {"value": "x"}, match="*", key=FEE)
    ask("setFlag", 423, {"value": 3}, match="*", key="onboarding/minimum_age")
    ask("setFlag", 400, {}, match="*", key=FEE)
    ask("resetFlag", 200, match="*", key=FEE)
    ask("resetFlag", 404, match="*", key="no/such")
    change = {"key": FEE, "action": "set", "value": 2.5, "revision": "*"}
    ask("applyBatch", 200, {"changes": [change], "preview": True})
    ask("applyBatch", 200, {"changes": [change, {"key": FEE, "action": "lock"}, {"key": FEE, "action": "unlock"}]})
    ask("applyBatch", 422, {"changes": [change | {"value": "x"}]})
    ask("applyBatch", 400, {"changes": []})
    ask("importValues", 200, {"checkout": {"delivery_fee": 4.5}}, query="?preview=true")
    ask("importValues", 200, {"checkout": {"delivery_fee": 4.5}, "nobody": 1}, query="?partial=true")
    ask("importValues", 404, {"nobody": 1})
    ask("compare", 200, query="?left=Local&right=default&show=all")
    ask("compare", 200, query="?left=Local&before=1&show=all")
    ask("compare", 400, query="?left=nobody&right=default")
    changes = json.loads(ask("listChanges", 200, query="?limit=3").text)["changes"]
    ask("getChange", 200, id=changes[0]["id"])
    ask("getChange", 404, id=99_999)
    made = next(change for change in changes if change["kind"] in ("set", "reset"))["id"]
    ask("addNote", 200, {"reason": "asked for by sales"}, id=made)
    assert json.loads(ask("getChange", 200, id=made).text)["notes"][0]["noteOn"] == made
    ask("addNote", 422, {"reason": ""}, id=made)
    ask("addNote", 400, {}, id=made)
    ask("addNote", 404, {"reason": "why"}, id=99_999)
    made = json.loads(ask("setFlag", 200, {"value": 3.25}, match="*", key=FEE).text)["change"]["id"]
    ask("revertChange", 200, {"preview": True}, id=made)
    ask("revertChange", 200, {"reason": "too little"}, id=made)
    ask("revertChange", 412, {"scope": "batch"}, id=made)
    ask("revertChange", 400, {"scope": "all"}, id=made)
    ask("revertChange", 404, {}, id=99_999)
    ask("undo", 200, {"preview": True})
    ask("undo", 200, {"reason": "slip"})
    ask("undo", 400, {"preview": 3})
    for file in document["paths"]["/api/v1/export/{file}"]["get"]["parameters"][0]["schema"]["enum"]:
        ask("export", 200, file=file)
    ask("export", 404, file="flags.yaml")
    ask("listDefinitions", 200)
    ask("putDefinition", 200, {"definition": {"type": "integer", "default": 3}}, new="*", key="fresh/one")
    ask("putDefinition", 412, {"definition": {"type": "integer"}}, new="*", key="fresh/one")
    ask("putDefinition", 412, {"definition": {"type": "integer"}}, match='"x"', key="fresh/one")
    ask("putDefinition", 422, {"definition": {"type": "odd"}}, match="*", key="fresh/one")
    ask("moveDefinition", 200, {"action": "rename", "newKey": "fresh/two"}, match="*", key="fresh/one")
    ask("moveDefinition", 400, {"action": "rename"}, match="*", key="fresh/two")
    ask("deleteDefinition", 200, query="?keepValues=true", match="*", key="fresh/two")
    ask("getDefinition", 404, key="fresh/two")
    ask("listProviders", 200)
    ask("readSnapshot", 200)
    ask("readSnapshot", 200, query="?known=1")
    ask("readSnapshot", 400, query="?known=first")
    ask("reportRestart", 200)
    ask("describe", 200)
    ask("evaluateFlags", 200, {"context": {}})
    ask("evaluateFlags", 400, {"context": 3})
    ask("evaluateFlag", 404, {}, key="no/such")
    ask("health", 200, token=False)
    ask("metrics", 200)
    names = {operation["operationId"] for methods in document["paths"].values() for operation in methods.values()}
    assert names - STREAMS == ask.seen
