import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { askList, browserTest as test, openPage } from '../../harness/browser.ts';
import { buildFolder, writeIndex } from '../../harness/components.ts';
import { exampleDay } from '../../harness/example.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';

const out = buildExample();
const site = await serveSite(out);
let page: Page;

beforeAll(async () => {
  page = await openPage();
  await page.clock.setFixedTime(`${exampleDay}T12:00:00Z`);
});

const visit = (path: string) => page.goto(site.url + path);

test('a page shows how many weeks are left until an end of support', async () => {
  expect(readFileSync(join(out, 'svc.html'), 'utf8')).not.toContain(exampleDay);
  await visit('svc.html');

  expect(await page.locator('footer').innerText()).toContain('Built 27 Nov 2026');
  expect(await page.locator('#line-2025\\.2 .support-end').innerText()).toBe(
    'until 15 Jan 2027 in 7 weeks',
  );
});

describe('the search box', () => {
  test('opens the page of a component at the requested version', async () => {
    await visit('index.html?q=svc+2025.1');
    await page.waitForURL(`${site.url}svc.html#v2025.1`);
  });

  test('answers a query with a table, and shows the table again after a reload', async () => {
    await visit('index.html');
    await page.fill('#ask-text', 'component:svc state:ends-soon');
    await page.press('#ask-text', 'Enter');
    await page.locator('#answer table').waitFor();

    const row = await page.locator('#answer tbody tr').innerText();
    expect(row.replaceAll(/\s+/g, ' ')).toBe(
      'Server 2025.2 Ends soon 15 Jan 2027 (estimated) Move to: 2026.3',
    );
    await page.reload();
    await page.locator('#answer table').waitFor();
    await page.goBack();
    await page.locator('#answer:empty').waitFor({ state: 'attached' });
  });

  test('sorts the results of a query about ends of support by date', async () => {
    await visit(`index.html?q=${encodeURIComponent('supportedUntil:* isNewestOfLine')}`);
    await page.locator('#answer table').waitFor();
    const cells = await page.locator('#answer td:last-child > div').allTextContents();
    const days = cells.map((cell) => Date.parse(/\d+ \w{3} \d{4}/.exec(cell)![0]));

    expect(days.length).toBeGreaterThan(10);
    expect(days).toEqual(days.toSorted((a, b) => a - b));
  });

  test('answers a question without loading the page or a script again', async () => {
    await visit('index.html');
    await page.evaluate('window.isMarked = true');
    const from = site.asked.length;
    for (const text of ['component:svc state:ends-soon', 'component:edge-node isLatest']) {
      await page.fill('#ask-text', text);
      await page.press('#ask-text', 'Enter');
      await page.locator('caption', { hasText: text }).waitFor();
    }

    expect(await page.evaluate('window.isMarked')).toBe(true);
    expect(site.asked.slice(from).filter((path) => /js$|html|[?]/.test(path))).toEqual([]);
  });
});

describe('the search box', () => {
  const readNames = () => page.locator('#answer li').allInnerTexts();

  test('finds components by a part of their title or name', async () => {
    await visit('index.html');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.fill('#ask-text', 'NODE');
    await page.locator('#answer li').first().waitFor();
    const nodes = [
      expect.stringMatching(/^Build cache node 21\.2 replaced by Edge node /),
      expect.stringMatching(/^Edge node /),
    ];
    expect(await readNames()).toEqual(nodes);

    await page.fill('#ask-text', 'agent build python');
    await page.locator('#answer li', { hasText: 'Python' }).waitFor();
    expect(await readNames()).toHaveLength(1);
    await page.fill('#ask-text', 'node');
    await page.press('#ask-text', 'Enter');
    await page.waitForURL(/q=node$/);
    await expect.poll(readNames).toHaveLength(nodes.length);
    // The home page already contains the names of all components, so the search requests no other file.
    expect(requests.filter((url) => /search|details/.test(url))).toEqual([]);

    await page.fill('#ask-text', '');
    await page.locator('#answer:empty').waitFor({ state: 'attached' });
  });
});

test('a link to a version scrolls to the line of the version', async () => {
  await visit('svc.html#v2025.1');

  const line = page.locator('[id="line-2025.1"]');
  await expect.poll(async () => Math.round((await line.boundingBox())!.y)).toBe(16);
});

test('the version box of a component page explains a version, and links to the table row of that version', async () => {
  await visit('svc.html');
  await page.fill('#own-version', '2025.1');
  await page.press('#own-version', 'Enter');
  const answer = page.locator('.own-version output');
  await answer.locator('a').waitFor();

  expect(await answer.innerText()).toMatch(
    /^2025\.1: Ended\.\s+Server 2025\.1 was supported until 8 Oct 2026.*Move to 2026\.3/,
  );
  expect(await page.evaluate('scrollY')).toBe(0);
  await answer.locator('a').click();
  await page.locator('[id="v2025.1"]').waitFor();
  expect(new URL(page.url()).hash).toBe('#v2025.1');
});

test('each letter on a large home page links to the first component with that letter', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, place) => {
      const title = `${String.fromCodePoint(65 + (place % 20))}gent ${place}`;
      return [`agent-${place}`, { definition: { title } }];
    }),
  );
  const root = writeIndex({ ...many, last: { definition: { title: 'Éclair' } } });
  buildFolder(root, exampleDay);
  const other = await serveSite(join(root, 'dist'));
  const phone = await openPage({ width: 390 });
  await phone.goto(`${other.url}index.html`);
  const letters = phone.locator('.letters a');

  expect(await letters.allTextContents()).toEqual([...'ABCDEFGHIJKLMNOPQRST']);
  await letters.filter({ hasText: 'E' }).click();
  expect(await phone.locator('li:target').textContent()).toContain('Éclair');
});

test('without script, a link to a version opens the table row of that version', async () => {
  const plain = await openPage({ script: false });
  await plain.goto(`${site.url}svc.html#v2025.1`);
  await plain.locator('[id="v2025.1"]').waitFor();
  await plain.goto(`${site.url}svcctl.html#v1.18`);
  await plain.locator('[id="v1.18"] .verdict-here').waitFor();
  expect(await plain.locator('[id="v1.19"] .verdict-here').count()).toBe(0);
  expect(await plain.locator('.needs-script:visible').count()).toBe(0);
});

test('without script, a page does not load files that only the search needs', async () => {
  const plain = await openPage({ script: false });
  const from = site.asked.length;
  await plain.goto(`${site.url}index.html`, { waitUntil: 'networkidle' });
  await plain.goto(`${site.url}mine.html`, { waitUntil: 'networkidle' });

  expect(site.asked.slice(from)).toContain('/mine.html');
  expect(site.asked.slice(from)).not.toContain('/status.json');
});

describe('mine.html', () => {
  const readRows = () => page.locator('#answer li > span:first-child').allTextContents();

  test('lists the most urgent versions first', async () => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
    await visit('mine.html');
    await askList(
      page,
      'edge-node 2.1.0\nsvc 2025.2\nredis 7.0\ngradle/build-cache-node:21.2\nsvc 2025.1\nwhat is this\nsvc 2026.2',
    );

    expect(await readRows()).toEqual([
      'Server 2025.1',
      'Build cache node 21.2',
      'Server 2025.2',
      'Server 2026.2',
      'Edge node 2.1.0',
      'redis 7.0',
      'line 6: what is this',
    ]);
    expect(await page.locator('#answer h2').textContent()).toBe('3 of 5 need action, 2 not judged');
    expect(requests.filter((request) => !request.startsWith(`GET ${site.url}`))).toEqual([]);
    expect(requests.filter((request) => request.includes('2025'))).toEqual([]);

    const address = page.url();
    expect(address).toMatch(
      /#c=svc@2025\.1,build-cache-node@21\.2,.*,redis%207\.0,what%20is%20this$/,
    );
    await page.goto('about:blank');
    await page.goto(address);
    await page.locator('#answer h2', { hasText: '3 of 5' }).waitFor();
  });

  test('judges the versions in an opened file', async () => {
    await visit('mine.html');
    const buffer = Buffer.from('pkg:npm/%40gradle-tech/develocity-agent@4.1.0');
    await page.setInputFiles('[type=file]', { name: 'a.txt', mimeType: 'text/plain', buffer });
    await page.locator('#answer h2').waitFor();

    expect(await readRows()).toEqual(['Build agent for npm 4.1.0']);
    await page.evaluate("document.querySelector('#answer').textContent = ''");
    await page.click('.my-list button');
    await page.locator('#answer h2').waitFor();
    expect(await readRows()).toEqual(['Build agent for npm 4.1.0']);
  });

  test('ignores a late answer to an earlier list', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/details/svc.json', async (route) => {
      await held;
      await route.continue();
    });
    await visit('mine.html');
    await page.fill('textarea', 'svc 2025.1');
    const slow = page.waitForRequest('**/details/svc.json');
    await page.click('.my-list button');
    await slow;
    await askList(page, 'edge-node 2.1.0');

    const answered = page.waitForResponse('**/details/svc.json');
    release();
    await (await answered).finished();
    await page.unroute('**/details/svc.json');
    await page.evaluate('new Promise((done) => setTimeout(done))');
    expect(await page.locator('#answer li').allTextContents()).toHaveLength(1);
    expect(await page.locator('#answer li').innerText()).toContain('Edge node 2.1.0');
  });
});

describe('every page', () => {
  beforeAll(() => visit('svc.html'));

  test('can be used with only the keyboard', async () => {
    await page.keyboard.press('Tab');
    await page.locator('.skip-link:focus', { hasText: 'Skip to content' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#main:focus').waitFor();

    await page.focus('[id="line-2025.2"] summary');
    await page.keyboard.press('Enter');
    await page.locator('[id="v2025.2"]').waitFor();
    await page.focus('.tabs input >> nth=0');
    await page.keyboard.press('ArrowRight');
    await page.locator('.tabs .snippet', { hasText: 'build.yml' }).waitFor();
  });

  test('is printed on paper without buttons and navigation', async () => {
    await page.emulateMedia({ media: 'print' });
    for (const selector of ['nav', '.own-version', '.copy >> nth=0']) {
      await page.locator(selector).first().waitFor({ state: 'hidden' });
    }
    for (const selector of ['h1', '.hero', '#lines .plan', '#lines > .fold .plan details']) {
      expect(await page.locator(selector).first().isVisible(), selector).toBe(true);
    }
    await page.locator('#lines > .fold > summary').waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'screen' });
  });

  test('has copy buttons that copy the text next to them', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.headline .copy').click();
    await page.locator('.headline .copy', { hasText: 'Copied' }).waitFor();

    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('2026.3');
  });

  test.each([
    ['2026-11-30', 0],
    ['2026-12-01', 1],
  ])('starts to warn about old data on 1 December 2026: opened on %s', async (day, count) => {
    await page.clock.setFixedTime(`${day}T12:00:00Z`);
    await visit('status.html');

    expect(await page.locator('.age-warning').count()).toBe(count);
  });
});
