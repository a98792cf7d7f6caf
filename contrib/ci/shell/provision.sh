#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# For pipelines without a piece of their own: do what a plan says, with what is installed kept between runs.
# Usage: provision.sh PLAN
#
#   AMPERE_CRYPTO        the program, when it is not on PATH
#   AMPERE_CRYPTO_CACHE  a directory that outlives the job; without it nothing is kept
#   AMPERE_CRYPTO_OUT    where provision.json and provision.md go: the working directory
set -eu
plan=$1
program=${AMPERE_CRYPTO:-ampere-crypto}
out=${AMPERE_CRYPTO_OUT:-.}
mkdir -p "$out"

"$program" provision --plan "$plan" --dry-run --output "json=$out/plan.json"
value() {
	sed -n "s/^    \"$1\": \"\(.*\)\",\{0,1\}\$/\1/p" "$out/plan.json" | sed 's/\\\(["\\]\)/\1/g'
}
prefix=$(value prefix)
key=$(value cache_key)
kept=
[ -z "${AMPERE_CRYPTO_CACHE-}" ] || [ -z "$key" ] || kept=$AMPERE_CRYPTO_CACHE/ampere-crypto-$key.tar
if [ -n "$kept" ] && [ -e "$kept" ] && [ ! -e "$prefix" ]; then
	mkdir -p "$prefix"
	tar -C "$prefix" -xpf "$kept"
fi

status=0
"$program" provision --plan "$plan" --output "json=$out/provision.json" --output "markdown=$out/provision.md" || status=$?

# What was installed is kept, whatever was found afterwards; whole or not at all.
case $status in
0 | 1 | 3)
	if [ -n "$kept" ] && [ ! -e "$kept" ]; then
		# A full disk of the cache changes nothing of what was found.
		if tar -C "$prefix" -cf "$kept.$$" . && mv "$kept.$$" "$kept"; then :; else
			echo "$kept cannot be written: the next run installs again" >&2
			rm -f "$kept.$$"
		fi
	fi
	;;
esac
exit "$status"
