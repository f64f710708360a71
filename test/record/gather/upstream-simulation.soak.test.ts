import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCorpus, readCorpus } from '../../bench/corpus.ts';
import { expectNobodyMisled, replay } from '../../harness/upstream-simulation.ts';

const corpus = findCorpus();
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

if ('reason' in corpus) test.skip(`honest histories are hardly ever held: ${corpus.reason}`);
else
  test(
    'honest histories of hundreds of products are held at most once in 10,000 days',
    () => {
      const scratch = mkdtempSync(join(tmpdir(), 'histories-'));
      try {
        const replayed = [...readCorpus(corpus.archive, scratch)]
          .filter(([, history]) => history.length <= maxVersions)
          .map(([product, history]) => ({ product, ...replay(history) }));
        const days = replayed.reduce((sum, one) => sum + one.days, 0);
        const held = replayed.flatMap((one) => one.held.map((why) => `${one.product} ${why}`));
        process.stdout.write(`${held.length} held in ${days} days of ${replayed.length} products\n`);

        expect(days).toBeGreaterThan(1_000_000);
        expect(held.length, held.join('\n')).toBeLessThanOrEqual(days / 10_000);
      } finally {
        rmSync(scratch, { recursive: true, force: true });
      }
    },
    20 * minute,
  );
