import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { browserTest as test, openPage } from '../../harness/browser.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildUncertain } from '../../harness/uncertain.ts';

const site = await serveSite(join(buildUncertain(), 'dist'));

/** Returns the visible text of a page, with single spaces. */
async function read(page: Page, selector = 'body'): Promise<string> {
  const text = await page.locator(selector).innerText();
  return text.replaceAll(/\s+/g, ' ');
}

/** Sentences that a page shows exactly once when all its sections are open. `selector` finds the element that contains the sentence. */
const saidOnce: Readonly<Record<string, [selector: string, sentence: string][]>> = {
  'collector.html': [
    ['body', 'It is part of the agent.'],
    ['.hero', '19 Nov 2026'],
  ],
  'console.html': [
    ['body', 'It loses sessions.'],
    ['#line-4\\.0 summary', '20 Dec 2026'],
  ],
  'runtime.html': [['body', '36 months of phase maintenance']],
};

const pages: readonly [path: string, ...sentences: string[]][] = [
  [
    'index.html',
    '2 of 9 components could not be fully checked. Newer releases may be missing. Last checks',
    'vulnerable, or ended or ending within 90 days Cache 2.0.0 vulnerable Affected by CVE-2026-2 (high). No version is free of known advisories yet; it is the latest version. Gateway 1.0.1 vulnerable Affected by CVE-2026-1. Move to 1.1.1 now.',
    'Collector all versions ended 19 Nov 2026 Move to Agent 1.2 now Agent 1.1 (estimated) ended 20 Oct 2026 Move to 1.2 now',
    'No end stated Bundle 1.1199.0',
    'No supported version Collector 3.1 replaced by Agent 1.2',
    'Plugin 1.1 withdrawn',
    'Built 27 Nov 2026',
  ],
  [
    'agent.html',
    'until 1 Dec 2027 (estimated) Released 1 Jun 2026.',
    'Newer releases may be missing: some sources failed or answered only in part. Why',
  ],
  ['bundle.html', 'Not on this page: 900 older releases.'],
  [
    'cache.html',
    'Newest version, vulnerable 2.0.0',
    'No version is free of known advisories yet; it is the latest version.',
  ],
  ['collector.html', 'Newest version, ended 3.1'],
  [
    'console.html',
    'Support: at least until 1 Sep 2027 Released by 1 Oct 2026.',
    '6.0 at least until 1 Sep 2027 1 Oct 2027 at the latest',
  ],
  ['gateway.html', '1.0 1.0.1 Vulnerable until 1 Oct 2027'],
  ['newcomer.html', 'No release is known yet.'],
  ['plugin.html', 'Newest version, withdrawn 1.1'],
  ['runtime.html', '26.0 LTS until 1 May 2029'],
];
test.each(pages)(
  'the page %s shows missing and uncertain data at each screen width',
  async (path, ...sentences) => {
    const page = await openPage({ script: false });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(site.url + path);
      const text = await read(page);

      for (const sentence of sentences) {
        expect(text).toContain(sentence);
      }
      expect(text).not.toMatch(/inferred|≤|Updated/);
      // If sources failed, a link to the reason is visible on the home page without scrolling.
      for (const link of await page.locator('.question a').all()) {
        expect((await link.boundingBox())!.y).toBeLessThan(780);
        expect(await link.getAttribute('href')).toBe('status.html');
      }
    }
    for (const [selector, sentence] of saidOnce[path] ?? []) {
      await page.evaluate(`document.querySelectorAll('details').forEach((e) => (e.open = true))`);
      expect((await read(page, selector)).split(sentence)).toHaveLength(2);
    }
  },
);

describe('a page with a search box', () => {
  let page: Page;

  beforeAll(async () => {
    page = await openPage({ width: 360 });
  });

  test.each<[path: string, answers: Record<string, string>]>([
    [
      'index.html',
      {
        'agnet 1.1': 'Did you mean agent 1.1?',
        'pkg:npm/left-pad@1.0.0': 'pkg:npm/left-pad@1.0.0 is not in this index.',
        'agent >=1 <2': 'Fields of queries',
        'version:>2099': 'No component, version or release matches “version:>2099”.',
        'component:console version:6.0': 'between 1 Sep 2027 and 1 Oct 2027',
        'component:gateway line:1.0': 'Vulnerable',
      },
    ],
    [
      'gateway.html',
      {
        '1.0.9': 'Gateway 1.0.9 is not listed. Gateway 1.0 is supported until',
        banana:
          '"banana" is not a version such as 2025.3; a range, a tag or a commit may stand for any release.',
      },
    ],
  ])('%s shows the answer below the search box', async (path, answers) => {
    await page.goto(site.url + path);
    const form = page.locator('main form');
    for (const [text, answer] of Object.entries(answers)) {
      await form.locator('input').fill(text);
      await form.locator('input').press('Enter');
      const place = page.locator('#answer, output', { hasText: answer });
      await place.waitFor();

      expect((await place.boundingBox())!.y, text).toBeGreaterThan((await form.boundingBox())!.y);
    }
  });

  test('judges the versions in the page address', async () => {
    await page.goto(`${site.url}bundle.html#v1.5.0`);
    await page.locator('output', { hasText: 'Bundle 1.5.0 is supported.' }).waitFor();
    await page.goto(`${site.url}mine.html#c=agent@1.2,cache@2.0.0,gateway@1.0.1`);
    await page.locator('#answer h2', { hasText: '2 of 3 need action' }).waitFor();
    expect(await read(page, '#answer')).toMatch(
      /Cache 2.0.0 Vulnerable .* No version is free .* Gateway 1.0.1 Vulnerable .* Move to 1.1.1 now/,
    );
  });
});
