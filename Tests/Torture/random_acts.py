"""For each route of the dashboard, what somebody does there; a new route needs a line in ACTS, else the run fails."""

import json
import plistlib
from urllib.parse import quote

import odd
from random_scenes import FLAGS, PROVIDERS, SPARE

STATES = ["on", "off", "overridden-on", "overridden", "default", "no-value"]
TYPES = ["bool", "integer", "double", "string", "date", "data", "url", "choice", "array", "dictionary", "json"]


NUMBERS = ["1", "0", "-1", "200", str(2**63 - 1), str(-(2**63)), str(2**63), "x", ""]
"""What stands where a number is asked for: such as there are, the ends of what a program can hold, and what is none."""


def _show(path, *names):
    """Looks at a page, with some of the fields that its address takes."""

    def act(scene, odds):
        fields = {
            "q": ["shop", "on", "ui", ""], "state": STATES, "tag": ["team a"], "group": ["shop", "shop/deep", "/"],
            "provider": PROVIDERS, "sort": ["order", "key", "changed"], "page": ["1", "2", "999", *NUMBERS], "type": TYPES,
            "view": ["providers"], "standing": ["locked", "restart"], "key": [scene.key()], "actor": ["editor", "x"],
            "origin": ["form", "api", "revert", "import"], "kind": ["set", "reset", "denied", "note"], "limit": NUMBERS,
            "from": ["2026-01-01"], "to": ["2026-12-31"], "left": PROVIDERS, "right": [*PROVIDERS, "default", "effective"],
            "show": ["all", "different", "same", "x"],
            "before": [scene.change()] * 9 + NUMBERS, "after": [scene.change(), scene.key()] * 5 + NUMBERS,
            "since": [scene.change(), "visit"] + NUMBERS,
            "time": ["2026-01-02T03:04:05Z"], "saved": ["1"], "done": ["token"], "token": [scene.world.tokens["viewer"], "x"],
        }
        chosen = [(name, scene.dice.choice(fields[name])) for name in names if scene.dice.random() < 0.4]
        scene.get(path.replace(":id", scene.change()), chosen, odds)

    return act


def _source(scene, odds):
    """Looks at lines of the code; without a file there are none."""
    file = scene.dice.choice(["App.swift", "App.swift", "../flags.xml", ""])
    scene.get("/source", [("file", file), ("line", scene.dice.choice(["2", "3", *NUMBERS]))], odds)


def _flag(scene, odds):
    key = scene.key()
    path, query = scene.address("/flags", key)
    answer = scene.get(path, query, odds if scene.dice.random() < 0.2 else 0)
    editors = [form for form in scene.forms(answer) if "revision" in form]
    fields = editors[0] if editors and scene.dice.random() < 0.7 else {"provider": scene.dice.choice(PROVIDERS)}
    others = ["reset", "reset", "lock", "unlock", "unlock", "on", "off", "empty", "undo", "undo", "erase"]
    action = scene.dice.choice(["set"] * 9 + others)
    reason = odd.text(scene.dice) if scene.dice.random() < 0.1 else scene.dice.choice(["", "why"])
    fields = fields | {"action": action, "value": scene.value(key), "reason": reason}
    if action == "undo":
        fields["change"] = scene.change()
    if action == "set" and scene.dice.random() < 0.1:
        fields["picked"] = scene.dice.choice(["2026-03-29T02:30", "x"])
        fields["zone"] = scene.dice.choice(["Europe/Berlin", "UTC", "Mars"])
    if scene.dice.random() < 0.1:
        fields["back"] = scene.dice.choice(["/?q=shop", "/flags", "//evil.example"])
    scene.post(path, fields, odds, query)


CONTEXTS = [{}, {"context": {"targetingKey": "x"}}, {"context": 3}, [], "", None]


def _evaluate(scene, odds):
    heads = [("If-None-Match", '"x"')] if scene.dice.random() < 0.3 else []
    query = [("flagConfigEtag", "x")] if scene.dice.random() < 0.3 else []
    scene.program("POST", "/ofrep/v1/evaluate/flags", scene.dice.choice(CONTEXTS), odds, heads, query)


def _evaluate_one(scene, odds):
    path = f"/ofrep/v1/evaluate/flags/{quote(scene.key(), safe='', errors='surrogatepass')}"
    scene.program("POST", path, scene.dice.choice(CONTEXTS), odds)


def _import_values(scene, odds):
    values = scene.dice.choice([{"shop": {"on": True}}, {"shop": {"on": "x"}}, {}, [], "", {scene.key(): 1}])
    names = {"mode": ["merge", "replace", "create", "x"], "provider": PROVIDERS, "preview": ["true", "x"], "partial": ["true"]}
    query = [(name, scene.dice.choice(some)) for name, some in names.items() if scene.dice.random() < 0.5]
    scene.program("POST", "/api/v1/import", values, odds, query=query)


def _definition(scene, odds):
    action = scene.dice.choice(["save", "save", "save", "rename", "delete", "retire", "restore", "erase"])
    # The flags that everything else is about stay, so that most requests have something to be about.
    key = scene.dice.choice(SPARE) if action in ("rename", "delete") and scene.dice.random() < 0.95 else scene.key()
    path, query = scene.address("/definitions", key)
    forms = [form for form in scene.forms(scene.get(path, query)) if "revision" in form]
    fields = dict(forms[0] if action == "save" or len(forms) < 2 else forms[1]) if forms else {}
    fields |= {"action": action, "reason": "why"}
    if action == "rename":
        fields["newKey"] = scene.dice.choice(["moved/x", "moved/y", key, scene.key()])
    elif action == "delete":
        fields["confirmation"] = key if scene.dice.random() < 0.8 else "no"
        fields |= {"keepValues": "yes"} if scene.dice.random() < 0.5 else {}
    elif action == "retire":
        fields["retired"] = scene.dice.choice(["old", "", odd.text(scene.dice)])
    else:
        fields |= {"type": FLAGS[key][0] if key in FLAGS else scene.dice.choice(TYPES)} | _definition_fields(scene, key)
    scene.post(path, fields, odds, query)


def _definition_fields(scene, key):
    dice = scene.dice
    offered = {
        "name": ["N", odd.text(dice)], "description": ["", "what it is for"], "default": ["", "true", "3", "S"],
        "minimum": ["", "0"], "maximum": ["", "9"], "pattern": ["", "[a-z]+", "(a+)+$", "["], "choices": ["S\nM", "", "1"],
        "tags": ["a, b", ""], "owner": ["ann"], "expires": ["2027-01-01", "soon"], "order": ["1", "x"], "icon": ["flag"], "group": ["a/b", "x~", ""],
        "isInternal": ["yes"], "isLocked": ["yes"], "requiresRestart": ["yes"], "breaksValues": ["yes"],
        "suggestions": ["a\nb"],
    }
    rare = ("isInternal", "isLocked")
    share = {name: (0.04 if key in SPARE else 0.005) if name in rare else 0.1 for name in offered}
    return {name: dice.choice(values) for name, values in offered.items() if dice.random() < share[name]}


def _new_definition(scene, odds):
    key = scene.dice.choice(SPARE) if scene.dice.random() < 0.6 else scene.key()
    scene.get("/definitions/new", [("key", key)])
    kind = FLAGS[key][0] if key in FLAGS else scene.dice.choice(TYPES)
    scene.post("/definitions/new", {"key": key, "type": kind, "name": "New"} | _definition_fields(scene, key), odds)


def _selected(scene, odds):
    dice = scene.dice
    is_of_all = dice.random() < 0.15
    # What was locked is unlocked now and then, so that most requests go on to have something to change.
    actions = ["unlock", "unlock", "on"] if is_of_all else ["on", "off", "set", "reset", "lock", "unlock", "tag", "untag"]
    action = dice.choice(actions)
    fields = [("action", action), ("provider", dice.choice(PROVIDERS)), ("value", scene.value("shop/count")),
              ("tag", dice.choice(["team a", "b"])), ("back", "/?q=shop")]
    keys = [("key", scene.key()) for _ in range(dice.choice([1, 2, 5, 30]))]
    if is_of_all:
        keys = [("extent", "all"), ("query", dice.choice(["q=shop", "", "", "", "state=on", "x=%ff"]))]
    scene.confirm(scene.post("/selected", fields + keys, odds), odds)


def _compare(scene, odds):
    dice = scene.dice
    fields = [("left", dice.choice(PROVIDERS)), ("right", dice.choice(PROVIDERS)),
              ("show", dice.choice(["all", "different", ""])),
              ("copy", f"{dice.choice(['chosen', 'chosen', 'all'])}-{dice.choice(['left', 'right'])}")]
    scene.get("/compare", fields[:3], odds)
    scene.confirm(scene.post("/compare", fields + [("key", scene.key()) for _ in range(dice.randrange(6))], odds), odds)


def _copy_between_environments(scene, odds):
    dice = scene.dice
    fields = [("base", dice.choice(PROVIDERS)), ("show", dice.choice(["all", "different", "same", "", "odd"]))]
    scene.get("/environments", fields, odds)
    one = f"from={dice.choice(PROVIDERS)}&key={quote(scene.key(), safe='')}"
    copied = [("from", dice.choice(PROVIDERS)), ("to", dice.choice(PROVIDERS)),
              ("copy", dice.choice(["chosen", "chosen", "all", one, "%"]))]
    keys = [("key", scene.key()) for _ in range(dice.randrange(6))]
    scene.confirm(scene.post("/environments", fields + copied + keys, odds), odds)


def _restore(scene, odds):
    moment = scene.moment()
    dice = scene.dice
    slid = [("start", dice.choice(["2026-11-01", "0001-01-01", "9999-12-31", "soon"])),
            ("days", str(dice.choice([0, 3, 90, -1, 10**9]))),
            ("zone", dice.choice(["", "Europe/Berlin", "Pacific/Kiritimati", "Mars/Olympus"]))]
    scene.get("/history/at", dice.choice([moment, moment, slid]))
    fields = [*moment, ("restore", dice.choice(["chosen", "chosen", "all"]))]
    fields += [("key", scene.key()) for _ in range(scene.dice.randrange(6))]
    scene.confirm(scene.post("/history/at", fields, odds), odds)


def _revert(scene, odds):
    fields = {
        "reason": "back", "scope": scene.dice.choice(["change", "batch"]), "confirm": scene.dice.choice(["yes", "no", ""]),
    }
    scene.confirm(scene.post(f"/history/{scene.change()}/revert", fields, odds), odds)


def _again(scene, odds):
    scene.confirm(scene.post(f"/history/{scene.change()}/again", {}, odds), odds)


def _import(scene, odds):
    dice = scene.dice
    shop = {"on": dice.random() < 0.5, "count": dice.randrange(9), "deep": {"size": "M"}}
    documents = [{"shop": shop, "free": {"one": odd.value(dice)}}, {"shop": odd.value(dice)}]
    text = dice.choice([*map(json.dumps, documents), plistlib.dumps({"any": 1, "shop": shop}).decode(), odd.text(dice)])
    scene.get("/import", [("preview", dice.choice([*scene.world.previews, "x"]))])
    fields = {"text": text, "mode": dice.choice(["merge"] * 5 + ["replace"]), "provider": dice.choice(PROVIDERS)}
    scene.confirm(scene.post("/import", fields, odds), odds)


def _batch(scene, odds):
    """The form of a preview made by hand."""
    dice = scene.dice
    values = [{"string": "true"}, {"bool": True}, {"integer": "7"}, {"dictionary": {}}, {"double": "nan"}]
    definition = {"dictionary": {"type": {"string": dice.choice(TYPES)}, "name": {"string": "N"}}}
    actions = {"setText": [{"string": scene.value("shop/on")}], "setValue": values, "setJSON": values, "putBack": values,
               "reset": [None], "lock": [None], "unlock": [None], "define": [definition], "redefine": [definition],
               "tag": [{"string": "t"}], "untag": [{"string": "t"}], "rename": [{"string": "moved/x"}],
               "retire": [{"string": "old"}, None], "remove": [{"bool": dice.random() < 0.5}]}
    changes = []
    for _ in range(dice.choice([1, 1, 2, 40])):
        action = dice.choice(list(actions))
        value = dice.choice(actions[action]) if dice.random() < 0.97 else odd.value(dice)
        changes.append({"key": scene.key(), "action": action} | ({} if value is None else {"value": value}))
    for change in changes:
        if dice.random() < 0.3:
            change["provider"] = dice.choice(PROVIDERS)
        if dice.random() < 0.3:
            change["revisions"] = dice.choice([["absent"], ["x"], [], ["absent", "y"]])
    text = json.dumps(changes) if dice.random() < 0.9 else odd.json_bytes(dice).decode("utf-8", "replace")
    fields = {
        "changes": text, "origin": dice.choice(["form", "import", "revert", "external"]), "seal": "0" * 64, "back": "/",
        "agreement": "x", "idempotency": dice.choice(["same", str(dice.random())]), "asof": "x", "title": "T",
        "preview": dice.choice([*scene.world.previews, "", "x"]),
    }
    scene.post("/batch", fields, odds)


def _program_flag(scene, odds):
    dice, key = scene.dice, scene.key()
    path = "/api/v1/flags/" + quote(key, safe="/~", errors="surrogatepass")
    answer = scene.program("GET", path, odds=odds if dice.random() < 0.1 else 0)
    tag = answer.headers.get("etag") if dice.random() < 0.7 else dice.choice(['"absent"', "*", '"stale"'])
    heads = [("If-Match", tag or "*")]
    if dice.random() < 0.3:
        heads.append(("Idempotency-Key", "same" if dice.random() < 0.1 else str(dice.random())))
    provider = [("provider", dice.choice(PROVIDERS))] if dice.random() < 0.3 else []
    if dice.random() < 0.25:
        return scene.program("DELETE", path, None, odds, heads, provider)
    for _ in range(dice.choice([1, 1, 2])):
        typed = {"bool": True, "integer": 3, "double": 0.5, "array": [1], "dictionary": {"a": 1}, "json": {"x": None}}
        value = typed.get(FLAGS.get(key, ("bool",))[0], scene.value(key)) if dice.random() < 0.7 else odd.value(dice)
        scene.program("PUT", path, {"value": value, "reason": "by a program"}, odds, heads, provider)


def _program_definition(scene, odds):
    dice = scene.dice
    key = dice.choice(SPARE) if dice.random() < 0.8 else scene.key()
    path = "/api/v1/definitions/" + quote(key, safe="/~", errors="surrogatepass")
    answer = scene.program("GET", path, odds=odds if dice.random() < 0.1 else 0)
    tag = answer.headers.get("etag") if dice.random() < 0.7 else dice.choice(["*", '"stale"'])
    heads = [("If-Match", tag)] if tag else [("If-None-Match", "*")]
    kind = FLAGS[key][0] if key in FLAGS else dice.choice(TYPES)
    definition = {"type": kind, "name": "N"} | ({"default": odd.value(dice)} if dice.random() < 0.2 else {})
    if dice.random() < 0.3:
        definition |= {"tags": ["a"], "owner": "ann", "expires": dice.choice(["2027-01-01", "soon"]), "order": 1}
    doing = dice.random()
    if doing < 0.7:
        return scene.program("PUT", path, {"definition": definition, "reason": "why"}, odds, heads)
    if doing < 0.8:
        return scene.program("DELETE", path, None, odds, heads, [("keepValues", dice.choice(["true", "false", "x"]))])
    deed = dice.choice([{"action": "rename", "newKey": dice.choice(["moved/x", key])}, {"action": "retire", "reason": "old"},
                        {"action": "restore"}, {"action": "x"}])
    scene.program("POST", path, deed, odds, heads)


def _export(scene, odds):
    name = scene.dice.choice(["flags.xml", "effective.json", "manifest.json", "history.csv", "history.jsonl", "x", ".."])
    scene.get(f"/api/v1/export/{name}", [("q", "shop")] if scene.dice.random() < 0.3 else (), odds)


def _program_batch(scene, odds):
    dice = scene.dice
    changes = []
    for _ in range(dice.choice([1, 2, 3, 50])):
        key, action = scene.key(), dice.choice(["set", "set", "reset", "lock", "unlock", "x"])
        change = {"key": key, "action": action, "revision": dice.choice(["*", "*", "absent", "x"])}
        changes.append(change | ({"value": odd.value(dice) if dice.random() < 0.3 else True} if action == "set" else {}))
    document = {"changes": changes, "reason": "many"} | ({"preview": True} if dice.random() < 0.3 else {})
    scene.program("POST", "/api/v1/batches", document, odds, [("Idempotency-Key", "same")] if dice.random() < 0.1 else [])


def _sign_in(scene, odds):
    role = scene.role or "viewer"
    scene.role = None
    token = scene.world.tokens[role] if scene.dice.random() < 0.9 else odd.text(scene.dice)
    fields = {"token": token, "next": scene.dice.choice(["/", "/flags/shop/on", "//evil.example"])}
    scene.get("/sign-in", fields.items() if scene.dice.random() < 0.2 else (), odds)
    if scene.dice.random() < 0.2:
        fields |= {"unsentTo": scene.dice.choice(["/flags/shop/on", "/batch", "/x"]), "unsent": "action=set&value=true"}
    cookie = scene.post("/sign-in", fields, odds).headers.get("set-cookie", "").partition(";")[0]
    if cookie and not cookie.endswith("="):
        scene.world.cookies[role] = cookie


def _tokens(scene, odds):
    dice = scene.dice
    fields = {"name": f"t{dice.randrange(20)}", "role": dice.choice(["viewer", "editor", "x"])}
    scene.post("/access/tokens", fields | {"expires": dice.choice(["", "1d", "x"])}, odds)


def _searches(scene, odds):
    dice = scene.dice
    scene.get("/searches", [("q", dice.choice(["shop", odd.text(dice)]))] if dice.random() < 0.5 else (), odds)
    fields = {"action": dice.choice(["save", "save", "remove", "x"]), "name": dice.choice(["A", "B", "", odd.text(dice)[:80]])}
    scene.post("/searches", fields | {"query": dice.choice(["q=shop", "state=on&sort=changed", "state=x", "", "%"])}, odds)


def _settings(scene, odds):
    dice = scene.dice
    scene.get("/settings", (), odds)
    fields = {"theme": dice.choice(["system", "light", "dark", "x"]), "density": dice.choice(["", "compact", "roomy", "x"])}
    fields |= {"zone": dice.choice(["", "Europe/Berlin", "Nowhere/At_All", odd.text(dice)])}
    columns = [("columns", ""), ("column", dice.choice(["value", "owner", "x" * 50])), ("column", "source")]
    scene.post("/settings", [*fields.items(), *columns] if dice.random() < 0.5 else fields, odds)


def _reasons(dice):
    return dice.choice(["why", "why", "", " ", "x" * 1001, odd.text(dice)])


def _note(scene, odds):
    document = scene.dice.choice([{"reason": _reasons(scene.dice)}] * 4 + [{}, [], {"reason": 3}])
    names = [("Idempotency-Key", "same")] if scene.dice.random() < 0.1 else []
    scene.program("POST", f"/api/v1/history/{scene.change()}/notes", document, odds, names)


def _program_revert(scene, odds):
    dice = scene.dice
    document = {"reason": _reasons(dice)} | ({"preview": True} if dice.random() < 0.4 else {})
    names = [("Idempotency-Key", "same")] if dice.random() < 0.1 else []
    if dice.random() < 0.5:
        document |= {"scope": dice.choice(["change", "batch", "x"])}
    document = document if dice.random() < 0.9 else odd.value(dice)
    scene.program("POST", f"/api/v1/history/{scene.change()}/revert", document, odds, names)


def _program_undo(scene, odds):
    document = scene.dice.choice([{"reason": _reasons(scene.dice)}, {}, {"preview": True}, {"preview": 3}, []])
    scene.program("POST", "/api/v1/undo", document, odds)


def _reason(scene, odds):
    dice = scene.dice
    fields = {"reason": _reasons(dice)} | ({"scope": dice.choice(["batch", "x"])} if dice.random() < 0.3 else {})
    fields |= {"back": dice.choice(["/?q=shop", "/flags/shop/on", "//evil.example"])} if dice.random() < 0.5 else {}
    scene.post(f"/history/{scene.change()}/reason", fields, odds)


def _favourites(scene, odds):
    dice = scene.dice
    wish = dice.choice(["yes", "yes", "no", "x", ""])
    scene.post("/favourites", {"key": scene.key(), "favourite": wish}, odds)


def _posts(path, **fields):
    return lambda scene, odds: scene.post(path, {name: make(scene) for name, make in fields.items()}, odds)


LIST = ("q", "state", "tag", "group", "provider", "sort", "page", "type", "view", "standing", "saved")
PARTS = ("q", "state", "tag", "group", "provider", "sort", "type", "limit", "after")
HISTORY = ("key", "actor", "origin", "kind", "from", "to", "q", "before", "after", "limit", "provider", "since")

# Each with how often it is done, beside the others.
ACTS = {
    "/": (_show("/", *LIST), 6),
    "/flags/**": (_flag, 16), "/flags": (_flag, 2),
    "/definitions/new": (_new_definition, 6), "/definitions/**": (_definition, 7), "/definitions": (_definition, 1),
    "/restarted": (_posts("/restarted", row=lambda scene: scene.change()), 1),
    "/data": (_show("/data", "key"), 1), "/source": (_source, 1),
    "/history": (_show("/history", *HISTORY), 3), "/history/:id": (_show("/history/:id", "saved"), 3),
    "/batch": (_batch, 6), "/history/:id/revert": (_revert, 6), "/history/:id/reason": (_reason, 4),
    "/history/:id/again": (_again, 2),
    "/compare": (_compare, 4), "/environments": (_copy_between_environments, 3), "/history/at": (_restore, 3),
    "/history/at/values.xml": (_show("/history/at/values.xml", "time", "provider", "before"), 0.5),
    "/history/at/values.json": (_show("/history/at/values.json", "time", "provider", "before"), 0.5),
    "/export": (_show("/export", "provider"), 1),
    **{f"/export/{name}": (_show(f"/export/{name}", "provider", "q", "state"), 0.5)
       for name in ("flags.xml", "effective.xml", "manifest.xml", "flags.txt", "flags.json", "effective.json", "manifest.json")},
    **{f"/export/{name}": (_show(f"/export/{name}", *HISTORY), 0.2) for name in ("history.csv", "history.jsonl")},
    "/import": (_import, 5), "/selected": (_selected, 6),
    "/sign-in": (_sign_in, 2), "/sign-out": (_posts("/sign-out"), 0.2),
    "/webhooks": (_show("/webhooks", "done"), 0.5),
    **{f"/webhooks/{act}": (_posts(f"/webhooks/{act}", id=lambda scene: scene.dice.choice(["wh_a", "", "x"])), 0.2)
       for act in ("test", "pause", "resume", "enable", "remove")},
    "/webhooks/add": (_posts(
        "/webhooks/add", url=lambda scene: scene.dice.choice(["http://127.0.0.1:9/", "x", ""]), filters=lambda scene: "key=a"), 0.2),
    "/webhooks/resend": (_posts("/webhooks/resend", id=lambda scene: "wh_a", delivery=lambda scene: "1"), 0.2),
    "/webhooks/:id/deliveries/:number": (_show("/webhooks/wh_a/deliveries/1"), 0.2),
    "/webhooks/replay": (_posts(
        "/webhooks/replay", id=lambda scene: scene.dice.choice(["wh_a", ""]), **{
            "from": lambda scene: scene.dice.choice(["1", "0", "x", ""]),
            "to": lambda scene: scene.dice.choice(["", "2", "-1"])}), 0.2),
    "/access": (_show("/access", "done"), 0.5), "/access/tokens": (_tokens, 0.5),
    "/access/tokens/revoke": (_posts("/access/tokens/revoke", name=lambda scene: f"t{scene.dice.randrange(20)}"), 0.5),
    "/access/sessions/revoke": (
        _posts("/access/sessions/revoke", session=lambda scene: scene.dice.choice(["1", "2", "all", "x"])), 0.2),
    "/events": (_show("/events", "after"), 0.5), "/help": (_show("/help"), 0.5),
    "/searches": (_searches, 1),
    "/settings": (_settings, 0.5), "/favourites": (_favourites, 0.5),
    "/help/api": (_show("/help/api"), 0.5),
    "/api/v1/flags": (_show("/api/v1/flags", *PARTS, "page"), 2), "/api/v1/flags/**": (_program_flag, 14),
    "/api/v1/batches": (_program_batch, 6),
    "/api/v1/import": (_import_values, 2),
    "/api/v1/definitions": (_show("/api/v1/definitions", *PARTS), 1), "/api/v1/definitions/**": (_program_definition, 4),
    "/api/v1/openapi.json": (_show("/api/v1/openapi.json"), 0.2),
    "/api/v1/snapshot": (_show("/api/v1/snapshot"), 0.5),
    "/api/v1/providers": (_show("/api/v1/providers"), 0.5), "/api/v1/export/:file": (_export, 0.5),
    "/api/v1/restarted": (lambda scene, odds: scene.program("POST", "/api/v1/restarted", odds=odds), 1),
    "/ofrep/v1/evaluate/flags": (_evaluate, 2), "/ofrep/v1/evaluate/flags/**": (_evaluate_one, 2),
    "/healthz": (_show("/healthz"), 0.3), "/metrics": (_show("/metrics"), 0.3),
    "/ofrep/v1/events": (_show("/ofrep/v1/events"), 0.3),
    "/api/v1/compare": (_show("/api/v1/compare", "left", "right", "show", "q", "time", "before"), 2),
    "/api/v1/history": (_show("/api/v1/history", *HISTORY), 2), "/api/v1/history/:id": (_show("/api/v1/history/:id"), 1),
    "/api/v1/history/:id/notes": (_note, 2), "/api/v1/history/:id/revert": (_program_revert, 3),
    "/api/v1/undo": (_program_undo, 2),
}
"""What is done at each path of the dashboard, and its share."""


def play(scene):
    """One scene; in a third of them something may be odd."""
    acts = list(ACTS.values())
    act, _ = scene.dice.choices(acts, [share for _, share in acts])[0]
    act(scene, scene.dice.choice([0, 0, 0, 0, 0.7, 0.95]))
