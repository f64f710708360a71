import { describe, expect, test } from 'vitest';
import type { Line, Release } from '../../../src/core/schema/published.ts';
import { layOutPicture, renderToday } from '../../../src/site/pages/picture.ts';

const today = '2026-07-02';

function draw(line: Partial<Line>, days: string[] = []) {
  const { supportedUntil: until } = line;
  const phases = until === undefined ? [] : [{ name: 'support', until }];
  const base = { state: 'supported', phases, since: '2026-01-01' } as Partial<Line>;
  const releases = days.map((releaseTimestamp) => ({ releaseTimestamp })) as Release[];
  return layOutPicture([{ line: { ...base, ...line } as Line, releases }], today);
}

test('the time axis of 200,000 release lines starts in the year of the oldest line', () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => ({
    line: { since: index ? '2025-01-01' : '2021-01-01', phases: [] } as Partial<Line> as Line,
    releases: [],
  }));

  expect(layOutPicture(lines, today).axis).toBe('axis-2021-2026');
});

/** The picture shows the year 2026. `tail 25 50` is a bar of the kind `tail`. It starts at 25 percent and is 50 percent wide. */
describe('the bar of a line', () => {
  test.each<[string, Partial<Line>, bars: string]>([
    ['reaches to its end', { supportedUntil: '2026-07-02' }, 'bar 0 50'],
    [
      'has a tail while support is possible, but not certain',
      { supportedUntil: '2026-04-02', supportedUntilAtMost: '2026-10-01' },
      'bar 0 25, tail 25 50',
    ],
    ['is dashed without an end', {}, 'tail no-end 0 100'],
    [
      'fades in if its first date is uncertain',
      { sinceAtMost: '2026-04-02', supportedUntil: '2026-10-01' },
      'bar fade-in 0 25, bar 25 50',
    ],
    [
      'has a part for each phase',
      {
        supportedUntil: '2026-07-02',
        phases: [
          { name: 'active', until: '2026-04-02' },
          { name: 'security', until: '2026-07-02' },
          { name: 'extended', until: '2026-10-01', paid: true },
        ],
      },
      'bar 0 25, bar later-phase 25 25, bar paid-phase 50 25',
    ],
    [
      'stops at the end if the line has ended',
      { state: 'ended', supportedUntil: '2026-04-02', supportedUntilAtMost: '2026-04-02' },
      'bar 0 25',
    ],
  ])('%s', (_name, line, bars) => {
    const [row] = draw(line, ['2026-01-01']).rows;
    const drawn = row!.track.bars.map(
      ({ kind, x, width }) => `${kind} ${Math.round(x)} ${Math.round(width)}`,
    );

    expect(drawn.join(', ')).toBe(bars);
  });
});

describe('a picture', () => {
  test('has marks for years, quarters and today', () => {
    const { ticks, axis } = draw({ supportedUntil: '2027-12-31' });

    expect(ticks.map(({ name }) => name)).toEqual(['2026', '', '', '', '2027', '', '', '']);
    expect(renderToday(today, [axis])).toContain(
      '.axis-2026-2027 .today { transform: translateX(24.93%); text-anchor: middle; }',
    );
  });

  test('explains exactly the kinds of bars that it shows', () => {
    const { legend } = draw({ supportedUntil: '2026-12-31' }, ['2026-02-01']);

    expect(legend.map(({ text }) => text)).toEqual(['supported', 'a release']);
  });

  test('labels only some years if it covers forty years', () => {
    const { ticks } = draw({ since: '1996-01-01', supportedUntil: '2035-12-31' });

    expect(ticks.filter(({ name }) => name !== '').length).toBeLessThanOrEqual(8);
  });
});
