import { expect, test } from 'vitest';
import { addDays } from '../../src/core/model/dates.ts';
import type { StatedRelease } from '../../src/record/sources/datasource.ts';
import { openGatedIndex, type GatedDay, type Statement } from '../harness/gated-index.ts';

const bytes = (digit: string) => ({ 'agent.jar': `sha256:${digit.repeat(64)}` });
const listed: readonly StatedRelease[] = Array.from({ length: 10 }, (_, minor) => ({
  ...{ version: `1.${minor}`, releaseTimestamp: `2026-01-1${minor}T00:00:00Z` },
  digests: bytes(String(minor)),
}));

/** Changes what sources state, or what a person has written. */
type Change = (statement: Statement) => Statement;

const list =
  (change: (releases: readonly StatedRelease[]) => readonly StatedRelease[]): Change =>
  (statement) => ({
    ...statement,
    releases: change((statement.releases ?? []) as readonly StatedRelease[]),
  });
const add = (version: string) => list((releases) => [...releases, { version }]);
const each = (change: (release: StatedRelease, index: number, count: number) => StatedRelease) =>
  list((releases) => releases.map((release, index) => change(release, index, releases.length)));
const define =
  (definition: Record<string, unknown>): Change =>
  (statement) => ({
    ...statement,
    definition,
  });
const advise =
  (advisories: Statement['advisories']): Change =>
  (statement) => ({ ...statement, ...(advisories && { advisories }) });

const changes: Readonly<Record<string, Change>> = {
  'a release': add('1.10'),
  'a version far above': add('1.900'),
  'a version of a year': add('2026.1'),
  'a short list': list((releases) => releases.slice(-2)),
  'no first release': list((releases) => releases.slice(1)),
  'no last release': list((releases) => releases.slice(0, -1)),
  'an empty list': list(() => []),
  'most deprecated': each((release, index) =>
    index < 8 ? { ...release, deprecated: 'Old.' } : release,
  ),
  'the last deprecated': each((release, index, count) =>
    index === count - 1 ? { ...release, deprecated: 'Bad.' } : release,
  ),
  'other days': each((release) => ({ ...release, releaseTimestamp: '2025-01-01T00:00:00Z' })),
  'no days': each(({ releaseTimestamp: _, ...release }) => release),
  'other bytes': each((release, index) =>
    index === 3 ? { ...release, digests: bytes('f') } : release,
  ),
  'an advisory': advise({ 'CVE-2026-1': { id: 'CVE-2026-1', affected: '<1.5' } }),
  'a withdrawn advisory': advise({ 'CVE-2026-1': undefined }),
  'a rule of deprecation': define({ deprecated: [{ versions: '<1.7', reason: 'A slip.' }] }),
  'a short term': define({ support: { policy: 'term', months: 1 } }),
  'the former definition': define({}),
};

const names = Object.keys(changes);
const thirds = ['a release', 'a version far above', 'no first release', 'a short list'];
const sequences = names.flatMap((first) => [
  [first],
  ...names.flatMap((second) => [[first, second], ...thirds.map((third) => [first, second, third])]),
]);

/** What waits, what is recorded and what readers are offered. */
const shorten = ({ held, data, latest }: GatedDay) => ({
  held: held.map(({ id }) => id).sort(),
  releases: data.releases,
  latest,
});

test.each(sequences)(
  '%s, then %s, %s: days without news change nothing, nor does a silent source, and one decision answers all',
  (...kinds) => {
    const index = openGatedIndex();
    let statement: Statement = { releases: listed, advisories: {}, definition: {} };
    let day = '2026-06-01';
    const run = (stated = statement) => {
      const judged = index.run(day, stated);
      day = addDays(day, 1);
      return judged;
    };
    run();
    for (const kind of kinds) {
      statement = changes[kind]!(statement);
      run();
    }

    const quiet = run();
    const { definition = {} } = statement;
    for (const next of [run(), run({ definition }), run()]) {
      expect(shorten(next)).toEqual(shorten(quiet));
      expect(next.events).toEqual([]);
    }

    for (const { id } of quiet.held) {
      index.accept(id);
    }
    const decided = run();

    expect(decided.held).toEqual([]);
    expect(run().events).toEqual([]);
    expect(decided.data.releases.map(({ version }) => version)).toEqual(
      expect.arrayContaining(listed.map(({ version }) => version)),
    );
  },
);
