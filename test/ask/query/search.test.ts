import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selects } from '../../../src/ask/query/match.ts';
import { parseQuery } from '../../../src/ask/query/parse.ts';
import { listFacts } from '../../../src/ask/query/release-facts.ts';
import { releaseFields } from '../../../src/ask/query/release-fields.ts';
import { describeMove, listRows, readComponent, search } from '../../../src/ask/query/search.ts';
import type { Status, Search } from '../../../src/core/schema/documents.ts';
import { loadIndex } from '../../../src/site/load-index.ts';
import { readContractTable, readNames } from '../../harness/contract.ts';
import { exampleDay, exampleRoot, program } from '../../harness/example.ts';
import { buildExample } from '../../harness/site.ts';
import { buildUncertain, uncertainDay } from '../../harness/uncertain.ts';

const uncertain = buildUncertain();
/** The root, site and date of each index. */
const indexes = {
  example: [exampleRoot, buildExample(), exampleDay],
  uncertain: [uncertain, join(uncertain, 'dist'), uncertainDay],
} as const;
type Name = keyof typeof indexes;

/**
 * Opens the documents of a built site.
 * - `perPart`: replaces `componentsPerPart` in `status.json`. The site has no search parts of this size, so each part then contains all
 *   components.
 * - `asked`: the paths of the search parts that were read
 */
function open(name: Name, perPart?: number) {
  const [, site] = indexes[name];
  const read = (path: string) => JSON.parse(readFileSync(join(site, path), 'utf8'));
  const status = read('status.json') as Status;
  const asked: string[] = [];
  const readPart = async (path: string): Promise<Search> => {
    asked.push(path);
    if (perPart === undefined) {
      return read(path);
    }

    const parts = globSync('search/*.json', { cwd: site }).map((each): Search => read(each));
    return { components: Object.assign({}, ...parts.map(({ components }) => components)) };
  };
  const parse = (text: string) => parseQuery(text, releaseFields, Date.parse(status.asOf));
  status.componentsPerPart = perPart ?? status.componentsPerPart;
  const list = async (text: string) =>
    listRows((await search(parse(text), status, readPart)).found);
  return { status, asked, parse, readPart, list };
}

const dropUndefined = (row: object) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

test.each(['example', 'uncertain'] as const)(
  'the search files of the index "%s" contain the computed facts about each release',
  async (name) => {
    const [root, , day] = indexes[name];
    const { status, readPart } = open(name);
    for (const component of loadIndex(root, day, program).index.components) {
      const facts = listFacts(component, day);

      const rows = listRows(await readComponent(component.component, status, readPart));
      expect(rows.map(dropUndefined)).toMatchObject(facts.map(dropUndefined));
      expect(rows.map(({ title }) => title)).toEqual(facts.map(() => component.title));
    }
  },
);

test('a search row has every field of a release, and null for a field that the release lacks', async () => {
  const { list } = open('uncertain');
  const [ended] = await list('component:agent version:1.0');
  const [affected] = await list('component:cache');

  expect(dropUndefined(ended!)).toEqual({
    ...{ component: 'agent', title: 'Agent', policy: 'term', datasource: ['npm'] },
    ...{ package: ['agent'], freshness: 'stale', version: '1.0', line: '1.0', state: 'ended' },
    ...{ reason: ['Estimated: 18 months from its first release on 2024-01-10.'], fixes: [] },
    ...{ isDeprecated: true, isPrerelease: false, isWithdrawn: false, isLatest: false },
    ...{
      isLatestOfLine: false,
      isNewestOfLine: true,
      isStop: false,
      isSupported: false,
      isLts: false,
      isInferred: true,
    },
    ...{ releaseTimestamp: '2024-01-10T00:00:00Z', timestampKind: 'published', age: 'P1052D' },
    ...{ deprecatedSince: '2025-07-11', supportedUntil: '2025-07-10', releasesBehind: 1 },
    ...{ behind: 'P873D', moveTo: '1.2', moveToComponent: 'agent', through: null },
  });
  expect(affected).toMatchObject({
    ...{ isLatest: true, isLatestOfLine: true, releasesBehind: 0, behind: 'P0D' },
    ...{ reason: null, deprecatedSince: null, exploitedSince: null, moveTo: null },
    ...{ isVulnerable: true, advisory: ['CVE-2026-2'], severity: 'high', isExploited: false },
  });
});

test.each([
  ...['component:svc', 'isSupported', 'not isSupported', '-isVulnerable', 'isVulnerable or isLts'],
  ...['age:<200d', 'supportLeft:<90d', '!moveTo:*', 'reason:*', 'svc isLatest', 'package:*svc*'],
  ...['datasource:npm -component:svc', 'not (component:agent or isLatest)', 'severity:*'],
  ...['!repository:*', '-freshness:live', 'policy:term -isInferred', '', 'behind:[1d to 90d]'],
])('the query "%s" selects the same releases in columns as in rows', async (text) => {
  for (const name of ['example', 'uncertain'] as const) {
    const index = open(name);
    const all = await index.list('');

    expect(await index.list(text)).toEqual(all.filter((row) => selects(index.parse(text), row)));
  }
});

test('the query isNewestOfLine selects one release of each line, even of an ended line', async () => {
  for (const name of ['example', 'uncertain'] as const) {
    const [root, , day] = indexes[name];
    const { components } = loadIndex(root, day, program).index;
    const withReleases = components.flatMap(({ component, lines }) =>
      lines.flatMap(({ line, releases }) => (releases > 0 ? `${component} ${line}` : [])),
    );
    const rows = await open(name).list('isNewestOfLine');

    expect(rows.map(({ component, line }) => `${component} ${line}`).sort()).toEqual(
      withReleases.sort(),
    );
  }

  const { list, status } = open('example');
  const moves = async (text: string) =>
    (await list(text)).map((row) => `${row.version}: ${describeMove(row, status)}`);
  expect(await moves('component:build-cache-node version:21.2')).toEqual(['21.2: Edge node 2.1.0']);
  expect(await moves('component:svc line:2025.1 isNewestOfLine')).toEqual(['2025.1: 2026.3']);
  expect(await moves('component:svc isLatest')).toEqual(['2026.3: ']);
});

test.each([
  ['isVulnerable', 3, 1212],
  ['isVulnerable component:agent', 0, 3],
  ['not (isLatest or not severity:high) or component:plugin', 1, 1207],
  ['component:cache or advisory:CVE-*', 3, 1212],
  ['isVulnerable component:gateway', 2, 0],
  ['not isVulnerable', 1213, 0],
  ['not isVulnerable:* or advisory:*', 1215, 0],
  ['isSupported', 1208, 0],
])(
  'the query "%s" selects %i releases, and reports %i more whose advisories were not checked',
  async (text, selected, unchecked) => {
    const { parse, status, readPart } = open('uncertain');
    const answer = await search(parse(text), status, readPart);

    expect([answer.found.length, answer.unchecked]).toEqual([selected, unchecked]);
  },
);

test.each([
  ['component:svc isLatest', ['svc']],
  ['component:build-agent-npm or component:svcctl', ['build-agent-npm', 'svcctl']],
  ['isLatest policy:xyzzy', []],
  ['not policy:* or component:svc', ['svc']],
])(
  'for the query "%s", the search reads only the files of these components: %j',
  async (text, names) => {
    const { asked, list, status } = open('example', 1);
    await list(text);

    const places = Object.keys(status.components);
    expect(asked).toEqual(names.map((name) => `search/${places.indexOf(name)}.json`));
  },
);

test('the search reports an error if search/1.json and status.json come from different builds', async () => {
  const { status } = open('example');
  const part = async () => ({ components: {} });

  await expect(readComponent('svc', status, part)).rejects.toThrow(
    'search/1.json is of another build than status.json. Ask again.',
  );
});

test('CONTRACT lists exactly the fields of releases, under their types', () => {
  const listed = readContractTable('type | fields |').flatMap(([type, names]) =>
    readNames(names!).map((name) => `${type} ${name}`),
  );

  expect(listed.sort()).toEqual(releaseFields.map(({ type, name }) => `${type} ${name}`).sort());
});
