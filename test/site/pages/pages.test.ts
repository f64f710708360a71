import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Index } from '../../../src/site/load-index.ts';
import type { Definition } from '../../../src/core/schema/definition.ts';
import { judgeAll } from '../../../src/judge/judge.ts';
import { renderPages } from '../../../src/site/pages/pages.ts';
import { loadIndex } from '../../../src/site/load-index.ts';
import { openTemplates } from '../../../src/site/pages/templates.ts';
import { exampleDay, exampleRoot, loadExample, program } from '../../harness/example.ts';
import { buildExample, packageFile } from '../../harness/site.ts';
import { createFolder, createIndex } from '../../harness/index-folder.ts';

const index = loadExample();

/** All pages of an index, by path. */
function renderAll(judged: Index, roots = [program], packed?: string): Map<string, string> {
  const render = openTemplates(roots, judged);
  const files = renderPages(render, judged, packed);
  return new Map(files.map(([path, body]) => [path, String(body)]));
}

const pages = renderAll(index, [program], packageFile);
const contents = [...pages];

describe('pages of the example', () => {
  test('are one of each component, and six others', () => {
    const names = index.components.map(({ component }) => `${component}.html`);
    const others = ['index', 'changes', 'status', 'use', 'mine', '404'].map(
      (name) => `${name}.html`,
    );

    expect([...pages.keys()].sort()).toEqual([...names, ...others].sort());
  });

  test.each(contents)('%s has neither inline script nor style, nor a gap', (_path, html) => {
    expect(html).not.toMatch(/ style=| on\w+=|<style|<script(?![^>]* src=)|javascript:/);
    expect(html).not.toMatch(/undefined|\[object|NaN|\{\{|null/);
  });

  test.each(contents)('%s links to https addresses and to files of the site', (path, html) => {
    const site = buildExample();
    const targets = Array.from(
      html.matchAll(/(?:href|src|action)="([^"]+)"/g),
      ([, target]) => target!,
    );
    // The host shows it at any address, so its links begin at the root.
    const local = targets
      .filter((target) => !target.startsWith('https:'))
      .map((target) => target.replace(/^\//, path === '404.html' ? '' : '/'));

    expect(
      targets.filter((target) => /^\w+:/.test(target) && !target.startsWith('https:')),
    ).toEqual([]);
    for (const target of local.filter((each) => !/^\?|\.(?:atom|ics)$/.test(each))) {
      const [file = '', anchor] = target.replaceAll('&#x3D;', '=').split('#');
      const name = file === '' ? path : posix.join(dirname(path), file);
      expect(existsSync(join(site, name)), `${path}: ${target}`).toBe(true);
      if (anchor !== undefined) {
        expect(pages.get(name), `${path}: ${target}`).toContain(` id="${anchor}"`);
      }
    }
  });

  test.each(contents)(
    '%s names each id once, and has one heading of the first rank',
    (_path, html) => {
      const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);

      expect(ids.filter((id, position) => ids.indexOf(id) !== position)).toEqual([]);
      expect(html.match(/<h1/g)).toHaveLength(1);
    },
  );
});

/** The text of a page, with single spaces. */
function toText(html: string): string {
  return html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
}

describe('an index', () => {
  const folder = createFolder();

  test('without components says on each page that there is nothing', () => {
    const root = join(folder, 'empty');
    const settings = readFileSync(join(exampleRoot, 'site/site.json'));
    for (const name of ['site', 'components', 'data']) {
      mkdirSync(join(root, name), { recursive: true });
    }
    writeFileSync(join(root, 'site/site.json'), settings);
    const empty = renderAll(loadIndex(root, exampleDay, program).index);
    const read = (path: string) => toText(empty.get(path)!);

    expect(read('index.html')).toContain('No release day is known yet.');
    expect(read('index.html')).toContain('There is no component yet.');
    expect(read('changes.html')).toContain('No release day and no change is recorded yet.');
    expect(read('status.html')).toContain('There is no component yet.');
    expect(read('status.html')).toContain('No run is recorded.');
  });

  test('takes its own template in place of that of the program', () => {
    const own = createIndex();
    own.write('site/templates/places.hbs', '<p>Write {{latest}} into our file.</p>\n');

    const html = renderAll(index, [program, own.root]).get('svc.html')!;

    expect(html).toContain('<p>Write 2026.3 into our file.</p>');
    expect(html).not.toContain('Dockerfile');
  });

  test.each([
    ['{{#if x}', 'Parse error on line 1: {{#if x} '],
    ['\n{{#with page}}{{/each}}', "with doesn't match each on line 2"],
    ['\n\n<p>{{lates}}</p>', '"lates" not defined in [object Object] on line 3'],
  ])('refuses its own template %j with its line, at build and check', async (text, reason) => {
    const own = createIndex();
    own.write('site/templates/places.hbs', text);

    for (const verb of ['build', 'check']) {
      const { status, stderr } = await own.run(verb);
      expect(stderr).toContain(`site/templates/places.hbs: Handlebars rejects it: ${reason}`);
      expect(stderr).toContain('What was built before stays');
      expect(status).toBe(1);
    }
  });

  test('keeps a page for a former name', () => {
    const components = index.components.map((component) =>
      component.component === 'svc' ? { ...component, renamedFrom: ['server'] } : component,
    );

    const html = renderAll({ ...index, components }).get('server.html')!;

    expect(toText(html)).toContain('server is now called svc');
    expect(html).toContain('<a href="svc.html">');
  });

  test('name no program where none is published, and never one of a registry', () => {
    const [without, use] = [renderAll(index).get('use.html')!, pages.get('use.html')!];

    expect(without).not.toMatch(/npx|id="(?:pipelines|own)"|#pipelines|#own/);
    expect(use).toContain(`npx --yes ./${packageFile} scan bom.json --index https://`);
    expect(use).toContain(`npx --yes ./${packageFile} verify https://`);
    expect(use).toContain(`npx --yes ./${packageFile} init my-index`);
    expect(use).not.toMatch(/npx --yes (?!\.\/)/);
  });

  test('without a Worker does not name what it answers', () => {
    const settings = { ...index.settings, hosting: 'pages' as const };
    const html = renderAll({ ...index, settings }).get('use.html')!;

    expect(pages.get('use.html')).toContain('/mcp');
    expect(html).not.toMatch(/\/mcp|openapi/);
  });
});

describe('foreign text', () => {
  /** The tags of a page with the names of their attributes. */
  const listTags = (html: string) => html.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>/g);
  const definition = (text: string): Definition => ({
    title: `${text} x`,
    description: text,
    homepage: 'https://example.com/',
    changelogUrl: 'https://example.com/news',
    sources: [],
    support: { policy: 'term', months: 18, inferred: text },
    deprecated: [{ versions: ['1.0'], reason: text }],
    advisories: [
      { id: 'CVE-2026-1', affected: '<2', summary: text, severity: 'high', fixed: ['2.0'] },
    ],
  });
  const recorded = {
    releases: ['1.0', '1.1', '2.0'].map((version, position) => ({
      version,
      sources: [],
      releaseTimestamp: `2026-0${position + 1}-01T00:00:00Z`,
      timestampKind: 'published' as const,
    })),
  };
  const render = (text: string) => {
    const subject = { name: 'agent', definition: definition(text), recorded };
    const components = judgeAll([{ ...subject, availableAt: new Map() }], exampleDay);
    const freshness = new Map([
      ['agent', { state: 'stale' as const, failures: [{ source: text, reason: text }] }],
    ]);
    return renderAll({ ...index, components, freshness, journals: new Map() });
  };
  const plain = render('x');

  test('never makes a tag, on any page', () => {
    const markup = fc.constantFrom(
      ...['<script>', '</p>', '"', "'", '><b>', '&lt;', '{{title}}', '{{{x}}}', '<!--', '`', 'a'],
    );

    fc.assert(
      fc.property(fc.array(markup, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.join('');
        for (const [path, html] of render(text)) {
          expect(listTags(html), path).toEqual(listTags(plain.get(path)!));
        }
      }),
      { numRuns: 6 },
    );
  });
});
