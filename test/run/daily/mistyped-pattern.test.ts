import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../../src/core/model/dates.ts';
import type { Alert } from '../../../src/run/daily/alerts.ts';
import { definition, readJsonIn } from '../../harness/root.ts';
import { openIndex, type TestIndex } from './index-of-three.ts';

interface Definition {
  readonly sources: readonly object[];
}

let index: TestIndex;

beforeAll(async () => {
  index = await openIndex();
});

afterAll(() => index.close());

test('a pattern that admits nothing has one alert while it waits, and none once it is mended', async () => {
  const { root, git, runDay, versions } = index;
  const path = 'components/svc.json';
  const { sources } = readJsonIn<Definition>(root.dir, path);
  const define = (more: object) => {
    root.write(path, definition({ sources: [{ ...sources[0], ...more }] }));
    git('commit', '--quiet', '--message', 'Edit', '--', path);
  };
  const start = '2026-11-01';
  const attention = () =>
    readJsonIn<{ attention: Alert[] }>(root.dir, '.cache/daily.json').attention;
  expect((await runDay(start)).status).toBe(0);
  const recorded = versions('svc');

  define({ allowedVersions: '/^x/' });
  const commit = git('rev-parse', 'HEAD');
  const alerts = [];
  for (const days of [1, 2, 9]) {
    const { status } = await runDay(addDays(start, days));
    alerts.push([status, ...attention().map(({ kind, cause, since }) => [kind, cause, since])]);
  }

  const cause = `${path}@${commit.slice(0, 10)}`;
  const alert = ['held', cause, addDays(start, 1)];
  expect(alerts).toEqual([1, 0, 1].map((status) => [status, alert]));
  expect(versions('svc')).toEqual(recorded);

  define({});
  const { status, stderr } = await runDay(addDays(start, 10));
  expect([status, attention()], stderr).toEqual([0, []]);
});
