import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeRead } from '../../../src/ask/plan/plan-versions.ts';
import type { PublishedIndex } from '../../../src/ask/answers/published-index.ts';
import { identify } from '../../../src/ask/texts/identify.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { openTools, type McpClient } from '../../harness/mcp-clients.ts';
import { copyOfFixtureIndex, readJsonIn, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { folderWith } from '../../harness/scanning.ts';
import { siteOf } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { texts } from './texts.ts';

interface Item {
  component: string;
  version: string;
}

interface NotRead {
  line?: number;
  text: string;
  reason: string;
  didYouMean?: string[];
}

let index: PublishedIndex;
let client: McpClient;
let served: ServedSite;
let site: string;

/** The results of a scan of a text in a file. */
async function scan(text: string): Promise<PolicyScan[]> {
  const file = join(folderWith({ 'list.txt': text }), 'list.txt');
  const options = [
    '--index',
    await startSite(site),
    '--as-of',
    fixtureDay,
    '--policy',
    'supported',
    '--json',
  ];
  const { stdout } = await run(['scan', file, ...options]);
  return (JSON.parse(stdout) as { results: PolicyScan[] }).results;
}

beforeAll(async () => {
  const root = copyOfFixtureIndex();
  const svc = readJsonIn<object>(root, 'components/svc.json');
  writeIn(root, 'components/svc.json', { ...svc, aliases: ['Example Enterprise'] });
  site = siteOf(root);
  ({ index } = openFolder(site, () => fixtureDay));
  client = await openTools(site, fixtureDay);
  served = await serveSite(site, 'https://releases.example.com');
});

afterAll(async () => {
  await client.close();
  await served.close();
});

const sorted = (items: readonly string[]) => [...new Set(items)].sort();
const versionsIn = (items: string) =>
  items
    .replace(/\|.*$/, '')
    .split(' ')
    .filter((item) => item !== '' && !item.startsWith('+'));

function inShort(versions: readonly string[], notRead: readonly NotRead[], others: number): string {
  const left = notRead.map(
    ({ line, reason, didYouMean = [] }) =>
      `${line}:${reason}${didYouMean.length > 0 ? `?${didYouMean.join('?')}` : ''}`,
  );
  const parts = [
    ...versions,
    ...(others > 0 ? [`+${others}`] : []),
    ...(left.length > 0 ? ['|', ...left] : []),
  ];
  return parts.join(' ');
}

test.each(texts)('every door reads the same items in %s', async (_form, text, items) => {
  const found = await identify(index, readText(text, longestTexts.page));
  const page = await judgeRead(index, found.versions);
  const tool = (await client.callTool('check_versions', { text })).content as {
    items: Item[];
    notRead: NotRead[];
  };

  const inTool = tool.items.map(({ component, version }) => `${component}@${version}`);
  expect(inShort(inTool, tool.notRead, found.others)).toBe(items);
  expect(sorted(page.map(({ answer }) => `${answer.component}@${answer.version}`))).toEqual(
    sorted(versionsIn(items)),
  );
  expect(found.notRead.length).toBe(tool.notRead.length);

  const results = await scan(text);
  const inScan = results.flatMap(({ details: { component, version }, status }) =>
    component === undefined || version === undefined || status === 'not-applicable'
      ? []
      : `${component}@${version}`,
  );
  expect(sorted(inScan)).toEqual(sorted(versionsIn(items)));
  const things = results.map(({ thing }) => thing.slice(0, 190));
  expect(things).toEqual(
    expect.arrayContaining(
      found.notRead
        .filter(({ reason, text }) => reason !== 'guess' || !/^[\d.]+$/.test(text))
        .map((left) => left.text.slice(0, 190)),
    ),
  );
});

test('each line of a list or a build file with words is read, or left out with its reason', async () => {
  for (const [form, text] of texts) {
    const read = readText(text, longestTexts.page);
    const lines = text.split(/\r?\n/).flatMap((line, place) => {
      const isHeading = /^[|"]?\s?(?:component|name|owner|id|purl)\b.*(?:version|purl)/i.test(line);
      return /[a-z\d]/i.test(line.replace(/^\s*(?:#|\/\/).*/, '')) && !isHeading ? place + 1 : [];
    });
    const accounted = new Set(read.entries.flat().map(({ line }) => line));

    if (!read.isDocument && !/^[{[]/.test(text)) {
      expect([...accounted], form).toEqual(lines);
    }
  }
});

test.each(
  texts.filter(
    ([, text, items]) =>
      text.length <= 500 &&
      versionsIn(items).length > 0 &&
      !items.includes('|') &&
      !items.includes('+') &&
      !/^[{[<_]|^lockfile|^# yarn|^apiVersion/.test(text),
  ),
)('the box reads the same items in %s', async (_form, text, items) => {
  const query = `/api/answers?question=${encodeURIComponent(text)}`;
  const response = await served.fetch(`https://releases.example.com${query}`);
  const answer = (await response.json()) as Item & { url?: string };

  const versions =
    answer.url === undefined
      ? [`${answer.component}@${answer.version}`]
      : decodeURI(answer.url.replace(/^.*#c=/, '')).split(',');
  expect(sorted(versions)).toEqual(sorted(versionsIn(items)));
});
