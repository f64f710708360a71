import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { expectForm, problemOf, servePackages, type ServedPackages } from './served-packages.ts';

let site: ServedPackages;

beforeAll(async () => {
  site = await servePackages();
});

afterAll(() => site.close());

const list = 'svc@2026.1\nkit=1.0\nleft-pad==1.3.0\n';
const bom = JSON.stringify({
  ...{ bomFormat: 'CycloneDX', specVersion: '1.6' },
  components: [
    { name: 'svc', version: '2026.1' },
    { name: 'kit', version: '1.0' },
    { name: 'left-pad', version: '1.3.0' },
  ],
});
const expected = ['svc@2026.1 satisfied', 'kit@1.0 unsatisfied', 'left-pad@1.3.0 not-applicable'];

function form(fields: Readonly<Record<string, string | Blob>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    data.append(name, value as string);
  }
  return data;
}

const typed = (body: string, type: string): RequestInit => ({
  body,
  headers: { 'Content-Type': type },
});

test.each<[string, RequestInit, boolean?]>([
  ['a list', typed(list, 'text/plain')],
  ['a table', typed('component,version\nsvc,2026.1\nkit,1.0\nleft-pad,1.3.0\n', 'text/csv')],
  ['JSON', typed(bom, 'application/json')],
  ['JSON of CycloneDX', typed(bom, 'application/vnd.cyclonedx+json; version=1.6')],
  ['bytes', { body: new TextEncoder().encode(bom) }],
  ['a form with a file', { body: form({ document: new File([bom], 'bom.json') }) }],
  ['a form with a text', { body: form({ document: list, policy: 'supported' }) }, true],
  ['an encoded form', { body: new URLSearchParams({ document: bom }) }],
])('judges a document as %s', async (_what, init, isOfOnePolicy) => {
  const answer = await site.scan('/api/scan', init);

  const all = (await answer.json()) as PolicyScan[];
  const results = all.filter(({ policyUri }) => policyUri === '/policies/built-in/supported');
  expect(all).toHaveLength(results.length * (isOfOnePolicy ? 1 : 2));
  expectForm('policy-scans', results);
  expect(results.map(({ thing, status }) => `${thing} ${status}`)).toEqual(expected);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test.each([
  ['The kit', '1.0', 'kit', '1.0', 'unsatisfied'],
  ['@example/kit', 'kit-1.0', 'kit', '1.0', 'unsatisfied'],
  ['com.example:kit', '2.0', 'kit', '2.0', 'satisfied'],
  ['The kits', '1.0', undefined, '1.0', 'not-applicable'],
])(
  'a scan reads the title or package %s %s as %s %s: %s',
  async (name, version, component, own, status) => {
    const body = JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [{ name, version }],
    });

    const answer = await site.scan('/api/scan?policy=supported', typed(body, 'application/json'));

    const [result] = (await answer.json()) as [PolicyScan];
    expect([result.details.component, result.details.version, result.status]).toEqual([
      component,
      own,
      status,
    ]);
  },
);

test('a question about a version of a package is about the version of the component', async () => {
  const question = encodeURIComponent('pkg:npm/%40example/kit@kit-1.0');

  const answer = await site.ask(`/api/answers?question=${question}`);

  expect(await answer.json()).toMatchObject({ component: 'kit', version: '1.0', isListed: true });
});

test('a scan judges by each named policy, and applies exceptions', async () => {
  const exception = {
    package: 'kit',
    versions: '<2',
    policy: 'supported',
    reason: 'A',
    until: '9999-12-31',
  };
  const exceptions = JSON.stringify([exception]);
  const inForm = form({ document: list, exceptions, policy: 'supported,recent' });
  const inQuery = new URLSearchParams({ policy: 'supported', exceptions });

  for (const answer of [
    await site.scan('/api/scan', { body: inForm }),
    await site.scan(`/api/scan?${inQuery}&policy=recent`, typed(list, 'text/plain')),
  ]) {
    const results = (await answer.json()) as PolicyScan[];
    expect(results.slice(0, 4).map(({ policyUri, status }) => `${policyUri} ${status}`)).toEqual([
      '/policies/built-in/supported satisfied',
      '/policies/own/recent unsatisfied',
      '/policies/built-in/supported excepted',
      '/policies/own/recent unknown',
    ]);
  }
});

test.each<[number, string, RequestInit, string?]>([
  [
    400,
    'document: has no items; correct the program that writes it',
    typed('# nothing', 'text/plain'),
  ],
  [
    400,
    'document: line 1: expected name=version or a package URL; got "svc"',
    typed('svc', 'text/plain'),
  ],
  [400, 'document: expected JSON; got ', typed('{', 'application/json')],
  [
    400,
    'document: expected the field document of a form',
    { body: new URLSearchParams({ policy: 'stable' }) },
  ],
  [
    400,
    'x: expected only policy, exceptions; got the field "x"',
    { body: form({ document: list, x: '' }) },
  ],
  [
    400,
    'exceptions: [0].until: expected string; got nothing',
    {
      body: form({
        document: list,
        exceptions: '[{"package": "a", "versions": ["1"], "policy": "a", "reason": "a"}]',
      }),
    },
  ],
  [400, 'exceptions: expected JSON; got ', { body: form({ document: list, exceptions: '[' }) }],
  [400, 'body: expected UTF-8; got other bytes', { body: new Uint8Array([0xff]) }],
  [
    404,
    'There is no policy "suported". Did you mean "supported"?',
    typed(list, 'text/plain'),
    '?policy=suported',
  ],
  [
    413,
    'document: expected at most 20,000 results; use the command',
    typed(Array.from({ length: 20_001 }, (_, index) => `a=${index}`).join('\n'), 'text/plain'),
  ],
  [413, 'body: expected at most 8,000,000 bytes', typed(' '.repeat(8_000_001), 'text/plain')],
  [
    415,
    'body: expected no Content-Encoding; got gzip',
    { body: list, headers: { 'Content-Encoding': 'gzip' } },
  ],
])('rejects with %d: %s', async (status, detail, init, query = '') => {
  const problem = await problemOf(await site.scan(`/api/scan${query}`, init), status);

  expect(problem['detail']).toContain(detail);
});
