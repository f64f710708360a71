/** Checks what pages show of an answer: distances, tones, counts and links. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { askList, browserTest as test, openPage } from '../../harness/browser.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';

const out = buildExample();
const site = await serveSite(out);
let page: Page;

beforeAll(async () => {
  page = await openPage();
});

test('a distance is given in days, weeks, months or years', async () => {
  // The example is as of 27 November 2026.
  const expected = [
    ['2026-11-26', 'yesterday'],
    ['2026-11-27', 'today'],
    ['2026-11-28', 'tomorrow'],
    ['2026-12-10', 'in 13 days'],
    ['2026-12-11', 'in 2 weeks'],
    ['2027-02-25', 'in 13 weeks'],
    ['2027-02-26', 'in 3 months'],
    ['2028-10-26', 'in 23 months'],
    ['2028-10-27', 'in 2 years'],
    ['2072-01-01', 'in 45 years'],
  ];
  const probes = expected.map(([day]) => `<p class="probe" data-until="${day}"></p>`).join('');
  const html = readFileSync(join(out, 'use.html'), 'utf8').replace('</main>', `${probes}</main>`);
  await page.route('**/use.html', (route) =>
    route.fulfill({ body: html, contentType: 'text/html' }),
  );
  await page.goto(`${site.url}use.html`);

  expect(await page.locator('.probe').allTextContents()).toEqual(
    expected.map(([, words]) => words),
  );
  await page.unrouteAll();
});

describe('a list on mine.html', () => {
  beforeAll(() => page.goto(`${site.url}mine.html`));

  const readRows = () =>
    page
      .locator('#answer li')
      .evaluateAll((rows: { className: string; children: ArrayLike<{ textContent: string }> }[]) =>
        rows.map((row) => [
          row.className,
          row.children[0]!.textContent,
          row.children[1]!.textContent,
        ]),
      );

  test('has a tone for each state', async () => {
    await askList(
      page,
      'svc 2025.1\nsvc 2025.2\nsvc 2026.3\nsvc 9999.1\nsvc abc1\nredis 7.0\nwhat is this',
    );

    expect(await readRows()).toEqual([
      ['tone-gone', 'Server 2025.1', 'Ended'],
      ['tone-soon', 'Server 2025.2', 'Ends soon'],
      ['tone-ok', 'Server 2026.3', 'Supported'],
      ['tone-none', 'Server 9999.1', 'Not released'],
      ['tone-none', 'Server abc1', 'No verdict'],
      ['tone-none', 'redis 7.0', 'Not in this index'],
      ['tone-none', 'line 7: what is this', 'Not read'],
    ]);
  });

  test.each([
    ['svc 2026.3', 'No action is needed'],
    ['svc 2026.3\nredis 7.0', 'No action is needed, 1 not judged'],
    ['svc 2026.3\nsvc 9999.1', 'No judged entry needs action, 1 not judged'],
    ['redis 7.0', 'Nothing was judged'],
    ['svc 2025.1', '1 of 1 needs action'],
    ['svc 2025.1\nsvc 2025.2', '2 of 2 need action'],
    ['svc 2025.1\nsvc 2026.3\nsvc 9999.1', '1 of 2 needs action, 1 not judged'],
  ])('%j is summed up as: %s', async (list, words) => {
    await askList(page, list);

    expect(await page.locator('#answer h2').textContent()).toBe(words);
  });

  test.each([
    [200, 200],
    [201, 0],
  ])('with %i entries of other products has a link with %i of them', async (count, kept) => {
    const others = Array.from({ length: count }, (_, place) => `other-${place} 1.0`);
    await askList(page, ['svc 2026.3', ...others].join('\n'));

    const { hash } = new URL(page.url());
    expect(hash.startsWith('#c=svc@2026.3')).toBe(true);
    expect(hash.match(/other-/g) ?? []).toHaveLength(kept);
  });

  test('links to the commands for tools only if something was not read', async () => {
    await askList(page, 'svc 2026.3\nwhat is this');
    expect(await page.locator('#answer a[href="use.html#lists"]').count()).toBe(1);

    await askList(page, 'svc 2026.3');
    expect(await page.locator('#answer a[href="use.html#lists"]').count()).toBe(0);
  });
});

describe('the version box', () => {
  const output = '.own-version output';

  async function ask(version: string): Promise<string> {
    await page.evaluate(`document.querySelector('${output}').textContent = 'Before'`);
    await page.fill('#own-version', version);
    await page.press('#own-version', 'Enter');
    await expect
      .poll(() => page.locator(output).textContent())
      .not.toMatch(/^(Before|Checking …)$/);
    return (await page.locator(output).innerText()).replaceAll(/\s+/g, ' ');
  }

  beforeAll(() => page.goto(`${site.url}svc.html`));

  test.each([
    ['2026.3', /^2026\.3: Supported\. Server 2026\.3 .+ Show its row$/],
    ['2026.3.99', /^2026\.3\.99: Not listed; its line: supported\. .+ Show line 2026\.3$/],
    ['2099.1', /^2099\.1: Not released\. .+[^3]$/],
    ['abc', /^"abc" is not a version such as 2025\.3/],
  ])('answers %s', async (version, answer) => {
    expect(await ask(version)).toMatch(answer);
  });

  test('is empty again after an empty question', async () => {
    await ask('2026.3');

    expect(await ask('')).toBe('');
  });

  test('opens the folds around the line of a version without a row', async () => {
    await page.goto('about:blank');
    await page.goto(`${site.url}svc.html#v2025.1.99`);
    await page.locator(output, { hasText: 'Show line 2025.1' }).waitFor();

    await page.locator('[id="line-2025.1"][open]').waitFor();
    expect(await page.locator('body.is-seeking').count()).toBe(0);
  });
});

test('without a clipboard, a copy button selects the text', async () => {
  await page.goto(`${site.url}svc.html`);
  await page.evaluate(
    "Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('x')) } })",
  );
  await page.locator('.headline .copy').click();

  await expect.poll(() => page.evaluate('String(getSelection())')).toBe('2026.3');
  expect(await page.locator('.headline .copy').textContent()).not.toBe('Copied');
});

test('on a touch screen, a question closes the keyboard', async () => {
  const phone = await openPage({ isPhone: true });
  await phone.goto(`${site.url}index.html`);
  await phone.fill('#ask-text', 'component:svc isLatest');
  await phone.press('#ask-text', 'Enter');
  await phone.locator('#answer table').waitFor();

  expect(await phone.evaluate('document.activeElement.tagName')).toBe('BODY');
});
