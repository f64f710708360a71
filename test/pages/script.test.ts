import { expect, it } from 'vitest';
import { buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { describeInBrowser } from './visit.ts';

describeInBrowser(
  'what script adds to the pages',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    it('each group of the index is sorted by the heading of a column, one way and the other, with unknown days last', async () => {
      await visitor.visit('index.html', {}, async (page) => {
        const heading = page.getByRole('columnheader', { name: 'Latest to use' });
        const groups = () =>
          page
            .locator('#component-table tbody')
            .evaluateAll((bodies) =>
              bodies.map((body) =>
                Array.from(body.querySelectorAll<HTMLElement>('tr[data-component] td:nth-of-type(1)')).map(
                  (cell) => cell.dataset['key']!,
                ),
              ),
            );
        const sorted = async (compare: (days: string[]) => string[]) =>
          (await groups()).map((days) => [
            ...compare(days.filter((day) => day !== '')),
            ...days.filter((day) => day === ''),
          ]);

        await heading.getByRole('button').click();
        expect(await heading.getAttribute('aria-sort')).toBe('descending');
        expect(await groups()).toEqual(await sorted((days) => days.toSorted().reverse()));
        expect((await groups()).flat()).toHaveLength(8);

        await heading.getByRole('button').click();
        expect(await heading.getAttribute('aria-sort')).toBe('ascending');
        expect(await groups()).toEqual(await sorted((days) => days.toSorted()));
        expect(await page.locator('tbody > tr:first-child:not(.group)').count()).toBe(0);

        await page.getByRole('columnheader', { name: 'Component' }).getByRole('button').click();
        expect(await heading.getAttribute('aria-sort')).toBeNull();
      });
    });

    it('releases are filtered by status and version, also those in closed parts', async () => {
      await visitor.visit('mixed.html', {}, async (page) => {
        const rows = page.locator('.releases tbody tr:visible');

        await page.getByLabel('Status').selectOption('withdrawn');
        expect(await rows.locator('th').allTextContents()).toEqual(['2.0.1']);
        expect(await page.getByRole('status').textContent()).toBe('1 of 9 releases match.');

        await page.getByLabel('Version contains').fill('3.');
        expect(await rows.count()).toBe(0);
        expect(await page.getByRole('status').textContent()).toBe('No release matches.');

        await page.getByLabel('Status').selectOption('all');
        expect(await rows.count()).toBe(4);
      });
    });

    it('a link to a release in a closed part opens it', async () => {
      await visitor.visit('three-thousand.html#v0.3.7', {}, async (page) => {
        const row = page.locator('tr[id="v0.3.7"]');

        await row.waitFor({ state: 'visible' });
        expect(await row.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true);
      });
    });

    it('copies versions and snippets exactly, and says so', async () => {
      await visitor.visit(
        'calm.html',
        { permissions: ['clipboard-read', 'clipboard-write'] },
        async (page) => {
          const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

          const version = page.getByRole('button', { name: 'Copy 2026.4' });
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

    it('a component with 3,000 releases is there soon and filtered at once', async () => {
      await visitor.visit('three-thousand.html', {}, async (page) => {
        const loaded = await page.evaluate(
          () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventEnd,
        );
        const filtered = await page.evaluate(() => {
          const input = document.querySelector<HTMLInputElement>('#release-version')!;
          const before = performance.now();
          input.value = '0.77.';
          input.dispatchEvent(new Event('input'));
          document.body.getBoundingClientRect();
          return performance.now() - before;
        });

        expect(await page.locator('.releases tbody tr:visible').count()).toBe(20);
        expect(await page.locator('.releases tbody tr').count()).toBe(3000);
        expect(loaded).toBeLessThan(3000);
        expect(filtered).toBeLessThan(1000);
      });
    });
  },
);
