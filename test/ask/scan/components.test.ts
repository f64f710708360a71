import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/answers/published-index.ts';
import { toComponentVersion } from '../../../src/ask/answers/resolve.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { parsePublishedPolicy } from '../../../src/ask/scan/scan-policies.ts';
import { scanEntries } from '../../../src/ask/scan/scan-items.ts';
import { openDocumentsIn } from '../../../src/deliver/publish/index-documents.ts';
import { definition } from '../../harness/root.ts';
import { siteOf, rootOf } from '../../harness/site.ts';

test('each component of a package extracts the version in its own way', async () => {
  const owners = [
    { component: 'one', extractVersion: '^one-(?<version>.+)$' },
    { component: 'two' },
  ];

  const versions = await Promise.all(owners.map((owner) => toComponentVersion(owner, 'one-1.0')));

  expect(versions).toEqual(['1.0', 'one-1.0']);
});

const day = '2026-11-20';
const releases = Array.from({ length: 40 }, (_, index) => ({
  version: `1.${index}`,
  releaseTimestamp: day,
}));

/** Scans a list with an index of three components, and returns the documents that it read. */
async function scanList(list: string) {
  const site = siteOf(
    rootOf({
      svc: { definition: definition(), releases },
      kit: { definition: definition(), releases },
      old: { definition: definition({ replacedBy: 'svc' }), releases },
    }),
    day,
  );
  const read: string[] = [];
  const documents = openDocumentsIn(site);
  const recording = {
    read(path: string) {
      read.push(path);
      return documents.read(path);
    },
  };
  const index = openIndex(recording, { today: () => day });
  const policies = (await index.policies())
    .slice(0, 2)
    .map((policy) => parsePublishedPolicy(policy, day));
  read.length = 0;

  const { entries } = await readText(index, list, longestTexts.file);
  const scanned = await scanEntries(entries, policies, index);

  return { scanned, read: read.toSorted() };
}

const versionsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}@1.${index}`).join('\n');

test('a scan reads the document of a component once, and no document that grows with the index', async () => {
  const { scanned, read } = await scanList(`${versionsOf('old', 60)}\n${versionsOf('kit', 60)}`);

  expect(scanned).toHaveLength(240);
  expect(read).toEqual(['details/kit.json', 'details/old.json', 'details/svc.json', 'status.json']);
});
