/** What goes wrong with upstreams, for tests of whole days. */
import type { Day } from '../../src/core/day.ts';
import type { ListedRelease, SourceAnswer } from './operated-index.ts';

export interface Incident {
  name: string;
  /** What a source answers in place of its list. */
  distort(list: readonly ListedRelease[], day: Day): SourceAnswer;
  /** The reasons of what waits from the first day on, and from the second, on which the answer is the same. */
  waits?: [fromFirstDay: RegExp | undefined, fromSecondDay: RegExp | undefined];
  /** What the report of the first day says. */
  says?: RegExp;
  /** Whether the first day is red though nothing waits. */
  isRed?: true;
}

/** For a source that lists `listReleases(6)`. */
export const incidents: readonly Incident[] = [
  {
    name: 'a list without its newer half',
    distort: (list) => list.slice(0, list.length / 2),
    waits: [undefined, /12 of 12 releases in use would be lost/],
  },
  {
    name: 'a list without its older half, which nobody uses',
    distort: (list) => list.slice(list.length / 2),
  },
  { name: 'an empty list', distort: () => [], says: /lists no version/ },
  {
    name: '1,500 new versions',
    distort: (list) => [
      ...list,
      ...Array.from({ length: 1500 }, (_, index) => ({ version: `1.2.3.${index}` })),
    ],
    waits: [/150[01] new versions at once/, undefined],
  },
  {
    name: 'the version 9999.0',
    distort: (list) => [...list, { version: '9999.0' }],
    waits: [/9999\.0 is far above the recorded versions/, undefined],
  },
  {
    name: 'a day of two years ago',
    distort: (list, day) => [
      ...list,
      { version: '1.5.8', releaseTimestamp: `${Number(day.slice(0, 4)) - 2}${day.slice(4)}` },
    ],
  },
  {
    name: 'other bytes',
    distort: (list) => list.map((release) => ({ ...release, digest: `sha256:${'b'.repeat(64)}` })),
    says: /^error: svc: other bytes upstream than recorded: 1\.0\.0, .* The recorded digests stay\.$/m,
    isRed: true,
  },
  {
    name: 'a web page with status 200',
    distort: () => ({ type: 'text/html', body: '<!doctype html><p>Sign in' }),
    says: /is a web page/,
  },
  {
    name: 'a text that is no JSON',
    distort: () => ({ type: 'application/json', body: '{"releases": [' }),
    says: /cannot be read as JSON/,
  },
  {
    name: 'another product with higher versions',
    distort: () => ['20.0', '21.0', '22.0'].map((version) => ({ version })),
    waits: [/20\.0 is far above the recorded versions/, /releases in use would be lost/],
  },
  {
    name: 'all releases yanked',
    distort: (list) => list.map((release) => ({ ...release, isDeprecated: true })),
    waits: [/12 of 1[23] releases in use would be lost/, undefined],
  },
];
