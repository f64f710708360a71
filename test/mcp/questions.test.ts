import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { VersionAnswer } from '../../src/answers/version-answer.ts';
import { toDay } from '../../src/dates.ts';
import { fixtureIndex } from '../harness/checkout.ts';
import { connect, type Door, type McpClient } from '../harness/mcp-clients.ts';
import { queryQuestions, versionQuestions } from '../harness/questions.ts';
import { temporaryFolder } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { serveSite } from '../harness/worker.ts';

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
    const words = `${answer.verdict} ${answer.move}`.trim();
    expect(text).toContain(words);
    versions.push(answer.isListed ? answer : words);
  }
  const releases = [];
  for (const query of queryQuestions) {
    const { content } = await client.callTool('find_releases', { query, max: 500 });
    releases.push(content!['releases']);
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
  const listed = expected.versions.filter((answer) => typeof answer === 'object');
  expect([versionQuestions.length + queryQuestions.length, listed.length > 20]).toEqual([100, true]);
  expect(listed.length).toBeLessThan(versionQuestions.length);
  expect(expected.releases.filter((found) => found.length > 0).length).toBeGreaterThan(25);
});
