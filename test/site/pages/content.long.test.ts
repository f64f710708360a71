import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildSynthetic } from './built-site.ts';
import { hostileText, oddVersions, syntheticComponents } from './synthetic.ts';
import { describeInBrowser, overflow } from './visit.ts';

describeInBrowser(
  'what the pages say',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    describe('without script', () => {
      const options = { isWithoutScript: true };

      it.each(['index', 'mixed'])('%s shows no control that needs it', async (name) => {
        await visitor.visit(`${name}.html`, options, async (page) => {
          expect(
            await page.locator('button:visible, input:not([type=radio]):visible, select:visible').count(),
          ).toBe(0);
        });
      });

      it('the index names every component, its latest version, and until when it is supported', async () => {
        await visitor.visit('index.html', options, async (page) => {
          const row = page.getByRole('row', { name: /Calm service/ });

          expect(await page.locator('#component-table tr[data-component]').count()).toBe(8);
          expect(await row.textContent()).toMatch(/2026\.4\s*20 Oct 2026\s*6 lines, next end\s*21 Jan 2027/);
        });
      });
    });

    it('every table fits on paper', async () => {
      for (const path of ['index.html', 'mixed.html', 'calm.html', 'api.html']) {
        await visitor.visit(path, { viewport: { width: 720, height: 1000 } }, async (page) => {
          await page.emulateMedia({ media: 'print' });

          expect(await overflow(page), path).toBe(0);
        });
      }
    });

    it('shows hostile text as it is, and gives odd versions ids of their own', async () => {
      await visitor.visit('hostile.html', {}, async (page) => {
        const ids = await page.locator('.lines tbody tr').evaluateAll((rows) => rows.map((row) => row.id));

        expect(await page.locator('h1').textContent()).toBe(hostileText);
        expect(await page.locator('.description').textContent()).toBe(hostileText);
        expect((await page.locator('.lines tbody th a').allTextContents()).toSorted()).toEqual(
          oddVersions.toSorted(),
        );
        expect(new Set(ids).size).toBe(oddVersions.length);
        expect(ids.filter((id) => !/^[\w.~+-]+$/.test(id))).toEqual([]);
        for (const id of ids) expect(await page.locator(`a[href="#${id}"]`).count()).toBeGreaterThan(0);
        expect(await page.locator('main script, main img[onerror]').count()).toBe(0);
      });
    });

    it.each(['index', 'mixed', 'hostile', 'three-thousand'])(
      'every id of %s is unique, and every link within it leads somewhere',
      async (name) => {
        await visitor.visit(`${name}.html`, {}, async (page) => {
          const { twice, lost } = await page.evaluate(() => {
            const ids = Array.from(document.querySelectorAll('[id]'), (element) => element.id);
            const links = Array.from(document.querySelectorAll('a[href^="#"]'), (link) =>
              link.getAttribute('href')!.slice(1),
            );
            const known = new Set(ids);
            return {
              twice: ids.filter((id, index) => ids.indexOf(id) !== index),
              lost: links.filter((id) => !known.has(id)),
            };
          });

          expect(twice).toEqual([]);
          expect(lost).toEqual([]);
        });
      },
    );

    it('the link of every page, alternate and picture leads to a file of the site', async () => {
      const paths = new Set(readdirSync(visitor.folder, { recursive: true }).map((path) => String(path)));
      for (const name of ['index', 'mixed', 'none', '404']) {
        const links = await visitor.visit(`${name}.html`, {}, (page) =>
          page
            .locator('[href]:not([href^="https:"]):not([href^="#"]), [src]')
            .evaluateAll((elements) =>
              elements.map((element) => element.getAttribute('href') ?? element.getAttribute('src')!),
            ),
        );

        const missing = links
          .map((link) => link.replace(/^\//, '').replace(/[?#].*/, ''))
          .filter((path) => path !== '' && !paths.has(path));
        expect(missing, name).toEqual([]);
      }
    });
  },
);
