import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { browserTest as test, openPage } from '../../harness/browser.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';

const { url } = await serveSite(buildExample());
const address = `${url}use.html`;
/** By the topic, the ids within it. */
const topics = Object.entries({
  renovate: ['waiting', 'organisation'],
  pipelines: ['tables'],
  lists: [],
  shells: ['queries'],
  origin: [],
  own: [],
});

/** The topics whose content is seen. */
function listOpen(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.topic')]
    .filter((topic) => topic.querySelector('.column').checkVisibility({ contentVisibilityAuto: true }))
    .map((topic) => topic.querySelector('h2').id)`);
}

test('a reader of use.html sees all topics on the first screen of a phone', async () => {
  const page = await openPage();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(address);
  const summaries = await page.locator('.topic > summary').all();
  const boxes = await Promise.all(summaries.map((summary) => summary.boundingBox()));

  expect(boxes).toHaveLength(topics.length);
  expect(Math.max(...boxes.map((box) => box!.y + box!.height))).toBeLessThan(640);
  expect(await listOpen(page)).toEqual([]);
});

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (_, script) => {
  test('a link to an id of use.html opens its topic', async () => {
    const page = await openPage({ script });
    for (const [topic, within] of topics) {
      for (const id of [topic, ...within]) {
        await page.goto('about:blank');
        await page.goto(`${address}#${id}`);

        expect(await listOpen(page), id).toEqual([topic]);
        const { y } = (await page.locator(`#${id}`).boundingBox())!;
        expect(y, id).toBeGreaterThan(0);
        expect(y, id).toBeLessThan(800);
      }
    }
  });

  test('all topics are printed', async () => {
    const page = await openPage({ script });
    await page.goto(address);
    await page.emulateMedia({ media: 'print' });

    expect(await listOpen(page)).toEqual(topics.map(([topic]) => topic));
  });
});

test('a topic that a link opened can be closed, and a link within the page opens another one', async () => {
  const page = await openPage();
  await page.goto(`${address}#lists`);
  await page.locator('#lists').click();
  expect(await listOpen(page)).toEqual([]);

  await page.locator('footer a', { hasText: 'Verify downloads' }).click();
  await page.waitForURL(`${address}#origin`);
  await page.locator('.topic[open] #origin').waitFor();
  expect(await listOpen(page)).toEqual(['origin']);
});
