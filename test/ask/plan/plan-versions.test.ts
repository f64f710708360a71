import { expect, test } from 'vitest';
import { planVersions } from '../../../src/ask/plan/plan-versions.ts';
import type { IdentifiedText } from '../../../src/ask/texts/identified-text.ts';
import { definition } from '../../harness/root.ts';
import { day, detailsIn, files, listing, planFiles, shortSteps } from './planning.ts';

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
    'Server, Library: a source last answered on 2026-11-19; newer releases may be missing.',
    'Edge node: a source last answered on 2026-11-18; newer releases may be missing.',
  ]);
});

test('a plan names a source of advisories that is silent, if one has ever answered', async () => {
  const silence = { advisories: { kind: 'failed', lastAnswered: '2026-11-19' } };
  const index: Index = { ...openIndex({}), silence: () => Promise.resolve(silence as never) };

  const { notes } = await planOf(index, 'lib@2.0 svc@2026.3');

  expect(notes).toEqual([
    'Advisories: not known for 1 of 2.',
    'A note of the text.',
    'Library: a source last answered on 2026-11-19; newer advisories may be missing.',
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

test('a plan names no next day where it leads to a line whose support may have ended', async () => {
  const released = (version: string, year: number) => ({
    ...{ version, releaseTimestamp: `${year}-02-01T00:00:00Z`, timestampKind: 'observed' },
  });
  const term = definition({ title: 'Tool', support: { policy: 'term', months: 12 } });
  const lines = { '1.0': '2028-01-01' };
  const dated = definition({ title: 'Server', support: { policy: 'dated', lines } });
  const index = {
    'components/tool.json': term,
    'data/tool.json': { releases: [released('1.0', 2024), released('2.0', 2026)] },
    'components/svc.json': dated,
    'data/svc.json': listing('1.0'),
  };

  const plan = await planFiles(index, 'tool@1.0 svc@1.0');

  expect(shortSteps(plan)).toEqual(['tool 1.0 > 2.0 now: ended']);
  expect(plan.text).toBe('One thing to do now.');
});
