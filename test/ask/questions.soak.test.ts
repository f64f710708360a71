import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { versionText } from '../../src/ask/version-answer.ts';
import type { VersionAnswer } from '../../src/core/schemas/published/answer-schemas.ts';
import { toDay } from '../../src/core/dates.ts';
import { fixtureIndex } from '../harness/checkout.ts';
import { connect, type Door, type McpClient } from '../harness/mcp-clients.ts';
import { queryQuestions, versionQuestions } from '../harness/questions.ts';
import { temporaryFolder } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { serveSite } from '../harness/worker.ts';
import { findBrowser, launchBrowser } from '../site/pages/browser.ts';

/** What the commands answer: of a version that is not listed, in words alone. */
async function byCommand(day: string) {
  const root = ['--root', fixtureIndex, '--as-of', day, '--json'];
  const versions = [];
  for (const { component, version } of versionQuestions) {
    const { stdout } = await runHere(['explain', ...root, component, version]);
    const report = JSON.parse(stdout) as { answer?: VersionAnswer; findings?: [{ message: string }] };
    versions.push(report.answer ?? report.findings![0].message);
  }
  const queries = join(temporaryFolder(), 'queries');
  writeFileSync(queries, queryQuestions.join('\n'));
  const { stdout } = await runHere(['search', ...root, '--queries', queries]);
  const found = JSON.parse(stdout) as { releases: unknown[] }[];
  return { versions, releases: found.map(({ releases }) => releases) };
}

async function byTool(client: McpClient) {
  const versions = [];
  for (const question of versionQuestions) {
    const { content, text } = await client.callTool('check_version', { ...question });
    const answer = content as unknown as VersionAnswer;
    expect(text).toContain(answer.sentence);
    versions.push(answer);
  }
  const releases = [];
  for (const query of queryQuestions) {
    const { content } = await client.callTool('find_releases', { query, max: 500 });
    releases.push(content!['releases']);
  }
  return { versions, releases };
}

interface Found {
  component: string;
  version: string;
  availableAt?: string;
}

const nameOf = ({ component, version }: Found) => `${component} ${version}`;

/** The API has an order of its own, and says of each release when it entered the index. */
async function byApi(url: string) {
  const ask = async (path: string) => (await fetch(new URL(path, url))).json();
  const versions = [];
  for (const { component, version } of versionQuestions) {
    const answer = await ask(`api/components/${component}/releases/${encodeURIComponent(version)}`);
    versions.push((answer as { detail?: string }).detail ?? answer);
  }
  const releases = [];
  for (const query of queryQuestions) {
    const found = (await ask(`api/releases?maxReleases=1000&query=${encodeURIComponent(query)}`)) as Found[];
    releases.push(found.map(({ availableAt, ...release }) => (availableAt === '' ? undefined : release)));
  }
  return { versions, releases };
}

/** In one order, and without what the API says only where a query asks for it, so that other answers may be kept for an hour. */
const comparable = (releases: readonly unknown[]) =>
  (releases as (Found & { age?: string; supportLeft?: string })[])
    .map(({ age, supportLeft, ...release }) => ({ ...release, ...(age === '' && { supportLeft }) }))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

/** What a person reads: the words of the verdict, how many releases match, and the first hundred of them. */
async function byPage(browser: Browser, url: string) {
  const page = await browser.newPage();
  const versions = [];
  for (const { component, version } of versionQuestions) {
    await page.goto(new URL(`${component}.html`, url).href);
    await page.locator('#mine-version').fill(version);
    versions.push(await page.locator('#mine-answer p').first().textContent());
  }
  await page.goto(new URL('index.html', url).href);
  const releases = [];
  for (const query of queryQuestions) {
    await page.locator('#ask-text').fill('');
    await page.locator('#ask-text').fill(query);
    const said = await page.locator('#ask-answer:not(:empty)').textContent();
    releases.push({ said, names: await page.locator('#ask-results th a').allTextContents() });
  }
  return { versions, releases };
}

// The Worker knows no other day than today. Where that ends meanwhile, it is asked once more.
test('a hundred questions have the same answers at every door', { retry: 1, timeout: 120_000 }, async () => {
  const day = toDay(new Date());
  const out = siteOfFixtureIndex(day);
  const site = await serveSite(out);
  onTestFinished(() => site.close());

  const expected = await byCommand(day);

  const doors: Door[] = [{ url: `${site.url}mcp` }, { args: ['--root', fixtureIndex] }];
  for (const door of doors) {
    const client = await connect(door, 'modern');
    onTestFinished(() => client.close());
    expect(await byTool(client)).toEqual(expected);
  }
  const answered = await byApi(site.url);
  expect(answered.versions).toEqual(expected.versions);
  expect(answered.releases.map(comparable)).toEqual(expected.releases.map(comparable));

  if (findBrowser() !== undefined) {
    const browser = await launchBrowser(findBrowser()!);
    onTestFinished(() => browser.close());
    const read = await byPage(browser, site.url);
    const words = expected.versions.map((answer) =>
      typeof answer === 'string' ? answer : versionText(answer),
    );
    expect(read.versions.map((text, index) => text!.includes(words[index]!))).toEqual(words.map(() => true));
    expect(read.releases.map(({ names }) => names)).toEqual(
      expected.releases.map((found) => (found as Found[]).slice(0, 100).map(nameOf)),
    );
    const counts = expected.releases.map(({ length }) => (length === 0 ? 'No release' : `${length} release`));
    expect(read.releases.map(({ said }, index) => said!.startsWith(counts[index]!))).toEqual(
      counts.map(() => true),
    );
  }

  const listed = expected.versions.filter((answer) => typeof answer === 'object');
  expect([versionQuestions.length + queryQuestions.length, listed.length > 20]).toEqual([100, true]);
  expect(listed.length).toBeLessThan(versionQuestions.length);
  expect(expected.releases.filter((found) => found.length > 0).length).toBeGreaterThan(25);
});
