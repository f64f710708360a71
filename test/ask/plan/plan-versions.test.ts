import { expect, test } from 'vitest';
import { planVersions } from '../../../src/ask/plan/plan-versions.ts';
import type { IdentifiedText } from '../../../src/ask/texts/identified-text.ts';
import { day, detailsIn, files } from './planning.ts';

type Index = Parameters<typeof planVersions>[0];

/** Of the components of the index, those in \`silent\` have a source that has not answered since a day. */
function openIndex(silent: Record<string, string>, staleness?: string, known = files): Index {
  const silenceOf = (name: string) =>
    silent[name] === undefined ? {} : { releases: { kind: 'failed', lastAnswered: silent[name] } };

  return {
    day: () => Promise.resolve(day),
    staleness: () => Promise.resolve(staleness),
    silence: (name) => Promise.resolve(silenceOf(name) as never),
    details: (name) =>
      Promise.resolve(`components/${name}.json` in known ? detailsIn(known, name) : undefined),
  };
}

async function planOf(index: Index, list: string) {
  const versions = list.split(' ').map((each, place) => {
    const [component = '', version = ''] = each.split('@');
    return { component, version, line: place + 1, text: each };
  });
  const text = { versions, notRead: [], otherCount: 0, notes: ['A note of the text.'] };

  const { plan } = await planVersions(index, text as unknown as IdentifiedText);
  return plan;
}

test('a plan names the components that a source is silent about, together where the day is one', async () => {
  const silent = { svc: '2026-11-19', lib: '2026-11-19', edge: '2026-11-18' };
  const { notes } = await planOf(
    openIndex(silent),
    'svc@2026.3 svc@2026.1 lib@2.0 edge@2.1 old@1.0',
  );

  expect(notes.slice(-3)).toEqual([
    'A note of the text.',
    'Server, Library: a source last answered on 2026-11-19.',
    'Edge node: a source last answered on 2026-11-18.',
  ]);
});

test('a plan says how old the index is, and nothing of one that is not', async () => {
  const stale = 'This index was last checked on 2026-11-01.';

  expect((await planOf(openIndex({}, stale), 'lib@2.0')).notes).toEqual([
    'A note of the text.',
    stale,
  ]);
  expect((await planOf(openIndex({}), 'lib@2.0')).notes).toEqual(['A note of the text.']);
});

test('the details of a component are asked for where a version or its replacement needs them', async () => {
  const asked: unknown[] = [];
  const index = openIndex({});
  const counting: Index = {
    ...index,
    details(name) {
      asked.push(name);
      return index.details(name);
    },
  };
  await planOf(counting, 'lib@2.0 lib@1.2 cache@20.0');

  expect(asked.toSorted()).toEqual(['cache', 'edge', 'lib']);
});
