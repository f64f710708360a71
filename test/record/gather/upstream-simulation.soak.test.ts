import { expect, test } from 'vitest';
import { missingCorpus, readCorpus } from '../../harness/corpus.ts';
import { expectNobodyMisled, replay } from '../../harness/upstream-simulation.ts';

const corpus = readCorpus();
if (!corpus) console.log(missingCorpus);
const minute = 60_000;
/** The few products with more would take longer than all others. */
const maxVersions = 500;

test(
  'of 200 upstreams that lie for 90 days, none misleads anybody',
  () => {
    expect(expectNobodyMisled(200, 90)).toBeGreaterThan(200);
  },
  10 * minute,
);

test.skipIf(!corpus)(
  'honest histories of hundreds of products are held at most once in 10,000 days',
  () => {
    const replayed = [...corpus!]
      .filter(([, releases]) => releases.length <= maxVersions)
      .map(([product, releases]) => ({
        product,
        ...replay(releases.map(({ version, releaseTimestamp }) => [version, releaseTimestamp] as const)),
      }));
    const days = replayed.reduce((sum, one) => sum + one.days, 0);
    const held = replayed.flatMap((one) => one.held.map((why) => `${one.product} ${why}`));
    process.stdout.write(`${held.length} held in ${days} days of ${replayed.length} products\n`);

    expect(days).toBeGreaterThan(1_000_000);
    expect(held.length, held.join('\n')).toBeLessThanOrEqual(days / 10_000);
  },
  20 * minute,
);
