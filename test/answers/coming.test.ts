import { describe, expect, it } from 'vitest';
import { changesSince } from '../../src/answers/changes-since.ts';
import { comingEnds } from '../../src/answers/coming-ends.ts';
import { comingChanges } from '../../src/answers/coming.ts';
import { explainComponent } from '../../src/answers/explanation.ts';
import { rowsOf } from '../../src/answers/rows.ts';
import { componentOf, today } from '../render/sites.ts';

const dated = (lines: Record<string, string>) => ({ support: { policy: 'dated', lines } }) as const;

describe('what comes next of a component', () => {
  const component = componentOf([{ version: '1.0' }, { version: '1.1' }, { version: '1.1.1' }], {
    ...dated({ '1.0': '2026-05-01', '1.1': '2026-09-01' }),
    deprecated: [{ versions: ['1.1'], reason: 'Slow', since: '2026-08-01' }],
  });

  it('is every end of support and every deprecation with a day, soonest first', () => {
    expect(comingChanges(component.judgement)).toEqual([
      { day: '2026-08-01', of: 'release', subject: '1.1', event: 'will be deprecated', reason: 'Slow.' },
      { day: '2026-09-01', of: 'line', subject: '1.1', event: 'leaves support', reason: '' },
    ]);
  });

  it('is said by an explanation, for the soonest day', () => {
    expect(explainComponent(component, today).at(-1)).toBe('Next: on 2026-08-01, 1.1 will be deprecated.');
    expect(component.judgement.nextChangeOn).toBe('2026-08-01');
    expect(explainComponent(componentOf([{ version: '1.0' }]), today).at(-1)).toBe(
      'Next: no verdict changes unless new data comes.',
    );
  });
});

describe('the ends of support within some days', () => {
  const rows = [
    componentOf(
      [{ version: '1.0' }, { version: '1.1' }, { version: '1.1.1', withdrawnSince: '2026-01-01' }],
      dated({ '1.0': '2026-06-30', '1.1': '2026-07-30' }),
      { name: 'edge' },
    ),
    componentOf([{ version: '2.0' }, { version: '2.0.1' }, { version: '2.1' }], {
      ...dated({ '2.0': '2026-07-01', '2.1': '2026-07-31' }),
    }),
    componentOf([{ version: '9.0' }], {}, { name: 'unpromised' }),
  ].flatMap(rowsOf);

  it('are those of all components, the last day included, soonest first', () => {
    expect(comingEnds(rows, today, 30)).toEqual([
      { day: '2026-07-01', component: 'svc', line: '2.0', releases: 2 },
      { day: '2026-07-30', component: 'edge', line: '1.1', releases: 1 },
    ]);
    expect(comingEnds(rows, today, 31).map(({ line }) => line)).toEqual(['2.0', '1.1', '2.1']);
    expect(comingEnds(rows, today, 0)).toEqual([]);
  });
});

describe('the changes since a day', () => {
  it('are those of the day itself and later, oldest first', () => {
    const changes = [
      { on: '2026-03-03', id: 'd' },
      { on: '2026-02-02', id: 'b' },
      { on: '2026-02-02', id: 'c' },
      { on: '2026-01-01', id: 'a' },
    ];

    expect(changesSince(changes, '2026-02-02').map(({ id }) => id)).toEqual(['b', 'c', 'd']);
    expect(changesSince(changes, '2026-03-04')).toEqual([]);
  });
});
