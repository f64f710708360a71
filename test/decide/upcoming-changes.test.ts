import { describe, expect, it } from 'vitest';
import { upcomingChanges } from '../../src/decide/upcoming-changes.ts';
import { explainComponent } from '../../src/cli/explanation.ts';
import type { Component } from '../../src/decide/component.ts';
import { detailsOf } from '../../src/decide/details.ts';
import { componentOf } from '../site/render/sites.ts';

const dated = (lines: Record<string, string>) => ({ support: { policy: 'dated', lines } }) as const;
const lastLineOf = (component: Component) => explainComponent(component, detailsOf(component)).at(-1);

describe('upcoming changes of a component', () => {
  const component = componentOf([{ version: '1.0' }, { version: '1.1' }, { version: '1.1.1' }], {
    ...dated({ '1.0': '2026-05-01', '1.1': '2026-09-01' }),
    deprecated: [{ versions: ['1.1'], reason: 'Slow', since: '2026-08-01' }],
  });

  it('are every end of support and every deprecation with a day, soonest first', () => {
    expect(upcomingChanges(component.judgement)).toEqual([
      { on: '2026-08-01', version: '1.1', event: 'will be deprecated', reason: 'Slow.' },
      { on: '2026-09-01', line: '1.1', event: 'leaves support' },
    ]);
  });

  it('end an explanation with those of the soonest day', () => {
    expect(lastLineOf(component)).toBe('Next: on 2026-08-01, 1.1 will be deprecated.');
    expect(component.judgement.nextChangeOn).toBe('2026-08-01');
    expect(lastLineOf(componentOf([{ version: '1.0' }]))).toBe(
      'Next: no verdict changes unless new data comes.',
    );
  });
});
