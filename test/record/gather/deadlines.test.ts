import { expect, test } from 'vitest';
import { expectFailed } from '../../harness/expectations.ts';
import { known, news, run } from '../../harness/gathering.ts';
import { imitatedUpstreams } from '../../harness/imitated-upstreams.ts';
import { answer, serve } from '../../harness/upstream.ts';

const maven = imitatedUpstreams.maven[0]!;
const ociRegistry = imitatedUpstreams.docker[1]!;
const npm = imitatedUpstreams.npm[0]!;
const helm = imitatedUpstreams.helm[0]!;
const githubTags = imitatedUpstreams['github-tags'][0]!;
const githubReleases = imitatedUpstreams['github-releases'][0]!;

test('a list that goes on for ever is cut where the time of its source is over', async () => {
  let pages = 0;

  const outcome = await run(githubTags, {
    budgets: { sourceMs: 400 },
    handler: () => (_request, response) => {
      pages += 1;
      response.setHeader('link', `</api/repos/example/agent/tags?page=${pages}>; rel="next"`);
      answer(response, 200, 'application/json', `[{"name":"1.${pages}","commit":{"sha":"c0"}}]`);
    },
  });

  expectFailed(
    outcome,
    /agent\/tags: (?:no answer before the time of a source was over|its list goes on)/,
  );
  expect(outcome.sources[0]).toMatchObject({
    reason: expect.stringContaining('of a source was over'),
  });
});

test('look-ups that take too long are left to the next run, and the versions are recorded', async () => {
  const many = Array.from({ length: 200 }, (_, index) => ({
    version: `3.${Math.floor(index / 20)}.${index % 20}`,
    at: '2026-01-01T00:00:00Z',
  }));

  const outcome = await run(maven, {
    budgets: { sourceMs: 3_000 },
    releases: [...known, ...many],
    handler(documents) {
      let asked = 0;
      return (request, response) => {
        const isSilent = request.url!.endsWith('.pom') && ++asked > 20;
        if (!isSilent) {
          serve(documents)(request, response);
        }
      };
    },
  });

  const found = outcome.releases.slice(known.length);
  expect(found.map(({ version }) => version)).toEqual(many.map(({ version }) => version));
  const dated = found.filter(({ timestampKind }) => timestampKind === 'published').length;
  // A busy machine has no time for all twenty.
  expect(dated).toBeLessThanOrEqual(20);
  expect(outcome.freshness.sources[outcome.sources[0]!.id]!.pending).toHaveLength(200 - dated);
  expect(outcome.messages).toEqual([
    expect.stringMatching(
      /^svc: maven:\S+ the day of \d+ versions could not be asked for \(http\S+\.pom: no answer before the time of a source was over\)\. The next run asks again\.$/,
    ),
  ]);
});

test('digests that there is no time to read again do not lose the answer', async () => {
  const outcome = await run(ociRegistry, {
    budgets: { sourceMs: 3_000 },
    handler: (documents) => (request, response) => {
      if (!request.url!.endsWith(ociRegistry.lookUp!(news.version))) {
        serve(documents)(request, response);
      }
    },
  });

  expect(outcome.releases.map(({ version }) => version)).toContain(news.version);
  expect(outcome.messages).toEqual([
    expect.stringMatching(/ the day of \S+ could not be asked for /),
  ]);
});

test('what a run had no time to ask has failed today, without a request', async () => {
  const outcome = await run(npm, { budgets: { runMs: 0 } });

  expect(outcome.releases).toEqual(outcome.before);
  expect(outcome.messages).toEqual([
    expect.stringMatching(/: no answer before the time of a run was over\. Recorded data stays\.$/),
  ]);
  expect(outcome.requests).toEqual([]);
});

test('a document of few megabytes and very many versions is rejected', async () => {
  const versions = Array.from({ length: 150_000 }, (_, index) => `"1.${index}":{}`).join(',');

  const outcome = await run(npm, {
    handler: () => (_request, response) =>
      answer(
        response,
        200,
        'application/json',
        `{"name":"@example/agent","versions":{${versions}}}`,
      ),
  });

  expectFailed(outcome, /lists 150,000 entries, more than the 100,000 that we take/);
});

test.each([
  [
    helm,
    `entries:\n  agent: [${'a,'.repeat(2_000_001)}]\n`,
    /has more than the 2,000,000 parts that we read/,
  ],
  [
    maven,
    `<metadata>${'<a/>'.repeat(500_001)}</metadata>`,
    /has more than the 500,000 parts that we read/,
  ],
  [
    npm,
    `{"versions":{"1.0":{"x":[${'[],'.repeat(4_000_001)}[]]}}}`,
    /has more than the 8,000,000 parts that we read/,
  ],
  [
    githubReleases,
    `[${`[${'[],'.repeat(79_999)}[]],`.repeat(20)}[]]`,
    /None of its 21 entries can be read/,
  ],
])('a document of very many parts is rejected for $name', async (imitation, body, reason) => {
  const outcome = await run(imitation, {
    handler: (documents) => (request, response) =>
      answer(response, 200, documents.get(request.url!)!.type, body),
  });

  expectFailed(outcome, reason);
});
