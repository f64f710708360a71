import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { known, run, recordedOf } from '../../harness/gathering.ts';
import { allUpstreams } from '../../harness/imitated-upstreams.ts';

const stating = allUpstreams.filter(({ digests }) => digests !== undefined);

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
