import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { saveFile } from '../../src/core/files.ts';
import { program } from './example.ts';
import { createFolder } from './index-folder.ts';

/** Returns a folder for PATH. The `npx` in it starts the program of this checkout, and the `npm` in it does nothing. */
export function writeTools(): string {
  const folder = createFolder();
  const script = `while [ "$1" != release-index ]; do shift; done\nshift\nexec node ${program}/src/cli.js "$@"\n`;
  saveFile(join(folder, 'npx'), `#!/bin/bash\n${script}`);
  saveFile(join(folder, 'npm'), '#!/bin/bash\n');
  for (const name of ['npx', 'npm']) {
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
