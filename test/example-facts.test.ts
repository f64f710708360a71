import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReleaseFile } from '../src/core/schemas/published/release-file.ts';
import type { DetailsFile } from '../src/core/schemas/published/details-file.ts';
import { checkout } from './harness/checkout.ts';
import { missingFacts, readProductFacts } from './harness/product-facts.ts';
import { readJsonIn, temporaryFolder } from './harness/root.ts';
import { runHere } from './harness/run-here.ts';

const facts = readProductFacts();
if (!facts) {
  console.log(missingFacts);
}

test.skipIf(!facts)(
  'the published example states every release of the public history, with its day',
  async () => {
    const out = join(temporaryFolder(), 'dist');
    const { status } = await runHere(['build', '--root', checkout, '--out', out]);
    const wrong: string[] = [];

    for (const [component, { releases, undated }] of facts!) {
      const published = readJsonIn<ReleaseFile>(out, `${component}.json`).releases;
      const details = readJsonIn<DetailsFile>(out, `details/${component}.json`).releases;
      const byVersion = new Map(published.map((release) => [release.version, release]));
      const kinds = new Map(details.map((release) => [release.version, release.timestampKind]));
      for (const { version, date } of releases) {
        const at = byVersion.get(version)?.releaseTimestamp;
        if (at !== `${date}T00:00:00Z` || kinds.get(version) !== 'published') {
          wrong.push(
            `${component} ${version}: published on ${date}; got ${at} (${kinds.get(version)})`,
          );
        }
      }
      for (const { version, seenOnOrBefore: bound } of undated) {
        const release = byVersion.get(version);
        const day = release?.releaseTimestamp?.slice(0, 10);
        const isLater = bound !== undefined && (day === undefined || day > bound);
        if (!release || isLater || kinds.get(version) === 'published') {
          wrong.push(
            `${component} ${version}: seen by ${bound}; got ${day} (${kinds.get(version)})`,
          );
        }
      }
      const stated = new Set([...releases, ...undated].map(({ version }) => version));
      wrong.push(
        ...byVersion
          .keys()
          .filter((version) => !stated.has(version))
          .map((version) => `${component} ${version}: in no fact`),
      );
    }

    expect(status).toBe(0);
    expect(wrong).toEqual([]);
  },
);
