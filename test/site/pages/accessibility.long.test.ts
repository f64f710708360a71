import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, describe, it } from 'vitest';
import { findBrowser, missingBrowser } from './browser.ts';
import { buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { audit, describeInBrowser, overflow } from './visit.ts';

if (findBrowser() === undefined) {
  console.log(`${missingBrowser}: these tests are left out.`);
}

/** Both colours and widths, with and without script. */
const looks = [
  { isWithoutScript: false, colorScheme: 'light', width: 1280 },
  { isWithoutScript: true, colorScheme: 'dark', width: 360 },
] as const;
const phone = { viewport: { width: 360, height: 800 } };

const inEveryLook = ['index', 'mixed'];

function pagesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.html'));
}

async function unfold(page: Page): Promise<void> {
  await page.evaluate(() =>
    document
      .querySelectorAll<HTMLDetailsElement>('details:not([data-answer])')
      .forEach((fold) => (fold.open = true)),
  );
}

describeInBrowser(
  'the accessibility of the pages',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    describe.each(looks)('$width wide, $colorScheme, without script: $isWithoutScript:', (look) => {
      const { isWithoutScript, colorScheme, width } = look;
      const options = { isWithoutScript, colorScheme, viewport: { width, height: 800 } };

      it.each(inEveryLook)('%s is accessible and never scrolls sideways', async (name) => {
        await visitor.visit(`${name}.html`, options, async (page) => {
          expect(await overflow(page)).toBe(0);
          await unfold(page);
          expect(await overflow(page)).toBe(0);
          expect(await audit(page)).toEqual([]);
        });
      });
    });

    it('every other page is accessible and never scrolls sideways', async () => {
      // A thousand releases have more rows than a few, and no others.
      const seen = [...inEveryLook, 'thousand', 'three-thousand'];
      const known = new Set(seen.map((name) => `${name}.html`));
      const pages = pagesIn(visitor.folder).filter((path) => !known.has(path));

      expect(pages.length).toBeGreaterThan(5);
      for (const path of pages) {
        await visitor.visit(path, phone, async (page) => {
          await unfold(page);
          expect(await overflow(page), path).toBe(0);
          expect(await audit(page), path).toEqual([]);
        });
      }
    }, 120_000);

    it('an answer about a version is accessible and never scrolls sideways', async () => {
      await visitor.visit('mixed.html?q=2.0.1+to+3.0.2', {}, async (page) => {
        await page.locator('.answer.card a').first().waitFor();
        for (const { colorScheme, width } of looks) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          expect(await overflow(page)).toBe(0);
          expect(await audit(page)).toEqual([]);
        }
      });
    });

    describe('with the keyboard', () => {
      it('the first stop is a link that skips to the content', async () => {
        await visitor.visit('mixed.html', {}, async (page) => {
          await page.keyboard.press('Tab');
          const focused = page.locator(':focus');

          expect(await focused.textContent()).toBe('Skip to content');
          expect(
            await focused.evaluate((link) => link.getBoundingClientRect().top),
          ).toBeGreaterThanOrEqual(0);
          await page.keyboard.press('Enter');
          expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
        });
      });

      it.each([
        ['index', 1280],
        ['mixed', 1280],
        ['mixed', 360],
      ])(
        'every control of %s is reached, in order and with a visible focus, %i wide',
        async (name, width) => {
          await visitor.visit(
            `${name}.html`,
            { viewport: { width, height: 800 } },
            async (page) => {
              // Only the chosen radio button of a group is a stop, and its label shows the focus.
              const stops =
                'a[href]:not([tabindex="-1"]), button, input:not([type=radio]), input:checked, select, summary, [tabindex="0"]';
              const expected = await page.locator(`:is(${stops}):visible`).count();
              const reached = new Set<number>();
              for (let press = 0; press < expected; press += 1) {
                await page.keyboard.press('Tab');
                const { index, outline } = await page.evaluate((selector) => {
                  const element = document.activeElement!;
                  const style = getComputedStyle(
                    element.closest('label:has([type=radio])') ?? element,
                  );
                  return {
                    index: [...document.querySelectorAll(selector)].indexOf(element),
                    outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
                  };
                }, stops);
                expect(outline, `focus of stop ${press + 1}`).toBe(true);
                reached.add(index);
              }

              expect(reached.size).toBe(expected);
            },
          );
        },
      );
    });
  },
);

describeInBrowser('the pages of components with long names', buildLong, (visitor) => {
  it('never scroll sideways on a phone', async () => {
    const pages = pagesIn(visitor.folder);

    expect(pages.length).toBeGreaterThan(7);
    for (const path of pages) {
      for (const width of [390, 320]) {
        await visitor.visit(path, { viewport: { width, height: 800 } }, async (page) => {
          await unfold(page);
          expect(await overflow(page), `${path.slice(0, 20)} at ${width}`).toBe(0);
        });
      }
    }
  });
});

/** A name of 65 characters, one of 200 with a title of as many, and versions of 100 characters. */
function buildLong(): string {
  const { calm } = syntheticComponents();
  const releases = [{ version: `1.0-${'b'.repeat(96)}`, releaseTimestamp: '2026-11-10' }];
  const definition = { ...calm!.definition, prereleases: true };
  return buildSynthetic({
    ['m'.repeat(65)]: { definition, releases: [...calm!.releases, ...releases] },
    ['n'.repeat(200)]: { definition: { ...definition, title: 'T'.repeat(200) }, releases },
  });
}
