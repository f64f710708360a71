import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { splitDays, formatDay } from '../../../src/core/model/dates.ts';
import { endpoints, answerFromTable } from '../../../src/ask/server/api/router.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { runCli } from '../../harness/cli.ts';
import { asOf, buildFixtureIndex, buildSynthetic } from './built-site.ts';
import { partners, syntheticComponents } from './synthetic.ts';
import { audit, describeInBrowser, overflow } from './visit.ts';

const readable = (text: string) =>
  splitDays(text)
    .map(({ text, isDay }) => (isDay ? formatDay(text) : text))
    .join('');

const box = (page: Page) => page.getByRole('combobox').first();
const card = (page: Page) => page.locator('.answer.card');
const said = (page: Page) => card(page).locator('.sentence').textContent();
const options = (page: Page) => page.getByRole('option');

/** Whether the answer has the focus and begins on the screen. */
async function isInSight(page: Page): Promise<boolean> {
  await card(page).waitFor();
  return card(page).evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return element === document.activeElement && top >= 0 && top < innerHeight - 100;
  });
}

const search = (page: Page) => decodeURIComponent(new URL(page.url()).search);

/** Answers the requests of a page like the Worker. */
async function answerAsHost(page: Page, folder: string): Promise<void> {
  const { index } = openFolder(folder, () => asOf);
  const settings = {
    baseUrl: 'https://releases.example.com',
    retryMs: 1,
    heartbeatMs: 1,
    lifetimeMs: 1,
  };
  await page.route('**/api/**', async (route) => {
    const response = (await answerFromTable(endpoints, {
      request: new Request(route.request().url()),
      index,
      settings,
    }))!;
    const { status, headers } = response;
    await route.fulfill({
      status,
      body: await response.text(),
      headers: Object.fromEntries(headers),
    });
  });
}

describeInBrowser('the box', buildFixtureIndex, (visitor) => {
  it.each([1280, 360])('shows and focuses the answer, %i pixels wide', async (width) => {
    const viewport = { width, height: width === 360 ? 740 : 900 };
    await visitor.visit('index.html', { viewport }, async (page) => {
      await box(page).fill('svc 2025.1');
      await box(page).press('Enter');
      expect(await isInSight(page)).toBe(true);
      expect(search(page)).toBe('?q=svc 2025.1');

      await box(page).fill('build 99.9');
      await options(page).first().waitFor();
      // The button asks what was typed, not the marked option. On a phone, the list covers it until the field loses the focus.
      await page.getByRole('button', { name: 'Check' }).focus();
      await page.getByRole('button', { name: 'Check' }).click();
      await card(page).getByText('Which one?').waitFor();
      expect(await isInSight(page)).toBe(true);

      await card(page)
        .getByRole('link', { name: /^Build cache node 99.9/ })
        .click();
      await card(page)
        .getByRole('heading', { name: /^Build cache node 99.9 is not known on/ })
        .waitFor();
      expect(await isInSight(page)).toBe(true);
      expect(await overflow(page)).toBe(0);
      expect(await audit(page)).toEqual([]);
    });
    for (const path of ['changes.html', 'svc.html']) {
      await visitor.visit(path, { viewport }, async (page) => {
        await page.getByLabel('Find a component or a version').fill('edge-node 2.0.1');
        await page.keyboard.press('Enter');
        expect(await isInSight(page), path).toBe(true);
        expect(new URL(page.url()).pathname).toBe(`/${path}`);
      });
    }
  });

  it('answers like the command, on the start page and on the page of the component', async () => {
    const args = ['--root', fixtureIndex, '--as-of', fixtureDay, '--json'];
    const { stdout } = await runCli(['explain', 'svc', '2025.1', ...args]);
    const { sentence, advice, releasesBetween } = JSON.parse(stdout).answer;
    const way = [...releasesBetween.map(({ version }: { version: string }) => version), '2026.3'];

    for (const path of ['index.html?q=server+2025.1', 'svc.html?q=2025.1']) {
      await visitor.visit(path, {}, async (page) => {
        expect(await isInSight(page), path).toBe(true);
        expect(await said(page)).toBe(readable(`${sentence} ${advice}`));
        expect(await card(page).locator('.route summary').textContent()).toBe(
          `Releases between: ${releasesBetween.length}`,
        );
        expect(await card(page).locator('.route li b').allTextContents()).toEqual(way);
        expect(await card(page).locator('.alarm').textContent()).toBe('Ended');
        expect(await card(page).locator('.bars .highlight .name').textContent()).toBe(
          '2025.1 yours',
        );
        expect(await card(page).locator('.bars .goal .name').textContent()).toBe(
          '2026.3 move here',
        );
        expect(await page.title()).toBe(readable(`${sentence} ${advice}`));
        const before = page.locator(':is(.lead, .suggestions, .shortcuts, .heading > p):visible');
        expect(await before.allTextContents()).toEqual([]);
      });
    }
  });

  it('shows answers while a person types, for arrow keys', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      await box(page).fill('svc 2025');
      await options(page).first().waitFor();
      expect(await options(page).locator('b').allTextContents()).toEqual([
        'Server 2025.4',
        'Server 2025.3',
        'Server 2025.2',
        'Server 2025.1',
      ]);
      expect(await box(page).getAttribute('aria-expanded')).toBe('true');
      expect(await audit(page)).toEqual([]);

      for (let presses = 0; presses < 3; presses += 1) {
        await box(page).press('ArrowDown');
      }
      const marked = page.locator('[role=option][aria-selected=true]');
      expect(await marked.getAttribute('id')).toBe(
        await box(page).getAttribute('aria-activedescendant'),
      );
      await box(page).press('Enter');
      await isInSight(page);
      expect(await said(page)).toContain('Server 2025.2 is supported until 15 Jan 2027.');
      expect(search(page)).toBe('?q=svc 2025.2');

      await box(page).fill('svc 2025');
      await options(page).first().waitFor();
      await box(page).press('Enter');
      await isInSight(page);
      expect(await said(page)).toContain('Server 2025 has 4 release lines');
      expect(search(page)).toBe('?q=svc 2025');

      await box(page).fill('svc 2025');
      await options(page).first().waitFor();
      await box(page).press('Escape');
      expect(await page.getByRole('listbox').isVisible()).toBe(false);
      expect(await box(page).inputValue()).toBe('svc 2025');
      await box(page).press('Escape');
      expect(await box(page).inputValue()).toBe('');
    });
  });

  it('tells what has ended from what is supported in forced colours, and frames the row of the visitor', async () => {
    await visitor.visit('index.html?q=svc+2025.1', { forcedColors: 'active' }, async (page) => {
      const fill = (row: string) =>
        card(page)
          .locator(`.bars ${row} .bar`)
          .first()
          .evaluate((bar) => getComputedStyle(bar).fill);

      await card(page).locator('.bars .highlight').waitFor();
      expect(await fill('.highlight')).not.toBe(await fill('.goal'));
      expect(
        await card(page)
          .locator('.bars .highlight')
          .evaluate((row) => getComputedStyle(row).outlineStyle),
      ).toBe('solid');
    });
  });

  it('goes back to the previous answer, also after a reload, and copies a sentence to cite', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const viewport = { width: 360, height: 740 };
    await visitor.visit('index.html', { permissions, viewport }, async (page) => {
      await box(page).fill('latest of each');
      await box(page).press('Enter');
      await page.locator('.results').waitFor();
      await page.locator('.results th a').first().click();
      await card(page).locator('.state').waitFor();
      await page.getByRole('button', { name: 'Copy the sentence' }).click();
      await page.getByText('Copied the sentence').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
        /\. Release index, 20 Nov 2026\. http:\S+\.html#v\S+$/,
      );

      await page.reload();
      await card(page).locator('.state').waitFor();
      expect(await isInSight(page)).toBe(true);
      await page.goBack();
      await page.locator('.results').waitFor();
      expect(await box(page).inputValue()).toBe('latest of each');
      await page.goBack();
      await card(page).waitFor({ state: 'detached' });
    });
  });

  it('drops the answer to a question that the visitor has left by going back', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      const held: Route[] = [];
      await page.route('**/search.json', (route) => void held.push(route));
      await box(page).fill('svc 2025.1');
      await box(page).press('Enter');
      await page.waitForURL(/\?q=svc/);
      await box(page).fill('isLatest');
      await box(page).press('Enter');
      await expect.poll(() => held.length).toBe(1);
      await page.goBack();
      await card(page).waitFor({ state: 'detached' });

      await held[0]!.continue();
      await box(page).fill('latest of each');
      await box(page).press('Enter');
      await page.waitForURL(/\?q=latest/);
      await page.goBack();
      await card(page).waitFor({ state: 'detached' });

      expect(search(page)).toBe('');
    });
  });

  it('shows the answer to a question while the visitor types the next one', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      const held: Route[] = [];
      await page.route('**/search.json', (route) => void held.push(route));
      await box(page).fill('latest of each');
      await box(page).press('Enter');
      await expect.poll(() => held.length).toBe(1);
      await box(page).fill('svc 2025.1');
      await options(page).first().waitFor();
      await held[0]!.continue();
      await page.locator('.results').waitFor();
      await page.waitForURL(/\?q=latest/);

      expect(await box(page).inputValue()).toBe('svc 2025.1');
      expect(await box(page).evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await options(page).count()).toBeGreaterThan(0);
    });
  });

  it('keeps an answer and a typed text at a link to a part of the page', async () => {
    const viewport = { width: 1280, height: 400 };
    await visitor.visit('svc.html?q=2025.1', { viewport }, async (page) => {
      expect(await isInSight(page)).toBe(true);
      const isShown = await page.evaluate(async () => {
        location.hash = '#changes';
        await new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
        return document.getElementById('changes')!.getBoundingClientRect().top < innerHeight;
      });
      expect(isShown).toBe(true);
      await card(page).waitFor();
    });
    await visitor.visit('index.html', {}, async (page) => {
      await box(page).fill('svc');
      await options(page).first().waitFor();
      await page.evaluate(() => (location.hash = '#components'));
      await page.waitForTimeout(100);
      expect(await box(page).inputValue()).toBe('svc');
    });
  });

  it('shows a hidden text that the browser does not let it copy', async () => {
    await visitor.visit('index.html?q=svc+2025.1', {}, async (page) => {
      await isInSight(page);
      await page.evaluate(() =>
        Object.defineProperty(navigator, 'clipboard', { value: undefined }),
      );
      await card(page).getByRole('button', { name: 'Copy Markdown' }).click();
      await page.locator('#announcement', { hasText: 'Selected.' }).waitFor({ state: 'attached' });

      expect(await page.evaluate(() => String(getSelection()))).toContain(': [svc 2025.1](');
    });
  });

  it('copies the version to move to, and a sentence to cite, also as Markdown', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await visitor.visit('index.html?q=svc+2025.1', { permissions }, async (page) => {
      await isInSight(page);
      const copied: string[] = [];
      for (const name of ['2026.3', 'the sentence', 'Markdown']) {
        await card(page)
          .getByRole('button', { name: `Copy ${name}` })
          .click();
        await page
          .locator('#announcement', { hasText: `Copied ${name}` })
          .waitFor({ state: 'attached' });
        copied.push(await page.evaluate(() => navigator.clipboard.readText()));
      }

      expect(copied).toEqual([
        '2026.3',
        expect.stringMatching(/^Server 2025\.1 was .* 20 Nov 2026\. http.*svc\.html#v2025\.1$/),
        expect.stringMatching(/ 20 Nov 2026: \[svc 2025\.1\]\(http.*svc\.html#v2025\.1\)\.$/),
      ]);
      expect(await card(page).locator('.moved').count()).toBe(0);

      const button = card(page).getByRole('button', { name: 'Copy 2026.3' });
      await button.dblclick();
      await page.waitForTimeout(2500);
      expect(await button.textContent()).toBe('Copy');
    });
  });

  it('says of a line without script what the card says', async () => {
    const ofLine = await visitor.visit('svc.html#v2025.1', { isWithoutScript: true }, (page) =>
      page.locator('details:has(#v2025\\.1) .sentence').innerText(),
    );
    await visitor.visit('svc.html?q=2025.1', {}, async (page) => {
      await isInSight(page);
      expect(await said(page)).toBe(ofLine);
      expect(ofLine).toMatch(/^Server 2025\.1 was supported until .* Move to 2026\.3\.$/);
    });
  });

  it('says of a line on a later day what is true then, with its reasons', async () => {
    await visitor.visit('svc.html', {}, async (page) => {
      await page.clock.setFixedTime('2027-02-01T12:00:00Z');
      await page.reload();
      const verdict = page.locator('details:has(#v2025\\.2) .verdict');
      await verdict.getByText('was supported until').waitFor({ state: 'attached' });

      expect(await verdict.locator('p').allTextContents()).toEqual([
        expect.stringMatching(/^Server 2025\.2 was supported until 15 Jan 2027\. Move to 2026\.3/),
        expect.stringMatching(/support ended 15 Jan 2027/),
      ]);
    });
  });

  it('answers the way between two releases, and the address of a version without a row', async () => {
    await visitor.visit('svc.html?q=2025.1+to+2025.3', {}, async (page) => {
      await isInSight(page);
      expect(await card(page).locator('.route li b').allTextContents()).toEqual([
        '2025.2',
        '2025.3',
      ]);
    });
    await visitor.visit('svc.html#v2030.1', {}, async (page) => {
      await isInSight(page);
      expect(await said(page)).toMatch(
        /^Server 2030\.1 is not known on .*: a source .*\. The newest version is 2026\.3\.$/,
      );
    });
  });

  it.each([
    [
      'redis 7.2',
      '"redis 7.2" names no component of this index. It knows releases, how long they are supported, what to move to, and what works together.',
    ],
    [
      'suportLeft:<90d',
      'character 1: expected the name of a field (did you mean supportLeft?); got "suportLeft"',
    ],
  ])('has a reason and three examples instead of an answer to %s', async (question, sentence) => {
    await visitor.visit('index.html', {}, async (page) => {
      await box(page).fill(question);
      await box(page).press('Enter');
      await isInSight(page);
      expect(await said(page)).toBe(sentence);
      expect(await card(page).locator('.suggestions a').count()).toBe(3);
    });
  });

  it('reports a document that cannot be read, and tries again', async () => {
    await visitor.visit('index.html', { expectedMessage: /503/ }, async (page) => {
      // To a browser, a machine that has only loopback has no connection.
      await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { value: true }));
      await page.route('**/search.json', (route) => route.fulfill({ status: 503 }));
      await box(page).fill('isLatest');
      await box(page).press('Enter');
      await card(page).getByText('No answer, please try again: search.json answered 503').waitFor();

      await page.unroute('**/search.json');
      await page.getByRole('button', { name: 'Check' }).click();
      await page.locator('.results').waitFor();
    });
  });
});

describeInBrowser(
  'the box of components that go together',
  () => buildSynthetic(partners),
  (visitor) => {
    it('says what a move changes for what runs beside it', async () => {
      await visitor.visit('index.html?q=server+1.0', {}, async (page) => {
        await isInSight(page);
        expect(await card(page).locator('.moved tbody tr').count()).toBe(5);
        expect(await audit(page)).toEqual([]);
      });
    });
  },
);

describeInBrowser(
  'the box of a large index with every oddity',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    it('lets the host answer if many releases must be read', async () => {
      await visitor.visit('index.html', { expectedMessage: /404/ }, async (page) => {
        await answerAsHost(page, visitor.folder);
        const read: string[] = [];
        page.on('request', (request) => read.push(new URL(request.url()).pathname));
        const ask = async (text: string) => {
          await box(page).fill(text);
          await box(page).press('Enter');
        };
        await ask('isLatest -isPrerelease');
        await page.locator('.results').waitFor();
        await ask('-isPrerelease');
        await card(page)
          .getByText(/^and [\d,]+ more$/)
          .waitFor();
        await ask('v98.7');
        await card(page)
          .getByText(/has a version/)
          .waitFor();
        await ask('0.149.18 to 0.149.99');
        await card(page).getByText('There is no release 0.149.99 to move to.').waitFor();

        expect(await isInSight(page)).toBe(true);
        expect(read).not.toContain('/search.json');
      });
    });

    it.each([
      ['only serves files', (route: Route) => route.continue()],
      ['is busy', (route: Route) => route.fulfill({ status: 503, json: { detail: 'Busy.' } })],
      ['is away', (route: Route) => route.abort()],
    ])('reads all releases only on request if the host %s', async (_, answer) => {
      const expectedMessage = /404|503|ERR_FAILED/;
      await visitor.visit('index.html', { expectedMessage }, async (page) => {
        await page.route('**/api/**', answer);
        const asked: string[] = [];
        page.on('request', (request) => asked.push(new URL(request.url()).pathname));
        await box(page).fill('isLatest');
        await box(page).press('Enter');
        const button = card(page).getByRole('button', { name: /^Search in all [\d,]+ releases$/ });
        await button.waitFor();
        expect(asked).not.toContain('/search.json');

        await button.click();
        await page.locator('.results').waitFor();
        expect(asked).toContain('/search.json');
      });
    });

    it('shows a hundred releases and the number of others', async () => {
      await visitor.visit('index.html?q=component:thousand', {}, async (page) => {
        await page.locator('.results').waitFor();
        expect(await page.locator('.results tbody tr').count()).toBe(100);
        expect(await card(page).getByText('and 900 more').count()).toBe(1);
        expect(await audit(page)).toEqual([]);
      });
    });

    it('adds the older releases to the page on request', async () => {
      await visitor.visit('three-thousand.html', {}, async (page) => {
        await page.getByRole('button', { name: 'Show them here, by year' }).click();
        const years = page.locator('#older details');
        await years.first().waitFor();
        await years.last().locator('summary').click();
        await page.locator('tr[id="v0.3.7"]').waitFor();

        const heads = await page.locator('.releases thead').allTextContents();
        expect(await page.locator('#older thead').count()).toBe(1);
        expect(new Set(heads).size).toBe(1);
        const columns = await page
          .locator('.releases tr')
          .evaluateAll((rows) => rows.map(({ children }) => children.length));
        expect(new Set(columns).size).toBe(1);
      });
    });
  },
);

const release = { version: '1.0', releaseTimestamp: '2026-06-01' };
const expressions = [
  String.raw`^release\-(?<version>.+)$`,
  String.raw`(?i)^RELEASE-(?P<version>[[:digit:].]+)\z`,
];

describeInBrowser(
  'versions of packages with expressions that only RE2 reads',
  () => {
    const components = expressions.map((extractVersion, number) => {
      const source = { datasource: 'npm', packageName: `package-${number}`, extractVersion };
      const { definition } = partners.server;
      return [`server-${number}`, { definition: { ...definition, sources: [source] } }] as const;
    });
    const releases = [release];
    return buildSynthetic(
      Object.fromEntries(components.map(([name, rest]) => [name, { ...rest, releases }])),
    );
  },
  (visitor) => {
    it.each([0, 1])('are answered in the box and in a plan: expression %i', async (number) => {
      const question = `pkg:npm/package-${number}@release-1.0`;
      await visitor.visit(`index.html?q=${encodeURIComponent(question)}`, {}, async (page) => {
        await card(page).waitFor();
        expect(await said(page)).toContain('Server 1.0 is supported until 1 Jun 2027.');
      });
      await visitor.visit('mine.html', {}, async (page) => {
        await page.locator('#list-text').fill(question);
        await page.getByRole('button', { name: 'Plan' }).click();
        await page.locator('#plan-lead').getByText('1 version').waitFor();
      });
    });
  },
);

const seenAtOnce = Array.from({ length: 320 }, (_, index) => ({
  version: `1.${index}`,
  releaseTimestamp: '2026-06-01',
  timestampKind: 'observed',
}));

describeInBrowser(
  'the older releases of a component without days',
  () => {
    const { server } = partners;
    const { support: _, ...definition } = server.definition as Record<string, unknown>;
    return buildSynthetic({ server: { definition, releases: seenAtOnce } });
  },
  (visitor) => {
    it('have no day, as on the page', async () => {
      await visitor.visit('server.html', {}, async (page) => {
        await page.getByRole('button', { name: 'Show them here, by year' }).click();
        const older = page.locator('#older details');
        await older.first().waitFor();
        await older.first().locator('summary').click();
        await older.locator('tbody tr').first().waitFor();

        expect(await older.locator('summary').allTextContents()).toEqual([
          'Release days unknown: 20',
        ]);
        expect(await older.locator('tr[id="v1.0"]').innerText()).not.toContain('2026');
      });
    });
  },
);

describeInBrowser(
  'the older releases of a component with many lines',
  () => {
    const versions = Array.from({ length: 40 }, (_, line) =>
      ['', ...Array.from({ length: 9 }, (_, patch) => `.${patch + 1}`)].map(
        (patch) => `${line + 1}.0${patch}`,
      ),
    ).flat();
    const releases = versions.map((version) => ({ version, releaseTimestamp: '2026-06-01' }));
    return buildSynthetic({ server: { ...partners.server, releases } });
  },
  (visitor) => {
    it('are all that the page leaves out, also those with the name of their line', async () => {
      await visitor.visit('server.html', {}, async (page) => {
        expect(await page.locator('#older').innerText()).toContain('100 older releases');
        await page.getByRole('button', { name: 'Show them here, by year' }).click();
        const older = page.locator('#older details');
        await older.first().waitFor();

        expect(await older.locator('summary').allTextContents()).toEqual(['2026: 100']);
      });
    });
  },
);

describeInBrowser(
  'a line whose support ends between two days',
  () => {
    const definition = { ...partners.server.definition, support: { policy: 'term', months: 12 } };
    const first = { version: '1.0', timestampKind: 'observed', source: 'npm:example' };
    const days = { releaseTimestamp: '2025-12-20', notListedOn: '2025-11-22' };
    return buildSynthetic({ server: { definition, releases: [{ ...first, ...days }] } });
  },
  (visitor) => {
    it('says its latest possible end once, also after the earliest one', async () => {
      await visitor.visit('server.html', {}, async (page) => {
        const end = page.locator('#line-1\\.0 .support-end');
        expect(await end.innerText()).toContain('20 Dec 2026 at the latest');

        await page.clock.setFixedTime('2026-11-25T12:00:00Z');
        await page.reload();
        await end.getByText('may have ended').waitFor();

        expect(await end.innerText()).toMatch(/^may have ended, by 20 Dec 2026 at the latest$/);
      });
    });
  },
);
