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

test('the notes on a query of the greatest length fit into the headers that clients read', async () => {
  const units = Array.from({ length: 249 }, (_, index) => `age:>${index % 10}h`).join(' ');
  const answer = await ask(`/api/releases?query=${encodeURIComponent(units)}`);
  const note = answer.headers.get('release-index-note')!;

  expect(answer.status).toBe(200);
  expect(note).toMatch(/^"0h", "1h", "2h", "3h", "4h" and 5 more have units finer than a day/);
});
