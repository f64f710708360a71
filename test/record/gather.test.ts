import { expect, test } from 'vitest';
import { openGathering } from '../harness/gathering.ts';
import { imitatedUpstreams } from '../harness/imitated-upstreams.ts';
import { digestOf, sha256 } from '../harness/imitation.ts';
import { subjectOf } from '../harness/judging.ts';
import { enterProject } from '../harness/npm-project.ts';
import { json, reply, serve, startUpstream, type Documents } from '../harness/upstream.ts';

test('on a day without new releases, gather asks each source only for its list', async () => {
  const listed = Array.from({ length: 5 }, (_, index) => ({
    version: `v1.${index}.0`,
    at: `2026-03-0${index + 1}T00:00:00Z`,
  }));
  const remote = Object.values(imitatedUpstreams).filter(
    ({ documents, standsFor }) => documents && !standsFor,
  );
  const { url, gather } = await openGathering((url) =>
    remote.map((each) => each.source(url, listed)),
  );
  const documents = Object.assign(
    {},
    ...remote.map((each) => each.documents!(listed, url, 100)),
  ) as Documents;

  const first = await gather(documents);
  const second = await gather(documents);

  const lookUps = remote.flatMap(({ lookUp }) =>
    lookUp ? listed.map(({ version }) => lookUp(version)) : [],
  );
  expect(first.notes).toEqual([]);
  expect(first.recorded.releases).toHaveLength(5);
  expect(first.asked).toEqual(expect.arrayContaining(lookUps));
  expect(second.asked.filter((request) => lookUps.includes(request))).toEqual([]);
  // NuGet's list is in two documents, and Go has a second file with retractions.
  expect(second.asked).toHaveLength(remote.length + 2);
  expect(second.recorded).toEqual(first.recorded);
});

const npm = (registryUrl?: string) => ({ datasource: 'npm', packageName: 'agent', registryUrl });
const ends = (product: string, registryUrl: string) => ({
  policy: 'stated',
  source: { datasource: 'endoflife-date', product, registryUrl },
});

test('after the time limit of a run, gather postpones components instead of failing', async () => {
  const late = AbortSignal.abort(new DOMException('too late.', 'TimeoutError'));
  const { gather } = await openGathering(() => [npm()]);

  expect(await gather({}, late)).toMatchObject({
    asked: [],
    bugs: [],
    failed: [],
    postponed: [{ reason: 'a run ends after 20 minutes' }],
    freshness: { 'npm:agent': { leftSince: '2026-06-29' } },
  });
});

test.each<[edit: string, edited: (url: string) => object, first: string[], hasFirstEnds: boolean]>([
  ['nothing', () => ({}), [], false],
  ['the title', () => ({ title: 'Other' }), [], false],
  ['"prereleases"', () => ({ prereleases: true }), ['npm'], false],
  [
    '"allowedVersions" of a source',
    (url) => ({ sources: [{ ...npm(url), allowedVersions: '<9' }] }),
    ['npm'],
    false,
  ],
  [
    'a second source',
    (url) => ({ sources: [npm(url), { datasource: 'json', url: `${url}list.json` }] }),
    ['json'],
    false,
  ],
  ['the source of ends', (url) => ({ support: ends('other', url) }), ['endoflife-date'], true],
])(
  'after an edit of %s, gather treats only the answers of new or edited sources as first answers',
  async (_, edit, first, hasFirstEnds) => {
    const { url, state, gather } = await openGathering(
      (registryUrl) => [npm(registryUrl)],
      [],
      (registryUrl) => ends('agent', registryUrl),
    );
    const lines = json({
      result: { releases: [{ name: '1.0', isEol: false, eolFrom: '2029-01-01' }] },
    });
    const documents = {
      '/agent': json({ versions: { '1.0.0': {} } }),
      '/list.json': json({ releases: [{ version: '1.0.0' }] }),
      '/v1/products/agent': lines,
      '/v1/products/other': lines,
    };
    const started = await gather(documents);
    expect(started).toMatchObject({ failed: [], hasFirstEnds: true });

    state.definition = subjectOf([], { ...state.definition, ...edit(url) }).definition;
    const edited = await gather(documents);

    expect(edited.failed).toEqual([]);
    expect(Array.from(edited.firstAnswers, (id) => id.split(':')[0])).toEqual(first);
    expect(edited.hasFirstEnds).toBe(hasFirstEnds);
  },
);

test.each<[title: string, status: number, source: (old: string) => object, movedTo?: string]>([
  ['a list', 301, (old) => ({ datasource: 'json', url: `${old}list.json` }), 'list.json'],
  ['a registry', 308, npm, 'agent'],
  ['a registry', 302, npm],
  ['a registry', 307, npm],
])(
  'gather records a new address only for a permanent redirect: %s answers %i',
  async (_, status, source, movedTo) => {
    let target = '';
    const old = await startUpstream(() => (request, response) => {
      reply(status, { location: `${target}${request.url!.slice(1)}?token=secret` })(
        request,
        response,
      );
    });
    const { url, gather } = await openGathering(() => [source(old.url)]);
    target = url;
    const documents = {
      '/list.json?token=secret': json({ releases: [{ version: '1.0.0' }] }),
      '/agent?token=secret': json({ versions: { '1.0.0': {} } }),
    };

    const { failed, freshness } = await gather(documents);

    expect(failed).toEqual([]);
    const address = movedTo && `${url}${movedTo}`;
    expect(Object.values(freshness).map((each) => each.movedTo)).toEqual([address]);
  },
);

test('gather reports a renamed repository, but not a redirect inside an npm registry', async () => {
  const server = await startUpstream((url) => (request, response) => {
    const move = (path: string) => reply(301, { location: `${url}${path}` })(request, response);
    const path = request.url!;
    if (path.startsWith('/new')) {
      const isNpm = path === '/new/agent';
      const document = isNpm ? json({ versions: { '1.0.0': {} } }) : json([{ tag_name: '1.0.0' }]);
      serve({ [path]: document })(request, response);
    } else {
      move(path === '/agent' ? 'new/agent' : 'new/1');
    }
  });
  const github = { datasource: 'github-releases', packageName: 'old/agent' };
  const { gather } = await openGathering(() => [
    npm(server.url),
    { ...github, registryUrl: server.url },
  ]);

  const { failed, freshness } = await gather();

  expect(failed).toEqual([]);
  expect(Object.values(freshness).map((each) => each.movedTo)).toEqual([
    undefined,
    `${server.url}new/1`,
  ]);
});

test('the failure of a source names an unset variable of .npmrc', async () => {
  enterProject('registry=https://${UNSET_X}/');
  const { gather } = await openGathering(() => [npm()]);

  const failed = [{ reason: expect.stringContaining('${UNSET_X}') }];
  expect(await gather()).toMatchObject({ failed, bugs: [] });
});

test('gather asks once more for the unknown date of a recorded release', async () => {
  const listed = [{ version: '1.0.0', at: '2026-03-01T00:00:00Z' }, { version: '1.1.0' }];
  const observed = { releaseTimestamp: '2026-05-01', timestampKind: 'observed' as const };
  const maven = imitatedUpstreams['maven']!;
  const component = await openGathering(
    (url) => [maven.source(url, listed)],
    listed.map(({ version }) => ({ version, ...observed, sources: [] })),
  );

  const documents = maven.documents!(listed, component.url, 100);
  const first = await component.gather(documents);
  const second = await component.gather(documents);

  const lookUps = listed.map(({ version }) => maven.lookUp!(version));
  expect(first.asked).toEqual(expect.arrayContaining(lookUps));
  expect(second.asked.filter((request) => lookUps.includes(request))).toEqual([]);
  expect(second.recorded.releases).toMatchObject([
    { releaseTimestamp: '2026-03-01T00:00:00Z', timestampKind: 'published' },
    observed,
  ]);
});

test('if only one source has the key digestOf, gather records the digest from that source', async () => {
  const source = { datasource: 'github-releases', packageName: 'example/agent', digestOf: '^b' };
  const { gather } = await openGathering((registryUrl) => [
    { datasource: 'static', releases: [{ version: '1.0', digest: digestOf('a') }] },
    { ...source, registryUrl },
  ]);
  const assets = [{ name: 'b', digest: sha256('b') }];
  const documents = {
    '/repos/example/agent/releases?per_page=100': json([{ tag_name: '1.0', assets }]),
  };

  await gather(documents);
  // Upstream may add a second file to a release on the next day. So a digest is recorded only on the second day.
  expect((await gather(documents)).recorded.releases).toMatchObject([{ digest: sha256('b') }]);
});
