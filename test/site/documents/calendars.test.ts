import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { judgeComponents, readFiles, renderFiles, type Facts } from '../../harness/components.ts';
import { buildExample } from '../../harness/site.ts';

function readEvents(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, summary, description, startDate, duration } = new ICAL.Event(component);
    expect([startDate.isDate, duration.toString()]).toEqual([true, 'P1D']);
    return { uid, start: startDate.toString(), summary, description };
  });
}

const example = readFiles(buildExample());

describe('calendars of the example', () => {
  test('have all-day events, each with the version to move to', () => {
    const text = example.get('calendars/svc.ics')!;

    expect(text).toContain('\r\nNAME:Server: ends of support\r\n');
    expect(readEvents(text)).toContainEqual({
      uid: 'svc/2025.2/end-of-support@releases.example.com',
      start: '2027-01-15',
      summary: 'Server 2025.2: support until 2027-01-15 (estimated). Move to 2026.3.',
      description:
        'Estimated: 18 months from its first release on 2025-07-15. Move to 2026.3.\nhttps://releases.example.com/svc.html',
    });
  });

  test('keep their event ids stable and unique', () => {
    const ids = readEvents(example.get('support.ics')!).map(({ uid }) => uid);

    expect(ids).toContain('build-cache-node/13.1/end-of-support@releases.example.com');
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('have lines of at most 75 octets that end with CRLF, as RFC 5545 requires', () => {
    for (const [path, text] of [...example].filter(([path]) => path.endsWith('.ics'))) {
      const octets = Buffer.from(text).toString('latin1');
      expect(octets, path).toMatch(/^(?:[^\r\n]{1,75}\r\n)+$/);
    }
  });

  test('have a time zone if there is no event, because an empty calendar is invalid', () => {
    const text = example.get('calendars/edge-node.ics')!;

    expect(readEvents(text)).toEqual([]);
    expect(text).toContain('BEGIN:VTIMEZONE');
  });
});

function listEvents(facts: Facts, day = '2026-11-27', others = {}) {
  const files = renderFiles(judgeComponents({ svc: facts, ...others }, day));
  return readEvents(files.get('calendars/svc.ics')!);
}

const dated = (lines: object): Facts => ({
  definition: { support: { policy: 'dated', lines } },
  releases: { '1.0': '2024-01-31', '2.0': '2024-06-30', '3.0': '2026-01-31' },
});

test('release lines with the same end date share one calendar event', () => {
  const events = listEvents(
    dated({ '1.0': '2027-06-30', '2.0': '2027-06-30', '3.0': '2028-01-31' }),
  );

  expect(events.map(({ uid, summary }) => [uid.split('@')[0], summary])).toEqual([
    ['svc/1.0/end-of-support', 'The svc 1.0, 2.0: support until 2027-06-30. Move to 3.0.'],
    ['svc/3.0/end-of-support', 'The svc 3.0: support until 2028-01-31.'],
  ]);
});

test('a calendar event gives the reason for the end of support', () => {
  const until = '2027-01-31';
  const lines = { '2.0': until, '3.0': { until, reason: 'as its users were told' } };
  const support = { policy: 'term', months: 36, inferred: 'as before', lines };
  const releases = { '1.0': '2024-01-31', '2.0': '2024-06-30', '3.0': '2026-01-31' };
  const events = listEvents({ definition: { support }, releases });

  expect(events.map(({ uid, summary, description }) => [uid, summary, description])).toEqual([
    [
      'svc/1.0/end-of-support@releases.example.com',
      'The svc 1.0: support until 2027-01-31 (estimated). Move to 3.0.',
      expect.stringMatching(/^Estimated: 36 months from its first release on 2024-01-31\. Move /),
    ],
    [
      'svc/2.0/end-of-support@releases.example.com',
      'The svc 2.0, 3.0: support until 2027-01-31.',
      expect.stringMatching(
        /according to the definition\. By exception until .*: as its users were told\.\n/,
      ),
    ],
  ]);
});

test('the end of paid support has a calendar event of its own', () => {
  const support = {
    policy: 'dated',
    paid: ['extended'],
    lines: {
      '1.0': { standard: '2026-06-30', extended: '2028-06-30' },
      '2.0': { standard: '2027-06-30', extended: '2028-06-30' },
      '3.0': '2028-01-31',
    },
  };
  const releases = { '1.0': '2024-01-31', '2.0': '2024-06-30', '3.0': '2026-01-31' };
  const events = listEvents({ definition: { support }, releases });
  const paid = 'Paid support lasts until 2028-06-30.';

  expect(
    events.map(({ uid, start, summary, description }) => [
      ...[uid.split('@')[0], start, summary],
      description.split('\n')[0],
    ]),
  ).toEqual([
    [
      'svc/1.0/end-of-support',
      '2026-06-30',
      'The svc 1.0: support ended 2026-06-30. Move to 3.0.',
      `${paid} End of phase standard of 1.0: 2026-06-30, according to the definition. Move to 3.0.`,
    ],
    [
      'svc/2.0/end-of-support',
      '2027-06-30',
      'The svc 2.0: support until 2027-06-30. Move to 3.0.',
      `${paid} End of phase standard of 2.0: 2027-06-30, according to the definition. Move to 3.0.`,
    ],
    [
      'svc/3.0/end-of-support',
      '2028-01-31',
      'The svc 3.0: support until 2028-01-31.',
      'End of support of 3.0: 2028-01-31, according to the definition.',
    ],
    [
      'svc/1.0/end-of-paid-support',
      '2028-06-30',
      'The svc 1.0, 2.0: paid support lasts until 2028-06-30.',
      'Support of 1.0 for everybody: ended 2026-06-30. Support of 2.0 for everybody: until 2027-06-30.',
    ],
  ]);
});

test.each([
  ['2026-12-31', ['2025-01-01', '2028-01-31']],
  ['2027-01-01', ['2028-01-31']],
])('a calendar built on %s leaves out ends of support before the previous year', (day, starts) => {
  const events = listEvents(
    dated({ '1.0': '2024-12-31', '2.0': '2025-01-01', '3.0': '2028-01-31' }),
    day,
  );

  expect(events.map(({ start }) => start)).toEqual(starts);
});

const unsure = {
  ...{ version: '1.0', sources: [], notBefore: '2026-01-31' },
  ...{ releaseTimestamp: '2026-06-30T00:00:00Z', timestampKind: 'observed' },
};
const title = 'Ünïcödé 🚀, with; a \\ backslash '.repeat(6).trim();
const releases = { '1.0': '2024-01-31' };
const ended = { policy: 'ended', until: '2026-12-31' };

test.each<[title: string, facts: Facts, summary: string]>([
  [
    'that is uncertain is on the first possible day',
    { definition: { support: { policy: 'term', months: 12 } }, releases: [unsure] },
    'The svc 1.0: support at least until 2027-01-31.',
  ],
  [
    'of a replaced component names the replacement',
    { definition: { support: ended, replacedBy: 'next' }, releases },
    'The svc 1.0: support until 2026-12-31. Move to Next, it 9.1.',
  ],
  [
    'with a long title is folded without damage to any letter',
    { definition: { title, support: ended }, releases },
    `${title} 1.0: support until 2026-12-31.`,
  ],
])('an event about an end %s', (_, facts, summary) => {
  const next = { definition: { title: 'Next, it' }, releases: { '9.1': '2026-01-31' } };
  const [event] = listEvents(facts, '2026-11-27', { next });

  expect(event!.summary).toBe(summary);
  expect(summary).toContain(`until ${event!.start}`);
});
