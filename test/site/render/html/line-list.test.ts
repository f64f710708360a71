import { describe, expect, it } from 'vitest';
import { addDays, type Day } from '../../../../src/core/model/dates.ts';
import type { DayRange } from '../../../../src/core/model/dates.ts';
import type { Definition } from '../../../../src/core/schemas/definition/definition.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import { layOutPicture } from '../../../../src/site/render/html/picture.ts';
import { computePercent } from '../../../../src/site/render/html/time-axis.ts';
import { componentOf, pageOf } from '../sites.ts';

const term = { support: { policy: 'term', months: 12 } } as const;

/** `1.0 ok bar 2024-01-01..2025-01-01 1`: the lines as they are drawn, with the number of marks. */
function drawn(html: string): string[] {
  const [, from, days] = /viewBox="(\d+) 0 (\d+) 1"/.exec(html) ?? [];
  const dayAt = (percent: number) =>
    addDays('1970-01-01', Math.round(Number(from) + (percent / 100) * Number(days)));
  return html
    .split(/<details(?= id="line-| class="tone-(?:ok|soon|over|none)")/)
    .slice(1)
    .map((row) => {
      const [, tone] = /class="tone-(\w+)"/.exec(row)!;
      const [, name] = /<summary><b>([^<]*)/.exec(row)!;
      const bars = Array.from(
        row.matchAll(/<rect class="((?:bar|tail)[^"]*)" x="([\d.]+)%"[^>]* width="([\d.]+)%"/g),
        ([, kind, at, width]) =>
          `${kind} ${dayAt(Number(at))}..${dayAt(Number(at) + Number(width))}`,
      );
      const marks = row.match(/v\.4/g)?.length;
      return [name!.trim(), tone, ...bars, marks].filter(Boolean).join(' ');
    });
}

function yearsOf(html: string): string | undefined {
  return /aria-label="Support of the release lines of [^"]*?, ([^",]*)"/.exec(html)?.[1];
}

const since = (days: Readonly<Record<string, Day>>): RecordedRelease[] =>
  Object.entries(days).map(([version, releaseTimestamp]) => ({ version, releaseTimestamp }));
const newest = (count: number) => ({ support: { policy: 'latest-lines', count } }) as const;
const untilYearEnd = { support: { policy: 'ended', until: '2026-12-31' } } as const;
const together = { '1.0': '2027-06-01', '1.1': '2027-06-01', '2.0': '2028-01-01' };

describe('the picture of release lines', () => {
  it('explains each kind of later phase, with its name if all rows have the same', () => {
    const active = { name: 'active', until: '2026-12-31' };
    const security = { name: 'security', until: '2027-12-31' };
    const extended = { name: 'extended', until: '2028-12-31', paid: true } as const;
    const rows = [
      [active, security],
      [active, { ...security, name: 'maintenance' }],
      [{ ...active, name: 'full' }, extended],
    ].map((phases) => {
      return {
        state: 'supported',
        phases,
        began: { from: '2026-01-01' },
        releaseDays: [],
      } as const;
    });
    const explain = (shown: typeof rows) =>
      layOutPicture(shown, '2026-03-10').legend.map(({ kind, text }) => `${kind}: ${text}`);

    const supported = 'bar: supported';
    const paid = 'bar paid-phase: then extended (paid, not for everyone)';
    expect(explain(rows.slice(0, 1))).toEqual([supported, 'bar later-phase: then security']);
    expect(explain(rows.slice(1))).toEqual([supported, 'bar later-phase: then maintenance', paid]);
    expect(explain(rows)).toEqual([supported, 'bar later-phase: a later phase', paid]);
  });

  it.each([
    ['an end between two days', { until: '2026-06-30', untilAtMost: '2026-09-30' }],
    ['an end with a last possible day', { untilAtMost: '2026-09-30' }],
    ['no known end', {}],
  ])('is dashed as far as support is not certain, and the legend says so: %s', (_, end) => {
    const row = {
      state: 'supported',
      phases: [{ name: 'support', ...end }],
      releaseDays: [],
    } as const;
    const explain = (began: DayRange) => {
      const { tracks, legend } = layOutPicture([{ ...row, began }], '2026-03-10');
      const kinds = tracks.flatMap(({ segments }) => segments.map(({ kind }) => kind));
      return [...kinds, ...legend.map(({ text }) => text)].filter((words) =>
        /tail|dashed/.test(words),
      );
    };

    const expected =
      'untilAtMost' in end
        ? ['tail', 'solid: at least, dashed: at most']
        : ['tail no-end', 'dashed: until an unknown day'];
    expect(explain({ from: '2026-01-01' })).toEqual(expected);
    expect(explain({})).toEqual(expected);
  });

  it.each([
    ['has no known end', {}, '2027-01-01'],
    [
      'ends on a day of which only the latest is known',
      { untilAtMost: '2026-09-30' },
      '2026-09-30',
    ],
  ])('draws a paid phase after the end of support that %s', (_, end, until) => {
    const support = { name: 'support', until: '2025-12-31' };
    const extended = { name: 'extended', paid: true, ...end } as const;
    const row = {
      state: 'ended',
      phases: [support, extended],
      began: { from: '2025-01-01' },
      releaseDays: [],
    } as const;

    const { tracks, legend, axis } = layOutPicture([row], '2026-03-10');

    expect(tracks[0]!.segments).toEqual([
      { kind: 'bar', from: 0, to: computePercent(axis, '2025-12-31') },
      {
        kind: 'bar paid-phase no-end',
        from: computePercent(axis, '2025-12-31'),
        to: computePercent(axis, until),
        phase: 'extended',
      },
    ]);
    expect(legend.map(({ text }) => text)).toEqual([
      'ended',
      'then extended (paid, not for everyone) until an unknown day',
    ]);
  });

  it('has an axis that runs forward if support ended before the oldest day that a picture shows', () => {
    const phases = [{ name: 'support', until: '1970-01-01' }];
    const row = { state: 'ended', phases, began: {}, releaseDays: [] } as const;

    expect(layOutPicture([row], '2026-03-10').axis).toEqual({
      start: '1976-01-01',
      end: '1976-04-01',
      days: 91,
    });
  });

  it.each<[string, RecordedRelease[], Partial<Definition>, drawn: string[], years: string]>([
    [
      'from the first release of a line to its first day without support',
      since({ '1.0': '2024-01-01', '1.0.1': '2024-07-01', '1.1': '2026-01-01' }),
      term,
      ['1.1 ok bar 2026-01-01..2027-01-01 1', '1.0 over bar 2024-01-01..2025-01-01 2'],
      '2024 to 2027',
    ],
    [
      'of a line without a stated end to the end of the picture, at the end of a year',
      since({ '1.0': '2024-03-01' }),
      newest(1),
      ['1.0 ok tail no-end 2024-03-01..2027-01-01 1'],
      '2024 to 2026',
    ],
    [
      'within a single year, which is named once',
      since({ '1.0': '2026-03-01' }),
      newest(1),
      ['1.0 ok tail no-end 2026-03-01..2027-01-01 1'],
      '2026',
    ],
    [
      'that runs although every release is deprecated',
      since({ '1.0': '2025-01-01' }),
      untilYearEnd,
      ['1.0 ok bar 2025-01-01..2026-12-31 1'],
      '2025 to 2026',
    ],
    [
      'not up to the present where all has ended',
      since({ '1.0': '2015-05-01' }),
      term,
      ['1.0 over bar 2015-05-01..2016-05-01 1'],
      '2015 to 2016',
    ],
    [
      'faded in where the first day is unknown, and dashed between the bounds of the last',
      [
        ...since({ '1.0': '2026-01-01' }),
        { version: '1.1', releaseTimestamp: '2026-06-01', timestampKind: 'observed' },
      ],
      term,
      [
        '1.1 ok bar fade-in 2026-01-01..2026-06-01 bar 2026-06-01..2027-01-01 tail 2027-01-01..2027-06-01 1',
        '1.0 ok bar 2026-01-01..2027-01-01 1',
      ],
      '2026 to 2027',
    ],
    [
      'in one row for neighbours that end together',
      since({ '1.0': '2025-01-01', '1.1': '2025-01-01', '2.0': '2025-01-01' }),
      { support: { policy: 'dated', lines: together } },
      ['2.0 ok bar 2025-01-01..2028-01-01 1', '1.0 to 1.1 ok bar 2025-01-01..2027-06-01 1'],
      '2025 to 2028',
    ],
    [
      'on an axis of fifty years, however far its last day is',
      since({ '1.0': '2024-01-01' }),
      { support: { policy: 'ended', until: '9999-12-31' } },
      ['1.0 ok bar 2024-01-01..2077-01-01 1'],
      '2024 to 2076',
    ],
  ])('draws support %s', (_, releases, about, expected, years) => {
    const html = pageOf(componentOf(releases, about));

    expect(drawn(html)).toEqual(expected);
    expect(yearsOf(html)).toBe(years);
  });

  it('changes its end once a year, and is left out where no day is known', () => {
    const on = (day: Day) =>
      pageOf(componentOf(since({ '1.0': '2024-03-01' }), newest(1), { day }));

    expect(on('2026-12-31')).toBe(on('2026-10-01'));
    expect(yearsOf(on('2027-01-01'))).toBe('2024 to 2027');
    expect(pageOf(componentOf([{ version: '1.0' }], term))).not.toContain('role="img"');
  });

  it('has few enough marks for a line of many releases', () => {
    const releases = Array.from({ length: 3000 }, (_, index) => ({
      version: `1.0.${index}`,
      releaseTimestamp: addDays('2018-01-01', index),
    }));

    expect(pageOf(componentOf(releases, newest(1))).match(/v\.4/g)!.length).toBeLessThan(210);
  });
});

describe('the lines of a page', () => {
  const years = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      version: `${2026 - count + index}.1`,
      releaseTimestamp: `${2026 - count + index}-02-01`,
    }));
  const foldsOf = (html: string) =>
    Array.from(html.matchAll(/<summary>Show (\d[^<]*line[^<]*)<\/summary>/g), ([, text]) => text);

  it('that end together share a row, which has its verdict once', () => {
    const html = pageOf(componentOf(years(13), untilYearEnd));

    expect(foldsOf(html)).toEqual([]);
    expect(drawn(html)).toHaveLength(1);
    expect(html.match(/Server 2013\.1 to 2025\.1 is deprecated/g)).toHaveLength(1);
    for (const id of ['line-2013.1', 'v2013.1', 'line-2025.1', 'v2025.1']) {
      expect(html.split(`id="${id}"`)).toHaveLength(2);
    }
  });

  it('share a verdict only with neighbours', () => {
    const versions = ['1.0', '1.1', '1.2', '2.0'].map((version) => ({ version }));
    const deprecated = [{ versions: ['1.1'], reason: 'Loses data' }];
    const html = pageOf(componentOf(versions, { ...untilYearEnd, deprecated }));

    const verdicts = html.matchAll(/<p class="sentence">Server ([\d.]+(?: to [\d.]+)?) /g);
    expect(Array.from(verdicts, ([, names]) => names)).toEqual(['1.2 to 2.0', '1.1', '1.0']);
  });

  it('are shown at once where they are supported, beside the three that ended last', () => {
    const html = pageOf(componentOf(years(30), newest(20)));

    expect(foldsOf(html)).toEqual(['7 older lines']);
    expect(drawn(html.slice(0, html.indexOf('7 older lines')))).toHaveLength(23);
    expect(html).toContain(
      '<p class="note">30 lines: 20 supported, 10 ended. Open a line to see its releases.',
    );
  });

  it('are a list by year where no end is stated, and the picture looks back', () => {
    const html = pageOf(componentOf(years(30)));

    expect(html).toContain('<p class="state">Newest version</p>');
    expect(Array.from(html.matchAll(/<caption>(\d+)/g), ([, year]) => year).slice(0, 3)).toEqual([
      '2025',
      '2024',
      '2023',
    ]);
    expect(html.match(/<tr id="v/g)).toHaveLength(30);
    expect(html).toContain('<dt>Releases since 1996</dt><dd>30</dd>');
    expect(html).not.toContain('class="support-end"');
  });

  it('counts only releases with a day since the first of them', () => {
    const firstSeen = Array.from({ length: 30 }, (_, index) => ({
      version: `1.${index}`,
      releaseTimestamp: '2026-01-01',
      timestampKind: 'observed' as const,
    }));
    const stated = since({ '2.0': '2026-02-01', '2.1': '2026-03-01' });
    const html = pageOf(componentOf([...firstSeen, ...stated]));

    expect(html).toContain(
      '<dt>Releases since 2026</dt><dd>2 <small>30 more without a known day</small></dd>',
    );
  });

  it('are called deprecated, not ended, while their support runs', () => {
    const html = pageOf(componentOf(years(80), untilYearEnd));

    expect(foldsOf(html)).toEqual(['8 older lines']);
    expect(html).toContain('<p class="note">80 lines: 80 deprecated. Open');
  });

  it('calls no open line deprecated, however many there are', () => {
    const names = Array.from({ length: 1003 }, (_, index) => `1.${index}`);
    const days = since(Object.fromEntries(names.map((name) => [name, '2026-01-01'])));
    const lines = Object.fromEntries(names.map((name) => [name, '2027-06-01']));
    const html = pageOf(componentOf(days, { support: { policy: 'dated', lines } }));

    expect(html).toContain('1,003 lines: 1,003 supported.');
    expect(foldsOf(html)).toEqual([]);
  });

  it('say that a release is not on the page, not that none is recorded', () => {
    const names = Array.from({ length: 303 }, (_, index) => `1.${index}`);
    const days = since(Object.fromEntries(names.map((name) => [name, '2026-01-01'])));
    const day = (index: number) => addDays('2027-01-01', index);
    const lines = Object.fromEntries(names.map((name, index) => [name, day(index)]));
    const html = pageOf(componentOf(days, { support: { policy: 'dated', lines } }));

    expect(html.match(/Not on this page: 1 older release\./g)).toHaveLength(3);
    expect(html).not.toContain('No release of it is recorded.');
  });

  it('share no row across a line that ends on another day, even if it is folded', () => {
    const ends = {
      '1.0': '2027-01-01',
      '2.0': '2025-02-01',
      '3.0': '2027-01-01',
      '4.0': '2025-03-01',
      '5.0': '2025-04-01',
      '6.0': '2025-05-01',
    };
    const days = since(Object.fromEntries(Object.keys(ends).map((name) => [name, '2024-01-01'])));
    const html = pageOf(componentOf(days, { support: { policy: 'dated', lines: ends } }));

    const names = Array.from(html.matchAll(/<summary><b>([^<]*)/g), ([, name]) => name);
    expect(names).toEqual(['6.0', '5.0', '4.0', '3.0', '1.0', '2.0']);
  });

  it('have a row each while they are open, and share 300 releases', () => {
    const of = (line: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        version: `${line}.${index}`,
        releaseTimestamp: '2026-02-01',
      }));
    const lines = ['1.0', '1.1', '1.2', '1.3'];
    const ends = {
      '1.0': '2027-01-01',
      '1.1': '2026-03-01',
      '1.2': '2027-02-01',
      '1.3': '2027-03-01',
    };
    const counts: Record<string, number> = { '1.0': 100, '1.1': 150, '1.2': 10, '1.3': 500 };
    const html = pageOf(
      componentOf(
        lines.flatMap((line) => of(line, counts[line]!)),
        { support: { policy: 'dated', lines: ends } },
      ),
    );
    const rowsOf = (line: string) => html.match(new RegExp(`<tr id="v${line}\\.`, 'g'))!.length;

    expect(lines.map(rowsOf)).toEqual([75, 75, 10, 140]);
    expect(html).toContain('<p class="note">And 25 older releases.</p>');
    expect(html).toContain('<p>Not on this page: 460 older releases. ');
  });

  it.each(['1.1', '1.1.0'])('say the verdict of the line, not of the release %s', (first) => {
    const versions = [first, '1.1.5', '1.2.3'].map((version) => ({ version }));
    const lines = { '1.1': '2027-12-30', '1.2': '2028-12-30' };
    const deprecated = [{ versions: [first], reason: 'Loses data' }];
    const html = pageOf(componentOf(versions, { support: { policy: 'dated', lines }, deprecated }));

    expect(html).toContain('<p class="sentence">Server 1.1 is supported until ');
    expect(html).toContain('Its latest version is 1.1.5.');
    expect(html).not.toContain('Server 1.1 is deprecated');
  });

  it.each([
    { reason: 'Loses data', shown: ['Loses data.'] },
    { reason: 'Corrupts files', shown: [] },
  ])('give the reasons that all releases of the line have: $shown', ({ reason, shown }) => {
    const versions = ['1.1.1', '1.1.2', '1.2.3'].map((version) => ({ version }));
    const lines = { '1.1': '2027-12-30', '1.2': '2028-12-30' };
    const deprecated = [
      { versions: ['1.1.1'], reason: 'Loses data' },
      { versions: ['1.1.2'], reason },
    ];
    const html = pageOf(componentOf(versions, { support: { policy: 'dated', lines }, deprecated }));

    const [verdict] = /<p class="sentence">Server 1\.1 is deprecated.*?<table/s.exec(html)!;
    expect(verdict.match(/Loses data\./g) ?? []).toEqual(shown);
  });
});
