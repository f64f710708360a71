import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listRows, releaseFields } from '../../src/core/query/release-fields.ts';
import { expandReleases } from '../../src/core/short-releases.ts';
import { searchedReleaseKeys, type Search } from '../../src/core/schema/search.ts';
import { shortenReleases } from '../../src/core/shorten-releases.ts';
import document from '../fixtures/search.json' with { type: 'json' };
import { loadExample, program } from '../harness/example.ts';
import { judgeOn, release } from '../harness/judging.ts';

const { components: ofExample } = loadExample();
// Its prerelease lacks what its line has.
const supported = [release('1.0', '2026-01-01'), release('1.0.1-rc1', '2026-02-01')];
const term = { support: { policy: 'term', months: 18 } };
const components = [...ofExample, judgeOn('2026-06-01', supported, term)];
/** As files hold them. */
const published = components.map((component) => {
  const short = { ...component, releases: shortenReleases(component) };
  return JSON.parse(JSON.stringify(short)) as typeof short;
});

const places = ['isLatest', 'isLatestOfLine', 'releasesBehind', 'behind'] as const;

test('short releases are expanded to what was judged', () => {
  const keys = [...searchedReleaseKeys, ...places];
  const judged = components.map(({ releases }) =>
    releases.map((each) => Object.fromEntries(keys.map((key) => [key, each[key]]))),
  );

  expect(published.map(expandReleases)).toEqual(judged);
});

test('a short release leaves out what its line says, also as lists', () => {
  const ended = judgeOn('2026-06-01', [release('1.0', '2024-01-01')], term);

  expect(JSON.parse(JSON.stringify(shortenReleases(ended)))).toEqual([
    { version: '1.0', line: '1.0', releaseTimestamp: '2024-01-01' },
  ]);
});

/** Three releases of two lines, of which one has ended. */
const search = document as unknown as Search;
const { agent } = document.components;

test('a row has the value of each field that is known', () => {
  const [old, prerelease, latest] = listRows(search);

  expect(old).toEqual({
    ...{ component: 'agent', title: 'Agent', policy: 'term', datasource: ['npm', 'osv'] },
    ...{ package: ['@example/agent'], freshness: 'live', version: '1.0', line: '1.0' },
    ...{ availableAt: '2025-06-01T03:00:00.000Z', repository: agent.sourceRepository },
    ...{ state: 'ended', reason: ['12 months'], isDeprecated: true, isPrerelease: false },
    ...{ isWithdrawn: false, isLatest: false, isLatestOfLine: true, isSupported: false },
    ...{ isLts: false, isInferred: true, releaseTimestamp: '2025-05-31T00:00:00Z', age: 'P375D' },
    ...{ timestampKind: 'published', firstSeen: '2025-06-01', deprecatedSince: '2026-06-01' },
    ...{ supportedUntil: '2026-05-31', releasesBehind: 1, behind: 'P365D', isVulnerable: true },
    ...{ advisory: ['CVE-2026-1', 'GHSA-1'], fixes: [], severity: 'high', isExploited: true },
    ...{ exploitedSince: '2026-06-02', moveTo: '1.1' },
  });
  expect(prerelease?.['isSupported']).toBeUndefined();
  expect(latest).toMatchObject({
    ...{ isLatest: true, isLatestOfLine: true, isSupported: true, isLts: true, phase: 'active' },
    ...{ reason: null, deprecatedSince: null, advisory: null, severity: null, moveTo: null },
    ...{ supportedUntilAtMost: '2027-06-30', supportLeft: 'P355D', fixes: ['CVE-2026-1'] },
    ...{ isVulnerable: false, isExploited: false, exploitedSince: null },
    ...{ releasesBehind: 0, behind: 'P0D' },
  });
});

test('nothing is known of advisories where no source of them answered', () => {
  const unwatched = { ...agent, watchesAdvisories: false };
  const rows = listRows({ ...search, components: { agent: unwatched } } as unknown as Search);

  expect(rows.map((row) => [row['isVulnerable'], row['advisory']])).toEqual([
    [true, ['CVE-2026-1', 'GHSA-1']],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('the contract names the fields of releases, by type', () => {
  const contract = readFileSync(join(program, '.github/CONTRACT.md'), 'utf8');
  const [, sentence = ''] = /Fields of releases: (.+)/.exec(contract) ?? [];
  const named = sentence.split('; ').map((part) => part.match(/^\w+|(?<=`)\w+(?=`)/g)!);

  for (const [type, ...names] of named) {
    const fields = releaseFields.filter((field) => field.type === type);
    expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  }
  expect(named).toHaveLength(6);
});
