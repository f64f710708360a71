import { expect, it } from 'vitest';
import { distance } from '../../../src/site/page/distance.ts';
import { buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { describeInBrowser } from './visit.ts';

describeInBrowser(
  'what script adds to the pages',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
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
