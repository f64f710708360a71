import { describe, expect, it } from 'vitest';
import { versionsOf } from '../../harness/expectations.ts';
import { known, run, today } from '../../harness/gathering.ts';
import type { Listed } from '../../harness/imitated-upstream.ts';
import { twoKinds } from '../../harness/imitated-upstreams.ts';

const fix: Listed = { version: '2.0.1', at: '2026-06-28T10:00:00Z' };

describe.concurrent.each(twoKinds)('$name with fewer versions than before', (imitation) => {
  it('withdraws the greatest version at once with a warning, unless its lists only add, and adds new ones', async () => {
    const outcome = await run(imitation, { releases: [...known.slice(0, -1), fix] });

    const withdrawn = outcome.releases.filter(({ withdrawnSince }) => withdrawnSince === today);
    expect(withdrawn.map(({ version }) => version)).toEqual(imitation.onlyAdds ? [] : ['2.1']);
    expect(versionsOf(outcome)).toContain(fix.version);
    expect(outcome.messages).toEqual([
      expect.stringMatching(
        /no longer lists 2\.1, the greatest version it listed\. (?:Withdrawn at once|A page only adds)/,
      ),
    ]);
  });
});
