import { expect, test } from 'vitest';
import { planPublication } from '../../../src/deliver/publish/prepare-site.ts';

/** A plan for a signed site of these files and digests, over one that is live. */
function planFor(site: Record<string, string>, live: Record<string, string>) {
  const signed = { 'statements/svc.ndjson': 'by day', 'SHA256SUMS.minisig': 'by list' };
  const digests = new Map(Object.entries({ ...signed, ...site }));
  return planPublication({
    baseUrl: 'https://releases.example.com',
    worker: 'releases',
    asOf: '2026-11-20',
    digests,
    live: {
      kind: 'site',
      site: {
        asOf: '2026-11-19',
        digests: new Map(Object.entries(live)),
        events: [],
        run: {},
      },
    },
  });
}

const before = { SHA256SUMS: '1', 'details/svc.json': '2', 'svc.json': '3' };

test('what is signed changes with the list of digests, which does not hold it, and is looked at last', () => {
  const plan = planFor({ ...before, SHA256SUMS: '4', 'svc.json': '5' }, before);

  expect(plan.changed).toEqual([
    'SHA256SUMS',
    'svc.json',
    'SHA256SUMS.minisig',
    'statements/svc.ndjson',
  ]);
  expect(plan).toMatchObject({ files: 5, gone: [], liveAsOf: '2026-11-19' });
});

test('of the same list nothing is signed anew', () => {
  expect(planFor(before, before).changed).toEqual([]);
});

test('a file that is live and in the site no longer is named, but no statement is missed', () => {
  const { 'details/svc.json': _, ...less } = before;

  expect(planFor(less, { ...before, SHA256SUMS: '0' }).gone).toEqual(['details/svc.json']);
});
