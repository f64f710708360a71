import { describe, expect, it } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
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

/** `1.0 ok bar 2024-01-01..2025-01-01 1`: the lines as they are drawn, with the number of marks. */
function drawn(html: string): string[] {
  const [, from, days] = /viewBox="(\d+) 0 (\d+) 1"/.exec(html) ?? [];
  const dayAt = (percent: number) =>
    addDays('1970-01-01', Math.round(Number(from) + (percent / 100) * Number(days)));
  return html
    .split(/<details(?= id="line-| class="(?:ok|soon|over|none)")/)
    .slice(1)
    .map((row) => {
      const [, tone] = /class="(\w+)"/.exec(row)!;
      const [, name] = /<summary><b>([^<]*)/.exec(row)!;
      const bars = Array.from(
        row.matchAll(/<rect class="((?:bar|tail)[^"]*)" x="([\d.]+)%"[^>]* width="([\d.]+)%"/g),
        ([, kind, at, width]) => `${kind} ${dayAt(Number(at))}..${dayAt(Number(at) + Number(width))}`,
      );
      const marks = row.match(/v\.4/g)?.length;
      return [name!.trim(), tone, ...bars, marks].filter(Boolean).join(' ');
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

    expect(drawn(pageOf(releases, promised))).toEqual(['1.0 ok tail 2024-03-01..2027-01-01 1']);
    expect(on('2026-12-31')).toBe(on('2026-10-01'));
    expect(yearsOf(on('2027-01-01'))).toBe('2024 to 2027');
  });

  it('draws support that runs although every release is deprecated', () => {
    const html = pageOf([{ version: '1.0', releaseTimestamp: '2025-01-01' }], {
      support: { policy: 'ended', since: '2026-12-31' },
    });

    expect(drawn(html)).toEqual(['1.0 ok bar 2025-01-01..2026-12-31 1']);
  });

  it('does not reach to the present where all has ended', () => {
    const html = pageOf([{ version: '1.0', releaseTimestamp: '2015-05-01' }], term);

    expect(yearsOf(html)).toBe('2015 to 2016');
  });

  it('fades in where the first day is unknown, and is dashed between the bounds of the last', () => {
    const html = pageOf(
      [
        { version: '1.0', releaseTimestamp: '2026-01-01' },
        { version: '1.1', releaseTimestamp: '2026-06-01', timestampKind: 'observed' },
      ],
      term,
    );

    expect(drawn(html)).toEqual([
      '1.1 ok bar fade 2026-01-01..2026-06-01 bar 2026-06-01..2027-01-01 tail 2027-01-01..2027-06-01 1',
      '1.0 ok bar 2026-01-01..2027-01-01 1',
    ]);
    expect(pageOf([{ version: '1.0' }], term)).not.toContain('role="img"');
  });

  it('has one row for neighbours that end together', () => {
    const html = pageOf(
      ['1.0', '1.1', '2.0'].map((version) => ({ version, releaseTimestamp: '2025-01-01' })),
      {
        support: {
          policy: 'dated',
          lines: { '1.0': '2027-06-01', '1.1': '2027-06-01', '2.0': '2028-01-01' },
        },
      },
    );

    expect(drawn(html)).toEqual([
      '2.0 ok bar 2025-01-01..2028-01-01 1',
      '1.0 to 1.1 ok bar 2025-01-01..2027-06-01 1',
    ]);
    expect(html).toContain('<h3 id="line-1.0">1.0</h3>');
  });

  it('has few enough marks for a line of many releases', () => {
    const releases = Array.from({ length: 3000 }, (_, index) => ({
      version: `1.0.${index}`,
      releaseTimestamp: addDays('2018-01-01', index),
    }));

    expect(
      pageOf(releases, { support: { policy: 'latest-lines', count: 1 } }).match(/v\.4/g)!.length,
    ).toBeLessThan(210);
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

  it('are a list by year where nobody promises anything, and the picture looks back', () => {
    const html = pageOf(years(30));

    expect(html).toContain('<p class="state">Newest version</p>');
    expect(Array.from(html.matchAll(/<caption>(\d+)/g), ([, year]) => year).slice(0, 3)).toEqual([
      '2025',
      '2024',
      '2023',
    ]);
    expect(html.match(/<tr id="v/g)).toHaveLength(30);
    expect(html).toContain('<dt>Releases since 1996</dt><dd>30</dd>');
    expect(html).not.toContain('class="until"');
  });

  it('are called deprecated, not ended, while their support runs', () => {
    const html = pageOf(years(15), { support: { policy: 'ended', since: '2026-12-31' } });

    expect(foldsOf(html)).toEqual(['3 older lines, all deprecated']);
    expect(html).toContain('<p class="s">15 deprecated lines. Open');
  });

  it('have a row each while they are open, and share 300 releases', () => {
    const of = (line: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        version: `${line}.${index}`,
        releaseTimestamp: '2026-02-01',
      }));
    const lines = ['1.0', '1.1', '1.2', '1.3'];
    const ends = { '1.0': '2027-01-01', '1.1': '2026-03-01', '1.2': '2027-02-01', '1.3': '2027-03-01' };
    const counts: Record<string, number> = { '1.0': 100, '1.1': 150, '1.2': 10, '1.3': 500 };
    const html = pageOf(
      lines.flatMap((line) => of(line, counts[line]!)),
      { support: { policy: 'dated', lines: ends } },
    );
    const rowsOf = (line: string) => html.match(new RegExp(`<tr id="v${line}\\.`, 'g'))!.length;

    expect(lines.map(rowsOf)).toEqual([75, 75, 10, 140]);
    expect(html).toContain('<p class="s">And 25 older releases.</p>');
    expect(html).toContain('<p>Not on this page: 460 older releases. ');
  });
});
