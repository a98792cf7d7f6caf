# SPDX-License-Identifier: BSD-2-Clause
"""A capture holds none of the identifiers and secrets planted in the files that are read."""
import base64
import json
import shutil
import struct

from program import WORK, altra_cpuinfo, check, run

# Each planted once, in a file of its own kind; none of them may be found in any output.
SECRETS = {
    "serial": "SN7F3K9Q2", "asset": "ASSET-4471", "uuid": "b2f7c1d0-5e6a-4b3c-9d8e-0f1a2b3c4d5e", "host": "vault7.corp.example",
    "user": "mallory", "password": "hunter2-Tr0ub4dor", "token": "ghp_0123456789abcdefXYZ", "address": "203.0.113.77",
    "address6": "2001:db8:77::1", "mac": "00:16:3e:5f:aa:bc", "share": "nas9.corp.example:/export/finance",
    "disk": "6e0f1b7a-root-disk", "program": "acme-secretd", "upstream": "payments.internal.example",
    "key": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
}


def smbios():
    """Types 0, 1, 3 and the end, with a serial number, an asset tag and a UUID (SMBIOS 3.6, 7.1, 7.2, 7.4)."""
    def structure(kind, handle, body, *strings):
        text = b"".join(string.encode() + b"\0" for string in strings) or b"\0"
        return struct.pack("<BBH", kind, 4 + len(body), handle) + body + text + b"\0"

    uuid = bytes.fromhex(SECRETS["uuid"].replace("-", ""))
    return (structure(0, 0, bytes([1, 2, 0, 0xE0, 3, 0]) + bytes(12), "Ampere(R)", "2.10", "01/02/2025") +
            structure(1, 1, bytes([1, 2, 3, 4]) + uuid + bytes([6, 5, 6]), "WIWYNN", "Mt.Jade", "1", SECRETS["serial"],
                      "SKU-1", "Altra") +
            structure(3, 2, bytes([1, 23, 2, 3, 4]) + bytes(8), "WIWYNN", "1", SECRETS["serial"], SECRETS["asset"]) +
            structure(127, 3, b""))


def files():
    s = SECRETS
    unit = (f"[Service]\nUser={s['user']}\nEnvironment=API_TOKEN={s['token']} OPENSSL_armcap=0\n"
            f"ExecStart=/usr/sbin/nginx --host {s['host']} --password {s['password']}\n")
    return {
        "proc/cpuinfo": altra_cpuinfo() + f"Serial\t\t: {s['serial']}\n",
        "proc/cmdline": f"root=UUID={s['disk']} isolcpus=1-3 ip={s['address']} luks.pw={s['password']} hostname={s['host']}\n",
        "proc/mounts": f"{s['share']} /mnt nfs4 addr={s['address']} 0 0\nhugetlbfs /dev/hugepages hugetlbfs rw 0 0\n"
                       f"//{s['host']}/x /m cifs username={s['user']},password={s['password']} 0 0\n",
        "proc/version": f"Linux version 6.8.0 ({s['user']}@{s['host']}) (gcc 12.2.0) #1 SMP\n",
        "proc/4711/comm": s["program"] + "\n", "proc/4712/comm": "cppc_fie\n",
        "proc/self/limits": "Limit Soft Hard Units\nMax locked memory 65536 65536 bytes\n",
        "etc/environment": f"OPENSSL_armcap=0\nHTTPS_PROXY=http://{s['user']}:{s['password']}@{s['host']}:3128\n",
        "etc/environment.d/50.conf": f"TOKEN={s['token']}\n", "etc/profile.d/x.sh": f"export TOKEN='{s['token']}'\n",
        "etc/default/nginx": f"DAEMON_ARGS=\"{s['password']}\"\n",
        "etc/systemd/system/nginx.service": unit, "usr/lib/systemd/system/haproxy.service": unit,
        "lib/systemd/system/sshd.service": unit, "run/systemd/system/vpp.service": unit,
        "etc/systemd/system/nginx.service.d/o.conf": unit, "etc/systemd/system.conf": f"[Manager]\nDefaultEnvironment=A={s['token']}\n",
        "etc/security/limits.conf": f"{s['user']} - memlock unlimited\n# ask {s['user']}@{s['host']}\n",
        "etc/nginx/nginx.conf": f"http {{ upstream b {{ server {s['upstream']}:443; server [{s['address6']}]:1; }}\n"
                                f"server {{ listen {s['address']}:443 ssl; server_name {s['host']};\n"
                                f"ssl_certificate /etc/ssl/{s['host']}.pem; ssl_certificate_key /etc/ssl/{s['user']}.key;\n"
                                f"ssl_ciphers HIGH; auth_basic_user_file /home/{s['user']}/pw; }} }}\n",
        "etc/haproxy/haproxy.cfg": f"userlist u\n user {s['user']} insecure-password {s['password']}\nfrontend f\n"
                                   f" bind {s['address']}:443 ssl crt /etc/{s['host']}.pem\nbackend b\n server a {s['upstream']}:80\n",
        "etc/ssl/openssl.cnf": f"PIN = {s['password']}\n[req]\ncommonName = {s['host']}\nemailAddress = {s['user']}@x\n",
        f"etc/ssl/{SECRETS['host']}.pem": f"-----BEGIN PRIVATE KEY-----\n{s['key']}\n-----END PRIVATE KEY-----\n",
        "etc/ld.so.conf": f"include ld.so.conf.d/*.conf\n# by {s['user']}\n",
        "etc/ld.so.preload": "", "etc/hostname": s["host"] + "\n", "etc/machine-id": s["uuid"].replace("-", "") + "\n",
        "sys/class/net/eth0/address": s["mac"] + "\n", "sys/class/dmi/id/chassis_asset_tag": s["asset"] + "\n",
        "sys/class/dmi/id/product_serial": s["serial"] + "\n", "sys/class/dmi/id/product_uuid": s["uuid"] + "\n",
        "sys/devices/soc0/serial_number": s["serial"] + "\n", "sys/devices/soc0/soc_id": "jep106:0a16:0001\n",
        "sys/firmware/dmi/tables/DMI": smbios(),
    }


def planted():
    root = WORK / "planted"
    shutil.rmtree(root, ignore_errors=True)
    for path, content in files().items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def decoded(value):
    """Every text of a capture, and what is behind its Base64."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key.encode()
            if key == "base64":
                yield base64.b64decode(item)
            else:
                yield from decoded(item)
    elif isinstance(value, list):
        for item in value:
            yield from decoded(item)
        if len(value) == 2 and isinstance(value[0], int) and isinstance(value[1], str):
            yield base64.b64decode(value[1])
    elif isinstance(value, str):
        yield value.encode()


def test_no_planted_secret_is_in_any_output():
    root = planted()
    capture = run("capture", "-", "--root", str(root))
    check(capture.code == 0, capture.err)
    questions = capture.json()["questions"]
    for path in ("/proc/cmdline", "/proc/mounts", "/etc/nginx/nginx.conf", "/sys/firmware/dmi/tables/DMI", "/etc/environment",
                 "/etc/systemd/system/nginx.service", "/etc/security/limits.conf", "/proc/4711/comm"):
        check(path in questions, path, "is not read: the test proves nothing")
    outputs = {"capture": b"\n".join(decoded(capture.json()))}
    for command in ("audit", "detect"):
        for extra in (["--json"], ["--all", "--verbose"] if command == "audit" else []):
            outputs[command] = outputs.get(command, b"") + run(command, "--root", str(root), *extra).raw
    raw_uuid = bytes.fromhex(SECRETS["uuid"].replace("-", ""))
    for name, text in outputs.items():
        text = text.replace(str(root).encode(), b"")
        for kind, secret in SECRETS.items():
            at = text.find(secret.encode())
            check(at < 0, name, kind, text[max(0, at - 80):at + 60])
        check(raw_uuid not in text and SECRETS["uuid"].replace("-", "").encode() not in text, name, "the UUID")


def test_what_is_judged_survives_redaction():
    capture = json.loads(run("capture", "-", "--root", str(planted())).raw)["questions"]
    check("isolcpus=1-3" in capture["/proc/cmdline"]["text"], capture["/proc/cmdline"])
    check("hugetlbfs /dev/hugepages" in capture["/proc/mounts"]["text"], capture["/proc/mounts"])
    check("cppc_fie" in capture["/proc/4712/comm"]["text"], capture["/proc/4712/comm"])
    check("OPENSSL_armcap=0" in capture["/etc/environment"]["text"], capture["/etc/environment"])
    check("memlock unlimited" in capture["/etc/security/limits.conf"]["text"], capture["/etc/security/limits.conf"])
