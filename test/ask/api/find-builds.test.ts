import { expect, test } from 'vitest';
import type { Run } from '../../../src/core/schemas/journal.ts';
import { apiOf } from '../../harness/api.ts';
import { siteOf } from '../../harness/site.ts';
import {
  allRuns as all,
  dayAfterRuns as day,
  old,
  rootWithRuns,
  sound,
  troubled,
} from './recorded-runs.ts';
import { covers } from '../../harness/covers.ts';

const get = apiOf(siteOf(rootWithRuns(), day));

const find = async (parameters: Readonly<Record<string, string>> = {}) => {
  const answer = await get(`/api/builds?${new URLSearchParams(parameters).toString()}`);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as { id: string }[];
};
const idsFor = async (query: string) => (await find({ query })).map(({ id }) => id);

test('/api/builds lists runs in the shape of the specification, oldest first, from an instant on', async () => {
  covers(25, 26, 27, 143, 145);
  const expected = [
    { run: old, tool: 'unknown', version: 'unknown', agent: '1.0.0' },
    { run: sound, tool: 'npm', version: '11.6.2', agent: '1.1.0' },
    { run: troubled, tool: 'npm', version: '11.7.0', agent: '1.1.0' },
  ].map(({ run: { id, finishedAt }, tool, version, agent }) => ({
    ...{ id, availableAt: Date.parse(finishedAt) },
    ...{ buildToolType: tool, buildToolVersion: version, buildAgentVersion: agent },
  }));

  expect(await find()).toEqual(expected);
  expect(await find({ since: '0' })).toEqual(await find());
  const since = String(Date.parse(troubled.finishedAt));
  expect((await find({ since })).map(({ id }) => id)).toEqual([sound.id, troubled.id]);
});

test('/api/builds lists each run once over all pages', async () => {
  covers(144);
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

test.each<[string, readonly Run[], ...sentences: number[]]>([
  ['', all],
  ['buildTool:NPM', [sound, troubled]],
  ['buildTool:gradle', [], 108],
  ['buildToolVersion:11.6.*', [sound], 108],
  ['-buildToolVersion:*', [old]],
  ['buildOutcome:failed', [troubled], 111],
  ['buildDuration:[PT0.5S to 11s500ms]', [old, sound]],
  ['buildDuration:>1m', [troubled], 111],
  ['buildStartTime:2026-03-01', [sound], 111],
  ['buildStartTime:>=-1d', [troubled]],
  ['buildStartTime:2026-03-01T05:23+01:00', [sound]],
  ['requested:daily', [sound, troubled], 107],
  ['value:node=24.0.0', [old], 109],
  ['value:"comm*=0123*"', [sound, troubled]],
  ['tag:held', [troubled], 110],
  ['hasVerificationFailure hasNonVerificationFailure:true', [troubled], 111],
  ['!hasVerificationFailure', [old, sound]],
  ['daily -held', [sound]],
  ['npm.agentVersion:1.1.0', [sound, troubled], 112],
  ['npm.requestedCommands:daily NPM.environment.nodeVersion:24.*', [sound, troubled]],
  ['user:jane or hostname:* or project:x', [], 107],
  ['-user:jane', all, 107],
  ['!user:*', all, 107],
  ['npm.projectName:my-index npm.environment.operatingSystem:linux', [troubled], 112],
  ['npm.environment.numberOfCpuCores:>3 npm.environment.nodeLocale:en-*', [troubled], 112],
  ['npm.projectName:*', [troubled], 112],
  ['-npm.projectName:*', [old, sound], 112],
  ['gradle.svcSettings.backgroundPublicationEnabled:true', [], 3],
  ['maven.environment.jvmMaxMemoryHeapSize:>1g or python.agentVersion:* or docker.buildName:x', []],
  ['gradle.buildCache.hasError or gradle.buildCache.hasError:false', [], 112],
  ['!gradle.buildCache.hasError:*', all, 112],
  ['!gradle.buildCache.hasError', all, 112],
  ['-gradle.buildCache.hasError', all, 112],
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
])('/api/builds rejects %s', async (parameters, parameter) => {
  covers(144);
  const answer = await get(`/api/builds?${parameters}`);

  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ parameter });
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
    detail: expect.stringMatching(/fewer terms, or a later since.* among 3,000 builds/) as string,
  });
  expect(
    (await ask(Array(94).fill('buildDuration:>1s').join(' or '), many.at(-10)!.at)).status,
  ).toBe(200);
  expect(await (await ask('buildDuration:>1s')).json()).toHaveLength(100);
});
