import { afterAll, beforeAll, expect, test } from 'vitest';
import { toDay } from '../../../src/core/model/dates.ts';
import type { Run } from '../../../src/core/schemas/recorded/runs.ts';
import { apiOf } from '../../harness/api.ts';
import { runCli } from '../../harness/cli.ts';
import { covers } from '../../harness/covers.ts';
import { readJsonIn } from '../../harness/root.ts';
import { openIndex, type TestIndex } from './index-of-three.ts';

const today = toDay(new Date());
let index: TestIndex;
beforeAll(async () => {
  index = await openIndex();
});
afterAll(() => index.close());

interface BuildEvent {
  readonly timestamp: number;
  readonly type: { readonly eventType: string };
  readonly data: { readonly component?: string };
}

/** The newest run of the published site, and its events as a client of the export reads them. */
async function newestRun() {
  const { builds } = readJsonIn<{ builds: Run[] }>(
    index.served,
    `builds/${today.slice(0, 4)}.json`,
  );
  const run = builds[0]!;
  const answer = await apiOf(index.served)(`/build-export/v2/build/${run.id}/events`);
  const events = Array.from((await answer.text()).matchAll(/^data: (.*)$/gm), ([, data]) =>
    JSON.parse(data!),
  ).slice(1) as BuildEvent[];
  const ofSources = events.filter(({ type }) => type.eventType.startsWith('Source'));
  return {
    run,
    instants: events.map(({ timestamp }) => timestamp),
    sources: ofSources.map(({ type, data }) => `${type.eventType} ${data.component}`).sort(),
  };
}

const inOrder = (instants: readonly number[]) => instants.toSorted((a, b) => a - b);

test('the events of a run are what it asked, and none lies before its start', async () => {
  covers(
    'timestamp of an event: when the event occurred',
    'Where the instant of a source is not known, that of recording.',
  );
  index.upstream.closed = 'svcctl';
  await index.runDay(today);
  const first = await newestRun();
  index.upstream.closed = undefined;
  index.packages.svc.push('2026.6');
  await index.runDay(today);
  const second = await newestRun();

  expect([first.sources, first.run.answered]).toEqual([['SourceFailed svcctl'], 2]);
  expect([second.sources, second.run.answered]).toEqual([[], 3]);
  for (const { run, instants } of [first, second]) {
    expect(run.asked).toBe(3);
    expect(instants).toEqual(inOrder(instants));
    expect(instants[0]).toBe(Date.parse(run.startedAt));
  }
  expect(Date.parse(second.run.startedAt)).toBeGreaterThan(Date.parse(first.run.finishedAt));
});

test('a record that asks nobody has no event of a source, and succeeds', async () => {
  covers('timestamp of an event: when the event occurred');
  index.upstream.closed = 'svc';
  await index.runDay(today);
  const { title, ...definition } = readJsonIn<{ title: string }>(
    index.root.dir,
    'components/svc.json',
  );
  index.root.write('components/svc.json', {
    title,
    ...definition,
    deprecated: [{ versions: ['2026.1'], reason: 'It is broken.' }],
  });
  const args = ['--root', index.root.dir, '--as-of', today];
  await runCli(['record', ...args]);
  await runCli(['build', ...args, '--out', index.served]);
  const { run, sources } = await newestRun();
  const failed = await apiOf(index.served)('/api/builds?query=buildOutcome:failed');

  expect([run.requested![0], run.asked, run.events, sources]).toEqual(['record', 0, 1, []]);
  expect(await failed.text()).not.toContain(run.id);
});
