import { describe, expect, it } from 'vitest';
import { newestLines } from '../../src/render/html/newest-lines.ts';
import { componentOf } from '../render/sites.ts';

describe('a page of very many releases', () => {
  const versions = ['1.0', '1.1', '2.0', '2.1', '2.2'];
  const { lines } = componentOf(
    versions.map((version) => ({ version })),
    {
      support: { policy: 'none', line: 1 },
    },
  ).judgement;
  const shownOf = (limit: number) => {
    const { shown, leftOut } = newestLines(lines, limit);
    return [shown.map((line) => line.releases.map((release) => release.version)), leftOut];
  };

  it('shows all as long as there is room', () => {
    expect(shownOf(5)).toEqual([
      [
        ['1.0', '1.1'],
        ['2.0', '2.1', '2.2'],
      ],
      0,
    ]);
  });

  it('leaves out the oldest and counts them', () => {
    expect(shownOf(4)).toEqual([[['1.1'], ['2.0', '2.1', '2.2']], 1]);
    expect(shownOf(3)).toEqual([[['2.0', '2.1', '2.2']], 2]);
    expect(shownOf(2)).toEqual([[['2.1', '2.2']], 3]);
  });
});
