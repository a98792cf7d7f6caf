# SPDX-License-Identifier: BSD-2-Clause
"""Every program of this machine, on a copy of it that is thrown away: an overlay, so that the machine itself is only read."""
import os
import subprocess

from cases import check_table, check_winners, ok
from systems import INTERP, VERSIONS, WORK, Skip, System, interpreter

CASES = []


class Machine(System):
    def programs(self):
        """The dynamic ones of /usr/bin and /usr/sbin."""
        names = [f"{folder}/{name}" for folder in ("/usr/bin", "/usr/sbin") for name in sorted(os.listdir(self.path(folder)))]
        return [name for name in names if self.path(name).is_file() and interpreter(self.path(name)) == INTERP]

    def files(self, names):
        """Where each name leads, as the system itself resolves links."""
        return self.chroot("/usr/bin/realpath", *names).stdout.splitlines()


def mount_machine():
    top = WORK / "machine"
    top.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", str(top)], check=True)
    for name in ("upper", "work", "root"):
        (top / name).mkdir()
    options = f"lowerdir=/,upperdir={top}/upper,workdir={top}/work"
    done = subprocess.run(["mount", "-t", "overlay", "none", "-o", options, str(top / "root")], stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Skip("no overlay of / can be mounted")
    subprocess.run(["mount", "--bind", "/proc", str(top / "root/proc")], check=True)
    return Machine(top / "root")


def every_program_of_this_machine(_):
    system = mount_machine()
    system.ldconfig("-X")
    trees = [system.tree("openssl", ("libcrypto.so.3", VERSIONS), ("libssl.so.3", VERSIONS), prefix="/opt/ampere-crypto-suite")]
    system.activate(*trees, prefix="/opt/ampere-crypto-suite")
    plan = system.plan("all", *trees, prefix="/opt/ampere-crypto-suite")
    assert plan["refusal"] is None, plan["refusal"]
    # One file under several names is in the table once.
    names = sorted({row["program"] for row in plan["changes"]})
    told = set(system.files(names))
    wanted = names + [name for name, file in zip(system.programs(), system.files(system.programs())) if file not in told]
    before = {program: system.loads(program) for program in wanted}
    ok(system.tool("apply", "all", *trees, prefix="/opt/ampere-crypto-suite"))
    check_table(system, plan, before, {program: system.loads(program) for program in wanted})
    check_winners(system, plan)
    ok(system.tool("remove", "none", prefix="/opt/ampere-crypto-suite"))
    assert before == {program: system.loads(program) for program in wanted}, "after remove it is not as before"
    print(f"  {len(wanted)} programs, {len({row['program'] for row in plan['changes']})} of them load another file")


if os.environ.get("CHECK_FULL") == "1":
    CASES.append(("every program of this machine", "here", every_program_of_this_machine))
