import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from './harness/index-folder.ts';
import { findProgram, type Program } from './harness/programs.ts';

const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const homebrew = '/opt/homebrew/opt/openssl@3/bin/openssl';

test.each<[Program, title: string, files: Record<string, string>, expected: string | undefined]>([
  ['minisign', 'in PATH', { '/bin/minisign': '' }, '/bin/minisign'],
  ['minisign', 'nowhere', { '/bin/minisign/README': '' }, undefined],
  ['nginx', 'where Debian has servers', { '/usr/sbin/nginx': '' }, '/usr/sbin/nginx'],
  ['chromium', 'of Ubuntu', { '/bin/chromium-browser': '' }, '/bin/chromium-browser'],
  ['chromium', 'as Chrome on a Mac', { [chrome]: '' }, chrome],
  ['openssl', 'of version 3', { '/bin/openssl': 'OpenSSL 3.5.4' }, '/bin/openssl'],
  [
    'openssl',
    'behind LibreSSL',
    { '/bin/openssl': 'LibreSSL 3.3.6', [homebrew]: 'OpenSSL 3.5.4' },
    homebrew,
  ],
])('finds %s %s', (name, _, files, expected) => {
  const root = createFolder();
  symlinkSync('unreadable', `${root}/unreadable`);
  for (const [path, version] of Object.entries(files)) {
    mkdirSync(dirname(root + path), { recursive: true });
    writeFileSync(root + path, `#!/bin/sh\necho ${version}\n`);
    chmodSync(root + path, 0o755);
  }
  const env = { PATH: `${root}/unreadable:${root}/bin` };

  expect(findProgram(name, env, root)).toBe(expected && root + expected);
  const set = { ...env, [`${name.toUpperCase()}_PATH`]: `${root}/other` };
  expect(findProgram(name, set, root)).toBe(undefined);
});
