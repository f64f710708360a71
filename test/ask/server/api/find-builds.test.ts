import { expect, test } from 'vitest';
import type { Run } from '../../../../src/core/schemas/recorded/runs.ts';
import { apiOf } from '../../../harness/api.ts';
import { siteOf } from '../../../harness/site.ts';
import {
  allRuns as all,
  dayAfterRuns as day,
  old,
  publicationsIn,
  rootWithRuns,
  sound,
  troubled,
} from './recorded-runs.ts';
import { covers } from '../../../harness/covers.ts';

const out = siteOf(rootWithRuns(), day);
const get = apiOf(out);

const find = async (parameters: Readonly<Record<string, string>> = {}) => {
  const answer = await get(`/api/builds?${new URLSearchParams(parameters).toString()}`);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as { id: string }[];
};
const idsFor = async (query: string) => (await find({ query })).map(({ id }) => id);

test('/api/builds lists runs in the shape of the specification, oldest first, from an instant on', async () => {
  covers(
    'id',
    'availableAt: integer, epoch milliseconds',
    'buildToolType, buildToolVersion, buildAgentVersion',
    'GET /api/builds?since (epoch ms, 0 oldest first)',
    'A millisecond after the last availableAt gives nothing.',
    'JSON array of items',
  );
  const expected = [
    { run: old, tool: 'unknown', version: 'unknown', agent: '1.0.0' },
    { run: sound, tool: 'npm', version: '11.6.2', agent: '1.1.0' },
    { run: troubled, tool: 'npm', version: '11.7.0', agent: '1.1.0' },
  ].map(({ run: { id }, tool, version, agent }, place) => ({
    ...{ id, availableAt: publicationsIn(out)[place] },
    ...{ buildToolType: tool, buildToolVersion: version, buildAgentVersion: agent },
  }));

  expect(await find()).toEqual(expected);
  expect(await find({ since: '0' })).toEqual(await find());
  for (const [place, availableAt] of publicationsIn(out).entries()) {
    expect(await find({ since: String(availableAt) })).toEqual(expected.slice(place));
    expect(await find({ since: String(availableAt + 1) })).toEqual(expected.slice(place + 1));
  }
});

test('/api/builds lists each run once over all pages', async () => {
  covers('maxBuilds');
  const found: string[] = [];
  let next: string | undefined = '/api/builds?maxBuilds=1&since=0&query=buildDuration:*';
  while (next !== undefined) {
    const answer: Response = await get(next);
    found.push(...((await answer.json()) as { id: string }[]).map(({ id }) => id));
    next = /^<https:\/\/releases\.example\.com(\/.+)>; rel="next"$/.exec(
      answer.headers.get('link') ?? '',
    )?.[1];
  }

  expect(found).toEqual(all.map(({ id }) => id));
});

test.each<[string, readonly Run[], ...sentences: string[]]>([
  ['', all],
  ['buildTool:NPM', [sound, troubled]],
  ['buildTool:gradle', [], 'buildTool, buildToolVersion'],
  ['buildToolVersion:11.6.*', [sound], 'buildTool, buildToolVersion'],
  ['-buildToolVersion:*', [old]],
  [
    'buildOutcome:failed',
    [troubled],
    'outcome, duration, start time, failures',
    'A run failed where a source failed (not verification) or was held (verification).',
  ],
  ['buildDuration:[PT0.5S to 11s500ms]', [old, sound]],
  ['buildDuration:>1m', [troubled], 'outcome, duration, start time, failures'],
  ['buildStartTime:2026-03-01', [sound], 'outcome, duration, start time, failures'],
  ['buildStartTime:>=-1d', [troubled]],
  ['buildStartTime:2026-03-01T05:23+01:00', [sound]],
  [
    'requested:daily',
    [sound, troubled],
    'user, hostname, project, requested',
    'User and host are not recorded: a term on them selects no run, and its negation selects all.',
  ],
  ['value:node=24.0.0', [old], 'value: custom key-value pairs'],
  ['value:"comm*=0123*"', [sound, troubled]],
  ['tag:held', [troubled], 'tag: tags'],
  [
    'hasVerificationFailure hasNonVerificationFailure:true',
    [troubled],
    'outcome, duration, start time, failures',
  ],
  ['!hasVerificationFailure', [old, sound]],
  ['daily -held', [sound]],
  [
    'npm.agentVersion:1.1.0',
    [sound, troubled],
    'Fields of Gradle, Maven, Bazel, sbt, npm, Python and Docker select only builds of that tool',
    'A run that npm started has the fields of npm that are known of it. The fields of other tools are never known: a term on them selects no run, and its negation and !field:* select all.',
  ],
  ['project:MY-*', [troubled], 'user, hostname, project, requested'],
  ['!project:*', [old, sound]],
  ['!npm.agentVersion:*', [old]],
  ['npm.requestedCommands:daily NPM.environment.nodeVersion:24.*', [sound, troubled]],
  ['user:jane or hostname:* or project:x', [], 'user, hostname, project, requested'],
  ['-user:jane', all, 'user, hostname, project, requested'],
  ['!user:*', all, 'user, hostname, project, requested'],
  [
    'npm.projectName:my-index npm.environment.operatingSystem:linux',
    [troubled],
    'Fields of Gradle, Maven, Bazel, sbt, npm, Python and Docker select only builds of that tool',
  ],
  [
    'npm.environment.numberOfCpuCores:>3 npm.environment.nodeLocale:en-*',
    [troubled],
    'Fields of Gradle, Maven, Bazel, sbt, npm, Python and Docker select only builds of that tool',
  ],
  [
    'npm.projectName:*',
    [troubled],
    'Fields of Gradle, Maven, Bazel, sbt, npm, Python and Docker select only builds of that tool',
  ],
  [
    '-npm.projectName:*',
    [old, sound],
    'Fields of Gradle, Maven, Bazel, sbt, npm, Python and Docker select only builds of that tool',
  ],
  [
    'gradle.svcSettings.backgroundPublicationEnabled:true',
    [],
    'The neutral word svc stands where an identifier contains the product name',
  ],
  ['maven.environment.jvmMaxMemoryHeapSize:>1g or python.agentVersion:* or docker.buildName:x', []],
  [
    'gradle.buildCache.hasError or gradle.buildCache.hasError:false',
    [],
    'Fields of Gradle, Maven, Bazel, sbt, npm, Python and Docker select only builds of that tool',
  ],
  [
    '!gradle.buildCache.hasError:*',
    all,
    'Fields of Gradle, Maven, Bazel, sbt, npm, Python and Docker select only builds of that tool',
  ],
  [
    '!gradle.buildCache.hasError',
    all,
    'Fields of Gradle, Maven, Bazel, sbt, npm, Python and Docker select only builds of that tool',
  ],
  [
    '-gradle.buildCache.hasError',
    all,
    'Fields of Gradle, Maven, Bazel, sbt, npm, Python and Docker select only builds of that tool',
  ],
])('/api/builds selects by %s', async (query, expected, ...sentences) => {
  covers(...sentences);
  expect(await idsFor(query)).toEqual(expected.map(({ id }) => id));
});

test.each([
  ['query=isLatest:true', 'query'],
  ['query=buildOutcome:odd', 'query'],
  ['query=!user', 'query'],
  ['maxBuilds=0', 'maxBuilds'],
  ['maxBuilds=1001', 'maxBuilds'],
  ['since=yesterday', 'since'],
  ['since=20260131', 'since'],
  ['after=abcdefghijklm', 'after'],
  ['after=', 'after'],
])('/api/builds rejects %s', async (parameters, parameter) => {
  covers('maxBuilds');
  const answer = await get(`/api/builds?${parameters}`);

  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ parameter });
});

test('a field of builds that is no flag has no negation without a colon', async () => {
  const answer = await get('/api/builds?query=!project:x');

  expect(await answer.json()).toMatchObject({
    detail: 'query: character 10: expected * behind !project:; got "x"',
  });
});

test('an error on a field of builds names fields of builds', async () => {
  const answer = await get('/api/builds?query=gradle.nonsense:x');

  expect(await answer.json()).toMatchObject({
    detail: expect.stringContaining(
      'the name of a field (for instance project, buildTool, buildToolVersion;',
    ) as string,
  });
});

test('a query with too much work is rejected, with a way to narrow it', async () => {
  const many = Array.from({ length: 3000 }, (_, index) => ({
    ...sound,
    id: `b${String(index).padStart(12, '0')}`,
    at: new Date(Date.parse(sound.at) + index).toISOString(),
  }));
  const get = apiOf(siteOf(rootWithRuns(many), day));
  const ask = (query: string, since = '0') =>
    get(`/api/builds?${new URLSearchParams({ query, since }).toString()}`);

  const refused = await ask(Array(94).fill('buildDuration:>1s').join(' or '));
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    parameter: 'query',
    detail: expect.stringMatching(
      /among 3,000 runs.*\. Use fewer terms, or a later since\.$/,
    ) as string,
  });
  expect(
    (await ask(Array(94).fill('buildDuration:>1s').join(' or '), many.at(-10)!.at)).status,
  ).toBe(200);
  expect(await (await ask('buildDuration:>1s')).json()).toHaveLength(100);
});
