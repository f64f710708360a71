import { describe, expect, it } from 'vitest';
import { expectOtherUpdated, versionsOf } from '../../harness/expectations.ts';
import { known, news, run, today } from '../../harness/gathering.ts';
import type { Listed } from '../../harness/imitated-upstream.ts';
import { twoKinds } from '../../harness/imitated-upstreams.ts';

const yesterday = '2026-06-29';
const fix: Listed = { version: '2.0.1', at: '2026-06-28T10:00:00Z' };

function without(...missing: string[]): Listed[] {
  return known.filter(({ version }) => !missing.includes(version));
}

describe.concurrent.each(twoKinds)('$name, answering with less than before', (imitation) => {
  it('marks a version that is still not listed on the second day as withdrawn, unless its lists only add', async () => {
    const outcome = await run(imitation, {
      releases: [...without('1.9'), news],
      freshness: { missing: { '1.9': yesterday }, sources: {} },
    });

    const withdrawn = outcome.releases.filter(({ withdrawnSince }) => withdrawnSince === today);
    expect(withdrawn.map(({ version }) => version)).toEqual(imitation.onlyAdds ? [] : ['1.9']);
    expect(versionsOf(outcome)).toEqual([...known, news].map(({ version }) => version));
    expect(outcome.messages).toEqual([]);
  });

  it('withdraws the greatest version at once and loudly, unless its lists only add, and takes what is new', async () => {
    const outcome = await run(imitation, { releases: [...without('2.1'), fix] });

    const withdrawn = outcome.releases.filter(({ withdrawnSince }) => withdrawnSince === today);
    expect(withdrawn.map(({ version }) => version)).toEqual(imitation.onlyAdds ? [] : ['2.1']);
    expect(versionsOf(outcome)).toContain(fix.version);
    expect(outcome.messages).toEqual([
      expect.stringMatching(
        /no longer lists 2\.1, the greatest version it listed\. (?:Withdrawn at once|A page only adds)/,
      ),
    ]);
  });

  it('forgets no release of an empty list, and withdraws none at once', async () => {
    const outcome = await run(imitation, { releases: [] });

    expect(outcome.releases).toEqual(outcome.before);
    expectOtherUpdated(outcome);
  });
});
