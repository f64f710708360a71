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

describe.concurrent.each(twoKinds)('$name with fewer versions than before', (imitation) => {
  it('withdraws a version that is still missing on the second day, unless its lists only add', async () => {
    const outcome = await run(imitation, {
      releases: [...without('1.9'), news],
      freshness: { missing: { '1.9': yesterday }, sources: {} },
    });

    const withdrawn = outcome.releases.filter(({ withdrawnSince }) => withdrawnSince === today);
    expect(withdrawn.map(({ version }) => version)).toEqual(imitation.onlyAdds ? [] : ['1.9']);
    expect(versionsOf(outcome)).toEqual([...known, news].map(({ version }) => version));
    expect(outcome.messages).toEqual([]);
  });

  it('withdraws the greatest version at once with a warning, unless its lists only add, and adds new ones', async () => {
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

  it('keeps all releases after an empty list, and withdraws none at once', async () => {
    const outcome = await run(imitation, { releases: [] });

    expect(outcome.releases).toEqual(outcome.before);
    expectOtherUpdated(outcome);
  });
});
