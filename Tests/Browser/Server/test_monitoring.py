"""The examples of monitoring and Kubernetes: they use metrics, options and files that a real server has."""

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request

import pytest
import yaml
from harness import BINARY, ROOT, Server, environment
from samples import demonstration
from tokens import make_token, run_token

PROMTOOL = shutil.which("promtool") or str(ROOT / ".build-tools/promtool")
MONITORING = ROOT / "Examples/monitoring"
BOARD = json.loads((MONITORING / "grafana.json").read_text())
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
RULES = [rule for group in yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
CONFIGURATION = yaml.safe_load((MONITORING / "prometheus.yml").read_text())
KUBERNETES = ROOT / "Examples/kubernetes/flagboard.yaml"
with_promtool = pytest.mark.skipif(shutil.which("apt-get") is None, reason="script/setup has promtool from Debian alone")

DOCUMENTED_TOKEN = "/etc/prometheus/flagboard.token"
SELECTOR = re.compile(r'\b(flagboard_\w+|up)\b(?:\{([^}]*)\})?')
MATCHER = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"')
GROUPED = re.compile(r"\b(?:by|on|group_left|ignoring|without) \(([^)]*)\)")


def promtool(*arguments, folder=MONITORING):
    done = subprocess.run([PROMTOOL, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


# Prometheus


@with_promtool
def test_prometheus_accepts_the_configuration_and_the_rules(tmp_path):
    text = (MONITORING / "prometheus.yml").read_text()
    (tmp_path / "flagboard.token").write_text("token")
    assert DOCUMENTED_TOKEN in text
    (tmp_path / "prometheus.yml").write_text(text.replace(DOCUMENTED_TOKEN, str(tmp_path / "flagboard.token")))
    shutil.copy(MONITORING / "alerts.yml", tmp_path)
    code, said = promtool("check", "config", "prometheus.yml", folder=tmp_path)
    assert code == 0 and f"{len(RULES)} rules found" in said, said


@with_promtool
def test_a_wrong_expression_of_a_rule_is_found(tmp_path):
    text = (MONITORING / "alerts.yml").read_text()
    (tmp_path / "alerts.yml").write_text(text.replace('up{job="flagboard"} == 0', 'up{job="flagboard"} =='))
    assert promtool("check", "rules", "alerts.yml", folder=tmp_path)[0] != 0


@with_promtool
def test_each_alert_fires_when_it_should_and_not_otherwise():
    code, said = promtool("test", "rules", "alerts.test.yml")
    assert code == 0, said


@with_promtool
@pytest.mark.parametrize("name", [rule["alert"] for rule in RULES])
@pytest.mark.parametrize("expression", ["vector(1)", "vector(0) > 0"], ids=["always", "never"])
def test_an_alert_that_always_or_never_fires_fails_the_tests_of_the_rules(name, expression, tmp_path):
    changed = [rule | {"expr": expression} if rule["alert"] == name else rule for rule in RULES]
    (tmp_path / "alerts.yml").write_text(yaml.safe_dump({"groups": [{"name": "flagboard", "rules": changed}]}))
    shutil.copy(MONITORING / "alerts.test.yml", tmp_path)
    code, said = promtool("test", "rules", "alerts.test.yml", folder=tmp_path)
    assert code != 0 and "FAILED" in said, said


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_states_its_severity_what_is_wrong_and_what_to_do(rule):
    severity = rule["labels"]["severity"]
    # Only what never passes by itself is told at once.
    assert severity in ("critical", "warning") and (rule.get("for") or severity == "critical")
    assert set(rule["annotations"]) == {"summary", "description", "action"}
    assert "$labels.instance" in rule["annotations"]["summary"]
    assert not rule["annotations"]["summary"].endswith(".")
    assert rule["annotations"]["description"].endswith(".") and rule["annotations"]["action"].endswith(".")


# What a server gives


def labels_of(texts):
    """The metrics of servers with the values of each label; the buckets and counts of a histogram are metrics of their own."""
    found = {}
    for line in "".join(texts).splitlines():
        if not line.startswith("#"):
            name, labels = re.fullmatch(r"(\w+)(?:\{(.*)\})? \S+", line).groups()
            values = found.setdefault(name, {})
            for label, value in MATCHER.findall(labels or ""):
                values.setdefault(label, set()).add(value)
    return found


@pytest.fixture(scope="module")
def metrics(tmp_path_factory):
    """The metrics of a server with a webhook, which publishes to an etcd that isn't there, and of its replica."""
    folder = tmp_path_factory.mktemp("metrics")
    file = demonstration(folder / "demo")
    added = subprocess.run(
        [BINARY, "webhook", "add", file, "http://127.0.0.1:9/", "--name", "none", "--allow-private"],
        capture_output=True, text=True, env=environment(), timeout=60)
    assert added.returncode == 0, added.stderr
    server = Server(file, "--publish", "etcd://127.0.0.1:9/flags")
    try:
        (folder / "replica").mkdir()
        replica = Server(folder / "replica/own.xml", "--create", "--provider", f"main={server.address}")
        try:
            server.change("checkout/guest_checkout", "set", "true")
            file.write_text(file.read_text().replace("<true/>", "<false/>", 1))
            for path in ("/", "/healthz", "/metrics"):
                assert server.get(path).status == 200
            return labels_of([server.get("/metrics").text, replica.get("/metrics").text])
        finally:
            replica.stop()
    finally:
        server.stop()


def given(metrics):
    """What a server gives, and what it would give with a reachable etcd; Prometheus itself adds `up`."""
    source = (ROOT / "Sources/Dashboard/Flagboard/Ground/DashboardMetrics.swift").read_text()
    assert '"flagboard_follower_rows_behind"' in source and 'followerBehind, Double(behind), labels' in (
        ROOT / "Sources/Dashboard/Flagboard/Operating/DashboardGauges.swift").read_text()
    return metrics | {"flagboard_follower_rows_behind": metrics["flagboard_follower_failing"], "up": {}}


def of_targets():
    """The labels that Prometheus gives each metric of a target."""
    targets = [target for scrape in CONFIGURATION["scrape_configs"] for target in scrape["static_configs"]]
    found = {"job": {scrape["job_name"] for scrape in CONFIGURATION["scrape_configs"]}, "instance": set()}
    for target in targets:
        for label, value in target.get("labels", {}).items():
            found.setdefault(label, set()).add(value)
    return found


def strays(expression, shown, known):
    """The names in an expression, and in the labels that are shown with it, that no server gives."""
    found, labels = [], set(of_targets())
    for name, matchers in SELECTOR.findall(expression):
        if name not in known:
            found.append(name)
            continue
        own = known[name] | of_targets()
        labels |= set(own)
        for label, value in MATCHER.findall(matchers):
            if label not in own:
                found.append(f"{name}{{{label}}}")
            elif "$" not in value and label in ("route", "job", "mode", "outcome", "reason", "action"):
                found += [f"{label}={each}" for each in value.split("|") if each not in own[label]]
    used = {label.strip() for labels in GROUPED.findall(expression) for label in labels.split(",")}
    return found + sorted((used | set(shown)) - labels)


def test_the_alerts_use_what_a_server_gives(metrics):
    for rule in RULES:
        shown = re.findall(r"\$labels\.(\w+)", " ".join(rule["annotations"].values()))
        assert strays(rule["expr"], shown, given(metrics)) == [], rule["alert"]


def test_the_panels_use_what_a_server_gives(metrics):
    for panel in PANELS:
        for target in panel["targets"]:
            shown = re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])
            assert strays(target["expr"], shown, given(metrics)) == [], panel["title"]


def test_names_that_no_server_gives_are_found(metrics):
    known = given(metrics)
    assert strays("flagboard_changes", [], known) == ["flagboard_changes"]
    assert strays('flagboard_changes_total{reason="locked"}', [], known) == ["flagboard_changes_total{reason}"]
    assert strays('flagboard_request_duration_seconds_count{route!~"health|healthz"}', [], known) == ["route=healthz"]
    assert strays("sum by (job, kind) (flagboard_changes_total)", ["action", "file"], known) == ["file", "kind"]


def test_every_metric_of_a_server_is_on_the_dashboard(metrics):
    shown = " ".join(target["expr"] for panel in PANELS for target in panel["targets"])
    for name in given(metrics):
        assert name in shown or name.endswith("_seconds_sum"), name


# Grafana


@with_promtool
def test_prometheus_accepts_the_expressions_of_the_panels(tmp_path):
    expressions = [target["expr"].replace("$__rate_interval", "1m") for panel in PANELS for target in panel["targets"]]
    rules = [{"record": f"panel:{number}", "expr": expression} for number, expression in enumerate(expressions)]
    (tmp_path / "panels.yml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    code, said = promtool("check", "rules", "panels.yml", folder=tmp_path)
    assert code == 0 and f"{len(rules)} rules found" in said, said


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel["title"])
def test_a_panel_has_a_title_a_description_and_a_unit(panel):
    assert panel["title"] and panel["description"].endswith(".") and panel["fieldConfig"]["defaults"]["unit"]
    assert {part["datasource"]["uid"] for part in [panel, *panel["targets"]]} == {"${datasource}"}
    for target in panel["targets"]:
        assert target["legendFormat"] and 'instance=~"$instance"' in target["expr"]


def test_the_dashboard_is_for_any_data_source_and_has_few_panels_none_on_another():
    assert BOARD["schemaVersion"] >= 38 and 10 < len(PANELS) <= 20
    assert [variable["name"] for variable in BOARD["templating"]["list"]] == ["datasource", "job", "instance"]
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    cells = [
        (place["x"] + x, place["y"] + y) for panel in BOARD["panels"] if (place := panel["gridPos"])
        for x in range(place["w"]) for y in range(place["h"])]
    assert len(cells) == len(set(cells)) and max(x for x, _ in cells) == 23


# Kubernetes


@pytest.fixture(scope="module")
def cluster():
    """The objects by their kind."""
    return {document["kind"]: document for document in yaml.safe_load_all(KUBERNETES.read_text())}


@pytest.fixture(scope="module")
def pod(cluster):
    return cluster["Deployment"]["spec"]["template"]["spec"]


def test_the_objects_belong_together(cluster, pod):
    deployment = cluster["Deployment"]["spec"]
    labels = deployment["template"]["metadata"]["labels"]
    assert labels == deployment["selector"]["matchLabels"] == cluster["Service"]["spec"]["selector"]
    assert (deployment["replicas"], deployment["strategy"]["type"]) == (1, "Recreate")
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    assert volumes["files"]["persistentVolumeClaim"]["claimName"] == cluster["PersistentVolumeClaim"]["metadata"]["name"]
    assert volumes["first-files"]["configMap"]["name"] == cluster["ConfigMap"]["metadata"]["name"]
    [container] = pod["containers"]
    for part in [container, *pod["initContainers"]]:
        assert {mount["name"] for mount in part["volumeMounts"]} <= set(volumes)
        assert part["image"] == container["image"]
    [port] = container["ports"]
    [outer] = cluster["Service"]["spec"]["ports"]
    assert f"--port={port['containerPort']}" in container["args"] and outer["targetPort"] == port["name"]


def test_the_pod_has_no_rights_that_it_does_not_need(pod):
    assert pod["enableServiceLinks"] is False and pod["automountServiceAccountToken"] is False
    own = pod["securityContext"]
    assert own["runAsNonRoot"] and own["runAsUser"] and own["fsGroupChangePolicy"] == "OnRootMismatch"
    for container in [*pod["containers"], *pod["initContainers"]]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}


def test_its_options_are_options_of_serve(pod):
    [container] = pod["containers"]
    known = subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True, env=environment(), timeout=60).stdout
    assert container["command"][1] == "serve"
    options = [option.partition("=")[0] for option in container["args"]]
    assert len(options) > 3
    for option in options:
        assert re.search(rf"^  {option}\b", known, re.M), option


def test_the_address_of_a_service_of_that_name_is_no_port(tmp_path):
    done = subprocess.run(
        [BINARY, "serve", demonstration(tmp_path / "demo"), "--no-browser", "--host", "127.0.0.1", "--trusted-proxy", "wrong"],
        capture_output=True, text=True, timeout=60, env=environment() | {"FLAGBOARD_PORT": "tcp://10.0.0.1:8080"})
    assert done.returncode == 64 and "--trusted-proxy" in done.stderr and "FLAGBOARD_PORT" not in done.stderr
    odd = subprocess.run(
        [BINARY, "serve", demonstration(tmp_path / "other"), "--no-browser"], capture_output=True, text=True, timeout=60,
        env=environment() | {"FLAGBOARD_PORT": "udp://10.0.0.1:8080"})
    assert odd.returncode == 64 and "FLAGBOARD_PORT" in odd.stderr


class Pod:
    """The containers of the pod, on folders of a test instead of its volumes."""

    def __init__(self, cluster, folder):
        self.files, self.folder = folder / "files", folder
        self.pod = cluster["Deployment"]["spec"]["template"]["spec"]
        for name in ("files", "first-files", "first-tokens"):
            (folder / name).mkdir()
        for name, text in cluster["ConfigMap"]["data"].items():
            (folder / "first-files" / name).write_text(text)
        elsewhere = demonstration(folder / "elsewhere")
        self.token = make_token(elsewhere, "ada", "admin")
        # Kubernetes lets the group of a volume read a secret.
        secret = folder / "first-tokens/flags.tokens.json"
        shutil.copyfile(elsewhere.with_name("flags.tokens.json"), secret)
        secret.chmod(0o440)
        self.process = None

    def placed(self, words):
        places = {mount["mountPath"]: mount["name"] for mount in self.pod["initContainers"][0]["volumeMounts"]}
        for path, name in places.items():
            words = [word.replace(path, str(self.folder / name)) for word in words]
        return words

    def start(self):
        [first], [container] = self.pod["initContainers"], self.pod["containers"]
        done = subprocess.run(self.placed(first["command"]), capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        program, *words = self.placed([*container["command"], *container["args"]])
        assert program == "/usr/local/bin/flagboard"
        self.process = subprocess.Popen(
            [BINARY, *words, "--port=0", "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=environment())
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        self.port = int(re.search(r":(\d+)", line)[1])

    def get(self, path, host, token=None):
        """The status of an answer."""
        headers = {"Host": f"{host}:{self.port}"} | ({"Authorization": f"Bearer {token}"} if token else {})
        try:
            request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def stop(self):
        """Ends the server, and returns what it logged."""
        if self.process is None:
            return ""
        self.process.terminate()
        _, errors = self.process.communicate(timeout=20)
        self.process = None
        return errors


def test_the_server_of_the_pod_starts_twice_and_answers_probes_people_and_prometheus(cluster, tmp_path):
    pod = Pod(cluster, tmp_path)
    [container] = pod.pod["containers"]
    service = f"{cluster['Service']['metadata']['name']}.flags.svc"
    try:
        pod.start()
        values = (pod.files / "flags.xml").read_bytes()
        for probe in ("readinessProbe", "livenessProbe"):
            assert pod.get(container[probe]["httpGet"]["path"], "10.1.2.3") == 200
        assert pod.get("/metrics", service, pod.token) == 200 and pod.get("/metrics", service) == 401
        assert pod.get("/api/v1/flags", service, pod.token) == 200
        pod.stop()
        (pod.files / "flags.xml").write_bytes(values + b"<!-- mine -->\n")
        # A token that is revoked doesn't come back from the secret.
        revoked = run_token("revoke", pod.files / "flags.xml", "ada")
        assert revoked.returncode == 0, revoked.stderr
        second = make_token(pod.files / "flags.xml", "grace", "viewer")
        pod.start()
        assert (pod.files / "flags.xml").read_bytes() == values + b"<!-- mine -->\n"
        assert pod.get("/metrics", service, second) == 200 and pod.get("/metrics", service, pod.token) == 401
    finally:
        pod.stop()


def test_a_file_that_is_lost_is_not_replaced_by_an_empty_one(cluster, tmp_path):
    pod = Pod(cluster, tmp_path)
    try:
        pod.start()
        pod.stop()
        (pod.files / "flags.xml").unlink()
        pod.start()
        assert pod.get("/healthz", "10.1.2.3") == 200
        assert not (pod.files / "flags.xml").exists()
    finally:
        assert "flags.xml: the file is missing" in pod.stop()
