/** One version, five doors: the files, the command, the API, the tool for agents and the page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSite } from '../../src/core/index/site-reader.ts';
import type { Verdict } from '../../src/core/schema/documents.ts';
import { describeRelease, formatDay, nameAnchor } from '../../src/core/words.ts';
import { openIndex } from '../../src/serve/published-index.ts';
import type { PolicyScan } from '../../src/serve/scan.ts';
import { openDoors } from '../harness/api.ts';
import { openPage } from '../harness/browser.ts';
import { runCli } from '../harness/cli.ts';
import { exampleDay as asOf } from '../harness/example.ts';
import { createFolder } from '../harness/index-folder.ts';
import { openTools } from '../harness/mcp-client.ts';
import { lacks } from '../harness/programs.ts';
import { serveSite } from '../harness/serve-site.ts';
import { buildExample } from '../harness/site.ts';
import { buildUncertain, uncertainDay } from '../harness/uncertain.ts';

type Told = Verdict & { component: string; asOf: string };

const out = buildExample();
const index = openIndex(openSite(out));
const names = Object.keys((await index.status()).components);
const components = await Promise.all(names.map(async (name) => (await index.details(name))!));

/** What the files say. */
const expected = components.flatMap(({ component, lines, releases }) =>
  releases.map((release) => {
    const line = lines.find((each) => each.line === release.line)!;
    const words = describeRelease(release, lines);
    return describe({ ...line, ...release, ...words, component, isListed: true, asOf });
  }),
);

/** With both bounds, and whether they are estimated. */
function describe(told: Told) {
  const { component, version, state, moveTo, sentence, advice } = told;
  const end = [told.supportedUntil, told.supportedUntilAtMost, told.isInferred];
  const words = `${sentence} ${advice}`;
  return { name: [component, version], state, end, moveTo, asOf: told.asOf, words };
}

test('the files have verdicts on 335 releases', () => {
  expect(expected).toHaveLength(335);
  expect(new Set(expected.map(({ state }) => state)).size).toBeGreaterThan(3);
});

const ask = openDoors(out);

test('the API says what the files say', async () => {
  for (const answer of expected) {
    const response = await ask(`/api/components/${answer.name.join('/releases/')}`);
    expect(describe((await response.json()) as Told)).toEqual(answer);
  }
});

test('explain says what the files say, of each state of a component', async () => {
  const states = Map.groupBy(expected, ({ name: [component], state }) => `${component} ${state}`);
  for (const [answer] of states.values()) {
    const { stdout } = await runCli(['explain', ...answer!.name, '--out', out, '--json']);
    expect(describe(JSON.parse(stdout) as Told)).toEqual(answer);
  }
});

test('the tool says what the files say', async () => {
  const client = await openTools(index);
  for (const asked of [expected.slice(0, 200), expected.slice(200)]) {
    const list = asked.map(({ name }) => name.join(' ')).join('\n');
    const { text, content } = await client.callTool('check_versions', { text: list });
    const { asOf, items } = content as { asOf: string; items: Told[] };
    const lines = text.split('\n');

    const told = asked.map(({ name, words }) => {
      const place = items.findIndex(
        ({ component, version }) => `${component} ${version}` === name.join(' '),
      );
      return {
        ...describe({ ...items[place]!, asOf }),
        words: lines[place]!.includes(words) ? words : text,
      };
    });
    expect(told).toEqual(asked);
  }
  await client.close();
});

/** The text of a piece of a page, with days as in files. */
function readPage(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
  return html
    .replaceAll(/<time datetime="([^"]+)">[^<]*<\/time>/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(#?\w+);/g, (text, name: string) => entities[name] ?? text);
}

test.each(components)('the page of $component says what the files say', (details) => {
  const { component, support, lines, releases } = details;
  const page = readFileSync(join(out, `${component}.html`), 'utf8');
  expect(page).toContain(`Built <time datetime="${asOf}"`);
  for (const release of releases) {
    const { version, line } = release;
    const { sentence, advice } = describeRelease(release, lines);
    const [before = '', after = ''] = page.split(`<tr id="${nameAnchor(version)}">`);
    const row = after.slice(0, after.indexOf('</tr>'));
    const fold = before.split(`<details id="line-${line}"`)[1] ?? '';
    // In its row, else with its line, else once for all.
    const words =
      /<p class="verdict-here">(.*?)<\/p>/.exec(row)?.[1] ??
      /<p class="sentence"[^>]*>(.*?)(?: <a class="note"|<\/p>)/
        .exec(fold)?.[1]
        ?.replace(line, version) ??
      page;

    if (words === page) {
      expect(sentence).toMatch(/^No end of support is stated for /);
      expect(readPage(page)).toContain(support.description);
    } else {
      expect(readPage(words)).toBe(`${sentence} ${advice}`);
    }
  }
});

const digest = `sha256:${'0f'.repeat(32)}`;

test('every door says that a line is vulnerable, a reason once, and a digest', async () => {
  const root = buildUncertain();
  const run = async (...words: string[]) =>
    (await runCli([...words, '--root', root, '--as-of', uncertainDay])).stdout;
  const read = async (path: string) =>
    (await openDoors(join(root, 'dist'))(`/api/components/${path}`)).json();

  expect(await read('gateway/releases/1.0.9')).toMatchObject({
    label: 'Not listed; its line: vulnerable',
    advice: 'Move to 1.1.1 now.',
  });
  expect(await read('console/releases/6.0')).toMatchObject({ digest });
  expect(readFileSync(join(root, 'dist/console.html'), 'utf8')).toContain(`>${digest}</`);
  for (const [word, fact] of [
    ['gateway', '1.0: vulnerable, until 2027-10-01; newest 1.0.1, 2 releases. Move to 1.1.1 now.'],
    ['gateway@1.0.9', 'Affected by CVE-2026-1.'],
    ['collector@3.1', '2026-11-19'],
    ['console@5.0', 'It loses sessions.'],
    ['console@6.0', `Digest: ${digest}\n`],
    ['runtime@26.0', 'months of phase'],
  ] as const) {
    expect((await run('explain', word)).split(fact), word).toHaveLength(2);
  }
  const list = join(createFolder(), 'list');
  writeFileSync(list, 'gateway 1.0.1');
  expect(await run('scan', list)).toMatch(/Vulnerable +2027-10-01 +1\.1\.1 +secure\n/);
});

const image = 'gradle/build-cache-node';
const agent = '@gradle-tech/develocity-agent';
const loader = (await index.details('build-agent-npm-loader'))!;
const recorded = loader.releases.find((release) => release.version === '1.0.0')!.digests![0]!;
const bill = (...parts: object[]) => JSON.stringify({ bomFormat: 'CycloneDX', components: parts });
const lock = { 'node_modules/a/node_modules/x': { name: agent, version: '4.1.0' } };
const cache = 'build-cache-node 21.1';
const svc = 'svc 2025.1';

/** What people paste, one of each form, and what it names. */
const pasted: readonly [list: string, names: string][] = [
  ['left-pad 1.0', 'not ours'],
  [`svc[all,dev]==2025.1 \\\n    --hash=${digest} \\\n    --hash=${digest}`, svc],
  [`${image}@${digest}`, 'no version'],
  [`build-agent-npm-loader@${recorded}`, 'build-agent-npm-loader 1.0.0'],
  [`kind: Pod\nspec:\n  containers:\n  - image: ${image}:21.1\n    name: svc`, cache],
  [`- image: '${image}:21.1'\nsvc: 2025.1`, `${cache}, ${svc}`],
  [JSON.stringify({ lockfileVersion: 3, packages: lock }), 'build-agent-npm 4.1.0'],
  [bill({ group: 'gradle', name: 'build-cache-node', version: '21.1' }), cache],
  ['{"bomFormat": "CycloneDX", "components": [', 'nothing'],
];

/** A door's words on a version, if they are those of the files. */
function summarise(name: string, words: string): string {
  const [id, version = ''] = name.split(' ');
  const details = components.find(({ component }) => component === id);
  const release = details?.releases.find((each) => each.version === version);
  const sentence =
    (release && describeRelease(release, details!.lines).sentence) ??
    `${details?.title} ${version} is not `;
  const spoken = sentence.replaceAll(/\d{4}-\d\d-\d\d/g, formatDay);
  return [sentence, spoken].some((each) => words.includes(each)) ? name : words;
}

type Judge = (list: string) => Promise<string[]>;

const doors: Readonly<Record<string, () => Judge | Promise<Judge>>> = {
  scan() {
    const file = join(createFolder(), 'list');
    return async (list) => {
      writeFileSync(file, list);
      const options = ['--policy', 'supported', '--json', '--out', out];
      const { stdout } = await runCli(['scan', file, ...options]);
      const { results = [] } = JSON.parse(stdout) as { results?: PolicyScan[] };
      return results.map(({ details: { component, version, reason } }) => {
        const judged = summarise(`${component} ${version}`, reason);
        const obstacle = /no version/i.test(reason) ? 'no version' : judged;
        return component === undefined ? 'not ours' : obstacle;
      });
    };
  },
  async check_versions() {
    const client = await openTools(index);
    onTestFinished(() => client.close());
    return async (list) => {
      const { text, content } = await client.callTool('check_versions', { text: list });
      const { items = [], notRead = [] } = (content ?? {}) as {
        items?: Told[];
        notRead?: string[];
      };
      const problems = notRead.join('\n');
      return [
        ...items.map((item) => summarise(`${item.component} ${item.version}`, text)),
        ...(/no version/i.test(problems) ? ['no version'] : []),
        ...(problems.includes('does not know') ? ['not ours'] : []),
      ];
    };
  },
  async 'mine.html'() {
    const site = await serveSite(out);
    const page = await openPage();
    await page.goto(`${site.url}mine.html`);
    return async (list) => {
      await page.evaluate("document.querySelector('#answer').textContent = ''");
      await page.fill('textarea', list);
      await page.click('main button');
      await page.locator('#answer h2').waitFor();
      const rows = await page.locator('#answer li').all();
      const judged = rows.map(async (row) => {
        const address = (await row.locator('a').getAttribute('href'))!;
        const words = await row.innerText();
        return words.includes('No verdict')
          ? 'no version'
          : summarise(decodeURIComponent(address.replace('.html#v', ' ')), words);
      });
      const isOther = (await page.innerText('#answer')).includes('Not in this index:');
      return [...(await Promise.all(judged)), ...(isOther ? ['not ours'] : [])];
    };
  },
};

test.for(Object.entries(doors))('%s judges what people paste', async ([name, open], context) => {
  context.skip(name === 'mine.html' && lacks('chromium'), 'Chromium is not installed');
  const judge = await open();
  const judged: [string, string][] = [];
  for (const [list] of pasted) {
    judged.push([list, (await judge(list)).sort().join(', ') || 'nothing']);
  }

  expect(judged).toEqual(pasted);
});
