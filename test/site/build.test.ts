import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { findNameProblem } from '../../src/core/schema/names.ts';
import type { Line } from '../../src/core/schema/published.ts';
import { judgeComponents, renderFiles, writeIndex } from '../harness/components.ts';
import { datedPages } from '../../src/site/pages/templates.ts';
import { readContractPaths } from '../harness/contract.ts';
import { loadExample } from '../harness/example.ts';
import { sha256 } from '../harness/imitation.ts';
import { openIndex } from '../harness/index-folder.ts';
import { release } from '../harness/judging.ts';

const example = loadExample();
const site = renderFiles(example);
const documents = [...site]
  .filter(([path]) => path.endsWith('.json') && !path.startsWith('schema/'))
  .map(([path, body]): [string, unknown] => [path, JSON.parse(body)]);

/** Paths in CONTRACT that the example does not have. A package, a named file and a signature are the subjects of other tests. */
const absent =
  'SHA256SUMS.minisig <component>/<name>.json release-index-<version>.tgz assets/… schema/*.json';
/** Every path of a site, as CONTRACT lists them. Paths with a star exist once for each component. */
const paths = readContractPaths()
  .filter((path) => !absent.split(' ').includes(path))
  .map((path) => path.replace('<component>', '*').replace('<year>', '2026'));
const schemas =
  'access all builds changes component definition details index latest policies policy release-statement search site status supported';

describe('the site of the example', () => {
  test('has exactly the paths that CONTRACT lists', () => {
    const signed = ['build-agent-npm', 'build-agent-npm-loader'];
    const expected = paths.flatMap((path) =>
      example.components
        .filter(({ latest }) => latest !== undefined || !path.startsWith('latest/'))
        .filter(({ lines }) => lines.some(hasEnd) || !path.startsWith('api/'))
        .filter(({ component }) => signed.includes(component) || !path.startsWith('statements/'))
        .flatMap(({ component }) => ['0', '1'].map((part) => fillPath(path, component, part))),
    );
    const written = [...site.keys()].filter((path) => !/^(?:assets|schema)\//.test(path));

    expect(written.sort()).toEqual([...new Set(expected)].sort());
  });

  test('lists in sitemap.xml every page, except 404.html', () => {
    const { releasesUrl } = example.settings;
    const pages = [...site.keys()].filter((path) => path.endsWith('.html') && path !== '404.html');
    const listed = [...site.get('sitemap.xml')!.matchAll(/<loc>(.+)<\/loc>/g)].map(
      ([, url]) => url,
    );

    expect(listed.sort()).toEqual(
      pages.map((path) => `${releasesUrl}/${path.replace(/^index\.html$/, '')}`).sort(),
    );
  });

  test('is identical for the same definitions, data and date', () => {
    expect(renderFiles(loadExample())).toEqual(site);
  });

  test.each([
    ['2026-11-27', ''],
    [
      // svc 2025.2 is supported until this date.
      '2027-01-15',
      'all.json api/v1/products/full api/v1/products/svc calendars/svc.ics changes.html details/svc.json renovate.json search/1.json support.html support.ics supported/svc.json svc.html svc.json',
    ],
  ])('differs on the day after %s only in files that depend on the date', (day, ofState) => {
    const [before, after] = [day, addDays(day, 1)].map((each) => renderFiles(loadExample(each)));
    const changed = [...after!.keys()].filter((path) => after!.get(path) !== before!.get(path));

    const pages = datedPages.map((page) => `${page}.html`).join(' ');
    const ofDay = `SHA256SUMS assets/today.css status.json ${pages}`;
    expect(changed).toEqual(`${ofDay} ${ofState}`.trim().split(' ').sort());
    expect([...after!.keys()]).toEqual([...before!.keys()]);
  });

  test('has no document with a null, an empty text, a plain http address or a BOM', () => {
    const wrong = documents.flatMap(([path, document]) =>
      listValues(document)
        .filter((value) => value === null || value === '' || String(value).startsWith('http:'))
        .map((value) => `${path}: ${value}`),
    );

    // These are allowed: the empty default of a query, and a null with which the Renovate preset resets a setting.
    const allowed = ['openapi.json: ', 'openapi.json: ', 'renovate.json: null'];
    expect(wrong).toEqual(allowed);
    expect([...site].filter(([, body]) => body.startsWith('\uFEFF'))).toEqual([]);
  });
});

const fillPath = (path: string, component: string, part: string) =>
  path.replace('*', component).replace('<number>', part);
const hasEnd = ({ phases }: Line) => phases.length > 0;

/** Returns every text, number and null in a document. */
function listValues(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(listValues)
    : [value];
}

/** Returns the name of the schema for the document at a path. */
function nameSchema(path: string): string {
  const [folder = '', file] = path.replace('.json', '').split('/');
  const ofRoot = schemas.split(' ').includes(folder) ? folder : 'component';
  return file === undefined ? ofRoot : folder;
}

test('a component may not have the name of a file or folder of the site', () => {
  const names = paths.map((path) => path.split(/[./]/)[0]!).filter((name) => name !== '*');
  // Files in `data/` that do not belong to a component.
  names.push('data', 'held', 'freshness');

  expect(names.filter((name) => findNameProblem(name) === undefined)).toEqual([]);
});

describe('the published schemas', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  const described = documents.filter(([path]) => !/^(?:api|data|openapi|renovate)/.test(path));

  test('exist for every kind of document', () => {
    const names = [...site.keys()].filter((path) => path.startsWith('schema/'));

    expect(names).toEqual(schemas.split(' ').map((name) => `schema/${name}.json`));
  });

  test.each([...new Set(described.map(([path]) => nameSchema(path)))])(
    'accept every published document of the kind %s, and reject another value',
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
    edge: {
      definition: {
        renamedFrom: ['border'],
        support: { policy: 'dated', lines: { '1.0': '2027-01-31' } },
      },
      journal: [
        { at: '2026-01-31T00:00:00.000Z', type: 'released', on: '2026-01-31', version: '1.0' },
      ],
      releases: [
        release('1.0', '2026-01-31', { files: { amd64: sha256('1.0') }, hasAllFiles: true }),
      ],
    },
  });
  const files = renderFiles(index);
  const copied = [
    // A signed statement names its component, so there is no copy under another name.
    ...paths.filter((path) => /^(?!statements).*\*\.(?!html)/.test(path)),
    '*/amd64.json',
    'api/v1/products/*',
  ];

  test.each(copied)('stay available under the former name: %s', (path) => {
    const former = files.get(path.replace('*', 'border')) ?? 'not there';

    expect(former).toBe(files.get(path.replace('*', 'edge')));
  });

  test('include a page under the former name that links to the page under the new name', () => {
    expect(files.get('border.html')).toMatch(/border is now called edge[^]*<a href="edge.html">/);
  });

  test('are listed only under the new name', () => {
    expect(files.get('index.json')).toBe('["edge"]\n');
    expect(Object.keys(JSON.parse(files.get('all.json')!).components)).toEqual(['edge']);
  });
});

test('an index without components gets a complete site', () => {
  const files = renderFiles(judgeComponents({}), writeIndex({}));

  expect(files.get('all.json')).toBe('{"components": {\n}}\n');
  expect(files.get('changes.json')).toBe('{"changes": []}\n');
  expect(files.get('index.json')).toBe('[]\n');
  expect([...files.keys()].filter((path) => /^s(?:igning|tatements)/.test(path))).toEqual([]);
});

test('a build copies every .tgz package from the folder program/ to the site', () => {
  const packages = ['release-index-0.9.0.tgz', 'release-index-1.0.0.tgz'];
  const root = writeIndex({});
  for (const name of [...packages, 'notes.txt']) {
    openIndex(root).write(`program/${name}`, name);
  }
  const files = renderFiles(judgeComponents({}), root);

  expect([...files.keys()].filter((path) => /tgz|notes/.test(path))).toEqual(packages);
  expect(files.get(packages[0]!)).toBe(packages[0]);
});
