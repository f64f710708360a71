import { describe, expect, it } from 'vitest';
import { changesOf } from '../../src/decide/changes.ts';
import { componentOf } from '../site/render/sites.ts';

describe('releases that come into the index', () => {
  it('tells in one change what a component entered the index with, whatever had happened to it before', () => {
    const releases = Array.from({ length: 2340 }, (_, index) => ({
      version: `${Math.floor(index / 100)}.${index % 100}`,
      releaseTimestamp: '2024-01-01',
      firstSeen: '2026-01-05',
      deprecated: 'use another',
    }));

    expect(
      changesOf(componentOf([...releases, withdrawnBefore], { support: { policy: 'term', months: 12 } })),
    ).toEqual([
      {
        id: 'svc/added/2026-01-05',
        on: '2026-01-05',
        component: 'svc',
        kind: 'added',
        releases: 2341,
        first: '0.0',
        last: '99.0',
        text: 'svc was added with 2,341 releases: from 0.0 to 99.0.',
      },
    ]);
  });

  it.each([
    [20, 20],
    [21, 1],
  ])('tells %i releases that come on one day later in %i changes', (count, told) => {
    const releases = Array.from({ length: count }, (_, index) => ({
      version: `2.${index}`,
      firstSeen: '2026-02-01',
    }));
    const component = componentOf([{ version: '1.0', firstSeen: '2026-01-01' }, ...releases]);

    const changes = changesOf(component).filter(({ on }) => on === '2026-02-01');
    expect(changes).toHaveLength(told);
    if (told === 1) {
      expect(changes[0]).toMatchObject({
        id: 'svc/added/2026-02-01',
        releases: 21,
        first: '2.0',
        last: '2.20',
      });
      expect(changes[0]!.text).toBe('21 releases were added to the index: from 2.0 to 2.20.');
    }
  });
});

/** Before the index knew it: a person may date a withdrawal. */
const withdrawnBefore = { version: '99.0', firstSeen: '2026-01-05', withdrawnSince: '2025-01-01' };
