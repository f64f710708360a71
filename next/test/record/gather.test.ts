import { expect, test } from 'vitest';
import { Definition } from '../../src/core/schema/definition.ts';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { gatherAll } from '../../src/record/gather.ts';
import { createTestHttp } from '../harness/ask-source.ts';
import { imitatedUpstreams } from '../harness/imitated-upstreams.ts';
import { json, serve, startUpstream, text, type Documents } from '../harness/upstream.ts';

interface DayOfRun {
  recorded: Recorded;
  notes: string[];
  asked: string[];
}

/** What runs of two days record of a component with these sources, and what they ask. */
async function runTwoDays(
  createSources: (url: string) => object[],
  documentsOfDays: ((url: string) => Documents)[],
): Promise<{ days: [DayOfRun, DayOfRun]; definition: Definition }> {
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

  const days: DayOfRun[] = [];
  for (const [index, createDocuments] of documentsOfDays.entries()) {
    documents = createDocuments(url);
    requests.length = 0;
    const http = createTestHttp();
    const recorded = days[0]?.recorded ?? { releases: [] };
    const { gathered } = await gatherAll(
      [{ component: 'agent', definition, recorded, freshness: {} }],
      {
        day: `2026-06-${29 + index}`,
        http,
        signal: new AbortController().signal,
        exploited: [`${url}kev.json`],
      },
    );
    await http.close();
    const { recorded: after, notes } = gathered[0]!;
    // As a file has it.
    days.push({ recorded: JSON.parse(JSON.stringify(after)) as Recorded, notes, asked: asked() });
  }
  return { days: days as [DayOfRun, DayOfRun], definition };
}

test('a quiet second day asks every source for its list, and for the day of no known version', async () => {
  const listed = Array.from({ length: 5 }, (_, index) => ({
    version: `v1.${index}.0`,
    at: `2026-03-0${index + 1}T00:00:00Z`,
  }));
  const remote = Object.values(imitatedUpstreams).filter(
    ({ documents, standsFor }) => documents && !standsFor,
  );
  const createDocuments = (url: string) =>
    Object.assign({}, ...remote.map((each) => each.documents!(listed, url, 100))) as Documents;
  const createSources = (url: string) => remote.map((each) => each.source(url, listed));

  const {
    days: [first, second],
  } = await runTwoDays(createSources, [createDocuments, createDocuments]);

  const lookUps = remote.flatMap(({ lookUp }) =>
    lookUp ? listed.map(({ version }) => lookUp(version)) : [],
  );
  expect(first.notes).toEqual([]);
  expect(first.recorded.releases).toHaveLength(5);
  expect(first.asked).toEqual(expect.arrayContaining(lookUps));
  expect(second.asked.filter((request) => lookUps.includes(request))).toEqual([]);
  // NuGet and Git have two documents, Go has the file with retractions; and the catalogue.
  expect(second.asked).toHaveLength(remote.length + 4);
  expect(second.recorded).toEqual(first.recorded);
});

test('a container tag that moves to a newer version is never recorded', async () => {
  const base = '/v2/example/agent';
  const createDocuments = (images: Record<string, string>): Documents => {
    const manifests = Object.entries(images).map(([tag, letter]) => [
      `${base}/manifests/${tag}`,
      json(
        { config: { digest: 'sha256:c' } },
        { 'docker-content-digest': `sha256:${letter.repeat(64)}` },
      ),
    ]);
    return {
      [`${base}/tags/list?n=1000`]: json({ tags: Object.keys(images) }),
      [`${base}/blobs/sha256:c`]: text('{"created":"2026-06-01T00:00:00Z"}', '*/*'),
      ...(Object.fromEntries(manifests) as Documents),
    };
  };
  const createSources = (registryUrl: string) => [
    { datasource: 'docker', packageName: 'example/agent', registryUrl },
  ];

  const before = { '1': 'a', '1.25': 'a', '1.25.4': 'a' };
  const after = { '1': 'b', '1.25': 'b', '1.25.4': 'a', '1.25.5': 'b' };
  const {
    days: [first, second],
  } = await runTwoDays(createSources, [
    () => createDocuments(before),
    () => createDocuments(after),
  ]);

  const list = ({ recorded }: { recorded: Recorded }) =>
    recorded.releases.map(({ version, republishedOn }) => [version, republishedOn]);
  expect(list(first)).toEqual([['1.25.4', undefined]]);
  expect(list(second)).toEqual([
    ['1.25.4', undefined],
    ['1.25.5', undefined],
  ]);
});

test('a catalogue says that an advisory is exploited, until its source withdraws it', async () => {
  const advisory = {
    id: 'GHSA-1',
    aliases: ['CVE-2026-1'],
    affected: [{ package: { ecosystem: 'npm', name: 'agent' }, versions: ['1.0.0'] }],
  };
  const withdrawn = { ...advisory, withdrawn: '2026-06-30T00:00:00Z' };
  const createDocuments = (vulns: object[]) => (): Documents => ({
    '/agent': json({ versions: { '1.0.0': {} } }),
    '/v1/query': json({ vulns }),
    '/v1/vulns/GHSA-1': json(withdrawn),
    '/kev.json': json({
      vulnerabilities: [
        { cveID: 'CVE-2026-1', dateAdded: '2026-06-01', dueDate: '2026-06-22' },
        { cveID: 'CVE-2026-2', dateAdded: '2026-06-01' },
      ],
    }),
  });
  const createSources = (registryUrl: string) => [
    { datasource: 'npm', packageName: 'agent', registryUrl },
    { datasource: 'osv', registryUrl },
  ];

  const {
    days: [first, second],
    definition,
  } = await runTwoDays(createSources, [createDocuments([advisory]), createDocuments([])]);

  const [component] = judgeAll(
    [{ name: 'agent', definition, recorded: first.recorded }],
    '2026-06-29',
  );
  expect(component!.releases).toMatchObject([
    { advisories: ['GHSA-1'], exploitedSince: '2026-06-01', dueBy: '2026-06-22' },
  ]);
  expect(first.recorded.advisories).toHaveLength(2);
  expect(second.recorded.advisories?.map(({ id }) => id)).toEqual(['CVE-2026-1']);
  expect(second.asked).toContain('GET /v1/vulns/GHSA-1');
});
