import { describe, expect, it } from 'vitest';
import { addDays, dayNumber } from '../../../src/core/dates.ts';
import { renderComponentPage } from '../../../src/site/render/html/component-page.ts';
import { readTheme } from '../../../src/site/theme.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout, fixtureIndex } from '../../harness/checkout.ts';
import { componentOf, site } from './sites.ts';

const theme = readTheme(openRoot(fixtureIndex, checkout));
const term = { support: { policy: 'term', months: 12 } } as const;

function pageOf(...component: Parameters<typeof componentOf>): string {
  return renderComponentPage(componentOf(...component), [], { ...site, theme });
}

/** `1.0 bar 2024-01-01..2025-01-01`: the rows of the table as they are drawn, with the number of dots. */
function drawn(html: string): string[] {
  const rows = html.split('<tr id="line-').slice(1);
  return rows.map((row) => {
    const name = row.slice(0, row.indexOf('"'));
    const [, kind, from, to] = /<path class="([^"]+)" d="M(\d+) 0.5H(\d+)"/.exec(row) ?? [];
    const dots = row.match(/h0/g)?.length ?? 0;
    return kind === undefined ? name : `${name} ${kind} ${dayOf(from!)}..${dayOf(to!)} ${dots}`;
  });
}

function dayOf(number: string): string {
  return addDays('1970-01-01', Number(number));
}

function yearsOf(html: string): string | undefined {
  return /aria-label="Support of the release lines of [^"]*?, ([^",]*)"/.exec(html)?.[1];
}

describe('the picture of release lines', () => {
  it('has a bar from the first release of a line to its first day without support', () => {
    const html = pageOf(
      [
        { version: '1.0', releaseTimestamp: '2024-01-01' },
        { version: '1.0.1', releaseTimestamp: '2024-07-01' },
        { version: '1.1', releaseTimestamp: '2026-01-01' },
      ],
      term,
    );

    expect(drawn(html)).toEqual(['1.1 bar 2026-01-01..2027-01-01 1', '1.0 over 2024-01-01..2025-01-01 2']);
    expect(yearsOf(html)).toBe('2024 to 2027');
  });

  it('draws a line without a stated end to the end of the picture, which lies at the end of a year', () => {
    const releases = [{ version: '1.0', releaseTimestamp: '2024-03-01' }];
    const promised = { support: { policy: 'latest-lines', count: 1 } } as const;
    const on = (day: string) => pageOf(releases, promised, { day });

    expect(drawn(pageOf(releases, promised))).toEqual(['1.0 open promised 2024-03-01..2027-01-01 1']);
    expect(drawn(pageOf(releases))).toEqual(['1.0 open 2024-03-01..2027-01-01 1']);
    expect(on('2026-12-31')).toBe(on('2026-01-01'));
    expect(yearsOf(on('2027-01-01'))).toBe('2024 to 2027');
  });

  it('draws support that runs although every release is deprecated', () => {
    const html = pageOf([{ version: '1.0', releaseTimestamp: '2025-01-01' }], {
      support: { policy: 'ended', since: '2026-12-31' },
    });

    expect(drawn(html)).toEqual(['1.0 bar 2025-01-01..2026-12-31 1']);
  });

  it('does not reach to the present where all has ended', () => {
    const html = pageOf([{ version: '1.0', releaseTimestamp: '2015-05-01' }], term);

    expect(yearsOf(html)).toBe('2015 to 2016');
  });

  it('has no bar for a line of which no day is known, and is not there without any day', () => {
    expect(drawn(pageOf([{ version: '1.0', releaseTimestamp: '2026-01-01' }, { version: '1.1' }]))).toEqual([
      '1.1',
      '1.0 open 2026-01-01..2027-01-01 1',
    ]);
    const undated = pageOf([{ version: '1.0' }]);
    expect(undated).not.toContain('role="img"');
    expect(undated).toContain('No release day is known');
  });

  it('holds all of its lines, however far they reach', () => {
    const html = pageOf(
      [
        { version: '1.0', releaseTimestamp: '2005-12-31' },
        { version: '2.0', releaseTimestamp: '2026-06-30' },
      ],
      { support: { policy: 'dated', lines: { '1.0': '2006-12-30', '2.0': '2099-12-31' } } },
    );
    const [, from, days] = /viewBox="(\d+) 0 (\d+) 1"/.exec(html)!;

    expect(Number(from)).toBe(dayNumber('2005-01-01'));
    expect(Number(from) + Number(days)).toBe(dayNumber('2100-01-01'));
  });

  it('has few enough dots for a line of many releases', () => {
    const releases = Array.from({ length: 3000 }, (_, index) => ({
      version: `1.0.${index}`,
      releaseTimestamp: addDays('2018-01-01', index),
    }));

    expect(pageOf(releases).match(/h0/g)!.length).toBeLessThan(210);
  });
});

describe('the lines of a page', () => {
  const years = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      version: `${2026 - count + index}.1`,
      releaseTimestamp: `${2026 - count + index}-02-01`,
    }));
  const foldsOf = (html: string) =>
    Array.from(html.matchAll(/<summary>(\d[^<]*line[^<]*)<\/summary>/g), ([, text]) => text);

  it('are all open where they are supported, beside the three that ended last', () => {
    const html = pageOf(years(30), { support: { policy: 'latest-lines', count: 20 } });

    expect(foldsOf(html)).toEqual(['7 older lines, all ended']);
    expect(drawn(html.slice(0, html.indexOf('7 older lines')))).toHaveLength(23);
  });

  it('are the newest twelve where nobody promises anything', () => {
    const html = pageOf(years(30));

    expect(foldsOf(html)).toEqual(['18 older lines']);
    expect(drawn(html)).toHaveLength(30);
  });

  it('are called deprecated, not ended, while their support runs', () => {
    expect(foldsOf(pageOf(years(15), { support: { policy: 'ended', since: '2026-12-31' } }))).toEqual([
      '3 older lines, all deprecated',
    ]);
  });
});
