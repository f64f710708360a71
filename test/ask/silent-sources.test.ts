import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ask } from '../../src/ask/answers/ask.ts';
import { askExactly } from '../../src/ask/answers/version-answer.ts';
import { checkVersionsTool } from '../../src/ask/server/mcp/check-versions-tool.ts';
import { tools } from '../../src/ask/server/mcp/tools.ts';
import { openFolder } from '../../src/cli/open-published.ts';
import type { PublishedIndex } from '../../src/ask/answers/published-index.ts';
import type { VersionAnswer } from '../../src/core/schemas/published/answer-schemas.ts';
import type { PolicyScan } from '../../src/core/schemas/published/policy-scan.ts';
import { apiOf } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';
import { definition, writeIn } from '../harness/root.ts';
import { rootOf, siteOf } from '../harness/site.ts';

const day = '2026-11-22';
const answered = { since: '2026-11-01' };
const failed = { since: '2026-11-20', reason: 'answered 503', lastAnswered: '2026-11-19' };
const releases = [{ version: '1.0', releaseTimestamp: '2026-01-10' }];
const waits = {
  ...{ component: 'waiting', kind: 'change', id: 'waiting-4f2a91b3c5', since: '2026-11-20' },
  ...{
    causes: ['npm:waiting'],
    reason: 'its latest release vanishes',
  },
};

/** A component of npm and OSV whose sources are in these states. */
function componentOf(name: string, npm: object, osv?: object) {
  return {
    definition: definition({
      title: `The ${name}`,
      sources: [{ datasource: 'npm', packageName: name }, ...(osv ? [{ datasource: 'osv' }] : [])],
    }),
    releases,
    freshness: { sources: { [`npm:${name}`]: npm, ...(osv && { osv }) } },
  };
}

let root: string;
let out: string;
let index: PublishedIndex;
let api: ReturnType<typeof apiOf>;

beforeAll(() => {
  root = rootOf({
    live: componentOf('live', answered),
    silent: componentOf('silent', failed),
    never: { ...componentOf('never', answered), freshness: { sources: {} } },
    watched: componentOf('watched', answered, failed),
    unwatched: componentOf('unwatched', answered, { since: '2026-11-20', reason: 'answered 503' }),
    waiting: { ...componentOf('waiting', answered), waits },
  });
  writeIn(root, 'data/watched.json', { releases, advisories: [] });
  out = siteOf(root, day);
  index = openFolder(out, () => day).index;
  api = apiOf(out);
});

/** The answer of each door to a question about a version. */
async function answersOf(component: string, version: string): Promise<VersionAnswer[]> {
  const boxed = await ask(index, `${component} ${version}`);
  const path = `/api/components/${component}/releases/${version}`;
  const body = (await (await api(path)).json()) as VersionAnswer;
  const explained = await runCli([
    ...['explain', component, version, '--json'],
    ...['--root', root, '--as-of', day],
  ]);
  const { answer } = await askExactly(index, component, version);

  return [
    answer,
    (boxed as { answer: VersionAnswer }).answer,
    body,
    (JSON.parse(explained.stdout) as { answer: VersionAnswer }).answer,
  ];
}

test.each([
  ['live', 'not-released', 'The live 2.0 is not released yet.'],
  [
    'silent',
    'unknown-line',
    'The silent 2.0 is not known on 2026-11-22: a source last answered on 2026-11-19.',
  ],
  [
    'never',
    'unknown-line',
    'The never 2.0 is not known on 2026-11-22: a source has not answered yet.',
  ],
  [
    'waiting',
    'unknown-line',
    'The waiting 2.0 is not known on 2026-11-22: an answer of its sources waits for review.',
  ],
])('a later version of %s is %s', async (component, state, sentence) => {
  for (const answer of await answersOf(component, '2.0')) {
    expect(answer).toMatchObject({ state, sentence });
  }
});

test('the tool and a scan say that a later version is not released', async () => {
  const { content, text } = await checkVersionsTool.answer({ text: 'live 2.0' }, { index, day });
  const { stdout } = await runCli([
    ...['scan', 'live@2.0', '--policy', 'supported', '--json'],
    ...['--root', root, '--as-of', day],
  ]);
  const [result] = (JSON.parse(stdout) as { results: PolicyScan[] }).results;
  const sentence = 'The live 2.0 is not released yet.';

  expect(content.items).toMatchObject([{ state: 'not-released' }]);
  expect(text).toContain(sentence);
  expect(result!.details.reason).toContain(sentence);
});

test('a later version is not known to an index that is too old', async () => {
  const { index: old } = openFolder(out, () => '2026-12-20');
  const { answer } = await askExactly(old, 'live', '2.0');

  expect(answer).toMatchObject({
    state: 'unknown-line',
    sentence: 'The live 2.0 is not known on 2026-12-20: the index is of 2026-11-22.',
  });
});

test.each([
  ['live', 'Nothing is due; it is the newest version. Advisories: not known.'],
  [
    'silent',
    'Nothing is due; it is the newest version. Advisories: not known. A source last answered on 2026-11-19; newer releases may be missing.',
  ],
  [
    'watched',
    'Nothing is due; it is the newest version. A source last answered on 2026-11-19; newer advisories may be missing.',
  ],
  ['unwatched', 'Nothing is due; it is the newest version. Advisories: not known.'],
])('a verdict on %s says what it rests on', async (component, words) => {
  for (const { advice, because } of await answersOf(component, '1.0')) {
    expect([advice, ...because].join(' ')).toBe(words);
  }
});

test('no door says that no advisory affects a release of which none is known', async () => {
  const path = '/api/components/unwatched/releases/1.0';
  const verdict = (await (await api(path)).json()) as VersionAnswer;
  expect(verdict).not.toHaveProperty('advisories');
  expect(verdict).not.toHaveProperty('isVulnerable');

  const all = await ask(index, 'security');
  expect(all).toMatchObject({
    releases: [],
    notes: ['Nothing matches isVulnerable.', 'Advisories: not known for 5 of 6 components.'],
  });

  const check = tools.find(({ name }) => name === 'check_versions')!;
  const text = 'unwatched 1.0\nsilent 1.0';
  const { content } = await check.answer({ text } as never, { index, day } as never);
  expect(content['notes']).toEqual([
    'Advisories: not known for 2 of 2.',
    'The silent: a source last answered on 2026-11-19; newer releases may be missing.',
  ]);

  const scanned = await runCli([
    ...['scan', 'unwatched@1.0', '--policy', 'secure'],
    ...['--root', root, '--as-of', day],
  ]);
  expect(scanned.stdout).toContain('Advisories: not known for unwatched.');

  const page = readFileSync(join(out, 'unwatched.html'), 'utf8');
  expect(page).toContain('Advisories: not known.');
});
