import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { daysApart, readableDay } from '../../../src/core/dates.ts';
import { runCli } from '../../harness/cli.ts';
import { temporaryFolder, writeIn } from '../../harness/root.ts';
import { buildFixtureIndex, buildSynthetic } from './built-site.ts';
import { syntheticComponents } from './synthetic.ts';
import { audit, describeInBrowser } from './visit.ts';

/** One for each way in which the box answers: other components, all releases, none, a word, days that depend on today. */
const questions = [
  'isLatest isPrerelease:false',
  'isDeprecated component:svc',
  'version:[2025.2 to 2025.4]',
  'supportedUntil:<=+4w',
  'policy:none (isLatest or isLatestOfLine)',
  'reason:*18*months*',
  '"2026.3"',
  'deprecatedSince:2026-10-08 or firstSeen:*',
];

const readable = (text: string) =>
  daysApart(text)
    .map(({ text, isDay }) => (isDay ? readableDay(text) : text))
    .join('');

interface Found {
  component: string;
  version: string;
}

describeInBrowser('the box above the components', buildFixtureIndex, (visitor) => {
  const ask = async (page: Page, text: string) => {
    await page.getByLabel('Is your version still supported?').fill(text);
    const answer = page.locator('#ask-answer:not(:empty)');
    await answer.waitFor();
    return answer.textContent();
  };
  const shown = (page: Page) =>
    page
      .locator('tr[data-component]:visible')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['component']));

  it('finds components by the words of their names, titles and descriptions, at once', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));

      expect(await ask(page, 'AGENT  connects')).toBe('1 of 7 components match.');
      expect(await shown(page)).toEqual(['build-agent']);
      expect(await page.locator('#component-table tbody:visible').count()).toBe(1);
      await page.waitForTimeout(400);
      expect(asked.filter((path) => path.endsWith('.json'))).toEqual([]);

      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === '/build-agent.html');
    });
  });

  it('leaves the address of a part of the page as it is', async () => {
    await visitor.visit('index.html#needs-action', {}, async (page) => {
      expect(new URL(page.url()).hash).toBe('#needs-action');
      expect(await shown(page)).toHaveLength(7);
    });
  });

  it('says that nothing matches, and leads out of it', async () => {
    await visitor.visit('index.html?q=no%20such%20thing', {}, async (page) => {
      await page.getByText('No component matches.').waitFor();
      expect(await shown(page)).toEqual([]);

      await page.getByRole('button', { name: 'Show all components' }).click();
      expect(await shown(page)).toHaveLength(7);
      expect(await page.locator('#ask-answer').textContent()).toBe('');
      expect(new URL(page.url()).search).toBe('');
    });
  });

  it('answers a component and a version as the command does, and Enter leads on', async () => {
    const args = ['--root', fixtureIndex, '--as-of', fixtureDay, '--json'];
    const { stdout } = await runCli(['explain', 'svc', '2025.1', ...args]);
    const { answer } = JSON.parse(stdout);
    const expected = readable(`${answer.sentence} ${answer.advice}`);

    await visitor.visit('index.html', {}, async (page) => {
      expect(await ask(page, 'svc 2025.1')).toBe(expected);
      expect(await shown(page)).toEqual(['svc']);
      expect(await page.locator('#ask-results a').getAttribute('href')).toBe('svc.html#v2025.1');

      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === '/svc.html');
      expect(new URL(page.url()).hash).toBe('#v2025.1');
    });
  });

  it('asks which component is meant where several could be', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      expect(await ask(page, 'build 19.1')).toBe('Which one?');
      expect(await shown(page)).toEqual(expect.arrayContaining(['build-agent', 'build-cache-node']));

      await page.getByRole('link', { name: 'build-cache-node 19.1' }).click();
      await page.getByText(/^Build cache node 19\.1 is deprecated/).waitFor();
    });
  });

  it('finds by the language of queries what the command finds', async () => {
    const folder = temporaryFolder();
    writeIn(folder, 'questions', questions.join('\n'));
    const args = [
      '--root',
      fixtureIndex,
      '--as-of',
      fixtureDay,
      '--json',
      '--queries',
      `${folder}/questions`,
    ];
    const { stdout } = await runCli(['search', ...args]);
    const answers = JSON.parse(stdout) as { query: string; releases: Found[] }[];

    expect(answers).toHaveLength(questions.length);
    expect(answers.filter(({ releases }) => releases.length > 0).length).toBeGreaterThan(5);
    await visitor.visit('index.html', {}, async (page) => {
      for (const { query, releases } of answers) {
        const components = [...new Set(releases.map(({ component }) => component))];
        const count = `${releases.length} release${releases.length === 1 ? '' : 's'} of ${components.length} component${components.length === 1 ? '' : 's'}.`;
        const said = releases.length === 0 ? 'No release matches.' : count;

        expect(await ask(page, query), query).toContain(said);
        expect(await page.locator('#ask-results th a').allTextContents(), query).toEqual(
          releases.slice(0, 100).map(({ component, version }) => `${component} ${version}`),
        );
        expect((await shown(page)).toSorted(), query).toEqual(components.toSorted());
      }
    });
  });

  it('looks for a word that no component has among the versions', async () => {
    await visitor.visit('index.html?q=2026.3', {}, async (page) => {
      await page.getByText('1 release of 1 component.').waitFor();
      expect(await page.locator('#ask-results th').last().textContent()).toBe('svc 2026.3');
      expect(await shown(page)).toEqual(['svc']);
    });
  });

  it('keeps the question in the address, over a reload and Back', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      const found = page.getByText(/^5 releases of 5 components/);

      await ask(page, 'isLatest');
      expect(new URL(page.url()).search).toBe('?q=isLatest');
      await page.reload();
      await found.waitFor();
      await page.locator('#ask-results a').first().click();
      await page.waitForURL((url) => url.pathname !== '/index.html');
      await page.goBack();
      await found.waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('isLatest');
    });
  });

  it('answers an example on the same page, and goes back from it', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      const loads: string[] = [];
      page.on('request', (request) => {
        if (request.isNavigationRequest()) loads.push(request.url());
      });
      await page.getByRole('link', { name: 'latest of each' }).click();
      await page.locator('.found tbody tr').first().waitFor();
      const box = page.getByLabel('Is your version still supported?');

      expect(await box.inputValue()).toBe('isLatest');
      expect(new URL(page.url()).search).toBe('?q=isLatest');
      await page.goBack();
      await page.locator('.found').waitFor({ state: 'detached' });
      expect(await box.inputValue()).toBe('');
      expect(loads).toEqual([]);
    });
  });

  it.each([
    [
      'suportLeft:<90d',
      'character 1: expected the name of a field (did you mean supportLeft?); got "suportLeft"',
    ],
    ['isLatest:perhaps', 'character 10: expected true, false or * (isLatest is a Boolean); got "perhaps"'],
    ['(isLatest', 'character 10: expected a ) for the ( at character 1; got the end of the query'],
  ])('tells what is right where %s is wrong, and hides nothing', async (question, problem) => {
    await visitor.visit('index.html', {}, async (page) => {
      expect(await ask(page, question)).toBe(`Not a query: ${problem}`);
      expect(await shown(page)).toHaveLength(7);
    });
  });

  it('says that a document could not be read, hides nothing, and asks again the next time', async () => {
    await visitor.visit('index.html', { expectedMessage: /503/ }, async (page) => {
      await page.route('**/search.json', (route) => route.fulfill({ status: 503 }));
      expect(await ask(page, 'isLatest')).toBe('No answer, please try again: search.json answered 503');
      expect(await shown(page)).toHaveLength(7);

      await page.unroute('**/search.json');
      expect(await ask(page, 'isLatest ')).toMatch(/^5 releases/);
    });
  });

  it('is used with the keyboard alone', async () => {
    await visitor.visit('index.html', {}, async (page) => {
      const box = page.getByRole('searchbox');

      await page.keyboard.press('Control+k');
      expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.type('svc 2025.1');
      await page
        .getByText(/^Server 2025\.1 /)
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      expect(await box.inputValue()).toBe('');
      expect(await page.locator('#ask-results').textContent()).toBe('');
      expect(await shown(page)).toHaveLength(7);
      await page.waitForTimeout(300);
      expect(await page.locator('#ask-answer').textContent()).toBe('');
    });
  });
});

describeInBrowser(
  'the box above components with every oddity',
  () => buildSynthetic(syntheticComponents()),
  (visitor) => {
    it('shows a hundred releases, and says how many more there are', async () => {
      await visitor.visit('index.html?q=component:thousand', {}, async (page) => {
        await page.getByText('1,000 releases of 1 component.').waitFor();
        expect(await page.locator('#ask-results tbody tr').count()).toBe(100);
        expect(await page.locator('#ask-results p').textContent()).toBe('and 900 more');
        expect(await audit(page)).toEqual([]);
      });
    });

    it('shows hostile text as it is, and leads to odd versions', async () => {
      await visitor.visit('index.html?q=component:hostile', {}, async (page) => {
        await page.getByText(/^5 releases/).waitFor();
        expect(await page.locator('#ask-results th a').last().textContent()).toBe('hostile 1.3+--');

        await page.getByRole('searchbox').fill('hostile 1.3+--');
        await page.locator('#ask-results a.primary').waitFor();
        expect(await page.locator('#ask-results a').getAttribute('href')).toBe('hostile.html#v1.3+--');
        expect(await page.locator('main script').count()).toBe(0);
      });
    });
  },
);
