import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFeed } from '@rowanmanning/feed-parser';
import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/dates.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import { definition, makeRoot, writeIn } from '../harness/root.ts';
import { recordOn, siteOf } from '../harness/site.ts';

const start: Day = '2026-05-01';
const days = 30;

const releasesOn = (index: number) =>
  Array.from({ length: 6 + Math.floor(index / 3) }, (_, place) => ({
    version: `1.${Math.floor(place / 2)}.${place % 2}`,
    releaseTimestamp: addDays(start, place * 3 - 60),
    // Upstream takes back what it lists and says, and states it again.
    ...(place === 4 && index > 4 && index < 12 && { withdrawnSince: addDays(start, 5) }),
    ...(place === 7 &&
      index > 15 &&
      index < 22 && { deprecated: 'Broken', deprecatedSince: addDays(start, 16) }),
  }));

/** What people do to the definition: another policy, a list of deprecations, and back. */
function definitionOn(index: number): object {
  const months = index < 9 ? 1 : index < 17 ? 3 : 2;
  const deprecated = [
    ...(index >= 3 && index < 20 ? [{ versions: ['1.2.1', '1.3.0'], reason: 'Malicious' }] : []),
    ...(index >= 6 ? [{ versions: '<1.2', reason: 'Too old', since: addDays(start, 24) }] : []),
  ];
  return definition({ support: { policy: 'term', months }, deprecated });
}

test('a reader of the feed who visits on each of 30 days is told of every verdict that changed, once', async () => {
  const root = makeRoot({});
  const read = new Map<string, string>();
  let before = new Map<string, boolean>();
  let changed = 0;
  for (let index = 0; index < days; index += 1) {
    const day = addDays(start, index);
    writeIn(root, 'components/svc.json', definitionOn(index));
    writeIn(root, 'data/svc.json', { releases: releasesOn(index) });
    await recordOn(root, day);
    const out = siteOf(root, day);

    const { releases } = JSON.parse(readFileSync(join(out, 'details/svc.json'), 'utf8')) as DetailsFile;
    const now = new Map(
      releases.map(({ version, onBuildDay: { state } }) => [
        version,
        ['withdrawn', 'ended', 'deprecated'].includes(state),
      ]),
    );
    const { items } = parseFeed(readFileSync(join(out, 'feeds/svc.atom'), 'utf8'));
    const fresh = items.filter(({ id }) => !read.has(id!));
    const told = fresh.map(({ title, content }) => `${title}: ${content}`);
    // A new release may be deprecated from the beginning. All of the first run is one entry.
    const moved =
      index === 0 ? [] : [...now].filter(([version, is]) => is !== (before.get(version) ?? false));
    for (const [version, isDeprecated] of moved) {
      changed += 1;
      const line = version.slice(0, version.lastIndexOf('.'));
      const words = isDeprecated ? /\bis deprecated|was withdrawn/ : /\bno longer deprecated|is listed again/;
      const about = told.filter(
        (text) =>
          words.test(text) && (text.includes(` ${version} `) || text.includes(`release line ${line} `)),
      );
      expect(about, `${day}: ${version} among ${told.join(' | ')}`).toHaveLength(1);
    }
    for (const { id, content } of items) {
      // What was told stays word for word.
      expect(read.get(id!) ?? content).toBe(content);
      read.set(id!, content ?? '');
    }
    before = now;
  }

  expect(changed).toBeGreaterThan(15);
});
