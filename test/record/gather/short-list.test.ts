import { expect, test } from 'vitest';
import type { RecordedFreshness } from '../../../src/core/schemas/recorded/freshness.ts';
import type { RecordedData } from '../../../src/core/schemas/recorded/recorded.ts';
import { npmIndex, type Listing } from '../../harness/npm-registry.ts';
import { definition, readJsonIn, writeIn } from '../../harness/root.ts';

const listing = (from: number, to: number): Listing =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`1.${from + index}.0`, {}]));

/** An index whose registry lists ten versions on the first day. */
async function openIndex(ofSource: object = {}, about: object = {}) {
  const { registry, root, sourceOf, run } = await npmIndex({ agent: listing(0, 10) });
  const sources = [{ ...sourceOf('agent'), ...ofSource }];
  writeIn(root, 'components/agent.json', definition({ sources, ...about }));
  await run(['gather', '--as-of', '2026-06-01']);
  return {
    run,
    list: (listed: Listing) => void registry.packages.set('agent', listed),
    state: () =>
      readJsonIn<RecordedFreshness>(root, 'data/freshness/agent.json').sources['npm:agent']!,
    withdrawn: () =>
      readJsonIn<RecordedData>(root, 'data/agent.json').releases.filter(
        ({ withdrawnSince }) => withdrawnSince !== undefined,
      ).length,
  };
}

test.each([
  ['nothing', 'none', listing(0, 0), {}],
  ['less than half', '4', listing(0, 4), {}],
  ['none of them, but as many others', 'none', listing(20, 30), {}],
  ['less than half of them, and others', '4', { ...listing(0, 4), ...listing(20, 40) }, {}],
  [
    'less than half, although its support has ended',
    '1',
    listing(9, 10),
    { support: { policy: 'ended', since: '2026-01-01' } },
  ],
])(
  'a source that lists %s has failed, until a person accepts it',
  async (_, words, listed, about) => {
    const { run, list, state, withdrawn } = await openIndex({}, about);
    list(listed);

    const first = await run(['gather', '--as-of', '2026-06-02']);
    await run(['gather', '--as-of', '2026-06-03']);

    const { reason, accept, lastAnswered } = state();
    expect([first.status, withdrawn(), lastAnswered]).toEqual([0, 0, '2026-06-01']);
    expect(reason).toBe(
      `npm:agent lists ${words} of the 10 that it listed last. If this is right: npx release-index accept ${accept}`,
    );
    expect(first.stderr).toContain(`accept ${accept}`);

    const accepted = await run(['accept', accept!, '--as-of', '2026-06-03']);
    expect(accepted.stdout).toContain(`${accept}: accepted. npm:agent: `);
    await run(['gather', '--as-of', '2026-06-03']);
    expect(state()).toMatchObject({ since: '2026-06-03' });
    expect(state().reason).toBeUndefined();
  },
);

test('a source may list half, names that the definition leaves out count, and another definition lists anew', async () => {
  const { run, list, state } = await openIndex({ allowedVersions: '/^1\\.[0-3]\\./' });
  list(listing(0, 5));
  await run(['gather', '--as-of', '2026-06-02']);
  expect(state()).toMatchObject({ since: '2026-06-01' });
  expect(state().reason).toBeUndefined();

  const other = await openIndex();
  other.list(listing(0, 1));
  await other.run(['gather', '--as-of', '2026-06-02']);
  expect(other.state().reason).toContain('lists 1 of the 10 that it listed last');
  other.list(listing(0, 9));
  await other.run(['gather', '--as-of', '2026-06-03']);
  expect(other.state()).toMatchObject({ since: '2026-06-03' });
  expect(other.state().accept).toBeUndefined();
});
