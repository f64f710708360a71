import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './root.ts';

/**
 * The text of a command "npm" that does each thing once: the lock of a manifest is made once, and what a lock says is
 * installed once. Whoever asks again gets a copy of the lock, and links to the installed packages.
 */
export function sharingNpm(folder: string): string {
  return `npm=$(PATH=\${PATH#*"\${0%/*}":} command -v npm)
known=${folder}/$(cat package.json | sha256sum | cut -c 1-64)
mkdir -p "$known"
case "$*" in
  "install --package-lock-only")
    [ -e "$known/package-lock.json" ] || { "$npm" "$@" && cp package-lock.json "$known"; } || exit
    cp "$known/package-lock.json" . ;;
  ci|"ci "*)
    cmp package-lock.json "$known/package-lock.json" || exit
    [ -e "$known/node_modules" ] || { "$npm" "$@" && mv node_modules "$known"; } || exit
    mkdir node_modules && ln -s "$known"/node_modules/* "$known/node_modules/.bin" node_modules ;;
  *) exec "$npm" "$@" ;;
esac`;
}

/** A folder with these commands, by name, to stand first among the folders of commands. */
export function commandsFolder(commands: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}
