import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { longestTexts } from '../../../src/ask/texts/read-text.ts';
import { buildFixtureIndex, buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { audit, describeInBrowser, overflow } from './visit.ts';

const list = 'svc@2025.2,svc@2025.1,edge-node@1.7,build-agent@4.2.2';
const lockFile = JSON.stringify(
  {
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { '@example/edge-node': '^1.0.0', 'left-pad': '^1.3.0' } },
      'node_modules/@example/edge-node': { version: '1.7.0' },
      'node_modules/left-pad': { version: '1.3.0' },
    },
  },
  undefined,
  2,
);

const heading = (page: Page) => page.locator('h1').textContent();

describeInBrowser('the page My versions', buildFixtureIndex, (visitor) => {
  it('shows the newest address, even if the list of an earlier one takes longer', async () => {
    await visitor.visit('mine.html', {}, async (page) => {
      const held: Route[] = [];
      await page.route('**/details/svc.json', (route) => void held.push(route));
      await page.evaluate(() => (location.hash = '#c=svc@2025.1'));
      await expect.poll(() => held.length).toBe(1);
      await page.evaluate(() => (location.hash = '#c=edge-node@1.7'));
      await page.locator('.steps').waitFor();
      const answered = page.waitForResponse('**/details/svc.json');
      await held[0]!.continue();
      await answered;
      await page.evaluate(() => document.fonts.ready.then(() => fetch('svc.json')));

      expect(await page.locator('.steps').innerText()).not.toContain('Server');
      expect(new URL(page.url()).hash).toBe('#c=edge-node@1.7');
    });
  });

  it('shows the list of its address at every width, and sends it nowhere', async () => {
    await visitor.visit(`mine.html#c=${list}`, {}, async (page) => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.locator('.steps').waitFor();

      expect(await page.locator('.steps > li').first().innerText()).toMatch(
        /^Now: ended 6 weeks ago\s+Server 2025\.1 → 2026\.3\s+Copy 2026\.3\s+Notes of 7 releases/,
      );
      expect(await page.locator('.lane li').allInnerTexts()).toEqual([
        expect.stringMatching(/^20 Nov 2026\s+today$/),
        expect.stringMatching(/^15 Jan 2027\s+Server 2025\.2 is due$/),
      ]);
      expect(await page.locator('#list-text').inputValue()).toContain('svc 2025.2');
      expect(await page.locator('.exports li').allInnerTexts()).toHaveLength(6);
      const { origin } = new URL(page.url());
      expect(
        await page.getByRole('button', { name: 'Check in CI' }).getAttribute('data-text'),
      ).toBe(`npx --yes release-index@1 scan mine.txt --index ${origin}/`);
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
      await page.getByRole('link', { name: 'Calendar' }).first().click();
      expect((await download).suggestedFilename()).toBe('mine.ics');
    });
  });

  it('reads a list and a lock file, and accounts for each line', async () => {
    await visitor.visit('mine.html', {}, async (page) => {
      const show = async (text: string) => {
        await page.locator('#list-text').fill(text);
        await page.getByRole('button', { name: 'Plan' }).click();
      };
      await show('Server 2026.2, edge-node 1.7\nno-such-thing 1.0');
      await page.locator('.steps').waitFor();

      expect(await page.title()).toBe(await heading(page));
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      expect(new URL(page.url()).hash).toBe('#c=svc@2026.2,edge-node@1.7');
      expect(await page.locator('#plan-read').innerText()).toBe('3 statements, 2 read.');
      expect(await page.locator('.left-out li').allInnerTexts()).toContain(
        '1 other line names nothing of this index.',
      );

      await show('node 21.2.0\nserver 2026.2');
      await page.getByText('2 statements, 1 read.').waitFor();
      expect(new URL(page.url()).hash).toBe('#c=node%2021.2.0,svc@2026.2');
      expect(await heading(page)).toMatch(/^1 question first\.(?!.*is due)/);
      const shared = await page.locator('.questions').innerText();
      await page.reload();
      await page.locator('.questions').waitFor();
      expect(await page.locator('.questions').innerText()).toBe(shared);
      await page.getByRole('button', { name: 'Yes, Build cache node 21.2' }).click();
      await page.getByText('2 statements, 2 read.').waitFor();
      expect(new URL(page.url()).hash).toMatch(/^#c=build-cache-node@21\.2(?:\.0)?,svc@2026\.2$/);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');

      await show('node 21.2.0\nnode 21.1\nserver 2026.2');
      await page.locator('.questions button').first().click();
      await page.getByText('3 statements, 2 read.').waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Yes, /);

      await show('node 21.2.0\nnode 21.1\nserver 2026.2');
      await page.getByRole('button', { name: 'Yes to all' }).click();
      await page.getByText('3 statements, 3 read.').waitFor();

      await show(lockFile);
      await page.getByText('3 statements, 1 read.').waitFor();
      expect(await page.locator('.left-out li').allInnerTexts()).toContain(
        '2 other lines name nothing of this index.',
      );
      expect(new URL(page.url()).hash).toBe('#c=edge-node@1.7.0');

      await show('2026.2');
      await page.getByRole('button', { name: 'Server 2026.2' }).click();
      await page.getByText('1 statement, 1 read.').waitFor();

      await show('nothing of ours');
      await page
        .getByText('The text states no version. Each line needs a name and its version.')
        .waitFor();
      expect(await heading(page)).toBe('No version of this index was read.');
    });
  });

  it('shows a text that the browser does not let it copy, to be copied by keyboard', async () => {
    await visitor.visit('mine.html#c=svc@2025.1', {}, async (page) => {
      await page.locator('.steps').waitFor();
      await page.evaluate(() =>
        Object.defineProperty(navigator, 'clipboard', { value: undefined }),
      );
      await page.getByRole('button', { name: 'Copy 2026.3' }).click();
      await page.locator('.steps code').waitFor();

      expect(await page.locator('.steps code').innerText()).toBe('2026.3');
      expect(await page.evaluate(() => String(getSelection()))).toBe('2026.3');
    });
  });

  it('reads a file again that is chosen a second time', async () => {
    await visitor.visit('mine.html', {}, async (page) => {
      const choose = async () => {
        const [chooser] = await Promise.all([
          page.waitForEvent('filechooser'),
          page.getByRole('button', { name: 'Choose a file' }).click(),
        ]);
        return chooser;
      };
      const content = Buffer.from('svc 2025.1');
      await (
        await choose()
      ).setFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: content });
      await page.locator('.steps').waitFor();
      await choose();

      // The browser reports no change if the input still has the file.
      expect(await page.locator('#list-input').inputValue()).toBe('');
    });
  });

  it('says which one of several dropped files it read', async () => {
    await visitor.visit('mine.html', {}, async (page) => {
      const drop = (...names: string[]) =>
        page.evaluate((dropped) => {
          const dataTransfer = new DataTransfer();
          for (const name of dropped) {
            dataTransfer.items.add(new File(['svc 2025.1'], name));
          }
          document.querySelector('#list')!.dispatchEvent(new DragEvent('drop', { dataTransfer }));
        }, names);
      const account = page.locator('#plan-read');

      await drop('one.txt', 'two.txt');
      await account.getByText('Only one.txt was taken, and no other file.').waitFor();
      await drop('three.txt');
      await page.locator('.steps').waitFor();
      await page.waitForFunction(
        () => !document.querySelector('#plan-read')!.textContent.includes('Only'),
      );
      expect(await account.innerText()).toBe('1 statement, 1 read.');
    });
  });

  it('rejects a file that is too long, and leaves the field as it is', async () => {
    await visitor.visit('mine.html', {}, async (page) => {
      const field = page.locator('#list-text');
      await field.fill('svc 2025.1');
      const buffer = Buffer.from('x'.repeat(longestTexts.page + 1));
      await page
        .locator('#list-input')
        .setInputFiles({ name: 'all.log', mimeType: 'text/plain', buffer });
      await page.getByText('expected at most 1048576 characters; got 1048577').waitFor();

      expect(await field.inputValue()).toBe('svc 2025.1');
    });
  });

  it('says that a file cannot be read, such as a folder', async () => {
    await visitor.visit('mine.html', {}, async (page) => {
      await page.evaluate(() => {
        File.prototype.text = () => Promise.reject(new Error('it is a folder'));
      });
      await page
        .locator('#list-input')
        .setInputFiles({ name: 'lists', mimeType: '', buffer: Buffer.from('') });
      await page.getByText('lists cannot be read: it is a folder').waitFor();
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

  it('plans an example with one click', async () => {
    await visitor.visit('mine.html', {}, async (page) => {
      await page.getByRole('link', { name: 'Try an example' }).click();
      await page.locator('.steps').waitFor();
      expect(await page.locator('h1').textContent()).toMatch(/ things? to do/);
    });
  });

  it.each(['index.html', 'svc.html', 'changes.html'])(
    '%s can be read in forced colours',
    async (path) => {
      await visitor.visit(path, { forcedColors: 'active' }, async (page) => {
        await page.locator(':is(.finder, #ask, #mine) input').last().fill('svc 2025.1');
        await page.keyboard.press('Enter');
        await page.locator('.answer .sentence').waitFor();
        const outside = await page
          .locator(':is(.answer .sentence, .alarm, .main-action):visible')
          .evaluateAll((all) =>
            all.flatMap((element) => {
              const { top, bottom } = element.getBoundingClientRect();
              return top < 0 || bottom > innerHeight ? element.outerHTML.slice(0, 100) : [];
            }),
          );
        expect(outside).toEqual([]);
        const unread = await page
          .locator(':is(.answer .sentence, .main-action, .alarm, .bars .bar):visible')
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
        await page.locator('.steps').waitFor();
        const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');

        expect(await page.locator('.steps').innerText()).toContain('Calm service 2026.1 → 2026.4');
        expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
      });
    });
  },
);
