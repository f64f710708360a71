import { expect, test } from 'vitest';
import type { Event } from '../../src/core/schema/recorded.ts';
import { listEventLines, writeCommitMessage } from '../../src/record/event-lines.ts';

const event = { id: 1, at: '2026-03-01T00:00:00.000Z', on: '2026-03-01' } as const;
const released = (version: string) => ({ ...event, type: 'released', version }) as const;

test('a commit message sums up the changes of a run, and lists each change on its own line', () => {
  const message = writeCommitMessage(
    new Map([
      ['agent', [{ ...released('1.0'), initial: true } as const, released('1.1')]],
      ['svc', [released('2.0'), { ...event, type: 'support-ended', line: '1.0' } as const]],
    ]),
  );

  expect(message.split('\n')).toEqual([
    'data: agent: added with 2 events and 2 more changes',
    '',
    'agent: added with 2 events',
    'svc 2.0: released',
    'svc 1.0: support-ended',
  ]);
});

test('a commit message has the first 50 changes, and names the number of all others', () => {
  const events = Array.from({ length: 52 }, (_, index) => released(`1.${index}`));

  const [subject, , ...lines] = writeCommitMessage(new Map([['svc', events]])).split('\n');

  expect(subject).toBe('data: svc 1.0: released and 51 more changes');
  expect(lines).toHaveLength(50);
  expect(writeCommitMessage(new Map())).toBe('data: nothing new\n');
});

test.for<[line: string, event: Partial<Event> & Pick<Event, 'type'>]>([
  ['svc 1.0: support-changed, none → 2027-01-01', { type: 'support-changed', to: '2027-01-01' }],
  ['svc 1.0: support-changed, 2027-01-01 → none', { type: 'support-changed', from: '2027-01-01' }],
  [
    'svc 1.0: support-changed, 2027-01-01 → 2027-01-01 to 2027-03-31',
    { type: 'support-changed', from: '2027-01-01', to: '2027-01-01', toAtMost: '2027-03-31' },
  ],
  [
    'svc 1.0: corrected, 2026-01-01 → 2026-02-01',
    { type: 'corrected', field: 'day', from: '2026-01-01', to: '2026-02-01' },
  ],
  ['svc 1.0: corrected', { type: 'corrected', field: 'link', from: 'a', to: 'b' }],
  ['svc 1.0: unproven', { type: 'unproven', from: '0.9' }],
])('an event is printed as "%s"', ([line, facts]) => {
  expect(
    listEventLines(new Map([['svc', [{ ...event, line: '1.0', ...facts } as Event]]])),
  ).toEqual([line]);
});

test.for<[line: string, event: Partial<Event> & Pick<Event, 'type'>]>([
  ['svc CVE-2026-1: advisory-withdrawn', { type: 'advisory-withdrawn', advisory: 'CVE-2026-1' }],
  ['svc next: replaced', { type: 'replaced', to: 'next' }],
])('"%s" names what the event is about', ([line, facts]) => {
  expect(listEventLines(new Map([['svc', [{ ...event, ...facts } as Event]]]))).toEqual([line]);
});
