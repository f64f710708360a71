import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
import { definition } from '../../harness/root.ts';
import { recordOn, rootOf, siteOf, type TestComponent } from '../../harness/site.ts';

async function pageOn(
  components: Record<string, TestComponent>,
  day = '2026-11-20',
  recorded: readonly string[] = [],
): Promise<{ out: string; html: string }> {
  const root = rootOf(components);
  await recordOn(root, ...recorded);
  const out = siteOf(root, day);
  return { out, html: readFileSync(join(out, 'changes.html'), 'utf8') };
}

/** `2026-W47: A & B 1.1, 1.0 released ≤&nbsp;19 Nov 2026`, as the page has them. */
function newsIn(html: string): string[] {
  return html
    .split('<h2 id="')
    .slice(1)
    .flatMap((section) =>
      Array.from(section.matchAll(/<li>(.*?)<\/li>/g), ([, row]) => {
        const text = row!.replace('<span class="when', ' $&').replaceAll(/<[^>]*>/g, '');
        return `${section.slice(0, section.indexOf('"'))}: ${text}`;
      }),
    );
}

const listed = (title: string, ...releases: object[]): TestComponent => ({
  definition: definition({ title }),
  releases,
});
const on = (version: string, releaseTimestamp: string, more: object = {}) => ({
  version,
  releaseTimestamp,
  ...more,
});

const components: Record<string, TestComponent> = {
  gone: listed(
    'Gone',
    ...['1.0', '1.1', '1.2', '1.3'].map((version) =>
      on(version, '2020-01-01', {
        firstSeen: '2026-01-01',
        source: 'npm:gone',
        withdrawnSince: '2026-11-12',
      }),
    ),
  ),
  svc: {
    definition: definition({ title: 'Server', support: { policy: 'term', months: 12 } }),
    releases: [on('1.0', '2025-11-14'), on('1.1', '2026-11-16T08:00:00Z')],
  },
  tool: listed(
    'A & B',
    on('1.0', '2026-11-15', { firstSeen: '2026-11-01' }),
    on('1.1', '2026-11-15', { timestampKind: 'observed', firstSeen: '2026-11-15' }),
    on('1.2', '2026-11-18', { timestampKind: 'observed', firstSeen: '2026-11-18' }),
    on('0.9', '2026-08-01', { firstSeen: '2026-11-19' }),
    { version: '0.8', firstSeen: '2026-11-19' },
  ),
};

/** A day before the first news, and every day from then on. */
const recorded = ['2026-10-31', ...Array.from({ length: 10 }, (_, index) => addDays('2026-11-11', index))];

describe('the page of changes', () => {
  let [out, html] = ['', ''];

  beforeAll(async () => {
    ({ out, html } = await pageOn(components, '2026-11-20', recorded));
  });

  it('lists releases and other news once, by week, newest first', () => {
    expect(newsIn(html)).toEqual([
      '2026-W47: A &amp; B 0.8 released ≤&nbsp;19 Nov 2026',
      '2026-W47: A &amp; B 1.2 released ≤&nbsp;18 Nov 2026',
      '2026-W47: Server 1.1 released 16 Nov 2026',
      '2026-W46: A &amp; B 1.1, 1.0 released 15 Nov 2026',
      '2026-W46: Server: 1.0 is deprecated. 14 Nov 2026',
      '2026-W46: Gone: 4 releases were withdrawn: 1.3, 1.2, 1.1, 1.0. 12 Nov 2026',
      '2026-W46: Server: Support of release line 1.0 ends on 14 Nov 2026, in 7 days or less. 11 Nov 2026',
      '2026-W44: Gone: added with 4 releases: from 1.0 to 1.3. 31 Oct 2026',
      '2026-W44: Server: added with 1 release: 1.0. 31 Oct 2026',
      '2026-W44: A &amp; B: added with 1 release: 0.9. 31 Oct 2026',
      '2026-W31: A &amp; B 0.9 released 1 Aug 2026',
    ]);
  });

  it('links every entry to the release on the page of its component', () => {
    const links = Array.from(html.matchAll(/<a (?:class="version" )?href="([^"#]+\.html)#(v[^"]+)"/g));

    expect(links.map(([, page, anchor]) => `${page}#${anchor}`)).toEqual([
      'tool.html#v0.8',
      'tool.html#v0.8',
      'tool.html#v1.2',
      'svc.html#v1.1',
      'tool.html#v1.1',
      'tool.html#v1.0',
      'svc.html#v1.0',
      'gone.html#v1.3',
      'gone.html#v1.3',
      'svc.html#v1.0',
      'tool.html#v0.9',
      'tool.html#v0.9',
    ]);
    for (const [, page, anchor] of links)
      expect(readFileSync(join(out, page!), 'utf8')).toContain(`id="${anchor}"`);
  });

  it('names each week by its days, and links the feed and the file of each year', () => {
    expect(html).toContain('<h2 id="2026-W44">26 October to 1 November 2026</h2>');
    expect(html).toContain('<a href="feed.atom">');
    expect(html).toContain('<a href="changes/2026.json">2026</a>');
    expect(existsSync(join(out, 'changes/2026.json'))).toBe(true);
  });

  it('stays the same on a day without news', async () => {
    const unsupported = {
      ...components,
      svc: { ...components['svc']!, definition: definition({ title: 'Server' }) },
    };

    const now = await pageOn(unsupported, '2026-11-20', recorded);
    expect((await pageOn(unsupported, '2029-03-01', recorded)).html).toBe(now.html);
  });

  it('says that nothing is recorded yet', async () => {
    const empty = (await pageOn({ tool: listed('Tool', { version: '1.0' }) })).html;

    expect(empty).toContain('No change and no release day is recorded yet.');
    expect(empty).not.toContain('<h2');
  });
});

describe('the page of many changes', () => {
  it('covers the 26 weeks before the newest news', async () => {
    const days = ['2026-05-24', '2026-05-25', '2026-11-20'];
    const { html } = await pageOn({
      tool: listed('Tool', ...days.map((day, index) => on(`1.${index}`, day))),
    });

    expect(newsIn(html)).toEqual([
      '2026-W47: Tool 1.2 released 20 Nov 2026',
      '2026-W22: Tool 1.1 released 25 May 2026',
    ]);
  });

  it('has one line for all releases of a component on a day', async () => {
    const releases = Array.from({ length: 30 }, (_, index) => on(`1.${index}`, '2026-11-20'));

    expect(newsIn((await pageOn({ tool: listed('Tool', ...releases) })).html)).toEqual([
      '2026-W47: Tool 1.29, 1.28, 1.27, 1.26, 1.25, 1.24 and 24 more released 20 Nov 2026',
    ]);
  });

  it('has one line for an added component, and its releases of these weeks', async () => {
    const releases = Array.from({ length: 300 }, (_, index) =>
      on(`1.${index}`, index === 299 ? '2026-11-10' : '2020-01-01', { firstSeen: '2026-11-20' }),
    );

    expect(
      newsIn((await pageOn({ tool: listed('Tool', ...releases) }, '2026-11-20', ['2026-11-20'])).html),
    ).toEqual([
      '2026-W47: Tool: added with 300 releases: from 1.0 to 1.299. 20 Nov 2026',
      '2026-W46: Tool 1.299 released 10 Nov 2026',
    ]);
  });

  it('has whole weeks of at most 500 entries, and at least the newest 500 of one week', async () => {
    const daily = (components: number, days: number) => {
      const releases = Array.from({ length: days }, (_, day) => on(`1.${day}`, addDays('2026-11-22', -day)));
      return Object.fromEntries(
        Array.from({ length: components }, (_, index) => [`tool-${index}`, listed('Tool', ...releases)]),
      );
    };

    expect(newsIn((await pageOn(daily(9, 56), '2026-11-22')).html)).toHaveLength(7 * 7 * 9);
    expect(newsIn((await pageOn(daily(72, 7), '2026-11-22')).html)).toHaveLength(500);
  });
});
