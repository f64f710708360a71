import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { definition } from '../../harness/root.ts';
import { rootOf, siteOf } from '../../harness/site.ts';

const dated = (lines: object) => ({ definition: definition({ support: { policy: 'dated', lines } }) });
const releases = (...versions: string[]) => versions.map((version) => ({ version }));

const root = rootOf({
  far: { ...dated({ '1.0': '2027-08-01', '2.0': '2028-02-29' }), releases: releases('1.0', '1.0.1', '2.0') },
  near: {
    ...dated({ '1.0': '2026-03-31', '1.1': '2026-04-01', '1.2': '2026-11-19', '1.3': '2027-01-15' }),
    releases: releases('1.0', '1.1', '1.2', '1.3'),
  },
  term: {
    definition: definition({ title: 'A & B', support: { policy: 'term', months: 12 } }),
    releases: [
      { version: '7.0', releaseTimestamp: '2025-12-24' },
      { version: '7.1', releaseTimestamp: '2026-01-15' },
    ],
  },
  together: { ...dated({ '1.0': '2027-01-15', '1.1': '2027-01-15' }), releases: releases('1.0', '1.1') },
  retired: {
    definition: definition({ support: { policy: 'ended', since: '2026-12-01' } }),
    releases: releases('1.0', '2.0'),
  },
  endless: { definition: definition(), releases: releases('1.0') },
});

function pageOn(day: string): { out: string; html: string } {
  const out = siteOf(root, day);
  return { out, html: readFileSync(join(out, 'ends.html'), 'utf8') };
}

/** `2027 Q1: 2027-01-15 near 1.3`, as the page has them, for a part of it. */
function endsIn(html: string, part: 'ahead' | 'past'): string[] {
  const section = html.split('<h2 ').find((text) => text.startsWith(`id="${part}"`)) ?? '';
  return section
    .split('<h3 ')
    .slice(1)
    .flatMap((quarter) => {
      const [, name] = /^id="[^"]+">(\S+ Q\d)/.exec(quarter)!;
      return Array.from(
        quarter.matchAll(/<li><time datetime="([^"]+)">[^<]+<\/time>(.*?)<\/li>/g),
        ([, day, rest]) => {
          const links = Array.from(rest!.matchAll(/href="([^"]+)"/g), ([, href]) => href);
          return `${name}: ${day} ${links.join(' ')}${rest!.includes('>past<') ? ' past' : ''}`;
        },
      );
    });
}

describe('the page of ends of support', () => {
  const { out, html } = pageOn('2026-11-20');

  it('has every end ahead by quarter, soonest first, with links to the line and the calendar', () => {
    expect(endsIn(html, 'ahead')).toEqual([
      '2026 Q4: 2026-12-01 retired.html retired.html#lines calendars/retired.ics',
      '2026 Q4: 2026-12-24 term.html term.html#line-7.0 calendars/term.ics',
      '2027 Q1: 2027-01-15 near.html near.html#line-1.3 calendars/near.ics',
      '2027 Q1: 2027-01-15 term.html term.html#line-7.1 calendars/term.ics',
      '2027 Q1: 2027-01-15 together.html together.html#line-1.0 together.html#line-1.1 calendars/together.ics',
      '2027 Q3: 2027-08-01 far.html far.html#line-1.0 calendars/far.ics',
      '2028 Q1: 2028-02-29 far.html far.html#line-2.0 calendars/far.ics',
    ]);
    for (const line of ['1.0', '2.0'])
      expect(readFileSync(join(out, 'far.html'), 'utf8')).toContain(`id="line-${line}"`);
  });

  it('marks what ended in this quarter and the two before it as past, newest first', () => {
    expect(endsIn(html, 'past')).toEqual([
      '2026 Q4: 2026-11-19 near.html near.html#line-1.2 calendars/near.ics past',
      '2026 Q2: 2026-04-01 near.html near.html#line-1.1 calendars/near.ics past',
    ]);
  });

  it('begins with the least of all stated ends, and so does the calendar from that day on', () => {
    const calendar = new ICAL.Component(ICAL.parse(readFileSync(join(out, 'support.ics'), 'utf8')));
    const days = calendar
      .getAllSubcomponents('vevent')
      .map((event) => new ICAL.Event(event).startDate.toString())
      .filter((day) => day > '2026-11-20')
      .sort();

    expect(days[0]).toBe('2026-12-01');
    expect(html).toContain('7 ends of support ahead, the first on <time datetime="2026-12-01">');
  });

  it('moves on the day of an end, and with the quarter, and on no other day', () => {
    const on = (day: string) => pageOn(day).html;

    expect(on('2026-11-30')).toBe(html);
    expect(endsIn(on('2026-12-24'), 'past')[0]).toBe(
      '2026 Q4: 2026-12-24 term.html term.html#line-7.0 calendars/term.ics past',
    );
    expect(on('2026-12-31')).toBe(on('2026-12-24'));
    expect(on('2027-01-01')).not.toBe(on('2026-12-31'));
  });

  it('says so where nothing is known ahead', () => {
    const later = pageOn('2030-01-01').html;

    expect(later).toContain('No end of support is known ahead.');
    expect(later).not.toContain('<li><time');
  });
});
