import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { versionText } from '../../src/ask/version-answer.ts';
import type { VersionAnswer } from '../../src/core/schemas/published/answer-schemas.ts';
import { fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { connect, type McpClient } from '../harness/mcp-clients.ts';
import { runHere } from '../harness/run-here.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { findBrowser, launchBrowser } from '../site/pages/browser.ts';

type State = VersionAnswer['state'];

/** What people type, and the component, version and state that each door has to answer with. */
const versions: [typed: string, component: string, version: string, state: State, moveTo?: string][] = [
  ['svc', 'svc', '2026.3', 'no-promise'],
  ['Server', 'svc', '2026.3', 'no-promise'],
  ['svc latest', 'svc', '2026.3', 'no-promise'],
  ['svc@latest', 'svc', '2026.3', 'no-promise'],
  ['latest of svc', 'svc', '2026.3', 'no-promise'],
  ['what is the latest version of the server?', 'svc', '2026.3', 'no-promise'],
  ['is svc still supported?', 'svc', '2026.3', 'no-promise'],
  ['svc 2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc  2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['SVC 2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['Server 2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc@2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['Server@2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc:2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc-2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc=2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc==2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc v2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc 2025.01', 'svc', '2025.1', 'ended', '2026.3'],
  ['2025.1 of svc', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc version 2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['is svc 2025.1 supported?', 'svc', '2025.1', 'ended', '2026.3'],
  ['Is my Server 2025.1 still supported', 'svc', '2025.1', 'ended', '2026.3'],
  ['scv 2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svd 2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc 2025.1.0', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc@2025.1.3', 'svc', '2025.1.3', 'not-listed', '2026.3'],
  ['svc 2025.1.99', 'svc', '2025.1.99', 'not-listed', '2026.3'],
  ['svc 2025.1.x', 'svc', '2025.1', 'ended', '2026.3'],
  ['svc 2025.2', 'svc', '2025.2', 'ends-soon', '2026.3'],
  ['when does svc 2025.2 end?', 'svc', '2025.2', 'ends-soon', '2026.3'],
  ['svc 2025.2.7', 'svc', '2025.2.7', 'not-listed', '2026.3'],
  ['svc 2025.3', 'svc', '2025.3', 'supported'],
  ['svc 2026.2', 'svc', '2026.2', 'supported', '2026.2.1'],
  ['svc 2026.2.1', 'svc', '2026.2.1', 'supported'],
  ['svc 2024.3.4', 'svc', '2024.3.4', 'ended', '2026.3'],
  ['svc 2025', 'svc', '2025', 'unknown-line', '2026.3'],
  ['svc 2025.x', 'svc', '2025', 'unknown-line', '2026.3'],
  ['svc 2030.1', 'svc', '2030.1', 'not-released'],
  ['svc 2026.4', 'svc', '2026.4', 'not-released'],
  ['svc 2026.3.9', 'svc', '2026.3.9', 'not-listed'],
  ['svc 1.0', 'svc', '1.0', 'unknown-line', '2026.3'],
  ['pkg:generic/svc@2025.1', 'svc', '2025.1', 'ended', '2026.3'],
  ['svcctl', 'svcctl', '1.23.0', 'no-promise'],
  ['svcctl 1.18', 'svcctl', '1.18', 'deprecated', '1.23.0'],
  ['svctl 1.18', 'svcctl', '1.18', 'deprecated', '1.23.0'],
  ['svcctl@1.22.0', 'svcctl', '1.22', 'no-promise'],
  ['svcctl 1.21', 'svcctl', '1.21.0', 'no-promise'],
  ['Server control CLI 1.19', 'svcctl', '1.19', 'no-promise'],
  ['edge', 'edge-node', '2.0.2', 'supported'],
  ['edge node', 'edge-node', '2.0.2', 'supported'],
  ['Edge node 2.0.1', 'edge-node', '2.0.1', 'deprecated', '2.0.2'],
  ['edge-node-2.0.1', 'edge-node', '2.0.1', 'deprecated', '2.0.2'],
  ['edge-node v2.0.1', 'edge-node', '2.0.1', 'deprecated', '2.0.2'],
  ['@example/edge-node 2.0.1', 'edge-node', '2.0.1', 'deprecated', '2.0.2'],
  ['@example/edge-node@2.0.1', 'edge-node', '2.0.1', 'deprecated', '2.0.2'],
  ['pkg:npm/%40example/edge-node@2.0.1', 'edge-node', '2.0.1', 'deprecated', '2.0.2'],
  ['pkg:github/example/edge-node@2.0.1', 'edge-node', '2.0.1', 'deprecated', '2.0.2'],
  ['edge-node 1.0.0', 'edge-node', '1.0.0', 'ended', '2.0.2'],
  ['edge-node 2', 'edge-node', '2', 'unknown-line', '2.0.2'],
  ['edge-node 2.1.0-rc.1', 'edge-node', '2.1.0-rc.1', 'supported'],
  ['com.example:build-agent 4.0', 'build-agent', '4.0', 'no-promise', '4.1.1'],
  ['pkg:maven/com.example/build-agent@4.0', 'build-agent', '4.0', 'no-promise', '4.1.1'],
  ['build agent 4', 'build-agent', '4', 'no-promise', '4.1.1'],
  ['build agent 4.1', 'build-agent', 'v4.1', 'no-promise', '4.1.1'],
  ['agent 3.9', 'build-agent', '3.9', 'no-promise', '3.10.1'],
  ['build cache node 21.2', 'build-cache-node', '21.2', 'deprecated'],
  ['build-cache-node@20', 'build-cache-node', '20', 'unknown-line'],
  ['cache 20.1', 'build-cache-node', '20.1', 'deprecated'],
  ['reporting-kit 1.1', 'reporting-kit', '1.1', 'deprecated', '2.0'],
];

/** What names no component, or more than one: the beginning of the message of programs, and the words in the box. */
const others: [typed: string, message: string, inBox: string][] = [
  ['build 1.0', '"build 1.0" can mean 2 components: build-agent, build-cache-node.', 'Which one?'],
  ['nothing 1.0', 'There is no component "nothing 1.0".', 'No component matches.'],
  ['grdle plugin 3.17', 'There is no component "grdle plugin 3.17".', 'No component matches.'],
];

/** What is a query: the same in the language of queries, and how many releases it selects. */
const queries: [typed: string, query: string, total: number][] = [
  ['deprecated', 'status:deprecated', 37],
  ['ended', 'ended', 18],
  ['eol', 'ended', 18],
  ['stale', 'freshness:stale', 39],
  ['withdrawn', 'status:withdrawn', 1],
  ['ends within 12 weeks', 'supportLeft:<12w', 15],
  ['supportLeft:<3mo', 'supportLeft:<3mo', 15],
  ['supportedUntil:2027', 'supportedUntil:2027', 7],
  ['supportedUntil:2027-01', 'supportedUntil:2027-01', 2],
  ['version:2025.1..2025.3', 'version:2025.1..2025.3', 3],
  ['supportLeft:<3m', 'supportLeft:<3m', 0],
];

let browser: Browser | undefined;
let site: ServedSite;
let client: McpClient;

beforeAll(async () => {
  site = await serveSite(siteOfFixtureIndex());
  client = await connect({ url: `${site.url}mcp` }, 'modern');
  if (findBrowser() !== undefined) browser = await launchBrowser(findBrowser()!);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await client.close();
  await site.close();
});

const root = ['--root', fixtureIndex, '--as-of', fixtureDay, '--json'];

async function get(path: string): Promise<unknown> {
  return (await fetch(new URL(path, site.url))).json();
}

/** The answers of the box, one after the other on one page. */
async function inBox(typed: readonly string[]): Promise<string[]> {
  const page = await browser!.newPage();
  await page.clock.setFixedTime(`${fixtureDay}T12:00:00Z`);
  await page.goto(new URL('index.html', site.url).href);
  const box = page.locator('#ask-text');
  const said = page.locator('#ask-answer');
  const answers = [];
  for (const text of typed) {
    await box.fill('');
    await said.filter({ hasNotText: /./ }).waitFor({ state: 'attached' });
    await box.fill(text);
    const answer = said.filter({ hasText: /./, hasNotText: /\d components? match|^Looking/ });
    answers.push((await answer.textContent())!);
  }
  await page.close();
  return answers;
}

describe('the same typed input has the same answer through each door', () => {
  test('there are at least 80 of them', () => {
    expect(versions.length + others.length + queries.length).toBeGreaterThanOrEqual(80);
  });

  test('explain, the API and the tool', { timeout: 300_000 }, async () => {
    for (const [typed, component, version, state, moveTo] of versions) {
      const { stdout, stderr } = await runHere(['explain', typed, ...root]);
      const { answer } = JSON.parse(stdout || '{}') as { answer?: VersionAnswer };
      expect(answer, `${typed}: ${stderr}`).toMatchObject({ component, version, state });
      expect(answer!.moveTo?.version, typed).toBe(moveTo);
      const ofApi = (await get(`api/answers?question=${encodeURIComponent(typed)}`)) as VersionAnswer;
      const { sentence, advice, because } = answer!;
      expect(ofApi, typed).toMatchObject({ component, version, state, sentence, advice, because });
      const { text, content } = await client.callTool('check_version', { component: typed });
      expect(content, typed).toMatchObject({ component, version, state });
      expect(text, typed).toBe(versionText(ofApi));
      expect(sentence.split(' ').length - ofApi.title.split(' ').length, typed).toBeLessThanOrEqual(20);
    }
    for (const [typed, message] of others) {
      const { stderr } = await runHere(['explain', typed, ...root]);
      expect(stderr).toContain(message);
      expect(await get(`api/answers?question=${encodeURIComponent(typed)}`)).toMatchObject({
        status: 404,
        detail: expect.stringContaining(message) as string,
      });
      const { isError, text } = await client.callTool('check_version', { component: typed });
      expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(message) as string });
    }
    for (const [, query, total] of queries) {
      const { stdout } = await runHere(['search', query, ...root]);
      expect(JSON.parse(stdout), query).toHaveLength(total);
      expect(await get(`api/releases?query=${encodeURIComponent(query)}`), query).toHaveLength(total);
      const { content } = await client.callTool('find_releases', { query });
      expect(content, query).toMatchObject({ total });
    }
  });

  test.skipIf(findBrowser() === undefined)('and the box', { timeout: 300_000 }, async () => {
    const answers = await inBox(versions.map(([typed]) => typed));
    for (const [index, [typed, , version, state]] of versions.entries()) {
      const ofApi = (await get(`api/answers?question=${encodeURIComponent(typed)}`)) as VersionAnswer;
      expect(ofApi).toMatchObject({ version, state });
      expect(plain(answers[index]!), typed).toContain(plain(ofApi.sentence));
    }
    expect(await inBox(others.map(([typed]) => typed))).toEqual(others.map(([, , words]) => words));
    const counts = queries.map(([, , total]) =>
      total === 0 ? /^No release matches/ : new RegExp(`^${total} release`),
    );
    for (const [index, answer] of (await inBox(queries.map(([typed]) => typed))).entries())
      expect(answer).toMatch(counts[index]!);
  });
});

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** With days as programs write them. */
function plain(text: string): string {
  return text
    .replaceAll(/\u00a0/g, ' ')
    .replaceAll(/(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})/g, (_, day: string, month: string, year: string) => {
      const number = String(months.indexOf(month) + 1).padStart(2, '0');
      return `${year}-${number}-${day.padStart(2, '0')}`;
    });
}

describe('20 questions in natural words', () => {
  const questions: [question: string, tool: string, given: Record<string, unknown>][] = [
    ['Is Server 2025.1 still supported?', 'check_version', { component: 'Server', version: '2025.1' }],
    ['Until when can I stay on svc 2025.2?', 'check_version', { component: 'svc', version: '2025.2' }],
    ['We run edge-node 2.0.1, is that fine?', 'check_version', { component: 'edge-node', version: '2.0.1' }],
    ['What about svc 2025.1.3?', 'check_version', { component: 'svc', version: '2025.1.3' }],
    ['Is svc 2025 supported?', 'check_version', { component: 'svc', version: '2025' }],
    ['Is @example/edge-node 1.1.1 current?', 'check_version', { component: '@example/edge-node@1.1.1' }],
    ['Should I use svc 2027.1?', 'check_version', { component: 'svc', version: '2027.1' }],
    ['What is the latest Server?', 'latest_version', { component: 'Server' }],
    ['Which is the newest patch of svc 2026.2?', 'latest_version', { component: 'svc', line: '2026.2' }],
    ['What do I use in place of the build cache node?', 'latest_version', { component: 'build-cache-node' }],
    ['Is the build cache node maintained?', 'show_component', { component: 'build cache node' }],
    ['How long is a release of the server supported?', 'show_component', { component: 'svc' }],
    ['Which packages belong to the edge node?', 'show_component', { component: 'edge node' }],
    ['Are these all fine?', 'check_versions', { items: ['svc@2025.2', 'svcctl@1.18', 'edge-node@2.0.1'] }],
    ['What ends in the next 90 days?', 'coming_changes', { days: 90 }],
    ['Does anything end this week?', 'coming_changes', { days: 7 }],
    [
      'Which lines of svc are supported?',
      'find_releases',
      { query: 'component:svc isLatestOfLine isSupported' },
    ],
    ['What was released since October?', 'find_releases', { query: 'releaseTimestamp:>=2026-10-01' }],
    ['Did svc change this month?', 'changes_since', { date: '2026-11-01', component: 'svc' }],
    ['Which components are there?', 'list_components', {}],
  ];

  // The rule of thumb of most tokenizers: four characters a token.
  const tokens = (text: string) => Math.ceil(text.length / 4);
  const median = (numbers: readonly number[]) =>
    numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

  test('are answered in at most 150 tokens on the median, in words and as data', async () => {
    const texts: number[] = [];
    const contents: number[] = [];
    for (const [question, tool, given] of questions) {
      const { text, content, isError } = await client.callTool(tool, given);
      expect(isError, `${question} ${text}`).toBe(false);
      texts.push(tokens(text));
      contents.push(tokens(JSON.stringify(content)));
    }
    expect(questions).toHaveLength(20);
    console.log(`tokens in words ${texts.join(' ')}, as data ${contents.join(' ')}`);
    expect(median(texts)).toBeLessThanOrEqual(150);
    expect(median(contents)).toBeLessThanOrEqual(150);
  });
});
