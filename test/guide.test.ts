/** Follows GUIDE.md: its definitions, commands and their printed output. Local servers stand for the addresses in it. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { renderSchema } from '../src/core/schema/json-schema.ts';
import type { Component } from '../src/core/schema/published.ts';
import { Definition, Settings } from '../src/core/schema/written.ts';
import { runCli } from './harness/cli.ts';
import { readFiles } from './harness/components.ts';
import { program } from './harness/example.ts';
import { imitatedUpstreams } from './harness/imitated-upstreams.ts';
import { createFolder, openIndex, usualSettings } from './harness/index-folder.ts';
import { lacks } from './harness/programs.ts';
import { serveSite } from './harness/serve-site.ts';
import { writeTools } from './harness/shell-tools.ts';
import { buildExample } from './harness/site.ts';
import { serve, startUpstream, text, type Documents } from './harness/upstream.ts';

const execute = promisify(execFile);
const guide = readFileSync(join(program, '.github/GUIDE.md'), 'utf8');
const day = '2026-11-29';

/** The definitions in the guide, each with the printed output of `explain`. */
const examples = Array.from(
  guide.matchAll(
    /`components\/([\w-]+)\.json`:\n+```json\n([^]*?)^```$[^]*?^```text\n([^]*?)^```$/gm,
  ),
  ([, name = '', definition = '', printed = '']) => ({ name, definition, printed }),
);

/** The answers of the local servers, by path. */
const answers = readFiles(join(program, 'test/fixtures/guide'));
/** The tags of the image in the guide. */
const tags = [
  { version: '1.3.2-alpine', at: '2024-10-01T00:00:00Z' },
  { version: '1.4.0', at: '2025-03-01T00:00:00Z' },
  { version: '1.4.0-alpine', at: '2025-03-01T00:00:00Z' },
  { version: '1.5.0-alpine', at: '2026-02-01T00:00:00Z' },
  { version: '1.6.0-alpine', at: '2026-09-01T00:00:00Z' },
  { version: 'latest', at: '2026-09-01T00:00:00Z' },
];

/** Creates an index with the definitions of the guide. Their addresses are replaced with the address of a local server. */
async function followGuide() {
  const images = imitatedUpstreams['docker (OCI registry)']!.documents!(tags, '', 100);
  const documents: Documents = Object.fromEntries([
    ...Array.from(answers, ([path, body]) => [`/${path}`, text(body, 'application/json')]),
    ...Object.entries(images).map(([path, document]) => [
      path.replaceAll('example/agent', 'example/proxy'),
      document,
    ]),
  ]);
  const { url } = await startUpstream(() => serve(documents));
  const index = openIndex(createFolder());
  index.write('site/site.json', usualSettings);
  for (const { name, definition } of examples) {
    const own = definition
      .replace('"datasource": "npm"', `$&, "registryUrl": "${url}"`)
      .replaceAll(/https:\/\/(?:registry\.)?example\.com\/?(?=appliance\/\w+\.json|")/g, url);
    index.write(`components/${name}.json`, own);
  }
  return index.root;
}

test('explain prints the text that GUIDE shows below each definition', async () => {
  const root = await followGuide();

  const started = await runCli(['start', '--root', root, '--as-of', day]);
  const checked = await runCli(['check', '--root', root, '--as-of', day]);
  const explained = await Promise.all(
    examples.map(async ({ name }) => {
      const { stdout } = await runCli(['explain', name, '--out', join(root, 'dist')]);
      return stdout.replace(/127\.0\.0\.1:\d+/, 'example.com');
    }),
  );

  expect(started.stdout).toMatch(/^Asked 4 sources: all answered\.$/m);
  expect(checked.stdout).toContain('3 components: 0 errors, 0 warnings.');
  expect(examples.map(({ name }) => name)).toEqual(['slugify-lines', 'appliance', 'proxy-alpine']);
  expect(explained).toEqual(examples.map(({ printed }) => printed));
});

test.each([
  ['a definition', Definition],
  ['the settings', Settings],
])('GUIDE explains each key of %s', (_, schema) => {
  const keys = new Set<string>();
  JSON.parse(renderSchema(schema), (_key, value: { properties?: object }) => {
    Object.keys(value?.properties ?? {}).forEach((name) => keys.add(name));
    return value;
  });

  expect([...keys].filter((key) => !guide.includes(`\`${key}\``))).toEqual([]);
});

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
