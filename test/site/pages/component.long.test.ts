import { describe, expect, it } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
import { buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { describeInBrowser, overflow } from './visit.ts';

const widths = [320, 360, 768, 1280];
const withoutScript = { isWithoutScript: true };

/** 10,000 releases of 4,000 lines, of which 100 are supported. */
const giant = {
  definition: {
    title: 'Giant',
    homepage: 'https://example.com/',
    changelogUrl: 'https://example.com/changelog',
    sources: [],
    support: { policy: 'latest-lines', count: 100 },
  },
  releases: Array.from({ length: 10_000 }, (_, index) => ({
    version: `${Math.floor(index / 250) + 1}.${Math.floor((index % 250) / 2.5)}.${index % 250}`,
    releaseTimestamp: addDays('2000-01-01', Math.floor(index * 0.98)),
  })),
};

const components = () => ({
  ...syntheticComponents(),
  giant,
  looked: {
    definition: {
      ...syntheticComponents()['none']!.definition,
      sources: [{ datasource: 'npm', packageName: 'example' }],
      replacedBy: 'calm',
    },
  },
});

describeInBrowser(
  'the page of a component',
  () => buildSynthetic(components()),
  (visitor) => {
    describe('without script', () => {
      it('says first what to use, what is supported, and what ends next', async () => {
        await visitor.visit('calm.html', withoutScript, async (page) => {
          const cells = page.locator('.answer dl > div');

          expect((await cells.allInnerTexts()).map((text) => text.split('\n'))).toEqual([
            ['Use', '2026.4', 'Released on 2026-10-20 · Changelog'],
            [
              'Supported',
              '2025.3 to 2026.4 6 release lines',
              'A release line is supported for 18 months from its first release.',
            ],
            ['Ends next', '2025.3 2027-01-21', 'All ends as a calendar'],
          ]);
          expect(await page.locator('main').getAttribute('data-component')).toBe('calm');
        });
      });

      it('says of a coming deprecation when and why', async () => {
        await visitor.visit('mixed.html', withoutScript, async (page) => {
          expect((await page.locator('#next').innerText()).split('\n')).toEqual([
            'Ends next',
            '2.1 2027-01-15',
            '2.1.0 will be deprecated on 2026-12-24: Will not start after its certificate ends.',
            'All ends as a calendar',
          ]);
        });
      });

      it('shows the lines in one table with a named picture, a bar for each that has a day', async () => {
        await visitor.visit('mixed.html', withoutScript, async (page) => {
          const rows = page.locator('#lines tbody tr');
          const picture = { name: 'Support of the release lines of Mixed history, 2024 to 2028' };

          expect(await rows.evaluateAll((all) => all.map((row) => row.id))).toEqual([
            'line-3.0',
            'line-2.1',
            'line-2.0',
            'line-1.9',
          ]);
          expect(await page.locator('#lines .support').allTextContents()).toEqual([
            'supported until 2028-06-30',
            'supported until 2027-01-15',
            'ended on 2026-03-01',
            'ended',
          ]);
          expect(await page.getByRole('img', picture).count()).toBe(1);
          expect(await page.locator('#lines path:is(.bar, .over)').count()).toBe(3);
          await page.getByRole('link', { name: '3.0.2' }).first().click();
          expect(new URL(page.url()).hash).toBe('#v3.0.2');
        });
      });

      it('gives each release a row with its version, day, verdict, and what is its own', async () => {
        await visitor.visit('mixed.html', withoutScript, async (page) => {
          const cells = (version: string) => page.locator(`tr[id="v${version}"] > *`).allTextContents();

          expect(await cells('3.0.1')).toEqual([
            '3.0.1',
            '2026-06-15 ',
            'deprecated' +
              'Deprecated upstream: use 3.0.2. Since 2026-06-15. Loses data on restart. Since 2026-07-01. Read why',
          ]);
          expect(await cells('3.0.0')).toEqual([
            '3.0.0',
            '2026-06-01 Notes of 3.0.0',
            'supported until 2028-06-30',
          ]);
          expect((await cells('3.0.0-rc1'))[2]).toBe('prerelease, supported until 2028-06-30');
          expect(await cells('2.0.0')).toEqual([
            '2.0.0',
            'by 2024-02-01 ',
            'deprecated, support ended on 2026-03-01',
          ]);
          expect((await cells('2.0.1'))[2]).toBe(
            'withdrawn, support ended on 2026-03-01npm:example has not listed it since 2026-05-05.',
          );
          expect((await cells('1.9.0')).slice(1)).toEqual(['', 'deprecated, support ended']);
          expect(await page.locator('.releases th[scope=row]').count()).toBe(9);
          expect(await page.locator('tr[id="v3.0.0"] time').first().getAttribute('datetime')).toBe(
            '2026-06-01',
          );
          expect(await page.locator('#releases .note').textContent()).toBe(
            '“By” a day: first seen on that day, may be older. No day: the release date is unknown.',
          );
        });
      });

      it.each(widths)('breaks no version of up to eight characters, %i wide', async (width) => {
        for (const name of ['calm', 'mixed', 'three-thousand']) {
          const versions = await visitor.visit(
            `${name}.html`,
            { ...withoutScript, viewport: { width, height: 900 } },
            (page) =>
              page.locator('table a:visible').evaluateAll((links) =>
                links.flatMap((link) => {
                  const text = link.textContent.trim();
                  const range = document.createRange();
                  range.selectNodeContents(link);
                  const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
                  return /^\d[\d.]{0,7}$/.test(text) ? [{ text, lines: lines.size }] : [];
                }),
              ),
          );

          expect(versions.length, name).toBeGreaterThan(5);
          expect(versions.filter(({ lines }) => lines > 1)).toEqual([]);
        }
      });

      it('says what the policy is once, and not in every row', async () => {
        for (const name of ['calm', 'three-thousand', 'thousand']) {
          await visitor.visit(`${name}.html`, withoutScript, async (page) => {
            const text = await page.locator('main').evaluate((main) => main.textContent);
            const policy = await page.locator('.answer .note').first().textContent();

            expect(text.split(policy!).length - 1, name).toBe(1);
            expect(text, name).not.toMatch(/No support policy covers|No end stated/);
          });
        }
      });

      it.each([
        ['calm.html', 'v2021.1.1'],
        ['three-thousand.html', 'v0.137.7'],
        ['mixed.html', 'v1.9.0'],
      ])('%s#%s leads to the row, also in a closed part', async (path, id) => {
        await visitor.visit(`${path}#${id}`, withoutScript, async (page) => {
          const row = page.locator(`tr[id="${id}"]`);
          await row.waitFor({ state: 'visible' });

          expect(await row.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(
            true,
          );
        });
      });

      it('is one short card where no release is known: where it was looked for, and how to get told', async () => {
        await visitor.visit('looked.html', withoutScript, async (page) => {
          expect(await page.locator('main :is(h1, h2, h3)').allTextContents()).toEqual([
            'Component without releases',
          ]);
          expect(await page.locator('main .notice').innerText()).toContain(
            'No release is known yet. The index looks for releases in npm:example.',
          );
          expect(await page.locator('main :is(table, form)').count()).toBe(0);
          expect(await page.locator('main pre code').first().textContent()).toContain('"extends"');
          expect(await page.locator('main pre').first().isVisible()).toBe(true);
          expect(await page.locator('main a[href="feeds/looked.atom"]').count()).toBe(1);
          expect(await page.locator('main a[href="calm.html"]').first().textContent()).toContain(
            'Replaced by calm',
          );
        });
        await visitor.visit('none.html', withoutScript, async (page) => {
          expect(await page.locator('main .notice').innerText()).toContain(
            'No source is asked: its releases are maintained by hand.',
          );
        });
      });
    });

    it.each(widths)('each end of support is in sight, %i wide', async (width) => {
      for (const name of ['calm', 'mixed']) {
        await visitor.visit(`${name}.html`, { viewport: { width, height: 800 } }, async (page) => {
          const ends = page.locator('#lines [data-status=supported] .support time:visible');
          const boxes = await ends.evaluateAll((all) =>
            all.map((end) => end.getBoundingClientRect().toJSON()),
          );

          expect(boxes).toHaveLength({ calm: 6, mixed: 2 }[name]!);
          for (const { left, right } of boxes) {
            expect(left).toBeGreaterThanOrEqual(0);
            expect(right).toBeLessThanOrEqual(width);
          }
          const narrowest = await page
            .locator('#lines td.support:visible')
            .evaluateAll((cells) => Math.min(...cells.map((cell) => cell.getBoundingClientRect().width)));
          expect(narrowest).toBeGreaterThan(100);
          expect(await overflow(page)).toBe(0);
        });
      }
    });

    it.each(widths)('every bar and the line of today lie within the picture, %i wide', async (width) => {
      await visitor.visit('calm.html', { viewport: { width, height: 800 } }, async (page) => {
        const beyond = await page.locator('#lines .picture .time').evaluateAll((pictures) =>
          pictures.flatMap((picture) => {
            const { left, right } = picture.getBoundingClientRect();
            const bars = [...picture.querySelectorAll('path')].map((bar) => bar.getBoundingClientRect());
            return bars.filter((bar) => bar.left < left - 6 || bar.right > right + 6);
          }),
        );

        expect(beyond).toEqual([]);
        expect(
          await page.locator('.axis .today').evaluate((today) => getComputedStyle(today).transform),
        ).toBe('matrix(1, 0, 0, 1, 20777, 0)');
      });
    });

    it('of 10,000 releases shows what is supported as far as it fits, and says where the rest is', async () => {
      await visitor.visit('giant.html', {}, async (page) => {
        const older = page.locator('#older');

        expect(await page.locator('*').count()).toBeLessThan(30_000);
        expect(await page.locator('.releases tbody tr').count()).toBe(300);
        expect(await page.locator('#lines tbody tr').count()).toBe(60);
        expect(await page.locator('#lines tbody tr:not([data-status=supported])').count()).toBe(0);
        expect(await older.getAttribute('data-shown')).toBe('300');
        expect(await older.innerText()).toMatch(
          /^Not on this page: 9,700 older releases\. details\/giant\.json has all/,
        );
        expect(await older.getByRole('link').getAttribute('href')).toBe('details/giant.json');
        expect(await page.locator('#lines .note').innerText()).toMatch(
          /^Not on this page: 3,940 older release lines\./,
        );
      });
    });

    it('in trouble says so in a sentence, and what each source answered, none of it cut off on a phone', async () => {
      for (const path of ['mixed.html', 'hostile.html']) {
        await visitor.visit(path, { viewport: { width: 360, height: 800 } }, async (page) => {
          const notice = page.locator('.notice');
          await notice.locator('summary').click();

          expect(await notice.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
          if (path !== 'mixed.html') return;
          expect(await notice.locator('summary').innerText()).toBe(
            'held 1 answer waits for review; recorded data stays in use.',
          );
          expect(await notice.locator('li').allTextContents()).toEqual([
            'npm:example: would withdraw 5 of 9 versions. Its answer has waited for review since 2026-11-18.',
          ]);
        });
      }
    });

    it('that is fresh says so in a line, with the day of the last check where script reads it', async () => {
      await visitor.visit('calm.html', {}, async (page) => {
        await page
          .getByText('Every source answered when it was last asked. Last check 2026-11-20.')
          .waitFor();
        expect(await page.locator('.notice').count()).toBe(0);
      });
    });

    it('tells in two steps how to keep it updated, the first way open', async () => {
      await visitor.visit('calm.html', withoutScript, async (page) => {
        const steps = page.locator('.steps > li');

        expect(await steps.locator('h3').allTextContents()).toEqual([
          'Once in a repository',
          'Above each version',
        ]);
        for (const step of await steps.all())
          expect(await step.locator('.snippet:has(> details:not([open]))').count()).toBe(
            (await step.locator('.snippet').count()) - 1,
          );
        expect(await page.locator('#snippet-renovate-preset pre').innerText()).toContain('"extends"');
      });
    });
  },
);
