import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../src/core/model/dates.ts';
import type { Definition } from '../../../../src/core/schemas/definition/definition.ts';
import type { JournalEvent } from '../../../../src/core/schemas/recorded/journal.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import { renderChangesPage } from '../../../../src/site/render/html/changes-page.ts';
import type { SiteInput } from '../../../../src/site/render/site-context.ts';
import { changeLogOf, componentOf, recordedBy, site, summariesOf } from '../sites.ts';

type Listed = [definition: Partial<Definition>, ...releases: RecordedRelease[]];

/** The page of components by name, on a day after some recorded days. */
function pageOn(
  listed: Readonly<Record<string, Listed>>,
  day = '2026-11-20',
  recorded: readonly string[] = [],
): string {
  const found = Object.entries(listed).map(([name, [definition, ...releases]]) => {
    const on = (each: string) => componentOf(releases, definition, { name, day: each });
    const journal = recorded.reduce<JournalEvent[]>(
      (before, each) => recordedBy(on(each), before),
      [],
    );
    return { component: on(day), journal };
  });
  const log = changeLogOf(...found.map(({ journal }) => journal));
  const summaries = summariesOf(...found.map(({ component }) => component));
  const input = { summaries, ...log.newest() };
  return renderChangesPage({ ...site, day }, input as unknown as SiteInput);
}

/** `2026-11-16 | ≤ 19 Nov 2026 | A & B 1.1, 1.0 | New line 1.1`, as the page has them. */
function newsIn(html: string): string[] {
  return html
    .split('<h2 id="')
    .slice(1)
    .flatMap((section) =>
      Array.from(section.matchAll(/<li>(.*?)<\/li>/g), ([, row]) => {
        const text = row!.replaceAll(/<(?:span|small)>/g, ' | ').replaceAll(/<[^>]*>/g, '');
        return section.slice(0, section.indexOf('"')) + (text.startsWith(' ') ? text : `: ${text}`);
      }),
    );
}

const on = (
  version: string,
  releaseTimestamp: string,
  more: Partial<RecordedRelease> = {},
): RecordedRelease => ({ version, releaseTimestamp, ...more });

const withdrawn = { firstSeen: '2026-01-01', source: 'npm:gone', withdrawnSince: '2026-11-12' };
const components: Record<string, Listed> = {
  gone: [
    { title: 'Gone' },
    ...['1.0', '1.1', '1.2', '1.3'].map((version) => on(version, '2020-01-01', withdrawn)),
  ],
  svc: [
    { title: 'Server', support: { policy: 'term', months: 12 } },
    ...[on('1.0', '2025-11-14'), on('1.1', '2026-11-16T08:00:00Z')],
  ],
  tool: [
    { title: 'A & B' },
    on('1.0', '2026-11-15', { firstSeen: '2026-11-01' }),
    on('1.1', '2026-11-15', { timestampKind: 'observed', firstSeen: '2026-11-15' }),
    on('1.2', '2026-11-18', { timestampKind: 'observed', firstSeen: '2026-11-18' }),
    on('0.9', '2026-08-01', { firstSeen: '2026-11-19' }),
    { version: '0.8', firstSeen: '2026-11-19' },
  ],
};

/** A day before the first news, and every day from then on. */
const recorded = [
  '2026-10-31',
  ...Array.from({ length: 10 }, (_, index) => addDays('2026-11-11', index)),
];

describe('the page of changes', () => {
  const html = pageOn(components, '2026-11-20', recorded);

  it('lists releases and other news once, by week, newest first', () => {
    expect(newsIn(html)).toEqual([
      '2026-11-16 | ≤ 19 Nov 2026 | A &amp; B 0.8',
      '2026-11-16 | ≤ 18 Nov 2026 | A &amp; B 1.2 | New line 1.2',
      '2026-11-16 | 16 Nov 2026 | Server 1.1 | New line 1.1, supported until 16 Nov 2027',
      '2026-11-09 | 15 Nov 2026 | Server: 1.0 is deprecated.',
      '2026-11-09 | 15 Nov 2026 | A &amp; B 1.1, 1.0 | New line 1.1',
      '2026-11-09 | 12 Nov 2026 | Gone: 4 releases were withdrawn: 1.3, 1.2, 1.1, 1.0.',
      '2026-11-09 | 11 Nov 2026 | Server: Support of release line 1.0 ends on 14 Nov 2026, in 7 days or less.',
      '2026-10-26: gone was added with 4 releases: from 1.0 to 1.3.',
      '2026-10-26: svc was added with 1 release: 1.0.',
      '2026-10-26: tool was added with 1 release: 0.9.',
      '2026-07-27 | 1 Aug 2026 | A &amp; B 0.9 | New line 0.9',
    ]);
  });

  it('joins the components that one run added', () => {
    expect(html).toContain('>3 components</bdi></a>: added with 6 releases.</span>');
  });

  it('links every entry to the release on the page of its component', () => {
    const links = Array.from(
      html.matchAll(/<a (?:class="version" )?href="([^"#]+\.html)#(v[^"]+)"/g),
    );

    expect(links.map(([, page, anchor]) => `${page}#${anchor}`)).toEqual([
      ...['tool.html#v0.8', 'tool.html#v1.2', 'svc.html#v1.1', 'svc.html#v1.0'],
      ...['tool.html#v1.1', 'tool.html#v1.0', 'gone.html#v1.3'],
      'tool.html#v0.9',
    ]);
  });

  it('names each week, and links the feed and the file of each year', () => {
    expect(html).toContain(
      '<h2 id="2026-10-26">Week of <time datetime="2026-10-26">26 Oct 2026</time></h2>',
    );
    expect(html).toContain('<a href="feed.atom">');
    expect(html).toContain('<a href="changes/2026.json">2026</a>');
  });

  it('stays the same on a day without news', () => {
    const unsupported: typeof components = {
      ...components,
      svc: [{ title: 'Server' }, ...components['svc']!.slice(1)] as Listed,
    };

    expect(pageOn(unsupported, '2029-03-01', recorded)).toBe(
      pageOn(unsupported, '2026-11-20', recorded),
    );
  });
});

describe('the page of many changes', () => {
  it('covers the six months before the newest news', () => {
    const days = ['2026-05-31', '2026-06-01', '2026-11-20'];

    expect(
      newsIn(pageOn({ tool: [{}, ...days.map((day, index) => on(`1.${index}`, day))] })),
    ).toEqual([
      '2026-11-16 | 20 Nov 2026 | Server 1.2 | New line 1.2',
      '2026-06-01 | 1 Jun 2026 | Server 1.1 | New line 1.1',
    ]);
  });

  it('has one line for all releases of a component on a day', () => {
    const releases = Array.from({ length: 30 }, (_, index) => on(`1.${index}`, '2026-11-20'));

    expect(newsIn(pageOn({ tool: [{}, ...releases] }))).toEqual([
      '2026-11-16 | 20 Nov 2026 | Server 1.29, 1.28, 1.27, 1.26, 1.25, 1.24 and 24 more | New line 1.29',
    ]);
  });

  it('has one line for all releases without a day that a run records', () => {
    const undated = Array.from({ length: 8 }, (_, index) => ({
      version: `1.${index}`,
      firstSeen: '2026-11-19',
    }));
    const releases = [on('2.0', '2021-01-01'), ...undated];

    expect(
      newsIn(pageOn({ tool: [{}, ...releases] }, '2026-11-20', ['2026-10-31', '2026-11-19'])),
    ).toContain('2026-11-16 | ≤ 19 Nov 2026 | Server 1.7, 1.6, 1.5, 1.4, 1.3, 1.2 and 2 more');
  });

  it('has one line for an added component, and its releases of these months', () => {
    const releases = Array.from({ length: 300 }, (_, index) =>
      on(`1.${index}`, index === 299 ? '2026-11-10' : '2020-01-01', { firstSeen: '2026-11-20' }),
    );

    expect(newsIn(pageOn({ tool: [{}, ...releases] }, '2026-11-20', ['2026-11-20']))).toEqual([
      '2026-11-16 | 20 Nov 2026 | Server: added with 300 releases: from 1.0 to 1.299.',
      '2026-11-09 | 10 Nov 2026 | Server 1.299 | New line 1.299',
    ]);
  });

  it('shows the newest day, even if a run recorded more on it than the list of changes has', async () => {
    const releases = [on('1.0', '2026-05-01'), on('1.1', '2026-05-06')];
    const first = recordedBy(componentOf(releases.slice(0, 1), {}, { day: '2026-05-04' }));
    const journal = recordedBy(componentOf(releases, {}, { day: '2026-05-06' }), first);
    const log = changeLogOf(...Array.from({ length: 1001 }, () => journal.slice(-1)));

    const html = renderChangesPage(site, { summaries: [], ...log.newest() } as never);

    expect(newsIn(html)).not.toEqual([]);
  });

  it('has at most the newest 500 entries', () => {
    const releases = Array.from({ length: 56 }, (_, day) =>
      on(`1.${day}`, addDays('2026-11-22', -day)),
    );
    const daily = Array.from({ length: 9 }, (_, index) => [`tool-${index}`, [{}, ...releases]]);

    const html = pageOn(Object.fromEntries(daily) as Record<string, Listed>, '2026-11-22');
    expect(newsIn(html)).toHaveLength(500);
  });
});

it('an edit that changes several lines is one entry, which unfolds to each change', () => {
  const releases = [on('1.0', '2025-01-01'), on('1.1', '2025-06-01')];
  const lines = { '1.0': '2027-06-01', '1.1': '2027-12-01' };
  const before = componentOf(releases, {}, { day: '2026-11-01' });
  const after = componentOf(
    ...([releases, { support: { policy: 'dated', lines } }, { day: '2026-11-10' }] as const),
  );
  const first = recordedBy(before);
  const edit = 'components/svc.json#support@0f1e2d3c4b';
  const journal = recordedBy(after, first).map((event) =>
    event.id > first.length ? { ...event, edit } : event,
  );
  const log = changeLogOf(journal);

  const html = renderChangesPage(site, { summaries: summariesOf(after), ...log.newest() } as never);

  expect(html).toContain('<summary>Each change</summary>');
  expect(html.match(/<li>Support of release line 1\.\d ends on/g)).toHaveLength(2);
});

it('the news of a component that has left the index are texts without links', () => {
  const releases = [on('1.0', '2026-05-01'), on('1.1', '2026-05-06')];
  const first = recordedBy(componentOf(releases.slice(0, 1), {}, { day: '2026-05-04' }));
  const log = changeLogOf(recordedBy(componentOf(releases, {}, { day: '2026-05-06' }), first));

  const html = renderChangesPage(site, { summaries: [], ...log.newest() } as never);

  expect(newsIn(html)).toEqual([
    '2026-05-04 | ≤ 6 May 2026 | svc: 1.1 was released on 6 May 2026.',
    '2026-05-04 | 4 May 2026 | svc: added with 1 release: 1.0.',
  ]);
  expect(html).not.toContain('svc.html');
});

it('the news before a renaming have the title and lead to the page of the new name', () => {
  const releases = [on('1.0', '2026-05-01'), on('0.9', '2020-05-01', { firstSeen: '2026-05-06' })];
  const first = recordedBy(componentOf(releases.slice(0, 1), {}, { day: '2026-05-04' }));
  const journal = recordedBy(componentOf(releases, {}, { day: '2026-05-06' }), first);
  const renamed = componentOf(releases, { renamedFrom: ['svc'] }, { name: 'server' });
  const log = changeLogOf(journal);

  const html = renderChangesPage(site, {
    summaries: summariesOf(renamed),
    ...log.newest(),
  } as never);

  expect(html).toContain('<a href="server.html#v1.0"><bdi>Server</bdi></a>');
  expect(html).not.toContain('svc.html');
});
