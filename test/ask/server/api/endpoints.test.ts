import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../../../src/ask/server/api/router.ts';
import type { DetailsFile } from '../../../../src/core/schemas/published/details-file.ts';
import { findPublishedAt } from '../../../../src/deliver/publish/index-documents.ts';
import { checkout, fixtureDay } from '../../../harness/checkout.ts';
import { run } from '../../../harness/run.ts';
import { copyOfFixtureIndex, definition, writeIn } from '../../../harness/root.ts';
import { recordOn, siteOf } from '../../../harness/site.ts';
import { serveSite, type ServedSite } from '../../../harness/worker.ts';
import { covers } from '../../../harness/covers.ts';
import { problemOf } from './served-packages.ts';

type Found = Record<string, unknown> & { component: string; version: string; availableAt?: string };

let site: ServedSite;
let root: string;
let out: string;

const many = Array.from({ length: 130 }, (_, index) => ({
  version: `1.${index}`,
  firstSeen: index < 100 ? '2026-02-01' : '2026-03-01',
}));

beforeAll(async () => {
  root = copyOfFixtureIndex();
  writeIn(root, 'components/many.json', definition());
  writeIn(root, 'data/many.json', { releases: many.slice(0, 100) });
  await recordOn(root, fixtureDay);
  writeIn(root, 'data/many.json', { releases: many });
  out = siteOf(root);
  site = await serveSite(out);
});

afterAll(() => site.close());

const get = (path: string, init?: RequestInit) => fetch(new URL(path, site.url), init);

function releasesPath(parameters: Readonly<Record<string, string>>): string {
  return `/api/releases?${new URLSearchParams(parameters).toString()}`;
}

async function find(parameters: Readonly<Record<string, string>>): Promise<Found[]> {
  const answer = await get(releasesPath({ maxReleases: '1000', ...parameters }));
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as Found[];
}

/** The result of the command, without fields that depend on the day. */
async function searched(query: string): Promise<Found[]> {
  const { stdout } = await run([
    'search',
    '--json',
    '--root',
    root,
    '--as-of',
    fixtureDay,
    '--',
    query,
  ]);
  const rows = JSON.parse(stdout) as Found[];
  return rows.map((row) => without(row, 'age', 'supportLeft', 'phaseLeft'));
}

const without = (row: Found, ...names: string[]) =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => !names.includes(name)),
  ) as unknown as Found;

const nameOf = ({ component, version }: Found) => `${component} ${version}`;

test.each([
  '',
  'svc isSupported',
  'component:edge-node -isPrerelease',
  'component:svc',
  'policy:term or isWithdrawn',
])('/api/releases finds the same releases as the command for "%s"', async (query) => {
  covers('In dashboards, in the API, in queries of the provenance service');
  const expected = await searched(query);
  const found = await find({ query });

  const byName = new Map(found.map((row) => [nameOf(row), without(row, 'availableAt')]));
  expect(expected.length).toBeGreaterThan(1);
  expect(expected.map((row) => byName.get(nameOf(row)))).toEqual(expected);
  expect(found).toHaveLength(expected.length);
});

test('/api/releases lists unrecorded releases first, then the others by the instant of publication', async () => {
  covers('/api/releases, which is not in the specification, gives an ISO timestamp.');
  const found = await find({});
  const times = found.map(({ availableAt = '' }) => availableAt);

  expect(times).toEqual(times.toSorted());
  expect(times).toContain('');
  const ofMany = found.filter(({ component }) => component === 'many');
  expect(new Set(ofMany.slice(-100).map(({ availableAt }) => availableAt))).toEqual(
    new Set([new Date(findPublishedAt(out)!).toISOString()]),
  );
  const ofOneDay = found
    .filter(({ availableAt }) => availableAt === undefined)
    .map(({ component }) => component);
  expect(ofOneDay).toEqual(ofOneDay.toSorted());
});

test('/api/releases starts at a time, inclusive, in ISO 8601 and in milliseconds', async () => {
  const all = await find({});
  expect(await find({ since: '0' })).toEqual(all);
  const times = new Set(all.flatMap(({ availableAt }) => availableAt ?? []));
  for (const time of times) {
    const expected = all.filter(({ availableAt = '' }) => availableAt >= time);
    expect(await find({ since: time })).toEqual(expected);
    expect(await find({ since: String(Date.parse(time)) })).toEqual(expected);
    const later = all.filter(({ availableAt = '' }) => availableAt > time);
    expect(await find({ since: String(Date.parse(time) + 1) })).toEqual(later);
  }
  expect(times.size).toBeGreaterThan(5);
});

test.each([
  [1, 'component:svc'],
  [7, ''],
  [50, '-isDeprecated'],
])('/api/releases in pages of %i holds each release once', async (maxReleases, query) => {
  const pages: Found[][] = [];
  let next: string | undefined = releasesPath({ query, maxReleases: String(maxReleases) });
  while (next !== undefined) {
    const answer: Response = await get(next);
    pages.push((await answer.json()) as Found[]);
    next = /^<https:\/\/releases\.example\.com(\/.+)>; rel="next"$/.exec(
      answer.headers.get('link') ?? '',
    )?.[1];
  }

  expect(pages.flat()).toEqual(await find({ query }));
  expect(pages.slice(0, -1).every((page) => page.length === maxReleases)).toBe(true);
  expect(pages.length).toBeGreaterThan(2);
});

test('/api/releases links to the address of the index, with any host in the request', async () => {
  const answer = await site.fetch(`http://evil.example${releasesPath({ maxReleases: '1' })}`);

  expect(answer.headers.get('link')).toMatch(/^<https:\/\/releases\.example\.com\/api\/releases\?/);
});

test('/api/releases gives 100 releases by default, and no link after the last page', async () => {
  const answer = await get('/api/releases');
  expect(await answer.json()).toEqual((await find({})).slice(0, 100));
  expect(answer.headers.get('link')).not.toBeNull();
  expect((await get('/api/releases?maxReleases=1000')).headers.get('link')).toBeNull();
  expect(await (await get('/api/releases?query=component:nothing')).text()).toBe('[]\n');
});

test('/api/releases does not let clients cache an answer: each has states, which depend on the day', async () => {
  const answer = await get(releasesPath({ query: 'component:svc releaseTimestamp:>2025-01-31' }));

  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('etag')).toBeNull();
  const [release] = (await answer.json()) as Found[];
  expect(release).toHaveProperty('state');
  expect(release).not.toHaveProperty('age');
});

test('/api/builds lets clients cache the answer for an hour, unless a query may name a day by its distance from today', async () => {
  const answer = await get('/api/builds');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');

  const etag = answer.headers.get('etag')!;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*', '"other"']) {
    const again = await get('/api/builds', { headers: { 'If-None-Match': known } });
    expect(again.status, known).toBe(known === '"other"' ? 200 : 304);
    expect(again.headers.get('etag')).toBe(etag);
  }

  const selected = await get('/api/builds?query=buildTool:npm');
  expect(selected.headers.get('cache-control')).toBe('no-store');
});

test('/api/releases has age and supportLeft only if the query has them', async () => {
  const [release] = await find({ query: 'component:svc version:2025.1 age:*' });

  expect(release).toMatchObject({ age: expect.stringMatching(/^P\d+D/) as string });
});

test.each([
  ['isLatst:true', 1, 'the name of a field (did you mean isLatest?)'],
  ['svc releaseTimestamp:2026-02-30', 22, /^a day that exists/],
  ['('.repeat(60), 51, 'at most 50 levels of parentheses and negation'],
  ['x'.repeat(2001), 2001, 'at most 2,000 characters'],
])(
  '/api/releases rejects the query %#, with the position and the expected text',
  async (query, position, expected) => {
    const document = await problemOf(await get(releasesPath({ query })), 400);

    expect(document).toMatchObject({ parameter: 'query', position, status: 400 });
    expect(document['expected']).toEqual(
      typeof expected === 'string' ? expected : (expect.stringMatching(expected) as string),
    );
  },
);

test.each([
  ['?maxReleases=0', 'maxReleases: expected a whole number from 1 to 1,000; got "0"'],
  ['?maxReleases=1001', 'maxReleases: expected a whole number from 1 to 1,000; got "1001"'],
  ['?since=yesterday', /^since: expected a time up to now in ISO 8601, .*; got "yesterday"$/],
  ['?since=2026-02-30', /^since: expected a time up to now in ISO 8601/],
  ['?since=2026', /^since: expected .* in milliseconds since 1970 \(0, or at least 12 digits\)/],
  ['?since=20260131', /^since: expected a time up to now in ISO 8601, .*; got "20260131"$/],
  ['?since=1769817600', /^since: expected a time up to now in ISO 8601/],
  ['?after=x', 'after: expected the value in a link to the next page; got "x"'],
  ['?after=0/svc/no version', /^after: /],
  ['?query=svc&query=svcctl', 'query: expected this parameter once; got it repeatedly'],
  ['?max=1', 'max: expected only query, since, maxReleases, after; got the parameter "max"'],
  ['?__proto__=1', /^__proto__: expected only query/],
])('/api/releases rejects %s with the expected value', async (parameters, detail) => {
  const document = await problemOf(await get(`/api/releases${parameters}`), 400);

  expect(document['detail']).toEqual(
    typeof detail === 'string' ? detail : (expect.stringMatching(detail) as string),
  );
});

test('files are public, and valid for an hour', async () => {
  covers(
    'Three GETs, no credential',
    'Release index public',
    'One-hour cache',
    'A public index needs none.',
  );
  for (const path of ['/index.json', '/all.json', '/svc.json']) {
    const { status, headers } = await get(path);
    expect([status, headers.get('cache-control')], path).toEqual([200, 'public, max-age=3600']);
  }
});

test('/api/components lists all components with their freshness', async () => {
  const all = (await (await get('/api/components')).json()) as Found[];
  const names = (await (await get('/index.json')).json()) as string[];
  const { components } = (await (await get('/status.json')).json()) as {
    components: Record<string, object>;
  };

  expect(all.map(({ component }) => component)).toEqual(names);
  for (const { component, status } of all) {
    expect(status).toEqual(components[component]);
  }
  expect(all.find(({ component }) => component === 'svc')).toMatchObject({
    title: 'Server',
    policy: 'term',
    datasource: ['page', 'helm'],
  });
});

test('/api/components has the details of a component without its releases', async () => {
  const { status, ...found } = (await (await get('/api/components/svc')).json()) as Record<
    string,
    unknown
  >;
  const answer = (await (await get('/details/svc.json')).json()) as DetailsFile;
  const { releases, onBuildDay, lines, sources: _, ...details } = answer;

  expect(releases).toHaveLength((status as { releases: number }).releases);
  expect(found).toMatchObject({ ...details, ...onBuildDay, lines });
  expect(found['lines']).toContainEqual(
    expect.objectContaining({ line: '2025.1', state: 'ended', isSupported: false }),
  );
});

test('/api/components answers a question with a verdict, a list, or clearer questions', async () => {
  const ask = async (question: string) =>
    (await get(`/api/answers?question=${encodeURIComponent(question)}`)).json();

  expect(await ask('what ends in Q1 2027?')).toMatchObject([
    { component: 'svc', version: '2025.2' },
    { version: '1.1' },
    { version: '2025.3' },
  ]);
  expect(await ask('is the Server 2025.1 still supported?')).toMatchObject({
    ...{ component: 'svc', version: '2025.1', isListed: true },
  });
  expect(await ask('build')).toMatchObject({
    status: 404,
    didYouMean: ['build-agent', 'build-cache-node'],
  });
});

test('the answer to a question has at most 100 releases, and says how many there are', async () => {
  const all = await get('/api/releases?query=version:*&maxReleases=1000');
  const answer = await get('/api/answers?question=version:*');

  const total = ((await all.json()) as unknown[]).length;
  const releases = (await answer.json()) as object[];
  expect(releases).toHaveLength(Math.min(total, 100));
  expect(releases.some((release) => 'age' in release)).toBe(true);
  expect(releases.some((release) => 'availableAt' in release)).toBe(false);
  expect(answer.headers.get('release-index-total')).toBe(String(total));
});

test.each([
  ['', 400, 'question: expected a question of at most 500 characters; got nothing'],
  ['?question=', 400, 'question: expected a question of at most 500 characters; got ""'],
  ['?question=%20', 400, 'question: expected a question of at most 500 characters; got " "'],
  [`?question=${'a'.repeat(501)}`, 400, 'question: expected at most 500 characters; got 501'],
  // Each of these characters is two code units.
  [`?question=${encodeURIComponent('😀'.repeat(300))}`, 404, /names no component of this index/],
])('/api/answers%.12s is answered with %i', async (parameters, status, detail) => {
  const document = await problemOf(await get(`/api/answers${parameters}`), status);

  expect(document['detail']).toEqual(
    typeof detail === 'string' ? detail : (expect.stringMatching(detail) as string),
  );
});

test('a wrong query as a question has its position', async () => {
  expect(await problemOf(await get('/api/answers?question=component:'), 400)).toMatchObject({
    parameter: 'question',
    position: 11,
  });
});

test('an index without own policies says so', async () => {
  expect(await problemOf(await get('/policies/own/supported'), 404)).toMatchObject({
    detail: 'There is no policy "supported". There are none.',
  });
});

test('a note about a question has one line of ASCII, in which other characters are question marks', async () => {
  const question = encodeURIComponent('component:"a\r\nż\u0007b"');

  const answer = await get(`/api/answers?question=${question}`);

  expect([answer.status, answer.headers.get('release-index-note')]).toEqual([
    200,
    'Nothing matches component:"a ? b".',
  ]);
});

const noVersion =
  'version: expected a version such as 2025.3, without white space and control characters; got';
test.each([
  [404, 'nothing', '"nothing" names no component of this index. The index has 8 components.'],
  [404, '__proto__', '"__proto__" names no component of this index. The index has 8 components.'],
  [
    404,
    '..%2f..%2fstatus',
    '"../../status" names no component of this index. The index has 8 components.',
  ],
  [404, '%00', String.raw`"\u0000" names no component of this index. The index has 8 components.`],
  [
    ...[404, 'svk/releases/2025.2'],
    '"svk" names no component of this index. Did you mean "svc"? The index has 8 components.',
  ],
  [
    ...[404, 'control/releases/1.18'],
    '"control" names no component of this index. The index has 8 components.',
  ],
  [404, 'svc@2025.1', '"svc@2025.1" names no component of this index. Did you mean "svc"?'],
  [
    ...[404, encodeURIComponent('pkg:npm/%40example/edge-node@2.0.1')],
    '"pkg:npm/%40example/edge-node@2.0.1" names no component of this index. Did you mean "edge-node"?',
  ],
  [400, 'x'.repeat(201), 'component: expected at most 200 characters; got 201'],
  [400, `svc/releases/${'1'.repeat(5000)}`, 'version: expected at most 200 characters; got 5,000'],
  [400, 'svc?x=1', 'x: expected no parameters; got the parameter "x"'],
  [400, 'svc/releases/2025.1%1B', String.raw`${noVersion} "2025.1\u001b"`],
  [400, 'svc/releases/2025.1?x', 'x: expected only with; got the parameter "x"'],
  [400, 'svc/releases/2025.1%2f..', 'version: expected a version such as 2025.3; got "2025.1/.."'],
  [400, 'svc/releases/__proto__', 'version: expected a version such as 2025.3; got "__proto__"'],
] as [number, string, string][])(
  '/api/components answers %i for /%s, and never guesses',
  async (status, path, detail) => {
    covers('Errors are application/problem+json');
    expect(await problemOf(await get(`/api/components/${path}`), status)).toMatchObject({ detail });
  },
);

const addresses = endpoints
  .flatMap(({ example }) => example ?? [])
  // Endpoints for packages have their own tests.
  .filter((example) => !example.startsWith('/packages/'))
  .map((example) =>
    example
      .replaceAll('{component}', 'svc')
      .replace('{version}', '2026.3')
      .replace('{change}', 'svc%2F1')
      .replace('{build}', 'k3v8b5n0w6r2d'),
  );

test.each(addresses)(
  '%s answers HEAD like GET, preflights of any origin, and no other method',
  async (address) => {
    const headers = { 'Accept-Encoding': 'identity' };
    const answer = await get(address, { headers });
    const head = await get(address, { method: 'HEAD', headers });
    const preflight = await get(address, {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.com' },
    });

    expect(answer.status, await answer.text()).toBe(200);
    expect(answer.headers.get('access-control-expose-headers')).toContain('Link');
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of [
      'content-type',
      'cache-control',
      'etag',
      'link',
      'access-control-allow-origin',
    ]) {
      expect(head.headers.get(name), name).toBe(answer.headers.get(name));
    }
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': expect.stringContaining('If-None-Match') as string,
    });
    for (const method of ['POST', 'DELETE']) {
      const refused = await get(address, { method });
      expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      await problemOf(refused, 405);
    }
  },
);

test.each(['/api', '/api/releases/', '/api/nothing', '/api/components/%', '//api/releases'])(
  '%s is a usual 404',
  async (path) => {
    expect(await problemOf(await site.fetch(new URL(site.url).origin + path), 404)).toMatchObject({
      detail: expect.stringContaining('There is no such file.') as string,
    });
    const page = await site.fetch(new URL(site.url).origin + path, {
      headers: { Accept: 'text/html' },
    });
    expect(page.headers.get('content-type')).toContain('text/html');
  },
);

const requestsOfSetup = readFileSync(join(checkout, '.github/SETUP.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('curl ') && line.includes('https://releases.example.com/'));

test.each<[part: string, answer: object]>([
  ['query=', { isLatestOfLine: true, supportLeft: expect.any(String) as string }],
  ['/policy-scans/', { status: 'unsatisfied', details: { component: 'svc', version: '2025.1' } }],
  ['?since=', { availableAt: expect.stringMatching(/^202[6-9]-/) as string }],
])('the request of the page about setup for %s has an answer', async (part, answer) => {
  const [request = '', ...others] = requestsOfSetup.filter((line) => line.includes(part));

  const { stdout } = await promisify(execFile)('sh', [
    ...['-c', request.replace('https://releases.example.com/', site.url)],
  ]);

  expect([requestsOfSetup.length, others]).toEqual([3, []]);
  const found = JSON.parse(stdout) as object[];
  expect(found.length).toBeGreaterThan(0);
  for (const each of found) {
    expect(each).toMatchObject(answer);
  }
});
