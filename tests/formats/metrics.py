# SPDX-License-Identifier: BSD-2-Clause
"""OpenMetrics: our own strict reader, the Python client of Prometheus, and promtool, which reads as node_exporter does."""
import subprocess

from facets_oracle import read_metrics
from program import Skip, check, documents, tool


def test_the_text_is_strictly_as_specified():
    for name, made in documents().items():
        families = read_metrics(made["openmetrics"].decode())
        check(len(families) >= 4 and all(name.startswith("ampere_crypto_") and help for name, (_, help, _) in families.items()),
              name, list(families))


def test_files_of_two_commands_share_no_sample():
    """They stand in one directory, and node_exporter refuses all of it when a sample is there twice."""
    seen = {}
    for name in ("audit", "bench", "setup", "detect"):
        for family, (unit, text, samples) in read_metrics(documents()[name]["openmetrics"].decode()).items():
            for labels, _ in samples:
                key = (family, *sorted(labels.items()))
                check(key not in seen, name, seen.get(key), key)
                seen[key] = name
            about = seen.setdefault(family, (unit, text))
            check(about == (unit, text), family, "two helps")


def test_the_python_client_reads_it():
    try:
        from prometheus_client.openmetrics import parser
    except ImportError:
        raise Skip("no python3-prometheus-client") from None
    for name, made in documents().items():
        text = made["openmetrics"].decode()
        families = {family.name: family for family in parser.text_string_to_metric_families(text)}
        for family, (unit, _, samples) in read_metrics(text).items():
            got = [(sample.labels, sample.value) for sample in families[family].samples]
            check(got == samples and families[family].unit == (unit or ""), name, family, got[:2])


def test_promtool_reads_it():
    promtool = tool("promtool", "prometheus")
    for name, made in documents().items():
        done = subprocess.run([promtool, "check", "metrics"], input=made["openmetrics"], capture_output=True, check=False, timeout=60)
        check(done.returncode == 0 and not done.stderr and not done.stdout, name, (done.stdout + done.stderr).decode()[:400])
    done = subprocess.run([promtool, "check", "metrics"], input=b"# TYPE x info\nx_info 1\n", capture_output=True, check=False, timeout=60)
    check(done.returncode != 0, "promtool takes a type that node_exporter refuses")
