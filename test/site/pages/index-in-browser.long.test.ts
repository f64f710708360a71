import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildFixtureIndex, buildMany, buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { describeInBrowser, overflow, type Visitor } from './visit.ts';

const widths = [320, 768, 1280];

function itLooksRight({ visit }: Visitor): void {
  it.each(['index.html'])('%s shows every word of its pictures at any width', async (path) => {
    await visit(path, {}, async (page) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect(await overflow(page), `${width} wide`).toBe(0);
        const cut = await page
          .locator('.plan :is(text, .name, .support-end, .today span):visible')
          .evaluateAll((elements) =>
            elements.flatMap((element) => {
              const { left, right } = element.getBoundingClientRect();
              return left >= 0 && right <= innerWidth ? [] : element.textContent;
            }),
          );
        expect(cut, `${width} wide`).toEqual([]);
      }
    });
  });
}

describeInBrowser('the first page of an ordinary index', buildFixtureIndex, (visitor) => {
  itLooksRight(visitor);

  it('draws today at its place without script', async () => {
    await visitor.visit('index.html', { isWithoutScript: true }, async (page) => {
      const shares = await page.evaluate(() => {
        const scale = document.querySelector('.scale')!.getBoundingClientRect();
        const share = (x: number) => (x - scale.left) / scale.width;
        const years = [...document.querySelectorAll('.grid line.year')].map((line) =>
          share(line.getBoundingClientRect().left),
        );
        return {
          today: share(document.querySelector('.today line')!.getBoundingClientRect().left),
          years,
        };
      });

      // 2026-11-20 is the 324th day of a year that lies between two of these lines.
      const isThere = shares.years.some((start, index) => {
        const end = shares.years[index + 1] ?? Number.NaN;
        return Math.abs(start + ((end - start) * 323) / 365 - shares.today) < 0.003;
      });
      expect(isThere, JSON.stringify(shares)).toBe(true);
    });
  });

  it.each([
    ['light', '255,255,255'],
    ['dark', '18,22,27'],
  ] as const)('is a picture for other pages, in the %s', async (colorScheme, ground) => {
    await visitor.visit('404.html', { colorScheme }, async (page) => {
      const pixel = await page.evaluate(async () => {
        const picture = new Image();
        picture.src = '/support.svg';
        document.body.append(picture);
        await picture.decode();
        const canvas = document.createElement('canvas').getContext('2d')!;
        canvas.drawImage(picture, 0, 0);
        return [...canvas.getImageData(150, 60, 1, 1).data].slice(0, 3).join(',');
      });

      expect(pixel).toBe(ground);
    });
  });

  it('an index that is older than two days says so, and shows past ends as past', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      await page.clock.setFixedTime(new Date('2026-11-22T12:00:00Z'));
      await page.reload();
      expect(await page.locator('.age-warning').count()).toBe(0);
      expect(await page.locator('.rows li:visible').filter({ hasText: '2025.3' }).count()).toBe(0);

      await page.clock.setFixedTime(new Date('2027-01-20T12:00:00Z'));
      await page.reload();
      expect(await page.locator('.age-warning').textContent()).toBe(
        'This index was last updated on 20 Nov 2026, 9 weeks ago. Releases since then are missing.',
      );
      const row = page.locator('.bars li.tone-over').filter({ hasText: '2025.2' });
      expect(await row.textContent()).toContain('ended 15 Jan 2027');
      const later = page.locator('.rows li.tone-soon').filter({ hasText: '2025.3' });
      await later.getByText('Move to 2026.3').waitFor();
      expect(await later.innerText()).toMatch(/^Server 2025\.3\s+until 16 Mar 2027 in 8 weeks/);
    });
  });

  it('without stylesheets, the page stays as it was built', async () => {
    await visitor.visit('index.html', { expectedMessage: /ERR_FAILED/ }, async (page) => {
      await page.route('**/*.css', (route) => route.abort());
      await page.reload();

      expect(await page.locator('.age-warning').count()).toBe(0);
    });
  });
});

describeInBrowser('the first page of hundreds of components', buildMany, (visitor) => {
  describe('of 403', () => itLooksRight(visitor));

  it('is a strip of twelve months that open by day, without script', async () => {
    await visitor.visit('index.html', { isWithoutScript: true }, async (page) => {
      const months = page.locator('.strip a');
      const counts = (await months.locator('.count').allTextContents()).map(Number);

      expect(await months.count()).toBe(12);
      expect(await page.locator('.all-ends .days:visible').count()).toBe(0);
      await months.nth(1).click();
      const december = page.locator('#month-2026-12');
      await december.waitFor({ state: 'visible' });
      expect(await december.locator('li li').count()).toBe(counts[1]);
      expect(await december.locator('li li').first().textContent()).toMatch(
        /^Tool number \d+ .+Move to \d/,
      );
      expect(await page.locator('*').count()).toBeLessThanOrEqual(30_000);
    });
  });

  it('links groups by letter', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      const letters = page.getByRole('navigation', { name: 'Groups' });
      await letters.getByRole('link', { name: 'T' }).click();
      const group = page.locator('tbody:target');

      expect(await group.locator('.group').textContent()).toBe('T');
      expect(await group.locator('.group th').getAttribute('colspan')).toBe('3');
      expect(await group.evaluate((body) => body.getBoundingClientRect().top)).toBeLessThan(100);
      expect(await group.locator('tr:not(.group)').count()).toBe(403);
    });
  });

  it('loads at most 60 kB for a first visit, and all releases only on request', async () => {
    await visitor.visit('404.html', { expectedMessage: /404/ }, async (page) => {
      const bytes = await countingBytes(page);
      await page.goto(new URL('/index.html', page.url()).href, { waitUntil: 'networkidle' });
      expect(bytes.sum).toBeGreaterThan(10_000);
      expect(bytes.sum).toBeLessThanOrEqual(60_000);

      bytes.sum = 0;
      await page.getByRole('link', { name: 'ends within 90 days' }).click();
      await page.locator('.answer.card .actions button').click();
      await page.locator('.results tbody tr').first().waitFor();
      expect(bytes.paths).toContain('/search.json');
      expect(bytes.sum).toBeLessThanOrEqual(150_000);
    });
  });
});

/** The compressed bytes of responses, once per file, as browsers cache them. */
async function countingBytes(page: Page): Promise<{ sum: number; paths: Set<string> }> {
  const bytes = { sum: 0, paths: new Set<string>() };
  await page.route('**/*', async (route) => {
    const response = await route.fetch();
    const { pathname } = new URL(response.url());
    if (!bytes.paths.has(pathname)) {
      bytes.sum += gzipSync(await response.body()).length;
    }
    bytes.paths.add(pathname);
    await route.fulfill({ response });
  });
  return bytes;
}

describeInBrowser(
  'an index whose next end comes near after the build',
  () => {
    const { definition, releases } = syntheticComponents()['calm']!;
    const support = { policy: 'dated', lines: { '2026.4': '2027-02-20' } };
    return buildSynthetic({ calm: { definition: { ...definition, support }, releases } });
  },
  (visitor) => {
    it.each([
      ['2026-11-20', 'Nothing ends in the next 90 days.'],
      ['2026-11-22', 'Calm service 2026.4'],
    ])('says on %s what needs action: %s', async (day, words) => {
      await visitor.visit('index.html', {}, async (page) => {
        await page.clock.setFixedTime(`${day}T12:00:00Z`);
        await page.reload();
        const section = page.locator('section[aria-labelledby="needs-action"]');
        await section.getByRole('link', { name: 'Calendar' }).waitFor();

        const [, first = ''] = (await section.innerText()).split(/\n+/);
        expect(first).toContain(words);
        expect(await section.getByText('Nothing ends').count()).toBe(day > '2026-11-20' ? 0 : 1);
      });
    });
  },
);
