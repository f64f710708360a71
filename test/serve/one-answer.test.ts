/** One version, five doors: the files, the command, the API, the tool for agents and the page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findVerdict } from '../../src/core/index/verdicts.ts';
import { saveFile } from '../../src/core/files.ts';
import type { Component } from '../../src/core/schema/published.ts';
import { formatDay, nameAnchor } from '../../src/core/words.ts';
import { openIndex } from '../../src/serve/index.ts';
import { openDoors } from '../harness/api.ts';
import { openBrowser, openPage } from '../harness/browser.ts';
import { runCli } from '../harness/cli.ts';
import { exampleDay } from '../harness/example.ts';
import { createFolder } from '../harness/index-folder.ts';
import { connect, openTools, type McpClient } from '../harness/mcp-client.ts';
import { lacks } from '../harness/programs.ts';
import { serveSite } from '../harness/serve-site.ts';
import { buildExample } from '../harness/site.ts';
import { startWorker } from '../harness/worker.ts';
import { buildUncertain, uncertainDay } from '../harness/uncertain.ts';

interface Answer {
  readonly name: string;
  readonly state?: string | undefined;
  /** Both bounds, and whether it is estimated. */
  readonly end: readonly unknown[];
  readonly moveTo?: object | undefined;
  readonly asOf: string;
  readonly words: string;
}

interface Told extends Omit<Answer, 'name' | 'end' | 'words'> {
  readonly supportedUntil?: string | undefined;
  readonly supportedUntilAtMost?: string | undefined;
  readonly isInferred?: boolean | undefined;
  readonly component: string;
  readonly version: string;
  readonly sentence: string;
  readonly advice: string;
}

const out = buildExample();
const readText = (path: string) => readFileSync(join(out, path), 'utf8');
const read = (path: string) => Promise.resolve(readText(path));
const readJson = (path: string): unknown => JSON.parse(readText(path));
const status = readJson('status.json') as { asOf: string };

const names = readJson('index.json') as string[];
const components = names.map((name) => readJson(`details/${name}.json`) as Component);

/** What the files say. */
const expected = components.flatMap(({ component, lines, releases }) =>
  releases.map((release) => {
    const line = lines.find((each) => each.line === release.line)!;
    return describe({ ...line, ...release, component, asOf: status.asOf });
  }),
);

function describe(told: Told): Answer {
  const { component, version, state, moveTo, asOf, sentence, advice } = told;
  const name = `${component} ${version}`;
  const end = [told.supportedUntil, told.supportedUntilAtMost, told.isInferred];
  return { name, state, end, moveTo, asOf, words: `${sentence} ${advice}` };
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

test('every door says that a line is vulnerable, and a reason once', async () => {
  const root = buildUncertain();
  const ask = async (...words: string[]) =>
    (await runCli([...words, '--root', root, '--as-of', uncertainDay])).stdout;
  const answer = await openDoors(join(root, 'dist'))('/api/components/gateway/releases/1.0.9');

  expect(await answer.json()).toMatchObject({
    label: 'Not listed; its line: vulnerable',
    advice: 'Move to 1.1.1 now.',
  });
  for (const [word, fact] of [
    ['gateway', '1.0: Vulnerable, until 2027-10-01; newest 1.0.1, 2 releases. Move to 1.1.1 now.'],
    ['gateway@1.0.9', 'Affected by CVE-2026-1.'],
    ['collector@3.1', '2026-11-19'],
    ['console@5.0', 'It loses sessions.'],
    ['runtime@26.0', 'months of phase'],
  ] as const) {
    expect((await ask('explain', word)).split(fact), word).toHaveLength(2);
  }
  saveFile(join(root, 'list'), 'gateway 1.0.1');
  expect(await ask('scan', join(root, 'list'))).toMatch(/Vulnerable +2027-10-01 +1\.1\.1\n/);
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

const image = 'gradle/build-cache-node';
const agent = '@gradle-tech/develocity-agent';
const digest = `sha256:${'0f'.repeat(32)}`;
const recorded = components
  .find(({ component }) => component === 'build-agent-npm-loader')!
  .releases.find(({ version }) => version === '1.0.0')!.digests![0]!;
const compose = (value: string) =>
  `services:\n  svc:\n    image: ${value}\n    ports:\n      - "8080:80"\n`;
const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
const installed = (dependencies: object) => JSON.stringify({ name: 'app', dependencies });
const bill = (...parts: object[]) => JSON.stringify({ bomFormat: 'CycloneDX', components: parts });
const npm = 'build-agent-npm 4.1.0';
const cache = 'build-cache-node 21.1';
const svc = 'svc 2025.1';
const version = '4.1.0';

/** What people paste, and what it names. */
const pasted: readonly [list: string, names: string][] = [
  [svc, svc],
  ['SVC@2025.1', svc],
  ['svc: v2025.1', svc],
  ['Server 2025.1 # ours', svc],
  ['"svc": "2025.1",', svc],
  ['svc 2025.1.0', svc],
  ['svc 2025.1.9', 'svc 2025.1.9'],
  ['svc 2099.1', 'svc 2099.1'],
  ['svc latest', 'no version'],
  ['svc', 'no version'],
  ['left-pad 1.0', 'not ours'],
  ['what is this', 'nothing'],
  ['# svc 2025.1', 'nothing'],
  ['svc==2025.1 ; python_version >= "3.8"', svc],
  ["svc==2025.1; extra == 'x' and python_version < '4'", svc],
  [`svc[all,dev]==2025.1 \\\n    --hash=${digest} \\\n    --hash=${digest}`, svc],
  [`pkg:npm/%40gradle-tech/develocity-agent@4.1.0`, npm],
  ['pkg:npm/svc@2025.1', 'not ours'],
  ['pkg:generic/svc@2025.1', svc],
  [`pkg:docker/${image}@21.1`, cache],
  [`${image}:21.1`, cache],
  [`mirror.example.com:5000/${image}:21.1@${digest}`, cache],
  [`${image}@${digest}`, 'no version'],
  [`build-agent-npm-loader@${recorded}`, 'build-agent-npm-loader 1.0.0'],
  [compose(`${image}:21.1`), cache],
  [compose(`"${image}:21.1" # cache`), cache],
  [compose(image), 'no version'],
  [compose('svc:2025.1'), 'not ours'],
  [compose('svc'), 'not ours'],
  [compose('${REGISTRY}/cache:${TAG:-21.1}'), 'nothing'],
  [`kind: Pod\nspec:\n  containers:\n  - image: ${image}:21.1\n    name: svc`, cache],
  [`- image: '${image}:21.1'\nsvc: 2025.1`, `${cache}, ${svc}`],
  [lock({ '': { version }, [`node_modules/${agent}`]: { version } }), npm],
  [lock({ 'node_modules/a/node_modules/x': { name: agent, version } }), npm],
  [lock({ 'node_modules/svc': { version: '2025.1' } }), 'not ours'],
  [lock({ [`node_modules/${agent}`]: { resolved: 'packages/agent', link: true } }), 'nothing'],
  [
    installed({
      x: { dependencies: { y: { version, resolved: `https://a.b/${agent}/-/a.tgz` } } },
    }),
    npm,
  ],
  [installed({ [agent]: { version, resolved: 'file:../agent' }, z: {} }), 'nothing'],
  [installed({ svc: { version: '2025.1' } }), 'not ours'],
  [bill({ name: 'x', purl: 'pkg:npm/%40gradle-tech/develocity-agent@4.1.0' }), npm],
  [bill({ group: 'gradle', name: 'build-cache-node', version: '21.1' }), cache],
  [bill(), 'nothing'],
  ['{"bomFormat": "CycloneDX", "components": [', 'nothing'],
  ['<bom><component><name>svc</name></component></bom>', 'nothing'],
];

/** A door's words on a version, if they are those of the files. */
function summarise(name: string, words: string): string {
  const [id, version = ''] = name.split(' ');
  const details = components.find(({ component }) => component === id);
  const { sentence = '' } = (details && findVerdict(details, version)) ?? {};
  const spoken = sentence.replaceAll(/\d{4}-\d\d-\d\d/g, formatDay);
  return words.includes(sentence) || words.includes(spoken) ? name : words;
}

async function judgeByTool(client: McpClient, list: string): Promise<string[]> {
  const { text, content } = await client.callTool('check_versions', { text: list });
  const { items, notRead } = content as { items: Told[]; notRead: string[] };
  const others = { 'no version is stated': 'no version', 'not in the index': 'not ours' };
  return [
    ...items.map((item) => summarise(`${item.component} ${item.version}`, text)),
    ...Object.entries(others).flatMap(([end, name]) =>
      notRead.some((each) => each.endsWith(`: ${end}`)) ? name : [],
    ),
  ];
}

const doors: Readonly<
  Record<string, () => Promise<[(list: string) => Promise<string[]>, () => unknown]>>
> = {
  async scan() {
    const file = join(createFolder(), 'list');
    const judge = async (list: string) => {
      writeFileSync(file, list);
      const options = ['--policy', 'supported', '--json', '--out', out];
      const { status, stdout } = await runCli(['scan', file, ...options]);
      const { results = [] } = (status === 3 ? {} : JSON.parse(stdout)) as {
        results?: { details: { component?: string; version?: string; reason: string } }[];
      };
      return results.map(({ details: { component, version, reason } }) => {
        const isVersion = !/no version/i.test(reason);
        const judged = isVersion ? `${component} ${version}` : 'no version';
        return component === undefined ? 'not ours' : summarise(judged, reason);
      });
    };
    return [judge, () => undefined];
  },
  async check_versions() {
    const client = await openTools(openIndex({ read }));
    return [(list) => judgeByTool(client, list), () => client.close()];
  },
  async 'the Worker'() {
    const worker = await startWorker(out);
    const client = await connect({ url: `${worker.url}/mcp` }, 'modern');
    const close = () => client.close().then(() => worker.close());
    return [(list) => judgeByTool(client, list), close];
  },
  async 'mine.html'() {
    const site = await serveSite(out);
    const browser = await openBrowser();
    const page = await openPage(browser, { width: 1280, scheme: 'light', script: true });
    await page.goto(`${site.url}mine.html`);
    const judge = async (list: string) => {
      await page.evaluate("document.querySelector('#found').textContent = ''");
      await page.fill('textarea', list);
      await page.click('main button');
      await page.locator('#found h2').waitFor();
      const rows = await page.locator('#found li').all();
      const known = rows.map(async (row) => {
        const address = (await row.locator('a').getAttribute('href'))!;
        const words = await row.innerText();
        return words.includes('No version')
          ? 'no version'
          : summarise(decodeURIComponent(address.replace('.html#v', ' ')), words);
      });
      const isOther = (await page.innerText('#found')).includes('Not in this index:');
      return [...(await Promise.all(known)), ...(isOther ? ['not ours'] : [])];
    };
    return [judge, () => browser.close()];
  },
};

test.for(Object.entries(doors))('%s judges what people paste', async ([name, open], context) => {
  context.skip(name === 'mine.html' && lacks('chromium'), 'Chromium is not installed');
  const [judge, close] = await open();
  const judged: [string, string][] = [];
  for (const [list] of pasted) {
    judged.push([list, (await judge(list)).sort().join(', ') || 'nothing']);
  }
  await close();

  expect(judged).toEqual(pasted);
});
