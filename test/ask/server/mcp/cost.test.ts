import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtureDay } from '../../../harness/checkout.ts';
import { openTools, type McpClient } from '../../../harness/mcp-clients.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';

let client: McpClient;

beforeAll(async () => {
  client = await openTools(siteOfFixtureIndex(), fixtureDay);
});

afterAll(() => client.close());

/** Estimates the number of tokens: within 5 % of cl100k for these texts. */
function tokensIn(text: string): number {
  return Math.ceil(1.1 * Array.from(text.matchAll(/ ?\p{L}+|\d{1,3}|[^\s\p{L}\d]+/gu)).length);
}

/** Questions of an agent, the call that answers each, and the expected text. */
const questions: readonly [
  string,
  tool: string,
  given: Record<string, unknown>,
  says: string | RegExp,
][] = [
  ['May I use Server 2025.1?', 'check_versions', { text: 'Server 2025.1' }, 'Move to 2026.3'],
  ['And until when 2025.2?', 'check_versions', { text: 'Server 2025.2' }, '2027-01-15'],
  ['Is "svc@2026.1" fine?', 'check_versions', { text: 'svc@2026.1' }, '2027-09-25'],
  ['And the year 2025?', 'check_versions', { text: 'svc 2025' }, '2025.4'],
  ['Is 2099.1 out?', 'check_versions', { text: 'svc 2099.1' }, 'is not known on'],
  ['Is the old CLI supported?', 'check_versions', { text: 'svcctl 1.20.0' }, '1.23.0'],
  ['Which Edge node?', 'show_component', { component: 'edge-node' }, '2.0.2'],
  ['Which patch of 2025.2?', 'show_component', { component: 'svc', line: '2025.2' }, '2025.2'],
  ['Which Build cache node?', 'check_versions', { text: 'build-cache-node 21.2' }, 'Deprecated'],
  [
    'All at once?',
    'check_versions',
    { text: 'svc 2025.1 edge-node 2.0.1' },
    'Edge node 2.0.1 is deprecated',
  ],
  ['What is there?', 'show_component', {}, 'dashboard-bundle'],
  [
    'Who owns the artifact?',
    'show_component',
    { component: 'pkg:maven/com.example/build-agent' },
    'build-agent',
  ],
  ['Which lines has Server?', 'show_component', { component: 'svc' }, '12 lines, 2016.0 to 2025.1'],
  ['What ends this quarter?', 'find_releases', { query: 'ends within 90 days' }, 'svc 2025.2'],
  ['News of this month?', 'changes_since', { date: '2026-11-01' }, 'reporting-kit'],
  ['Newest of each line?', 'find_releases', { query: 'component:svc isLatestOfLine' }, '2026.2.1'],
  [
    'Released lately?',
    'find_releases',
    { query: 'releaseTimestamp:>=-90d' },
    'edge-node 2.1.0-rc.1',
  ],
  ['Anything vulnerable?', 'find_releases', { query: 'isVulnerable' }, 'Advisories: not known'],
  [
    'Is my lock file fine?',
    'check_versions',
    {
      text: '{"lockfileVersion":3,"packages":{"":{"dependencies":{"@example/edge-node":"^2.0.0"}},"node_modules/@example/edge-node":{"version":"2.0.1"}}}',
    },
    'Deprecated',
  ],
  ['Did the last run work?', 'list_runs', { max: 1 }, '503'],
];

test('twenty questions of an agent need one call each, and half of the answers fewer than 150 tokens', async () => {
  const costs: number[] = [];
  for (const [question, tool, given, says] of questions) {
    const { text, isError } = await client.callTool(tool, given);
    expect(isError, question).toBe(false);
    expect(text, question).toMatch(says);
    costs.push(tokensIn(text));
  }

  expect(costs).toHaveLength(20);
  expect(costs.sort((a, b) => a - b)[10]).toBeLessThan(150);
});
