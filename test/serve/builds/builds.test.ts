import { expect, test } from 'vitest';
import type { Run } from '../../../src/core/schema/recorded.ts';
import {
  createBuildMessage,
  describeBuild,
  listEventMessages,
  selectRuns,
} from '../../../src/serve/builds/builds.ts';
import { buildFields } from '../../../src/serve/builds/fields.ts';
import document from '../../fixtures/builds.json' with { type: 'json' };

/** Two recorded runs. The first was not started by npm, and has no failures. The second was started by npm, and has failures. */
const [bare, troubled] = document.builds as unknown as [Run, Run];

test('the builds API names npm as the build tool only if npm started the run', () => {
  expect(describeBuild(bare)).toMatchObject({
    buildToolType: 'unknown',
    buildToolVersion: 'unknown',
  });
  expect(describeBuild(troubled)).toEqual({
    id: 'aaaaaaaaaaaa2',
    availableAt: Date.parse(troubled.finishedAt),
    buildToolType: 'npm',
    buildToolVersion: '11.7.0',
    buildAgentVersion: '1.1.0',
  });
  expect(createBuildMessage(troubled)).toEqual({
    id: 'aaaaaaaaaaaa2',
    event: 'Build',
    data: {
      buildId: 'aaaaaaaaaaaa2',
      timestamp: Date.parse(troubled.finishedAt),
      toolType: 'npm',
      toolVersion: '11.7.0',
      agentVersion: '1.1.0',
    },
  });
});

test('each event of a run has its own time, and the ids of the events count from 1', () => {
  const messages = listEventMessages(troubled).map(({ id, event, data }) => {
    const { timestamp, type, data: facts } = data as Record<string, any>;
    expect([event, type.majorVersion, type.minorVersion]).toEqual(['BuildEvent', 1, 0]);
    return [id, new Date(timestamp).toISOString().slice(14, 19), type.eventType, facts];
  });
  const failed = { component: 'tool', reason: 'answered 503' };

  expect(messages).toEqual([
    ['1', '23:00', 'BuildStarted', {}],
    ['2', '23:00', 'BuildRequestedTasks', { requested: ['daily'], excluded: ['publish'] }],
    ['3', '23:10', 'SourceFailed', { ...failed, source: 'npm:tool' }],
    ['4', '23:20', 'SourceFailed', { ...failed, source: 'pypi:tool' }],
    ['5', '24:00', 'SourceFailed', { ...failed, source: 'osv' }],
    ['6', '24:00', 'ChangeHeld', troubled.waits![0]],
    [
      '7',
      '25:00',
      'BuildFinished',
      { outcome: 'failed', asked: 1, answered: 0, events: 2, commit: '0123456' },
    ],
  ]);
});

test('a run without failures has exactly three events', () => {
  expect(listEventMessages(bare).map(({ eventType }) => eventType)).toEqual([
    'BuildStarted',
    'BuildRequestedTasks',
    'BuildFinished',
  ]);
});

const now = '2026-03-02T12:00:00.000Z';

test.each<[query: string, selected: string]>([
  ['', '12'],
  ['buildOutcome:failed', '2'],
  ['buildTool:npm buildToolVersion:11.*', '2'],
  ['requested:gather', '1'],
  ['requested:*skip*', '2'],
  ['value:components=2', '12'],
  ['value:commit=*', '2'],
  ['tag:failed tag:held tag:changed', '2'],
  ['not tag:*', '1'],
  ['hasVerificationFailure', '2'],
  ['buildDuration:>1m', '2'],
  ['buildStartTime:2026-03-01', '1'],
  // `-1d` means the last 24 hours, not the last calendar day. So a monitor that asks at any hour finds the last daily run.
  ['buildStartTime:>-1d', '2'],
  ['buildStartTime:<today', '1'],
  ['npm.agentVersion:1.1.0', '2'],
  ['npm.environment.nodeVersion:24.0.0 npm.environment.nodeLocale:en-GB', '2'],
  ['-user:somebody', '12'],
  ['maven.buildCache.hasError', ''],
])('the query "%s" about builds selects the runs "%s"', (query, selected) => {
  const runs = selectRuns(query, [bare, troubled], now);

  expect(runs.map(({ id }) => id.at(-1)).join('')).toBe(selected);
});

test('the error for a misspelled query about builds has the position of the mistake', () => {
  expect(() => selectRuns('buildTool:npm buildTol:npm', [], now)).toThrow(
    expect.objectContaining({
      status: 400,
      message: expect.stringContaining('did you mean buildTool?'),
      members: expect.objectContaining({ parameter: 'query', position: 15 }),
    }),
  );
});

test('a query about builds selects no run if runs lack the field, such as gradle.pluginVersion', () => {
  const empty = buildFields.filter(
    ({ name }) => selectRuns(`not !${name}:*`, [bare, troubled], now).length === 0,
  );

  expect(empty).toHaveLength(106);
  expect(empty.map(({ name }) => name)).toContain('gradle.pluginVersion');
});
