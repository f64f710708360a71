/** Checks that pages do not call a version certain of which the index knows too little. */
import { expect } from 'vitest';
import { browserTest as test, openPage } from '../../harness/browser.ts';
import { doubtfulSite, doubts } from '../../harness/doubts.ts';
import { serveSite } from '../../harness/serve-site.ts';

const site = await serveSite(doubtfulSite);

test.each(doubts)('the pages show the doubt about $text', async ({ text, words, summary }) => {
  const page = await openPage();
  await page.goto(`${site.url}mine.html`);
  await page.fill('textarea', text);
  await page.click('.my-list button');
  await page.locator('#answer h2', { hasText: summary }).waitFor();
  const answer = await page.locator('#answer').innerText();
  expect(answer).toContain(words);

  // The link to this list gives the same answer.
  await page.reload();
  await page.locator('#answer h2', { hasText: summary }).waitFor();
  expect(await page.locator('#answer').innerText()).toBe(answer);

  await page.goto(`${site.url}index.html?q=${encodeURIComponent(text)}`);
  await page.locator('#answer p, .own-version output p', { hasText: words }).first().waitFor();
});
