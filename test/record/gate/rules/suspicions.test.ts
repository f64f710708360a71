import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../../../src/core/model/dates.ts';
import type { RecordedData } from '../../../../src/core/schemas/recorded/recorded.ts';
import type { StatedRelease } from '../../../../src/record/sources/datasource.ts';
import { openGatedIndex, releasesId, type GatedDay } from '../../../harness/gated-index.ts';

const ten = Array.from({ length: 10 }, (_, index) => `1.${index}`);
const start = '2026-06-01';
const dayAfter = (count: number) => addDays(start, count);
const versionsOf = ({ data }: GatedDay) => data.releases.map(({ version }) => version);

/** An index with these releases since the first day. */
function indexOf(releases: readonly (string | StatedRelease)[]) {
  const index = openGatedIndex();
  index.run(start, { releases });
  return index;
}

test.each([
  { recorded: ['2026.1', '2026.2'], version: '2027.1', why: 'its year has not begun' },
  { recorded: ten, version: '10.0', why: 'at least ten times' },
  { recorded: ['0.1'], version: '11', why: 'at least ten times' },
  { recorded: ten, version: '99999999999999999999.0', why: 'at least ten times' },
  { recorded: ten, version: '1.20000', why: '20000 is at least ten times' },
  { recorded: ['2026.1', '2026.2'], version: '2026.900', why: '900 is at least ten times' },
  { recorded: ['2026.1', '2026.2'], version: '20260.1', why: 'at least ten times' },
  { recorded: ['6.0.3'], version: '6.0.100', why: '100 is at least ten times' },
])(
  'a version outlier waits alone, until a person accepts it with its stated day: $version',
  ({ recorded, version, why }) => {
    const index = indexOf(recorded);
    const stated = { version, releaseTimestamp: '2026-06-02T10:00:00Z' };
    const releases = [...recorded, stated, `${recorded.at(-1)!}.1`];

    const today = index.run(dayAfter(1), { releases });

    expect(versionsOf(today)).toContain(`${recorded.at(-1)!}.1`);
    expect(versionsOf(today)).not.toContain(version);
    expect(today.held).toMatchObject([
      { causes: [releasesId], since: dayAfter(1), versions: [version] },
    ]);
    expect(today.held[0]!.reason).toContain(why);

    const later = index.run(dayAfter(50), { releases });
    expect(later.held).toMatchObject([{ id: today.held[0]!.id, since: dayAfter(1) }]);
    index.accept(today.held[0]!.id);
    const accepted = index.run(dayAfter(51), { releases });
    expect(accepted.data.releases).toContainEqual(expect.objectContaining(stated));
    expect(accepted.held).toEqual([]);
  },
);

test.each([
  { recorded: ['2025.4'], version: '2026.1' },
  { recorded: ten, version: '9.0' },
  { recorded: ['2022.3', '2023.2'], version: '6000.0.1' },
  { recorded: ['2023.2', '6000.0.1'], version: '6000.1.0' },
  { recorded: ['1.0.0.1'], version: '1.0.0.20260101' },
  { recorded: ['6.4.3889', '6.5.0'], version: '6.5.2518' },
])('a version outlier is not $version after $recorded', ({ recorded, version }) => {
  expect(indexOf(recorded).run(dayAfter(1), { releases: [...recorded, version] }).held).toEqual([]);
});

test('what comes beside a version outlier, beyond the same gap, waits with it, and what comes later by itself', () => {
  const recorded = ['5.4.3', '6.0.3'];
  const index = indexOf(recorded);
  const first = [...recorded, '6.0.4', '6.0.99', '6.0.112', '5.4.112'];

  const today = index.run(dayAfter(1), { releases: first });
  const next = index.run(dayAfter(2), { releases: [...first, '6.0.5', '6.0.113'] });

  expect(versionsOf(today)).toEqual([...recorded, '6.0.4']);
  expect(today.held.map(({ versions }) => versions?.toSorted())).toEqual([
    ['5.4.112', '6.0.112', '6.0.99'],
  ]);
  expect(versionsOf(next)).toEqual([...recorded, '6.0.4', '6.0.5']);
  expect(next.held).toMatchObject([{ id: today.held[0]!.id }, { versions: ['6.0.113'] }]);
  index.accept(today.held[0]!.id);
  const accepted = index.run(dayAfter(3), { releases: [...first, '6.0.5', '6.0.113'] });
  expect(versionsOf(accepted)).toEqual(expect.arrayContaining(first));
  expect(versionsOf(accepted)).not.toContain('6.0.113');
});

test('what waits goes on waiting under its id when a part of it is gone', () => {
  const index = indexOf(ten);
  const today = index.run(dayAfter(1), { releases: [...ten, '1.500', '1.501'] });
  const next = index.run(dayAfter(2), { releases: [...ten, '1.500'] });

  expect(next.held).toMatchObject([{ id: today.held[0]!.id, versions: ['1.500'] }]);
});

test('a patch that is dated before its line began waits, although its day was rejected', () => {
  const early = { version: '2.0.7', releaseTimestamp: '2025-06-01T00:00:00Z' };
  const line = { version: '2.0.0', releaseTimestamp: '2026-01-10T00:00:00Z' };
  const index = indexOf([...ten, line]);
  const later = { version: '2.0.1', releaseTimestamp: '2026-02-01T00:00:00Z' };

  const today = index.run(dayAfter(1), { releases: [...ten, line, later, early] });

  expect(versionsOf(today)).toEqual([...ten, '2.0.0', '2.0.1']);
  expect(today.held).toMatchObject([
    {
      kind: 'outlier',
      reason: '2.0.7: dated 2025-06-01, before its line began with 2.0.0 of 2026-01-10',
    },
  ]);
});

test('accepts a thousand new versions a month, and holds more until a person accepts them', () => {
  const invented = (count: number) =>
    Array.from({ length: count }, (_, number) => `1.9.${number % 90}-${number}`);
  const first = indexOf(ten).run(dayAfter(1), { releases: [...ten, ...invented(1000)] });
  const index = indexOf(ten);
  const half = index.run(dayAfter(1), { releases: [...ten, ...invented(600)] });
  const releases = [...ten, ...invented(1001), '1.10'];
  const more = index.run(dayAfter(20), { releases });

  expect([first.held, half.held]).toEqual([[], []]);
  expect(more.held).toMatchObject([
    {
      kind: 'flood',
      reason: expect.stringContaining('more than 1,000 new versions within 30 days'),
    },
  ]);
  expect(versionsOf(more)).toHaveLength(610);
  const later = index.run(dayAfter(80), { releases });
  expect(later.held).toMatchObject([{ id: more.held[0]!.id }]);
  expect(versionsOf(later)).toHaveLength(610);
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

test('holds other bytes under a known version, and accepts the rest', () => {
  const bytes = (digit: string) => ({ digests: { file: `sha256:${digit.repeat(64)}` } });
  const index = indexOf([{ version: '1.0', ...bytes('1') }]);
  const releases = [{ version: '1.0', ...bytes('2') }, '1.1'];

  const today = index.run(dayAfter(1), { releases });

  expect(today.held).toMatchObject([
    {
      kind: 'bytes',
      reason: expect.stringContaining('1.0 was republished with other bytes: file was sha256:111'),
    },
  ]);
  expect(versionsOf(today)).toEqual(['1.0', '1.1']);
  expect(today.data.releases[0]!.digests).toEqual({ [releasesId]: bytes('1').digests });
  const other = index.run(dayAfter(2), { releases: [{ version: '1.0', ...bytes('3') }, '1.1'] });
  expect(other.held[0]!.id).not.toBe(today.held[0]!.id);
  index.accept(other.held[0]!.id);
  const accepted = index.run(dayAfter(3), { releases: [{ version: '1.0', ...bytes('3') }, '1.1'] });
  expect(accepted.events).toMatchObject([{ type: 'republished', version: '1.0' }]);
});

test('other bytes wait by version, however many have them, and renamed artifacts are no other bytes', () => {
  const bytes = (name: string, digit: string) => ({
    digests: { [name]: `sha256:${digit.repeat(64)}` },
  });
  const all = (name: string, digits: string) =>
    Array.from(digits, (digit, place) => ({ version: `1.${place}`, ...bytes(name, digit) }));
  const index = indexOf(all('v1/cli.zip', '12345'));

  const renamed = index.run(dayAfter(40), { releases: all('1/cli.zip', '12345') });
  expect(renamed.held).toEqual([]);
  const other = index.run(dayAfter(41), { releases: [...all('1/cli.zip', '67845'), '1.9'] });

  expect(other.held).toMatchObject([
    { kind: 'bytes', versions: ['1.0'] },
    { kind: 'bytes', versions: ['1.1'] },
    { kind: 'bytes', versions: ['1.2'] },
  ]);
  expect(versionsOf(other)).toContain('1.9');
  expect(other.data.releases[0]!.digests).toEqual(renamed.data.releases[0]!.digests);
});

test('other bytes of a source that rebuilds its tags are recorded and told, and do not wait', () => {
  const bytes = (digit: string) => ({ digests: { file: `sha256:${digit.repeat(64)}` } });
  const sources = [{ datasource: 'npm', packageName: 'x', rebuildsTags: true }];
  const index = openGatedIndex({ sources });
  index.run(start, { releases: [{ version: '1.0', ...bytes('1') }] });

  const today = index.run(dayAfter(40), { releases: [{ version: '1.0', ...bytes('2') }] });

  expect(today.held).toEqual([]);
  expect(today.events).toMatchObject([{ type: 'republished', version: '1.0' }]);
  expect(today.data.releases[0]!.digests).toEqual({ [releasesId]: bytes('2').digests });
});

test.each([
  ['a further artifact', { late: `sha256:${'3'.repeat(64)}` }],
  ['an artifact of another algorithm', { late: `sha1:${'3'.repeat(40)}` }],
  [
    'a further digest of an artifact',
    { wheel: `sha256:${'1'.repeat(64)} sha512:${'3'.repeat(128)}` },
  ],
])('%s waits alone once the release is a month old', (_, added) => {
  const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
  const stating = (digests: Record<string, string>) => ({
    releases: [{ version: '1.0', digests }, '1.1'],
  });
  const index = indexOf([{ version: '1.0', digests: { wheel: digest('1') } }, '1.1']);

  const soon = index.run(dayAfter(30), stating({ wheel: digest('1'), other: digest('2') }));
  expect(soon.held).toEqual([]);
  const all = { wheel: digest('1'), other: digest('2'), ...added };
  const late = index.run(dayAfter(31), stating(all));

  expect(late.held).toMatchObject([
    { kind: 'bytes', reason: expect.stringContaining('added after more than 30 days') },
  ]);
  expect(late.data).toEqual(soon.data);
  index.accept(late.held[0]!.id);
  const accepted = index.run(dayAfter(32), stating(all));
  expect(accepted.held).toEqual([]);
  expect(accepted.data.releases[0]!.digests).toEqual({ [releasesId]: all });
});

const releases = ten.slice(5);

test('a held change stays held while releases are added, until the cause goes away', () => {
  const index = indexOf(ten);
  index.run(dayAfter(1), { releases });
  const held = index.run(dayAfter(2), { releases });
  const grown = Array.from({ length: 60 }, (_, number) => `1.9.${number}`);
  const later = index.run(dayAfter(90), { releases: [...releases, ...grown] });

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

test('whatever an upstream lists, a second run of a day changes nothing and no release is lost', () => {
  const days = fc.array(
    fc.uniqueArray(
      fc.record({
        version: fc.constantFrom(...ten, '2.0', '9.9', '9999.0', '2026.1'),
        deprecated: fc.constantFrom(undefined, undefined, 'old'),
        isPrerelease: fc.constantFrom(undefined, true, false),
        digests: fc.constantFrom('1', '2').map((digit) => ({ file: `sha256:${digit.repeat(64)}` })),
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

test('whatever an edit makes of a recorded digest or day, it waits unless it is marked as corrected', () => {
  const file = `sha256:${'1'.repeat(64)}`;
  const stated = { version: '1.0', releaseTimestamp: '2026-01-01', digests: { file } };
  const index = indexOf([stated, '1.1']);
  const { data } = index.run(dayAfter(1), { releases: [stated, '1.1'] });
  const digests = (more: Record<string, string>) => ({ digests: { [releasesId]: more } });
  const edits = [
    digests({ file: `sha256:${'2'.repeat(64)}` }),
    digests({}),
    { releaseTimestamp: '2025-01-01' },
    { releaseTimestamp: undefined },
  ];

  const edited = (more: object): RecordedData => ({
    ...data,
    releases: data.releases.map((one) => (one.version === '1.0' ? { ...one, ...more } : one)),
  });

  for (const [count, edit] of edits.entries()) {
    const today = index.run(dayAfter(2 + count), { data: () => edited(edit) });
    expect(today.held, JSON.stringify(edit)).toMatchObject([{ kind: 'change' }]);
    expect(today.data).toEqual(data);
  }

  const marked = {
    releaseTimestamp: '2025-01-01',
    corrected: { on: dayAfter(9), reason: 'Wrong.' },
  };
  expect(index.run(dayAfter(9), { data: () => edited(marked) })).toMatchObject({
    held: [],
    events: [{ type: 'corrected', version: '1.0', to: '2025-01-01' }],
  });
});
