import { expect, test } from 'vitest';
import { applyExceptions } from '../../../src/ask/scan/scan-exceptions.ts';
import { scanEntries } from '../../../src/ask/scan/scan-items.ts';
import { parsePublishedPolicy } from '../../../src/ask/scan/scan-policies.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { definition, makeRoot } from '../../harness/root.ts';
import { siteOf } from '../../harness/site.ts';

const day = '2026-11-22';

async function scanText(files: Record<string, object>, text: string, policyName: string) {
  const { index } = openFolder(siteOf(makeRoot(files), day), () => day);
  const policies = (await index.policies())
    .filter(({ name }) => name === policyName)
    .map((policy) => parsePublishedPolicy(policy, day));
  const { entries } = await readText(index, text, longestTexts.file);
  return scanEntries(entries, policies, index);
}

test.each(['former', 'renamed'])('an exception may name a renamed component %s', async (name) => {
  const files = {
    'components/renamed.json': definition({
      renamedFrom: ['former'],
      support: { policy: 'ended', until: '2025-01-01' },
    }),
    'data/renamed.json': { releases: [{ version: '1.0' }] },
  };
  const exception = { versions: '*', policy: 'supported', reason: 'Later.', until: day };

  const scanned = await scanText(files, 'former@1.0', 'supported');
  const excepted = applyExceptions(scanned, [{ package: name, ...exception }], day);

  expect(excepted.scanned.map(({ scan }) => scan.status)).toEqual(['excepted']);
  expect(excepted.warnings).toEqual([]);
});

test.each([
  ['supported', 'unsatisfied'],
  ['secure', 'unknown'],
])('by the policy %s, a version of an ended line without releases is %s', async (name, status) => {
  const files = {
    'components/svc.json': definition({
      support: { policy: 'dated', lines: { '1.0': '2025-01-01', '1.1': '2027-12-30' } },
    }),
    'data/svc.json': { releases: [{ version: '1.1' }] },
  };

  const scanned = await scanText(files, 'svc@1.0.3', name);

  expect(scanned.map(({ scan }) => scan.status)).toEqual([status]);
});

test.each([
  ['*', 'excepted', 0],
  ['<2', 'unknown', 1],
])(
  'the exception of versions %s leaves an item without a version %s',
  async (versions, status, warnings) => {
    const files = {
      'components/svc.json': definition(),
      'data/svc.json': { releases: [{ version: '1.0' }] },
    };
    const exception = { package: 'svc', policy: 'supported', reason: 'Later.', until: day };

    const scanned = await scanText(files, 'pkg:generic/svc', 'supported');
    const excepted = applyExceptions(scanned, [{ ...exception, versions }], day);

    expect(excepted.scanned.map(({ scan }) => scan.status)).toEqual([status]);
    expect(excepted.warnings).toHaveLength(warnings);
  },
);
