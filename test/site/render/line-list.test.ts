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

/** `1.0 ok bar 2024-01-01..2025-01-01 1`: the lines as they are drawn, with the number of dots. */
function drawn(html: string): string[] {
  const [, from, days] = /viewBox="(\d+) 0 (\d+) 1"/.exec(html) ?? [];
  const dayAt = (percent: number) =>
    addDays('1970-01-01', Math.round(Number(from) + (percent / 100) * Number(days)));
  return html
    .split('<details id="line-')
    .slice(1)
    .map((row) => {
      const [, name, tone] = /^([^"]*)"(?: class="(\w+)")?/.exec(row)!;
      const [, kind, at, width] =
        /<rect class="([^"]+)" x="([\d.]+)%"[^>]* width="([\d.]+)%"/.exec(row) ?? [];
      const [, ahead] = /<path class="bar" d="M0 .2H(\d+)V/.exec(row) ?? [];
      const bar = kind && `${kind} ${dayAt(Number(at))}..${dayAt(Number(at) + Number(width))}`;
      const dots = row.match(/h0/g)?.length;
      return [name, tone, bar, ahead && `until ${addDays('1970-01-01', Number(ahead))}`, dots]
        .filter(Boolean)
        .join(' ');
    });
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

    expect(drawn(html)).toEqual([
      '1.1 ok bar 2026-01-01..2027-01-01 1',
      '1.0 over bar 2024-01-01..2025-01-01 2',
    ]);
    expect(yearsOf(html)).toBe('2024 to 2027');
  });

  it('draws a line without a stated end to the end of the picture, which lies at the end of a year', () => {
    const releases = [{ version: '1.0', releaseTimestamp: '2024-03-01' }];
    const promised = { support: { policy: 'latest-lines', count: 1 } } as const;
    const on = (day: string) => pageOf(releases, promised, { day });

    expect(drawn(pageOf(releases, promised))).toEqual(['1.0 ok at-least 2024-03-01..2027-01-01 1']);
    expect(drawn(pageOf(releases))).toEqual(['1.0 none at-least 2024-03-01..2027-01-01 1']);
    expect(on('2026-12-31')).toBe(on('2026-01-01'));
    expect(yearsOf(on('2027-01-01'))).toBe('2024 to 2027');
  });

  it('draws support that runs although every release is deprecated', () => {
    const html = pageOf([{ version: '1.0', releaseTimestamp: '2025-01-01' }], {
      support: { policy: 'ended', since: '2026-12-31' },
    });

    expect(drawn(html)).toEqual(['1.0 over bar 2025-01-01..2026-12-31 1']);
  });

  it('does not reach to the present where all has ended', () => {
    const html = pageOf([{ version: '1.0', releaseTimestamp: '2015-05-01' }], term);

    expect(yearsOf(html)).toBe('2015 to 2016');
  });

  it('draws nothing for a line of which no day is known', () => {
    expect(drawn(pageOf([{ version: '1.0', releaseTimestamp: '2026-01-01' }, { version: '1.1' }]))).toEqual([
      '1.1 none',
      '1.0 none at-least 2026-01-01..2027-01-01 1',
    ]);
    expect(pageOf([{ version: '1.0' }])).not.toContain('role="img"');
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
    Array.from(html.matchAll(/<summary>Show (\d[^<]*line[^<]*)<\/summary>/g), ([, text]) => text);

  it('are shown at once where they are supported, beside the three that ended last', () => {
    const html = pageOf(years(30), { support: { policy: 'latest-lines', count: 20 } });

    expect(foldsOf(html)).toEqual(['7 older lines, all ended']);
    expect(drawn(html.slice(0, html.indexOf('7 older lines')))).toHaveLength(23);
    expect(html).toContain('<p class="s">20 supported lines, 10 ended. Open a line to see its releases.');
  });

  it('are the newest twelve where nobody promises anything', () => {
    const html = pageOf(years(30));

    expect(foldsOf(html)).toEqual(['18 older lines']);
    expect(drawn(html)).toHaveLength(30);
    expect(html).toContain('<p class="s">30 lines without a promise. Open');
  });

  it('are called deprecated, not ended, while their support runs', () => {
    const html = pageOf(years(15), { support: { policy: 'ended', since: '2026-12-31' } });

    expect(foldsOf(html)).toEqual(['3 older lines, all deprecated']);
    expect(html).toContain('<p class="s">15 deprecated lines. Open');
  });

  it('hold at most 300 releases, those of open lines first, and say how many are left out', () => {
    const of = (line: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        version: `${line}.${index}`,
        releaseTimestamp: '2026-02-01',
      }));
    const dated = {
      support: { policy: 'dated', lines: { '1.0': '2027-01-01', '1.1': '2026-03-01', '1.2': '2027-01-01' } },
    } as const;
    const html = pageOf([...of('1.0', 100), ...of('1.1', 150), ...of('1.2', 120)], dated);
    const rowsOf = (line: string) => html.match(new RegExp(`<tr id="v${line}\\.`, 'g'))!.length;

    expect(['1.2', '1.1', '1.0'].map(rowsOf)).toEqual([120, 150, 30]);
    expect(html).toContain('<p class="s">And 70 older releases.</p>');
    expect(html).toContain('<p>Not on this page: 70 older releases. ');
  });
});
