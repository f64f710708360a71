import { describe, expect, test } from 'vitest';
import {
  listAllChanges,
  listAllNews,
  listChanges,
  listNews,
  listYearsOfChanges,
  renderChanges,
} from '../../../src/site/documents/changes.ts';
import { judgeComponents, renderFiles } from '../../harness/components.ts';
import { release } from '../../harness/judging.ts';

const at = '2026-11-20T06:00:00.000Z';

const on = '2026-11-20';
/**
 * The subject of the sentence about an event, and the event's facts. The key is the first word of the event's type: `support` for
 * `support-ended`.
 */
const subjects: Readonly<Record<string, [subject: string, facts: object]>> = {
  support: ['Server 2026.3', { line: '2026.3' }],
  stop: ['Server 2026.3', { line: '2026.3' }],
  advisory: ['Advisory CVE-2026-1 on Server', { advisory: 'CVE-2026-1', to: '<2026.3' }],
  replaced: ['Server', {}],
};
const ofRelease = ['Server 2026.3', { version: '2026.3' }] as const;

test.each<[type: string, words: string, facts?: object]>([
  ['released', 'was released on 2026-11-20.'],
  ['released', 'was released on or before 2026-11-20.', { isObserved: true }],
  ['withdrawn', 'was withdrawn.'],
  ['relisted', 'is listed again.'],
  ['excluded', 'is no longer in this index.'],
  ['included', 'is in this index again.'],
  ['deprecated', 'is deprecated. Loses data.', { reason: 'Loses data' }],
  ['restored', 'is no longer deprecated.'],
  ['corrected', 'was corrected: its day is now 2026-11-20.', { field: 'day', to: on }],
  [
    'corrected',
    'was corrected: its digest of amd64 is now sha256:b.',
    { field: 'digest', file: 'amd64', to: 'sha256:b' },
  ],
  ['republished', 'was republished with different content.'],
  ['unproven', 'was published without provenance, unlike 1.0.', { from: '1.0' }],
  ['support-changed', 'is supported until 2026-11-20.', { to: on }],
  [
    'support-changed',
    'is now supported until 2026-11-20, not 2028-01-01.',
    { from: '2028-01-01', to: on },
  ],
  ['support-changed', 'is supported until 2026-11-20 at the latest.', { toAtMost: on }],
  ['support-changed', 'no longer has a stated end of support. It was 2026-11-20.', { from: on }],
  [
    'support-changed',
    'is now supported at least until 2026-11-20 and at most until 2026-12-24.',
    { from: on, to: on, toAtMost: '2026-12-24' },
  ],
  ['support-changed', 'is now supported until 2026-11-20.', { from: on, to: on }],
  [
    'support-changed',
    'was supported until 2026-01-31, not 2027-01-31.',
    { from: '2027-01-31', to: '2026-01-31' },
  ],
  [
    'support-changed',
    'may have ended: its support lasts at least until 2026-01-31 and at most until 2026-12-24, not 2027-01-31.',
    { from: '2027-01-31', to: '2026-01-31', toAtMost: '2026-12-24' },
  ],
  [
    'support-changed',
    'is supported again, until 2027-01-31.',
    { from: '2026-01-31', to: '2027-01-31', isSupportedAgain: true },
  ],
  ['support-changed', 'is supported again.', { from: on, isSupportedAgain: true }],
  ['support-ending', 'will soon be out of support: it is supported until 2026-11-20.'],
  [
    'support-ending',
    'will soon be out of support: it is supported at least until 2026-11-20 and at most until 2026-12-24.',
    { toAtMost: '2026-12-24' },
  ],
  ['support-ended', 'is no longer supported.'],
  ['support-ended', 'is no longer supported. Use 2.0.', { reason: 'Use 2.0' }],
  ['support-ended', 'is no longer supported.', { reason: '18 months', initial: true }],
  [
    'support-ended',
    'is no longer supported. Paid support lasts until 2029-01-31. 18 months.',
    { reason: '18 months', paidSupport: 'Paid support lasts until 2029-01-31.' },
  ],
  [
    'support-ended',
    'is no longer supported.',
    { paidSupport: 'Paid support lasts until 2029-01-31.', initial: true },
  ],
  ['deprecated', 'is deprecated. Loses data.', { reason: 'Loses data', initial: true }],
  ['stop-added', 'is a required stop: upgrades must pass through it.'],
  ['stop-removed', 'is no longer a required stop.'],
  ['advisory-published', 'was published: it affects <2026.3.'],
  [
    'advisory-changed',
    'was changed: it affects <2026.3 (high, exploited since 2026-11-19).',
    { severity: 'high', exploitedSince: '2026-11-19' },
  ],
  ['advisory-withdrawn', 'was withdrawn.'],
  [
    'advisory-removed',
    'is no longer in this index. The owner of this index ignores it.',
    { reason: 'The owner of this index ignores it' },
  ],
  ['replaced', 'is replaced by The next.', { to: 'next' }],
  ['replaced', 'was split into The next and gone-since.', { to: 'next and gone-since' }],
  ['replaced', 'is no longer replaced.', { from: 'next' }],
])('an event of type %s is described with the words "… %s"', (type, words, facts) => {
  const [subject, of] = subjects[type.split('-')[0]!] ?? ofRelease;
  const event = { at, on, type, ...of, ...facts };

  const index = judgeComponents({
    svc: { definition: { title: 'Server' }, journal: [event] },
    next: { definition: { title: 'The next' } },
  });

  const component = index.components.find((each) => each.component === 'svc')!;
  expect(listChanges(component, index)).toEqual([
    { ...event, id: 'svc/1', component: 'svc', text: `${subject} ${words}` },
  ]);
});

const event = (facts: object, instant = at) => ({ at: instant, on, ...facts });
const released = (version: string, instant = at) => event({ type: 'released', version }, instant);

test('the news list leaves out undated releases from the first run of a component', () => {
  const initial = true;
  const journal = [
    { ...released('1.0'), initial },
    { ...released('1.1'), on: '2026-09-01', initial },
    event({ type: 'support-ended', line: '0.9', initial, on: '2026-10-08' }),
    event({ type: 'support-ending', line: '1.0', on: '2027-02-15' }),
    event({ type: 'support-ending', line: '1.1', on: '2026-12-01', initial }),
    event({ type: 'support-ended', line: '0.8', on: '2026-11-01' }),
    released('1.2', '2026-11-21T06:00:00.000Z'),
  ];
  const { components, ...index } = judgeComponents({ svc: { journal } });

  const news = listNews(components[0]!, { components, ...index });

  expect(news.map(({ type, version, line, on }) => [type, version ?? line, on])).toEqual([
    ['released', '1.2', '2026-11-20'],
    ['support-ending', '1.0', '2026-11-20'],
    ['support-ended', '0.8', '2026-11-01'],
    ['support-ended', '0.9', '2026-10-08'],
    ['released', '1.1', '2026-09-01'],
  ]);
});

const observed = (version: string, day: string, more = {}) =>
  release(version, day, { timestampKind: 'observed', firstSeen: day, ...more });

test.each<[name: string, releases: object[], reported: string[] | undefined, news: string]>([
  [
    'only releases with a published date until a run reports releases',
    [release('1.0', '2026-09-01'), release('1.1'), observed('1.2', '2026-11-20')],
    undefined,
    '1.0 2026-09-01',
  ],
  [
    'no releases without a date from its first answer, even if a later run reported them',
    [observed('1.0', '2026-11-16'), observed('1.1', '2026-11-16')],
    ['1.0', '1.1'],
    '',
  ],
  [
    'a date that a person recorded, and the earliest push date of a registry',
    [
      observed('1.0', '2026-11-16', { firstSeen: undefined }),
      observed('1.1', '2026-11-10', { firstSeen: '2026-11-16' }),
    ],
    ['1.0', '1.1'],
    '1.0 2026-11-16, 1.1 2026-11-10',
  ],
  [
    'releases that appeared after its first run, even before the next run reports them',
    [release('1.0', '2026-09-01'), observed('1.1', '2026-11-26', { notBefore: '2026-11-20' })],
    ['1.0'],
    '1.1 2026-11-26, 1.0 2026-09-01',
  ],
])('the news list of a component contains %s', (_name, releases, reported, expected) => {
  const initial = true;
  const journal = reported?.map((version, place) => ({
    ...released(version),
    on: (releases[place] as { releaseTimestamp: string }).releaseTimestamp,
    initial,
  }));
  const news = listAllNews(judgeComponents({ svc: { releases, ...(journal && { journal }) } }));

  expect(news.map(({ version, on }) => `${version} ${on}`).join(', ')).toBe(expected);
});

test('after a correction, pages and feeds give the corrected release date, and ids stay', () => {
  const journal = [
    { ...released('7.0'), on: '2025-09-03' },
    { ...released('6.0'), on: '2026-08-30' },
    { ...released('6.1'), on: '2026-08-31', isObserved: true },
    event({
      type: 'corrected',
      version: '7.0',
      field: 'day',
      from: '2025-09-03',
      to: '2026-09-03',
    }),
    event({
      type: 'corrected',
      version: '6.1',
      field: 'day',
      from: '2026-08-31',
      to: '2026-08-29',
    }),
  ];
  const releases = { '6.0': '2026-08-30', '6.1': '2026-08-29', '7.0': '2026-09-03' };
  const index = judgeComponents({ svc: { releases, journal } });
  const news = listAllNews(index).filter(({ type }) => type === 'released');
  const files = renderFiles(index);
  const expected = [
    ['svc/1', 'The svc 7.0 was released on 2026-09-03.'],
    ['svc/2', 'The svc 6.0 was released on 2026-08-30.'],
    ['svc/3', 'The svc 6.1 was released on 2026-08-29.'],
  ];

  expect(news.map(({ id, text }) => [id, text])).toEqual(expected);
  for (const path of ['feed.atom', 'feeds/svc.atom']) {
    const entries = [...files.get(path)!.matchAll(/<id>[^<]*\/(svc\/\d)<\/id>\s*<title>([^<]*)</g)];
    const told = entries
      .map(([, id, title]) => [id, title])
      .filter(([id]) => Number(id!.slice(4)) < 4);
    expect(told.toReversed()).toEqual(expected);
  }
  const home = files.get('index.html')!.split('id="new-releases"')[1]!.split('</section>')[0]!;
  const shown = Array.from(home.matchAll(/<li><span><a href="svc.html#v([^"]+)"/g), ([, v]) => v);
  expect(shown).toEqual(['7.0', '6.0', '6.1']);
  // The list of events stays as it was reported.
  expect(JSON.parse(files.get('changes.json')!).changes.at(-1)).toMatchObject({
    id: 'svc/1',
    on: '2025-09-03',
  });
});

test('the news list includes ends of support that no run has reported yet', () => {
  const ends = { '1.0': '2026-01-31', '1.1': '2026-02-28', '2.0': '2028-01-01' };
  const facts = {
    definition: { support: { policy: 'dated', lines: ends } },
    releases: Object.keys(ends).map((version) => release(version)),
    journal: [event({ type: 'support-ended', line: '1.0', on: '2026-01-31' })],
  };
  const news = listAllNews(judgeComponents({ svc: facts }));

  expect(news.map(({ text, on }) => `${on} ${text}`)).toEqual([
    '2026-02-28 The svc 1.1 is no longer supported.',
    '2026-01-31 The svc 1.0 is no longer supported.',
  ]);
});

describe('changes', () => {
  const index = judgeComponents({
    a: {
      journal: [
        { ...released('0.9', '2024-01-31T06:00:00.000Z'), initial: true },
        released('1.0'),
        released('1.1', '2026-11-21T06:00:00.000Z'),
      ],
    },
    b: {
      definition: { renamedFrom: ['first', 'second'] },
      journal: [released('1.0'), released('1.1'), released('2.0', '2025-12-31T23:59:59.999Z')],
    },
  });

  test('are listed newest first', () => {
    const ids = listAllChanges(index).map(({ id }) => id);

    expect(ids).toEqual(['a/3', 'first/2', 'first/1', 'a/2', 'first/3', 'a/1']);
  });

  test('are written into one file per year', () => {
    const files = new Map(renderChanges(listAllChanges(index), index));

    expect([...files.keys()]).toEqual(['changes.json', 'changes/2026.json', 'changes/2025.json']);
    expect(JSON.parse(String(files.get('changes.json'))).changes).toHaveLength(5);
    expect(listYearsOfChanges(index)).toEqual(['2025', '2026']);
    expect(String(files.get('changes/2025.json')).split('\n')).toHaveLength(4);
  });

  test('are limited to the newest 1,000 in changes.json', () => {
    const journal = Array.from({ length: 1001 }, (_, place) => released(`1.${place}`));
    const many = judgeComponents({ a: { journal } });
    const [newest, ofYear] = renderChanges(listAllChanges(many), many);

    expect(JSON.parse(String(newest![1])).changes.at(-1).id).toBe('a/2');
    expect(JSON.parse(String(ofYear![1])).changes).toHaveLength(1001);
  });
});
