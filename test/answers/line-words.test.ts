import { describe, expect, it } from 'vitest';
import { explainComponent } from '../../src/answers/explanation.ts';
import { lineFacts, supportInShort, supportSentence } from '../../src/answers/line-words.ts';
import { whyNoLatest } from '../../src/answers/verdict-words.ts';
import { componentOf } from '../render/sites.ts';

const term = { support: { policy: 'term', months: 12 } } as const;
const ended = { support: { policy: 'ended', reason: 'Nobody maintains it' } } as const;
const broken = { deprecated: [{ versions: ['1.0'], reason: 'Broken' }] };

describe('the words for a release line', () => {
  it.each([
    [
      'with a coming end',
      '2026-01-01',
      term,
      'leaves support on 2027-01-01',
      'Leaves support on 2027-01-01.',
    ],
    [
      'without a stated end',
      '2026-01-01',
      { support: { policy: 'latest-lines', count: 1 } } as const,
      'supported, no end stated',
      'No end of its support is stated.',
    ],
    ['without a policy', '2026-01-01', {}, 'listed', 'No support policy covers it.'],
    [
      'deprecated before its end',
      '2026-01-01',
      { support: { policy: 'ended', since: '2026-12-31' } } as const,
      'deprecated, leaves support on 2026-12-31',
      'Every release of it is deprecated. Leaves support on 2026-12-31.',
    ],
    ['with a past end', '2024-01-01', term, 'left support on 2025-01-01', 'Left support on 2025-01-01.'],
    ['that ended on an unknown day', '2024-01-01', ended, 'not supported', 'Nobody maintains it.'],
    ['of deprecated releases', '2024-01-01', broken, 'deprecated', 'Every release of it is deprecated.'],
  ])('say how one %s is supported', (_, releaseTimestamp, input, short, sentence) => {
    const component = componentOf([{ version: '1.0', releaseTimestamp }], input);
    const line = component.judgement.lines[0]!;

    expect([supportInShort(line), supportSentence(line)]).toEqual([short, sentence]);
    expect(explainComponent(component, '2026-06-30')).toContain(`  1.0: ${short}. ${lineFacts(line)}`);
  });

  it('count a line as unsupported, also in an explanation, when all its releases are deprecated', () => {
    const component = componentOf([{ version: '1.0' }], broken);

    expect(explainComponent(component, '2026-06-30')).toContain(
      'Release lines, newest first (0 of 1 listed):',
    );
  });
});

describe('the reason why there is no latest version', () => {
  it.each([
    [[], {}, 'No release of it is known yet.'],
    [
      [{ version: '1.0', isPrerelease: true }],
      { prereleases: true },
      'All its releases that are not deprecated are prereleases.',
    ],
    [[{ version: '1.0' }], ended, 'No release of it is supported: Nobody maintains it.'],
    [[{ version: '1.0' }], broken, 'Every release of it is deprecated: Broken.'],
  ])('is known: %#', (releases, input, reason) => {
    expect(whyNoLatest(componentOf(releases, input).judgement)).toBe(reason);
  });
});
