import { beforeAll, describe, expect, test } from 'vitest';
import {
  checkPairs,
  checkRandomLists,
  exampleDay,
  openAll,
  planOf,
  planOfText,
  versionsOf,
  type IndexName,
  type OpenedIndex,
  type Version,
} from './checked-plans.ts';
import { checkout } from '../../harness/checkout.ts';
import { runHere } from '../../harness/run-here.ts';
import { shortSteps } from './planning.ts';

let opened: Record<IndexName, OpenedIndex>;

beforeAll(async () => {
  opened = await openAll();
});

describe('each state of a plan keeps what works', () => {
  test.each(['stops', 'replaced'] as const)('for all pairs of the index "%s"', async (name) => {
    await checkPairs(opened[name], versionsOf(opened[name]));
  });

  // All pairs of the example, and more lists, take minutes.
  test.each([
    ['stops', 300],
    ['replaced', 300],
    ['example', 50],
  ] as const)('for random lists of the index "%s"', async (name, count) => {
    await checkRandomLists(opened[name], count);
  });
});

describe('the plans of what most customers run', () => {
  test.each<[list: string, steps: string[], words: RegExp]>([
    [
      'svc@2025.2 build-cache-node@20.0',
      [
        'svc 2025.2 > 2026.3 2026-12-31: ends-soon',
        'build-cache-node 20.0 > edge-node 2.1.0 2026-12-31: deprecated',
      ],
      /^Two things to do by 31 Dec 2026\..*Move to 2026\.3 by 2026-12-31, before Build cache node moves to Edge node 2\.1\.0\./s,
    ],
    ...['svc@2025.3', 'svc@2025.4'].map((svc): [string, string[], RegExp] => [
      `${svc} build-cache-node@21.2`,
      ['build-cache-node 21.2 > edge-node 1.7.0 2026-12-31: deprecated'],
      /^One thing to do by 31 Dec 2026\..*The newest is 2\.1\.0\. Edge node 2\.1\.0 needs Server 2026\.1\.0 or later\./s,
    ]),
    [
      'edge-node@2.1.0 svc@2025.2',
      ['svc 2025.2 > 2026.3 now: ends-soon (1)'],
      /^One thing to do now\..*Move to 2026\.3 now\./s,
    ],
    [
      'build-agent-gradle@4.2 svc@2025.2',
      ['svc 2025.2 > 2026.3 now: ends-soon (1)'],
      /^One thing to do now\..*Move to 2026\.3 now\./s,
    ],
    [
      'edge-node@2.1.0 svc@2025.4',
      ['svc 2025.4 > 2026.3 now: conflict (1)'],
      /Move Server 2025\.4 to 2026\.3 now\. Edge node 2\.1\.0 needs Server 2026\.1\.0 or later\./,
    ],
    [
      'build-agent-gradle@4.4.0 svc@2025.4',
      [],
      /build-agent-gradle 4\.4\.0 with svc 2025\.4: not stated; the vendor last stated 4\.3\.3\. Advisories: not known\.\n/,
    ],
    [
      'svc@2025.1 edge-node@2.1.0 build-agent-npm@4.1.1 build-cache-node@20.0',
      [
        'svc 2025.1 > 2026.3 now: ended (1)',
        'build-cache-node 20.0 > edge-node 2.1.0 2026-12-31: deprecated',
      ],
      /^Two things to do: one now, one by 31 Dec 2026\. Then nothing is due before .*\nbuild-agent-npm 4\.1\.1 with svc 2026\.3: not stated; the vendor last stated 4\.1\.0\.\n/s,
    ],
  ])('%s', async (list, steps, words) => {
    const versions = list.split(' ').map((each) => each.split('@') as unknown as Version);
    const plan = await planOf(opened.example, versions);

    expect(shortSteps(plan)).toEqual(steps);
    expect([plan.text, ...plan.steps.map(({ text }) => text), ...plan.notes].join('\n')).toMatch(
      words,
    );
  });
});

const letter = `ARG SVC_VERSION=2025.1
edge-node 2.1.0
build-agent-gradle 4.0
build-agent-maven 1.21
build-agent-npm 2.0.3
build-agent-sbt 1.4
svcctl 1.20
build-cache-node 20.0
test-distribution-agent 3.2
svc-reporting-kit 2.2.0
svc-artifact-cache-cli 1.0.0
svc-provenance-governor 1.5.0
node 20.1.0
postgresql 15`;

test.each<[text: string, headline: string, steps: string[], questions: string[]]>([
  [
    'svc 2026.3\nARG SVC_VERSION=2025.1\ngradle agent 4.0',
    'One thing to do now. Then nothing is due before 30 Dec 2027.',
    ['svc 2025.1 > 2026.3 now: ended'],
    [],
  ],
  [
    'svc 2026.3\nMaven agent 1.21',
    'Nothing is due before 30 Dec 2027. build-agent-maven 1.21 with svc 2026.3: not stated. Advisories: not known.',
    [],
    [],
  ],
  [
    'svc 2026.3\nnode 20.1.0\nseverr 2025.1',
    '2 questions first.',
    [],
    ['build-cache-node@20.1', 'svc@2025.1'],
  ],
  [
    letter,
    '1 question first. Then two things to do: one now, one by 31 Dec 2026.',
    [
      'svc 2025.1 > 2026.3 now: ended (3)',
      'build-cache-node 20.0 > edge-node 2.1.0 2026-12-31: deprecated',
    ],
    ['build-cache-node@20.1'],
  ],
])('the plan for a pasted text begins with its questions: %j', async (...expected) => {
  const [text, headline, steps, questions] = expected;
  const plan = await planOfText(opened.example, text);

  expect(plan.text).toBe(headline);
  expect(shortSteps(plan)).toEqual(steps);
  expect(plan.notRead.flatMap(({ didYouMean = [] }) => didYouMean)).toEqual(questions);
});

test('a scan names the goal of the plan, not another', async () => {
  const items = ['svc@2025.4', 'build-cache-node@21.2'];
  const { stdout } = await runHere(['scan', ...items, '--root', checkout, '--as-of', exampleDay]);

  expect(stdout).toMatch(/^build-cache-node@21\.2 .* edge-node 1\.7\.0$/m);
  expect(stdout).not.toContain('Move to Edge node 2.1.0');
});
