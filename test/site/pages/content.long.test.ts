import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../src/core/model/dates.ts';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import type { TestComponent } from '../../harness/site.ts';
import { buildSynthetic } from './built-site.ts';
import { hostileText, oddVersions, syntheticComponents } from './synthetic.ts';
import { describeInBrowser, overflow } from './visit.ts';

describeInBrowser(
  'the content of the pages',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    describe('without script', () => {
      const options = { isWithoutScript: true };

      it.each(['index', 'mixed', 'mine'])('%s shows no control that needs it', async (name) => {
        await visitor.visit(`${name}.html`, options, async (page) => {
          expect(
            await page
              .locator('button:visible, input:not([type=radio]):visible, textarea:visible')
              .count(),
          ).toBe(0);
        });
      });

      it('the index names every component, its latest version, and until when it is supported', async () => {
        await visitor.visit('index.html', options, async (page) => {
          const row = page.getByRole('row', { name: /Calm service/ });

          expect(await page.locator('#component-table tbody tr:not(.group)').count()).toBe(7);
          expect(await row.textContent()).toMatch(/2026\.4\s*20 Oct 2026/);
          const ends = page.locator('.bars li').filter({ hasText: 'Calm service' });
          expect(await ends.first().textContent()).toContain('until 21 Jan 2027');
        });
      });
    });

    it('every table fits on a printed page', async () => {
      for (const path of ['index.html', 'mixed.html', 'calm.html', 'api.html']) {
        await visitor.visit(path, { viewport: { width: 720, height: 1000 } }, async (page) => {
          await page.emulateMedia({ media: 'print' });

          expect(await overflow(page), path).toBe(0);
        });
      }
    });

    it('a page shows hostile text as text, and each odd version has its own id', async () => {
      await visitor.visit('hostile.html', {}, async (page) => {
        const ids = await page
          .locator('#lines tbody tr')
          .evaluateAll((rows) => rows.map((row) => row.id));

        expect(await page.locator('h1').textContent()).toBe(hostileText);
        expect(await page.locator('.description').textContent()).toBe(hostileText);
        expect((await page.locator('#lines tbody th').allTextContents()).toSorted()).toEqual(
          oddVersions.toSorted(),
        );
        expect(new Set(ids).size).toBe(oddVersions.length);
        expect(ids.filter((id) => !/^[\w.~+-]+$/.test(id))).toEqual([]);
        expect(await page.locator('main script, main img[onerror]').count()).toBe(0);
      });
    });

    it.each([true, false])(
      'the footer says when the index was updated, without script: %s',
      async (isWithoutScript) => {
        await visitor.visit('changes.html', { isWithoutScript }, async (page) => {
          const said = await page
            .locator('.build-day')
            .evaluate((element) => getComputedStyle(element, '::before').content);

          // A browser gives the parts of a content one by one, or as one text.
          expect(said.replaceAll('" "', '')).toBe('"Updated 20 Nov 2026"');
        });
      },
    );

    it('the header links the pages of the site, and marks the present one', async () => {
      await visitor.visit('changes.html', {}, async (page) => {
        const header = page.getByRole('navigation', { name: 'Site' });

        expect(await header.getByRole('link').allTextContents()).toEqual(
          expect.arrayContaining(['Components', 'Changes', 'API']),
        );
        expect(await header.locator('[aria-current=page]').allTextContents()).toEqual(['Changes']);
        await header.getByRole('link', { name: 'Components' }).click();
        expect(await header.locator('[aria-current=page]').allTextContents()).toEqual([
          'Components',
        ]);
      });
    });

    it('the status page shows the days of the last checks, and without script the last run', async () => {
      await visitor.visit('status.html', {}, async (page) => {
        const row = page.getByRole('row', { name: 'Calm service' });
        await row.getByText('20 Nov 2026').waitFor();

        expect(await row.getByRole('cell').allTextContents()).toEqual([
          '20 Nov 2026',
          '20 Oct 2026',
          'up to date',
        ]);
      });
      await visitor.visit('status.html', { isWithoutScript: true }, async (page) => {
        const row = page.getByRole('row', { name: 'Calm service' });
        expect(await row.getByRole('cell').first().textContent()).toBe('in the last run');
        expect(await page.getByRole('link', { name: 'status.json' }).count()).toBe(1);
      });
    });

    it('the status page has its table of checks apart from the problems below it', async () => {
      await visitor.visit('status.html', {}, async (page) => {
        const table = await page.locator('.checks').boundingBox();
        const problems = await page.getByRole('heading', { name: 'Problems' }).boundingBox();

        expect(problems!.y - (table!.y + table!.height)).toBeGreaterThanOrEqual(24);
      });
    });

    it('the address of a line opens its verdict without script', async () => {
      for (const name of ['calm', 'mixed', 'ended']) {
        const { lines } = JSON.parse(
          readFileSync(join(visitor.folder, 'details', `${name}.json`), 'utf8'),
        ) as DetailsFile;
        const { line } = lines.at(-2)!;

        await visitor.visit(`${name}.html#v${line}`, { isWithoutScript: true }, async (page) => {
          const place = page.locator('.line-details', { has: page.locator(`[id="v${line}"]`) });
          const verdict = place.locator('.sentence').first();
          const top = await verdict.evaluate((element) => element.getBoundingClientRect().top);

          expect(await verdict.innerText()).toMatch(name === 'ended' ? / to 2023\.2 / : line);
          expect(top > 0 && top < 900, `${name} ${line} at ${top}`).toBe(true);
        });
      }
    }, 60_000);

    it('the buttons copy versions and snippets, and report it', async () => {
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

const longVersion = (number: string) => `${number}-jre${'x'.repeat(40)}.20261122.deadbeef0123456`;
const [long, plain] = [
  { title: hostileText.repeat(2), support: { policy: 'term', months: 18 } },
  { title: 'Unbreakable'.repeat(8) },
].map((own): TestComponent => ({
  definition: {
    homepage: 'https://example.com/',
    changelogUrl: 'https://example.com/',
    sources: [{ datasource: 'npm', packageName: 'example' }],
    ...own,
  },
  releases: ['1.0.0', '1.1.0', '2.0.0', '2.1.0'].map((number, index) => ({
    version: longVersion(number),
    releaseTimestamp: addDays('2025-03-20', index * 150),
  })),
}));

describeInBrowser(
  'long versions and titles',
  () => buildSynthetic({ long: long!, plain: plain! }),
  (visitor) => {
    it.each([
      'index.html',
      'changes.html',
      'long.html',
      'plain.html',
      `long.html?q=${encodeURIComponent(longVersion('1.0.0'))}`,
      `mine.html#c=${encodeURIComponent(`long@${longVersion('1.0.0')},plain@${longVersion('1.1.0')}`)}`,
    ])('%s wraps them, without a letter on a line or a text beside the window', async (path) => {
      await visitor.visit(path, { viewport: { width: 320, height: 800 } }, async (page) => {
        if (path.includes('?')) {
          await page.locator('.answer.card').first().waitFor();
        }
        if (path.includes('#')) {
          await page.locator('.steps').waitFor();
        }
        for (const width of [320, 360]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await overflow(page), `${width} wide`).toBe(0);
          expect(await brokenTexts(page), `${width} wide`).toEqual([]);
        }
      });
    });
  },
);

/** Texts that have fewer than four letters on a line, or end beyond the window. */
function brokenTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent!.trim();
      const range = document.createRange();
      range.selectNode(texts.currentNode);
      const rects = [...range.getClientRects()];
      const lines = new Set(rects.map(({ top }) => Math.round(top))).size;
      // These scroll by themselves, or are only spoken.
      const isApart = texts.currentNode.parentElement!.closest(
        'pre, .table-frame, .visually-hidden',
      );
      const isCut = !isApart && rects.some(({ right }) => right > innerWidth);
      if ((lines > 2 && lines > text.length / 4) || isCut) {
        broken.push(`${lines} lines: ${text}`);
      }
    }
    return broken;
  });
}
