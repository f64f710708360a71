/** Follows the section "An index that reads an index" in GUIDE.md. Local servers replace the addresses in this section. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Component } from '../src/core/schema/published.ts';
import { readFiles } from './harness/components.ts';
import { program } from './harness/example.ts';
import { createFolder, openIndex, usualSettings } from './harness/index-folder.ts';
import { lacks } from './harness/programs.ts';
import { serveSite } from './harness/serve-site.ts';
import { writeTools } from './harness/shell-tools.ts';
import { buildExample } from './harness/site.ts';

const execute = promisify(execFile);
const guide = readFileSync(join(program, '.github/GUIDE.md'), 'utf8');

test.skipIf(lacks('jq'))(
  'the commands in GUIDE create a mirror, scan a copy without a network, and read an index into another one',
  async () => {
    const site = await serveSite(buildExample());
    const [, section = ''] = /## An index that reads an index\n([^]*?)^## /m.exec(guide)!;
    const folder = createFolder();
    const blocks = Array.from(section.matchAll(/^```sh\n([^]*?)^```$/gm), ([, script = '']) =>
      script.replaceAll('https://releases.example.com/', site.url).replaceAll('/srv', folder),
    );
    const team = openIndex(join(folder, 'team'));
    team.write('site/site.json', { ...usualSettings, exploited: [] });
    const run = async (cwd: string, script = '') => {
      const env = { PATH: `${writeTools()}:${process.env['PATH']}`, HOME: folder };
      const options = { cwd, env };
      return execute('bash', ['-e', '-o', 'pipefail', '-c', script], options).catch(
        (error: unknown) => error as { code: number; stdout: string },
      );
    };

    const work = createFolder();
    expect(await run(work, blocks[0])).toEqual({ stdout: '', stderr: '' });
    const files = readFiles(buildExample());
    files.delete('_headers');
    expect(readFiles(join(work, 'mirror'))).toEqual(files);
    expect(await run(work, 'npx release-index verify mirror --digests-only')).toMatchObject({
      stdout: expect.stringContaining('files as listed in SHA256SUMS'),
    });

    writeFileSync(join(work, 'images.txt'), 'svc 2025.1\n');
    const apart = await run(work, blocks[1]);
    expect(apart).toMatchObject({ code: 1 });
    expect(apart.stdout).toContain('Server 2025.1 was supported until 2026-10-08 (estimated).');
    expect(apart.stdout).toContain('1 of 1 entries judged, 1 failed.');

    expect(await run(team.root, blocks[2])).not.toHaveProperty('code');
    const readEnds = (text: string) =>
      (JSON.parse(text) as Component).lines.map((line) => [
        line.line,
        line.supportedUntil,
        line.supportedUntilAtMost,
        line.isInferred,
      ]);
    expect(readEnds(team.read('dist/details/svc.json'))).toEqual(
      readEnds(files.get('details/svc.json')!),
    );
    expect(blocks).toHaveLength(3);
  },
);
