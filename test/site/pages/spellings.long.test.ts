/** Checks that pages find the same component, version and verdict for all spellings that people and tools use. */
import type { Page } from 'playwright-core';
import { decodeAnchor, readAnchor } from '../../../src/core/anchors.ts';
import { askList, browserTest as test, openPage } from '../../harness/browser.ts';
import { serveSite } from '../../harness/serve-site.ts';
import {
  compareSpellings,
  readObstacle,
  spelledSite,
  summarise,
  type Answer,
} from '../../harness/spellings.ts';

const verdictPlace = '.own-version output:not(:empty)';
/** Matches only after the page has replaced "Checking …" by its answer. */
const answered = { hasNotText: 'Checking …' };

const endpoints: Readonly<Record<string, () => Promise<Answer>>> = {
  async 'mine.html'() {
    const { page, url } = await openSitePage();
    await page.goto(`${url}mine.html`);
    return async ({ text }) => {
      await askList(page, text);
      const row = page.locator('#answer li').first();
      const words = await row.innerText();
      const link = row.locator('a');
      if ((await link.count()) === 0) {
        return 'not ours';
      }
      const address = (await link.getAttribute('href'))!;
      return words.includes('No verdict') ? 'no version' : summarise(readAddress(address), words);
    };
  },
  async 'the search box of the home page'() {
    const { page, url } = await openSitePage();
    return async ({ text }) => {
      await page.goto(`${url}index.html?q=${encodeURIComponent(text)}`);
      await page.locator(`.question #answer:not(:empty), ${verdictPlace}`, answered).waitFor();
      const address = page.url().slice(url.length);
      return address.startsWith('index') ? 'nothing' : describePlace(page, address);
    };
  },
  async 'the version box of a component page'() {
    const { page, url } = await openSitePage();
    return async ({ version, meant }) => {
      const [component = '', isMeant] = meant.split(' ');
      if (component.startsWith('no') || isMeant === undefined) {
        return undefined;
      }
      await page.goto(`${url}${component}.html`);
      await page.fill('.own-version input', version);
      await page.click('.own-version button');
      await page.locator(verdictPlace, answered).waitFor();
      return describePlace(page, page.url().slice(url.length));
    };
  },
};

async function openSitePage() {
  const site = await serveSite(spelledSite);
  return { page: await openPage(), url: site.url };
}

/** Reads the component and version from an address such as `svc.html#v2025.1`. */
function readAddress(address: string): { component: string; version: string } {
  const [component = '', anchor = ''] = address.split('.html#');
  return { component, version: readAnchor(decodeAnchor(anchor)) ?? '' };
}

/** Returns the version that a component page explains beside its version box. A listed version must have a row on the page. */
async function describePlace(page: Page, address: string): Promise<string> {
  const words = await page.innerText('.own-version output');
  const [, version, label = ''] = /^(\S+): (\w.*)/.exec(words) ?? [];
  if (version === undefined) {
    return readObstacle(words);
  }
  const rows = await page.locator(`[id="v${version}"]`).count();
  const hasRow = rows === 1 || label.startsWith('Not listed');
  return hasRow ? `${address.replace(/\.html.*$/, '')} ${version}` : `${address}? ${words}`;
}

test.each(Object.entries(endpoints))(
  '%s finds the version that each spelling names',
  async (name, openEndpoint) => {
    const unnamed = name === 'the search box of the home page' ? 'nothing' : undefined;
    await compareSpellings(await openEndpoint(), unnamed);
  },
);
