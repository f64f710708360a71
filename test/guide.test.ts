/**
 * Checks that `explain` prints the output that GUIDE.md shows for each definition. Also checks that GUIDE.md explains each key. Local
 * servers replace the addresses in the definitions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderSchema } from '../src/core/schema/json-schema.ts';
import { Definition, Settings } from '../src/core/schema/written.ts';
import { runCli } from './harness/cli.ts';
import { readFiles } from './harness/components.ts';
import { program } from './harness/example.ts';
import { readText } from './harness/html.ts';
import { imitatedUpstreams } from './harness/imitated-upstreams.ts';
import { createFolder, openIndex, usualSettings } from './harness/index-folder.ts';
import { serve, startUpstream, text, type Documents } from './harness/upstream.ts';

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

test('the command "explain" prints the text that GUIDE shows for each definition', async () => {
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
  expect(checked.stdout).toContain('4 components: 0 errors, 0 warnings.');
  expect(examples.map(({ name }) => name)).toEqual([
    'slugify-lines',
    'lock',
    'appliance',
    'proxy-alpine',
  ]);
  expect(explained).toEqual(examples.map(({ printed }) => printed));
  const page = readText(readFileSync(join(root, 'dist/lock.html'), 'utf8'));
  expect(page).toMatch(/until 15 Sep 2031[^]*60 months from its first release on 15 Sep 2026/);
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
