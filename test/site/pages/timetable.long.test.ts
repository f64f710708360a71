import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
import { contrast } from '../../harness/contrast.ts';
import { buildFixtureIndex, buildSynthetic, type BuiltFolder } from './built-site.ts';
import { syntheticComponents, type SyntheticComponent } from './synthetic.ts';
import { audit, describeInBrowser, overflow, type Visitor } from './visit.ts';

const widths = [320, 360, 768, 1280];
const sized = (width: number) => ({ viewport: { width, height: 800 } });

/** Sixty components of every policy, none of which has a day or a title in common with another. */
function buildMany(): BuiltFolder {
  const { calm, ended, thousand, none } = syntheticComponents();
  const policies = [calm!, { ...thousand!, releases: thousand!.releases.slice(-60) }, ended!, none!];
  const many = Array.from({ length: 60 }, (_, index): [string, SyntheticComponent] => {
    const { definition, releases } = policies[index % policies.length]!;
    const moved = releases.map(({ version, releaseTimestamp }) => ({
      version,
      releaseTimestamp: addDays(releaseTimestamp!.slice(0, 10), -index),
    }));
    const { support } = definition as { support?: { policy: string } };
    const since = addDays('2026-12-31', index * 7);
    const about = {
      title: `Tool number${index}`,
      ...(support?.policy === 'ended' && { support: { ...support, since } }),
    };
    return [`tool-${index}`, { definition: { ...definition, ...about }, releases: moved }];
  });
  return buildSynthetic(Object.fromEntries(many));
}

/** Each component with the words of its row that can be seen. */
function rowsOf(page: Page): Promise<{ name: string; text: string }[]> {
  return page.locator('#component-table tr[data-component]').evaluateAll((rows) =>
    rows.map((row) => {
      const labels = Array.from(row.querySelectorAll('text'), ({ textContent }) => textContent);
      return {
        name: (row as HTMLElement).dataset['component']!,
        text: [...labels, (row as HTMLElement).innerText].join('\n'),
      };
    }),
  );
}

/** The phrases of three words that stand in more than a quarter of the rows. */
function repeated(rows: readonly { text: string }[]): string[] {
  const counts = new Map<string, number>();
  for (const { text } of rows) {
    const words = text.split(/\s+/).filter((word) => word !== '');
    const phrases = words.slice(2).map((_, index) => words.slice(index, index + 3).join(' '));
    for (const phrase of new Set(phrases)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > rows.length / 4).map(([phrase]) => phrase);
}

function itIsReadable(visitor: Visitor): void {
  it('says nothing in three words in more than a quarter of its rows', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      const rows = await rowsOf(page);

      expect(rows.length).toBeGreaterThan(5);
      expect(repeated(rows)).toEqual([]);
    });
  });

  it.each(widths)('shows each end of support, %i wide, and no label over another', async (width) => {
    await visitor.visit('index.html', sized(width), async (page) => {
      expect(await overflow(page)).toBe(0);
      const pictures = await page.locator('#ends-stated tr[data-component]').evaluateAll((rows) =>
        rows.map((row) => {
          const labels = [...row.querySelectorAll('.picture text')].map((label) => {
            const { left, right, top, bottom } = label.getBoundingClientRect();
            return { left, right, top, bottom };
          });
          const steps = row.querySelector('.bar')!.getAttribute('d')!.match(/v/g)!.length;
          const more = /(\d+) more/.exec((row as HTMLElement).innerText)?.[1] ?? '0';
          return { labels, steps, unlabelled: Number(more), text: (row as HTMLElement).innerText };
        }),
      );

      expect(pictures.length).toBeGreaterThan(0);
      for (const { labels, steps, unlabelled, text } of pictures) {
        // In a label at its step, or counted beside the first end.
        expect(labels.length + unlabelled, text).toBe(steps);
        for (const [index, one] of labels.entries()) {
          expect(one.left, text).toBeGreaterThanOrEqual(0);
          expect(one.right, text).toBeLessThanOrEqual(width);
          for (const other of labels.slice(index + 1)) {
            const isApart =
              one.right <= other.left ||
              other.right <= one.left ||
              one.bottom <= other.top + 3 ||
              other.bottom <= one.top + 3;
            expect(isApart, text).toBe(true);
          }
        }
      }
    });
  });

  it.each(widths)('keeps every word of its rows on the screen, %i wide', async (width) => {
    await visitor.visit('index.html', sized(width), async (page) => {
      const cut = await page
        .locator('#component-table :is(a, b, code, time, small):visible')
        .evaluateAll((elements) =>
          elements.flatMap((element) => {
            const { left, right } = element.getBoundingClientRect();
            return left >= 0 && right <= innerWidth ? [] : element.textContent;
          }),
        );

      expect(cut).toEqual([]);
    });
  });
}

describeInBrowser('the timetable of an ordinary index', buildFixtureIndex, (visitor) => {
  itIsReadable(visitor);

  it.each([true, false])('draws today where it is, without script: %s', async (isWithoutScript) => {
    await visitor.visit('index.html', { isWithoutScript }, async (page) => {
      const share = await page.evaluate(() => {
        const axis = document.querySelector('thead .picture svg')!.getBoundingClientRect();
        const matrix = new DOMMatrix(getComputedStyle(document.querySelector('.today')!).transform);
        const [from, , days] = document
          .querySelector('#axis')!
          .getAttribute('viewBox')!
          .split(' ')
          .map(Number);
        return { share: (matrix.e - from!) / days!, width: axis.width };
      });

      // 2026-11-20 is the 323rd of 730 days.
      expect(share.share).toBeCloseTo(323 / 730, 5);
      expect(share.width).toBeGreaterThan(400);
    });
  });

  it('hides what was supported before today, so that the stairs begin there', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      const picture = page.locator('[data-component=svc] .picture');
      const ground = await picture.locator('.bar').evaluate((bar) => bar.getBoundingClientRect().bottom);
      const { y } = (await picture.boundingBox())!;
      const png = (await picture.screenshot()).toString('base64');
      // The policy of the page lets nothing be read from elsewhere.
      const blank = await page.context().newPage();
      const colours = await blank.evaluate(
        async ([data, row]) => {
          const image = new Image();
          image.src = `data:image/png;base64,${data}`;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
          canvas.drawImage(image, 0, 0);
          return [0.43, 0.46, 0.6].map((share) =>
            [...canvas.getImageData(share * image.width, row, 1, 1).data].slice(0, 3),
          );
        },
        [png, ground - y - 3] as const,
      );

      expect(colours).toEqual([
        [255, 255, 255],
        [154, 86, 0],
        [43, 153, 114],
      ]);
    });
  });

  it.each([360, 1280])('keeps its head in sight while it is read, %i wide', async (width) => {
    await visitor.visit('index.html', sized(width), async (page) => {
      const top = await page.evaluate(() => {
        const row = document.querySelector('[data-component=svc]')!;
        scrollBy(0, row.getBoundingClientRect().top - 150);
        return document.querySelector('thead')!.getBoundingClientRect().top;
      });

      expect(Math.round(top)).toBe(0);
    });
  });

  it('stays a table where its rows are laid out in lines', async () => {
    await visitor.visit('index.html', sized(360), async (page) => {
      const row = page.locator('[data-component=svc]').and(page.getByRole('row'));

      expect(await page.getByRole('table', { name: /^Components/ }).count()).toBe(1);
      expect(await page.getByRole('columnheader').count()).toBe(4);
      expect(await row.getByRole('rowheader').count()).toBe(1);
      expect(await row.getByRole('cell').count()).toBe(3);
      const words = await row.getByRole('cell').nth(1).ariaSnapshot();
      expect(words).toContain('2025.2 2027-01-15 2025.3 2027-03-16');
    });
  });

  it.each(['light', 'dark'] as const)(
    'has bars that are seen in the %s, and told apart without colour',
    async (colorScheme) => {
      await visitor.visit('index.html', { colorScheme }, async (page) => {
        const [ground, bar, soon, today] = await page.evaluate(() =>
          ['--page', '--bar', '--bar-soon', '--now'].map((name) => {
            document.body.style.background = `var(${name})`;
            const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)!;
            return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
          }),
        );

        for (const colour of [bar!, soon!, today!])
          expect(contrast(colour, ground!)).toBeGreaterThanOrEqual(3.5);
        expect(contrast(bar!, soon!)).toBeGreaterThanOrEqual(1.5);
      });
    },
  );

  it('is drawn in the colours of the system where those are forced', async () => {
    await visitor.visit('index.html', { forcedColors: 'active' }, async (page) => {
      const fill = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((path) => getComputedStyle(path).fill);

      expect(await fill('.picture .bar')).toBe(
        await page.locator('h1').evaluate((h1) => getComputedStyle(h1).color),
      );
      expect(await fill('.picture .soon')).not.toBe(await fill('.picture .bar'));
    });
  });

  it('fits on paper as a table, without what only a screen needs', async () => {
    await visitor.visit('index.html', sized(720), async (page) => {
      await page.emulateMedia({ media: 'print' });

      expect(await overflow(page)).toBe(0);
      expect(await page.locator('thead').evaluate((head) => getComputedStyle(head).display)).toBe(
        'table-header-group',
      );
      expect(await page.locator('.ask, .keep .snippets').filter({ visible: true }).count()).toBe(0);
    });
  });

  it.each([320, 768])('is accessible, %i wide', async (width) => {
    await visitor.visit('index.html', sized(width), async (page) => {
      expect(await audit(page)).toEqual([]);
    });
  });
});

describeInBrowser('the timetable of many components', buildMany, (visitor) => {
  describe('of sixty', () => itIsReadable(visitor));
});
