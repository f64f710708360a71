import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/*
 * Signs the example before it is looked at. Its secret key stands in this repository, so that everybody can see signatures and
 * statements at work: a signature with it vouches for nothing. An index of one's own has a key that nobody else has.
 */
const checkout = resolve(import.meta.dirname, '..');
const variable = 'RELEASE_INDEX_SIGNING_KEY';
if (existsSync(join(checkout, 'dist/SHA256SUMS'))) {
  const key = readFileSync(join(import.meta.dirname, 'example-signing-key'), 'utf8');
  const { status, stderr } = spawnSync(process.execPath, [join(checkout, 'src/cli.js'), 'sign'], {
    cwd: checkout,
    env: { [variable]: key, ...process.env },
    encoding: 'utf8',
  });
  if (status !== 0) {
    process.stderr.write(`The example was not signed. ${stderr}`);
  }
}
