import { describe, expect, it } from 'vitest';
import type { EndOfSupport } from '../../../src/decide/ends.ts';
import { addDays } from '../../../src/core/dates.ts';
import { staircaseOf } from '../../../src/site/render/html/row-picture.ts';
import { timeAxis } from '../../../src/site/render/html/time-axis.ts';

const axis = timeAxis('2026-01-01', '2027-12-31');
const day = '2026-11-20';

const end = (on: string, ...lines: string[]): EndOfSupport => ({
  day: on,
  component: 'svc',
  title: 'Server',
  lines,
  isOfAll: false,
});
const stairs = (ends: readonly EndOfSupport[], isOpenEnded = false) =>
  staircaseOf(axis, day, ends, isOpenEnded);

describe('the staircase', () => {
  it('goes down at each end, in days since 1970, and all the way at the last', () => {
    const { bar, top, bottom } = pathOf(stairs([end('2027-01-15', '1.0'), end('2027-06-10', '1.1')]).bar);

    expect(bar).toEqual(['20454', '20833 8', '20979 8', '20979']);
    expect(bottom - top).toBe(16);
  });

  it('stays above the ground to the end of the axis where a line has no stated end', () => {
    const { bar } = pathOf(stairs([end('2027-01-15', '1.0')], true).bar);

    expect(bar).toEqual(['20454', '20833 8', '21184']);
  });

  it('has a part of its own up to the last end within 90 days', () => {
    const soon = (on: string) => stairs([end(on, '1.0'), end('2027-06-10', '1.1')]).soon;

    expect(pathOf(soon('2027-02-18')).bar).toEqual(['20454', '20867 8', '20867']);
    expect(soon('2027-02-19')).toBe('');
  });

  it('labels each step with what ends and its day, and one beyond the axis at its edge with an arrow', () => {
    const { labels } = stairs([
      end('2026-11-21', '1.0'),
      end('2027-03-16', '1.1', '1.2'),
      end('2027-06-10', '1.3', '1.4', '1.5'),
      { ...end('2029-01-31', '1.6'), isOfAll: true },
    ]);

    expect(labels.map(({ text, at, anchor }) => [text, at, anchor])).toEqual([
      ['1.0 2026-11-21', '44.38%', 'end'],
      ['1.1, 1.2 2027-03-16', '60.14%', 'end'],
      ['3 lines 2027-06-10', '71.92%', 'end'],
      ['all versions 2029-01-31 →', '100%', 'end'],
    ]);
  });

  it('begins a label at its step where it would begin before the picture', () => {
    const [label] = stairs([end('2026-11-21', 'a-very-long-name-of-a-line')]).labels;

    expect([label!.anchor, label!.gap]).toEqual(['start', 4]);
  });

  it('keeps six quarterly ends apart, and counts those that have no room', () => {
    const quarterly = Array.from({ length: 6 }, (_, index) =>
      end(addDays('2027-01-20', index * 91), `1.${index}`),
    );
    const daily = Array.from({ length: 28 }, (_, index) => end(addDays('2027-01-20', index), `1.${index}`));

    expect(stairs(quarterly).unlabelled).toBe(0);
    expect([stairs(daily).labels.length, stairs(daily).unlabelled]).toEqual([5, 23]);
    expect(stairs(daily).rows).toBe(5);
  });
});

/** Its corners: the first, each step down with its depth, and the last. */
function pathOf(path: string): { bar: string[]; top: number; bottom: number } {
  const [, from, top, steps, last, bottom] = /^M(\d+) (\d+)(.*)H(\d+)V(\d+)H\d+z$/.exec(path)!;
  const down = Array.from(steps!.matchAll(/H(\d+)v(\d+)/g), ([, x, depth]) => `${x} ${depth}`);
  return { bar: [from!, ...down, last!], top: Number(top), bottom: Number(bottom) };
}
