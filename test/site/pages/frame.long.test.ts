import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { buildPrivate, buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { audit, describeInBrowser, overflow } from './visit.ts';

describeInBrowser(
  'what all pages share',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    it.each([true, false])(
      'the footer says when the index was updated, without script: %s',
      async (isWithoutScript) => {
        await visitor.visit('timeline.html', { isWithoutScript }, async (page) => {
          const said = await page
            .locator('.as-of')
            .evaluate((element) => getComputedStyle(element, '::before').content);

          // A browser gives the parts of a content one by one, or as one text.
          expect(said.replaceAll('" "', '')).toBe('"Updated 20 Nov 2026"');
        });
      },
    );

    it('the header leads to the components, the timeline and the API, and says where one is', async () => {
      await visitor.visit('timeline.html', {}, async (page) => {
        const header = page.getByRole('navigation', { name: 'Site' });

        expect(await header.getByRole('link').allTextContents()).toEqual(
          expect.arrayContaining(['Components', 'Timeline', 'API']),
        );
        expect(await header.locator('[aria-current=page]').allTextContents()).toEqual(['Timeline']);
        await header.getByRole('link', { name: 'Components' }).click();
        expect(await header.locator('[aria-current=page]').allTextContents()).toEqual(['Components']);
      });
    });

    it('the page of freshness shows the days of the last checks where script reads them, and the last run elsewhere', async () => {
      await visitor.visit('status.html', {}, async (page) => {
        const row = page.getByRole('row', { name: 'Calm service' });
        await row.getByText('20 Nov 2026').waitFor();

        expect(await row.getByRole('cell').allTextContents()).toEqual([
          '20 Nov 2026',
          '20 Oct 2026',
          'up to date',
        ]);
      });
      await visitor.visit('status.html', { isWithoutScript: true }, async (page) => {
        const row = page.getByRole('row', { name: 'Calm service' });
        expect(await row.getByRole('cell').first().textContent()).toBe('in the last run');
        expect(await page.getByRole('link', { name: 'status.json' }).count()).toBe(1);
      });
    });

    it.each(['timeline', 'changes', 'status', 'verify'])(
      '%s, about the whole site, is accessible in both colours, and never scrolls sideways',
      async (name) => {
        await visitor.visit(`${name}.html`, {}, async (page) => {
          for (const width of [320, 768, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            expect(await overflow(page), `${width} wide`).toBe(0);
            const cut = await page
              .locator('main table')
              .evaluateAll((tables) =>
                tables.map((table) => table.getBoundingClientRect().right - innerWidth),
              );
            expect(cut.filter((pixels) => pixels > 0)).toEqual([]);
          }
          await inBothLooks(page, async () => expect(await audit(page)).toEqual([]));
        });
      },
      60_000,
    );
  },
);

describeInBrowser('what is not about releases', buildPrivate, (visitor) => {
  it.each(['pipelines', 'sign-in'])('%s is accessible and stays in sight in both colours', async (name) => {
    await visitor.visit(`${name}.html`, {}, (page) =>
      inBothLooks(page, async () => {
        expect(await audit(page)).toEqual([]);
        expect(await overflow(page)).toBe(0);
      }),
    );
  });
});

/** Light and wide, dark and narrow: what is wrong in a look is wrong for one of these. */
async function inBothLooks(page: Page, work: () => Promise<void>): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 320],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await work();
  }
}
