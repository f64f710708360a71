import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import type { Draft, Event, Recorded, RecordedRelease } from '../../src/core/schema/recorded.ts';
import type { Definition } from '../../src/core/schema/written.ts';
import { listEvents, listFormerEnds } from '../../src/record/journal.ts';
import { recordedRelease as release } from '../harness/recorded.ts';

const day = '2026-06-10';
const before = '2026-06-09';

interface State {
  releases?: RecordedRelease[];
  advisories?: Recorded['advisories'];
  definition?: Partial<Definition>;
}

/**
 * Compares a state with the events so far. Returns the events that must be added to the journal. `formerAdvisories`: the recorded advisories
 * before the run.
 */
function listNew(
  events: readonly Draft[],
  state: State,
  on = day,
  formerAdvisories?: Recorded['advisories'],
): Draft[] {
  const { releases = [release('1.0')], advisories, definition } = state;
  const recorded: Recorded = { releases, advisories };
  const subject = { component: 'svc', definition: { sources: [], ...definition } as never };
  const reported = listEvents(
    { ...subject, effective: recorded, journal: events as Event[], formerAdvisories },
    on,
    '',
  );
  return reported.map(({ id: _, at: __, ...draft }) => draft);
}

const term = (months: number): State => ({
  definition: { support: { policy: 'term', months } },
});
const paidPhases = [
  { name: 'standard', months: 12 },
  { name: 'extended', months: 36, paid: true as const },
];
const longerPhases = [paidPhases[0]!, { ...paidPhases[1]!, months: 48 }];
const only = (values: Partial<RecordedRelease>): State => ({ releases: [release('1.0', values)] });
const also = (version: string, values: Partial<RecordedRelease> = {}): State => ({
  releases: [release('1.0'), release(version, values)],
});
const listed: State = {};
const deprecated = { deprecated: 'leaks', deprecatedSince: before };
const advisory = { id: 'CVE-1-1', affected: '<1.1', source: 'osv' };
const advised = (values: object): State => ({
  advisories: [{ ...advisory, ...values }],
  definition: { sources: [{ datasource: 'osv' }] },
});
const ofRelease = (type: Draft['type'], values: Partial<Draft> = {}): Draft => ({
  type,
  on: day,
  version: '1.0',
  ...values,
});
const ofAdvisory = (values: Partial<Draft>): Draft => ({
  ...{ type: 'advisory-changed', on: day, advisory: 'CVE-1-1', to: '<1.1' },
  ...values,
});
const removed = (reason: string | undefined): Draft => ({
  ...{ type: 'advisory-removed', on: day, advisory: 'CVE-1-1', reason },
});
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const withDigests = (...letters: string[]) => ({
  digests: letters.map(digest),
  digest: digest(letters[0]!),
});
const ofLine = (type: Draft['type'], values: Partial<Draft>): Draft => ({
  type,
  on: day,
  line: '1.0',
  reason: expect.any(String) as never,
  ...values,
});

const proven = (version: string) => release(version, { hasProvenance: true });
const unproven = (version: string, values: Partial<RecordedRelease> = {}) =>
  release(version, { hasProvenance: false, ...values });

const cases: Record<string, [from: State, to: State, ...expected: Draft[]]> = {
  'nothing changed': [listed, listed],
  'a release line becomes a required stop': [
    listed,
    { definition: { requiredStops: { lines: ['1.0', '1.1'] } } },
    { type: 'stop-added', on: day, line: '1.0' },
    { type: 'stop-added', on: day, line: '1.1' },
  ],
  'a release line is no longer a required stop': [
    { definition: { requiredStops: { lines: ['1.0', '1.1'] } } },
    { definition: { requiredStops: { lines: ['1.1'] } } },
    { type: 'stop-removed', on: day, line: '1.0' },
  ],
  'a release appears': [
    listed,
    also('1.1', { releaseTimestamp: '2026-06-10T08:00:00Z' }),
    ofRelease('released', { version: '1.1', line: '1.1' }),
  ],
  'a prerelease without a release date appears': [
    listed,
    also('1.1-rc1', { releaseTimestamp: day, timestampKind: 'observed' }),
    ofRelease('released', {
      version: '1.1-rc1',
      line: '1.1',
      isObserved: true,
      isPrerelease: true,
    }),
  ],
  'a release lacks provenance, unlike the release before it in its line': [
    { releases: [proven('1.0'), unproven('2.0')] },
    { releases: [proven('1.0'), unproven('1.0.1'), unproven('2.0')] },
    ofRelease('released', { on: '2026-01-01', version: '1.0.1', line: '1.0' }),
    ofRelease('unproven', { on: '2026-01-01', version: '1.0.1', from: '1.0' }),
  ],
  'the first release of a line lacks provenance, unlike the latest usable release': [
    {
      releases: [proven('1.0'), unproven('1.1', deprecated), unproven('1.2-rc1')],
    },
    {
      releases: [proven('1.0'), unproven('1.1', deprecated), unproven('1.2-rc1'), unproven('2.0')],
    },
    ofRelease('released', { on: '2026-01-01', version: '2.0', line: '2.0' }),
    ofRelease('unproven', { on: '2026-01-01', version: '2.0', from: '1.0' }),
  ],
  'releases appear in a line without provenance and with unknown provenance': [
    { releases: [proven('1.0'), unproven('2.0')] },
    { releases: [proven('1.0'), release('1.0.1'), unproven('2.0'), unproven('2.0.1')] },
    ofRelease('released', { on: '2026-01-01', version: '1.0.1', line: '1.0' }),
    ofRelease('released', { on: '2026-01-01', version: '2.0.1', line: '2.0' }),
  ],
  'releases without provenance appear within 30 days of the first one, and later': [
    { releases: [proven('1.0')] },
    {
      releases: [
        proven('1.0'),
        unproven('1.0.1', { releaseTimestamp: '2026-05-01' }),
        unproven('2.0', { releaseTimestamp: '2026-05-31' }),
        unproven('2.0.1', { releaseTimestamp: '2026-06-01' }),
      ],
    },
    ofRelease('released', { on: '2026-05-01', version: '1.0.1', line: '1.0' }),
    ofRelease('unproven', { on: '2026-05-01', version: '1.0.1', from: '1.0' }),
    ofRelease('released', { on: '2026-05-31', version: '2.0', line: '2.0' }),
    ofRelease('unproven', { on: '2026-05-31', version: '2.0', from: '1.0' }),
    ofRelease('released', { on: '2026-06-01', version: '2.0.1', line: '2.0' }),
  ],
  'a prerelease appears after the first release without provenance': [
    { releases: [proven('1.0')] },
    { releases: [proven('1.0'), unproven('1.0.1'), unproven('1.0.2-rc1')] },
    ofRelease('released', { on: '2026-01-01', version: '1.0.1', line: '1.0' }),
    ofRelease('unproven', { on: '2026-01-01', version: '1.0.1', from: '1.0' }),
    ofRelease('released', {
      ...{ on: '2026-01-01', version: '1.0.2-rc1', line: '1.0', isPrerelease: true },
    }),
  ],
  'the registry begins to list provenance': [
    { releases: [release('1.0'), release('1.1')] },
    { releases: [proven('1.0'), unproven('1.1')] },
  ],
  'a release is withdrawn': [listed, only({ withdrawnSince: day }), ofRelease('withdrawn')],
  'a withdrawn release is listed again': [
    only({ withdrawnSince: before }),
    listed,
    ofRelease('relisted'),
  ],
  'the bytes of a release are replaced a second time': [
    only({ republishedOn: before }),
    only({ republishedOn: day }),
    ofRelease('republished'),
  ],
  'all sources change a release to a prerelease': [
    listed,
    only({ isPrerelease: true, demotedOn: day }),
    ofRelease('corrected', { field: 'isPrerelease', from: 'false', to: 'true' }),
  ],
  'the definition excludes a release': [
    also('1.1'),
    { releases: [release('1.1')] },
    ofRelease('excluded'),
  ],
  'upstream deprecates a release': [
    listed,
    only({ ...deprecated, deprecatedSince: day }),
    ofRelease('deprecated', { reason: 'Deprecated upstream: leaks' }),
  ],
  'upstream lifts a deprecation': [only(deprecated), listed, ofRelease('restored')],
  'upstream lifts a deprecation after the end of the line': [
    { ...only(deprecated), ...term(1) },
    term(1),
  ],
  'a release appears with its digest': [
    { releases: [] },
    only(withDigests('a')),
    ofRelease('released', { on: '2026-01-01', line: '1.0', digest: digest('a') }),
  ],
  'a source adds a digest later': [listed, only(withDigests('a'))],
  'a person corrects a release date': [
    listed,
    only({ releaseTimestamp: '2025-12-31' }),
    ofRelease('corrected', { field: 'day', from: '2026-01-01', to: '2025-12-31' }),
  ],
  'a person removes a wrong release date': [
    listed,
    only({ releaseTimestamp: undefined, timestampKind: undefined, firstSeen: before }),
    ofRelease('corrected', { field: 'day', from: '2026-01-01', to: before, isObserved: true }),
  ],
  'a person adds a link': [
    listed,
    only({ changelogUrl: 'https://a.example/1' }),
    ofRelease('corrected', { field: 'link', to: 'https://a.example/1' }),
  ],
  'a person corrects a digest': [
    only(withDigests('a')),
    only({ ...withDigests('a', 'b'), digest: digest('b') }),
    ofRelease('corrected', { field: 'digest', from: digest('a'), to: digest('b') }),
  ],
  'a person corrects a digest that was not published with its release': [
    listed,
    only({ ...withDigests('a'), digest: digest('b') }),
    ofRelease('corrected', { field: 'digest', to: digest('b') }),
  ],
  'a named file appears': [listed, only({ ...withDigests('a'), files: { amd64: digest('a') } })],
  'a person corrects the digest of a file': [
    only({ ...withDigests('a'), files: { amd64: digest('a') } }),
    only({ ...withDigests('a'), files: { amd64: digest('b') } }),
    ofRelease('corrected', { field: 'digest', file: 'amd64', to: digest('b') }),
  ],
  "a person undoes the correction of a file's digest": [
    only({ ...withDigests('a'), files: { amd64: digest('b') } }),
    only({ ...withDigests('a'), files: { amd64: digest('a') } }),
    ofRelease('corrected', { field: 'digest', file: 'amd64', from: digest('b'), to: digest('a') }),
  ],
  'the definition adds a template for links': [
    listed,
    { definition: { releaseChangelogUrl: { template: 'https://a.example/{version}' } } },
  ],
  'a line gets an end': [listed, term(12), ofLine('support-changed', { to: '2027-01-01' })],
  'a line with paid support gets an end': [
    listed,
    { definition: { support: { policy: 'term', phases: paidPhases } } },
    ofLine('support-changed', {
      to: '2027-01-01',
      paidSupport: 'Paid support lasts until 2029-01-01.',
    }),
  ],
  'only paid support becomes longer': [
    { definition: { support: { policy: 'term', phases: paidPhases } } },
    { definition: { support: { policy: 'term', phases: longerPhases } } },
  ],
  'an end comes close': [
    term(6),
    term(8),
    ofLine('support-changed', { from: '2026-07-01', to: '2026-09-01' }),
    ofLine('support-ending', { on: '2026-09-01' }),
  ],
  'the past end of a line is corrected': [term(3), term(4)],
  'a line that has ended may have ended': [
    { ...term(6), ...only({ releaseTimestamp: '2025-11-01' }) },
    {
      ...term(6),
      ...only({
        releaseTimestamp: '2026-01-20',
        timestampKind: 'observed',
        notBefore: '2025-11-01',
      }),
    },
    ofRelease('corrected', {
      field: 'day',
      from: '2025-11-01',
      to: '2026-01-20',
      isObserved: true,
    }),
  ],
  'a line that has ended is supported again': [
    term(3),
    term(12),
    ofLine('support-changed', { from: '2026-04-01', to: '2027-01-01', isSupportedAgain: true }),
  ],
  'the policy that ended a line is removed': [term(3), listed],
  'the source withdraws an advisory, and publishes another one': [
    advised({}),
    advised({ id: 'CVE-1-2', published: before }),
    { type: 'advisory-published', on: before, advisory: 'CVE-1-2', to: '<1.1' },
    { type: 'advisory-withdrawn', on: day, advisory: 'CVE-1-1' },
  ],
  'the owner ignores an advisory': [
    advised({}),
    {
      ...advised({}),
      definition: { sources: [{ datasource: 'osv' }], ignoreAdvisories: ['CVE-1-1'] },
    },
    removed('The owner of this index ignores it'),
  ],
  'the owner removes the source of an advisory': [
    advised({}),
    { ...advised({}), definition: { sources: [] } },
    removed('This index no longer asks its source for advisories'),
  ],
  'the owner removes an advisory from the definition': [
    { definition: { advisories: [{ id: 'CVE-1-1', affected: '<1.1' }] } },
    listed,
    removed(undefined),
  ],
  'an advisory gets another id': [
    advised({}),
    advised({ id: 'CVE-1-2', aliases: ['CVE-1-1'], published: before }),
    { type: 'advisory-published', on: before, advisory: 'CVE-1-2', to: '<1.1' },
    removed('It is now listed as CVE-1-2'),
  ],
  'an advisory affects other versions': [
    advised({}),
    advised({ affected: '<1.2' }),
    ofAdvisory({ to: '<1.2' }),
  ],
  'an advisory becomes critical': [
    advised({ severity: 'high' }),
    advised({ severity: 'critical' }),
    ofAdvisory({ severity: 'critical' }),
  ],
  'an advisory becomes less severe': [advised({ severity: 'high' }), advised({ severity: 'low' })],
  'an advisory is exploited': [
    advised({ severity: 'high' }),
    advised({ severity: 'high', exploitedSince: before }),
    ofAdvisory({ severity: 'high', exploitedSince: before }),
  ],
  'the component is replaced': [
    listed,
    { definition: { replacedBy: 'other' } },
    { type: 'replaced', on: day, to: 'other' },
  ],
  'the component is split': [
    { definition: { replacedBy: 'other' } },
    { definition: { splitInto: ['other', 'another'] } },
    { type: 'replaced', on: day, from: 'other', to: 'other and another' },
  ],
};

test.for(Object.entries(cases))(
  'the journal reports exactly the new events when %s',
  ([, [from, to, ...expected]]) => {
    const first = listNew([], from, before);

    const events = listNew(first, to, day, from.advisories);

    expect(events.map(({ initial: _, ...event }) => event)).toEqual(expected);
    expect(listNew([...first, ...events], to), 'reported twice').toEqual([]);
  },
);

test('the journal reports the end of support only once, even if no run happened on that date', () => {
  const reported: Draft[] = listNew([], term(6), '2026-02-01');
  const days = ['2026-03-01', '2026-04-20', '2026-06-20', '2026-07-09', '2026-07-10'];

  const types = days.map((on) => {
    const events = listNew(reported, term(6), on);
    reported.push(...events);
    return events.map(({ type, on: since }) => `${type} ${since}`);
  });

  expect(types).toEqual([[], ['support-ending 2026-07-01'], [], ['support-ended 2026-07-01'], []]);
});

test('the journal reports the end of a line again only after the line was supported again', () => {
  const reported: Draft[] = listNew([], term(6), '2026-02-01');
  const months = [3, 4, 2, 12, 4, 3];

  const types = months.map((each) => {
    const events = listNew(reported, term(each));
    reported.push(...events);
    return events.map(({ type, isSupportedAgain }) => (isSupportedAgain ? 'again' : type));
  });

  const ended = ['support-changed', 'support-ended'];
  expect(types).toEqual([ended, [], [], ['again'], ended, []]);
});

test('an end that was reported long ago counts as known to readers, as long as the line is not supported again', () => {
  const ended = listNew([], term(3), '2026-05-01');
  const again = listNew(ended, term(12), '2026-06-01');
  const know = (events: readonly Draft[]) =>
    listFormerEnds(events, '1.0', '2026-08-01').map(({ progress }) => progress);

  expect(know(ended)).toEqual(['ended']);
  expect(know([...ended, ...again])).toEqual([]);
});

test('if the end of support is uncertain, the journal reports the end after the latest possible date', () => {
  const seen = { timestampKind: 'observed', notBefore: '2026-01-01' } as const;
  const state = { ...term(6), ...only({ releaseTimestamp: '2026-01-20', ...seen }) };
  const reported = listNew([], state, '2026-02-01');

  const on = (later: string) =>
    listNew(reported, state, later).map((event) => [event.type, event.on, event.toAtMost]);

  expect(on('2026-06-20')).toEqual([['support-ending', '2026-07-01', '2026-07-20']]);
  expect(on('2026-07-10')).toEqual([]);
  expect(on('2026-07-21')).toEqual([['support-ended', '2026-07-20', undefined]]);
});

test('the journal reports the same releases without provenance for one run as for several runs', () => {
  const day = fc.integer({ min: 0, max: 60 });
  const listed = fc.array(
    fc.record({ line: fc.boolean(), provenance: fc.constantFrom(true, false, false), day }),
    { minLength: 2, maxLength: 8 },
  );
  let count = 0;
  const runs = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(listed, runs, (releases, isSameRun) => {
      let line = 0;
      const all = releases.map((each, patch) => {
        line += Number(each.line);
        return release(`${line}.0.${patch}`, {
          hasProvenance: each.provenance,
          releaseTimestamp: addDays('2026-03-01', each.day),
        });
      });
      const listUnproven = (isCut: (index: number) => boolean) => {
        const reported: Draft[] = [];
        all.forEach((_, index) => {
          if (index === 0 || index === all.length - 1 || isCut(index)) {
            reported.push(...listNew(reported, { releases: all.slice(0, index + 1) }));
          }
        });
        return reported
          .filter(({ type }) => type === 'unproven')
          .map(({ version, from }) => [version, from]);
      };
      const one = listUnproven(() => true);
      count += one.length;
      expect(listUnproven((index) => isSameRun[index]!)).toEqual(one);
    }),
    { numRuns: 300 },
  );
  expect(count).toBeGreaterThan(100);
});
