import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordedFreshness } from '../../../src/core/schemas/recorded/freshness.ts';
import type { RecordedData } from '../../../src/core/schemas/recorded/recorded.ts';
import { again, gather, ten, withdrawn } from '../../harness/acceptance.ts';
import { runCli } from '../../harness/cli.ts';
import { versionsOf } from '../../harness/expectations.ts';
import { entryOf } from '../../harness/merging.ts';
import { npmIndex, type Listing } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn, writeIn } from '../../harness/root.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

const listing = (from: number, to: number): Listing =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`1.${from + index}.0`, {}]));

/** An index whose registry lists ten versions on the first day. */
async function openIndex(ofSource: object = {}, about: object = {}) {
  const { registry, root, sourceOf, run } = await npmIndex({ agent: listing(0, 10) });
  const edit = (more: object) => {
    const sources = [{ ...sourceOf('agent'), ...more }];
    writeIn(root, 'components/agent.json', definition({ sources, ...about }));
  };
  edit(ofSource);
  await run(['gather', '--as-of', '2026-06-01']);
  return {
    root,
    run,
    edit,
    list: (listed: Listing) => void registry.packages.set('agent', listed),
    state: () =>
      readJsonIn<RecordedFreshness>(root, 'data/freshness/agent.json').sources['npm:agent']!,
    releases: () => readJsonIn<RecordedData>(root, 'data/agent.json').releases,
  };
}

test.each([
  ['nothing', 'none', listing(0, 0), {}],
  ['less than half', '4', listing(0, 4), {}],
  ['none of them, but as many others', 'none', listing(20, 30), {}],
  ['less than half of them, and others', '4', { ...listing(0, 4), ...listing(20, 40) }, {}],
  [
    'less than half, although its support has ended',
    '1',
    listing(9, 10),
    { support: { policy: 'ended', until: '2026-01-01' } },
  ],
])('of a source that lists %s only what is new is believed', async (_, words, listed, about) => {
  const { run, list, state, releases } = await openIndex({}, about);
  const gone = () => releases().filter(({ withdrawnSince }) => withdrawnSince !== undefined);
  list(listed);

  const first = await run(['gather', '--as-of', '2026-06-02']);
  await run(['gather', '--as-of', '2026-06-03']);

  const { reason, lastAnswered } = state();
  expect([first.status, gone().length, lastAnswered]).toEqual([0, 0, '2026-06-01']);
  expect(reason).toBe(`npm:agent lists ${words} of the 10 that it listed last`);
  expect(first.stderr).toContain(reason);
  const recorded = releases().map(({ version }) => version);
  expect(recorded).toEqual(expect.arrayContaining(Object.keys(listed)));
});

test('a source may list half, names that the definition leaves out count, and so does an empty list of another definition', async () => {
  const { run, edit, list, state } = await openIndex({ allowedVersions: '/^1\\.[0-3]\\./' });
  list(listing(0, 5));
  await run(['gather', '--as-of', '2026-06-02']);
  expect(state()).toMatchObject({ since: '2026-06-01' });
  expect(state().reason).toBeUndefined();
  edit({ allowedVersions: '/^1/' });
  list(listing(0, 1));
  await run(['gather', '--as-of', '2026-06-03']);
  expect(state().reason).toBeUndefined();

  const other = await openIndex();
  other.edit({ allowedVersions: '/^1/' });
  other.list({});
  await other.run(['gather', '--as-of', '2026-06-02']);
  expect(other.state().reason).toContain('lists none of the 10 that it listed last');
  other.list(listing(0, 9));
  await other.run(['gather', '--as-of', '2026-06-03']);
  expect(other.state()).toMatchObject({ since: '2026-06-03' });
  expect(other.state().reason).toBeUndefined();
});

test.each([
  ['with', true],
  ['without', false],
])(
  'an empty list of a source that listed nothing before is no failure, %s a recorded digest of its definition',
  async (_, isRecorded) => {
    const { root, run, list, state } = await openIndex();
    const { definition: digest, ...source } = state();
    const known = { ...source, ...(isRecorded && { definition: digest }) };
    writeIn(root, 'data/agent.json', { releases: [] });
    writeIn(root, 'data/freshness/agent.json', { sources: { 'npm:agent': known } });
    list({});

    await run(['gather', '--as-of', '2026-06-02']);

    expect(state()).toMatchObject({ since: '2026-06-01', definition: digest });
    expect(state().reason).toBeUndefined();
  },
);

const days = Array.from({ length: 9 }, (_, index) => `2026-06-0${index + 1}`);
const first = gather(ten);

test('new versions come in on the same day, and change neither the id nor the measure', () => {
  const short = again(first, ten.slice(6), { day: days[1]! });
  const grown = Array.from({ length: 12 }, (_, index) => `2.${index}`);
  const later = again(short, [...ten.slice(6), ...grown], { day: days[4]! });
  const other = again(later, [...ten.slice(7), ...grown], { day: days[5]! });

  expect(short.shortLists).toEqual([
    {
      id: expect.stringMatching(/^svc-[0-9a-f]{10}$/),
      component: 'svc',
      kind: 'list',
      since: days[1],
      causes: ['npm:x'],
      reason: 'npm:x lists 4 of the 10 that it listed last',
      items: ten.slice(0, 6),
    },
  ]);
  expect(later.shortLists).toMatchObject([{ id: short.shortLists[0]!.id, items: ten.slice(0, 6) }]);
  expect(versionsOf(later)).toEqual(expect.arrayContaining(grown));
  expect([withdrawn(later), later.freshness.missing]).toEqual([[], undefined]);
  expect(other.shortLists[0]!.id).not.toBe(short.shortLists[0]!.id);
});

test('a decision withdraws what the list lacks on its day, but for what another source lists', () => {
  const shared = ten.map((version) => ({
    ...entryOf(first, version),
    ...(version === '1.0' && { alsoListedBy: ['maven:g:a'] }),
    ...(version === '1.1' && { source: 'maven:g:a', alsoListedBy: ['npm:x'] }),
  }));
  const listed = { ...first, releases: shared };
  const short = again(listed, ten.slice(6), { day: days[1]!, others: ['0.9', '1.0'] });
  const accepted = new Set([short.shortLists[0]!.id]);
  const result = again(short, ten.slice(6), { day: days[2]!, others: ['0.9', '1.0'], accepted });
  const next = again(result, ten.slice(6), { day: days[3]!, others: ['0.9', '1.0'] });

  expect(withdrawn(result)).toEqual(ten.slice(1, 6));
  expect(result.decisions).toEqual([...accepted]);
  expect(result.expectedLosses).toEqual(ten.slice(1, 6));
  expect(result.shortLists).toEqual([]);
  expect(entryOf(result, '1.0')).toMatchObject({ source: 'maven:g:a' });
  expect(entryOf(result, '1.0')).not.toHaveProperty('alsoListedBy');
  expect([next.shortLists, next.decisions, next.releases]).toEqual([[], [], result.releases]);
  expect(next.freshness.sources['npm:x']!.reason).toBeUndefined();
});

test('of one or two versions, each may be replaced by the next, but not by nothing', () => {
  const two = gather(['1.0', '1.1'], { recorded: [] });

  expect(again(two, ['1.2'], { day: days[1]! }).shortLists).toEqual([]);
  expect(again(two, [], { day: days[1]! }).shortLists).toHaveLength(1);
});

describe('a source that only adds', () => {
  test('withdraws nothing, and may list less than half, but not nothing', () => {
    const about = { day: days[1]!, ofSource: { onlyAdds: true } };
    const few = again(first, ['1.9'], about);
    const later = again(few, ['1.9'], { ...about, day: days[2]! });
    const none = again(later, [], { ...about, day: days[3]! });
    const accepted = new Set([none.shortLists[0]!.id]);
    const empty = again(none, [], { ...about, day: days[4]!, accepted });
    const next = again(empty, [], { ...about, day: days[5]! });

    expect([few.shortLists, withdrawn(later), later.freshness.missing]).toEqual([
      [],
      [],
      undefined,
    ]);
    expect(none.shortLists).toMatchObject([
      { causes: ['npm:x'], items: ['npm:x lists none of the 1 that it listed last'] },
    ]);
    expect([empty.decisions, empty.expectedLosses]).toEqual([[...accepted], []]);
    expect([next.shortLists, next.decisions, withdrawn(next)]).toEqual([[], [], []]);
  });

  test('is the same source as before', async () => {
    const { run, edit, list, state, releases } = await openIndex();
    const { definition: before } = state();
    edit({ onlyAdds: true, rebuildsTags: true });
    list(listing(9, 11));
    await run(['gather', '--as-of', '2026-06-02']);
    await run(['gather', '--as-of', '2026-06-03']);

    expect(state()).toMatchObject({ since: '2026-06-01', definition: before, names: 2 });
    expect(releases().filter(({ withdrawnSince }) => withdrawnSince !== undefined)).toEqual([]);
    expect(releases().at(-1)).toMatchObject({ version: '1.10.0', notListedOn: '2026-06-01' });
  });
});

test.each([
  ['moved', '<p>We have moved.</p>'],
  ['is an error', '<p>Not found</p>'],
])('a page that lists nothing, as it %s, fails, named with its address', async (_, body) => {
  const versions = ['1.0', '1.1', '1.2'];
  const documents = new Map([['/', { type: 'text/html', body: versions.join('\n') }]]);
  const upstream = await startUpstream(() => serve(documents));
  onTestFinished(upstream.close);
  const source = { datasource: 'page', url: upstream.url, matchStrings: ['^(?<version>\\d\\S+)'] };
  const root = makeRoot({ 'components/svc.json': definition({ sources: [source] }) });
  const run = (date: string) => runCli(['gather', '--as-of', date, '--root', root]);
  await run('2026-06-01');
  documents.set('/', { type: 'text/html', body });

  const { stderr } = await run('2026-06-02');

  expect(stderr).toContain('lists none of the 3 that it listed last');
  expect(stderr).toContain(upstream.url);
  expect(readJsonIn<RecordedData>(root, 'data/svc.json').releases).toHaveLength(3);
});

test('a page that has less than half as many names, which may be new, or none is a short list', () => {
  const page = { datasource: 'page' } as const;
  const before = gather(ten, page);
  const half = again(before, ['9.0', '9.1', '9.2', '9.3'], { ...page, day: days[1]! });
  const none = again(before, [], { ...page, day: days[1]! });

  expect(half.shortLists).toMatchObject([
    { items: [`page:https://example.com/releases lists 4 names, but listed 10 last`] },
  ]);
  expect(none.messages.join('\n')).toContain(
    `page:https://example.com/releases lists none of the 10 that it listed last`,
  );
});
