import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import { syntheticComponents } from './synthetic.ts';
import { buildSynthetic, type BuiltFolder } from './built-site.ts';
import { describeInBrowser } from './visit.ts';

const names = Object.keys(syntheticComponents());
let built: BuiltFolder;

describeInBrowser(
  'the address of an end of support',
  () => (built = buildSynthetic(syntheticComponents())),
  (visitor) => {
    it('opens without script at what the details say', async () => {
      let seen = 0;
      for (const name of names) {
        const { ends = [] } = JSON.parse(
          readFileSync(join(built.out, 'details', `${name}.json`), 'utf8'),
        ) as DetailsFile;
        for (const { anchor, text, on } of ends.slice(-4)) {
          await visitor.visit(`${name}.html#${anchor}`, { isWithoutScript: true }, async (page) => {
            const end = page.locator(`[id="${anchor}"]`);
            const days = await end
              .locator('time')
              .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')!));
            const shown = await end.evaluate((element) => {
              for (const time of element.querySelectorAll('time'))
                time.replaceWith(time.getAttribute('datetime')!);
              return element.textContent;
            });

            expect(await end.isVisible(), anchor).toBe(true);
            expect(shown).toBe(text);
            expect(days).toContain(on);
          });
          seen += 1;
        }
      }
      expect(seen).toBeGreaterThan(10);
    }, 120_000);
  },
);
