import { describe, expect, it } from 'vitest';
import { comingChanges } from '../../../src/decide/words/coming.ts';
import { explainComponent } from '../../../src/cli/explanation.ts';
import { componentOf, today } from '../../site/render/sites.ts';

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
