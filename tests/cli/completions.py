# SPDX-License-Identifier: BSD-2-Clause
"""Completion in real shells: what bash, zsh and fish offer at a point of a command line."""
import os
import shutil
import subprocess

from program import PROGRAM, WORK, Skip, check, environment, run

CASES = [
    # words of the command line, the last is completed; some that must be offered, some that must not
    (["a"], {"audit"}, {"detect"}),
    (["audit", "--ro"], {"--root", "--role"}, {"--cpuinfo"}),
    (["audit", "--role", ""], {"dpdk", "ipsec", "tls"}, {"audit"}),
    (["audit", "--fail-on", "cr"], {"critical"}, {"high"}),
    (["audit", "--only", "cpu.gov"], {"cpu.governor"}, {"cpu.family"}),
    (["explain", "cpu.gov"], {"cpu.governor"}, {"cpu.family"}),
    (["explain", "snow3g-"], {"snow3g-uea2", "snow3g-uia2"}, {"zuc-eea3"}),
    (["explain", "cpufreq.gov"], {"cpufreq.governors"}, {"cpu.governor"}),
    (["list", ""], {"checks", "facts", "profiles", "suites", "cases", "references"}, {"audit"}),
    (["schema", "a"], {"audit"}, {"detect"}),
    (["completion", ""], {"bash", "zsh", "fish"}, {"audit"}),
    (["audit", "--profile", "altr"], {"altra", "altramax"}, {"emag"}),
]


def script(shell):
    """The script in a file, with the program first on PATH."""
    directory = WORK / "bin"
    directory.mkdir(parents=True, exist_ok=True)
    link = directory / "ampere-crypto"
    link.unlink(missing_ok=True)
    # Not a link: the program finds its profiles from where it is.
    link.write_text(f'#!/bin/sh\nexec "{PROGRAM}" "$@"\n')
    link.chmod(0o755)
    path = WORK / f"completion.{shell}"
    path.write_bytes(run("completion", shell).raw)
    if not shutil.which(shell):
        raise Skip(f"no {shell}")
    check(subprocess.run([shell, "-n", path], check=False).returncode == 0, shell, "refuses the script")
    return path, environment(PATH=f"{directory}:{os.environ['PATH']}")


def compare(shell, offers):
    for words, wanted, unwanted in CASES:
        offered = offers(words)
        check(wanted <= offered, shell, words, "offers", sorted(offered)[:20])
        check(not unwanted & offered, shell, words, "offers too much", sorted(unwanted & offered))


def test_bash():
    path, env = script("bash")

    def offers(words):
        line = " ".join(["ampere-crypto", *words])
        program = (f'source {path}; COMP_WORDS=(ampere-crypto "$@"); COMP_CWORD=$#; COMP_LINE="{line}"; '
                   'COMP_POINT=${#COMP_LINE}; compopt() { :; }; _ampere_crypto; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "--norc", "-c", program, "bash", *words], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60, check=False, text=True)
        check(done.stderr == "", words, done.stderr)
        return set(done.stdout.split())
    compare("bash", offers)


def test_bash_completes_after_an_equals_sign():
    path, env = script("bash")
    program = (f'source {path}; COMP_WORDS=(ampere-crypto audit --role = i); COMP_CWORD=4; _ampere_crypto; '
               'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "--norc", "-c", program], env=env, stdout=subprocess.PIPE, timeout=60, check=False,
                          text=True)
    check(done.stdout.split() == ["ipsec"], done.stdout)


def test_fish():
    path, env = script("fish")

    def offers(words):
        line = " ".join(["ampere-crypto", *words])
        done = subprocess.run(["fish", "--no-config", "-c", f"source {path}; complete -C '{line}'"], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False, text=True)
        return {row.split("\t")[0] for row in done.stdout.splitlines()}
    compare("fish", offers)


# A shell on a pseudo-terminal; compadd also prints what it adds, each match on a line of its own.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; LISTMAX=10000; setopt no_auto_menu no_beep"
zpty -w shell "source $1"
zpty -w shell 'compadd() { typeset -a hits; builtin compadd "$@"; local code=$?
  [[ " $*" == *" "-[a-zA-Z]#[OAD]* ]] || { builtin compadd -O hits "$@"; print -rl -- "" "offer:"${^hits}; }
  return code; }'
zpty -w shell 'print rea""dy'
while zpty -r shell row; do [[ $row == *ready* ]] && break; done
zpty -w -n shell "$2"$'\t'
# What is typed meanwhile would cut the completion short.
while zpty -r shell row; do print -r -- "$row"; [[ $row == *offer:* ]] && break; done
zpty -w -n shell $'\C-u'"print do\"\"ne"$'\n'
while zpty -r shell row; do print -r -- "$row"; [[ $row == *done* ]] && break; done
zpty -d shell
"""


def test_zsh():
    path, env = script("zsh")
    env["ZDOTDIR"] = str(WORK)
    program = WORK / "complete.zsh"
    program.write_text(ZSH)

    def offers(words):
        line = " ".join(["ampere-crypto", *words])
        done = subprocess.run(["zsh", "-f", program, path, line], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=60, check=False, text=True,
                              errors="replace")
        rows = done.stdout.replace("\r", "\n").splitlines()
        return {row.split("offer:", 1)[1].rstrip("=") for row in rows if "offer:" in row}
    compare("zsh", offers)
