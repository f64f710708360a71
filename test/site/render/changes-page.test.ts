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

/** `2026-W47: 2026-11-19 released Tool: 1.1, 1.0`, as the page has them. */
function newsIn(html: string): string[] {
  return html
    .split('<h2 id="')
    .slice(1)
    .flatMap((section) =>
      Array.from(section.matchAll(/<li>(<time.*?)<\/li>/g), ([, row]) => {
        const text = row!
          .replaceAll(/<time datetime="([^"]+)">[^<]*/g, '$1')
          .replaceAll(/<[^>]*>/g, '')
          .trim();
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

  it('tells releases and verdicts together by week, newest first, and each of them once', () => {
    expect(newsIn(html)).toEqual([
      '2026-W47: 2026-11-19 released A &amp; B: 0.8 was first seen on 2026-11-19.',
      '2026-W47: 2026-11-18 seen A &amp; B: 1.2',
      '2026-W47: 2026-11-16 released Server: 1.1',
      '2026-W46: 2026-11-15 released A &amp; B: 1.1, 1.0',
      '2026-W46: 2026-11-14 deprecated Server: 1.0 is deprecated: 1.0 was first released on 2025-11-14; a release line is supported for 12 months.',
      '2026-W46: 2026-11-12 withdrawn Gone: 4 releases were withdrawn: 1.3, 1.2, 1.1, 1.0.',
      '2026-W46: 2026-11-11 support-ending Server: Support of release line 1.0 ends on 2026-11-14, in 7 days or less.',
      '2026-W44: 2026-10-31 added Gone: gone was added with 4 releases: from 1.0 to 1.3.',
      '2026-W44: 2026-10-31 added Server: svc was added with 1 release: 1.0.',
      '2026-W44: 2026-10-31 added A &amp; B: tool was added with 1 release: 0.9.',
      '2026-W31: 2026-08-01 released A &amp; B: 0.9',
    ]);
  });

  it('links every entry to the release on the page of its component', () => {
    const links = Array.from(html.matchAll(/<a (?:class="version" )?href="([^"#]+\.html)#(v[^"]+)"/g));

    expect(links.map(([, page, anchor]) => `${page}#${anchor}`)).toEqual([
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

  it('gives each week an address of its own, and says which days it has', () => {
    expect(html).toMatch(
      /<h2 id="2026-W47"><a href="#2026-W47">2026-W47<\/a> .*<time datetime="2026-11-16">.* to <time datetime="2026-11-22">/,
    );
  });

  it('is led to from every page, and leads to the feed and to the years', () => {
    expect(readFileSync(join(out, 'svc.html'), 'utf8')).toContain('<a href="changes.html">Changes</a>');
    expect(readFileSync(join(out, 'sitemap.xml'), 'utf8')).toContain('/changes.html</loc>');
    expect(html).toContain('<a href="feed.atom">');
    expect(html).toContain('<a href="changes/2026.json">2026</a>');
    expect(existsSync(join(out, 'changes/2026.json'))).toBe(true);
  });

  it('does not move on a day without news, were it years later', async () => {
    const unsupported = {
      ...components,
      svc: { ...components['svc']!, definition: definition({ title: 'Server' }) },
    };

    const now = await pageOn(unsupported, '2026-11-20', recorded);
    expect((await pageOn(unsupported, '2029-03-01', recorded)).html).toBe(now.html);
  });

  it('says so where nothing is known', async () => {
    const empty = (await pageOn({ tool: listed('Tool', { version: '1.0' }) })).html;

    expect(empty).toContain('No change and no release day is recorded yet.');
    expect(empty).not.toContain('<h2');
  });
});

describe('of much news, the page', () => {
  it('reaches 26 weeks back from the newest', async () => {
    const days = ['2026-05-24', '2026-05-25', '2026-11-20'];
    const { html } = await pageOn({
      tool: listed('Tool', ...days.map((day, index) => on(`1.${index}`, day))),
    });

    expect(newsIn(html)).toEqual([
      '2026-W47: 2026-11-20 released Tool: 1.2',
      '2026-W22: 2026-05-25 released Tool: 1.1',
    ]);
  });

  it('tells the releases of a component and day in one line', async () => {
    const releases = Array.from({ length: 30 }, (_, index) => on(`1.${index}`, '2026-11-20'));

    expect(newsIn((await pageOn({ tool: listed('Tool', ...releases) })).html)).toEqual([
      '2026-W47: 2026-11-20 released Tool: 1.29, 1.28, 1.27, 1.26, 1.25, 1.24 and 24 more',
    ]);
  });

  it('tells in one line that a component was added, beside what came out of it in these weeks', async () => {
    const releases = Array.from({ length: 300 }, (_, index) =>
      on(`1.${index}`, index === 299 ? '2026-11-10' : '2020-01-01', { firstSeen: '2026-11-20' }),
    );

    expect(
      newsIn((await pageOn({ tool: listed('Tool', ...releases) }, '2026-11-20', ['2026-11-20'])).html),
    ).toEqual([
      '2026-W47: 2026-11-20 added Tool: tool was added with 300 releases: from 1.0 to 1.299.',
      '2026-W46: 2026-11-10 released Tool: 1.299',
    ]);
  });

  it('has the newest weeks that make at most five hundred entries, and always something', async () => {
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
