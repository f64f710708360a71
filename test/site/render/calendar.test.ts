import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import {
  listSupportEvents as calendarEvents,
  renderCalendar,
} from '../../../src/site/render/documents/support-calendar.ts';
import { componentOf, site } from './sites.ts';

const term = { support: { policy: 'term', months: 12 } } as const;

const component = componentOf(
  [
    { version: '1.0', releaseTimestamp: '2024-12-31T23:00:00Z' },
    { version: '1.1', releaseTimestamp: '2026-03-01' },
  ],
  term,
);

function renderComponentCalendar(
  component: ReturnType<typeof componentOf>,
  context = site,
): string {
  const { name, definition } = component;
  const events = calendarEvents(component, context);
  return renderCalendar(`calendars/${name}.ics`, definition.title, events, context);
}

function eventsOf(text: string): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
}

describe('calendar of a component', () => {
  it('has an all-day event on the last day with support of each line', () => {
    const events = eventsOf(renderComponentCalendar(component, site));

    const rows = events.map(({ uid, summary, startDate, endDate }) => [
      uid,
      `${startDate.toString()} to ${endDate.toString()}`,
      summary,
    ]);
    const id = 'end-of-support@releases.example.com';
    expect(rows).toEqual([
      [`svc/1.0/${id}`, '2025-12-31 to 2026-01-01', 'Server 1.0: support ends. Move to 1.1'],
      [`svc/1.1/${id}`, '2027-03-01 to 2027-03-02', 'Server 1.1: support ends'],
    ]);
    expect(events.every(({ startDate }) => startDate.isDate)).toBe(true);
    expect(events[0]!.description).toBe(
      'Last day with support. Move to 1.1. A release line is supported for 12 months from its first release.\nhttps://releases.example.com/svc.html',
    );
  });

  it('has a name, a refresh interval, and alarms, and does not block the day', () => {
    const text = renderComponentCalendar(component, site);
    const calendar = new ICAL.Component(ICAL.parse(text));

    expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
    expect(calendar.getFirstPropertyValue('name')).toBe('Server: ends of support');
    expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('P1D');
    expect(calendar.getFirstPropertyValue('method')).toBeNull();
    const events = calendar.getAllSubcomponents('vevent');
    for (const event of events) {
      expect(event.getFirstPropertyValue('transp')).toBe('TRANSPARENT');
      const [alarm] = event.getAllSubcomponents('valarm');
      expect(String(alarm!.getFirstPropertyValue('trigger'))).toBe('-P30D');
    }
    // The first day of each line, never the clock.
    expect(events.map((event) => String(event.getFirstPropertyValue('dtstamp')))).toEqual([
      '2024-12-31T00:00:00Z',
      '2026-03-01T00:00:00Z',
    ]);
  });

  it('has an id of its own for the end of a phase that is called support', () => {
    const phases = [
      { name: 'support', months: 12 },
      { name: 'security', months: 24 },
    ];
    const phased = componentOf([{ version: '1.1', releaseTimestamp: '2026-03-01' }], {
      support: { policy: 'term', phases },
    });

    expect(eventsOf(renderComponentCalendar(phased)).map(({ uid }) => uid)).toEqual([
      'svc/1.1/end-of-phase/support@releases.example.com',
      'svc/1.1/end-of-support@releases.example.com',
    ]);
  });

  it('has one event for lines that end together, and none that is older than a year', () => {
    const lines = {
      '1.0': '2025-09-30',
      '1.1': '2025-10-01',
      '1.2': '2027-03-01',
      '1.3': '2027-03-01',
    };
    const releases = Object.keys(lines).map((version) => ({
      version,
      releaseTimestamp: '2024-01-01',
    }));
    const on = (day: string) =>
      renderComponentCalendar(
        componentOf(releases, { support: { policy: 'dated', lines } }, { day }),
        {
          ...site,
          day,
        },
      );

    expect(eventsOf(on('2026-10-02')).map(({ summary }) => summary)).toEqual([
      'Server 1.1: support ends. Move to 1.3',
      'Server 1.2, 1.3: support ends',
    ]);
    expect(on('2026-12-31')).toBe(on('2026-10-02'));
  });

  it('has the day of a fix that is due, if the advisory affects a release', () => {
    const exploited = { exploitedSince: '2026-05-01', dueBy: '2026-07-10' };
    const affected = componentOf([{ version: '1.0', releaseTimestamp: '2026-03-01' }], {
      advisories: [
        { id: 'CVE-2026-1', affected: '<=1.0', ...exploited },
        { id: 'CVE-2026-2', affected: '<0.5', ...exploited },
      ],
    });

    expect(calendarEvents(affected, site).map(({ summary }) => summary)).toEqual([
      'Server: fix of CVE-2026-1 due',
    ]);
  });
});

describe('calendar of all components', () => {
  it('has the events of all components, under the same ids', () => {
    const other = componentOf(
      [{ version: '2', releaseTimestamp: '2026-01-01' }],
      { ...term, title: 'BEGIN:VEVENT' },
      { name: 'other' },
    );

    const events = [other, component].flatMap((one) => calendarEvents(one, site));
    const all = eventsOf(renderCalendar('support.ics', site.config.title, events, site)).map(
      ({ uid }) => uid,
    );
    expect(all).toEqual(events.map(({ uid }) => uid));
    expect(new Set(all).size).toBe(3);
  });
});
