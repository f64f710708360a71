import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readJsonIn, temporaryFolder } from '../harness/root.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { startSite } from '../harness/static-site.ts';
import { mise } from './install.ts';

test('mise lists the supported versions by the line of the page', async () => {
  const out = siteOfFixtureIndex();
  const page = readFileSync(join(out, 'use.html'), 'utf8');
  const [line, path] = /version_list_url = "https:\/\/releases\.example\.com\/(.+?)"/.exec(page)!;
  const url = await startSite(out);
  const option = line.replace('https://releases.example.com', url);
  const folder = temporaryFolder();
  // The form of its documentation, with an address for the tool itself.
  writeFileSync(
    join(folder, 'mise.toml'),
    `[tools]\n"http:tool" = { version = "latest", url = "${url}/tool-{{version}}.tar.gz", ${option} }\n`,
  );
  const env = { PATH: process.env['PATH'], HOME: folder, MISE_TRUSTED_CONFIG_PATHS: folder };
  const run = async (...words: string[]) => {
    const program = join(mise.dir, 'bin/mise');
    const { stdout } = await promisify(execFile)(program, words, { cwd: folder, env });
    return stdout.trimEnd().split('\n');
  };
  const versions = readJsonIn<string[]>(out, path!);

  expect(versions.length).toBeGreaterThan(1);
  expect(await run('ls-remote', 'http:tool')).toEqual(versions);
  expect(await run('latest', 'http:tool')).toEqual(versions.slice(-1));
});
