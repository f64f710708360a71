import { expect } from 'vitest';
import { browserTest as test, openPage } from '../../harness/browser.ts';
import { buildLarge, largeDay } from '../../harness/large-index.ts';
import { serveSite } from '../../harness/serve-site.ts';

const site = await serveSite(buildLarge());

test.each([
  [1280, 800],
  [390, 844],
])('at %i × %i, the list of 403 components begins within four screens', async (width, height) => {
  const page = await openPage({ width });
  await page.clock.setFixedTime(`${largeDay}T12:00:00Z`);
  await page.goto(`${site.url}index.html`);
  const { y } = (await page.locator('#components').boundingBox())!;

  expect(y).toBeLessThan(4 * height);
  const actions = page.locator('[aria-labelledby="needs-action"] li a');
  const titles = await actions.allInnerTexts();
  expect(titles).toEqual([...new Set(titles)]);
  expect(titles).toHaveLength(10);
});

test('the rest of what needs action is there without script', async () => {
  const page = await openPage({ script: false });
  await page.goto(`${site.url}index.html`);
  const link = page.locator('[aria-labelledby="needs-action"] a[href*="#needs-action"]');
  const count = Number(/All (\d+)/.exec(await link.innerText())![1]);
  await link.click();

  await page.waitForURL('**/status.html#needs-action');
  expect(await page.locator('[aria-labelledby="needs-action"] li').count()).toBe(count);
});

test('a part of a name asks for no document', async () => {
  const page = await openPage();
  await page.goto(`${site.url}index.html`);
  const from = site.asked.length;
  await page.fill('#ask-text', 'amazon');
  await page.locator('#answer li').first().waitFor();

  const names = await page.locator('#answer li a').allInnerTexts();
  expect(names).toHaveLength(13);
  // Also of a component without any release.
  expect(names).toContain('amazon-glue');
  // The page itself loads `status.json` ahead.
  expect(site.asked.slice(from).filter((path) => /details|search/.test(path))).toEqual([]);
});
