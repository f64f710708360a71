#!/usr/bin/env bash
# Runs the command VERB with ARGUMENTS, one per line, in the current folder. If package-lock.json contains the program, runs this
# version with its locked dependencies. Otherwise fetches the version of this action, with the dependencies in its
# npm-shrinkwrap.json. Never runs install scripts, which could read the secrets of the job.
set -euo pipefail
export npm_config_ignore_scripts=true

arguments=()
while IFS= read -r argument; do
  [ -z "$argument" ] || arguments+=("$argument")
done <<<"$ARGUMENTS"

if grep -qs '"node_modules/release-index"' package-lock.json; then
  [ -d node_modules/release-index ] || npm ci --omit=dev --no-audit --no-fund
  exec npx --no -- release-index "$VERB" "${arguments[@]}"
fi
version=$(node -p 'require(process.argv[1]).version' "$(dirname "$0")/../../../package.json")
exec npx --yes -- "release-index@$version" "$VERB" "${arguments[@]}"
