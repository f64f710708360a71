import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { browserTest as test, openPage } from '../../harness/browser.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';

const site = await serveSite(buildExample());
let page: Page;

beforeAll(async () => {
  page = await openPage();
});
beforeEach(() => page.unrouteAll());

const see = (selector: string, text: string | RegExp) =>
  page.locator(selector, { hasText: text }).first().waitFor();
/** Opens a page, and waits until its script handles the forms. Before that, a form would load another page. */
const openAt = (path: string) => page.goto(site.url + path, { waitUntil: 'domcontentloaded' });

async function ask(input: string, text: string): Promise<void> {
  await page.fill(input, text);
  await page.press(input, 'Enter');
}

/** Delays requests for a path until the returned function is called. */
async function hold(path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/${path}`, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Runs `act`, and fails if it reloads the page. */
async function stayOnPage(act: () => Promise<unknown>): Promise<void> {
  await page.evaluate('window.isMarked = true');
  await act();
  expect(await page.evaluate('window.isMarked')).toBe(true);
}

describe.each([
  ['index.html', '#ask-text', '#answer', 'status.json', 'isLatest:true', /^Matches of/],
  ['index.html', '#ask-text', '#answer', 'assets/answers.js', 'isLatest:true', /^Matches of/],
  ['svc.html', '#own-version', '.own-version output', 'details/svc.json', '2025.2', /: Ends soon/],
  ['mine.html', 'textarea', '#answer', 'assets/answers.js', 'svc 2025.1', /1 of 1 needs action/],
])('the page %s', (path, input, place, file, text, answer) => {
  const openAndAsk = async () => {
    await openAt(path);
    await page.fill(input, text);
    await page
      .locator('form', { has: page.locator(input) })
      .locator('button')
      .click();
  };

  test(`shows "Checking …" until the file ${file} has loaded`, async () => {
    const release = await hold(file);
    await openAndAsk();
    await see(place, /^Checking …$/);

    release();
    await see(place, answer);
  });

  test(`shows an error if the file ${file} cannot be loaded`, async () => {
    await page.route(`**/${file}`, (route) => route.abort());
    await openAndAsk();

    await see(place, /fetch/);
  });
});

describe('the search box in the header', () => {
  const finder = '.finder input';

  test("opens a component's page without loading the home page", async () => {
    const from = site.asked.length;
    const release = await hold('details/edge-node.json');
    await openAt('use.html');
    await ask(finder, 'edge-node 2.1.0');
    await see('.finder output', 'Checking …');
    release();
    await page.waitForURL(`${site.url}edge-node.html#v2.1.0`);

    expect(site.asked.slice(from).filter((path) => /index\.html|^\/(?:\?|$)/.test(path))).toEqual(
      [],
    );
    await ask(finder, 'edge-node');
    await page.waitForURL(`${site.url}edge-node.html`);
    await page.goBack();
    await page.waitForURL(`${site.url}edge-node.html#v2.1.0`);
  });

  test.each(['isLatest:true', 'no such thing'])(
    'opens the home page to answer %j',
    async (text) => {
      await openAt('changes.html');
      await ask(finder, text);
      await see('#answer', text);

      expect(new URL(page.url()).searchParams.get('q')).toBe(text);
    },
  );
});

describe('the search box of the home page', () => {
  const searchBox = '#ask-text';

  test('answers the question in a clicked link without reloading the page', async () => {
    await openAt('index.html');
    await stayOnPage(async () => {
      await ask(searchBox, 'Edge nide');
      await page.locator('#answer a', { hasText: 'Did you mean' }).waitFor();
      await ask(searchBox, '2025.1');
      await page.locator('#answer a', { hasText: 'Versions 2025.1' }).click();
      await see('#answer', 'Matches of “version:2025.1*”');
      expect(await page.evaluate('scrollY')).toBe(0);

      await page.goBack();
      await see('#answer', 'No component, version or release matches “2025.1”.');
      expect(await page.inputValue(searchBox)).toBe('2025.1');
      await page.goForward();
      await see('#answer', 'Matches of “version:2025.1*”');
    });
    await page.goBack();
    await page.goBack();
    await page.locator('#answer a', { hasText: 'Did you mean' }).click();
    await page.waitForURL(`${site.url}edge-node.html`);
  });

  test('answers questions without loading releases', async () => {
    await openAt('index.html');
    const from = site.asked.length;
    for (const [text, answer] of [
      ['edge-node:latest', '"latest" is not a version such as 2025.3'],
      ['svc stable', '"stable" is not a version such as 2025.3'],
      ['is edge-node:lts-slim still supported?', '"lts-slim" is not a version such as 2025.3'],
      ['left-pad:latest', 'left-pad:latest is not in this index.'],
      ['is left-pad 20 still supported?', 'No component has the name “left-pad”.'],
      ['extension maven', 'Build agent for Maven'],
      ['jdk17', 'No component, version or release matches “jdk17”.'],
      ['what about vulnerable?', 'Did you mean isVulnerable?'],
    ] as const) {
      await ask(searchBox, text);
      await see('#answer', answer);
    }

    expect(site.asked.slice(from).filter((path) => path.startsWith('/search/'))).toEqual([]);
  });

  test.each([
    ['is svc 2025.1 still supported?', 'svc.html#v2025.1'],
    ['When does Edge node 2.1.0 end', 'edge-node.html#v2.1.0'],
    ['can I still use svc?', 'svc.html'],
  ])('opens the page that the question %j is about', async (text, path) => {
    await openAt('index.html');
    await ask(searchBox, text);
    await page.waitForURL(site.url + path);
  });

  test.each(['isVulnerable', 'isVulnerable or component:svc'])(
    'says for the query %j how many releases were not checked',
    async (text) => {
      await openAt('index.html');
      await ask(searchBox, text);
      await see(
        '#answer',
        /isVulnerable is unknown for \d+ releases: their advisories were not checked\./,
      );
    },
  );

  /** Opens the home page with a question. Returns a function that lists which pages and files of `details/` were requested since then. */
  async function openQuestion(text: string): Promise<() => string[]> {
    // Leave the former page, so that it makes no more requests.
    await page.goto('about:blank');
    const from = site.asked.length;
    await openAt(`index.html?q=${encodeURIComponent(text)}`);
    return () => site.asked.slice(from).filter((path) => /^\/(?:details|[\w-]+\.html$)/.test(path));
  }

  test.each([
    ['svc 2025.1', 'svc'],
    ['edge-node', 'edge-node'],
  ])(
    "requests a component's details before the search script has loaded: %j",
    async (text, name) => {
      const release = await hold('assets/answers.js');
      const listAsked = await openQuestion(text);
      await expect
        .poll(() => listAsked().sort())
        .toEqual([`/details/${name}.json`, `/${name}.html`]);
      release();
      await page.waitForURL(`${site.url}${name}.html*`);
    },
  );

  test.each(['status', 'a"]b 1.0'])(
    'loads the file of no component for the question %j',
    async (text) => {
      const listAsked = await openQuestion(text);
      await see('#answer', /No component|Fields of queries/);

      expect(listAsked()).toEqual([]);
    },
  );

  test('keeps text that somebody types before the search script has loaded', async () => {
    const release = await hold('assets/answers.js');
    await openAt('index.html?q=isLatest%3Atrue');
    await see('#answer', 'Checking …');
    await page.fill(searchBox, 'edge');
    release();
    await see('#answer', 'Edge node');

    expect(await page.inputValue(searchBox)).toBe('edge');
  });

  test("adds a repeated question to the browser's history only once", async () => {
    await openAt('changes.html');
    await openAt('index.html');
    for (const text of ['isLatest:true', 'isLatest:true']) {
      await ask(searchBox, text);
      await see('#answer caption', 'Matches');
    }
    await page.goBack();
    await page.locator('#answer:empty').waitFor({ state: 'attached' });
    await page.goBack();

    expect(page.url()).toBe(`${site.url}changes.html`);
  });
});
