import { expect, test } from 'vitest';
import { sortEntries } from '../../src/ask/judged-list.ts';
import { openIndex } from '../../src/ask/published-index.ts';
import { readList } from '../../src/ask/read-list.ts';
import { findPolicy, scanItems } from '../../src/ask/scan.ts';
import { findItems, type Match } from '../../src/ask/verdicts.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { buildExample } from '../harness/site.ts';

const index = openIndex(openSite(buildExample()));
const recorded = (await index.details('build-agent-npm-loader'))!.releases[0]!.digests![0]!;

async function scan(line: string, policyName: string, more: object = {}) {
  const { items } = readList(line, await index.names());
  const [scanned] = await scanItems(
    index,
    [{ ...items[0]!, ...more }],
    [await findPolicy(index, policyName)],
  );
  return scanned!.scans[0]!.scan;
}

test.each([
  ['svc 2026.3', 'supported', 'satisfied'],
  ['svc 2025.1', 'supported', 'unsatisfied'],
  ['svc 2025.4', 'current', 'unsatisfied'],
  ['svc 2026.2', 'patched', 'unsatisfied'],
  ['svc 2026.3', 'stable', 'satisfied'],
  ['svc 2026.3', 'secure', 'not-applicable'],
  ['svc 2025.1.9', 'supported', 'unsatisfied'],
  ['svc 2030.1', 'supported', 'not-applicable'],
  ['svc latest', 'supported', 'not-applicable'],
  ['pkg:npm/left-pad@1.3.0', 'supported', 'not-applicable'],
  // An image can have a digest instead of a version.
  [`build-agent-npm-loader@${recorded}`, 'stable', 'satisfied'],
  [`build-agent-npm-loader@sha512:${'0'.repeat(128)}`, 'stable', 'not-applicable'],
])('a scan of %s by the policy "%s" has the status %s', async (line, policy, status) => {
  const result = await scan(line, policy);

  expect(Object.keys(result).join(' ')).toBe(
    'labels status policyUri policyDescription policyRemediation attestationUri sourcedFromUri details',
  );
  expect(result.status).toBe(status);
  expect(result.policyRemediation).toMatch(/./);
  expect(result.details.reason).not.toBe('');
});

test.each(['supported', 'stable', 'current', 'patched'])(
  'the policy "%s" is not applicable to a codename that several release lines share',
  async (policy) => {
    const parse = (text: string, path?: string) =>
      path === 'details/svc.json'
        ? JSON.parse(text.replaceAll(/"line": ?"/g, '"codename": "Chiffon", $&'))
        : JSON.parse(text);
    const named = openIndex(openSite(buildExample()), parse);
    const { items } = readList('svc chiffon', await named.names());

    const [scanned] = await scanItems(named, items, [await findPolicy(named, policy)]);

    expect(scanned!.scans[0]!.scan).toMatchObject({
      status: 'not-applicable',
      details: {
        component: 'svc',
        version: 'chiffon',
        result: 'cannot-tell',
        reason: expect.stringContaining('may be 2025.2, 2025.3'),
      },
    });
  },
);

test('a scan result includes the remediation of the policy and the facts about the version', async () => {
  expect(await scan('svc 2025.1', 'supported')).toMatchObject({
    status: 'unsatisfied',
    policyUri: '/policies/built-in/supported',
    policyRemediation: 'Move to 2026.3.',
    attestationUri: null,
    sourcedFromUri: null,
    details: {
      component: 'svc',
      version: '2025.1',
      supportedUntil: '2026-10-08',
      moveTo: { component: 'svc', version: '2026.3' },
    },
  });
});

test.each([
  [{ digests: [recorded] }, 'not-applicable', ''],
  [{ digests: [`sha512:${'0'.repeat(128)}`] }, 'unsatisfied', 'is not a digest that is recorded'],
  [{ digests: [`sha256:${'0'.repeat(64)}`] }, 'not-applicable', 'No such digest of 1.0.0'],
  [{ repositoryUrl: 'https://example.com/x' }, 'not-applicable', 'is not recorded'],
  [{ digests: [recorded] }, 'not-applicable', 'No such digest of 1.0.99', '1.0.99'],
])(
  "a scan with the client's digest or repository %j has the status %s",
  async (stated, status, message, version = '1.0.0') => {
    const result = await scan(`build-agent-npm-loader ${version}`, 'supported', stated);

    expect(result.status).toBe(status);
    expect(result.details.message ?? '').toMatch(message === '' ? /^$/ : message);
  },
);

test('a scan of an entry without a digest says nothing about digests', async () => {
  const { details } = await scan('svc 2026.3', 'supported');

  expect(details.message).toBeUndefined();
});

test('a scan result links the signed statement of a release', async () => {
  const { attestationUri } = await scan('build-agent-npm-loader 1.0.0', 'supported');

  expect(attestationUri).toMatch(
    /^\/packages\/generic\/build-agent-npm-loader\/1\.0\.0\/sha512:[0-9a-f]{128}\/attestations\/site\//,
  );
});

test.each([
  ['2025.1', 'svc'],
  ['2.1.0', 'edge-node'],
  ['9999.1', 'edge-node'],
])(
  'if two components share a package, the version %s belongs to the component %s',
  async (version, component) => {
    const names = new Map([['x', [{ component: 'edge-node' }, { component: 'svc' }]]]);
    const item = { text: 'x', name: 'x', version };
    const [{ match } = {}] = await findItems([item], names, index.details);

    expect(match?.component).toBe(component);
  },
);

const advice = 'The latest version is 2026.3.';

test.each<[version: string, state: string, verdict: object]>([
  [
    '2025.1.9',
    'not-listed',
    {
      ...{ label: 'Not listed; its line: ended', isSupported: false, isInferred: true },
      ...{ supportedUntil: '2026-10-08', moveTo: { component: 'svc', version: '2026.3' } },
      sentence:
        'Server 2025.1.9 is not listed. Server 2025.1 was supported until 2026-10-08 (estimated).',
    },
  ],
  [
    '2030.1',
    'not-released',
    { label: 'Not released', sentence: 'Server 2030.1 is not released yet.', advice },
  ],
  [
    '9999.1',
    'not-released',
    {
      isFarAbove: true,
      ...{ label: 'Not released', sentence: 'Server 9999.1 is not released yet.', advice },
      because: ['9999.1 is far above 2026.3, the newest known version.'],
    },
  ],
  [
    '1.1',
    'unknown-line',
    { label: 'Unknown line', sentence: 'Server 1.1 belongs to no known release line.', advice },
  ],
])('judges the unlisted version svc %s as %s', async (version, state, verdict) => {
  const item = { text: version, name: 'svc', version };
  const [{ match } = {}] = await index.find([item]);

  expect(match?.verdict).toMatchObject({ isListed: false, state, ...verdict });
});

test('sorts entries by urgency: overdue, ending soon, ending later, without an end, without a version', () => {
  const entries = [
    { moveReason: 'ended' },
    { moveReason: 'ends-soon', moveBy: '2026-12-01' },
    { supportedUntil: '2026-12-01' },
    { supportedUntilAtMost: '2026-12-02' },
    {},
    undefined,
  ].map((verdict) => ({ item: { text: '' }, match: { verdict } as Match }));

  const { judged, unjudged } = sortEntries(entries.toReversed(), { problems: [] });
  expect([...judged, ...unjudged]).toEqual(entries);
});
