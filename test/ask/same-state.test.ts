import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints, answerFromTable } from '../../src/ask/server/api/router.ts';
import { checkVersionsTool } from '../../src/ask/server/mcp/check-versions-tool.ts';
import { openIndex, type PublishedIndex } from '../../src/ask/answers/published-index.ts';
import { addDays, type Day } from '../../src/core/model/dates.ts';
import type { Row } from '../../src/core/query/fields.ts';
import type { VersionAnswer } from '../../src/core/schemas/published/answer-schemas.ts';
import type { PolicyScan } from '../../src/core/schemas/published/policy-scan.ts';
import { computeDetailsOn } from '../../src/ask/answers/component-on.ts';
import { describeDetails } from '../../src/decide/details.ts';
import type { JudgedLine, JudgedRelease } from '../../src/decide/judge.ts';
import { states, type State } from '../../src/core/model/states.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { createLineList } from '../../src/site/render/html/line-list.ts';
import { stateTones } from '../../src/core/model/words.ts';
import { findDrawnState } from '../../src/site/render/html/picture.ts';
import { loadComponents } from '../../src/site/load-component.ts';
import { checkout, fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { pick, randomFrom } from '../harness/random.ts';
import { definition, removeTemporaryFolders } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { rootOf, siteOf, siteOfFixtureIndex } from '../harness/site.ts';

const observed = { timestampKind: 'observed' } as const;
const recorded = [
  { version: '1.0', releaseTimestamp: '2025-09-01', ...observed, notListedOn: '2025-06-01' },
  { version: '1.1', releaseTimestamp: '2026-02-01', ...observed },
  { version: '1.2', releaseTimestamp: '2026-03-01', deprecated: 'Broken.' },
  { version: '1.2.1', releaseTimestamp: '2026-04-01' },
  { version: '1.3', releaseTimestamp: '2026-09-01', ...observed, notListedOn: '2026-07-01' },
  { version: '1.4', releaseTimestamp: '2026-10-01', withdrawnSince: '2026-11-01' },
  { version: '1.5', releaseTimestamp: '2026-11-01' },
  { version: '1.6' },
];
const phases = [
  { name: 'active', months: 6 },
  { name: 'security', months: 14 },
  { name: 'extended', months: 30, paid: true },
];
const policies = {
  term: { policy: 'term', months: 14 },
  phases: { policy: 'term', phases },
  newest: { policy: 'latest-lines', count: 3 },
  dated: { policy: 'dated', lines: { '1.2': '2026-12-24', '1.4': '2027-06-01' } },
  ended: { policy: 'ended', until: '2027-03-01', deprecatedFrom: '2026-12-24' },
  none: { policy: 'none' },
};

// With this seed, the asked releases have every state.
const random = randomFrom(39);
const days = Array.from({ length: 6 }, (_, index) => addDays(fixtureDay, index * 80));
const settings = {
  baseUrl: 'https://releases.example.com',
  retryMs: 1,
  heartbeatMs: 1,
  lifetimeMs: 1,
};

/** A root, and the index built from it on the first day. */
interface Asked {
  readonly root: string;
  readonly index: PublishedIndex;
  readonly day: Day;
}

interface Case {
  readonly name: string;
  readonly line: JudgedLine;
  readonly release: JudgedRelease;
}

let roots: { root: string; site: string }[];

beforeAll(() => {
  const root = rootOf(
    Object.fromEntries(
      Object.entries(policies).map(([name, support]) => [
        name,
        { definition: definition({ title: name, support }), releases: recorded },
      ]),
    ),
  );
  roots = [
    { root: fixtureIndex, site: siteOfFixtureIndex() },
    { root, site: siteOf(root) },
  ];
});

afterAll(removeTemporaryFolders);

function readerOf(site: string) {
  const known = new Map<string, string | undefined>();
  return (path: string) => {
    const file = join(site, path);
    if (!known.has(path)) {
      known.set(path, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
    }
    return Promise.resolve(known.get(path));
  };
}

async function text({ index }: Asked, path: string, init?: RequestInit): Promise<string> {
  const answer = await answerFromTable(endpoints, {
    request: new Request(`${settings.baseUrl}${path}`, init),
    index,
    settings,
  });
  expect(answer?.status, path).toBe(200);
  return answer!.text();
}

const json = async <Document>(asked: Asked, path: string, init?: RequestInit) =>
  JSON.parse(await text(asked, path, init)) as Document;

/** The answer of the command. */
async function explain(
  { root, day }: Asked,
  name: string,
  version: string,
): Promise<VersionAnswer> {
  const { stdout } = await runHere([
    'explain',
    name,
    version,
    '--root',
    root,
    '--as-of',
    day,
    '--json',
  ]);
  return (JSON.parse(stdout) as { answer: VersionAnswer }).answer;
}

type Bounded = Partial<Record<'supportedUntil' | 'supportedUntilAtMost', string | undefined>>;

/** A state with the bounds of its end, and its day. */
function factsOf({ state, ...bounds }: { state?: unknown } & Bounded) {
  const { supportedUntil, supportedUntilAtMost } = bounds;
  return { state, supportedUntil, supportedUntilAtMost };
}

/** The state of a release at each interface. */
async function expectSameAtEachDoor(asked: Asked, { name, line, release }: Case): Promise<void> {
  const { version, state, isSupported } = release;
  const about = `${name} ${version} on ${asked.day}`;
  const end = line.phases.findLast(({ paid }) => !paid);
  const expected = { state, supportedUntil: end?.until, supportedUntilAtMost: end?.untilAtMost };
  const path = `${name}/releases/${encodeURIComponent(version)}`;

  const answer = await json<VersionAnswer>(asked, `/api/components/${path}`);
  expect({ ...factsOf(answer), asOf: answer.asOf }, `API: ${about}`).toEqual({
    ...expected,
    asOf: asked.day,
  });
  expect({ isSupported: answer.isSupported, isDeprecated: answer.isDeprecated }, about).toEqual({
    isSupported,
    isDeprecated: release.isDeprecated,
  });

  const query = encodeURIComponent(`component:${name} version:"${version}"`);
  const rows = await json<Row[]>(asked, `/api/releases?query=${query}`);
  const row = rows.find((found) => found.version === version)!;
  expect(factsOf(row), `query: ${about}`).toEqual(expected);
  expect([row.isSupported, row.isDeprecated], about).toEqual([isSupported, release.isDeprecated]);

  const said = await checkVersionsTool.answer({ text: `${name} ${version}` }, asked);
  const [item] = said.content['items'] as [Record<string, unknown>];
  expect(factsOf(item), `tool: ${about}`).toEqual(expected);

  const explained = await explain(asked, name, version);
  expect(factsOf(explained), `explain: ${about}`).toEqual(expected);

  const [scan] = await json<PolicyScan[]>(
    asked,
    `/packages/generic/${name}/${encodeURIComponent(version)}/policy-scans/supported`,
    { method: 'POST' },
  );
  expect(factsOf({ ...scan!.details, state }), `scan: ${about}`).toEqual(expected);
  expect(scan!.details.reason, `scan: ${about}`).toContain(answer.sentence);
}

test('a version has the same state and end at every interface, on the day of the build and later', async () => {
  const seen = new Set<State>();
  let asked = 0;
  for (const { root, site } of roots) {
    const read = readerOf(site);
    for (const day of days) {
      const { components } = loadComponents(openRoot(root, checkout), day);
      const all = components.flatMap((component) => {
        const { shown, older } = createLineList(component, {
          details: computeDetailsOn(describeDetails(component), day),
          replacement: undefined,
        });
        const views = new Map([...shown, ...older].map((view) => [view.name, view]));
        return component.judgement.lines.flatMap((line) => {
          const view = views.get(line.name);
          // The page of the same day: its marks, and the days that its script uses.
          if (view) {
            const end = line.phases.findLast(({ paid }) => !paid);
            expect(
              [view.tone, view.end.until, view.end.atMost],
              `page: ${component.name} ${line.name}`,
            ).toEqual([stateTones[findDrawnState(line, day)], end?.until, end?.untilAtMost]);
          }
          return line.releases.map((release) => ({ name: component.name, line, release }));
        });
      });
      const at: Asked = { root, day, index: openIndex({ read }, { today: () => day }) };
      for (let count = 0; count < 10; count += 1) {
        const chosen = pick(random, all);
        seen.add(chosen.release.state);
        asked += 1;
        await expectSameAtEachDoor(at, chosen);
      }
    }
  }
  expect(asked).toBe(120);
  expect(seen).toEqual(new Set(states.slice(0, -3)));
});
