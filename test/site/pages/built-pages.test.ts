import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readJsonIn } from '../../harness/root.ts';
import { rootOf, siteOf, siteOfFixtureIndex } from '../../harness/site.ts';

it('every table has a name for readers of the screen', () => {
  const out = siteOfFixtureIndex();

  for (const name of readdirSync(out).filter((path) => path.endsWith('.html'))) {
    const html = readFileSync(join(out, name), 'utf8');
    const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id);

    for (const [, attributes = '', start] of html.matchAll(/<table([^>]*)>\s*(<\w+)/g)) {
      const [, label] = / aria-labelledby="([^"]*)"/.exec(attributes) ?? [];

      expect(start === '<caption' || ids.includes(label), `${name}: ${attributes}`).toBe(true);
    }
  }
});

it('every table of releases, of any year or line, has the same columns', () => {
  const out = siteOfFixtureIndex();
  const heads: string[] = [];

  for (const name of readJsonIn(out, 'index.json') as string[]) {
    const html = readFileSync(join(out, `${name}.html`), 'utf8');
    const tables = html.split('<table>').slice(1);

    for (const table of tables) {
      const [head = '', ...rows] = table.split('</table>')[0]!.split('<tr');
      const [columns, ...releases] = rows.map((row) => row.match(/<t[hd][ >]/g)!.length);

      heads.push(rows[0]!.replace(/<[^>]*>/g, ' '));
      expect(new Set(releases), `${name}: ${head}`).toEqual(new Set([columns]));
    }
  }

  expect(heads.length).toBeGreaterThan(20);
  expect(new Set(heads).size).toBe(1);
});

it('the page for a missing address has links that work below any path of the host', () => {
  const out = siteOf(rootOf({}), '2026-11-20', 'https://example.com/releases');
  const html = readFileSync(join(out, '404.html'), 'utf8');

  const links = Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), (match) => match[1]!);
  expect(links.filter((link) => !/^(?:\/releases\/|https:|#main)/.test(link))).toEqual([]);
  expect(links).toContain('/releases/assets/site.css');
});
