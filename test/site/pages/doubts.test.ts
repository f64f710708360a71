/** Checks that commands, pages, the API and the MCP tools do not call a version certain of which the index knows too little. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/published-index.ts';
import { pick } from '../../../src/core/objects.ts';
import { openSite } from '../../../src/core/site-reader.ts';
import { today } from '../../../src/core/day.ts';
import { openSiteApi } from '../../harness/api.ts';
import { browserTest, openPage } from '../../harness/browser.ts';
import { runCli } from '../../harness/cli.ts';
import { buildFolder, writeIndex } from '../../harness/components.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { release } from '../../harness/judging.ts';
import { openTools } from '../../harness/mcp-client.ts';
import { serveSite } from '../../harness/serve-site.ts';

const root = writeIndex({
  db: {
    definition: {
      aliases: ['pkg:deb/debian/db'],
      support: { policy: 'dated', lines: { '17': '2026-02-01', '18': '2099-01-01' } },
    },
    releases: [release('17.5', '2026-01-01'), release('18.6', '2026-01-01')],
  },
});
// `scan` cannot tell anything from an old index.
buildFolder(root, today());
const out = join(root, 'dist');
const site = await serveSite(out);
const ask = openSiteApi(out);
const client = await openTools(openIndex(openSite(out)));
afterAll(() => client.close());
let page: Page | undefined;

describe.each([
  {
    text: 'db 38.1',
    path: 'db/releases/38.1',
    words: 'The db 38.1 is not released yet',
    facts: { state: 'not-released', isFarAbove: true, isSupported: undefined },
    exit: 3,
    summary: 'Nothing was judged',
  },
  {
    text: 'db 18beta1',
    path: 'db/releases/18beta1',
    words: 'Move to 18.6.',
    facts: { state: 'not-listed', moveTo: { component: 'db', version: '18.6' } },
    exit: 0,
    summary: '1 of 1 needs action',
  },
  {
    text: 'db 18.99',
    path: 'db/releases/18.99',
    words: 'It is newer than all known releases of line 18.',
    facts: { state: 'not-listed', moveTo: undefined, isSupported: true },
    exit: 0,
    summary: 'No action is needed',
  },
  {
    text: 'pkg:deb/debian/db@17.5',
    path: `${encodeURIComponent('pkg:deb/debian/db')}/releases/17.5`,
    words: 'A distribution may patch its package longer.',
    facts: { state: 'may-have-ended', mayBePatched: true, isSupported: undefined },
    exit: 3,
    summary: 'No judged entry needs action, 1 uncertain',
  },
])('about $text', ({ text, path, words, facts, exit, summary }) => {
  test('explain, search and scan print the doubt', async () => {
    const list = join(createFolder(), 'list.txt');
    writeFileSync(list, text);
    const run = (...words: string[]) => runCli([...words, '--out', out]);

    expect((await run('explain', text)).stdout).toContain(words);
    expect((await run('search', text)).stdout).toContain(words);
    const { status, stdout } = await run('scan', list, '--policy', 'supported');
    expect(status).toBe(exit);
    expect(stdout).not.toContain('No action is needed');
    expect(stdout.includes('A distribution')).toBe(words.startsWith('A distribution'));
  });

  test('the API and the MCP tool give the doubt as data', async () => {
    const response = await ask(`/api/components/${path}`);
    const answer = await client.callTool('check_versions', { text });

    const verdict = (await response.json()) as Record<string, unknown>;
    expect(pick(verdict, Object.keys(facts))).toEqual(facts);
    expect(answer.text).toContain(words);
  });

  browserTest('the pages show the doubt', async () => {
    page ??= await openPage();
    await page.goto(`${site.url}mine.html`);
    await page.fill('textarea', text);
    await page.click('.my-list button');
    await page.locator('#answer h2', { hasText: summary }).waitFor();
    const answer = await page.locator('#answer').innerText();
    expect(answer).toContain(words);

    // The link to this list gives the same answer.
    await page.reload();
    await page.locator('#answer h2', { hasText: summary }).waitFor();
    expect(await page.locator('#answer').innerText()).toBe(answer);

    await page.goto(`${site.url}index.html?q=${encodeURIComponent(text)}`);
    await page.locator('#answer p, .own-version output p', { hasText: words }).first().waitFor();
  });
});
