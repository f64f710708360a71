import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CompatibilityFile } from '../../../src/core/schemas/published/compatibility-file.ts';
import { runCli } from '../../harness/cli.ts';
import { definition, makeRoot, pathsIn } from '../../harness/root.ts';
import { rootOf, siteOf } from '../../harness/site.ts';
import { covers } from '../../harness/covers.ts';

const url = 'https://example.com/agent/4.5';

const listing = (...versions: string[]) => ({ releases: versions.map((version) => ({ version })) });

const root = makeRoot({
  'components/svc.json': definition({
    title: 'Server',
    support: { policy: 'dated', lines: { '2025.1': '2026-01-31', '2025.2': '2027-01-31' } },
  }),
  'data/svc.json': listing('2025.1', '2025.2', '2026.1', '2026.2', '2026.2.1'),
  'components/agent.json': definition({
    title: 'Agent',
    worksWith: {
      svc: [
        { versions: '4.5', from: '2026.1.0', url },
        { versions: '4.1', from: '2025.2' },
      ],
    },
  }),
  'data/agent.json': listing('4.1.0', '4.1.1', '4.3', '4.5.0', '4.6.0'),
  'components/cli.json': definition({
    title: 'CLI',
    worksWith: { svc: [{ versions: '*', from: '2025.1', testedTo: '2026.2.0' }] },
  }),
  'data/cli.json': listing('1.0', '2.0'),
  'components/edge.json': definition({
    title: 'Edge',
    worksWith: { svc: [{ versions: '=1.0', before: '2026.1' }] },
  }),
  'data/edge.json': listing('1.0', '1.1'),
  'components/node.json': definition({
    title: 'Node',
    worksWith: { svc: [{ versions: '*', before: '2026.1' }] },
  }),
  'data/node.json': listing('1.0'),
  'components/alone.json': definition({ title: 'Alone' }),
  'data/alone.json': listing('1.0'),
});
await runCli(['build', '--root', root, '--as-of', '2026-11-22']);

const readIn = (path: string) => readFileSync(join(root, 'dist', path), 'utf8');

/** The cells of a table, row by row. */
function rowsOf(page: string): string[][] {
  return parseRows(readIn(page));
}

function parseRows(html: string): string[][] {
  const [, section = ''] = html.split('id="works-with"');
  const [table = ''] = /<table[^>]*>.*?<\/table>/s.exec(section) ?? [];
  return Array.from(table.matchAll(/<tr>(.*?)<\/tr>/g), ([, row = '']) =>
    Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g), ([, cell = '']) =>
      cell.replaceAll(/<[^>]+>/g, '').trim(),
    ),
  );
}

test('the pages show in both directions what goes together, by line', () => {
  expect(rowsOf('svc.html')).toEqual([
    ['Server', 'Agent', 'CLI', 'Edge', 'Node'],
    ['2026.2.1', '4.5.0 4.6.0&nbsp;?', 'not stated', 'not stated', 'none'],
    ['2026.1 to 2026.2', '4.5.0 4.6.0&nbsp;?', '2.0', 'not stated', 'none'],
    ['2025.2', '4.1.1 4.3&nbsp;?', '2.0', '1.0 1.1&nbsp;?', '1.0'],
    ['2025.1', '4.1.0 needs 2025.2 or later', '2.0', '1.0 1.1&nbsp;?', '1.0'],
  ]);
  expect(rowsOf('agent.html')).toEqual([
    ['Agent', 'Server'],
    ['4.5', '2026.1.0 or later'],
    ['4.1', '2025.2 or later'],
  ]);
  expect(rowsOf('cli.html')).toEqual([
    ['CLI', 'Server'],
    ['1.0 to 2.0', '2025.1 or later, tested up to 2026.2.0'],
  ]);
  expect(readIn('agent.html')).toContain('Nothing is stated to go with 4.6.');
  expect(readIn('agent.html')).toContain(`<a href="${url}">2026.1.0 or later</a>`);
  expect(readIn('svc.html')).toContain('Bold: the greatest release');
  expect(readIn('cli.html')).not.toContain('Bold: ');
  expect(readIn('alone.html')).not.toContain('works-with');
});

test('lines share a row if the page shows the same of them, whatever else is stated', () => {
  const site = siteOf(
    rootOf({
      cli: {
        definition: definition({
          title: 'CLI',
          worksWith: { svc: [{ versions: '*', from: '1.0' }] },
        }),
        ...listing('1.0', '2.0'),
      },
      svc: {
        definition: definition({
          title: 'Server',
          worksWith: { cli: [{ recommended: '1.0', with: '=1.0' }] },
        }),
        ...listing('1.0', '1.1'),
      },
    }),
  );

  expect(parseRows(readFileSync(join(site, 'cli.html'), 'utf8'))).toEqual([
    ['CLI', 'Server'],
    ['1.0 to 2.0', '1.0 or later'],
  ]);
});

test('an older part of a line whose last release has the name of the line does not speak for the line', () => {
  const site = siteOf(
    rootOf({
      svc: {
        definition: definition({
          worksWith: {
            agent: [
              { versions: '<2025.1.1', from: '1.0' },
              { versions: '>=2025.1.1', from: '9.0' },
            ],
          },
        }),
        ...listing('2025.1', '2025.1.1'),
      },
      agent: { definition: definition(), ...listing('1.0', '1.1') },
    }),
  );

  const { lines } = JSON.parse(
    readFileSync(join(site, 'compatibility.json'), 'utf8'),
  ) as CompatibilityFile;
  expect(lines['svc']?.['2025.1']).toBeUndefined();
});

test('an index without statements does not have the file', () => {
  const none = siteOf(rootOf({ alone: { definition: definition() } }));

  expect(pathsIn(none)).not.toContain('compatibility.json');
});

test('the file says the same, with every statement, and its ranges as VERS strings', () => {
  covers('What goes together stands in documents of its own: compatibility.json and details/.');
  expect(JSON.parse(readIn('compatibility.json'))).toMatchObject({
    statements: [
      { component: 'agent', other: 'svc', versions: '4.5', from: '2026.1.0', url },
      {
        component: 'agent',
        other: 'svc',
        versions: '4.1',
        vers: { with: 'vers:generic/>=2025.2' },
      },
      { component: 'cli', other: 'svc', testedTo: '2026.2.0' },
      { component: 'edge', other: 'svc', before: '2026.1' },
      { component: 'node', other: 'svc', before: '2026.1' },
    ],
    lines: {
      svc: {
        '2025.1': { cli: { greatest: '2.0' } },
        '2025.2': { agent: { greatest: '4.1.1', newer: '4.3' }, cli: { greatest: '2.0' } },
        '2026.1': { agent: { greatest: '4.5.0', newer: '4.6.0' }, cli: { greatest: '2.0' } },
        '2026.2': { agent: { greatest: '4.5.0', newer: '4.6.0' } },
      },
      agent: { '4.5': { svc: { greatest: '2026.2.1' } } },
      cli: { '2.0': { svc: { greatest: '2026.2', newer: '2026.2.1' } } },
    },
  });
});

test('a release needs what all statements about it say, and nothing is refused without releases', () => {
  const site = siteOf(
    rootOf({
      agent: {
        definition: definition({
          title: 'Agent',
          worksWith: {
            svc: [
              { versions: '*', from: '1.0' },
              { versions: '>=2.5', from: '1.4' },
            ],
            edge: [{ versions: '>=2.5', from: '1.0' }],
          },
        }),
        ...listing('2.1', '2.5'),
      },
      edge: { definition: definition({ title: 'Edge' }) },
      svc: { definition: definition({ title: 'Server' }), ...listing('1.2', '1.4') },
    }),
  );

  expect(parseRows(readFileSync(join(site, 'agent.html'), 'utf8'))).toEqual([
    ['Agent', 'Edge', 'Server'],
    ['2.5', '1.0 or later', '1.0 or later; and 1.4 or later'],
    ['2.1', 'not stated', '1.0 or later'],
  ]);
});

test('a page lists the needs of single features, also where nothing else is stated', () => {
  const caching = { versions: '*', from: '3.0', feature: 'caching' };
  const site = siteOf(
    rootOf({
      svc: {
        definition: definition({ title: 'Server', worksWith: { cli: [caching] } }),
        ...listing('1.0'),
      },
      cli: { definition: definition({ title: 'CLI' }), ...listing('2.0', '3.0') },
    }),
  );

  for (const page of ['svc.html', 'cli.html']) {
    const html = readFileSync(join(site, page), 'utf8');
    expect(parseRows(html)).toEqual([]);
    expect(html).toContain('<section id="works-with">');
    expect(html).toContain('Server needs CLI 3.0 or later for caching.');
  }
});
