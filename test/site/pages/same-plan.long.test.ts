import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { formatDay, splitDays } from '../../../src/core/model/dates.ts';
import type { Plan, PlanStep } from '../../../src/core/schemas/published/plan-answer.ts';
import { listMoves } from '../../../src/ask/plan/plan-outcomes.ts';
import { describeResolutions } from '../../../src/ask/plan/plan-words.ts';
import { apiOf } from '../../harness/api.ts';
import { openTools } from '../../harness/mcp-clients.ts';
import { makeRoot } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { folderWith } from '../../harness/scanning.ts';
import { siteOf } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';
import { replaced, stops } from '../../ask/plan/checked-plans.ts';
import { asOf, buildFixtureIndex } from './built-site.ts';
import { describeInBrowser, type Visitor } from './visit.ts';

/** The plan of the API for the versions of a list. */
async function planOfApi(folder: string, list: readonly string[]): Promise<Plan> {
  const query = list.map((version) => `with=${encodeURIComponent(version)}`).join('&');
  const response = await apiOf(folder)(`/api/plan?${query}`);

  return (await response.json()) as Plan;
}

async function planOfTool(folder: string, list: readonly string[]): Promise<unknown> {
  const client = await openTools(folder, asOf);
  const { content } = await client.callTool('check_versions', { text: list.join('\n') });
  await client.close();

  return content;
}

async function planOfScan(folder: string, list: readonly string[]): Promise<unknown> {
  const file = join(folderWith({ 'list.txt': list.join('\n') }), 'list.txt');
  const options = ['--index', await startSite(folder), '--as-of', asOf, '--json'];
  const { stdout } = await runHere(['scan', file, ...options]);

  return (JSON.parse(stdout) as { plan: unknown }).plan;
}

const readable = (text: string) =>
  splitDays(text)
    .map(({ text, isDay }) => (isDay ? formatDay(text) : text))
    .join('');

const pathOf = (step: PlanStep) =>
  listMoves(step)
    .map(({ from, to, goal }) => `${from} > ${to.version}${goal ? `, then ${goal.version}` : ''}`)
    .join(' and ');

/** What a plan says to a person. */
function planInWords(plan: Plan) {
  return {
    text: plan.text,
    steps: plan.steps.map((step) => [
      step.by === undefined ? 'Now' : `By ${formatDay(step.by)}`,
      pathOf(step),
      readable(step.text),
    ]),
    resolved: plan.steps
      .filter(({ reason }) => reason !== 'conflict')
      .flatMap(({ resolves }) => resolves.map(({ text }) => text)),
    conflicts: plan.conflicts.map(({ text, ways }) => [readable(text), describeResolutions(ways)]),
    notes: plan.notes.map(readable),
    questions: plan.notRead.flatMap(({ didYouMean = [] }) => didYouMean),
  };
}

/** What the page says. */
async function planOnPage(page: Page): Promise<ReturnType<typeof planInWords>> {
  const texts = async (selector: string) =>
    (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  const numbered = '.steps > li:has(.actions)';
  const whens = await texts(`${numbered} > .when`);
  const paths = await texts(`${numbered} > h2`);
  const reasons = await texts(`${numbered} > .why`);
  const conflicts = await texts('.steps > [data-mark="!"] > h2');
  const ways = await texts('.steps > [data-mark="!"] > .why');
  const withoutSource = (text: string) => text.replace(/ Source$/, '').trim();

  return {
    text: (await page.locator('h1').textContent())!,
    steps: whens.map((when, place) => [
      when.replace(/:.*/, ''),
      paths[place]!.split(', and ')
        .map((path) => path.replace(/^.* (\S+) → (?:[^,]* )?([^\s,]+)(, then \S+)?$/, '$1 > $2$3'))
        .join(' and '),
      reasons[place]!,
    ]),
    resolved: (await texts('.effects dd > span')).map(withoutSource),
    conflicts: conflicts.map((text, place) => [text, withoutSource(ways[place]!)]),
    notes: await texts('#plan-beside .left-out li'),
    questions: (await texts('.questions li button')).map((text) => text.replace('Yes, ', '')),
  };
}

/** The versions that run once each step is done. */
function runningAfter({ items, steps }: Plan): Set<string>[] {
  let running = items.map(({ component, version }) => ({ component, version }));

  return steps.map((step) => {
    running = running.map((each) => {
      const move = listMoves(step).find(
        ({ component, from }) => component === each.component && from === each.version,
      );
      return move ? move.to : each;
    });
    return new Set(running.map(({ version }) => version));
  });
}

/** The versions that each step keeps fitting, as the page says. */
async function keptOnPage(page: Page): Promise<string[][]> {
  const steps = await page.locator('.steps > li:has(.actions)').all();

  return Promise.all(
    steps.map(async (step) => {
      const row = step.locator('.effects > div', { hasText: 'Keeps fitting' }).locator('dd');
      const names = (await row.allInnerTexts()).flatMap((text) => text.split(', '));
      return names.map((name) => name.split(' ').at(-1)!);
    }),
  );
}

const lists: Readonly<Record<'fixture' | 'stops' | 'replaced', readonly string[]>> = {
  fixture: [
    'svc@2025.2 svc@2025.1 edge-node@1.7 build-agent@4.2.2',
    'svc@2026.3',
    'svc@2024.1 edge-node@2.1 build-agent@3.17 build-cache-node@20.1 svcctl@1.19',
    'svc@9999.1 edge-node@1.0.0 reporting-kit@1.0',
  ],
  stops: [
    'core@1.0 agent@1.0',
    'core@1.0 plug@1.0 probe@1.0',
    'agent@2.0 core@3.0 probe@1.1',
    'core@2.0 agent@3.0 plug@1.1',
  ],
  replaced: [
    'server@2.0 node@20.0',
    'server@3.0 node@20.0 tool@1.0',
    'server@1.0 node@21.0 edge@1.7 lib@2.1',
    'edge@1.0 server@1.0 tool@2.0',
  ],
};

function compareDoors(visitor: Visitor, list: readonly string[]): void {
  it.each(list.map((text) => [text.split(' ')]))('is the same at each door: %s', async (text) => {
    const plan = await planOfApi(visitor.folder, text);

    expect(await planOfTool(visitor.folder, text)).toMatchObject(plan);
    expect(await planOfScan(visitor.folder, text)).toEqual(plan);

    await visitor.visit(`mine.html#c=${text.join(',')}`, {}, async (page) => {
      await page.locator('.steps').waitFor();
      await page.locator('.exports').waitFor();

      expect(await planOnPage(page)).toEqual(planInWords(plan));

      const running = runningAfter(plan);
      for (const [place, versions] of (await keptOnPage(page)).entries()) {
        expect([...running[place]!]).toEqual(expect.arrayContaining(versions));
      }
    });
  });
}

describeInBrowser('a plan', buildFixtureIndex, (visitor) => {
  compareDoors(visitor, lists.fixture);

  it('has a question for a person where programs get a hint, and the same steps', async () => {
    const list = ['severr 2025.1', 'svc 2025.2'];
    const plan = await planOfApi(visitor.folder, list);
    const confirmed = await planOfApi(visitor.folder, ['svc@2025.1', 'svc@2025.2']);

    expect(plan.notRead).toEqual([
      { line: 1, text: 'severr 2025.1', reason: 'unknown', didYouMean: ['svc@2025.1'] },
    ]);
    expect(await planOfTool(visitor.folder, list)).toMatchObject(plan);
    expect(await planOfScan(visitor.folder, list)).toEqual(plan);

    await visitor.visit(`mine.html#c=${list.map(encodeURIComponent).join()}`, {}, async (page) => {
      await page.locator('.questions').waitFor();
      const asked = await planOnPage(page);

      expect(asked.text).toMatch(/^1 question first\. Then /);
      expect(asked.questions).toEqual(['Server 2025.1']);
      expect(asked.steps).toEqual(planInWords(plan).steps);

      await page.getByRole('button', { name: 'Yes, Server 2025.1' }).click();
      await page.getByText('2 statements, 2 read.').waitFor();

      expect(await planOnPage(page)).toEqual(planInWords(confirmed));
    });
  });
});

describeInBrowser(
  'a plan through stops',
  () => siteOf(makeRoot(stops), asOf),
  (visitor) => compareDoors(visitor, lists.stops),
);

describeInBrowser(
  'a plan with replacements',
  () => siteOf(makeRoot(replaced), asOf),
  (visitor) => compareDoors(visitor, lists.replaced),
);
