# SPDX-License-Identifier: BSD-2-Clause
"""The pieces for pipelines, read by an independent YAML reader and run step by step in a clean root, as runners do: as root and
as a user, twice; the second time everything comes from the cache and nothing is built."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from stages import passing
from world import NOBODY, PROGRAM, TOP, Skip, World, check, environment, findings, start

CI = TOP / "contrib/ci"
# What a job sees: the system read-only, its own directory, an empty /tmp, nothing else.
ROOT = """set -e
root=$1; top=$2; program=$3; uid=$4; where=$5; shift 5
mount -t tmpfs -o mode=755 tmpfs "$root"
for name in usr bin sbin lib lib64 etc; do
    [ -e "/$name" ] || continue
    if [ -L "/$name" ]; then cp -P "/$name" "$root/$name"; continue; fi
    mkdir "$root/$name"; mount --bind -o ro "/$name" "$root/$name"
done
mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/opt" "$root$top" "$root$where"
chmod 1777 "$root/tmp"
mount --rbind /proc "$root/proc"; mount --rbind /sys "$root/sys"; mount --rbind /dev "$root/dev"
mount --bind "$top" "$root$top"
mount --bind "$where" "$root$where"
exec chroot "$root" setpriv --reuid "$uid" --regid "$uid" --clear-groups -- sh -c 'cd "$0" && exec "$@"' "$where" "$@"
"""


class Job:
    """A directory as a runner gives one to a job, with a plan of two small recipes."""

    def __init__(self, name, uid):
        if os.geteuid() != 0 or start(["unshare", "--mount", "true"]).code:
            raise Skip("needs root for chroot and namespaces")
        if uid and start(["setpriv", "--reuid", uid, "--regid", uid, "--clear-groups", "test", "-r", TOP / "tests/skips"]).code:
            raise Skip("others may not enter the checkout")
        self.uid, self.name = uid, f"{name}-{uid}"
        self.world = World(self.name, audit=passing(), outputs=[{"of": "audit", "format": "markdown", "path": "reports/audit.md"}])
        self.top = self.world.top
        (self.top / "root").mkdir()
        self.out = {}

    def plan(self, file, prefix):
        self.world.plan["prefix"] = prefix
        (self.top / file).write_text(json.dumps(self.world.plan))

    def fresh(self):
        """A new workspace: only what was checked out, and the cache elsewhere."""
        for name in ("reports", "temp"):
            shutil.rmtree(self.top / name, ignore_errors=True)
            (self.top / name).mkdir()
        for path in [self.top, *self.top.rglob("*")]:
            os.lchown(path, self.uid, self.uid)

    def run(self, argv, env):
        words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", ROOT, "sh", self.top / "root", TOP, PROGRAM, self.uid, self.top]
        base = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.top), "LC_ALL": "C.UTF-8"}
        base.update({name: value for name, value in environment().items() if name.startswith(("ASAN_", "UBSAN_", "LSAN_"))})
        return start([*words, *argv], env={**base, **env})


def read_yaml(path):
    try:
        import yaml
    except ImportError:
        raise Skip("no python3-yaml") from None
    return yaml.safe_load(path.read_text())


def expression(text, values):
    """What stands in ${{ }}: a name, or names and literals compared and joined."""
    words = re.findall(r"'[^']*'|&&|\|\||==|!=|[\w.-]+(?:\(\))?", text)
    python = []
    for word in words:
        if word in ("&&", "||"):
            python.append({"&&": "and", "||": "or"}[word])
        elif word in ("==", "!="):
            python.append(word)
        elif word == "always()":
            python.append("True")
        else:
            python.append(repr(word[1:-1] if word[0] == "'" else values.get(word, "")))
    return eval(" ".join(python), {"__builtins__": {}})


def expand(text, values):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(expression(found.group(1), values)), str(text))


class Runner:
    """Runs the steps of a composite action; the actions of others are played by copies."""

    def __init__(self, job, action):
        self.job, self.action = job, read_yaml(action)
        self.store = job.top.parent / f"{job.name}-cache"
        shutil.rmtree(self.store, ignore_errors=True)
        self.store.mkdir()

    def play(self, uses, given, values):
        """Outputs of one of GitHub's own actions."""
        name = uses.split("@")[0]
        if name == "actions/cache/restore":
            kept, path = self.store / given["key"], given["path"]
            if not kept.exists():
                return {}
            check(not os.path.exists(path), "restored over what is there", path)
            subprocess.run(["cp", "-a", str(kept), path], check=True)
            return {"cache-hit": "true"}
        if name == "actions/cache/save":
            check(not (self.store / given["key"]).exists(), "saved twice", given["key"])
            subprocess.run(["cp", "-a", given["path"], str(self.store / given["key"])], check=True)
            return {}
        if name == "actions/upload-artifact":
            paths = [self.job.top / line.strip() for line in given["path"].splitlines() if line.strip()]
            hidden = given.get("include-hidden-files") == "True"  # else what begins with a dot, and what is in it, is left out
            values["artefact"] = [path for path in paths if path.exists() and (hidden or "/." not in str(path.relative_to("/")))]
            return {}
        raise AssertionError(f"an action that is not known: {uses}")

    def run(self, inputs):
        declared = self.action["inputs"]
        check(set(inputs) <= set(declared), "inputs", set(inputs) - set(declared))
        values = {f"inputs.{name}": inputs.get(name, row.get("default", "")) for name, row in declared.items()}
        values.update({"runner.os": "Linux", "runner.arch": "X64"})
        temp, failed = self.job.top / "temp", False
        for step in self.action["runs"]["steps"]:
            condition = step.get("if", "")
            if (failed and "always()" not in condition) or (condition and not expression(condition, values)):
                continue
            outputs = {}
            if "uses" in step:
                outputs = self.play(step["uses"], {key: expand(value, values) for key, value in step["with"].items()}, values)
            else:
                check("${{" not in step["run"], "an input is interpolated into a script", step["run"])
                (temp / "output").write_text("")
                (temp / "output").chmod(0o666)
                env = {name: expand(value, values) for name, value in step.get("env", {}).items()}
                env.update(RUNNER_TEMP=str(temp), GITHUB_OUTPUT=f"{temp}/output", GITHUB_STEP_SUMMARY=f"{temp}/summary")
                (temp / "step.sh").write_text(step["run"])
                done = self.job.run([step["shell"], "-e", temp / "step.sh"], env)
                values["said"] = values.get("said", "") + done.out + done.err
                failed |= done.code != 0
                values["status"] = done.code
                outputs = dict(line.split("=", 1) for line in (temp / "output").read_text().splitlines())
            for name, value in outputs.items():
                values[f"steps.{step.get('id')}.outputs.{name}"] = value
        return values


def texts(job, number):
    """What the stages said in the run whose results are there."""
    found = list((job.top / ".ampere-crypto/provision").rglob("setup.json"))
    check(len(found) == 1, "results", found)
    states = {row["state"] for row in json.loads(found[0].read_text())["results"]}
    check(states == ({"built"} if number == 0 else {"active"}), number, states)


def github(uid):
    job = Job("github", uid)
    hostile = "the plan; touch pwned $(touch pwned) \"'.json"
    job.plan(hostile, ".ampere-crypto")
    runner = Runner(job, CI / "github/action.yml")
    for number in range(2):
        shutil.rmtree(job.top / ".ampere-crypto", ignore_errors=True)
        job.fresh()
        (job.top / "temp/summary").write_text("from an earlier step\n")
        os.chown(job.top / "temp/summary", uid, uid)
        values = runner.run({"plan": hostile, "program": str(PROGRAM), "files": "reports"})
        check(values["status"] == 0 and values["steps.provision.outputs.exit-code"] == "0", values)
        check(len(list(runner.store.iterdir())) == 1, "cache", list(runner.store.iterdir()))
        texts(job, number)
        summary = (job.top / "temp/summary").read_text()
        check(summary.startswith("from an earlier step\n") and "setup" in summary and "audit" in summary, summary)
        check(len(values["artefact"]) == 2 and (job.top / "reports/audit.md").exists(), values["artefact"])
        check(not list(job.top.rglob("pwned")), "a name was run")
    # A finding fails the job in its last step, after everything is kept.
    found = findings("fail")
    if found:
        job.world.plan["audit"] = {"only": found[:1], "fail-on": "low"}
        job.plan(hostile, ".ampere-crypto")
        job.fresh()
        shutil.rmtree(job.top / ".ampere-crypto")
        values = runner.run({"plan": hostile, "program": str(PROGRAM)})
        check(values["status"] == 1 and values["artefact"], values["status"], values["said"])
    # A plan with a mistake ends in the first step.
    (job.top / hostile).write_text("{}")
    job.fresh()
    values = runner.run({"plan": hostile, "program": str(PROGRAM)})
    check(values["status"] == 2 and "nothing to do" in values["said"], values)


def gitlab(uid):
    job = Job("gitlab", uid)
    template = read_yaml(CI / "gitlab/ampere-crypto.yml")[".ampere-crypto"]
    cached = template["cache"]["paths"][0].rstrip("/")
    job.plan(template["variables"]["AMPERE_CRYPTO_PLAN"], cached)
    check(template["cache"]["key"]["files"] == [template["variables"]["AMPERE_CRYPTO_PLAN"]], template["cache"])
    for output in json.loads((CI / "example.json").read_text())["outputs"]:
        check(output["format"] != "junit" or any(Path(output["path"]).match(glob) for glob in template["artifacts"]["reports"]["junit"]),
              "JUnit of the example is not found", output)
    kept = job.top.parent / f"{job.name}-cache"
    shutil.rmtree(kept, ignore_errors=True)
    for number in range(2):
        shutil.rmtree(job.top / cached, ignore_errors=True)
        job.fresh()
        shutil.rmtree(job.top / "reports")
        if kept.exists():
            subprocess.run(["cp", "-a", str(kept), str(job.top / cached)], check=True)
        # As GitLab's runner: the lines after another in one shell that ends with the first that fails.
        lines = "\n".join(["set -e", *template["script"]])
        done = job.run(["sh", "-c", lines], {**template["variables"], "AMPERE_CRYPTO": str(PROGRAM), "CI": "true"})
        check(done.code == 0, done.code, done.out, done.err)
        subprocess.run(["rm", "-rf", str(kept)], check=True)
        subprocess.run(["cp", "-a", str(job.top / cached), str(kept)], check=True)
        texts(job, number)
        for path in template["artifacts"]["paths"]:
            check(list((job.top / path).iterdir()), "no artefact", path)


def shell(uid):
    job = Job("shell", uid)
    job.plan("plan.json", ".ampere-crypto")
    (job.top / "cache").mkdir()
    for number in range(2):
        shutil.rmtree(job.top / ".ampere-crypto", ignore_errors=True)
        job.fresh()
        env = {"AMPERE_CRYPTO": str(PROGRAM), "AMPERE_CRYPTO_CACHE": str(job.top / "cache"), "AMPERE_CRYPTO_OUT": str(job.top / "reports")}
        done = job.run([CI / "shell/provision.sh", "plan.json"], env)
        check(done.code == 0, done.code, done.out, done.err)
        check(len(list((job.top / "cache").iterdir())) == 1, "cache", list((job.top / "cache").iterdir()))
        texts(job, number)
        check((job.top / "reports/provision.md").exists(), "no report")


def test_github_as_root():
    github(0)


def test_github_as_a_user():
    github(NOBODY)


def test_gitlab_as_root():
    gitlab(0)


def test_gitlab_as_a_user():
    gitlab(NOBODY)


def test_shell_as_root():
    shell(0)


def test_shell_as_a_user():
    shell(NOBODY)
