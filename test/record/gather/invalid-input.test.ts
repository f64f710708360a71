import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datasources } from '../../../src/record/sources/index.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmIndex, npmRegistry } from '../../harness/npm-registry.ts';
import { definition, makeRoot, pathsIn, writeIn } from '../../harness/root.ts';

test('reports every problem of every file at once, and requests and writes nothing', async () => {
  const registry = await npmRegistry({ agent: { '1.0.0': {} } });
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
  const root = makeRoot({
    'components/good.json': definition({ sources: [source] }),
    'components/svc.json': {
      title: 'x'.repeat(5000),
      homepage: 'http://example.com/',
      changelogUrl: 'https://example.com/',
      descripton: 'Misspelt.',
      sources: [
        { datasource: 'mvn', packageName: 'g:a' },
        { datasource: 'maven', packageName: 'no-group' },
        { datasource: 'npm', packageName: 'x', registryUrl: 'http://registry.example.com/' },
        { datasource: 'page', url: 'https://example.com/', matchStrings: ['(?<vers>\\d+)', '('] },
        { datasource: 'static', releases: [{ version: 1.2 }, { version: '1' }, { version: '1' }] },
        source,
        source,
      ],
      support: { policy: 'term', months: '18' },
      deprecated: [{ versions: 'not a range', reason: 'x', since: '2026-02-30' }],
    },
    'components/edge.json': '{ "title": "Edge", }',
    'components/Upper.json': definition(),
    'components/index.json': definition(),
    'components/notes.txt': 'x',
    'data/good.json': {
      releases: [
        { version: '1.0', releaseTimestamp: '2026-13-01', timestampKind: 'guessed' },
        { vesion: '1.1' },
      ],
    },
    'data/freshness/good.json': '',
    'data/edge.json': { releases: {} },
  });
  const before = pathsIn(root);

  const run = await runCli(['gather', '--root', root]);

  expect(run.status).toBe(1);
  expect(run.stdout).toBe('');
  expect(linesOf(run.stderr)).toEqual([
    'error: components/Upper.json: expected a name of lower-case letters, digits and hyphens that begins with a letter or digit; got "Upper"',
    'error: components/index.json: the name "index" belongs to a published path or a device of Windows; rename the component',
    'error: components/notes.txt: expected a file <component>.json; remove or rename it',
    'error: components/edge.json: not JSON: Expected double-quoted property name in JSON at position 19 (line 1 column 20)',
    'error: data/edge.json: releases: expected array; got {}',
    'error: data/good.json: releases[0].releaseTimestamp: expected a UTC instant (2026-06-30T09:30:00Z) or a day (2026-06-30) that exists; got "2026-13-01"',
    'error: data/good.json: releases[0].timestampKind: expected one of published, observed; got "guessed"',
    'error: data/good.json: releases[1].version: expected string; got nothing, and it is required',
    'error: data/good.json: releases[1].vesion: unknown key; did you mean "version"? Otherwise remove or correct it',
    'error: data/freshness/good.json: not JSON: Unexpected end of JSON input',
    `error: components/svc.json: title: expected at most 200 characters; got "${'x'.repeat(116)}…`,
    'error: components/svc.json: homepage: expected an https: address; got "http://example.com/"',
    `error: components/svc.json: sources[0].datasource: expected one of ${datasources.map(({ datasource }) => datasource).join(', ')}; got "mvn"`,
    'error: components/svc.json: sources[1].packageName: expected a name such as group:artifact; got "no-group"',
    'error: components/svc.json: sources[3].matchStrings[0]: expected a named group (?<version>…); got "(?<vers>\\\\d+)"',
    'error: components/svc.json: sources[3].matchStrings[1]: expected a regular expression as RE2 and Renovate read it, without lookaround, backreferences and repeats over 1,000, so that no text can keep it busy (missing closing ): "("); got "("',
    'error: components/svc.json: sources[4].releases[0].version: expected string; got 1.2',
    'error: components/svc.json: sources[4].releases[2].version: expected each version once; got "1"',
    `error: components/svc.json: sources[6]: expected each source once; got ${JSON.stringify(source)}`,
    'error: components/svc.json: support.months: expected number; got "18"',
    'error: components/svc.json: deprecated[0].versions: expected a range of versions such as ">=1.2 <2", "1.2" for a line or "=1.2" for one version, with || between alternatives; got "not a range"',
    'error: components/svc.json: deprecated[0].since: expected a day that exists, YYYY-MM-DD; got "2026-02-30"',
    'error: components/svc.json: descripton: unknown key; did you mean "description"? Otherwise remove or correct it',
    'error: components/svc.json: sources[2].registryUrl: expected an https: address (plain http: for loopback, and for plainHttpHosts of site/site.json); got "http://registry.example.com/"',
  ]);
  expect(registry.requests).toEqual([]);
  expect(pathsIn(root).filter((path) => !path.startsWith('.cache/'))).toEqual(before);
});

test('reports the problems of the configuration, without which no component is read', async () => {
  const root = makeRoot({
    'components/svc.json': {},
    'components/Upper.json': definition(),
    'site/site.json': { title: 'Index' },
  });

  const { status, stderr } = await runCli(['gather', '--root', root]);

  expect(status).toBe(1);
  expect(linesOf(stderr)).toEqual([
    'error: components/Upper.json: expected a name of lower-case letters, digits and hyphens that begins with a letter or digit; got "Upper"',
    'error: site/site.json: description: expected string; got nothing, and it is required',
    'error: site/site.json: datasource: expected string; got nothing, and it is required',
    'error: site/site.json: releasesUrl: expected string; got nothing, and it is required',
    'error: site/site.json: repositoryUrl: expected string; got nothing, and it is required',
    'error: site/site.json: staleAfterDays: expected number; got nothing, and it is required',
  ]);
});

test('no message shows a possible password or token, whatever else is wrong with an address', async () => {
  const secrets = [
    'https://someone:secret@registry.example.com/npm/',
    'https://registry.example.com:99999/?token=secret',
    'http://registry.example.com/?token=secret',
    'ftp://someone:se/cret?secret@registry.example.com/',
  ];
  const root = makeRoot({
    'components/all.json': '',
    'components/svc.json': definition({
      sources: secrets.map((registryUrl) => ({
        datasource: 'npm',
        packageName: 'agent',
        registryUrl,
      })),
    }),
    'components/cli.json': definition({ sources: { registryUrl: secrets[0] } }),
  });

  const runs = await Promise.all(
    ['gather', 'check', 'build'].map((verb) => runCli([verb, '--json', '--root', root])),
  );

  for (const run of runs) {
    expect(run.status).toBe(1);
    expect(run.stdout + run.stderr).not.toContain('secret');
    expect((JSON.parse(run.stdout) as { findings: object[] }).findings).toContainEqual({
      ...{
        level: 'error',
        subject: 'components/cli.json',
        file: 'components/cli.json',
        kind: 'value',
      },
      ...{
        path: ['sources'],
        expected: 'expected array',
        got: '{"registryUrl":"https://…@registry.example.com/npm/"}',
      },
      message: 'sources: expected array; got {"registryUrl":"https://…@registry.example.com/npm/"}',
    });
    expect(run.stderr).toContain(
      'components/svc.json: sources[0].registryUrl: expected an https: address without user name and password; got "https://…@registry.example.com/npm/"',
    );
  }
});

test('a broken definition or recorded file affects no other component, but no site is built', async () => {
  const { root, run } = await brokenIndex();

  const [started, built] = [await run(['start', '--json']), await run(['build'])];

  expect([started.status, built.status]).toEqual([1, 1]);
  expect(linesOf(started.stderr).filter((line) => line.startsWith('error'))).toEqual(problems);
  expect(JSON.parse(started.stdout)).toMatchObject({
    verb: 'start',
    gather: { components: [{ component: 'svc', releases: 1 }] },
    findings: problems.map(() => ({ level: 'error' })),
  });
  expect(linesOf(built.stderr).toSorted()).toEqual(problems.toSorted());
  expect(readFileSync(join(root, 'data/cli.json'), 'utf8')).toBe('{');
  expect(existsSync(join(root, 'dist'))).toBe(false);
});

const problems = [
  'error: components/notes.txt: expected a file <component>.json; remove or rename it',
  'error: components/broken.json: not JSON: Unexpected end of JSON input',
  "error: data/cli.json: not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
];

const brokenIndex = () =>
  npmIndex(
    { svc: { '1.0.0': {} }, cli: {} },
    { 'components/broken.json': '', 'components/notes.txt': '', 'data/cli.json': '{' },
  );

test('reports each unknown component with the closest name', async () => {
  const root = makeRoot({
    'components/edge-node.json': definition(),
    'components/svc.json': definition(),
  });

  const { status, stderr } = await runCli(['gather', 'edge-nod', 'else', '--root', root]);

  expect(status).toBe(2);
  expect(linesOf(stderr).slice(0, 2)).toEqual([
    'unknown component "edge-nod". Did you mean "edge-node"? Components are edge-node, svc.',
    'unknown component "else". Components are edge-node, svc.',
  ]);
});

test('names the problem of a component with an unusable name', async () => {
  const root = makeRoot({ 'components/search.json': definition() });

  const { status, stderr } = await runCli(['gather', 'search', '--root', root]);

  expect(status).toBe(1);
  expect(linesOf(stderr)).toEqual([
    'error: components/search.json: the name "search" belongs to a published path or a device of Windows; rename the component',
  ]);
});

test('rejects a folder without components/', async () => {
  const root = makeRoot({});
  writeIn(root, 'elsewhere/x', '');

  const run = await runCli(['gather', '--root', `${root}/elsewhere`]);

  expect(run.status).toBe(1);
  expect(linesOf(run.stderr)).toEqual([
    `error: components: no such folder in ${root}/elsewhere. Is --root right? A new index begins with: npx release-index init`,
  ]);
});
