/** One version, five doors: the files, the command, the API, the tool for agents and the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Component } from '../../src/core/schema/published.ts';
import { nameAnchor } from '../../src/core/words.ts';
import { openIndex } from '../../src/serve/index.ts';
import { openDoors } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';
import { exampleDay } from '../harness/example.ts';
import { openTools } from '../harness/mcp-client.ts';
import { buildExample } from '../harness/site.ts';

interface Answer {
  readonly name: string;
  readonly state?: string | undefined;
  readonly supportedUntil?: string | undefined;
  readonly moveTo?: object | undefined;
  readonly asOf: string;
  readonly words: string;
}

interface Told extends Omit<Answer, 'name' | 'words'> {
  readonly component: string;
  readonly version: string;
  readonly sentence: string;
  readonly advice: string;
}

const out = buildExample();
const readText = (path: string) => readFileSync(join(out, path), 'utf8');
const readJson = (path: string): unknown => JSON.parse(readText(path));
const status = readJson('status.json') as { asOf: string };

const names = readJson('index.json') as string[];
const components = names.map((name) => readJson(`details/${name}.json`) as Component);

/** What the files say. */
const expected = components.flatMap(({ component, lines, releases }) =>
  releases.map((release) => {
    const { supportedUntil } = lines.find(({ line }) => line === release.line)!;
    return describe({ ...release, component, supportedUntil, asOf: status.asOf });
  }),
);

function describe(told: Told): Answer {
  const { component, version, state, supportedUntil, moveTo, asOf, sentence, advice } = told;
  const name = `${component} ${version}`;
  return { name, state, supportedUntil, moveTo, asOf, words: `${sentence} ${advice}` };
}

async function askEach(ask: (component: string, version: string) => Promise<Told>) {
  const answers: Answer[] = [];
  for (const { name } of expected) {
    const [component = '', version = ''] = name.split(' ');
    answers.push(describe(await ask(component, version)));
  }
  return answers;
}

test('the files have verdicts on 335 releases', () => {
  expect(expected).toHaveLength(335);
  expect(new Set(expected.map(({ state }) => state)).size).toBeGreaterThan(3);
  expect(status.asOf).toBe(exampleDay);
});

test('explain says what the files say', async () => {
  const answers = await askEach(async (component, version) => {
    const { stdout } = await runCli(['explain', component, version, '--out', out, '--json']);
    return JSON.parse(stdout) as Told;
  });

  expect(answers).toEqual(expected);
});

test('the API says what the files say', async () => {
  const ask = openDoors(out);
  const answers = await askEach(async (component, version) => {
    const answer = await ask(`/api/components/${component}/releases/${version}`);
    return (await answer.json()) as Told;
  });

  expect(answers).toEqual(expected);
});

test('the tool says what the files say', async () => {
  const read = (path: string) => Promise.resolve(readText(path));
  const client = await openTools(openIndex({ read }));
  const answers: Answer[] = [];
  for (const asked of [expected.slice(0, 200), expected.slice(200)]) {
    const list = asked.map(({ name }) => name).join('\n');
    const { text, content } = await client.callTool('check_versions', { text: list });
    const { asOf, items } = content as { asOf: string; items: Told[] };
    const lines = text.split('\n');
    for (const [index, item] of items.entries()) {
      const { words } = asked[index]!;
      // Before them stands the label, and behind them the reasons.
      const isSaid = lines[index]!.includes(words);
      answers.push({ ...describe({ ...item, asOf }), words: isSaid ? words : text });
    }
  }
  await client.close();

  expect(answers).toEqual(expected);
});

/** The text of a piece of a page, with days as in files. */
function readPage(html: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return html
    .replaceAll(/<time datetime="([^"]+)">[^<]*<\/time>/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#x27;/g, "'")
    .replaceAll(/&(\w+);/g, (text, name: string) => entities[name] ?? text);
}

/** What a page says of a release: in its row, else with its line, else once for all. */
function findWords(page: string, { title, support }: Component, version: string, line: string) {
  const [before = '', after = ''] = page.split(`<tr id="${nameAnchor(version)}">`);
  const row = after.slice(0, after.indexOf('</tr>'));
  const own = /<p class="verdict-here">(.*?)<\/p>/.exec(row)?.[1];
  const fold = before.split(`<details id="line-${line}"`)[1];
  const ofLine = /<p class="sentence"[^>]*>(.*?)<\/p>/.exec(fold ?? '')?.[1];
  if (own !== undefined || ofLine !== undefined) {
    return readPage(own ?? ofLine!).replace(`${title} ${line} `, `${title} ${version} `);
  }
  return readPage(page).includes(support.description) ? support.description : 'nothing';
}

/** Where nothing is due and no line has an end, a page may say so once for all releases. */
function shorten({ name, asOf, words }: Pick<Answer, 'name' | 'asOf' | 'words'>) {
  return { name, asOf, words: words.replace(/^(No end of support is stated) for .*/, '$1.') };
}

test('the page says what the files say', () => {
  const answers = components.flatMap((component) => {
    const page = readText(`${component.component}.html`);
    const [, asOf = ''] = /<footer>[^]*?Built <time datetime="([^"]+)"/.exec(page)!;
    return component.releases.map(({ version, line }) => {
      const words = findWords(page, component, version, line);
      return shorten({ name: `${component.component} ${version}`, asOf, words });
    });
  });

  expect(answers).toEqual(expected.map(shorten));
});
