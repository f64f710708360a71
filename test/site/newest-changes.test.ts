import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forgetChanges, NewestChanges } from '../../src/site/newest-changes.ts';
import type { Change } from '../../src/policy/change.ts';
import { newestOf } from '../../src/render/site-json.ts';
import { componentOf, summariesOf } from '../render/sites.ts';

const day = fc.integer({ min: 1, max: 28 }).map((number) => `2026-02-${String(number).padStart(2, '0')}`);
/** Often more than the thousand for which there is room. */
const changesOfComponents = fc.array(
  fc.array(day, { minLength: 100, maxLength: 400, size: 'max' }).map((days) => days.sort().reverse()),
  { maxLength: 12, size: 'max' },
);

describe('the newest changes of all components', () => {
  it('are the same whether all are at hand or each component brings only those that may be shown', () => {
    fc.assert(
      fc.property(changesOfComponents, (components) => {
        const all = components.map((days, name) =>
          days.map((on, index): Change => {
            const id = `${name}/${index}`;
            return { id, on, component: `c${name}`, kind: 'added', text: id };
          }),
        );
        const newest = new NewestChanges();
        for (const changes of all) {
          const { from = '' } = newest;
          newest.add(changes.filter(({ on }) => on >= from));
        }

        expect(newest.all().map(({ id }) => id)).toEqual(newestOf(all.flat()).map(({ id }) => id));
      }),
      { numRuns: 50 },
    );
  });

  it('leave each component its newest change, however old that is', () => {
    const releases = ['2026-01-01', '2026-01-02', '2026-01-03'].map((firstSeen, patch) => ({
      version: `1.${patch}`,
      firstSeen,
    }));
    const [summary] = summariesOf(componentOf(releases));

    const daysFrom = (before?: string) => forgetChanges(summary!, before).changes.map(({ on }) => on);
    expect(daysFrom()).toEqual(['2026-01-03', '2026-01-02', '2026-01-01']);
    expect(daysFrom('2026-01-02')).toEqual(['2026-01-03', '2026-01-02']);
    expect(daysFrom('2026-05-01')).toEqual(['2026-01-03']);
  });
});
