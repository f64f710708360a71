import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultBudgets } from '../../../src/record/gather/ask.ts';
import { askSources, uniteAnswers, type GatherResult } from '../../../src/record/gather/gather-component.ts';
import { Definition } from '../../../src/record/definition.ts';
import { Freshness } from '../../../src/core/schemas/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../../src/core/schemas/recorded.ts';
import { disturbed } from '../../harness/disturbance.ts';
import { known, news, recordedOf, standIn, testHttp } from '../../harness/gathering.ts';
import { pick, randomFrom } from '../../harness/random.ts';
import { definition } from '../../harness/root.ts';
import type { Listed, ImitatedUpstream } from '../../harness/imitated-upstream.ts';
import { remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import { startUpstream, type Handler, type Upstream } from '../../harness/upstream.ts';

/** RELEASE_INDEX_FUZZ_SECONDS=600 for a long run; RELEASE_INDEX_SEED=123 to begin with the seed that an earlier run failed with. */
const seconds = Number(process.env['RELEASE_INDEX_FUZZ_SECONDS'] ?? 15);
const firstSeed = Number(process.env['RELEASE_INDEX_SEED'] ?? 1);
const days = ['2026-06-30', '2026-07-01', '2026-07-02'];

/** Each day brings versions whose days are still to be asked for, where that takes a request. */
function newUntil(day: string): Listed[] {
  const majors = days.slice(0, days.indexOf(day) + 1).map((_, index) => index + 3);
  return majors.flatMap((major) =>
    [0, 1, 2, 3, 4].map((minor) => ({ ...news, version: `${major}.${minor}` })),
  );
}

let upstream: Upstream;
let handler: Handler;

beforeAll(async () => {
  upstream = await startUpstream(() => (request, response) => handler(request, response));
});
afterAll(() => upstream.close());

test(
  'whatever an upstream answers, no release is lost, nothing crashes, and what is recorded can be read',
  async () => {
    const end = performance.now() + seconds * 1000;
    const counts = { answered: 0, failed: 0, held: 0 };

    for (let seed = firstSeed; performance.now() < end; seed += 1) {
      const random = randomFrom(seed);
      const imitation = pick(random, remoteUpstreams);
      let before: GatherResult | undefined;
      for (const day of days) {
        const result = await gatherOn(day, imitation, random, before);
        for (const { kind } of result.sources) counts[kind] += 1;
        expectSound(
          result,
          before?.releases ?? recorded(imitation),
          `${imitation.name}, RELEASE_INDEX_SEED=${seed}, ${day}`,
        );
        before = result;
      }
    }

    const all = counts.answered + counts.failed + counts.held;
    expect(all).toBeGreaterThan(60);
    // The disturbances are strong enough to be refused, and weak enough to be read.
    expect(Math.min(counts.answered, counts.failed)).toBeGreaterThan(all / 5);
  },
  (seconds + 30) * 1000,
);

function recorded(imitation: ImitatedUpstream): RecordedRelease[] {
  return recordedOf(imitation.source(upstream.url, known));
}

async function gatherOn(
  day: string,
  imitation: ImitatedUpstream,
  random: () => number,
  before: GatherResult | undefined,
): Promise<GatherResult> {
  const documents = imitation.documents!([...known, ...newUntil(day)], {
    url: upstream.url,
    pageSize: pick(random, [3, 100]),
  });
  handler = disturbed(documents, random);
  const http = testHttp({ clock: { sleep: () => Promise.resolve(), random: () => 0 } });
  const input = {
    component: 'svc',
    definition: Definition.parse(definition({ sources: [imitation.source(upstream.url, known)] })),
    releases: before?.releases ?? recorded(imitation),
    freshness: before?.freshness ?? { sources: {} },
  };
  const context = {
    http: standIn(http, imitation, upstream.url),
    day,
    npmRegistry: () => upstream.url,
    trustedRoot: () => Promise.reject(new Error('no attestation is expected')),
    budgets: defaultBudgets,
    runEnd: performance.now() + defaultBudgets.runMs,
  };
  try {
    return uniteAnswers(input, await askSources(input, context), day);
  } finally {
    await http.close();
  }
}

function expectSound(result: GatherResult, before: readonly RecordedRelease[], where: string): void {
  const after = new Map(result.releases.map((release) => [release.version, release]));
  for (const { version, firstSeen, releaseTimestamp, timestampKind } of before) {
    const release = after.get(version);
    expect(release, where).toMatchObject({ version, firstSeen });
    if (releaseTimestamp !== undefined && timestampKind !== 'observed')
      expect(release!.releaseTimestamp, where).toBe(releaseTimestamp);
  }
  expect(RecordedData.safeParse({ releases: result.releases }).error, where).toBeUndefined();
  expect(Freshness.safeParse(result.freshness).error, where).toBeUndefined();
  expect(result.findings.length, where).toBeLessThanOrEqual(100);
  for (const { stack, message } of result.findings) {
    expect(stack, where).toBeUndefined();
    expect(message.length, where).toBeLessThan(1000);
  }
}
