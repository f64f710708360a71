import { describe, expect, it } from 'vitest';
import { known, news } from '../../harness/gathering.ts';
import { runSupport } from '../../harness/stating.ts';
import { supportUpstreams } from '../../harness/upstreams/support.ts';

describe.concurrent.each(supportUpstreams)('$name with fewer or other lines', (imitation) => {
  it('keeps the lines that it no longer lists', async () => {
    for (const releases of [[], known.slice(0, 4)]) {
      const outcome = await runSupport(imitation, { releases });

      expect(outcome.lines).toEqual(outcome.before);
    }
  });

  it('updates lines that it lists again', async () => {
    if (!imitation.name.endsWith('endoflife-date')) return;
    const { before } = await runSupport(imitation);
    const outcome = await runSupport(imitation, {
      lines: before.map((line) => ({ ...line, withdrawnSince: '2026-06-01' })),
      releases: [...known, news],
    });

    expect(outcome.lines!.filter(({ withdrawnSince }) => withdrawnSince)).toEqual([]);
  });
});
