/** Checks the API that lists the runs of an index as builds. */
import { expect, test } from 'vitest';
import { openSiteApi, openRuns } from '../../harness/api.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
const runs = [0, 1, 2, 3].map((hour) => ({
  id: `run000000000${hour}`,
  program: '1.0.0',
  startedAt: at(hour),
  finishedAt: at(hour),
  requested: [hour === 2 ? 'gather' : 'daily'],
}));
const ask = openSiteApi(openRuns(runs));

test('each build in /api/builds has the five specified fields', async () => {
  const answer = await ask('/api/builds?maxBuilds=1');

  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toEqual([
    {
      id: 'run0000000000',
      availableAt: Date.parse(at(0)),
      buildToolType: 'unknown',
      buildToolVersion: 'unknown',
      buildAgentVersion: '1.0.0',
    },
  ]);
});

const since = (time: number | string) => `since=${time}`;

test.each<[query: string, ids: string, next: string]>([
  ['', '0123', ''],
  [since(at(1)), '123', ''],
  ['maxBuilds=3', '012', 'maxBuilds=3&after=run0000000002'],
  ['maxBuilds=3&after=run0000000002', '3', ''],
  ['query=requested:daily', '013', ''],
  [
    'query=requested:daily&maxBuilds=2',
    '01',
    'query=requested%3Adaily&maxBuilds=2&after=run0000000001',
  ],
  [`${since(Date.parse(at(1)))}&query=-requested:daily`, '2', ''],
])(
  '/api/builds?%s returns the runs "%s", and links the next page "%s"',
  async (query, ids, next) => {
    const answer = await ask(`/api/builds?${query}`);
    const items = (await answer.json()) as { id: string }[];
    const [, link = ''] =
      /^<[^?]+\?([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];

    expect(items.map(({ id }) => id.at(-1)).join('')).toBe(ids);
    expect(link).toBe(next);
  },
);

test('the answer to a query about builds is not cached if it depends on the current time', async () => {
  const readCaching = async (query: string) =>
    (await ask(`/api/builds${query}`)).headers.get('cache-control');

  expect(await readCaching('')).toBe('public, max-age=3600');
  expect(await readCaching('?query=buildStartTime:%3E-1d')).toBe('public, max-age=0');
});
