import { assert, constantFrom, property, record, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { findLineMoveOn } from '../../src/decide/moves.ts';
import { componentOf } from '../site/render/sites.ts';

const releases = uniqueArray(
  record({
    version: constantFrom(
      ...['1.0', '1.1', '1.2-rc.1', '1.2', '2.0', '2.1', '2.2', '3.0-rc.1', '3.0', '3.1', '4.0'],
    ),
    releaseTimestamp: constantFrom('2024-01-01', '2025-01-01', '2025-09-01', '2026-03-01'),
    deprecated: constantFrom(undefined, undefined, undefined, 'Broken.'),
    withdrawnSince: constantFrom(undefined, undefined, undefined, '2026-01-01'),
  }),
  { selector: ({ version }) => version, minLength: 1 },
);

const support = constantFrom(
  { policy: 'term', months: 12, line: 1 } as const,
  { policy: 'latest-lines', count: 2, line: 1 } as const,
  { policy: 'none' } as const,
);

const advisories = constantFrom(
  [],
  [{ id: 'x_1', summary: 'Bad.', affected: '<2.1' }],
  [{ id: 'x_1', summary: 'Bad.', affected: '>=3' }],
);

test('the few releases that can be a goal give the same goal as all', () => {
  const days = ['2025-01-01', '2026-01-01', '2026-09-01', '2027-03-01', '2029-01-01'];

  assert(
    property(releases, support, advisories, (recorded, policy, stated) => {
      const component = componentOf(recorded, {
        support: policy,
        prereleases: true,
        advisories: stated,
      } as object);
      // A component with a list of stops is judged by all of its releases.
      const definition = { ...component.definition, upgradeStops: [] };

      for (const line of component.judgement.lines) {
        for (const day of days) {
          const { moveTo } = findLineMoveOn({ ...component, definition }, line, day);
          expect(findLineMoveOn(component, line, day).moveTo).toEqual(moveTo);
        }
      }
    }),
    { numRuns: 300 },
  );
});
