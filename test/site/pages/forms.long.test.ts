import { expect, test } from 'vitest';
import { browserTest, launchBrowser, openPage } from '../../harness/browser.ts';
import { lacks } from '../../harness/programs.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';

const site = await serveSite(buildExample());

// Chromium's headless shell does not keep the pages that it leaves.
test.skipIf(lacks('chromium'))(
  'the home page still shows an answer when the back button returns to the page',
  async () => {
    const browser = await launchBrowser({
      program: 'chromium',
      without: ['--disable-back-forward-cache'],
    });
    const kept = await browser.newPage();
    const goBack = () => kept.goBack({ waitUntil: 'commit' });
    await kept.goto(`${site.url}index.html`);
    await kept.evaluate('window.isMarked = true');
    await kept.fill('#ask-text', 'isLatest:true');
    await kept.press('#ask-text', 'Enter');
    await kept.locator('#answer td a').first().click();
    await kept.locator('.hero').waitFor();

    await goBack();
    await kept.locator('#answer caption').waitFor();
    expect(await kept.evaluate('window.isMarked')).toBe(true);
    await goBack();
    await kept.locator('#answer:empty').waitFor({ state: 'attached' });
    expect(await kept.inputValue('#ask-text')).toBe('');
    await browser.close();
  },
);

browserTest.each([
  ['the search box on a desktop computer', false, 'ask-text'],
  ['no field on a phone', true, ''],
])('the home page sets the keyboard focus after a question: %s', async (_, isPhone, focus) => {
  const asking = await openPage({ width: 390, isPhone });
  await asking.goto(`${site.url}index.html`);
  await asking.fill('#ask-text', 'isLatest:true');
  await asking.press('#ask-text', 'Enter');
  await asking.locator('#answer caption').waitFor();

  expect(await asking.evaluate('document.activeElement.id')).toBe(focus);
});
