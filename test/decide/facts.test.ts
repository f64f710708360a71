import { expect, test } from 'vitest';
import { compactDetails } from '../../src/site/render/documents/search-json.ts';
import { computeDetailsOn } from '../../src/ask/answers/component-on.ts';
import { addDays, type Day } from '../../src/core/model/dates.ts';
import { pick } from '../../src/core/model/objects.ts';
import type { ComponentOn, ReleaseFacts } from '../../src/core/model/states.ts';
import { listSearchRows } from '../../src/core/query/rows.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { judgeRecorded } from '../../src/decide/judge.ts';
import { describeDetails } from '../../src/decide/details.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import { randomFrom } from '../harness/random.ts';
import { definition as definitionWith } from '../harness/root.ts';

const phases = [
  { name: 'active', months: 6 },
  { name: 'security', months: 12 },
  { name: 'extended', months: 36, paid: true },
];
const policies = [
  { policy: 'term', months: 18 },
  { policy: 'term', phases, lts: { lines: '/0$/', phases } },
  { policy: 'latest-lines', count: 3 },
  {
    policy: 'dated',
    lines: { '1.0': '2027-01-31', '3.0': { active: '2027-02-01', security: '2028-01-01' } },
  },
  { policy: 'ended', until: '2027-03-01', deprecatedFrom: '2026-12-24' },
  { policy: 'ended', until: '2027-03-01' },
  { policy: 'none' },
];

/** Days may be observed, with or without a lower bound; releases may be withdrawn or deprecated upstream. */
const releases: RecordedRelease[] = [
  {
    version: '1.0',
    releaseTimestamp: '2025-09-01',
    timestampKind: 'observed',
    notListedOn: '2025-06-01',
  },
  { version: '1.1', releaseTimestamp: '2026-02-01', timestampKind: 'observed' },
  {
    version: '2.0',
    releaseTimestamp: '2026-03-01',
    deprecated: 'Slow',
    deprecatedSince: '2026-11-15',
  },
  { version: '2.0.1', releaseTimestamp: '2026-04-01' },
  { version: '2.1', releaseTimestamp: '2026-10-01', withdrawnSince: '2026-11-01' },
  { version: '3.0', releaseTimestamp: '2026-11-01' },
  { version: '3.1', firstSeen: '2026-11-10' },
  { version: '3.2' },
];

/** The details without the states of the day of the build. */
function factsOf({ onBuildDay: _, ...facts }: DetailsFile): string {
  return JSON.stringify(facts);
}

/** What follows from the facts on a day. */
function statesIn({ lines, releases, latest, nextChangeOn }: ComponentOn<object, ReleaseFacts>) {
  return {
    lines: lines.map(({ state, phase, isSupported }) => [state, phase?.name, isSupported]),
    releases: releases.map((release) => pick(release, releaseStates)),
    latest: latest?.version,
    nextChangeOn,
  };
}

const identity = { component: 'product' };

const releaseStates = [
  'version',
  'state',
  'isDeprecated',
  'because',
  'isSupported',
  'isLatest',
  'isLatestOfLine',
  'releasesBehind',
  'daysBehind',
] as const;

test.each(policies)(
  'documents under %j, read on a later day, equal a build of that day',
  (support) => {
    const deprecated = [{ versions: '>=1.0 <1.2', reason: 'Slow', since: '2027-01-15' }];
    const definition = FullDefinition.parse(definitionWith({ support, deprecated }));
    const componentAt = (day: Day) => ({
      ...judgeRecorded('product', definition, { releases }, day),
      journal: [],
      freshness: { state: 'static' as const, failures: 0, troubles: [] },
    });
    const built = '2026-11-21';
    const early = describeDetails(componentAt(built));
    const random = randomFrom(2026);

    for (let index = 1; index <= 20; index += 1) {
      const day = addDays(built, 1 + Math.floor(random() * 60 * index));
      const component = componentAt(day);
      const fresh = describeDetails(component);
      const asked = computeDetailsOn(early, day);

      expect(factsOf(fresh), day).toBe(factsOf(early));
      expect(fresh.onBuildDay, day).toEqual({
        ...(asked.latest && { latest: asked.latest.version }),
        ...(asked.nextChangeOn !== undefined && { nextChangeOn: asked.nextChangeOn }),
      });
      expect(statesIn(component.judgement), day).toEqual(statesIn(asked));
      expect(listSearchRows(compactDetails(early), day, identity), day).toEqual(
        listSearchRows(compactDetails(fresh), day, identity),
      );
    }
  },
);
