import { expect, test } from 'vitest';
import { describeList, isDue, needsAction, sortEntries } from '../../src/ask/judged-list.ts';
import type { Entry } from '../../src/ask/verdicts.ts';
import type { Verdict } from '../../src/core/schema/documents.ts';

const read = { problems: [], fault: undefined };

function judge(version: string, verdict: object, policy = 'term'): Entry {
  const item = { text: `svc ${version}`, name: 'svc', version };
  return {
    item,
    match: { component: 'svc', support: { policy }, verdict: { version, ...verdict } },
  } as unknown as Entry;
}

const other = { item: { text: 'left 1.0', name: 'left', version: '1.0' } } as Entry;
const unversioned = { item: { text: 'left:latest', name: 'left', version: 'latest' } } as Entry;
const candidate = {
  item: { text: 'agent 1', name: 'agent', version: '1' },
  candidates: ['a', 'b'],
} as unknown as Entry;

test('sortEntries puts versions to leave first, and then those whose support ends first', () => {
  const { judged, total } = sortEntries(
    [
      judge('1', { state: 'no-promise' }),
      judge('2', { state: 'supported', supportedUntil: '2028-01-01' }),
      judge('3', { state: 'may-have-ended', supportedUntilAtMost: '2027-01-01' }),
      judge('4', { state: 'ends-soon', moveReason: 'ends-soon', moveBy: '2026-12-31' }),
      judge('5', { state: 'ended', moveReason: 'ended' }),
      judge('6', { state: 'supported', label: 'Vulnerable', supportedUntil: '2029-01-01' }),
    ],
    read,
  );

  expect(judged.map(({ match }) => match.verdict.version)).toEqual(['5', '6', '4', '3', '2', '1']);
  expect(total).toBe(6);
});

test('sortEntries groups entries by their result, and names what was not judged', () => {
  const far = judge('99', { state: 'not-released', isFarAbove: true });
  const unknown = judge('0.1', { state: 'unknown-line' });
  const unpromised = judge('0.2', { state: 'unknown-line' }, 'none');
  const list = sortEntries([other, unversioned, candidate, far, unknown, unpromised], {
    problems: [{ line: 3, message: 'line 3: "?"' }] as never,
    fault: undefined,
  });

  expect(list.judged).toEqual([unpromised]);
  expect(list.unjudged).toEqual([far, unknown]);
  expect(list.unversioned).toEqual([candidate, unversioned]);
  expect(list.others).toEqual([other]);
  expect(list.gaps).toEqual(['svc 99', 'svc 0.1', 'agent 1', 'line 3: "?"']);
  expect(list.total).toBe(7);
});

test.each<[verdict: Partial<Verdict>, isDue: boolean, needsAction: boolean]>([
  [{}, false, false],
  [{ label: 'Supported' }, false, false],
  [{ moveReason: 'ended' }, true, true],
  [{ label: 'Vulnerable' }, true, true],
  [{ moveTo: { component: 'svc', version: '2.0' } }, false, true],
  [{ lastProven: '1.0' }, false, true],
])('a verdict with %j is due: %s, and needs an action: %s', (verdict, due, action) => {
  expect([isDue(verdict), needsAction(verdict)]).toEqual([due, action]);
});

const rule =
  'A list has one item per line; CSV, package-lock.json, and SBOMs in the formats of CycloneDX and SPDX are read, too.';

test.each<[entries: Entry[], problems: string[], fault: string | undefined, text: string]>([
  [[], [], undefined, 'No entry was judged. The list does not contain an entry.'],
  [[], [], 'is empty', `No entry was judged. The list is empty. ${rule}`],
  [[judge('1', { state: 'supported' })], [], undefined, '1 of 1 entries judged.'],
  [
    [judge('1', { state: 'supported' })],
    ['?'],
    undefined,
    `1 of 1 entries judged. 1 of 2 lines was not read. ${rule}`,
  ],
  [
    [other],
    ['?', '!'],
    undefined,
    `0 of 1 entries judged. Not in this index: left 1.0. 2 of 3 lines were not read. ${rule}`,
  ],
])(
  'describeList describes %j with the problems %j and the fault %s',
  (entries, problems, fault, text) => {
    const list = sortEntries(entries, {
      problems: problems.map((message) => ({ message })) as never,
      fault,
    });

    expect(describeList(list)).toBe(text);
  },
);

test('describeList counts the entries that fail a policy, and links to the commands for tools', () => {
  const list = sortEntries([judge('1', { state: 'supported' })], {
    problems: [{ message: '?' }] as never,
    fault: undefined,
  });

  expect(describeList(list, 'https://releases.example.com', 1)).toBe(
    `1 of 1 entries judged, 1 failed. 1 of 2 lines was not read. ${rule} Commands for your tool: https://releases.example.com/use.html#lists`,
  );
});
