import { expect, it } from 'vitest';
import { buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { describeInBrowser } from './visit.ts';

describeInBrowser(
  'what script adds to the pages',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    it('the filter of the index finds components by any part of what is said of them, and says when none matches', async () => {
      await visitor.visit('index.html', {}, async (page) => {
        const filter = page.getByLabel('Filter components');
        const status = page.getByRole('status');
        const rows = page.locator('#component-table tbody tr:visible');

        await filter.fill('THOUSAND');
        expect(await rows.count()).toBe(2);
        expect(await status.textContent()).toBe('2 of 8 components match.');

        await filter.fill('no such thing');
        expect(await rows.count()).toBe(0);
        expect(await status.textContent()).toBe('No component matches.');

        await filter.fill('');
        expect(await rows.count()).toBe(8);
        expect(await status.textContent()).toBe('8 components');
      });
    });

    it('a column of the index is sorted by its heading, one way and the other, with unknown days last', async () => {
      await visitor.visit('index.html', {}, async (page) => {
        const heading = page.getByRole('columnheader', { name: 'Released' });
        const days = () =>
          page
            .locator('#component-table tbody tr td:nth-of-type(2)')
            .evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).dataset['key']!));
        const known = async () => (await days()).filter((day) => day !== '');

        await heading.getByRole('button').click();
        expect(await heading.getAttribute('aria-sort')).toBe('descending');
        expect(await known()).toEqual((await known()).toSorted().reverse());
        expect((await days()).at(-1)).toBe('');

        await heading.getByRole('button').click();
        expect(await heading.getAttribute('aria-sort')).toBe('ascending');
        expect(await known()).toEqual((await known()).toSorted());
        expect((await days()).at(-1)).toBe('');

        await page.getByRole('columnheader', { name: 'Component' }).getByRole('button').click();
        expect(await heading.getAttribute('aria-sort')).toBeNull();
      });
    });

    it('copies versions and snippets exactly, and says so', async () => {
      await visitor.visit(
        'calm.html',
        { permissions: ['clipboard-read', 'clipboard-write'] },
        async (page) => {
          const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

          const version = page.locator('.answer').getByRole('button', { name: 'Copy 2026.4' });
          await version.click();
          await page.getByText('Copied 2026.4').waitFor({ state: 'attached' });
          expect(await version.textContent()).toBe('Copied');
          expect(await clipboard()).toBe('2026.4');

          await page.getByRole('button', { name: 'Copy Renovate, inline' }).click();
          await page.getByText('Copied Renovate, inline').waitFor({ state: 'attached' });
          expect(JSON.parse(await clipboard())).toHaveProperty('customDatasources');
          expect(await page.locator('#snippet-renovate-inline pre').isVisible()).toBe(false);

          await page.getByRole('button', { name: 'Copy Renovate, by preset' }).click();
          await page.getByText('Copied Renovate, by preset').waitFor({ state: 'attached' });
          expect(JSON.parse(await clipboard())).toEqual({
            $schema: 'https://docs.renovatebot.com/renovate-schema.json',
            extends: ['https://releases.example.com/renovate.json'],
          });
        },
      );
    });

    it('a release is copied from its own row, which alone shows the button', async () => {
      const permissions = ['clipboard-read', 'clipboard-write'];
      await visitor.visit('calm.html', { permissions }, async (page) => {
        const buttons = page.locator('.releases').getByRole('button');

        expect(await buttons.count()).toBe(0);
        await page.locator('tr[id="v2026.3"]').hover();
        expect(await buttons.count()).toBe(1);
        await buttons.click();
        await page.getByText('Copied 2026.3').waitFor({ state: 'attached' });
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('2026.3');
      });
    });
  },
);
