import type { Step } from './operated-world.ts';

/** A day on which something happens before the run. Nothing else may make a run red. */
export interface Incident {
  readonly day: number;
  readonly happens: string;
  readonly steps: readonly Step[];
  /** Words of the run that is red for this; where a day is named, also on each seventh day until then. */
  readonly red?: { readonly says: readonly string[]; readonly until?: number };
  /** Components that wait rightly from this day on. */
  readonly holds?: readonly string[];
  /** The versions that readers are rightly warned of from this day on: all of a component, or one of them. */
  readonly deprecates?: readonly string[];
  /** The run of this day publishes nothing. */
  readonly stops?: true;
}

const everybody = Array.from({ length: 12 }, (_, index) =>
  `lib-${index + 1}`.replace(/-(\d)$/, '-0$1'),
);
const term = (months: number) => ({ support: { policy: 'term', months } });
const junk = Array.from({ length: 150 }, (_, patch) => `900.0.${patch}`);
const flood = Array.from({ length: 1200 }, (_, patch) => `1.9.${patch}`);
const history = Array.from({ length: 60 }, (_, patch) => `0.9.${patch}`);
const advisory = (more: object = {}) => ({
  id: 'GHSA-1',
  modified: '2026-01-02T00:00:00Z',
  affected: [
    {
      package: { ecosystem: 'npm', name: 'lib-12' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
    },
  ],
  database_specific: { severity: 'LOW' },
  ...more,
});

export const incidents: readonly Incident[] = [
  { day: 2, happens: 'a registry answers 503', steps: [['trouble', 'first', 503]] },
  { day: 3, happens: 'it answers again', steps: [['trouble', 'first']] },
  {
    day: 4,
    happens: 'a registry is down for eleven days',
    steps: [['trouble', 'second', 'closes']],
  },
  {
    day: 7,
    happens: 'it is still down',
    steps: [],
    red: { says: ['does not answer', 'last answered on'], until: 15 },
  },
  { day: 15, happens: 'it answers again', steps: [['trouble', 'second']] },
  {
    day: 16,
    happens: 'a list is less than half of what it was',
    steps: [['keepOldest', 'lib-01', 3]],
    holds: ['lib-01'],
  },
  {
    day: 17,
    happens: 'it is whole; the newest 40 % of another are missing',
    steps: [
      ['mend', 'lib-01'],
      ['keepOldest', 'lib-02', 6],
    ],
  },
  { day: 18, happens: 'they are back', steps: [['mend', 'lib-02']] },
  {
    day: 19,
    happens: 'upstream deprecates everything',
    steps: [['deprecate', 'lib-03', 'all']],
    red: { says: ['lib-03'] },
    holds: ['lib-03'],
    // A greatest version that upstream warns of does not wait.
    deprecates: ['lib-03 3.1.0'],
  },
  { day: 20, happens: 'it takes that back', steps: [['restore', 'lib-03']] },
  {
    day: 21,
    happens: 'a release has other bytes',
    steps: [['republish', 'lib-04', '1.0.0', 'other']],
    red: { says: ['lib-04', '1.0.0'] },
    holds: ['lib-04'],
  },
  {
    day: 22,
    happens: 'so has another',
    steps: [['republish', 'lib-04', '1.1.0', 'other']],
    red: { says: ['lib-04', '1.1.0'] },
    holds: ['lib-04'],
  },
  {
    day: 23,
    happens: 'a person types what was printed for the first alone',
    steps: [['type', 21]],
  },
  {
    day: 24,
    happens: 'the other has its bytes again; a greatest version vanishes',
    steps: [
      ['republish', 'lib-04', '1.1.0', '1.1.0'],
      ['keepOldest', 'lib-05', -1],
    ],
  },
  { day: 25, happens: 'it is back', steps: [['mend', 'lib-05']] },
  {
    day: 26,
    happens: 'upstream deprecates a greatest version',
    steps: [['deprecate', 'lib-05', 'latest']],
    deprecates: ['lib-05'],
  },
  { day: 27, happens: 'it takes that back', steps: [['restore', 'lib-05']] },
  {
    day: 28,
    happens: 'a registry keeps only the newest three of a package, for good',
    steps: [['keepNewest', 'lib-06', 3]],
    holds: ['lib-06'],
  },
  { day: 29, happens: 'it still does', steps: [], red: { says: ['lib-06'] } },
  {
    day: 31,
    happens: 'a person mistypes an id, then types what was printed',
    steps: [
      ['typeWrong', 'accept lib-06-0000000000'],
      ['type', 29],
    ],
    deprecates: ['lib-06'],
  },
  {
    day: 32,
    happens: 'its definition says that old versions leave the registry',
    steps: [['defineSource', 'lib-06', { onlyAdds: true }]],
  },
  {
    day: 33,
    happens: 'a policy is mistyped',
    steps: [['define', 'lib-07', term(1)]],
    red: { says: ['components/lib-07.json'] },
    holds: ['lib-07'],
  },
  { day: 34, happens: 'it is taken back', steps: [['define', 'lib-07', {}]] },
  {
    day: 35,
    happens: 'a default is mistyped',
    steps: [['configure', { defaults: term(1) }]],
    red: { says: ['site/site.json'] },
    holds: everybody,
  },
  {
    day: 36,
    happens: 'it is taken back, and longer than before',
    steps: [['configure', { defaults: term(36) }]],
  },
  {
    day: 38,
    happens: 'a policy gets stricter, with its own decision',
    steps: [['defineAccepted', 'lib-08', term(6)]],
    deprecates: ['lib-08'],
  },
  { day: 40, happens: 'ends are stated 30 days earlier', steps: [['stateEnds', 30]] },
  {
    day: 41,
    happens: 'ends are stated 330 days earlier',
    steps: [['stateEnds', 330]],
    red: { says: ['lib-10'] },
    holds: ['lib-10'],
  },
  { day: 43, happens: 'they are later than ever', steps: [['stateEnds', -30]] },
  { day: 44, happens: 'they are not stated', steps: [['stateEnds']] },
  { day: 45, happens: 'they are stated again', steps: [['stateEnds', 0]] },
  { day: 46, happens: 'nothing runs for two days', steps: [['sleep']] },
  { day: 47, happens: 'nothing runs', steps: [['sleep']] },
  {
    day: 49,
    happens: 'the clock is ahead',
    steps: [['moveClock', 60]],
    red: { says: ['clock'] },
    stops: true,
  },
  {
    day: 50,
    happens: 'the clock is behind',
    steps: [['moveClock', -20]],
    red: { says: ['clock'] },
    stops: true,
  },
  { day: 52, happens: 'a run is killed', steps: [['killRun', 500]] },
  { day: 53, happens: 'another checkout was faster', steps: [['runElsewhere', 'now']] },
  {
    day: 54,
    happens: 'another checkout is faster during the run',
    steps: [['runElsewhere', 'during the next push']],
    red: { says: ['others have pushed changes of data/'] },
    stops: true,
  },
  {
    day: 56,
    happens: 'a commit damages two files',
    steps: [
      ['cut', 'data/lib-07.json'],
      ['cut', 'data/lib-08.json'],
    ],
    red: { says: ['data/lib-07.json', 'data/lib-08.json', 'git restore'] },
    holds: ['lib-07', 'lib-08'],
  },
  { day: 57, happens: 'a person types what was printed', steps: [['type', 56]] },
  {
    day: 58,
    happens: 'a commit deletes recorded releases',
    steps: [['forgetReleases', 'lib-09', 3]],
    red: { says: ['lib-09'] },
    holds: ['lib-09'],
  },
  { day: 59, happens: 'it is reverted', steps: [['revert']] },
  {
    day: 60,
    happens: 'a commit cuts a journal',
    steps: [['cutLines', 'data/journal/lib-11.ndjson']],
    red: { says: ['data/journal/lib-11.ndjson', 'git restore'] },
    holds: ['lib-11'],
  },
  { day: 61, happens: 'a person types what was printed', steps: [['type', 60]] },
  {
    day: 62,
    happens: 'a commit deletes what is remembered of sources',
    steps: [['remove', 'data/freshness/lib-01.json']],
  },
  { day: 63, happens: 'a registry wants a credential', steps: [['trouble', 'first', 401]] },
  {
    day: 66,
    happens: 'it still does',
    steps: [],
    red: { says: ['answers 401', 'RELEASE_INDEX_AUTH_'] },
  },
  { day: 68, happens: 'it answers again', steps: [['trouble', 'first']] },
  {
    day: 69,
    happens: 'a person corrects a recorded day',
    steps: [['editDay', 'lib-02', '1.0.0', '2025-04-20', true]],
  },
  {
    day: 70,
    happens: 'a person edits one and does not say so',
    steps: [['editDay', 'lib-03', '1.0.0', '2025-04-20', false]],
    red: { says: ['lib-03'] },
    holds: ['lib-03'],
  },
  { day: 71, happens: 'it is reverted', steps: [['saveSite'], ['revert']] },
  {
    day: 72,
    happens: 'a new component names a package that nobody has',
    steps: [['add', 'lib-13', 'lib-31']],
    red: { says: ['lib-13'] },
  },
  { day: 73, happens: 'its name is corrected', steps: [['add', 'lib-13', 'lib-13']] },
  { day: 74, happens: 'an older site is restored', steps: [['restoreSite']] },
  {
    day: 77,
    happens: 'the folder to publish to is a file',
    steps: [['replaceTarget']],
    red: { says: ['folder'] },
    stops: true,
  },
  { day: 78, happens: 'it is a folder again', steps: [['mendTarget']] },
  {
    day: 79,
    happens: '150 versions are made up, and a date is one elsewhere',
    steps: [
      ['disturb', 'lib-04', junk],
      ['disturb', 'lib-05', ['20250101.0.0']],
    ],
    red: { says: ['lib-04', '900.0.0', 'lib-05', '20250101.0.0'] },
    holds: ['lib-04', 'lib-05'],
  },
  {
    day: 81,
    happens: 'they are gone; a source lists 1,200 more',
    steps: [
      ['mend', 'lib-04'],
      ['mend', 'lib-05'],
      ['disturb', 'lib-03', flood],
    ],
    red: { says: ['lib-03'] },
    holds: ['lib-03'],
  },
  {
    day: 82,
    happens: 'they are gone; a history of 60 releases is listed late',
    steps: [
      ['mend', 'lib-03'],
      ['listLate', 'lib-09', history],
    ],
  },
  {
    day: 83,
    happens: 'a release is dated years ahead',
    steps: [['publishAt', 'lib-02', '2031-05-01']],
  },
  { day: 84, happens: 'a registry sends pages', steps: [['trouble', 'first', 'page']] },
  {
    day: 86,
    happens: 'it answers again; an advisory is published',
    steps: [
      ['trouble', 'first'],
      ['advise', [advisory()]],
    ],
  },
  {
    day: 87,
    happens: 'its severity rises',
    steps: [['advise', [advisory({ database_specific: { severity: 'HIGH' } })]]],
  },
  { day: 88, happens: 'the file of advisories is empty', steps: [['advise', []]] },
  {
    day: 89,
    happens: 'its severity falls',
    steps: [['advise', [advisory()]]],
    red: { says: ['lib-12', 'GHSA-1'] },
    holds: ['lib-12'],
  },
  {
    day: 90,
    happens: 'a pattern admits nothing',
    steps: [['defineSource', 'lib-01', { allowedVersions: '/^x/' }]],
    red: { says: ['components/lib-01.json'] },
    holds: ['lib-01'],
  },
  {
    day: 91,
    happens: 'it is taken back, and the advisory is withdrawn',
    steps: [
      ['define', 'lib-01', {}],
      ['advise', [advisory({ withdrawn: '2026-04-05T00:00:00Z' })]],
    ],
  },
  {
    day: 92,
    happens: 'a definition is no JSON',
    steps: [['spoil', 'components/lib-07.json', '{ "title": }']],
    red: { says: ['components/lib-07.json', 'git restore'] },
    holds: ['lib-07'],
  },
  { day: 93, happens: 'a person types what was printed', steps: [['type', 92]] },
  {
    day: 94,
    happens: 'the remote loses three commits',
    steps: [['loseCommits', 3]],
    red: { says: ['lost'] },
    holds: ['*'],
    stops: true,
  },
  { day: 95, happens: 'somebody has them', steps: [['findCommits']] },
  {
    day: 95,
    happens: 'a component is removed with all its files',
    steps: [['removeComponent', 'lib-13']],
    red: { says: ['lib-13'] },
    holds: ['lib-13'],
  },
  { day: 96, happens: 'a person types what was printed', steps: [['type', 95]] },
];
