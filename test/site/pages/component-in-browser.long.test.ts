import { describe, expect, it } from 'vitest';
import { buildFixtureIndex, buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { describeInBrowser, overflow } from './visit.ts';

const widths = [320, 768, 1280];
const withoutScript = { isWithoutScript: true };

/** Two stops between its first release and its latest one. */
const climbing = {
  definition: {
    title: 'Server with stops',
    homepage: 'https://example.com/',
    changelogUrl: 'https://example.com/changelog',
    sources: [],
    upgradeStops: [
      {
        at: '15.11',
        reason: 'The database is rewritten there',
        url: 'https://example.com/upgrade#15.11',
      },
      '16.3',
    ],
  },
  releases: ['14.0.12', '15.11.0', '15.11.9', '16.3.4', '17.1.0'].map((version, index) => ({
    version,
    releaseTimestamp: `2026-0${index + 1}-10`,
    timestampKind: 'published',
  })),
};
/** Its latest release is deprecated soon, and support of all ends later. */
const aging = {
  definition: {
    title: 'Aging service',
    homepage: 'https://example.com/',
    changelogUrl: 'https://example.com/changelog',
    sources: [],
    support: { policy: 'dated', lines: { '1.0': '2027-12-01', '2.0': '2027-12-01' } },
    deprecated: [{ versions: ['2.0'], reason: 'Broken.', since: '2026-11-22' }],
  },
  releases: ['1.0', '2.0'].map((version, index) => ({
    version,
    releaseTimestamp: `2026-0${index + 1}-10`,
    timestampKind: 'published',
  })),
};
const components = () => ({
  climbing,
  aging,
  ...syntheticComponents(),
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
      it('says first what to use, how long it is supported, and what is about to change', async () => {
        await visitor.visit('calm.html', withoutScript, async (page) => {
          const card = page.locator('.answer > div').first();

          expect((await card.innerText()).split('\n').filter(Boolean)).toEqual([
            'Newest version',
            '2026.4',
            'Release notes',
            'Support: until 20 Apr 2028. Released 20 Oct 2026. A release line is supported for 18 months from its first release.',
            'Advisories: not known.',
          ]);
        });
        await visitor.visit('mixed.html', withoutScript, async (page) => {
          expect(await page.locator('.answer').innerText()).toContain(
            '2.1.0 is deprecated from 24 Dec 2026 on: Will not start after its certificate ends.',
          );
          const open = await page
            .locator('#lines .bars > details[open]')
            .evaluateAll((all) => all.map(({ id }) => id));
          expect(open).toEqual(['line-3.0']);
        });
      });

      it('gives each release a row with its version, day, notes and own reasons', async () => {
        await visitor.visit('mixed.html', withoutScript, async (page) => {
          const cells = (version: string) =>
            page.locator(`tr[id="v${version}"] > *`).allTextContents();

          expect(await cells('3.0.1')).toEqual([
            '3.0.1',
            '15 Jun 2026',
            'deprecated ' +
              'Deprecated upstream: use 3.0.2. Since 15 Jun 2026. Loses data on restart. Since 1 Jul 2026. Read why',
          ]);
          expect(await cells('3.0.0')).toEqual(['3.0.0', '1 Jun 2026', 'Notes of 3.0.0']);
          expect((await cells('3.0.0-rc1'))[2]).toContain('prerelease');
          expect(await cells('2.0.0')).toEqual(['2.0.0', '≤ 1 Feb 2024', '']);
          expect((await cells('2.0.1'))[2]).toBe(
            'withdrawn npm:example has not listed it since 5 May 2026.',
          );
          expect((await cells('1.9.0')).slice(1)).toEqual(['day unknown', '']);
          expect(await page.locator('.lines th[scope=row]').count()).toBe(9);
          expect(await page.locator('tr[id="v3.0.0"] time').first().getAttribute('datetime')).toBe(
            '2026-06-01',
          );
        });
      });

      it.each(['calm', 'mixed', 'three-thousand'])(
        'breaks no short version of %s at any width',
        async (name) => {
          await visitor.visit(`${name}.html`, withoutScript, async (page) => {
            for (const width of widths) {
              await page.setViewportSize({ width, height: 900 });
              const versions = await page
                .locator('#lines :is(summary b, tbody th):visible')
                .evaluateAll((links) =>
                  links.flatMap((link) => {
                    const text = link.firstChild!.textContent!.trim();
                    const range = document.createRange();
                    range.selectNode(link.firstChild!);
                    const lines = new Set(
                      Array.from(range.getClientRects(), ({ top }) => Math.round(top)),
                    );
                    return /^\d[\d.]{0,7}$/.test(text) ? [{ text, lines: lines.size }] : [];
                  }),
                );

              expect(versions.length, `${width} wide`).toBeGreaterThan(5);
              expect(versions.filter(({ lines }) => lines > 1)).toEqual([]);
            }
          });
        },
      );

      // A picture clips what is wider than itself, so the width of the page does not tell.
      it.each(['calm', 'mixed', 'three-thousand'])(
        'cuts off nothing in the rows of %s',
        async (name) => {
          await visitor.visit(`${name}.html`, withoutScript, async (page) => {
            const rows = page.locator('#lines :is([open], .releases) tbody tr:visible');
            for (const width of [...widths, 360, 640]) {
              await page.setViewportSize({ width, height: 900 });
              const ends = await rows.evaluateAll((all) =>
                all.flatMap(({ children }) =>
                  Array.from(children, (cell) => {
                    const end = cell.closest('details, .releases')!.getBoundingClientRect().right;
                    const cellBeyond = cell.getBoundingClientRect().right - end;
                    const textBeyond = cell.scrollWidth - cell.clientWidth;
                    const beyond = Math.max(cellBeyond, textBeyond);
                    return { text: cell.textContent, beyond };
                  }),
                ),
              );

              expect(ends.length, `${width} wide`).toBeGreaterThan(2);
              expect(
                ends.filter(({ beyond }) => beyond > 0),
                `${width} wide`,
              ).toEqual([]);
            }
          });
        },
      );

      it.each([
        ['calm.html', 'v2021.1.1'],
        ['three-thousand.html', 'v0.137.7'],
        ['mixed.html', 'v1.9.0'],
      ])('%s#%s leads to the row, also in a closed part', async (path, id) => {
        await visitor.visit(`${path}#${id}`, withoutScript, async (page) => {
          const row = page.locator(`tr[id="${id}"]`);
          await row.waitFor({ state: 'visible' });

          expect(
            await row.evaluate((element) => element.getBoundingClientRect().top < innerHeight),
          ).toBe(true);
        });
      });

      it('shows each stop of the way up with its day and its reason', async () => {
        await visitor.visit('climbing.html', withoutScript, async (page) => {
          const stops = page.locator('#stops li');

          expect(
            (await stops.allInnerTexts()).map((stop) => stop.split('\n').filter(Boolean)),
          ).toEqual([
            ['15.11.9', '10 Mar 2026', 'The database is rewritten there. Read more'],
            ['16.3.4', '10 Apr 2026'],
          ]);
          for (const width of widths) {
            await page.setViewportSize({ width, height: 800 });
            expect(await overflow(page), `${width} wide`).toBe(0);
          }
        });
      });

      it('is one short card if no release is known, with the sources and the feed', async () => {
        await visitor.visit('looked.html', withoutScript, async (page) => {
          expect(await page.locator('main :is(h1, h2, h3)').allTextContents()).toEqual([
            'Component without releases',
          ]);
          expect(await page.locator('main .notice').innerText()).toContain(
            'No release is known yet. The index looks for releases in npm:example.',
          );
          expect(await page.locator('main pre code').first().innerText()).toContain('"extends"');
          expect(await page.locator('main a[href="feeds/looked.atom"]').count()).toBe(1);
          expect(await page.locator('main a[href="calm.html"]').first().textContent()).toContain(
            'Replaced by Calm service',
          );
        });
        await visitor.visit('none.html', withoutScript, async (page) => {
          expect(await page.locator('main .notice').innerText()).toContain('Maintained by hand.');
        });
      });
    });

    it.each([
      ['calm', 6],
      ['mixed', 2],
    ])('each end of support of %s is visible at any width', async (name, supported) => {
      await visitor.visit(`${name}.html`, {}, async (page) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          const ends = page.locator(
            '#lines :is(.tone-ok, .tone-soon) > summary .support-end time:visible',
          );
          const boxes = await ends.evaluateAll((all) =>
            all.map((end) => end.getBoundingClientRect().toJSON()),
          );

          expect(boxes).toHaveLength(supported);
          for (const { left, right } of boxes) {
            expect(left).toBeGreaterThanOrEqual(0);
            expect(right).toBeLessThanOrEqual(width);
          }
          expect(await overflow(page)).toBe(0);
        }
      });
    });

    it.each([
      ['2026-11-21', '2.0', true],
      // Two days after the build: the index is not old, but the release is deprecated.
      ['2026-11-22', 'Move back to 1.0', false],
      ['2027-06-01', 'Move back to 1.0', false],
      ['2027-12-02', 'No version to use.', false],
    ])('offers on %s what is to use then: %s', async (day, offered, isCopied) => {
      await visitor.visit('aging.html', {}, async (page) => {
        await page.clock.setFixedTime(`${day}T12:00:00Z`);
        await page.reload();
        const head = page.locator('.hero');
        await head.getByText(offered).first().waitFor();

        expect(await head.getByRole('button', { name: /^Copy/ }).count()).toBe(isCopied ? 1 : 0);
        expect(await head.locator('.state').textContent()).toBe(
          isCopied ? 'Newest version' : 'Newest version on 20 Nov 2026',
        );
        expect(await head.getAttribute('class')).toContain(
          day > '2027-12-01' ? 'tone-gone' : 'tone-ok',
        );
      });
    });

    it('with a held change says so, and links the reason', async () => {
      await visitor.visit('mixed.html', { viewport: { width: 360, height: 800 } }, async (page) => {
        await page.getByText('On hold: an unusual change awaits review.').waitFor();
        await page.getByRole('link', { name: 'Why', exact: true }).click();

        expect(await page.locator(':target').innerText()).toContain('on hold');
        expect(await page.getByText(': on hold').count()).toBe(1);
        expect(await page.getByText('Would withdraw 5 of 9 versions.').count()).toBe(1);
      });
    });

    it('shows two steps to stay up to date, and the block of one tool without script', async () => {
      await visitor.visit('calm.html', withoutScript, async (page) => {
        const steps = page.locator('#keep-it-updated h3:visible');
        const shown = page.locator('.tabs pre:visible');

        expect(await steps.allTextContents()).toEqual([
          '1. Once per repository',
          '2. Next to each version',
        ]);
        expect(await page.locator('#snippet-renovate-preset pre').innerText()).toContain(
          '"extends"',
        );
        expect(await shown.allInnerTexts()).toEqual([
          expect.stringContaining('ARG CALM_VERSION=2026.4'),
        ]);
        await page.getByText('GitLab CI').click();
        expect(await shown.allInnerTexts()).toEqual([expect.stringContaining('variables:')]);
        await page.keyboard.press('ArrowRight');
        expect(await shown.allInnerTexts()).toEqual([
          expect.stringContaining('\nCALM_VERSION=2026.4'),
        ]);
      });
    });
  },
);

describeInBrowser('the page of an ordinary component', buildFixtureIndex, (visitor) => {
  it.each([
    [1280, 1800],
    [360, 3100],
  ])('is short and has few stops for the keyboard, %i wide', async (width, most) => {
    await visitor.visit('svc.html', { viewport: { width, height: 900 } }, async (page) => {
      const stops = page.locator(
        ':is(a[href], button, input:not([type=radio]), input:checked, summary, [tabindex="0"]):visible',
      );

      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(
        most,
      );
      expect(await stops.count()).toBeLessThanOrEqual(42);
    });
  });
});
