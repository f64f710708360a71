import { describe, expect, it } from 'vitest';
import { runLookUps } from '../../../src/record/gather/request-facts.ts';
import { SourceError } from '../../../src/record/sources/datasource.ts';
import { known, news, run, today, type Behaviour } from '../../harness/gathering.ts';
import { versionsOf } from '../../harness/expectations.ts';
import { remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import { ociRegistry } from '../../harness/upstreams/docker.ts';
import { always, serve, type Handler, type SeenRequest } from '../../harness/upstream.ts';

/** All requests except those for an image's digest, which are repeated. */
function lookedUp(requests: readonly SeenRequest[]): string[] {
  return requests
    .filter(({ method, path }) => !(method === 'HEAD' && path.includes('/manifests/')))
    .map(({ path }) => path);
}

describe.concurrent.each(remoteUpstreams.filter(({ lookUp }) => lookUp))(
  '$name, asking for the day of each version',
  (imitation) => {
    /** Sound answers, except to the request for the new version's day. */
    function lookUpAnswers(handler: Handler): Pick<Behaviour, 'handler'> {
      return {
        handler: (documents) => {
          const sound = serve(documents);
          return (request, response) =>
            (request.url === imitation.lookUp!(news.version) ? handler : sound)(request, response);
        },
      };
    }

    it('requests the day once per unseen version', async () => {
      const { requests } = await run(imitation);

      const looked = lookedUp(requests).filter((path) =>
        known.some(({ version }) => path === imitation.lookUp!(version)),
      );
      expect(looked).toEqual([]);
      expect(lookedUp(requests)).toContain(imitation.lookUp!(news.version));
    });

    it('adds the version without its day when the request fails, and repeats it in the next run', async () => {
      const first = await run(imitation, lookUpAnswers(always(503)));

      expect(first.releases.at(-1)).toMatchObject({
        version: news.version,
        releaseTimestamp: today,
        timestampKind: 'observed',
      });
      expect(first.sources).toMatchObject([{ kind: 'answered', pending: [news.version] }]);
      expect(first.messages.join('\n')).toMatch(
        /^svc: .*the day of 2\.2 could not be asked for \(.*answered 503 \(4 attempts\).*\)\. The next run asks again\.$/,
      );

      const second = await run(imitation, { recorded: first.releases, freshness: first.freshness });
      expect(second.releases.at(-1)).toMatchObject({
        releaseTimestamp: news.at,
        timestampKind: 'published',
      });
      expect(second.sources).toMatchObject([{ kind: 'answered', pending: [] }]);
    });

    it('does not repeat the request for a day that upstream does not have', async () => {
      const first = await run(imitation, lookUpAnswers(always(404)));

      expect(first.releases.at(-1)).toMatchObject({
        version: news.version,
        timestampKind: 'observed',
      });
      const second = await run(imitation, { recorded: first.releases, freshness: first.freshness });
      expect(lookedUp(second.requests)).not.toContain(imitation.lookUp!(news.version));
    });
  },
);

it('leaves out a new tag of an OCI registry that nobody can pull, and asks again', async () => {
  const manifest = `/v2/example/agent/manifests/${news.version}`;
  const first = await run(ociRegistry, {
    handler: (documents) => (request, response) =>
      (request.url === manifest ? always(404) : serve(documents))(request, response),
  });

  expect(versionsOf(first)).toEqual(known.map(({ version }) => version));
  expect(first.messages).toEqual([
    expect.stringMatching(
      /^svc: docker:\S+: lists 2\.2, but has nothing to download\. Left out\. The next run asks again\.$/,
    ),
  ]);

  const second = await run(ociRegistry, { recorded: first.releases, freshness: first.freshness });
  expect(second.releases.at(-1)).toMatchObject({
    version: news.version,
    releaseTimestamp: news.at,
    timestampKind: 'published',
  });
});

it('gives up looking up after several failures in a row', async () => {
  const versions = Array.from({ length: 500 }, (_, index) => `1.${index}`);
  const asked: string[] = [];
  const lookUps = versions.map((version) => {
    async function* fail() {
      asked.push(version);
      yield await Promise.reject<object>(new SourceError('no'));
    }
    return [version, fail] as const;
  });

  const { failures } = await runLookUps(new Map(lookUps));

  expect([...failures.keys()].sort()).toEqual(versions.sort());
  expect(asked.length).toBeLessThan(20);
});
