import { expect, test } from 'vitest';
import { openIndex } from '../../../../src/ask/answers/published-index.ts';
import { apiOf } from '../../../harness/api.ts';

const today = '2026-11-26';

/** The releases of line 2 are on both sides of those of line 2.2. */
const crossingLines = [
  { line: '2', releases: [{ version: '2.1.0' }, { version: '2.3.0' }] },
  { line: '2.2', releases: [{ version: '2.2.0' }, { version: '2.2.1' }] },
];
const files: Readonly<Record<string, object>> = {
  'paths.json': [],
  'status.json': { asOf: today, staleAfterDays: 3, components: { svc: { state: 'live' } } },
  'search.json': { components: { svc: { title: 'Server', lines: crossingLines } } },
};
const read = async (path: string) => files[path] && JSON.stringify(files[path]);
const ask = apiOf('', openIndex({ read }, { today: () => today }));

test('pages have every release once, also where a line is inside another', async () => {
  const versions: unknown[] = [];
  let path: string | undefined = '/api/releases?maxReleases=2';

  while (path !== undefined) {
    const answer: Response = await ask(path);
    versions.push(...((await answer.json()) as { version: string }[]).map((row) => row.version));
    path = /^<https:..releases.example.com(.+)>; rel="next"$/.exec(
      answer.headers.get('link') ?? '',
    )?.[1];
  }

  expect(versions).toEqual(['2.1.0', '2.2.0', '2.2.1', '2.3.0']);
});
