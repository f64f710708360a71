import { expect, it } from 'vitest';
import { distance } from '../../../src/site/page/distance.ts';
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
                  (cell) => cell.querySelector('time')?.dateTime ?? '',
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

    it('says beside a day how far away it is for the visitor', async () => {
      await visitor.visit('index.html', {}, async (page) => {
        const said = await page
          .locator('time[data-relative]')
          .evaluateAll((times) =>
            times.map((time) => [
              (time as HTMLTimeElement).dateTime,
              time.nextElementSibling!.className,
              time.nextElementSibling!.textContent,
            ]),
          );

        expect(said.length).toBeGreaterThan(5);
        for (const [day, name, words] of said) {
          expect(name).toBe('relative');
          expect(words).toBe(distance(day!, Date.now()));
        }
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

          await page.getByRole('button', { name: 'Copy Renovate, by preset' }).click();
          await page
            .locator('#announcement', { hasText: 'Copied Renovate, by preset' })
            .waitFor({ state: 'attached' });
          expect(JSON.parse(await clipboard())).toEqual({
            extends: ['https://releases.example.com/renovate.json'],
          });
        },
      );
    });
  },
);
