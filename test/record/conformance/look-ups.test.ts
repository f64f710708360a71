import { describe, expect, it } from 'vitest';
import { expectOtherUpdated } from '../../harness/expectations.ts';
import { known, news, run, today, type Behaviour } from '../../harness/gathering.ts';
import { remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import { always, serve, type Handler, type SeenRequest } from '../../harness/upstream.ts';

/** All requests but those for the digest of an image alone, which is asked for again. */
function lookedUp(requests: readonly SeenRequest[]): string[] {
  return requests
    .filter(({ method, path }) => !(method === 'HEAD' && path.includes('/manifests/')))
    .map(({ path }) => path);
}

describe.concurrent.each(remoteUpstreams.filter(({ lookUp }) => lookUp))(
  '$name, asking for the day of each version',
  (imitation) => {
    /** Sound but for the request in which the day of the new version is asked for. */
    function lookUpAnswers(handler: Handler): Pick<Behaviour, 'handler'> {
      return {
        handler: (documents) => {
          const sound = serve(documents);
          return (request, response) =>
            (request.url === imitation.lookUp!(news.version) ? handler : sound)(request, response);
        },
      };
    }

    it('asks once per unseen version', async () => {
      const { requests } = await run(imitation);

      const looked = lookedUp(requests).filter((path) =>
        known.some(({ version }) => path === imitation.lookUp!(version)),
      );
      expect(looked).toEqual([]);
      expect(lookedUp(requests)).toContain(imitation.lookUp!(news.version));
    });

    it('takes the version without its day when that cannot be asked for, and asks again in the next run', async () => {
      const first = await run(imitation, lookUpAnswers(always(503)));

      expect(first.releases.at(-1)).toMatchObject({
        version: news.version,
        releaseTimestamp: today,
        timestampKind: 'observed',
      });
      expect(first.sources).toMatchObject([{ kind: 'answered', taken: { pending: [news.version] } }]);
      expect(first.messages.join('\n')).toMatch(
        /^svc: .*the day of 2\.2 could not be asked for \(.*answered 503 \(four times\).*\)\. The next run asks again\.$/,
      );
      expectOtherUpdated(first);

      const second = await run(imitation, { recorded: first.releases, freshness: first.freshness });
      expect(second.releases.at(-1)).toMatchObject({ releaseTimestamp: news.at, timestampKind: 'published' });
      expect(second.sources).toMatchObject([{ kind: 'answered', taken: { pending: [] } }]);
    });

    it('does not ask again for a day that upstream does not have', async () => {
      const first = await run(imitation, lookUpAnswers(always(404)));

      expect(first.releases.at(-1)).toMatchObject({ version: news.version, timestampKind: 'observed' });
      const second = await run(imitation, { recorded: first.releases, freshness: first.freshness });
      expect(lookedUp(second.requests)).not.toContain(imitation.lookUp!(news.version));
    });

    it('gives up on look-ups that fail one after the other', async () => {
      const many = Array.from({ length: 500 }, (_, index) => ({
        version: `1.${30 + Math.floor(index / 50)}.${index % 50}`,
        at: news.at!,
      }));
      const outcome = await run(imitation, {
        releases: [...known, ...many],
        handler: (documents) => {
          const lookUps = new Set(many.map(({ version }) => imitation.lookUp!(version)));
          const sound = serve(documents);
          return (request, response) => (lookUps.has(request.url!) ? always(500) : sound)(request, response);
        },
      });

      expect(outcome.releases).toHaveLength(known.length + many.length);
      expect(outcome.requests.length).toBeLessThan(100);
      expect(outcome.sources).toMatchObject([
        { kind: 'answered', taken: { pending: { length: many.length } } },
      ]);
    });
  },
);
