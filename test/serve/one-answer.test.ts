/** What the files say, in the words of pages and of the command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSite } from '../../src/core/index/site-reader.ts';
import { describeRelease, nameAnchor } from '../../src/core/words.ts';
import { openIndex } from '../../src/serve/published-index.ts';
import { runCli } from '../harness/cli.ts';
import { exampleDay as asOf } from '../harness/example.ts';
import { createFolder } from '../harness/index-folder.ts';
import { buildExample } from '../harness/site.ts';
import { buildUncertain, uncertainDay } from '../harness/uncertain.ts';

const out = buildExample();
const index = openIndex(openSite(out));
const names = Object.keys((await index.status()).components);
const components = await Promise.all(names.map(async (name) => (await index.details(name))!));

/** The text of a piece of a page, with days as in files. */
function readPage(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
  return html
    .replaceAll(/<time datetime="([^"]+)">[^<]*<\/time>/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(#?\w+);/g, (text, name: string) => entities[name] ?? text);
}

test.each(components)('the page of $component says what the files say', (details) => {
  const { component, support, lines, releases } = details;
  const page = readFileSync(join(out, `${component}.html`), 'utf8');
  expect(page).toContain(`Built <time datetime="${asOf}"`);
  for (const release of releases) {
    const { version, line } = release;
    const { sentence, advice } = describeRelease(release, lines);
    const [before = '', after = ''] = page.split(`<tr id="${nameAnchor(version)}">`);
    const row = after.slice(0, after.indexOf('</tr>'));
    const fold = before.split(`<details id="line-${line}"`)[1] ?? '';
    // In its row, else with its line, else once for all.
    const words =
      /<p class="verdict-here">(.*?)<\/p>/.exec(row)?.[1] ??
      /<p class="sentence"[^>]*>(.*?)(?: <a class="note"|<\/p>)/
        .exec(fold)?.[1]
        ?.replace(line, version) ??
      page;

    if (words === page) {
      expect(sentence).toMatch(/^No end of support is stated for /);
      expect(readPage(page)).toContain(support.description);
    } else {
      expect(readPage(words)).toBe(`${sentence} ${advice}`);
    }
  }
});

const digest = `sha256:${'0f'.repeat(32)}`;

test('commands and pages say that a line is vulnerable, a reason once, and a digest', async () => {
  const root = buildUncertain();
  const run = async (...words: string[]) =>
    (await runCli([...words, '--root', root, '--as-of', uncertainDay])).stdout;

  expect(readFileSync(join(root, 'dist/console.html'), 'utf8')).toContain(`>${digest}</`);
  for (const [word, fact] of [
    ['gateway', '1.0: vulnerable, until 2027-10-01; newest 1.0.1, 2 releases. Move to 1.1.1 now.'],
    ['gateway@1.0.9', 'Affected by CVE-2026-1.'],
    ['collector@3.1', '2026-11-19'],
    ['console@5.0', 'It loses sessions.'],
    ['console@6.0', `Digest: ${digest}\n`],
    ['runtime@26.0', 'months of phase'],
  ] as const) {
    expect((await run('explain', word)).split(fact), word).toHaveLength(2);
  }
  const list = join(createFolder(), 'list');
  writeFileSync(list, 'gateway 1.0.1');
  expect(await run('scan', list)).toMatch(/Vulnerable +2027-10-01 +1\.1\.1 +secure\n/);
});
