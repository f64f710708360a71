/** One version in the spellings of people and tools, on pages: the same component, version and verdict. */
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
/** What a page says until then. */
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
  async 'the box of the first page'() {
    const { page, url } = await openSitePage();
    return async ({ text }) => {
      await page.goto(`${url}index.html?q=${encodeURIComponent(text)}`);
      await page.locator(`.question #answer:not(:empty), ${verdictPlace}`, answered).waitFor();
      const address = page.url().slice(url.length);
      return address.startsWith('index') ? 'nothing' : describePlace(page, address);
    };
  },
  async 'the box of a component'() {
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

/** `svc.html#v2025.1` */
function readAddress(address: string): { component: string; version: string } {
  const [component = '', anchor = ''] = address.split('.html#');
  return { component, version: readAnchor(decodeAnchor(anchor)) ?? '' };
}

/** The row that a page shows, or its words on a version without one. */
async function describePlace(page: Page, address: string): Promise<string> {
  const { component, version } = readAddress(address);
  const words = await page.innerText('.own-version output');
  const [, said = ''] = /^(\S+): \w/.exec(words) ?? [];
  const isShown = await page
    .locator(`[id="v${version}"]`)
    .isVisible()
    .catch(() => false);
  if (said !== '') {
    return said === version && isShown ? `${component} ${version}` : `${address}? ${words}`;
  }
  const [, title, other] = /^The (\w+) (\S+) is not listed/.exec(words) ?? [];
  return title === undefined ? readObstacle(words) : `${title} ${other}`;
}

test.each(Object.entries(endpoints))(
  '%s finds what each spelling names',
  async (name, openEndpoint) => {
    const unnamed = name === 'the box of the first page' ? 'nothing' : undefined;
    await compareSpellings(await openEndpoint(), unnamed);
  },
);
