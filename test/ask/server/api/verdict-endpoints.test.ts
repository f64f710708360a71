import { beforeAll, expect, test } from 'vitest';
import type { Plan } from '../../../../src/core/schemas/published/plan-answer.ts';
import { openIndex } from '../../../../src/ask/answers/published-index.ts';
import { apiOf } from '../../../harness/api.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';

let get: ReturnType<typeof apiOf>;

beforeAll(() => {
  get = apiOf(siteOfFixtureIndex());
});

test('a plan is answered for names, aliases and package URLs, with what could not be read', async () => {
  const purl = encodeURIComponent('pkg:npm/%40example/edge-node@1.0.0');
  const response = await get(
    `/api/plan?with=svc@2025.1&with=${purl}&with=nothing@1.0&with=sv@2025.1`,
  );
  const plan = (await response.json()) as Plan;

  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(plan.items.map(({ line, component, version }) => [line, component, version])).toEqual([
    [1, 'svc', '2025.1'],
    [2, 'edge-node', '1.0.0'],
  ]);
  expect(plan.steps).toContainEqual(expect.objectContaining({ component: 'svc', reason: 'ended' }));
  expect(plan.notRead.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'unknown'],
    [4, 'unknown'],
  ]);
});

test.each([
  ['version: 2025.1', 'name: svc', ['unknown', 'no-version']],
  ['name: svc', 'version: 2025.1', ['no-version', 'unknown']],
  ['TAG=1.20', 'example/svcctl:${TAG}', ['unknown', 'no-version']],
  ['svc (prod)', 'svc 2025.1', ['no-version']],
])('a text of a plan is read apart from the next: %s', async (first, second, reasons) => {
  const response = await get(
    `/api/plan?with=${first}&with=${encodeURIComponent(second)}&with=edge-node@1.0.0`,
  );
  const plan = (await response.json()) as Plan;

  expect(plan.items.map(({ line }) => line)).toContain(3);
  expect(plan.notRead.map(({ reason }) => reason)).toEqual(reasons);
});

test('a text of several lines is one text of a plan', async () => {
  const text = encodeURIComponent('name: svc\nversion: 2025.1');
  const response = await get(`/api/plan?with=${text}&with=edge-node@1.0.0&with=${text}`);
  const { items, notRead } = (await response.json()) as Plan;

  expect(items.map(({ line, component }) => [line, component])).toEqual([
    [1, 'svc'],
    [3, 'edge-node'],
  ]);
  expect(notRead).toEqual([]);
});

test.each<[string, [number, string][]]>([
  ['services:\n- name: svc\n  version: 2025.1', []],
  ['image: example/svcctl\ntag: 1.20', []],
  ['# Production\nsvc 2025.1', []],
  [
    'svc 2025.1\npkg:npm/a@1.0 pkg:npm/b@2.0',
    [
      [2, 'pkg:npm/a@1.0'],
      [2, 'pkg:npm/b@2.0'],
    ],
  ],
  [
    'pkg:npm/nothing@1.0\nsvc 2025.1\n\n  redis 7.2',
    [
      [1, 'pkg:npm/nothing@1.0'],
      [4, 'redis 7.2'],
    ],
  ],
])('a plan lists the lines of a text that name nothing of the index: %j', async (text, unknown) => {
  const response = await get(`/api/plan?with=${encodeURIComponent(text)}`);
  const { items, notRead } = (await response.json()) as Plan;

  expect(items).toHaveLength(1);
  expect(notRead).toEqual(unknown.map(([line, text]) => ({ line, text, reason: 'unknown' })));
});

test('a plan says how many further lines of a text name nothing of the index', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `redis-${index} 7.2`);
  const text = encodeURIComponent(['svc 2025.1', ...lines].join('\n'));
  const { notRead, notes } = (await (await get(`/api/plan?with=${text}`)).json()) as Plan;

  expect(notRead).toHaveLength(50);
  expect(notes).toContainEqual('10 other lines name nothing of this index.');
});

test('an empty line of a text of a plan is no version', async () => {
  const text = encodeURIComponent('svc@2025.1\n\nedge-node@1.0.0\nnothing@1.0');
  const plan = (await (await get(`/api/plan?with=${text}`)).json()) as Plan;

  expect(plan.items.map(({ line }) => line)).toEqual([1, 3]);
  expect(plan.notRead).toEqual([{ line: 4, text: 'nothing@1.0', reason: 'unknown' }]);
});

test('a component with a version in its name has no second version', async () => {
  const response = await get('/api/components/svc@2025.1/releases/2026.3');

  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ didYouMean: ['svc'] });
});

test('each version that names nothing of the index is listed, however many there are, and none twice', async () => {
  const unknown = Array.from({ length: 60 }, (_, index) => `nothing-${index}@1.0`);
  const given = ['svc@2025.1', 'nothing', 'pkg:npm/nothing@1.0', ...unknown, 'svc@2025.1'];

  const response = await get(`/api/plan?with=${given.join('&with=')}`);
  const { items, notRead } = (await response.json()) as Plan;

  expect(items.map(({ component }) => component)).toEqual(['svc']);
  expect(notRead.map(({ line, text, reason }) => [line, text, reason])).toEqual(
    given.slice(1, -1).map((text, index) => [index + 2, text, 'unknown']),
  );
});

test.each([
  ['/api/plan', 'with: expected'],
  ['/api/plan?with=,', 'with: expected components with versions, such as svc@2025.1; got none'],
  [
    `/api/plan?${Array.from({ length: 101 }, (_, index) => `with=svc@${index}`).join('&')}`,
    'at most 100 different versions; got 101',
  ],
  ['/api/plan?with=svc@2025.1&other=1', 'other'],
  ['/api/components/svc/releases/2025.1?with=edge-node', 'expected a component with a version'],
])('a wrong request says what is right: %#', async (path, expected) => {
  const response = await get(path);

  expect(response.status).toBe(400);
  expect(await response.text()).toContain(expected);
});

test('a version that is listed 101 times is one', async () => {
  const response = await get(`/api/plan?with=${Array(101).fill('svc@2025.1').join(',')}`);

  expect(response.status).toBe(200);
  expect(((await response.json()) as Plan).items).toHaveLength(1);
});

test('the header of a long answer has the start of its notes, and always that the index is old', async () => {
  const components: Record<string, object> = {};
  for (let number = 100; number < 200; number += 1) {
    const releases = [{ version: '1.0', advisories: ['CVE-2026-1'] }];
    components[`svc-${number}`] = {
      title: `Server ${number}`,
      watchesAdvisories: true,
      lines: [{ line: '1', releases: [...releases, { version: '1.1' }] }],
    };
  }
  const states = Object.fromEntries(Object.keys(components).map((name) => [name, { title: name }]));
  const files: Readonly<Record<string, object>> = {
    'status.json': { asOf: '2026-11-01', staleAfterDays: 3, components: states },
    'search.json': { components },
  };
  const read = async (path: string) => files[path] && JSON.stringify(files[path]);
  const get = apiOf('', openIndex({ read }, { today: () => '2026-11-26' }));
  const answer = await get('/api/answers?question=advisory:CVE-2026-1');
  const note = answer.headers.get('release-index-note')!;

  expect([answer.status, answer.headers.get('release-index-total')]).toEqual([200, '100']);
  expect(note).toMatch(/^Server 100 1\.1 is the first /);
  expect(note).toMatch(/last updated on 2026-11-01; newer releases may be missing\.$/);
  expect(note.length).toBeLessThan(2200);
});
