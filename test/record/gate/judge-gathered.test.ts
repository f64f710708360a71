import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, type Day } from '../../../src/core/model/dates.ts';
import type { RecordedRelease, StatedLine } from '../../../src/core/schemas/recorded/recorded.ts';
import { foldJournal } from '../../../src/decide/fold-journal.ts';
import { judgeRecorded } from '../../../src/decide/judge.ts';
import { judgeGathered, type ComponentBefore } from '../../../src/record/gate/judge-gathered.ts';
import {
  createDecisionId,
  type WaitingChange,
} from '../../../src/record/gate/rules/waiting-change.ts';
import type { GatherResult } from '../../../src/record/gather/unite-answers.ts';
import { findNews } from '../../../src/record/gather/save-gathered.ts';
import {
  describeChange,
  numberEvents,
} from '../../../src/record/journal/events/describe-change.ts';
import { FullDefinition } from '../../../src/record/read-definition.ts';
import type { StatedRelease } from '../../../src/record/sources/datasource.ts';
import {
  openGatedIndex,
  releasesId,
  type GatedDay,
  type Statement,
} from '../../harness/gated-index.ts';
import { definition } from '../../harness/root.ts';

const ten = Array.from({ length: 10 }, (_, index) => `1.${index}`);
const start: Day = '2026-06-01';
const dayAfter = (count: number) => addDays(start, count);
const versionsOf = ({ data }: Pick<GatedDay, 'data'>) =>
  data.releases.map(({ version }) => version);
const bytes = (digit: string) => `sha256:${digit.repeat(64)}`;

/** An index with these releases since the first day. */
function indexOf(releases: readonly (string | StatedRelease)[], about = {}) {
  const index = openGatedIndex(about);
  index.run(start, { releases });
  return index;
}

/* Over some days. */

test('an unusual version waits alone, until a person accepts it with its stated day', () => {
  const index = indexOf(ten);
  const stated = { version: '1.900', releaseTimestamp: '2026-06-02T10:00:00Z' };
  const releases = [...ten, stated, '1.10'];

  const today = index.run(dayAfter(1), { releases });
  const later = index.run(dayAfter(50), { releases });
  const [{ id } = { id: '' }] = today.held;
  index.accept(id);
  const accepted = index.run(dayAfter(51), { releases });

  expect(versionsOf(today)).toEqual([...ten, '1.10']);
  expect(today.held).toMatchObject([
    { component: 'svc', causes: [releasesId], since: dayAfter(1), versions: ['1.900'] },
  ]);
  expect(later.held).toMatchObject([{ id, since: dayAfter(1) }]);
  expect(accepted.data.releases).toContainEqual(expect.objectContaining(stated));
  expect([accepted.held, accepted.used]).toEqual([[], [id]]);
});

test('a loss beside a new release waits alone, in the same words on each day', () => {
  const index = indexOf(ten);
  const lost = ten.slice(0, 9).map((version) => ({ version, deprecated: 'Old.' }));
  const releases = [...lost, '1.9', '2.0'];

  const days = [1, 2].map((count) => index.run(dayAfter(count), { releases }));
  const [{ id } = { id: '' }] = days[0]!.held;
  index.accept(id);
  const accepted = index.run(dayAfter(3), { releases });

  const reason = expect.stringContaining('9 of 11 releases in use') as string;
  expect(days.map(({ held }) => held)).toMatchObject([[{ id, reason }], [{ id, reason }]]);
  expect(days[0]).toMatchObject({ latest: '2.0', deprecated: [] });
  expect([accepted.held, accepted.used, accepted.deprecated.length]).toEqual([[], [id], 9]);
});

test('a loss that new releases make small is taken on the next day', () => {
  const fifteen = Array.from({ length: 15 }, (_, index) => `1.${index}`);
  const lost = fifteen.slice(0, 3).map((version) => ({ version, deprecated: 'Old.' }));
  const index = indexOf(fifteen);
  const releases = [...lost, ...fifteen.slice(3), '1.15'];

  const days = [1, 2].map((count) => index.run(dayAfter(count), { releases }));

  expect(days.map(({ held }) => held)).toEqual([[], []]);
  expect(days.map(({ latest }) => latest)).toEqual(['1.15', '1.15']);
  expect(days.map(({ deprecated }) => deprecated.length)).toEqual([0, 3]);
});

test('what comes beside an unusual version waits with it, and what comes later by itself', () => {
  const recorded = ['5.4.3', '6.0.3'];
  const index = indexOf(recorded);
  const first = [...recorded, '6.0.4', '6.0.99', '6.0.112'];

  const today = index.run(dayAfter(1), { releases: first });
  const next = index.run(dayAfter(2), { releases: [...first, '6.0.5', '6.0.113'] });
  index.accept(today.held[0]!.id);
  const accepted = index.run(dayAfter(3), { releases: [...first, '6.0.5', '6.0.113'] });

  expect(today.held).toMatchObject([{ versions: ['6.0.112', '6.0.99'] }]);
  expect(next.held).toMatchObject([{ id: today.held[0]!.id }, { versions: ['6.0.113'] }]);
  expect(versionsOf(accepted).toSorted()).toEqual([...first, '6.0.5'].toSorted());
});

test('an accepted version was not listed on the day before it began to wait', () => {
  const index = indexOf(['5.4.3', '6.0.3']);
  const releases = ['5.4.3', '6.0.3', '6.0.112'];

  const today = index.run(dayAfter(1), { releases });
  index.accept(today.held[0]!.id);
  const { data } = index.run(dayAfter(3), { releases });

  expect(data.releases.at(-1)).toMatchObject({ version: '6.0.112', notListedOn: start });
});

test('a patch that is dated before its line began waits, although its day was rejected', () => {
  const early = { version: '2.0.7', releaseTimestamp: '2025-06-01T00:00:00Z' };
  const line = { version: '2.0.0', releaseTimestamp: '2026-01-10T00:00:00Z' };

  const today = indexOf([...ten, line]).run(dayAfter(1), { releases: [...ten, line, early] });

  expect(versionsOf(today)).toEqual([...ten, '2.0.0']);
  expect(today.held).toMatchObject([{ kind: 'outlier', versions: ['2.0.7'] }]);
});

const old = Array.from({ length: 25 }, (_, number) => ({
  version: `0.${number}`,
  releaseTimestamp: '2025-01-01T00:00:00Z',
}));

test('a history that a source lists late is taken at once, however long it is, and shortens no waiting time', () => {
  const { held, data } = indexOf(ten).run(dayAfter(1), { releases: [...ten, ...old] });

  expect(held).toEqual([]);
  expect(data.releases).toHaveLength(35);
  expect(data.releases[0]).toMatchObject({ timestampKind: 'observed', notListedOn: start });
});

test.each([
  ['at once', [], '2025-01-01T00:00:00Z'],
  ['beside a new one', ['1.10'], '2025-01-01T00:00:00Z'],
  ['beside a new one that is dated back', ['1.11'], dayAfter(1)],
])(
  'versions that restored data lacks come back, and their days are accepted where their source had listed them all: %s',
  (_, others, day) => {
    const dates: Record<string, string> = {
      '1.10': `${dayAfter(1)}T00:00:00Z`,
      '1.11': '2025-02-01',
    };
    const beside = others.map((version) => ({ version, releaseTimestamp: dates[version]! }));
    const few = old.slice(0, 3);
    const index = openGatedIndex();
    const { data } = index.run(start, { releases: [...ten, ...few] });
    index.restore({ ...data, releases: data.releases.slice(3) });

    const today = index.run(dayAfter(1), { releases: [...ten, ...few, ...beside] });

    expect(today.held).toEqual([]);
    expect(versionsOf(today)).toEqual(['0.0', '0.1', '0.2', ...ten, ...others]);
    expect(today.data.releases[0]!.releaseTimestamp).toBe(day);
  },
);

test('what a second look on the same day recorded is not taken for restored data', () => {
  const index = openGatedIndex();
  const { data } = index.run(start, { releases: ten });
  const releases = [...ten, '1.10'];
  index.restore(openGatedIndex().run(start, { releases }).data);
  const { held, data: later } = index.run(start, { releases: [...releases, '1.11'] });

  expect(data.releases).toHaveLength(10);
  expect(held).toEqual([]);
  expect(later.releases).toHaveLength(12);
});

test('what waits goes on waiting on a day on which its source fails', () => {
  const index = indexOf(ten);
  const first = index.run(dayAfter(1), { releases: [...ten, '9026.1'] });
  const failed = index.run(dayAfter(2), {});
  const again = index.run(dayAfter(3), { releases: [...ten, '9026.1'] });

  expect(first.held).toMatchObject([{ versions: ['9026.1'], since: dayAfter(1) }]);
  expect(failed.failed).toMatchObject([{ id: releasesId }]);
  expect(failed.held).toEqual(first.held);
  expect(again.held).toEqual(first.held);
});

test('other bytes under a known version wait, the rest is taken, and readers are told what a person accepts', () => {
  const index = indexOf([{ version: '1.0', digests: { file: bytes('1') } }]);
  const stating = (digit: string) => ({
    releases: [{ version: '1.0', digests: { file: bytes(digit) } }, '1.1'],
  });

  const today = index.run(dayAfter(1), stating('2'));
  index.accept(today.held[0]!.id);
  const other = index.run(dayAfter(2), stating('3'));
  index.accept(other.held[0]!.id);
  const accepted = index.run(dayAfter(3), stating('3'));

  expect(today.held).toMatchObject([{ kind: 'bytes', versions: ['1.0'] }]);
  expect(versionsOf(today)).toEqual(['1.0', '1.1']);
  expect(today.data.releases[0]!.digests).toEqual({ [releasesId]: { file: bytes('1') } });
  expect(accepted.events).toMatchObject([{ type: 'republished', version: '1.0' }]);
  expect(accepted.held).toEqual([]);
});

test('a source that rebuilds its tags states other bytes, which readers are told', () => {
  const sources = [{ datasource: 'npm', packageName: 'x', rebuildsTags: true }];
  const index = indexOf([{ version: '1.0', digests: { file: bytes('1') } }], { sources });

  const today = index.run(dayAfter(40), {
    releases: [{ version: '1.0', digests: { file: bytes('2') } }],
  });

  expect(today.held).toEqual([]);
  expect(today.events).toMatchObject([{ type: 'republished', version: '1.0' }]);
});

const half = ten.slice(5);

test('a held change stays held while releases are added, until the cause goes away', () => {
  const index = indexOf(ten);
  index.run(dayAfter(1), { releases: half });
  const held = index.run(dayAfter(2), { releases: half });
  const grown = Array.from({ length: 60 }, (_, number) => `1.9.${number}`);
  const later = index.run(dayAfter(90), { releases: [...half, ...grown] });

  expect(held.held).toMatchObject([{ since: dayAfter(2) }]);
  expect(later.held).toMatchObject([{ since: dayAfter(2), id: held.held[0]!.id }]);
  expect(later.deprecated).toEqual([]);
  expect(versionsOf(later)).toHaveLength(70);
  expect(index.run(dayAfter(91), {}).held).toHaveLength(1);
  expect(index.run(dayAfter(92), { releases: [...ten, ...grown] }).held).toEqual([]);
});

test('a held change is accepted by its id, but not with other consequences', () => {
  const deprecating = (count: number) => ({
    releases: ten.map((version, place) => ({
      version,
      ...(place < count && { deprecated: 'old' }),
    })),
  });
  const index = indexOf(ten);
  const { held } = index.run(dayAfter(1), deprecating(6));
  index.accept(held[0]!.id);

  const other = index.run(dayAfter(2), deprecating(7));

  expect(other.held[0]!.id).not.toBe(held[0]!.id);
  expect(other.deprecated).toEqual([]);
  expect(index.run(dayAfter(3), deprecating(6)).deprecated).toEqual(ten.slice(0, 6));
  // What comes back needs nobody, and a decision is used once.
  expect(index.run(dayAfter(40), deprecating(0))).toMatchObject({ held: [], deprecated: [] });
  expect(index.run(dayAfter(80), deprecating(6)).held).toHaveLength(1);
});

test('a short list waits, also while its source fails, and its decision withdraws what it lacks', () => {
  const index = indexOf(ten);
  const short = { releases: ten.slice(7) };
  const days = [short, {}, short].map((stated, count) => index.run(dayAfter(count + 1), stated));
  const [{ id } = { id: '' }] = days[0]!.held;
  index.accept(id);
  const accepted = index.run(dayAfter(4), short);

  for (const { held } of days) {
    expect(held).toMatchObject([{ id, kind: 'list', since: dayAfter(1), causes: [releasesId] }]);
  }
  expect([accepted.held, accepted.used]).toEqual([[], [id]]);
  expect(accepted.data.releases.filter((one) => one.withdrawnSince)).toHaveLength(7);
});

test('an edit that waits is no earlier day of what sources state', () => {
  const index = indexOf(ten);
  const definition = { deprecated: [{ versions: '>=1.5', reason: 'A slip.' }] };
  const gone = ten.map((version) => ({ version, deprecated: 'old' }));
  index.run(dayAfter(1), { releases: ten, definition });
  const both = index.run(dayAfter(2), { releases: gone, definition });

  expect(both.held).toMatchObject([{ since: dayAfter(1) }, { since: dayAfter(2) }]);
});

test('nothing that sources state waits before the first run', () => {
  const index = openGatedIndex();
  index.restore({ releases: [{ version: '1.0', source: releasesId }] });

  expect(index.run(start, { releases: ['1.0', '1.900'] }).held).toEqual([]);
});

test('whatever an upstream lists, a second run of a day changes nothing and no release is lost', () => {
  const days = fc.array(
    fc.uniqueArray(
      fc.record({
        version: fc.constantFrom(...ten, '2.0', '9.9', '9999.0', '2026.1'),
        deprecated: fc.constantFrom(undefined, undefined, 'old'),
        isPrerelease: fc.constantFrom(undefined, true, false),
        digests: fc.constantFrom('1', '2').map((digit) => ({ file: bytes(digit) })),
      }),
      { selector: ({ version }) => version },
    ),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(days, (answers) => {
      const index = indexOf(ten);
      let before: GatedDay | undefined;
      for (const [count, drawn] of answers.entries()) {
        const releases = drawn.map((one) => JSON.parse(JSON.stringify(one)) as StatedRelease);
        const today = index.run(dayAfter(count + 1), { releases });
        const again = index.run(dayAfter(count + 1), { releases });
        expect([again.data, again.events]).toEqual([today.data, []]);
        expect(versionsOf(today)).not.toContain('9999.0');
        for (const { version, digests } of before?.data.releases ?? []) {
          const now = today.data.releases.find((one) => one.version === version)!;
          if (digests) {
            expect(now.digests).toEqual(digests);
          }
        }
        before = today;
      }
    }),
    { numRuns: 60, interruptAfterTimeLimit: 20_000 },
  );
});

/* Lines that a second source states. */

const stated = {
  support: { policy: 'stated', source: { datasource: 'endoflife-date', product: 'x' } },
};
const lines = (phase: Partial<StatedLine['phases'][number]>) =>
  ten.map((line) => ({ line, phases: [{ name: 'support', ...phase }] }));
const honest: Statement = { releases: ten, lines: lines({}) };
const over: Statement = { releases: ten, lines: lines({ isOver: true }) };
const gone: Statement = {
  ...over,
  releases: ten.map((version) => ({ version, deprecated: 'old' })),
};

function openWithLines() {
  const index = openGatedIndex(stated);
  index.run(start, honest);
  return index;
}

test('a change of two sources goes on waiting while one of them fails', () => {
  const index = openWithLines();
  const first = index.run(dayAfter(1), gone);
  const next = index.run(dayAfter(2), { releases: ten });

  expect(first.held[0]!.causes).toHaveLength(2);
  expect(next.held).toEqual(first.held);
});

test('while the source of a change fails, new releases and no other change are taken', () => {
  const index = openWithLines();
  const first = index.run(dayAfter(1), over);
  const next = index.run(dayAfter(2), {
    releases: [
      { version: '1.9', changelogUrl: 'https://example.com/1.9' },
      ...ten.slice(0, 9),
      '1.10',
    ],
  });

  expect(next.held).toEqual(first.held);
  expect(versionsOf(next)).toEqual([...ten, '1.10']);
  expect(next.data.releases[9]).not.toHaveProperty('changelogUrl');
});

test('an accepted change whose source fails goes on waiting, and all else is taken', () => {
  const index = openWithLines();
  const first = index.run(dayAfter(1), over);
  const [{ id } = { id: '' }] = first.held;
  index.accept(id);
  const next = index.run(dayAfter(2), {
    releases: ten.map((version) => ({ version, changelogUrl: `https://example.com/${version}` })),
  });
  const taken = index.run(dayAfter(3), over);

  expect([next.held, next.used]).toEqual([first.held, []]);
  expect(next.data.releases[9]).toHaveProperty('changelogUrl');
  expect([taken.held, taken.used]).toEqual([[], [id]]);
});

const deprecating = (versions: readonly string[]) =>
  ten.map((version) => (versions.includes(version) ? { version, deprecated: 'old' } : version));
const many = ['1.2', '1.3', '1.4', '1.7', '1.8', '1.9'];
const more = ['1.0', '1.1', ...many];
const few = many.slice(3);
const high = { id: 'CVE-2026-1000', affected: '>=1.0', severity: 'high' } as const;

test.each<[string, string[], string[]]>([
  ['the same', many, many],
  ['another loss meanwhile', more, many],
  ['less from then on', few, few],
])(
  'the decision on a change of two sources is used at once when both answer: the one that does not fail states %s',
  (_, meanwhile, later) => {
    const index = openGatedIndex();
    index.run(start, { releases: ten, advisories: { [high.id]: high } });
    const advisories = { [high.id]: undefined };
    const { held } = index.run(dayAfter(1), { releases: deprecating(many), advisories });
    const [{ id, causes } = { id: '' }] = held;
    index.accept(id);

    index.run(dayAfter(2), { releases: deprecating(meanwhile) });
    const silent = index.run(dayAfter(3), { releases: deprecating(meanwhile) });
    const answered = index.run(dayAfter(4), { releases: deprecating(later), advisories });

    expect(causes).toHaveLength(2);
    expect([silent.used, silent.deprecated]).toEqual([[], ['1.9']]);
    expect([answered.held, answered.used, answered.deprecated]).toEqual([[], [id], later]);
    expect(answered.affected).toEqual({});
  },
);

/* One verdict. */

const source = releasesId;
const npm = {
  sources: [
    { datasource: 'npm', packageName: 'x' },
    { datasource: 'npm', packageName: 'y' },
  ],
};

interface Case {
  readonly before: readonly RecordedRelease[];
  readonly after: readonly RecordedRelease[];
  readonly about?: object;
  readonly waits?: readonly Partial<WaitingChange>[];
  readonly silent?: readonly string[];
  readonly accepted?: readonly string[];
  readonly result?: Partial<GatherResult>;
}

const wait = (about: Partial<WaitingChange>): WaitingChange => ({
  id: 'svc-0000000001',
  component: 'svc',
  kind: 'outlier',
  since: dayAfter(1),
  causes: [source],
  reason: 'Unusual.',
  items: ['new 9.0'],
  ...about,
});

function judge({
  before,
  after,
  about = {},
  waits = [],
  silent = [],
  accepted = [],
  result = {},
}: Case) {
  const day = dayAfter(2);
  const read = FullDefinition.parse(definition({ ...npm, ...about }));
  const data = { releases: [...before] };
  const judged = judgeRecorded('svc', read, data, start);
  const drafts = describeChange(foldJournal([]), judged, start);
  const answers = { sources: { [source]: { answeredOn: start } } };
  const component: ComponentBefore = {
    name: 'svc',
    day,
    definition: read,
    data,
    freshness: answers,
    journal: numberEvents([], drafts, `${start}T05:00:00.000Z`, judged),
    waits: waits.map(wait),
    accepted: new Set(accepted),
    acceptedOn: '',
  };

  return judgeGathered(component, {
    releases: [...after],
    freshness: answers,
    sources: silent.map((id) => ({ id, kind: 'failed' })),
    shortLists: [],
    decisions: [],
    expectedLosses: [],
    rejectedDays: new Map(),
    ...result,
  } as never);
}

const list = (
  versions: readonly string[],
  more: Partial<RecordedRelease> = {},
): RecordedRelease[] => versions.map((version) => ({ version, source, firstSeen: start, ...more }));

test.each<[string, Case, boolean]>([
  ['the same', { before: list(ten), after: list(ten) }, false],
  ['the same in another order', { before: list(ten).toReversed(), after: list(ten) }, false],
  ['a new release', { before: list(ten), after: list([...ten, '1.10']) }, true],
  ['a new release that waits', { before: list(ten), after: list([...ten, '1.900']) }, false],
])('%s is news: %#', (_, about, isNews) => {
  const news = findNews({ releases: [...about.before] }, judge(about).data);

  expect(news !== undefined).toBe(isNews);
});

const shortList = (cause: string) =>
  wait({ id: createDecisionId('svc', cause), kind: 'list', causes: [cause], versions: undefined });

test.each<[string, Case, string[]]>([
  [
    'a list whose source fails',
    { before: list(ten), after: list(ten), waits: [shortList(source)], silent: [source] },
    ['list npm:x'],
  ],
  [
    'no list whose source answers',
    { before: list(ten), after: list(ten), waits: [shortList(source)] },
    [],
  ],
  [
    'a list that is short again, once',
    {
      before: list(ten),
      after: list(ten),
      waits: [shortList(source)],
      silent: [source],
      result: { shortLists: [shortList(source)] },
    },
    ['list npm:x'],
  ],
  [
    'the lists of two sources',
    {
      before: list(ten),
      after: list(ten),
      waits: [shortList(source), shortList('npm:y')],
      silent: [source, 'npm:y'],
      result: { shortLists: [shortList(source)] },
    },
    ['list npm:x', 'list npm:y'],
  ],
  [
    'a version whose source fails',
    { before: list(ten), after: list(ten), waits: [{ versions: ['9.0'] }], silent: [source] },
    ['outlier npm:x'],
  ],
  [
    'no version whose source answers',
    { before: list(ten), after: list(ten), waits: [{ versions: ['9.0'] }] },
    [],
  ],
  [
    'other bytes of a failing source that another states, once',
    {
      before: list(['1.0'], { digests: { 'npm:y': { file: bytes('1') } } }),
      after: list(['1.0'], { digests: { 'npm:y': { file: bytes('2') } } }),
      waits: [{ kind: 'bytes', versions: ['1.0'] }],
      silent: [source],
    },
    ['bytes npm:y'],
  ],
  [
    'a change of a failing source, once',
    {
      before: list(ten),
      after: list(ten),
      waits: [{ kind: 'change', versions: ['9.0'] }],
      silent: [source],
    },
    ['change npm:x'],
  ],
])('goes on waiting: %s', (_, about, waiting) => {
  expect(judge(about).waiting.map(({ kind, causes }) => `${kind} ${causes.join()}`)).toEqual(
    waiting,
  );
});

test('a version that was republished before keeps that while other bytes wait', () => {
  const republished = { on: start, source, artifact: 'file', from: bytes('1'), to: bytes('2') };
  const before = list(['1.0'], {
    digests: { [source]: { file: bytes('2') } },
    republished,
  } as never);
  const after = list(['1.0'], {
    digests: { [source]: { file: bytes('3') } },
    republished: { ...republished, from: bytes('2'), to: bytes('3') },
  } as never);

  expect(judge({ before, after }).data.releases).toEqual(before);
  expect(
    judge({ before: before.map(({ republished: _, ...one }) => one), after }).data.releases[0],
  ).not.toHaveProperty('republished');
});

const term = { support: { policy: 'term', months: 24, line: 1 } };
const dated = (version: string, releaseTimestamp: string, more = {}) =>
  list([version], { releaseTimestamp, ...more });
const two = [...dated('1.0', '2025-10-01'), ...dated('2.1', '2026-01-01')];

test('where new releases take from readers, too, they wait with the change', () => {
  const early = dated('2.0', '2024-09-01');
  const pulled = two.map((one) => ({ ...one, isPrerelease: true }));
  const { data, waiting } = judge({ before: two, after: [...pulled, ...early], about: term });

  expect(data.releases).toEqual(two);
  expect(waiting).toMatchObject([{ kind: 'change', versions: ['2.0'] }]);
});

test('a decision is used by the part of a change that it lets through', () => {
  const before = [...two, ...dated('2.2', '2026-02-01')];
  const early = dated('2.0', '2024-09-01');
  const first = judge({ before, after: [...before, ...early], about: term });
  const accepted = first.waiting.map(({ id }) => id);
  const unstable = before.map((one) => ({ ...one, isPrerelease: true }));
  const next = judge({ before, after: [...unstable, ...early], about: term, accepted });

  expect(accepted).toHaveLength(1);
  expect(next.data.releases).toEqual([...before, ...early]);
  expect(next).toMatchObject({ waiting: [{ kind: 'change' }], used: accepted });
});

test('a change beside new releases that are taken names no versions', () => {
  const before = [...two, ...dated('2.2', '2026-02-01')];
  const unstable = before.map((one) => ({ ...one, isPrerelease: true }));
  const after = [...unstable, ...dated('2.3', '2026-05-01')];
  const { data, waiting } = judge({ before, after, about: term });

  expect(data.releases).toEqual([...before, ...after.slice(-1)]);
  expect(waiting).toMatchObject([{ kind: 'change' }]);
  expect(waiting[0]).not.toHaveProperty('versions');
});

test('while a change waits, the greatest release stays as it is recorded', () => {
  const pulled = two.map((one) => ({
    ...one,
    changelogUrl: 'https://example.com/',
    ...(one.version === '1.0' && { deprecated: 'old' }),
  }));
  const { data, waiting } = judge({
    before: [...two, ...list(ten.slice(1))],
    after: [...pulled, ...list(ten.slice(1), { deprecated: 'old' })],
  });

  expect(waiting).toMatchObject([{ kind: 'change' }]);
  expect(data.releases.find(({ version }) => version === '2.1')).toEqual(two[1]);
});
