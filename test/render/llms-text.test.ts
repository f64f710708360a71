import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import { rootOf, siteOf, siteOfFixtureIndex } from '../harness/site.ts';

const home = 'https://releases.example.com/';

function linksIn(text: string): string[] {
  return Array.from(text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S.*$/gm), ([, link]) => link!);
}

it('has the form of llmstxt.org: a title, a quote, and lists of links under headings', () => {
  const lines = readFileSync(join(siteOfFixtureIndex(), 'llms.txt'), 'utf8').split('\n');

  expect(lines[0]).toBe('# Release index');
  expect(lines[2]).toMatch(/^> Every release of every component/);
  expect(lines.filter((line) => line.startsWith('#'))).toEqual([
    '# Release index',
    '## All components',
    '## One component',
    '## Questions',
    '## Optional',
  ]);
  expect(lines.filter((line) => line.startsWith('-') && !/^- \[.+\]\(https:.+\): ./.test(line))).toEqual([]);
});

it.each([
  ['an ordinary index', () => siteOfFixtureIndex()],
  ['an empty one', () => siteOf(rootOf({}))],
])('every link of it leads to a file of %s', (_what, build) => {
  const out = build();
  const text = readFileSync(join(out, 'llms.txt'), 'utf8').replace(/## Questions.*(?=## Optional)/s, '');
  const links = linksIn(text);

  expect(links.length).toBeGreaterThan(8);
  for (const link of links) {
    expect(link.startsWith(home), link).toBe(true);
    expect(existsSync(join(out, link.slice(home.length))), link).toBe(true);
  }
});

it('names every endpoint with a request that can be made', () => {
  const text = readFileSync(join(siteOfFixtureIndex(), 'llms.txt'), 'utf8');
  const links = linksIn(text.slice(text.indexOf('## Questions'), text.indexOf('## Optional')));

  expect(links).toHaveLength(endpoints.length);
  expect(links.filter((link) => !link.startsWith(home) || /[{}]/.test(link))).toEqual([]);
});
