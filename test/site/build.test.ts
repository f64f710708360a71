import { existsSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { findNameProblem } from '../../src/core/schema/names.ts';
import { buildSite } from '../../src/site/build.ts';
import {
  judgeComponents,
  readFiles,
  renderFiles,
  writeFiles,
  writeIndex,
} from '../harness/components.ts';
import { exampleDay, exampleRoot, loadExample, program } from '../harness/example.ts';
import { openIndex } from '../harness/index-folder.ts';

const site = renderFiles(loadExample(), exampleRoot);
const documents = [...site]
  .filter(([path]) => path.endsWith('.json') && !path.startsWith('schema/'))
  .map(([path, body]): [string, unknown] => [path, JSON.parse(body)]);

/** Every path but those of components, whose names stand for all. */
const paths = [
  '404.html',
  'SHA256SUMS',
  '_headers',
  'all.json',
  'badges/*.json',
  'builds/2026.json',
  'calendars/*.ics',
  'changes.html',
  'changes.json',
  'changes/2026.json',
  'details/*.json',
  'feed.atom',
  'feeds/*.atom',
  'index.html',
  'index.json',
  'mine.html',
  'openapi.json',
  'policies.json',
  'renovate.json',
  'renovate/days.json',
  'robots.txt',
  'search.json',
  'signing-key.pem',
  'signing-key.pub',
  'sitemap.xml',
  'statements/*.ndjson',
  'status.html',
  'status.json',
  'support.ics',
  'supported/*.json',
  'use.html',
];

describe('the site of the example', () => {
  test('has every path that readers and programs know', () => {
    const { components } = loadExample();
    const names = new Set(components.map(({ component }) => component));
    const found = new Set<string>();
    for (const path of site.keys()) {
      const [folder = '', file] = path.split('/');
      const name = (file ?? folder).replace(/\.\w+$/, '');
      if (folder !== 'assets' && folder !== 'schema' && (file !== undefined || !names.has(name))) {
        found.add(names.has(name) ? path.replace(name, '*') : path);
      }
    }

    expect([...found].sort()).toEqual(paths);
    for (const name of names) {
      expect(site.has(`${name}.json`) && site.has(`${name}.html`), name).toBe(true);
    }
  });

  test('is the same from the same definitions, data and day', () => {
    expect(renderFiles(loadExample(), exampleRoot)).toEqual(site);
  });

  test('changes on a quiet day only where it names the day', () => {
    const next = renderFiles(loadExample('2026-11-28'), exampleRoot);
    const changed = [...next.keys()].filter((path) => next.get(path) !== site.get(path));

    expect(changed.filter((path) => !path.endsWith('.html'))).toEqual([
      'SHA256SUMS',
      'search.json',
      'status.json',
    ]);
    expect([...next.keys()]).toEqual([...site.keys()]);
  });

  test('has no null, no empty text and no plain http address in any document, and no BOM', () => {
    const wrong = documents.flatMap(([path, document]) =>
      listValues(document)
        .filter((value) => value === null || value === '' || String(value).startsWith('http:'))
        .map((value) => `${path}: ${value}`),
    );

    expect(wrong).toEqual([]);
    expect([...site].filter(([, body]) => body.startsWith('\uFEFF'))).toEqual([]);
  });

  test('lists the digest of every file but itself and what is signed', () => {
    const listed = site.get('SHA256SUMS')!.split('\n').slice(0, -1);

    expect(listed.map((line) => line.slice(66))).toEqual(
      [...site.keys()].filter((path) => path !== 'SHA256SUMS' && !path.startsWith('statements/')),
    );
  });
});

/** Every text, number and null in a document. */
function listValues(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(listValues)
    : [value];
}

/** The schema of each document, by its path. */
function nameSchema(path: string): string | undefined {
  const [folder = '', file] = path.replace('.json', '').split('/');
  if (file !== undefined) {
    const named: Record<string, string> = { badges: 'badge' };
    return named[folder] ?? folder;
  }

  return site.has(`schema/${folder}.json`) ? folder : 'component';
}

test('no component can take a path of the site', () => {
  const names = paths.map((path) => path.split(/[./]/)[0]!).filter((name) => name !== '*');

  expect(names.filter((name) => findNameProblem(name) === undefined)).toEqual([]);
});

describe('the schemas', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  const described = documents.filter(([path]) => !/^(?:openapi|renovate)/.test(path));

  test('are there for what people write and for what is published', () => {
    const names = [...site.keys()].filter((path) => path.startsWith('schema/'));

    expect(names.map((path) => path.slice('schema/'.length, -'.json'.length))).toEqual([
      'access',
      'all',
      'badge',
      'builds',
      'changes',
      'component',
      'definition',
      'details',
      'index',
      'policies',
      'policy',
      'release-statement',
      'search',
      'site',
      'status',
      'supported',
    ]);
  });

  test.each([...new Set(described.map(([path]) => nameSchema(path)!))])(
    'accept every document of the kind %s, and no other value',
    (name) => {
      const validate = ajv.compile(JSON.parse(site.get(`schema/${name}.json`)!) as object);

      for (const [path, document] of described.filter(([each]) => nameSchema(each) === name)) {
        expect(validate(document) || [path, validate.errors]).toBe(true);
      }
      expect(validate({ unknown: null })).toBe(false);
    },
  );
});

describe('the files of a renamed component', () => {
  const index = judgeComponents({
    edge: { definition: { renamedFrom: ['border'] }, releases: { '1.0': '2026-01-31' } },
  });
  const files = renderFiles(index, exampleRoot);

  test.each([
    '*.json',
    'details/*.json',
    'supported/*.json',
    'badges/*.json',
    'feeds/*.atom',
    'calendars/*.ics',
  ])('stay under its former name: %s', (path) => {
    expect(files.get(path.replace('*', 'border'))).toBe(files.get(path.replace('*', 'edge')));
    expect(files.has(path.replace('*', 'border'))).toBe(true);
  });

  test('are listed once', () => {
    expect(files.get('index.json')).toBe('["edge"]\n');
    expect(Object.keys(JSON.parse(files.get('all.json')!).components)).toEqual(['edge']);
  });
});

test('an index without a component, a key and statements has a whole site', () => {
  const root = writeIndex({});
  const files = renderFiles(judgeComponents({}), root);

  expect(files.get('all.json')).toBe('{"components": {}}\n');
  expect(files.get('index.json')).toBe('[]\n');
  expect(files.has('signing-key.pub')).toBe(false);
  expect([...files.keys()].filter((path) => path.startsWith('statements/'))).toEqual([]);
});

test('the programs in program/ are published, those of earlier versions, too', () => {
  const root = writeIndex({});
  const packages = ['release-index-0.9.0.tgz', 'release-index-1.0.0.tgz'];
  const other = 'notes.txt';
  for (const name of [...packages, other]) {
    openIndex(root).write(`program/${name}`, `the bytes of ${name}`);
  }
  const files = renderFiles(judgeComponents({}), root);

  for (const name of packages) {
    expect(files.get(name)).toBe(`the bytes of ${name}`);
    expect(files.get('SHA256SUMS')).toContain(`  ${name}\n`);
  }
  expect(files.has(other)).toBe(false);
});

test('a build that fails leaves the former site as it was', () => {
  const out = writeFiles({});
  const index = loadExample(exampleDay);
  buildSite(index, { program, root: exampleRoot, out }, {});
  const before = readFiles(out);
  const broken = { ...index, freshness: new Map() };

  expect(() => buildSite(broken, { program, root: exampleRoot, out }, {})).toThrow(TypeError);

  expect(readFiles(out)).toEqual(before);
  expect(existsSync(`${out}.${process.pid}.part`)).toBe(false);
});
