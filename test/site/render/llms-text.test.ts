import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endpoints } from '../../../src/ask/server/api/endpoints.ts';
import { tools } from '../../../src/ask/server/mcp/tools.ts';
import { fields } from '../../../src/core/query/fields.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { run } from '../../harness/run.ts';
import { rootOf, siteOf, siteOfFixtureIndex } from '../../harness/site.ts';

const home = 'https://releases.example.com/';

function linksIn(text: string): string[] {
  return Array.from(text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S.*$/gm), ([, link]) => link!);
}

it.each([
  ['an ordinary index', () => siteOfFixtureIndex()],
  ['an empty one', () => siteOf(rootOf({}))],
])('every link of llms.txt leads to a file of %s', (_what, build) => {
  const out = build();
  const text = readFileSync(join(out, 'llms.txt'), 'utf8').replace(
    /## Questions.*(?=## Optional)/s,
    '',
  );
  const links = linksIn(text);

  // The form of llmstxt.org: a title, a quote, headings.
  expect(text).toMatch(/^# \S.*\n\n> \S[^]*\n## \S/);
  expect(links.length).toBeGreaterThan(8);
  for (const link of links) {
    expect(link.startsWith(home), link).toBe(true);
    expect(existsSync(join(out, link.slice(home.length))), link).toBe(true);
  }
});

it('llms.txt names the files of all components and of one, the pages and the tools, in ten kilobytes', () => {
  const text = readFileSync(join(siteOfFixtureIndex(), 'llms.txt'), 'utf8');

  const files = ['index.json', 'search.json', 'renovate.json', 'api.html'];
  for (const path of [
    ...files,
    'reporting-kit.json',
    'details/reporting-kit.json',
    'feeds/reporting-kit.atom',
  ]) {
    expect(linksIn(text)).toContain(home + path);
  }
  for (const { name } of tools) {
    expect(text).toContain(name);
  }
  expect(text).toContain(`The Model Context Protocol at ${home}mcp,`);
  expect(text).not.toMatch(/endoflife\/|assets\/|robots\.txt|404\.html/);
  expect(text.length).toBeLessThan(10 * 1024);
});

it('llms.txt names every field of queries, and its examples find releases', async () => {
  const text = readFileSync(join(siteOfFixtureIndex(), 'llms.txt'), 'utf8');
  const examples = Array.from(text.matchAll(/^- `(.+)`: /gm), ([, query]) => query!);

  expect(examples).toHaveLength(3);
  for (const { name } of fields) {
    expect(text).toContain(name);
  }
  for (const query of examples) {
    const { stdout } = await run([
      'search',
      query,
      '--root',
      fixtureIndex,
      '--as-of',
      fixtureDay,
      '--json',
    ]);
    expect(JSON.parse(stdout), query).not.toEqual([]);
  }
});

it('llms.txt names every endpoint that has an example', () => {
  const text = readFileSync(join(siteOfFixtureIndex(), 'llms.txt'), 'utf8');
  const links = linksIn(text.slice(text.indexOf('## Questions'), text.indexOf('## Optional')));

  expect(links).toHaveLength(
    endpoints.filter(
      ({ path, example }) =>
        !/^\/(?:endoflife|build-export|api\/builds)/.test(path) && example !== undefined,
    ).length,
  );
  expect(links.filter((link) => !link.startsWith(home) || /[{}]/.test(link))).toEqual([]);
});
