import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { judgeComponents, renderFiles, type Facts } from '../../harness/components.ts';
import { loadExample } from '../../harness/example.ts';

interface Appointment {
  uid: string;
  start: string;
  days: number;
  summary: string;
  description: string;
}

function readCalendar(text: string): { name: unknown; events: Appointment[] } {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  const events = calendar.getAllSubcomponents('vevent').map((component): Appointment => {
    const { uid, summary, description, startDate, duration } = new ICAL.Event(component);
    expect(startDate.isDate).toBe(true);
    return {
      uid,
      start: startDate.toString(),
      days: duration.toSeconds() / 86_400,
      summary,
      description,
    };
  });
  return { name: calendar.getFirstPropertyValue('name'), events };
}

const example = renderFiles(loadExample());

describe('calendars of the example', () => {
  test('have all-day events, with what to move to', () => {
    const { name, events } = readCalendar(example.get('calendars/svc.ics')!);

    expect(name).toBe('Server: ends of support');
    expect(events.find(({ uid }) => uid.startsWith('svc/2025.2/'))).toEqual({
      uid: 'svc/2025.2/end-of-support@releases.example.com',
      start: '2027-01-15',
      days: 1,
      summary: 'Server 2025.2: support until 2027-01-15. Move to 2026.3.',
      description:
        '18 months from its first release, 2025-07-15: estimated. Move to 2026.3.\nhttps://releases.example.com/svc.html',
    });
  });

  test('keep the ids that calendars have seen', () => {
    const { events } = readCalendar(example.get('support.ics')!);
    const lines = '2024.1 2024.2 2024.3 2025.1 2025.2 2025.3 2025.4 2026.1 2026.2 2026.3'.split(
      ' ',
    );

    const ids = ['build-cache-node/13.1', ...lines.map((line) => `svc/${line}`)].map(
      (id) => `${id}/end-of-support@releases.example.com`,
    );

    expect(events.map(({ uid }) => uid)).toEqual(expect.arrayContaining(ids));
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
  });

  test('have lines of at most 75 octets that end as the standard says', () => {
    for (const [path, text] of example) {
      if (path.endsWith('.ics')) {
        const lines = text.split('\r\n');

        expect(lines.at(-1), path).toBe('');
        expect(lines.filter((line) => Buffer.byteLength(line) > 75 || /[\r\n]/.test(line))).toEqual(
          [],
        );
      }
    }
  });

  test('have a time zone where there is no event, since a calendar may not be empty', () => {
    const text = example.get('calendars/edge-node.ics')!;

    expect(readCalendar(text).events).toEqual([]);
    expect(text).toContain('BEGIN:VTIMEZONE');
  });
});

function listEvents(facts: Facts, day = '2026-11-27', others = {}): Appointment[] {
  const files = renderFiles(judgeComponents({ svc: facts, ...others }, day));
  return readCalendar(files.get('calendars/svc.ics')!).events;
}

const dated = (lines: object): Facts => ({
  definition: { support: { policy: 'dated', lines } },
  releases: { '1.0': '2024-01-31', '2.0': '2024-06-30', '3.0': '2026-01-31' },
});

test('lines that end on one day share an event, with the id of the oldest', () => {
  const events = listEvents(
    dated({ '1.0': '2027-06-30', '2.0': '2027-06-30', '3.0': '2028-01-31' }),
  );

  expect(events.map(({ uid, summary }) => [uid.split('@')[0], summary])).toEqual([
    ['svc/1.0/end-of-support', 'The svc 1.0, 2.0: support until 2027-06-30. Move to 3.0.'],
    ['svc/3.0/end-of-support', 'The svc 3.0: support until 2028-01-31.'],
  ]);
});

test.each([
  ['2026-12-31', ['2025-01-01', '2028-01-31']],
  ['2027-01-01', ['2028-01-31']],
])('an end stays until the end of the next year: on %s', (day, starts) => {
  const events = listEvents(
    dated({ '1.0': '2024-12-31', '2.0': '2025-01-01', '3.0': '2028-01-31' }),
    day,
  );

  expect(events.map(({ start }) => start)).toEqual(starts);
});

test('an end that is not known to the day is on the first day it may be, and says so', () => {
  const releases = [
    {
      version: '1.0',
      releaseTimestamp: '2026-06-30T00:00:00Z',
      timestampKind: 'observed',
      notBefore: '2026-01-31',
      sources: [],
    },
  ];
  const definition = { support: { policy: 'term', months: 12 } };

  expect(listEvents({ definition, releases })).toMatchObject([
    { start: '2027-01-31', summary: 'The svc 1.0: support at least until 2027-01-31.' },
  ]);
});

test('a component that is replaced names what replaces it', () => {
  const events = listEvents(
    {
      definition: { support: { policy: 'ended', until: '2026-12-31' }, replacedBy: 'next' },
      releases: { '1.0': '2024-01-31' },
    },
    '2026-11-27',
    { next: { definition: { title: 'Next, it' }, releases: { '9.1': '2026-01-31' } } },
  );

  expect(events[0]!.summary).toBe('The svc 1.0: support until 2026-12-31. Move to Next, it 9.1.');
});

test('a long text of any letters is the same after folding', () => {
  const title = 'Ünïcödé 🚀, with; a \\ backslash '.repeat(6).trim();
  const definition = { title, support: { policy: 'dated', lines: { '1.0': '2027-06-30' } } };

  expect(listEvents({ definition, releases: { '1.0': '2024-01-31' } })[0]!.summary).toBe(
    `${title} 1.0: support until 2027-06-30.`,
  );
});
