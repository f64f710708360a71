#!/usr/bin/env bash
# The verb VERB with ARGUMENTS, one a line, in the current folder. An index that has the program in its package-lock.json runs
# that one, to the digest of its last dependency; elsewhere the version of this action is fetched, with the dependencies of its
# npm-shrinkwrap.json. Install scripts never run, as the secrets of the job are beside them.
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
