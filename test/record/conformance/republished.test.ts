import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { known, news, run, recordedOf } from '../../harness/gathering.ts';
import { allUpstreams } from '../../harness/imitated-upstreams.ts';

const stating = allUpstreams.filter(({ digests }) => digests !== undefined);
const tampered = { ...known[2]!, artifact: 'something else' };
const others = known.filter(({ version }) => version !== tampered.version);

describe.concurrent.each(stating)('$name, which states digests', (imitation) => {
  it('adds missing digests to recorded releases without a report', async () => {
    const recorded = (source: Source) => recordedOf(source);
    const outcome = await run(imitation, { releases: known, recorded });

    expect(outcome.releases).toEqual(
      outcome.before.map((entry, index) => ({
        ...entry,
        digests: { [entry.source!]: imitation.digests!(known[index]!) },
      })),
    );
    expect([outcome.changes, outcome.messages]).toEqual([[], []]);
  });
});

describe.concurrent.each(stating.filter(({ name }) => name === 'npm' || name === 'pypi'))(
  '$name, whose artifact has other bytes than before',
  (imitation) => {
    it('reports the new digest, with the recorded one', async () => {
      const outcome = await run(imitation, { releases: [...others, tampered, news] });

      const id = outcome.sources[0]!.id;
      const [artifact, was] = Object.entries(imitation.digests!(known[2]!))[0]!;
      const digests = imitation.digests!(tampered);
      expect(outcome.releases.find(({ version }) => version === tampered.version)).toEqual({
        ...outcome.before[2],
        digests: { [id]: digests },
        republished: {
          on: '2026-06-30',
          from: `${artifact} ${was}`,
          to: `${artifact} ${digests[artifact]}`,
        },
      });
      expect(outcome.changes).toContainEqual({
        kind: 'republished',
        version: tampered.version,
        detail: artifact,
      });
    });

    it('keeps recorded digests if upstream no longer states any', async () => {
      const outcome = await run(imitation, { releases: known.map((one) => ({ ...one, artifact: null })) });

      expect(outcome.releases).toEqual(outcome.before);
      expect([outcome.changes, outcome.messages]).toEqual([[], []]);
    });
  },
);
