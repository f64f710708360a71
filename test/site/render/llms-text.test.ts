import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endpoints } from '../../../src/ask/api/endpoints.ts';
import { publishedPaths } from '../../../src/site/render/paths.ts';
import { fields } from '../../../src/core/query/fields.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { run } from '../../harness/run.ts';
import { rootOf, siteOf, siteOfFixtureIndex } from '../../harness/site.ts';

const home = 'https://releases.example.com/';

function linksIn(text: string): string[] {
  return Array.from(text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S.*$/gm), ([, link]) => link!);
}

it('llms.txt has the form of llmstxt.org: a title, a quote, and lists of links under headings', () => {
  const lines = readFileSync(join(siteOfFixtureIndex(), 'llms.txt'), 'utf8').split('\n');

  expect(lines[0]).toBe('# Release index');
  expect(lines[2]).toMatch(/^> Every release of every component/);
  expect(lines.filter((line) => line.startsWith('#'))).toEqual([
    '# Release index',
    '## All components',
    '## One component',
    '## Queries',
    '## Questions',
    '## Tools',
    '## Optional',
  ]);
  expect(
    lines.filter((line) => line.startsWith('-') && !/^- (?:\[.+\]\(https:.+\)|`.+`): ./.test(line)),
  ).toEqual([]);
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

it('llms.txt names every page and every machine form, in a text of ten kilobytes', () => {
  const text = readFileSync(join(siteOfFixtureIndex(), 'llms.txt'), 'utf8');
  const unnamed = publishedPaths
    .map(({ path }) => path.replace('{year}', '<year>').replace('{schema}', '<name>'))
    .filter((path) => !text.includes(path));

  // The parts that large documents name themselves, what only an index with a key has (verify.html tells of it), what only
  // operators, browsers, crawlers and readers of endoflife.date ask for, and this text.
  expect(unnamed).toEqual([
    'all/{part}.json',
    'search/{part}.json',
    'releases/{part}.csv',
    'releases/{part}.ndjson',
    'renovate/with/{name}.json',
    'builds/<year>.json',
    'osv/{advisory}.json',
    'endoflife/api/{component}.json',
    'endoflife/api/v1/products/{component}',
    'endoflife/api/all.json',
    'endoflife/api/v1/products/full',
    'endoflife/api/v1/categories/app',
    'endoflife/api/v1/tags/app',
    'endoflife/api/v1/identifiers/purl',
    'endoflife/api/v1/identifiers/cpe',
    'SHA256SUMS.minisig',
    'attestations/{component}.json',
    'statements/{component}.ndjson',
    'signing-key.pub',
    'signing-key.pem',
    'ends.html',
    'support.svg',
    'sign-in.html',
    '404.html',
    'assets/site.js',
    'assets/ask.js',
    'assets/mine.js',
    'assets/{asset}',
    'assets/today.css',
    'assets/accent.css',
    'llms.txt',
    'robots.txt',
    'sitemap.xml',
  ]);
  expect(text).toContain(`The Model Context Protocol at ${home}mcp,`);
  expect(text.length).toBeLessThan(10 * 1024);
});

it('llms.txt teaches a query language in which its examples are valid, and find what they say', async () => {
  const text = readFileSync(join(siteOfFixtureIndex(), 'llms.txt'), 'utf8');
  const examples = Array.from(text.matchAll(/^- `(.+)`: /gm), ([, query]) => query!);

  expect(examples).toHaveLength(3);
  for (const { name } of fields) expect(text).toContain(name);
  for (const query of examples) {
    const { stdout } = await run(['search', query, '--root', fixtureIndex, '--as-of', fixtureDay, '--json']);
    expect(JSON.parse(stdout), query).not.toEqual([]);
  }
});

it('llms.txt names every endpoint of which anyone can try a request', () => {
  const text = readFileSync(join(siteOfFixtureIndex(), 'llms.txt'), 'utf8');
  const links = linksIn(text.slice(text.indexOf('## Questions'), text.indexOf('## Optional')));

  expect(links).toHaveLength(
    endpoints.filter(
      ({ path, example }) => !/^\/(?:endoflife|build-export|api\/builds)/.test(path) && example !== undefined,
    ).length,
  );
  expect(links.filter((link) => !link.startsWith(home) || /[{}]/.test(link))).toEqual([]);
});
