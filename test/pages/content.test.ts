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
          expect(await page.locator('button:visible, input:visible, select:visible').count()).toBe(0);
        });
      });

      it('the index names every component, its latest version, and until when it is supported', async () => {
        await visitor.visit('index.html', options, async (page) => {
          const row = page.getByRole('row', { name: /Calm service/ });

          expect(await page.locator('#component-table tr[data-component]').count()).toBe(8);
          expect(await row.textContent()).toMatch(
            /2026\.4 2026-10-20.*2026\.4 2028-04-20 →2027-01-21 2025\.3$/,
          );
        });
      });

      it('a release has a row with its version, day, status and reason', async () => {
        await visitor.visit('mixed.html', options, async (page) => {
          const cells = (version: string) => page.locator(`tr[id="v${version}"] > *`).allTextContents();

          expect(await cells('3.0.1')).toEqual([
            '3.0.1',
            'deprecated',
            '2026-06-15',
            'published',
            '3.0',
            'Deprecated upstream: use 3.0.2. Since 2026-06-15. Loses data on restart. Since 2026-07-01. Read why',
            'not stated',
          ]);
          expect(await cells('2.0.0')).toEqual(
            expect.arrayContaining(['2024-02-01', 'observed', 'deprecated']),
          );
          expect(await cells('2.0.1')).toEqual(
            expect.arrayContaining([
              'withdrawn',
              'Support of 2.0 ended on 2026-03-01. npm:example has not listed it since 2026-05-05.',
            ]),
          );
          expect((await cells('1.9.0')).slice(2, 4)).toEqual(['not stated', 'not stated']);
          expect(await page.locator('th[scope=row]').count()).toBe(9);
          expect(await page.locator('td:empty, th:empty').count()).toBe(0);
          expect(await page.locator('tr[id="v3.0.0"] time').getAttribute('datetime')).toBe('2026-06-01');
        });
      });

      it('a component says what happens next, and shows its lines in a named picture', async () => {
        await visitor.visit('mixed.html', options, async (page) => {
          const next = page.locator('#next li');

          expect(await next.allTextContents()).toEqual([
            '2.1.0 will be deprecated on 2026-12-24: Will not start after its certificate ends.',
            '2.1 leaves support on 2027-01-15.',
            '3.0 leaves support on 2028-06-30.',
          ]);
          expect(
            await page.getByRole('img', { name: /Support of the release lines of Mixed history/ }).count(),
          ).toBe(1);
        });
      });
    });

    it('a component in trouble says so in a sentence, and what each source answered, none of it cut off on a phone', async () => {
      const phone = { viewport: { width: 360, height: 800 } };
      await visitor.visit('mixed.html', phone, async (page) => {
        const answer = page.locator('.answer');
        await answer.getByText('Details').click();

        expect(await answer.textContent()).toContain(
          '1 answer waits for a person; what was recorded before holds.',
        );
        expect(await answer.locator('li').allTextContents()).toEqual([
          'npm:example: would withdraw 5 of 9 versions. Its answer has waited for a person since 2026-11-18.',
        ]);
      });
      for (const path of ['mixed.html', 'hostile.html']) {
        await visitor.visit(path, phone, async (page) => {
          await page.locator('.answer').getByText('Details').click();

          expect(
            await page.locator('.answer dl').evaluate((list) => list.scrollWidth - list.clientWidth),
          ).toBe(0);
        });
      }
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
        const ids = await page.locator('.releases tbody tr').evaluateAll((rows) => rows.map((row) => row.id));

        expect(await page.locator('h1').textContent()).toBe(hostileText);
        expect(await page.locator('.lead').textContent()).toBe(hostileText);
        expect((await page.locator('.releases tbody th').allTextContents()).toSorted()).toEqual(
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
