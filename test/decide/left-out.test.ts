import { expect, test } from 'vitest';
import type { Correction, RecordedRelease } from '../../src/core/schemas/recorded.ts';
import type { Definition } from '../../src/core/schemas/definition.ts';
import { changesOf } from '../../src/decide/changes.ts';
import { componentOf } from '../site/render/sites.ts';

const sources: Definition['sources'] = [{ datasource: 'npm', packageName: 'agent', allowedVersions: '<2' }];

function gathered(version: string, day: string, more: Partial<RecordedRelease> = {}): RecordedRelease {
  return { version, releaseTimestamp: day, firstSeen: day, source: 'npm:agent', ...more };
}

function returned(on: string, from: string): Correction {
  return { on, field: 'leftOutSince', from, reason: 'components/svc.json admits it again' };
}

function toldOf(releases: readonly RecordedRelease[], about: Partial<Definition> = {}): string[] {
  const changes = changesOf(componentOf(releases, { sources, ...about }));
  return changes.map(({ on, text }) => `${on}: ${text}`);
}

test('a release that was left out and admitted again is told with both days, and nothing of it between them', () => {
  const releases = [
    gathered('1.0', '2026-01-05'),
    gathered('1.1', '2026-02-01', {
      deprecated: 'use 1.2',
      corrections: [
        {
          on: '2026-03-10',
          field: 'changelogUrl',
          to: 'https://example.com/1.1',
          reason: 'npm:agent says so',
        },
        { on: '2026-03-20', field: 'deprecated', to: 'use 1.2', reason: 'npm:agent says so' },
        returned('2026-04-01', '2026-03-01'),
      ],
    }),
  ];

  expect(changesOf(componentOf(releases, { sources })).slice(0, 2)).toEqual([
    {
      id: 'svc/1.1/returned/2026-04-01',
      on: '2026-04-01',
      component: 'svc',
      kind: 'returned',
      version: '1.1',
      text: '1.1 is in the index again, and is deprecated: the definition admits it again.',
      rule: 'upstream',
      reason: 'the definition admits it again',
    },
    {
      id: 'svc/1.1/left-out/2026-03-01',
      on: '2026-03-01',
      component: 'svc',
      kind: 'left out',
      version: '1.1',
      text: '1.1 was left out: the definition no longer admits it.',
      reason: 'the definition no longer admits it',
    },
  ]);
  expect(toldOf(releases)).toHaveLength(4);
});

test('what was told of a release stays told while it is left out', () => {
  const before = [gathered('1.0', '2026-01-05'), gathered('2.0', '2026-02-01')];
  const after = [before[0]!, { ...before[1]!, leftOutSince: '2026-03-01' }];

  expect(toldOf(after)).toEqual([
    '2026-03-01: 2.0 was left out: the definition no longer admits it.',
    ...toldOf(before),
  ]);
});

test('many that leave or return on one day are one change', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      gathered(`1.${index}`, '2026-01-05', { corrections: [returned('2026-04-01', '2026-03-01')] }),
    );

  expect(toldOf(many(20))).toHaveLength(41);
  expect(toldOf(many(21))).toEqual([
    '2026-04-01: 21 releases are in the index again, as the definition admits them again: from 1.0 to 1.20.',
    '2026-03-01: 21 releases were left out, as the definition no longer admits them: from 1.0 to 1.20.',
    '2026-01-05: svc was added with 21 releases: from 1.0 to 1.20.',
  ]);
});

test('a line that is left out pushes no other out of support, whatever happens to its releases', () => {
  const releases = [
    gathered('1.0', '2026-01-05'),
    gathered('2.0', '2026-02-01', {
      leftOutSince: '2026-03-01',
      corrections: [
        {
          on: '2026-03-10',
          field: 'changelogUrl',
          to: 'https://example.com/2.0',
          reason: 'npm:agent says so',
        },
      ],
    }),
  ];

  const told = toldOf(releases, { support: { policy: 'latest-lines', count: 1 } });

  expect(told.map((text) => text.slice(0, 45))).toEqual([
    '2026-03-01: 2.0 was left out: the definition ',
    '2026-03-01: Release line 1.0 is supported aga',
    '2026-02-01: 2.0 was added to the index.',
    '2026-02-01: Release line 1.0 left support: On',
    '2026-01-05: svc was added with 1 release: 1.0',
  ]);
});

test('a release that comes back on the day on which it was left out never left', () => {
  const entry = gathered('1.0', '2026-01-05');
  const corrections = [returned('2026-03-01', '2026-03-01')];

  expect(toldOf([{ ...entry, corrections }])).toEqual(toldOf([entry]));
});

test('a definition that was edited and not gathered for changes nothing that is told', () => {
  const releases = [gathered('1.0', '2026-01-05'), gathered('2.0', '2026-02-01')];

  expect(toldOf(releases)).toEqual(
    toldOf(releases, { sources: [{ datasource: 'npm', packageName: 'agent' }] }),
  );
});

test('another name leaves the ids of what was told as they were', () => {
  const releases = [gathered('1.0', '2026-01-05'), gathered('1.1', '2026-02-01')];
  const before = changesOf(componentOf(releases));
  const after = changesOf(componentOf(releases, { renamedFrom: ['svc', 'agent'] }, { name: 'server' }));

  expect(after.map(({ id, on }) => [id, on])).toEqual(before.map(({ id, on }) => [id, on]));
  expect(new Set(after.map(({ component }) => component))).toEqual(new Set(['server']));
});
