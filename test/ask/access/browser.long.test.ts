import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { findBrowser, isBrowserRequired, launchBrowser, missingBrowser } from '../../site/pages/browser.ts';
import { accessTo, baseUrl, keyOf, recorded } from './private-index.ts';

const executable = findBrowser();
if (executable === undefined && isBrowserRequired()) throw new Error(`${missingBrowser}, and here one must.`);

describe.skipIf(executable === undefined)('a browser, which asks for user name and password,', () => {
  const key = keyOf('a');
  let site: ServedSite;
  let browser: Browser;

  beforeAll(async () => {
    const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
    site = await serveSite(siteOfFixtureIndex(), baseUrl, vars, accessTo('everything'));
    browser = await launchBrowser(executable!);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const open = (password: string) => browser.newPage({ httpCredentials: { username: 'jane', password } });

  test('reads the pages with a key, and so do their scripts', async () => {
    const page = await open(key);
    const failed: string[] = [];
    page.on('response', (response) => {
      if (!response.ok() && response.status() !== 304) failed.push(`${response.status()} ${response.url()}`);
    });

    const opened = await page.goto(site.url);
    await page.getByLabel('Is your version still supported?').fill('component:svc isLatest');
    await page.keyboard.press('Enter');
    const answer = page.locator('.card .say');
    await answer.waitFor();

    expect(opened?.status()).toBe(200);
    expect(await answer.textContent()).toMatch(/^1 release of 1 component\./);
    expect(failed).toEqual([]);
  });

  test('gets no page with a guessed key', async () => {
    const page = await open('guess');

    expect((await page.goto(`${site.url}svc.html`))?.status()).toBe(401);
    expect(await page.content()).not.toContain('<h1');
  });
});
