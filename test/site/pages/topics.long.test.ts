import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { browserTest as test, openPage } from '../../harness/browser.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';

const { url } = await serveSite(buildExample());
const address = `${url}use.html`;
/** The topics of use.html, each with the ids inside it. */
const topics = Object.entries({
  renovate: ['waiting', 'image-days', 'organisation'],
  pipelines: ['tables'],
  lists: [],
  shells: ['queries'],
  origin: [],
  own: [],
});

/** Waits until exactly these topics are open. */
async function seeOpen(page: Page, expected: string[]): Promise<void> {
  const listOpen = `[...document.querySelectorAll('.topic')]
    .filter((topic) => topic.querySelector('.column').checkVisibility({ contentVisibilityAuto: true }))
    .map((topic) => topic.querySelector('h2').id)`;
  await expect.poll(() => page.evaluate<string[]>(listOpen)).toEqual(expected);
}

test('use.html shows all topics on the first screen of a phone', async () => {
  const page = await openPage();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(address);
  const summaries = await page.locator('.topic > summary').all();
  const boxes = await Promise.all(summaries.map((summary) => summary.boundingBox()));

  expect(boxes).toHaveLength(topics.length);
  expect(Math.max(...boxes.map((box) => box!.y + box!.height))).toBeLessThan(640);
  await seeOpen(page, []);
});

describe.each([
  ['with script', true],
  ['without script', false],
])('use.html %s', (_, script) => {
  test('opens the topic whose id is in the address', async () => {
    const page = await openPage({ script });
    for (const [topic, within] of topics) {
      for (const id of [topic, ...within]) {
        await page.goto('about:blank');
        await page.goto(`${address}#${id}`);

        await seeOpen(page, [topic]);
        const heading = page.locator(`#${id}`);
        const readTop = async () => (await heading.boundingBox())!.y;
        await expect.poll(readTop).toSatisfy((top) => top > 0 && top < 800);
      }
    }
  });

  test('shows all topics when it is printed', async () => {
    const page = await openPage({ script });
    await page.goto(address);
    await page.emulateMedia({ media: 'print' });

    const all = topics.map(([topic]) => topic);
    await seeOpen(page, all);
  });
});

test('a click on a link within use.html opens the linked topic', async () => {
  const page = await openPage();
  await page.goto(`${address}#lists`);
  await seeOpen(page, ['lists']);
  await page.locator('#lists').click();
  await seeOpen(page, []);

  await page.locator('footer a', { hasText: 'Verify downloads' }).click();
  await page.waitForURL(`${address}#origin`);
  await seeOpen(page, ['origin']);
});
