import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { JournalEvent } from '../../../src/core/schemas/recorded/journal.ts';
import {
  groupEvents,
  writeCommitMessage,
  type EventGroup,
} from '../../../src/run/daily/commit-message.ts';

function of(component: string, type: EventGroup['type'], ...items: string[]): EventGroup {
  return { component, type, items };
}

const noDecisions = { held: [], used: [] };

const many = Array.from({ length: 30 }, (_, index) => `1.${index}`);

const [svc, edge] = [of('svc', 'released', '2026.4'), of('edge-node', 'released', '1.2', '1.3')];

test.each<[string, EventGroup[]]>([
  ['Record svc 2026.4, edge-node 1.2, 1.3', [svc, edge]],
  [
    'Withdraw 30 releases, record 1 release, 12 other events',
    [svc, of('h2', 'withdrawn', ...many), of('h2', 'relisted', ...many.slice(18))],
  ],
  ['Record 30 releases', [of('svc', 'released', ...many)]],
  [
    'Withdraw 1 release, record 30 releases',
    [of('svc', 'released', ...many), of('edge-node', 'withdrawn', '1')],
  ],
  ['Withdraw edge-node 1', [of('edge-node', 'withdrawn', '1')]],
  [
    'Deprecate svc 2026.3, record svc 2026.4, 1 other event',
    [svc, of('svc', 'support-moved', '2025.1'), of('svc', 'deprecated', '2026.3')],
  ],
  [
    'Withdraw 1 release, deprecate 30 releases, record 30 releases, and more',
    [
      of('svc', 'released', ...many),
      of('svc', 'deprecated', ...many),
      of('svc', 'withdrawn', '1.0'),
      of('svc', 'relisted', '1.1'),
    ],
  ],
  ['Record 1 event', [of('a'.repeat(60), 'support-moved', '1')]],
  ['Record 2 events of svc', [of('svc', 'support-moved', '2025.1', '2025.2')]],
  ['Check 16 components: nothing new', []],
])('the subject of a commit is "%s"', (subject, groups) => {
  expect(writeCommitMessage(groups, 16, noDecisions).subject).toBe(subject);
  expect(subject.length).toBeLessThanOrEqual(72);
});

test('the body of a commit lists all events, a line for each component and type', () => {
  const groups = [
    of('svc', 'released', '2026.4', '2026.5'),
    of('svc', 'corrected', '2026.3'),
    of('svcctl', 'withdrawn', '1.0'),
  ];

  expect(writeCommitMessage(groups, 2, noDecisions).body).toBe(
    '- svc: released 2026.4, 2026.5\n- svc: corrected 2026.3\n- svcctl: withdrawn 1.0',
  );
});

const waiting = ['a', 'b'].map((name) => ({ id: `${name}-0f1e2d3c4b`, component: name }));
const decided = { held: waiting, used: ['svc-4b3c2d1e0f'] };

test.each<[string, string | undefined, EventGroup[], typeof decided]>([
  [
    'Accept svc-4b3c2d1e0f, hold 2 changes, record svc 2026.4',
    '- svc: released 2026.4\n- accepted svc-4b3c2d1e0f\n- a: waits, a-0f1e2d3c4b\n- b: waits, b-0f1e2d3c4b',
    [svc],
    decided,
  ],
  [
    'Accept 1 decision, hold 2 changes, record 30 releases',
    undefined,
    [of('svc', 'released', ...many)],
    decided,
  ],
  ['Accept svc-4b3c2d1e0f, hold 2 changes', undefined, [], decided],
  ['Check 16 components: nothing new, 2 decisions open', undefined, [], { ...decided, used: [] }],
  [
    'Record 3 events of 2 components',
    undefined,
    [of('svc', 'support-moved', '2025.1', '2025.2'), of('edge', 'relisted', '1.0')],
    { held: [], used: [] },
  ],
])('a commit says what was decided: %s', (subject, body, groups, decisions) => {
  const message = writeCommitMessage(groups, 16, decisions);

  expect(message.subject).toBe(subject);
  expect(message.body).toEqual(body ?? message.body);
});

test('a release day that was corrected is named with both days', () => {
  const event = { type: 'corrected', version: '1.0', field: 'releaseTimestamp' };
  const days = { from: '2026-01-01', to: '2026-01-02' };
  const events = [
    { ...event, ...days },
    { ...event, to: '2026-01-03' },
  ] as JournalEvent[];

  expect(groupEvents(new Map([['svc', events]]))).toEqual([
    of('svc', 'corrected', '1.0 from 2026-01-01 to 2026-01-02', '1.0'),
  ]);
});

test('advisories and removed replacements are named', () => {
  const events = [
    { type: 'advisory-published', advisory: 'GHSA-1', to: '<1.2 (high)' },
    { type: 'advisory-withdrawn', advisory: 'GHSA-2' },
    { type: 'replaced', from: 'other' },
  ] as readonly Partial<JournalEvent>[] as JournalEvent[];

  expect(groupEvents(new Map([['svc', events]]))).toEqual([
    of('svc', 'advisory-published', 'GHSA-1'),
    of('svc', 'advisory-withdrawn', 'GHSA-2'),
    of('svc', 'replaced', 'other'),
  ]);
});

test('no version in a commit makes a host act, and no line is a trailer', () => {
  const version = '1.0 [skip ci] @org/team closes #1 ***NO_CI***\u202e';
  const { subject, body } = writeCommitMessage(
    [of('co-authored-by', 'released', version), of('skip-checks', 'released', 'true')],
    2,
    noDecisions,
  );
  const message = `${subject}\n\n${body}\n`;

  expect(message).not.toMatch(/[[\]@#*\u202e]/);
  expect(
    execFileSync('git', ['interpret-trailers', '--parse'], { input: message }).toString(),
  ).toBe('');
});

test('the events of a run are grouped by component and type', () => {
  const event = { id: 1, at: '2026-11-20T00:00:00.000Z', on: '2026-11-20' };
  const events: JournalEvent[] = [
    { ...event, type: 'released', version: '1.0' },
    { ...event, type: 'support-announced', line: '1', to: '2027-01-01' },
    { ...event, type: 'released', version: '1.1' },
  ];

  expect(groupEvents(new Map([['svc', events]]))).toEqual([
    of('svc', 'released', '1.0', '1.1'),
    of('svc', 'support-announced', '1'),
  ]);
});
