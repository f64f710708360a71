import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ComponentFreshness } from '../../../src/core/schema/documents.ts';
import { loadIndex } from '../../../src/site/load-index.ts';
import { openTemplates } from '../../../src/site/pages/templates.ts';
import {
  judgeComponents,
  readFiles,
  renderHtml,
  writeFiles,
  writeIndex,
} from '../../harness/components.ts';
import { loadExample, program } from '../../harness/example.ts';
import { openIndex } from '../../harness/index-folder.ts';
import { buildExample } from '../../harness/site.ts';

const index = loadExample();

const files = [...readFiles(buildExample())];
const pages = new Map(files.filter(([path]) => path.endsWith('.html')));

test('pages have only two scripts, together at most 24 kB when compressed', () => {
  const scripts = new Map(files.filter(([path]) => path.endsWith('.js')));

  expect([...scripts.keys()]).toEqual(['assets/answers.js', 'assets/site.js']);
  expect(gzipSync([...scripts.values()].join('')).length).toBeLessThan(24_000);
});

describe.each([...pages])('the page %s', (path, html) => {
  test('has no inline script, no inline style and no unfilled value', () => {
    expect(html).not.toMatch(/ style=| on\w+=|<style|<script(?![^>]* src=)|javascript:/);
    // These commands may contain `{{…}}` of Docker's or Go's templates, so they are not searched for unfilled values.
    const text = html.replaceAll(/<code>(?:docker|podman|kubectl|go) [^<]*<\/code>/g, '');
    expect(text).not.toMatch(/undefined|\[object|NaN|\{\{|null|>false /);
  });

  test('links only to https addresses and to existing files of the site', () => {
    const matches = html.matchAll(/(?:href|src|action)="(?!https:|webcal:)([^"]+)"/g);
    // The host shows 404.html at any address, so its links begin at the root.
    const targets = Array.from(matches, ([, target = '']) =>
      target.replace(/^\//, path === '404.html' ? '' : '/'),
    );

    expect(targets.filter((target) => /^\w+:/.test(target))).toEqual([]);
    for (const target of targets.filter((each) => !/^\?|\.(?:atom|ics)$/.test(each))) {
      const [file = '', anchor] = target.replaceAll('&#x3D;', '=').replace(/\?.*/, '').split('#');
      const name = file === '' ? path : posix.join(dirname(path), file);
      expect(existsSync(join(buildExample(), name)), target).toBe(true);
      if (anchor !== undefined) {
        expect(pages.get(name), target).toContain(` id="${anchor}"`);
      }
    }
  });

  test('uses each id only once, and has exactly one h1', () => {
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);

    expect(ids).toEqual([...new Set(ids)]);
    expect(html.match(/<h1/g)).toHaveLength(1);
  });
});

test.each([
  [
    'changes.html',
    'of Release index, newest first."',
    '"Changes" href="changes.json">',
    '<h1>Changes<',
    '<a href="svc.html"><bdi>Server</bdi></a> <a href="svc.html#v2026.3"><b>2026.3</b></a>',
    'Every change of a year, as JSON: <a href="changes/2026.json">2026</a>',
    '. The page of a component lists its releases.<',
  ],
  [
    'svcctl.html',
    '<caption>Newest',
    '<th scope="col">Notes',
    'id="v1.18"><th scope="row"><a href="#v1.18">1.18</a></th><td>DAY</td><td><p class="status">Dep',
  ],
])('the page %s has all its content without script', (path, ...parts) => {
  const html = pages.get(path)!.replaceAll(/<time .*?time>/g, 'DAY');
  expect(parts.filter((part) => !html.includes(part))).toEqual([]);
});

test.each([
  ['{{#if x}', 'Parse error on line 1: {{#if x} '],
  ['\n\n<p>{{lates}}</p>', '"lates" not defined in [object Object] on line 3'],
])('the error about a Handlebars template names the line of the mistake: %j', (text, reason) => {
  const root = writeFiles({ 'site/templates/places.hbs': text });

  expect(() => openTemplates(root, index)('places', {})).toThrow(
    `site/templates/places.hbs: Handlebars rejects it: ${reason}`,
  );
});

describe('the site of an index', () => {
  const empty = renderHtml(judgeComponents({}));

  test.each([
    ['index.html', 'No dated release is recorded yet.'],
    ['changes.html', 'No dated release or change is recorded yet.'],
    ['status.html', 'No run is recorded.'],
  ])('shows a sentence instead of an empty list on the page %s: %s', (path, sentence) => {
    expect(empty.get(path)).toContain(sentence);
  });

  test('mentions the release-index commands only if the site publishes the program', () => {
    const words = /npx|id="(?:pipelines|own)"|#pipelines|#own/;

    expect(pages.get('use.html')).toMatch(words);
    expect(renderHtml(index).get('use.html')).not.toMatch(words);
  });

  test('does not mention the API on a static host', () => {
    const settings = { ...index.settings, hosting: 'pages' as const };

    expect(pages.get('use.html')).toContain('/mcp');
    const use = renderHtml({ ...index, settings }).get('use.html');
    expect(use).not.toMatch(/\/mcp|openapi/);
    expect(use).toContain('<p><a href="mine.html">My versions</a> read these lists');
  });

  test('shows failed components first on the status page', () => {
    const judged = judgeComponents({ agent: {}, bundle: {}, cache: {} });
    const freshness = new Map<string, ComponentFreshness>([
      ['agent', { state: 'live', lastChecked: '2026-11-27' }],
      ['bundle', { state: 'static' }],
      ['cache', { state: 'live', lastChecked: '2026-11-27', failures }],
    ]);
    const html = renderHtml({ ...judged, freshness }).get('status.html')!;

    const ids = Array.from(html.matchAll(/id="component-(\w+)"/g), ([, name]) => name);
    expect(ids).toEqual(['cache', 'agent', 'bundle']);
    expect(html.indexOf('id="failures"')).toBeLessThan(html.indexOf('id="components"'));
  });

  const failures = [{ source: 'npm:agent', since: '2026-10-02', reason: 'It failed.' }];
  const held = [{ id: 'agent', since: '2026-10-01', reason: 'It loses much.' }];
  const gap = '1 of 1 component could not be fully checked.';
  test.each<[ComponentFreshness, summary: string, trouble?: string]>([
    [{ state: 'live', lastChecked: '2026-11-24', failures }, gap],
    [
      { state: 'held', lastChecked: '2026-11-24', held },
      'All sources were checked.',
      'A change is held until a person decides.',
    ],
    [
      { state: 'held', lastChecked: '2026-10-01', mayMiss: ['releases'], failures, held },
      `${gap} Newer releases may be missing.`,
      'A change is held until a person decides. Newer releases may be missing: some sources failed or answered only in part.',
    ],
    [
      { state: 'stale', lastChecked: '2026-10-01', mayMiss: ['advisories'], failures },
      `${gap} Newer advisories may be missing.`,
      'Newer advisories may be missing: some sources failed or answered only in part.',
    ],
    [
      { state: 'stale', mayMiss: ['releases', 'ends', 'advisories'], failures },
      `${gap} Newer releases, ends of support and advisories may be missing.`,
      'Newer releases, ends of support and advisories may be missing: some sources failed or answered only in part.',
    ],
  ])('with a component in the state %j shows the summary: %s', (freshness, summary, trouble) => {
    const judged = judgeComponents({ agent: {} });
    const html = renderHtml({ ...judged, freshness: new Map([['agent', freshness]]) });

    expect(html.get('status.html')).toContain(`<p class="lead">${summary}</p>`);
    expect(/tone-soon">(.*?) <a/.exec(html.get('agent.html')!)?.[1]).toBe(trouble);
  });

  const fresh = { answeredOn: '2026-11-26' };
  const silent = { answeredOn: '2026-11-01', failingSince: '2026-11-02', reason: 'It failed.' };
  const never = { failingSince: '2026-11-02', reason: 'It failed.' };
  const osv = { datasource: 'osv' };
  const npm = { datasource: 'npm', packageName: 'agent' };
  const list = { datasource: 'static', releases: [] };
  const ends = (source: object) => ({ policy: 'stated', source });
  const product = { datasource: 'endoflife-date', product: 'agent' };
  const ofUrl = { datasource: 'json', url: 'https://example.com/list.json' };
  test.each<[definition: object, answers: object, mayMiss: string[] | undefined, state: string]>([
    [{ sources: [npm, osv] }, { 'npm:agent': fresh, osv: fresh }, undefined, 'up to date'],
    [
      { sources: [npm, osv] },
      { 'npm:agent': fresh, osv: silent },
      ['advisories'],
      'newer advisories may be missing',
    ],
    [
      { sources: [npm, osv] },
      { 'npm:agent': fresh, osv: never },
      ['advisories'],
      'newer advisories may be missing',
    ],
    [
      { sources: [npm, osv] },
      { 'npm:agent': silent, osv: fresh },
      ['releases'],
      'may be out of date',
    ],
    [{ sources: [list, osv] }, { osv: silent }, ['advisories'], 'newer advisories may be missing'],
    [
      { sources: [npm], support: ends(product) },
      { 'npm:agent': fresh, 'endoflife-date:agent': silent },
      ['ends'],
      'newer ends of support may be missing',
    ],
    [
      { sources: [ofUrl], support: ends({ ...ofUrl, transform: 'lines' }) },
      {
        'json:https://example.com/list.json': fresh,
        'json:https://example.com/list.json (2)': silent,
      },
      ['ends'],
      'newer ends of support may be missing',
    ],
  ])(
    'with the definition %j and the source answers %j says that data of the kinds %j may be missing',
    (definition, answers, mayMiss, state) => {
      const root = writeIndex({ agent: { definition } });
      openIndex(root).write('data/freshness.json', { agent: answers });
      const { index: judged } = loadIndex(root, '2026-11-27', program);

      expect(judged.freshness.get('agent')!.mayMiss).toEqual(mayMiss);
      expect(renderHtml(judged).get('status.html')).toContain(
        `<span class="status">${state}</span>`,
      );
    },
  );
});

describe('foreign text', () => {
  /** Returns the tags of a page, with the names of their attributes but without values. */
  const listTags = (html = '') => html.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>/g);
  const render = (text: string) => {
    const definition = {
      title: `${text} x`,
      description: text,
      support: { policy: 'term', months: 18, inferred: text },
      deprecated: [{ versions: ['1.0'], reason: text }],
      advisories: [{ id: 'CVE-2026-1', affected: '<2', summary: text, fixed: ['2.0'] }],
    };
    const releases = { '1.0': '2026-01-01', '1.1': '2026-02-01', '2.0': '2026-03-01' };
    const judged = judgeComponents({ agent: { definition, releases } });
    const failures = [{ source: text, reason: text }];
    return renderHtml({ ...judged, freshness: new Map([['agent', { state: 'stale', failures }]]) });
  };
  const plain = render('x');

  test('never becomes a tag on any page', () => {
    const markup = fc.constantFrom(
      ...['<script>', '</p>', '"', "'", '><b>', '&lt;', '{{title}}', '{{{x}}}', '<!--', '`', 'a'],
    );

    fc.assert(
      fc.property(fc.array(markup, { minLength: 1, maxLength: 4 }), (parts) => {
        for (const [path, html] of render(parts.join(''))) {
          expect(listTags(html), path).toEqual(listTags(plain.get(path)));
        }
      }),
      { numRuns: 6 },
    );
  });
});
