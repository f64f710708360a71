import { describe, expect, it } from 'vitest';
import { timelineOf } from '../../src/render/html/timeline.ts';
import { componentOf } from './sites.ts';

const support = { policy: 'term', months: 12 } as const;

function timeline(releases: Parameters<typeof componentOf>[0], input = {}) {
  return timelineOf('Server', componentOf(releases, input).judgement.lines);
}

describe('the timeline', () => {
  it('has a bar from the first release of a line to its first day without support', () => {
    const drawn = timeline(
      [
        { version: '1.0', releaseTimestamp: '2024-01-01' },
        { version: '1.0.1', releaseTimestamp: '2024-07-01' },
        { version: '1.1', releaseTimestamp: '2026-01-01' },
      ],
      { support },
    )!;
    const [newest, oldest] = drawn.rows;

    expect(drawn.rows.map(({ label, status, support: words }) => [label, status, words])).toEqual([
      ['1.1', 'supported', 'leaves support on 2027-01-01'],
      ['1.0', 'unsupported', 'left support on 2025-01-01'],
    ]);
    expect(drawn.ticks.map(({ label }) => label)).toEqual(['2024', '2025', '2026', '2027']);
    expect(oldest!.bar.x).toBe(drawn.ticks[0]!.x);
    expect(oldest!.bar.x + oldest!.bar.width).toBeCloseTo(drawn.ticks[1]!.x, 0);
    expect(newest!.bar.x + newest!.bar.width).toBeCloseTo(drawn.ticks[3]!.x, 0);
    expect(oldest!.releases).toHaveLength(2);
    expect(newest!.arrow).toBe('');
  });

  it('ends in an arrow where no end is stated, at the end of the axis whatever the day is', () => {
    const one = { policy: 'latest-lines', count: 1 };
    const drawn = timeline([{ version: '1.0', releaseTimestamp: '2024-03-01' }], { support: one })!;

    expect(drawn.rows[0]).toMatchObject({ support: 'supported, no end stated' });
    expect(drawn.rows[0]!.arrow).not.toBe('');
  });

  it('shows the newest lines of many, supported ones before others, and says how many there are', () => {
    const years = Array.from({ length: 30 }, (_, index) => 1997 + index);
    const drawn = timeline(
      years.map((year) => ({ version: `${year}.1`, releaseTimestamp: `${year}-02-01` })),
      { support: { policy: 'latest-lines', count: 2 } },
    )!;

    expect(drawn.rows).toHaveLength(14);
    expect(drawn.rows[0]!.label).toBe('2026.1');
    expect(drawn.description).toContain('14 of 30 release lines');
    expect(drawn.ticks.length).toBeLessThanOrEqual(8);
  });

  it('names the open lines that it cannot draw because no day of them is known', () => {
    const dated = { version: '1.0', releaseTimestamp: '2026-01-01' };

    expect(timeline([dated, { version: '1.1' }])!.undated).toBe(
      'Not in the picture, because no day of a release is known: 1.1.',
    );
    expect(timeline([dated])!.undated).toBe('');
  });

  it('is not drawn where no day is known', () => {
    expect(timeline([{ version: '1.0' }])).toBeUndefined();
    expect(timeline([])).toBeUndefined();
  });

  it('stays within its picture', () => {
    const drawn = timeline(
      [
        { version: '1.0', releaseTimestamp: '2005-12-31' },
        { version: '2.0', releaseTimestamp: '2026-06-30' },
      ],
      { support: { policy: 'dated', lines: { '1.0': '2005-12-30', '2.0': '2099-12-31' } } },
    )!;

    for (const { bar, baseline } of drawn.rows) {
      expect(bar.x).toBeGreaterThanOrEqual(0);
      expect(bar.width).toBeGreaterThan(0);
      expect(bar.x + bar.width).toBeLessThanOrEqual(drawn.width);
      expect(baseline).toBeLessThan(drawn.height);
    }
  });
});
