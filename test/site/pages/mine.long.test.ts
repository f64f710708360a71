import { expect, it } from 'vitest';
import { buildFixtureIndex, buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { audit, describeInBrowser, overflow } from './visit.ts';

const list = 'svc@2025.2,svc@2025.1,edge-node@1.7,build-agent@4.2.2';
const lockFile = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { '@example/edge-node': '^1.0.0', 'left-pad': '^1.3.0' } },
    'node_modules/@example/edge-node': { version: '1.7.0' },
    'node_modules/left-pad': { version: '1.3.0' },
  },
});

describeInBrowser('the page My versions', buildFixtureIndex, (visitor) => {
  it('shows the list of its address by due date at every width, and sends it nowhere', async () => {
    await visitor.visit(`mine.html#c=${list}`, {}, async (page) => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.locator('.deadlines').waitFor();

      expect(await page.locator('.deadlines .group').allTextContents()).toEqual([
        'Move now: 1',
        'Within 90 days: 1',
        'No end is stated: 2',
      ]);
      expect(await page.locator('.deadlines tbody tr:not(.group)').first().innerText()).toMatch(
        /^Server 2025\.1\s+Support ended\s+ended 8 Oct 2026\s+6 weeks ago\s+→ 2026\.3\s+now$/,
      );
      expect(await page.locator('#list-text').inputValue()).toContain('svc 2025.2');
      expect(await page.locator('.bars li').count()).toBe(2);
      expect(await page.locator('.exports').innerText()).toContain('release-index scan ./mine.txt');
      expect(requests.filter((url) => /c=|2025\.1/.test(url))).toEqual([]);
      for (const [width, colorScheme] of [
        [320, 'dark'],
        [768, 'light'],
        [1280, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        expect(await overflow(page), `${width} wide`).toBe(0);
        if (width !== 768) {
          expect(await audit(page)).toEqual([]);
        }
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);

      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Save mine.ics' }).click();
      expect((await download).suggestedFilename()).toBe('mine.ics');
    });
  });

  it('reads a list and a lock file, and names unknown entries', async () => {
    await visitor.visit('mine.html', {}, async (page) => {
      const show = async (text: string) => {
        await page.locator('#list-text').fill(text);
        await page.getByRole('button', { name: 'Show' }).click();
      };
      await show('Server 2026.2, edge-node 1.7\nno-such-thing 1.0');
      await page.locator('.deadlines').waitFor();

      expect(new URL(page.url()).hash).toBe('#c=svc@2026.2,edge-node@1.7');
      expect(await page.locator('#mine-result').innerText()).toContain(
        '"no-such-thing 1.0" is not in this index.',
      );

      await show('node 21.2.0\nserver 2026.2');
      await page.getByRole('button', { name: 'Is it build-cache-node' }).click();
      await page.waitForURL(/#c=svc@2026\.2,build-cache-node@/);

      await show(lockFile);
      await page.getByText('1 other package is not in this index.').waitFor();
      expect(await page.locator('.deadlines th[scope=row]').allTextContents()).toEqual([
        'Edge node 1.7.0',
      ]);
    });
  });

  it('adds a version from the box', async () => {
    await visitor.visit('mine.html#c=svc@2025.1', {}, async (page) => {
      await page.locator('.deadlines').waitFor();
      await page.locator('.finder input').fill('svc 2026.1');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Add to my versions' }).click();
      await page.waitForURL(/#c=svc@2025\.1,svc@2026\.1$/);
    });
  });

  it.each(['index.html', 'svc.html', 'mine.html'])(
    '%s says without a connection that there is none',
    async (path) => {
      await visitor.visit(path, { expectedMessage: /Failed to load resource/ }, async (page) => {
        await page.context().setOffline(true);
        await page.locator('main :is(input[autocomplete], textarea)').fill('svc 2025.1');
        await page.locator('main button.main-action').click();
        const said = page.getByText('No connection. The page itself is still valid.');
        await said.waitFor();
        expect(
          await said.evaluate((element) => element.getBoundingClientRect().bottom),
        ).toBeLessThan(900);
        await page.context().setOffline(false);
      });
    },
  );

  it.each(['index.html', 'svc.html', 'timeline.html'])(
    '%s can be read in forced colours',
    async (path) => {
      await visitor.visit(path, { forcedColors: 'active' }, async (page) => {
        await page.locator(':is(.finder, #ask, #mine) input').last().fill('svc 2025.1');
        await page.keyboard.press('Enter');
        await page.locator('.sentence').waitFor();
        const outside = await page
          .locator(':is(.sentence, .alarm, .main-action):visible')
          .evaluateAll((all) =>
            all.flatMap((element) => {
              const { top, bottom } = element.getBoundingClientRect();
              return top < 0 || bottom > innerHeight ? element.outerHTML.slice(0, 100) : [];
            }),
          );
        expect(outside).toEqual([]);
        const unread = await page
          .locator(':is(.sentence, .main-action, .alarm, .bars .bar):visible')
          .evaluateAll((all) =>
            all.flatMap((element) => {
              const { color, backgroundColor, fill, stroke } = getComputedStyle(element);
              const isBar = element instanceof SVGElement;
              const ground = getComputedStyle(document.body).backgroundColor;
              return (
                isBar
                  ? fill === ground && stroke === 'none'
                  : color === (element.matches('.sentence') ? ground : backgroundColor)
              )
                ? element.outerHTML.slice(0, 100)
                : [];
            }),
          );
        expect(unread).toEqual([]);
      });
    },
  );
});

const { calm } = syntheticComponents();
const clashing = {
  ...(calm!.definition as object),
  worksWith: { calm: [{ versions: '*', from: '2026.2', url: 'https://example.com/' }] },
};

describeInBrowser(
  'a dozen versions with ten conflicts',
  () => buildSynthetic({ calm: calm!, clashing: { ...calm!, definition: clashing } }),
  (visitor) => {
    it('are printed on one page', async () => {
      // 2024.2 to 2026.3.
      const theirs = Array.from(
        { length: 10 },
        (_, index) => `clashing@${2024 + Math.floor((index + 1) / 4)}.${((index + 1) % 4) + 1}`,
      );
      const list = ['calm@2026.1', 'calm@2026.2', ...theirs].join(',');
      await visitor.visit(`mine.html#c=${list}`, {}, async (page) => {
        await page.locator('.deadlines').waitFor();
        const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');

        expect(await page.locator('.deadlines th[scope=row]').count()).toBe(12);
        expect(await page.locator('.conflict').count()).toBe(10);
        expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
      });
    });
  },
);
