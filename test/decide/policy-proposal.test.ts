import { expect, it } from 'vitest';
import { Definition } from '../../src/record/definition.ts';
import { proposePolicy } from '../../src/decide/policy-proposal.ts';
import { normaliseReleases } from '../../src/decide/releases.ts';
import { definition } from '../harness/root.ts';

const day = '2026-06-30';

/** From versions with their days; `?` behind a day: it is only observed. */
function propose(days: Readonly<Record<string, string>>, about: object = {}) {
  const recorded = Object.entries(days).map(([version, text]) => ({
    version,
    releaseTimestamp: text.replace('?', ''),
    timestampKind: text.endsWith('?') ? ('observed' as const) : ('published' as const),
    ...about,
  }));
  return proposePolicy(normaliseReleases('svc', Definition.parse(definition()), recorded, day).releases, day);
}

it('proposes as many lines as had a release in the last year', () => {
  const days = {
    '2025.1': '2025-01-10',
    '2025.2': '2025-07-01',
    '2025.3': '2025-10-01',
    '2026.1': '2026-02-01',
  };

  expect(propose(days)).toEqual({
    aliveLines: ['2025.2', '2025.3', '2026.1'],
    policy: { policy: 'latest-lines', count: 3 },
  });
});

it('takes major versions for lines where these, and no minor versions, are looked after side by side', () => {
  const days = { '1.0.0': '2025-08-01', '2.0.0': '2025-09-01', '1.1.0': '2025-10-01', '2.1.0': '2026-01-01' };

  expect(propose(days)).toEqual({
    aliveLines: ['1', '2'],
    policy: { policy: 'latest-lines', count: 2, line: 1 },
  });
});

it.each([
  ['one line is alive', { '1.0': '2024-01-01', '1.1': '2026-01-01' }, ['1.1']],
  [
    'an older line is alive and a newer one is not',
    { '1.0': '2026-01-01', '1.1': '2024-01-01', '1.2': '2026-02-01' },
    ['1.0', '1.2'],
  ],
  ['days are observed', { '1.0': '2026-01-01?', '1.1': '2026-02-01?' }, []],
  ['only prereleases are new', { '1.0': '2024-01-01', '1.1-rc1': '2026-02-01', '1.2-rc1': '2026-02-01' }, []],
])('proposes nothing where %s', (_why, days, aliveLines) => {
  expect(propose(days as Record<string, string>)).toEqual({ aliveLines });
});

it('does not count what is deprecated or withdrawn upstream', () => {
  const days = { '1.0': '2026-01-01', '1.1': '2026-02-01' };

  expect(propose(days, { deprecated: 'old' })).toEqual({ aliveLines: [] });
  expect(propose(days, { withdrawnSince: '2026-03-01' })).toEqual({ aliveLines: [] });
});
