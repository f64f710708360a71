import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { Definition } from '../../src/core/schema/definition.ts';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import { gatherAll, gatherComponent } from '../../src/record/gather.ts';
import { createTestHttp } from '../harness/ask-source.ts';
import { enterProject } from '../harness/npm-project.ts';
import { imitatedUpstreams } from '../harness/imitated-upstreams.ts';
import { json, serve, startUpstream, text, type Documents } from '../harness/upstream.ts';

/** The component `agent` with these sources, which is gathered on two days. */
async function openComponent(
  createSources: (url: string) => object[],
  before: Recorded['releases'] = [],
) {
  let documents: Documents = {};
  const { url, requests, asked } = await startUpstream(() => (request, response) => {
    serve(documents)(request, response);
  });
  const definition = Definition.parse({
    title: 'Agent',
    homepage: 'https://a.example/',
    changelogUrl: 'https://a.example/',
    sources: createSources(url),
  });
  let recorded: Recorded = { releases: before };
  let day = '2026-06-28';

  return {
    url,
    /** What a run of the next day records, and what it asks. */
    async gather(upstream: Documents) {
      documents = upstream;
      day = addDays(day, 1);
      requests.length = 0;
      const http = createTestHttp();
      const input = { component: 'agent', definition, recorded, freshness: {} };
      const { signal } = new AbortController();
      const run = { day, http, root: '', signal, exploited: [`${url}kev.json`] };
      const [gathered] = (await gatherAll([input], run)).gathered;
      await http.close();
      // As a file has it.
      recorded = JSON.parse(JSON.stringify(gathered!.recorded)) as Recorded;
      return { recorded, notes: gathered!.notes, asked: asked() };
    },
  };
}

test('a quiet second day asks every source for its list, and for the day of no known version', async () => {
  const listed = Array.from({ length: 5 }, (_, index) => ({
    version: `v1.${index}.0`,
    at: `2026-03-0${index + 1}T00:00:00Z`,
  }));
  const remote = Object.values(imitatedUpstreams).filter(
    ({ documents, standsFor }) => documents && !standsFor,
  );
  const { url, gather } = await openComponent((url) =>
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
  // NuGet has two documents, Go has the file with retractions; and the catalogue.
  expect(second.asked).toHaveLength(remote.length + 3);
  expect(second.recorded).toEqual(first.recorded);
});

const page = 'https://a.example/';

/** Asks this source for a component. */
async function gatherFrom(source: object, signal = new AbortController().signal) {
  const facts = { title: 'Agent', homepage: page, changelogUrl: page, sources: [source] };
  const definition = Definition.parse(facts);
  const http = createTestHttp();
  const input = { component: 'agent', definition, recorded: { releases: [] }, freshness: {} };
  const gathered = await gatherComponent(input, { day: '2026-06-30', http, root: '', signal });
  await http.close();
  return gathered;
}

const npm = { datasource: 'npm', packageName: 'agent' };

test('the limit of a run binds a component whose turn comes after it', async () => {
  const { url: registryUrl, asked } = await startUpstream(() => serve({}));
  const late = AbortSignal.abort(new DOMException('too late', 'TimeoutError'));
  const { notes, bugs } = await gatherFrom({ ...npm, registryUrl }, late);

  expect(asked()).toEqual([]);
  expect({ notes: notes.join(), bugs }).toEqual({
    notes: expect.stringContaining('too late. '),
    bugs: [],
  });
});

test.each(['//npm.example.com/:_authToken=${UNSET_X}', 'registry=https://${UNSET_X}/'])(
  'an unset variable in the .npmrc %j is a failure that names it',
  async (npmrc) => {
    enterProject(npmrc);
    const { notes, bugs } = await gatherFrom(npm);

    expect({ notes, bugs }).toEqual({ notes: [expect.stringContaining('${UNSET_X}')], bugs: [] });
  },
);

test('a failure that ends with advice is one sentence with what follows', async () => {
  const { url: registryUrl } = await startUpstream(() => (_, response) => {
    response.writeHead(401).end();
  });
  const { notes } = await gatherFrom({ ...npm, registryUrl });

  expect(notes).toEqual([expect.stringMatching(/gives access\. Recorded data stays\.$/)]);
});

test('the day of a release that others recorded as observed is asked for once', async () => {
  const listed = [{ version: '1.0.0', at: '2026-03-01T00:00:00Z' }, { version: '1.1.0' }];
  const observed = { releaseTimestamp: '2026-05-01', timestampKind: 'observed' as const };
  const maven = imitatedUpstreams['maven']!;
  const component = await openComponent(
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

test('a container tag that moves to a newer version is never recorded', async () => {
  const base = '/v2/example/agent';
  const createDocuments = (images: Record<string, string>): Documents => {
    const config = { digest: 'sha256:c' };
    const manifests = Object.entries(images).map(([tag, letter]) => [
      `${base}/manifests/${tag}`,
      json({ config }, { 'docker-content-digest': `sha256:${letter.repeat(64)}` }),
    ]);
    return {
      [`${base}/tags/list?n=1000`]: json({ tags: Object.keys(images) }),
      [`${base}/blobs/sha256:c`]: text('{"created":"2026-06-01T00:00:00Z"}', '*/*'),
      ...(Object.fromEntries(manifests) as Documents),
    };
  };
  const { gather } = await openComponent((registryUrl) => [
    { datasource: 'docker', packageName: 'example/agent', registryUrl },
  ]);

  await gather(createDocuments({ '1': 'a', '1.25': 'a', '1.25.4': 'a', '1.25.3': 'b' }));
  // One still has the bytes of a version that is no longer listed.
  const second = createDocuments({ '1': 'c', '1.25': 'a', '1.25.5': 'c', '1.25.3': 'b' });

  const { recorded } = await gather(second);
  expect(recorded.releases.map(({ version, republishedOn }) => [version, republishedOn])).toEqual([
    ['1.25.3', undefined],
    ['1.25.4', undefined],
    ['1.25.5', undefined],
  ]);
});

test('advisories on the package of another source stay until their source withdraws them', async () => {
  const advisory = {
    id: 'GHSA-1',
    affected: [{ package: { ecosystem: 'npm', name: 'agent' }, versions: ['1.0.0'] }],
  };
  const { gather } = await openComponent((registryUrl) => [
    { datasource: 'npm', packageName: 'agent', registryUrl },
    { datasource: 'osv', registryUrl },
  ]);
  const createDocuments = (...vulns: object[]): Documents => ({
    '/agent': json({ versions: { '1.0.0': {} } }),
    '/v1/query': json({ vulns }),
    '/v1/vulns/GHSA-1': json({ ...advisory, withdrawn: '2026-06-30T00:00:00Z' }),
  });

  const first = await gather(createDocuments(advisory));
  const second = await gather(createDocuments());

  expect(first.recorded.advisories?.map(({ id }) => id)).toEqual(['GHSA-1']);
  expect(second.recorded.advisories).toEqual([]);
});
