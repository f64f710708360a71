import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from './harness/index-folder.ts';
import { findProgram, type ProgramName } from './harness/programs.ts';

const mac = 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

test.each<[what: string, ProgramName, files: string[], set: string, found: string | undefined]>([
  ['in PATH', 'minisign', ['bin/minisign'], '', 'bin/minisign'],
  ['nowhere', 'minisign', ['bin/nginx'], '', undefined],
  ['in a folder of its name', 'minisign', ['bin/minisign/README'], '', undefined],
  ['where Debian has servers', 'nginx', ['usr/sbin/nginx'], '', 'usr/sbin/nginx'],
  ['where Homebrew has it', 'nginx', ['opt/homebrew/bin/nginx'], '', 'opt/homebrew/bin/nginx'],
  ['as Chromium of Ubuntu', 'chromium', ['bin/chromium-browser'], '', 'bin/chromium-browser'],
  ['as Chrome', 'chromium', ['bin/google-chrome'], '', 'bin/google-chrome'],
  ['as Edge', 'chromium', ['bin/microsoft-edge-stable'], '', 'bin/microsoft-edge-stable'],
  ['as Chrome of a Mac', 'chromium', [mac], '', mac],
  [
    'as a variable says',
    'chromium',
    ['bin/chromium', 'mine/browser'],
    'mine/browser',
    'mine/browser',
  ],
  ['not where a variable says', 'chromium', ['bin/chromium'], 'mine/browser', undefined],
  ['as OpenSSL 3', 'openssl', ['bin/openssl: OpenSSL 3.5.4'], '', 'bin/openssl'],
  ['as LibreSSL', 'openssl', ['bin/openssl: LibreSSL 3.3.6'], '', undefined],
  [
    'behind LibreSSL',
    'openssl',
    ['bin/openssl: LibreSSL 3.3.6', 'opt/homebrew/opt/openssl@3/bin/openssl: OpenSSL 3.5.4'],
    '',
    'opt/homebrew/opt/openssl@3/bin/openssl',
  ],
])('finds a program %s', (_, name, files, set, found) => {
  const root = createFolder();
  for (const file of files) {
    const [path = '', version = ''] = file.split(': ');
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `#!/bin/sh\necho "${version}"\n`);
    chmodSync(join(root, path), 0o755);
  }

  const variable = set && { [`${name.toUpperCase()}_PATH`]: join(root, set) };
  const path = findProgram(name, { PATH: join(root, 'bin'), ...Object(variable) }, root);
  expect(path).toBe(found && join(root, found));
});
