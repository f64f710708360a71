import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rootOf, siteOf } from '../../harness/site.ts';

it('the page for a missing address has links that work below any path of the host', () => {
  const out = siteOf(rootOf({}), '2026-11-20', 'https://example.com/releases');
  const html = readFileSync(join(out, '404.html'), 'utf8');

  const links = Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), (match) => match[1]!);
  expect(links.filter((link) => !/^(?:\/releases\/|https:|#main)/.test(link))).toEqual([]);
  expect(links).toContain('/releases/assets/site.css');
});
