/** What documents, pages and help texts print, run as it is printed: what stands in place of a value becomes one. */
import { beforeAll, expect, test } from 'vitest';
import { runCli } from '../harness/cli.ts';
import { imitatedUpstreams } from '../harness/imitated-upstreams.ts';
import { createFolder, openIndex } from '../harness/index-folder.ts';
import { listPrinted, readDocument } from '../harness/printed.ts';
import { offline } from '../harness/shell.ts';
import { json, serve, startUpstream, text } from '../harness/upstream.ts';
import { play, scenes } from './scenes.ts';
import { env, example, listed, origin, setStage, site } from './stage.ts';

/** What no test runs here, at most five, and the reason or the workflow that runs it. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm test': '.ci/run',
  'npm run lint && npm run types': '.ci/run',
  'bash .ci/run': '.github/workflows/check.yml',
  'npm run test:all': '.github/workflows/nightly.yml',
  'npm run bench': '.github/workflows/nightly.yml',
};

beforeAll(setStage);

test.each([
  'this checkout',
  'an index of one’s own',
  'the site of others',
  'the days of an index',
] as const)('what is printed about %s does what it says', (name) => play(scenes[name]));

const form = /^(?:npx release-index )?add (?!static|npm semver|.*<)([a-z-]+) (\S+)/;

test('each form of "add" takes the releases of its registry', async () => {
  const root = createFolder();
  const target = openIndex(root);
  target.write('site/site.json', example.read('site/site.json'));
  target.write('lists/gke.json', listed());
  const product = text('---\ntitle: A\nauto:\n  methods:\n    - npm: semver\n---\n');
  const pom = text('<project><name>A</name></project>', 'application/xml');

  for (const printed of (await listPrinted()).keys()) {
    const [, datasource = '', name = ''] = form.exec(printed) ?? [];
    const upstream =
      imitatedUpstreams[datasource === 'docker' ? 'docker (OCI registry)' : datasource];
    if (datasource === '') {
      continue;
    }
    const versions = datasource === 'go' ? ['v1.0.0', 'v1.1.0'] : ['1.0', '1.1'];
    const releases = versions.map((version) => ({ version, at: '2026-01-01T00:00:00Z' }));
    const { url } = await startUpstream((url) => {
      const documents = upstream?.documents?.(releases, url, 10);
      const all = { ...documents, '/nodejs.md': product, '/postgresql.md': product };
      return (request, response) => {
        const path = request.url!;
        serve({ [path]: json({}), ...all, ...(path.endsWith('.pom') && { [path]: pom }) })(
          request,
          response,
        );
      };
    });
    const source = upstream?.source(url, releases) as {
      packageName?: string;
      registryUrl?: string;
    };
    const package_ = source?.packageName ?? name.replace(/^https:.*/, `${origin}/list.json`);
    const links = [
      '--name',
      `c-${name.replaceAll(/\W/g, '-').toLowerCase()}`,
      '--homepage',
      site,
      '--changelog',
      site,
    ];
    const words = upstream ? [datasource, package_, ...links] : [datasource, name];
    const registry = source?.registryUrl ?? (upstream ? undefined : url);
    const { stdout, stderr } = await runCli(
      [
        'add',
        ...words,
        ...(registry ? ['--registry-url', registry] : []),
        '--replace',
        '--root',
        root,
      ],
      { ...env(), ...offline },
    );
    expect.soft(stdout, `${printed}: ${stderr}`).toMatch(/^(\S+: \d+ releases recorded.*\n)+$/);
  }
});

test('no document prints another command, and none of these is in no document', async () => {
  const rows = Object.values(scenes).flat();
  const typed = rows.flatMap(([printed, , { also = [] } = {}]) => [printed, ...also]);
  const known = new Set([...typed, ...Object.keys(elsewhere)]);
  const printed = await listPrinted();
  const parts = [...printed.keys()].flatMap((line) =>
    known.has(line) || form.test(line) ? [] : line.split(' && '),
  );

  expect(parts.filter((part) => !known.has(part)).map((part) => [part, printed.get(part)])).toEqual(
    [],
  );
  expect([...known].filter((line) => !printed.has(line))).toEqual([]);
  expect(Object.keys(elsewhere).length).toBeLessThanOrEqual(5);
});

test.each(Object.entries(elsewhere))('"%s" is run by %s', (command, path) => {
  expect(readDocument(path).replaceAll('--silent ', '')).toContain(command.split(' && ')[0]);
});
