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

    it.each([
      ['light', 1280],
      ['dark', 320],
    ] as const)(
      'the pages of the whole site are accessible in the %s, %i wide',
      async (colorScheme, width) => {
        for (const name of ['timeline', 'changes', 'status', 'verify']) {
          await visitor.visit(
            `${name}.html`,
            { colorScheme, viewport: { width, height: 800 } },
            async (page) => {
              expect(await audit(page), name).toEqual([]);
            },
          );
        }
      },
      60_000,
    );

    it.each([320, 768, 1280])('no page of the whole site scrolls sideways, %i wide', async (width) => {
      for (const name of ['timeline', 'changes', 'status', 'verify']) {
        await visitor.visit(`${name}.html`, { viewport: { width, height: 800 } }, async (page) => {
          expect(await overflow(page), name).toBe(0);
          const cut = await page
            .locator('main table')
            .evaluateAll((tables) => tables.map((table) => table.getBoundingClientRect().right - innerWidth));
          expect(cut.filter((pixels) => pixels > 0)).toEqual([]);
        });
      }
    });
  },
);

describeInBrowser('what is not about releases', buildPrivate, (visitor) => {
  it.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)('is accessible and stays in sight in the %s, %i wide', async (colorScheme, width) => {
    for (const name of ['pipelines', 'sign-in']) {
      await visitor.visit(`${name}.html`, { colorScheme, viewport: { width, height: 800 } }, async (page) => {
        expect(await audit(page), name).toEqual([]);
        expect(await overflow(page), name).toBe(0);
      });
    }
  });
});
