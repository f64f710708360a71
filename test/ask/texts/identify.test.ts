import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/answers/published-index.ts';
import { identifyExactly } from '../../../src/ask/texts/identify.ts';
import { openDocumentsIn } from '../../../src/deliver/publish/index-documents.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

const index = openIndex(openDocumentsIn(siteOfFixtureIndex()), { today: () => fixtureDay });

test('the digests of a component are listed once for all digests of a text', async () => {
  let reads = 0;
  const details = async (component: string) => {
    const read = (await index.details(component))!;
    const [release] = read.releases;
    const counted = {
      ...release!,
      get digests() {
        reads += 1;
        return release!.digests;
      },
    };
    return { ...read, releases: [counted] };
  };
  const entries = ['a', 'b', 'c'].map(
    (digit) => [{ text: digit, name: 'svc', version: `sha256:${digit.repeat(64)}` }] as const,
  );
  const { notRead } = await identifyExactly({ ...index, details }, { entries, problems: [] });

  expect(notRead.map(({ reason }) => reason)).toEqual(['no-version', 'no-version', 'no-version']);
  expect(reads).toBe(1);
});
