/** Checks at every endpoint that an entry passes only if it was judged. Tests each policy, state and kind of source. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { describeResults, usualPolicies } from '../../src/ask/policy-result.ts';
import { openIndex } from '../../src/ask/published-index.ts';
import type { PolicyScan } from '../../src/ask/scan.ts';
import { nameSources } from '../../src/core/schema/names.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { readPolicies } from '../../src/site/policies.ts';
import { openSiteApi } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';
import { buildFolder, writeIndex } from '../harness/components.ts';
import { program } from '../harness/example.ts';
import { createFolder, openIndex as openFolder } from '../harness/index-folder.ts';
import { openTools } from '../harness/mcp-client.ts';

const day = '2026-11-27';

/**
 * Two ways in which a release gets each state:
 * - A source of end-of-support dates gives the first value as the support phase.
 * - There is no source, and the component has the second value as its support policy.
 */
const ends = {
  supported: [{ until: '2030-01-01' }, { policy: 'dated', lines: { '1.0': '2030-01-01' } }],
  'may-have-ended': [{ untilAtMost: '2027-06-01' }, { policy: 'term', months: 12 }],
  ended: [{ until: '2025-01-01' }, { policy: 'dated', lines: { '1.0': '2025-01-01' } }],
  'no-end': [undefined, { policy: 'none' }],
} as const;
type State = keyof typeof ends;
const states = Object.keys(ends) as State[];
const sources = ['answered', 'silent', 'none'] as const;
type Source = (typeof sources)[number];

const asked = [{ datasource: 'npm', packageName: 'x' }, { datasource: 'osv' }];
const endSource = { datasource: 'endoflife-date', product: 'x' };

const nameOf = (state: State, source: Source) => `${state}-${source}`;

/**
 * Defines a component with a source of end-of-support dates and a source of advisories. Both have answered, both are silent, or both are
 * missing.
 */
function define(state: State, source: Source): object {
  const [phase, own] = ends[state];
  const support = source === 'none' ? own : { policy: 'stated', source: endSource };
  const lines = phase && [{ line: '1.0', phases: [{ name: 'support', ...phase }] }];
  const seen = { firstSeen: '2026-11-01', sources: [] };
  return {
    definition: { sources: source === 'none' ? [] : asked, support },
    releases: [
      { version: '1.0.0', releaseTimestamp: '2026-11-01', timestampKind: 'observed', ...seen },
    ],
    data: {
      ...(source !== 'none' && { lines: lines ?? [] }),
      ...(source === 'answered' && { advisories: [] }),
    },
  };
}

const [rows, components] = [new Map<string, [State, Source]>(), {} as Record<string, any>];
for (const state of states) {
  for (const source of sources) {
    rows.set(nameOf(state, source), [state, source]);
    components[nameOf(state, source)] = define(state, source);
  }
}
const root = writeIndex(components, { staleAfterDays: 1_000_000 });
const folder = openFolder(root);
const ids = [...nameSources([...asked, endSource] as never).keys()];
const freshness: Record<string, object> = {};
for (const [name, [, source]] of rows) {
  folder.edit(`data/${name}.json`, components[name].data);
  if (source === 'answered') {
    freshness[name] = Object.fromEntries(ids.map((id) => [id, { answeredOn: day }]));
  }
}
folder.write('data/freshness.json', freshness);
const out = join(root, 'dist');
buildFolder(root, day);

/** The expected results of the policies `supported` and `secure`, by state and source. */
const table: Readonly<Record<State, Readonly<Record<Source, string>>>> = {
  supported: {
    answered: 'satisfied satisfied',
    silent: 'satisfied cannot-tell',
    none: 'satisfied does-not-apply',
  },
  'may-have-ended': {
    answered: 'cannot-tell satisfied',
    silent: 'cannot-tell cannot-tell',
    none: 'cannot-tell does-not-apply',
  },
  ended: {
    answered: 'unsatisfied satisfied',
    silent: 'unsatisfied cannot-tell',
    none: 'unsatisfied does-not-apply',
  },
  'no-end': {
    answered: 'does-not-apply satisfied',
    silent: 'cannot-tell cannot-tell',
    none: 'does-not-apply does-not-apply',
  },
};
const combinations = [...rows].flatMap(([name, [state, source]]) =>
  ['supported', 'secure'].map((policy, place) => {
    return { name, policy, state, source, result: table[state][source].split(' ')[place]! };
  }),
);

/**
 * Two exit statuses of `scan` for each result of an entry:
 * - `status`: The list also has an entry that satisfies both policies.
 * - `alone`: The list has only this entry.
 */
const exits: Readonly<Record<string, [status: number, alone: number]>> = {
  satisfied: [0, 0],
  unsatisfied: [1, 1],
  'cannot-tell': [3, 3],
  'does-not-apply': [0, 3],
};

const lists = createFolder();
function writeList(...names: string[]): string {
  const file = join(lists, 'list.txt');
  writeFileSync(file, names.map((name) => `${name} 1.0.0\n`).join(''));
  return file;
}

test('these tests cover 24 combinations of policy, support state and data sources', () => {
  expect(combinations).toHaveLength(24);
});

const ask = openSiteApi(out);
const sure = nameOf('supported', 'answered');

describe.each(combinations)('if policy $policy gives $result ($state, data $source)', (row) => {
  const { name, policy, result } = row;
  const status = ['satisfied', 'unsatisfied'].includes(result) ? result : 'not-applicable';

  test('scan exits with the matching status', async () => {
    const run = (...names: string[]) =>
      runCli(['scan', writeList(...names), '--out', out, '--policy', policy]);
    const both = await run(name, sure);
    const alone = await run(name);

    expect([both.status, alone.status], both.stderr).toEqual(exits[result]);
    expect(both.stderr === '').toBe(both.status !== 3);
    expect(both.stdout).toMatch(new RegExp(`^${policy}: .*satisfied|failed`, 'm'));
  });

  test('scan --json prints the result', async () => {
    const args = ['scan', writeList(name), '--out', out, '--policy', policy, '--json'];
    const { entries, results } = JSON.parse((await runCli(args)).stdout);

    expect(results).toMatchObject([{ status, details: { result } }]);
    expect(entries).toMatchObject([
      {
        fails: result === 'unsatisfied' ? [policy] : [],
        cannotTell: result === 'cannot-tell' ? [policy] : [],
      },
    ]);
  });

  test('the HTTP API returns the result', async () => {
    const path = `/packages/generic/${name}/1.0.0/policy-scans/${policy}`;
    const [scan] = (await (await ask(path, { method: 'POST' })).json()) as PolicyScan[];

    expect(scan).toMatchObject({ status, details: { result } });
    const words = { 'cannot-tell': 'cannot tell', 'does-not-apply': 'does not apply' }[result];
    expect(scan!.details.reason).toMatch(
      words ? `The policy ${words}: the entry ` : /^(?!.*The policy ).+\.$/,
    );
  });
});

describe.each(['supported', 'secure'])('the GitHub action with the policy %s', (policy) => {
  const ofPolicy = combinations.filter((row) => row.policy === policy);
  const names = ofPolicy.map(({ name }) => name);
  const args = ['src/cli.js', 'scan', writeList(...names), '--out', out, '--policy', policy];
  const env = { ...process.env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '' };
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: program, env });
  const marks = String(stdout).match(/^::.*$/gm) ?? [];

  test.each(ofPolicy)(
    'annotates only entries that fail or cannot be judged: $result (support: $state, data sources: $source)',
    ({ name, result }) => {
      const own = marks.filter((mark) => mark.includes(` title=${name} 1.0.0,`));
      const kind = { unsatisfied: /^::error /, 'cannot-tell': /^::warning / }[result];

      expect(own).toHaveLength(kind ? 1 : 0);
      expect(own[0] ?? '').toMatch(kind ?? /^$/);
    },
  );

  test('prints one warning for all entries to which the policy does not apply', () => {
    const inapplicable = ofPolicy.filter(({ result }) => result === 'does-not-apply');
    const own = marks.filter((mark) => mark.startsWith(`::warning title=${policy}::`));

    expect(own).toHaveLength(1);
    for (const { name } of inapplicable) {
      expect(own[0]).toContain(`${name} 1.0.0`);
    }
    expect(status).toBe(policy === 'supported' ? 1 : 3);
  });
});

const client = await openTools(openIndex(openSite(out)));
afterAll(() => client.close());

test('check_versions and scan name the same entries that a policy cannot judge', async () => {
  const list = writeList(...rows.keys());
  const { stdout } = await runCli(['scan', list, '--out', out]);
  const { text } = await client.callTool('check_versions', {
    text: [...rows.keys()].map((name) => `${name} 1.0.0`).join('\n'),
  });

  for (const policy of ['supported', 'secure']) {
    const [sum = ''] = new RegExp(`^${policy}: .*$`, 'm').exec(stdout) ?? [];
    const doubts = sum.replace(/: (?:\d+ (?:satisfied|failed)[,;] )+/, ': ');
    expect(text).toContain(doubts);
    expect(doubts).toMatch(/cannot tell \(.*\); does not apply to /);
  }
});

test('each policy in usualPolicies has the query of the built-in policy with the same name', () => {
  const builtIn = readPolicies(program, program).map(({ name, query }) => [name, query]);

  expect(builtIn).toEqual(expect.arrayContaining(Object.entries(usualPolicies)));
});

test("the summary of a policy's results is one line", () => {
  const ended = { subject: 'end', one: 'may have ended', many: 'may have ended' } as const;
  const judge = (text: string, outcome: any, cause?: typeof ended) => ({
    text,
    result: { outcome, ...(cause && { cause }) },
  });

  expect(describeResults('x', [])).toBeUndefined();
  expect(
    describeResults('x', [
      judge('a 1', 'satisfied'),
      judge('b 1', 'unsatisfied'),
      judge('c 1', 'cannot-tell', ended),
      judge('d 1', 'cannot-tell', ended),
      judge('e 1', 'not-released'),
    ]),
  ).toBe(
    'x: 1 satisfied, 1 failed, 1 not released yet (e 1), 2 cannot tell (c 1, d 1 may have ended).',
  );
});
