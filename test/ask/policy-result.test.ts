import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgePolicy, judgeUsual } from '../../src/ask/policy-result.ts';
import { parseQuery } from '../../src/ask/query/parse.ts';
import { releaseFields } from '../../src/ask/query/release-fields.ts';
import { openIndex } from '../../src/ask/published-index.ts';
import { readList } from '../../src/ask/read-list.ts';
import { scanItems } from '../../src/ask/scan.ts';
import { sortEntries } from '../../src/ask/judged-list.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { buildFolder, writeIndex } from '../harness/components.ts';
import { release } from '../harness/judging.ts';

const listed = (version: string, more = {}) => release(version, '2026-01-01', more);
const long = '2030-01-01';

const root = writeIndex({
  tool: {
    definition: {
      advisories: [
        { id: 'CVE-2026-1', affected: '<1.0.1', fixed: ['1.0.1'] },
        { id: 'CVE-2026-2', affected: '>=2.0.0 <2.0.2', fixed: ['2.0.2'] },
      ],
      support: { policy: 'dated', lines: { '1.0': long, '2.0': long, '3.0': '2026-02-01' } },
      prereleases: true,
    },
    releases: [
      listed('1.0.0'),
      listed('1.0.3', { hasProvenance: true }),
      listed('2.0.0'),
      listed('2.0.1'),
      listed('3.0.0-rc.1'),
      listed('4.0.0'),
      listed('4.1.0-rc.1'),
    ],
  },
  many: {
    definition: {
      aliases: ['pkg:deb/debian/many'],
      deprecated: [{ versions: ['6.1.1'], reason: 'Broken' }],
      support: {
        ...{ policy: 'dated' },
        lines: {
          '6.0': '2024-01-01',
          '6.1': '2025-01-01',
          '8.0': '2025-01-01',
          '8.4': long,
          '9.0': long,
        },
      },
    },
    releases: [listed('6.0.1'), listed('6.1.1'), listed('8.0.1'), listed('8.4.1'), listed('9.0.1')],
  },
  old: {
    definition: { aliases: ['pkg:apk/alpine/old'], support: { policy: 'ended' } },
    releases: [listed('1.0.0')],
  },
  days: {
    definition: { support: { policy: 'latest-lines', count: 1, line: 1 } },
    releases: [listed('20180215'), listed('20261101')],
  },
  calm: { definition: {}, releases: [listed('1.0.0')] },
  newest: {
    definition: { support: { policy: 'latest-lines', count: 1 } },
    releases: [listed('1.0.0'), listed('2.0.0')],
  },
});
buildFolder(root, '2026-11-27');
const index = openIndex(openSite(join(root, 'dist')));

const own = { name: 'own', isBuiltIn: false, description: 'Ours.', remediation: 'Ask us.' };
const policies = await index.policies();

/**
 * Returns the result of judging an entry by a policy or a query, with its cause: `does-not-apply:
 * is a prerelease`.
 */
async function judge(entry: string, asked: string): Promise<string> {
  const { items } = readList(entry, await index.names());
  const policy = policies.find(({ name }) => name === asked) ?? { ...own, query: asked };
  const [scanned] = await scanItems(index, items, [policy]);
  const { outcome, cause } = scanned!.scans[0]!.result;
  return [outcome, cause?.one].filter(Boolean).join(': ');
}

test.each([
  // Versions that the index lists.
  ['tool 1.0.0', 'secure', 'unsatisfied'],
  ['tool 1.0.3', 'secure', 'satisfied'],
  ['tool 4.0.0', 'supported', 'does-not-apply: has no stated end of support'],
  ['tool 4.1.0-rc.1', 'supported', 'does-not-apply: is a prerelease'],
  ['tool 3.0.0-rc.1', 'supported', 'unsatisfied'],
  // Versions that are not listed are judged by their line, and by the version ranges of advisories.
  ['tool 1.0.4', 'supported', 'satisfied'],
  ['tool 1.0.4', 'secure', 'satisfied'],
  ['tool 1.0.4', 'patched', 'satisfied'],
  ['tool 1.0.2', 'patched', 'unsatisfied'],
  ['tool 1.0.2', 'secure', 'satisfied'],
  ['tool 1.0.0.1', 'secure', 'unsatisfied'],
  ['tool 2.0.2', 'secure', 'satisfied'],
  ['tool 2.0.2', 'not isExploited', 'satisfied'],
  ['tool 1.0.2', 'hasProvenance', 'cannot-tell: has no known hasProvenance'],
  ['tool 1.0.4', 'hasProvenance', 'satisfied'],
  ['tool 3.0.5', 'supported', 'unsatisfied'],
  ['tool 4.0.1', 'supported', 'does-not-apply: has no stated end of support'],
  ['tool 5.0', 'supported', 'not-released'],
  ['tool 5.0', 'secure', 'not-released'],
  ['tool 4.11', 'supported', 'not-released'],
  // Too far above 4.1.0-rc.1 to be the next release.
  ['tool 6.0', 'supported', 'cannot-tell'],
  ['tool 4.12', 'supported', 'cannot-tell'],
  ['tool 4.12', 'secure', 'cannot-tell'],
  ['tool 44', 'stable', 'cannot-tell'],
  ['days 20261201', 'supported', 'not-released'],
  ['days 30000101', 'supported', 'cannot-tell'],
  ['days 20261102.10', 'supported', 'not-released'],
  ['calm 1.0.9', 'supported', 'does-not-apply: has no stated end of support'],
  ['calm 2.0', 'stable', 'not-released'],
  ['calm 3.0', 'stable', 'cannot-tell'],
  ['tool 0.9', 'supported', 'cannot-tell'],
  // An incomplete version: it fits several lines, only ended lines, or a single line.
  ['many 8', 'supported', 'cannot-tell: may be any of 8.0, 8.4'],
  ['many 8', 'stable', 'cannot-tell: may be any of 8.0, 8.4'],
  ['many 6', 'supported', 'unsatisfied'],
  ['many 9', 'supported', 'satisfied'],
  ['many 9', 'current', 'satisfied'],
  // A distribution may patch its package after support by the vendor has ended.
  [
    'pkg:deb/debian/many@8.0.1',
    'supported',
    'cannot-tell: may be patched longer by a distribution',
  ],
  [
    'pkg:deb/debian/many@8.0.2-1',
    'lasting',
    'cannot-tell: may be patched longer by a distribution',
  ],
  ['pkg:deb/debian/many@6', 'supported', 'cannot-tell: may be any of 6.0, 6.1'],
  [
    'pkg:deb/debian/many@8.0.1',
    'state:ended',
    'cannot-tell: may be patched longer by a distribution',
  ],
  ['pkg:apk/alpine/old@1.0.0', 'supported', 'cannot-tell: may be patched longer by a distribution'],
  ['pkg:deb/debian/many@8.0.1', 'stable', 'satisfied'],
  ['pkg:deb/debian/many@8.0.1', 'current', 'unsatisfied'],
  [
    'pkg:deb/debian/many@8.0.1',
    '(isSupported not isDeprecated) or not component:debian',
    'satisfied',
  ],
  ['pkg:deb/debian/many@8.4.1', 'supported', 'satisfied'],
  // The maintainers advise against this release.
  ['pkg:deb/debian/many@6.1.1', 'supported', 'unsatisfied'],
  // Queries about facts that some or all releases of a component lack. The last two are about unknown ends of support.
  ['tool 1.0.3', 'hasProvenance', 'satisfied'],
  ['tool 1.0.0', 'hasProvenance', 'cannot-tell: has no known hasProvenance'],
  ['many 8.4.1', 'hasProvenance', 'does-not-apply: has no known hasProvenance'],
  ['many 8.4.1', 'isVulnerable', 'does-not-apply: has no source of advisories'],
  ['many 8.4.1', 'isSupported not isVulnerable', 'does-not-apply: has no source of advisories'],
  ['many 8.0.1', 'isSupported not isVulnerable', 'unsatisfied'],
  ['many 8.4.1', 'isSupported or isVulnerable', 'satisfied'],
  ['old 1.0.0', 'isSupported or supportedUntil:>-300d', 'cannot-tell: ended on an unknown day'],
  ['newest 2.0.0', 'lasting', 'does-not-apply: has no known supportLeft'],
])('for the entry "%s", the policy "%s" gives the result: %s', async (entry, policy, expected) => {
  expect(await judge(entry, policy)).toBe(expected);
});

test('web pages and MCP tools give the same policy results as the command scan', async () => {
  const text = ['tool 1.0.0', 'tool 4.0.0', 'tool 4.1.0-rc.1', 'tool 1.0.4', 'tool 2.0.2', 'many 8']
    .concat(['tool 3.0.5', 'tool 5.0', 'many 6', 'many 9', 'old 1.0.0', 'newest 2.0.0'])
    .concat(['pkg:deb/debian/many@8.0.1', 'pkg:deb/debian/many@8.0.2-1', 'pkg:deb/debian/many@6'])
    .join('\n');
  const { items, ...unread } = readList(text, await index.names());
  const { judged } = sortEntries(await index.find(items), unread);
  const { components } = await index.status();

  for (const { name, results } of judgeUsual(judged, components)) {
    expect(results).toHaveLength(15);
    for (const { text: entry, result } of results) {
      const outcome = [result.outcome, result.cause?.one].filter(Boolean).join(': ');
      expect(outcome, `${entry}, ${name}`).toBe(await judge(entry, name));
    }
  }
});

test('the explanation of an unlisted version names only advisories about that version', async () => {
  const because = async (entry: string) => {
    const [found] = await index.find(readList(entry, await index.names()).items);
    return found!.match!.verdict!.because;
  };

  expect(await because('tool 2.0.1')).toContain('Affected by CVE-2026-2.');
  expect(await because('tool 2.0.2')).not.toContain('Affected by CVE-2026-2.');
  expect(await because('tool 1.0.0.1')).toContain('Affected by CVE-2026-1.');
});

test('a release that is known to be vulnerable fails while the source of advisories is silent', () => {
  const query = parseQuery('isVulnerable:false', releaseFields, 0);
  const facts = { verdict: { state: 'supported', isSupported: true }, mayMiss: ['advisories'] };
  const judge = (isVulnerable: boolean) =>
    judgePolicy(query, { ...facts, row: { isVulnerable }, isKnown: () => true } as never).outcome;

  expect([true, false].map(judge)).toEqual(['unsatisfied', 'cannot-tell']);
});
