import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/answers/published-index.ts';
import { searchPublished, type PageStart } from '../../../src/ask/search/search-published.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';

const today = '2026-11-26';

/** The releases of line 2 are on both sides of those of line 2.2. */
const lines = [
  { line: '2', releases: [{ version: '2.1.0' }, { version: '2.3.0' }] },
  { line: '2.2', releases: [{ version: '2.2.0' }, { version: '2.2.1' }] },
];
const files: Readonly<Record<string, object>> = {
  'status.json': { asOf: today, staleAfterDays: 3, components: { svc: { state: 'live' } } },
  'search.json': { components: { svc: { title: 'Server', lines } } },
};

test('pages have every release once, also where a line is inside another', async () => {
  const read = async (path: string) => files[path] && JSON.stringify(files[path]);
  const index = openIndex({ read }, { today: () => today });
  const versions: unknown[] = [];
  let after: PageStart | undefined;

  do {
    const page = { maxReleases: 2, hasDistances: false, publications: new Map(), since: 0, after };
    const { releases, next } = await searchPublished(index, parseQuery('', today), today, page);
    versions.push(...releases.map(({ version }) => version));
    after = next;
  } while (after);

  expect(versions).toEqual(['2.1.0', '2.2.0', '2.2.1', '2.3.0']);
});
