import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/day.ts';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import { merge } from '../../src/record/merge.ts';
import type { SourceRelease } from '../../src/sources/read-releases.ts';
import { all, begin, live, many, pass, policies, start, type World } from '../harness/gated.ts';
import { answerOf } from '../harness/recorded.ts';

const flood = (count: number) => [...all, ...many(count, (index) => `2.1.5.${index}`)];
const withVersion = (version: string) => [...all, { version }];
const lost = (count: number, inUse = 15) => `${count} of ${inUse} releases in use would be lost`;
const cut = (count: number, recorded: number) =>
  `a no longer lists ${count} of ${recorded} recorded releases`;
const far = (version: string) => `${version} is far above the recorded versions`;
const withoutThree = all.filter((_, index) => index < 46 || index > 48);

/** What waits on the first and on the second day, by policies. The incidents of whole days are others. */
const attacks: [name: string, by: string, list: SourceRelease[], first: string, second: string][] =
  [
    ['the greatest is pulled', 'none lines term', all.slice(0, -1), '', ''],
    [
      'the two greatest are pulled',
      'none lines term',
      all.slice(0, -2),
      '',
      'the latest release would fall from 2.11.4 to 2.11.2',
    ],
    ['three of fifteen in use', 'none lines', withoutThree, '', lost(3)],
    ['three of many in use', 'term', withoutThree, '', ''],
    ['the oldest three fifths, which nobody uses', 'none lines', all.slice(36), '', cut(36, 60)],
    ['less than three fifths, which nobody uses', 'none lines', all.slice(35), '', ''],
    ['the older half, of which some are in use', 'term', all.slice(30), '', lost(20, 50)],
    ['ten times the greatest number', 'none', withVersion('20.0'), far('20.0'), far('20.0')],
    ['less than ten times', 'none', withVersion('19.0'), '', ''],
    ['1,000 new versions', 'none', flood(1000), '', ''],
  ];

test.for(
  attacks.flatMap(([name, by, ...values]) =>
    by.split(' ').map((policy) => [name, policy as World['policy'], ...values] as const),
  ),
)('%s (%s)', ([, policy, list, ...expected]) => {
  const first = live(begin(policy), list);
  const second = live(first, list);

  expect([first, second].map(({ held }) => held.map(({ reason }) => reason).join())).toEqual(
    expected,
  );
  // What waits does not count, and nothing that counted is gone.
  const { releases } = second.counted;
  expect(releases.map(({ version }) => version)).toEqual(
    expect.arrayContaining(all.map(({ version }) => version)),
  );
  const lossWaits = second.held.some(({ kind }) => kind === 'loss');
  expect(lossWaits && releases.some(({ withdrawnSince }) => withdrawnSince)).toBe(false);
});

test.each([
  [9, 15, []],
  [10, 16, [cut(10, 16)]],
])('%i of %i old releases wait for %j', (count, listed, waits) => {
  const list = many(listed, (index) => `2.${index}`);
  const before = begin('none', list);
  const rest = list.slice(count);

  expect(live(live(before, rest), rest).held.map(({ reason }) => reason)).toEqual(waits);
});

test('the lists of several sources are compared with what each of them had', () => {
  const sources = ['a', 'b'];
  const record = (recorded: Recorded, day: Day, first = 18) => {
    const [a, b] = [all.slice(first, 30), many(30, (index) => `30.${index}`)];
    return merge({ recorded, answers: [answerOf('a', a), answerOf('b', b)], sources, day });
  };
  const before = record(record({ releases: [] }, '2026-02-01', 0), start);
  const day = addDays(start, 1);

  const { held } = pass(policies.none, before, record(before, day), { day });

  expect(held.map(({ reason }) => reason)).toEqual([cut(18, 30)]);
});

const half = all.slice(0, 30);
const versionsOf = ({ counted }: World) => counted.releases.map(({ version }) => version);

test('an id stays while new versions come, which come in at once', () => {
  const second = live(live(begin(), half), half);
  const third = live(second, [...half, { version: '2.5.9' }]);

  expect(third.held).toEqual(second.held);
  expect(third.held).toMatchObject([
    { since: second.day, command: 'npx release-index accept svc-e2839e7f9c' },
  ]);
  expect(versionsOf(third)).toContain('2.5.9');
});

test('what came after an earlier withdrawal is not lost silently', () => {
  const rest = all.slice(0, -1);
  const pulled = live(live(begin(), rest), rest);
  const grown = live(pulled, [...rest, ...many(9, (index) => `3.${index}`)]);

  expect(live(live(grown, rest), rest).held.map(({ reason }) => reason)).toEqual([lost(3, 3)]);
});

test('an outlier that waits keeps its id when another comes', () => {
  const first = live(begin(), withVersion('9999.0'));
  const second = live(first, [...withVersion('9999.0'), { version: '20260303' }]);

  expect(second.held.map(({ versions }) => versions)).toEqual([['9999.0'], ['20260303']]);
  expect(second.held[0]!.id).toBe(first.held[0]!.id);
});

test.each([
  ['9.0', []],
  ['10.0', [far('10.0')]],
])('before a first major version, %s waits for %j', (version, waits) => {
  const first = { version: '0.1' };
  const { held } = live(begin('none', [first]), [first, { version }]);

  expect(held.map(({ reason }) => reason)).toEqual(waits);
});

test('new versions come in at once while a flood waits', () => {
  const first = live(begin(), flood(1001));
  const second = live(first, [...flood(1001), { version: '2.11.5' }]);

  expect(first.held).toMatchObject([{ reason: '1001 new versions at once' }]);
  expect(second.held).toEqual(first.held);
  expect(versionsOf(second).at(-1)).toBe('2.11.5');
});

test('a source of which the definition changed may list thousands', () => {
  const { answeredOn: _, ...edited } = begin();

  expect(live(edited, flood(2000)).held).toEqual([]);
});

test('builds that start anew in each line are no outliers', () => {
  const builds = [...all, ...many(12, (index) => `2.${index}.5.${index * 900}`)];
  const before = live(begin(), builds);

  expect(live(before, [...builds, { version: '2.12.0.10803' }]).held).toEqual([]);
});

test('a loss that moves an end to a later day is told without it', () => {
  const { recorded } = begin();
  const after = recorded.releases.map((release) =>
    /^2\.(?:[89]|11)\./.test(release.version) ? { ...release, withdrawnSince: start } : release,
  );

  const { held } = pass(policies.lines, recorded, { releases: after });

  expect(held.map(({ reason }) => reason)).toEqual([
    'the latest release would fall from 2.11.4 to 2.10.4',
  ]);
});

const stated = { policy: 'stated', source: { datasource: 'endoflife-date', product: 'svc' } };
const endsOf = (days: Record<string, Day>) =>
  Object.entries(days).map(([line, until]) => ({ line, phases: [{ name: 'support', until }] }));

test('a hold freezes what it names, and nothing else', () => {
  const { recorded } = begin();
  const former = endsOf({ '2.8': '2029-01-01', '2.10': '2029-01-01', '2.11': '2029-01-01' });
  // 2.9 ends with 2.10; of 2.8, a single release is pulled.
  const after: Recorded = {
    releases: recorded.releases.map((release) =>
      /^2\.(?:9\.[123]|8\.4)$/.test(release.version)
        ? { ...release, withdrawnSince: start }
        : release,
    ),
    lines: endsOf({
      '2.8': '2030-01-01',
      '2.10': '2026-04-01',
      '2.11': '2028-01-01',
      '2.12': '2031-01-01',
    }),
  };

  const before = { ...recorded, lines: former };

  const { counted, held } = pass(stated, before, after, { day: addDays(start, 9) });

  const frozen = all.slice(45, 55).map(({ version }) => version);
  expect(held).toMatchObject([
    {
      versions: ['2.8.4', ...frozen],
      taken: { withdrawnSince: ['2.8.4', '2.9.1', '2.9.2', '2.9.3'], deprecated: [] },
      lines: endsOf({ '2.10': '2029-01-01' }),
    },
  ]);
  expect(counted.lines).toEqual(
    endsOf({
      '2.8': '2030-01-01',
      '2.10': '2029-01-01',
      '2.11': '2028-01-01',
      '2.12': '2031-01-01',
    }),
  );
  expect(counted.releases).toEqual(recorded.releases);
});

test.each<[string, Partial<Recorded>, Partial<Recorded>, boolean, number]>([
  ['first ends of a component', {}, { lines: endsOf({ '2.11': '2020-01-01' }) }, false, 0],
  [
    'ends of another source',
    { lines: endsOf({ '2.11': '2029-01-01' }) },
    { lines: endsOf({ '3': '2020-01-01' }) },
    true,
    0,
  ],
  [
    'no lines any more',
    { lines: endsOf({ '2.10': '2019-01-01', '2.11': '2029-01-01' }) },
    { lines: endsOf({ '2.10': '2019-01-01', '2.12': '2019-01-01' }) },
    false,
    1,
  ],
  ['a locked project', {}, { releases: lock(true) }, false, 0],
  ['a deprecated project', {}, { releases: lock(undefined) }, false, 1],
])('of %s, from %o on, so many wait', (_, former, now, hasFirstEnds, count) => {
  const { recorded } = begin();
  const before = { ...recorded, ...former };

  const values = { hasFirstEnds, day: addDays(start, 9) };
  const { held } = pass(stated, before, { ...recorded, ...now }, values);

  expect(held).toHaveLength(count);
});

function lock(isQuarantined: true | undefined) {
  return begin().recorded.releases.map((each) => {
    return { ...each, deprecated: 'malware', isQuarantined };
  });
}

test('a flood is counted with its outliers', () => {
  const list = [...flood(991), ...many(10, (index) => `${30 + index}.0`)];
  const { held } = live(begin(), list);

  expect(held.map(({ kind, versions }) => [kind, versions.length])).toEqual([
    ['outlier', 10],
    ['flood', 991],
  ]);
  expect(held[1]!.reason).toBe('1001 new versions at once');
});

test('a loss is seen 90 days before an end that would hide it', () => {
  const { recorded } = begin();
  const until = (day: Day): Recorded => ({
    ...recorded,
    lines: endsOf({ '2.9': day, '2.10': day, '2.11': day }),
  });
  const before = until('2029-01-01');

  const { counted, held } = pass(stated, before, until('2026-04-01'));

  const moves = ['2.9', '2.10', '2.11'].map((line) => `${line} ends on 2026-04-01, not 2029-01-01`);
  expect(held).toMatchObject([
    { reason: `the latest release would fall from 2.11.4 to none: ${moves.join(', ')}` },
  ]);
  expect(counted.lines).toEqual(before.lines);
});

/** A day on which an advisory calls a range malware, and the source lists these releases. */
function liveWithMalware(world: World, affected: string, list: readonly SourceRelease[] = all) {
  const day = addDays(world.day, 1);
  const answer = answerOf('a', list, { answeredOn: world.day });
  const advisories = [{ id: 'GHSA-1', aliases: ['MAL-2026-1'], affected }];
  const answers = [{ ...answer, advisories }];
  const after = merge({ recorded: world.recorded, answers, sources: ['a'], day });
  const passed = pass(policies[world.policy], world.counted, after, { held: world.held, day });
  const { releases } = passed.counted;
  const marked = releases.filter(({ malware }) => malware).map(({ version }) => version);
  return { world: { ...world, day, ...passed }, marked };
}

test.each<[string, string, readonly SourceRelease[], string]>([
  ['the latest three', '>=2.11.2', all, '2.11.2 2.11.3 2.11.4'],
  ['one that is gone on the same day', '=2.11.4', all.slice(0, -1), '2.11.4'],
  [
    'all but one',
    '>2.0.0',
    all,
    all
      .slice(1)
      .map(({ version }) => version)
      .join(' '),
  ],
])('malware that names versions counts at once: %s', (_, affected, list, expected) => {
  const first = liveWithMalware(begin(), affected, list);
  expect([first.world.held, first.marked.join(' ')]).toEqual([[], expected]);

  const second = liveWithMalware(first.world, affected, list);
  expect([second.world.held, second.marked]).toEqual([[], first.marked]);
  // Withdrawn upstream.
  expect(liveWithMalware(second.world, '=9.9', list).marked).toEqual([]);
});

test('malware that names every release waits, but for releases that come after it', () => {
  const reason = '15 of 15 releases in use would be lost: malware by MAL-2026-1';
  const first = liveWithMalware(begin(), '*');
  expect(first.world.held).toMatchObject([{ kind: 'loss', reason, since: first.world.day }]);
  expect(first.marked).toEqual([]);

  const more = [...all, { version: '2.11.5' }];
  const second = liveWithMalware(first.world, '*', more);
  expect(second.marked).toEqual(['2.11.5']);
  expect(second.world.held).toMatchObject([{ id: first.world.held[0]!.id }]);

  // What waits does not pass since its advisory no longer names the newest.
  const third = liveWithMalware(second.world, '<=2.11.4', more);
  expect(third.marked).toEqual([]);
  expect(third.world.held).toMatchObject([{ id: first.world.held[0]!.id, since: first.world.day }]);
});

test('a loss that grows keeps its id and its first day', () => {
  const second = live(live(begin(), half), half);
  const less = all.slice(0, 25);
  const later = live(live(second, less), less);

  const [former, grown] = [second.held[0]!, later.held[0]!];
  expect(grown.versions).toHaveLength(former.versions.length + 5);
  expect([grown.id, grown.since]).toEqual([former.id, former.since]);
});
