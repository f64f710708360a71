/** What goes wrong with an index, for tests of whole days: incidents of upstreams and files, and runs that are killed. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Day } from '../../src/core/day.ts';
import type { ListedRelease, OperatedIndex, SourceAnswer } from './operated-index.ts';

export interface Incident {
  name: string;
  /** What a source answers in place of its list. */
  distort(list: readonly ListedRelease[], day: Day): SourceAnswer;
  /** The reason of what waits, on the day and on the day after; absent where nothing waits. */
  waits?: [onFirstDay: RegExp | undefined, onSecondDay: RegExp];
  /** A line of the report of the first day. */
  says?: RegExp;
  /** Whether new releases of its list are not known on the first day. */
  isUnread?: true;
}

const lost = /would be lost|would fall/;
const listsNothing = /lists no version/;

export const incidents: readonly Incident[] = [
  {
    name: 'a list cut in half',
    distort: (list) => list.slice(0, Math.ceil(list.length / 2)),
    waits: [undefined, lost],
  },
  {
    name: 'a list without its older half',
    distort: (list) => list.slice(Math.floor(list.length / 2)),
  },
  {
    name: 'an empty list',
    distort: () => [],
    says: listsNothing,
    isUnread: true,
  },
  {
    name: '5,000 new versions',
    distort: (list) => [
      ...list,
      ...Array.from({ length: 5000 }, (_, index) => ({ version: `1.2.${index + 100}` })),
    ],
    waits: [/5000 new versions at once/, /5000 new versions at once/],
  },
  {
    name: 'the version 9999.0',
    distort: (list) => [...list, { version: '9999.0' }],
    waits: [/9999\.0 is far above/, /9999\.0 is far above/],
  },
  {
    name: 'a day of two years ago',
    distort: (list, day) => [
      ...list,
      { version: '1.99.0', releaseTimestamp: `${Number(day.slice(0, 4)) - 2}${day.slice(4)}` },
    ],
  },
  {
    name: 'other bytes',
    distort: (list) => list.map((release) => ({ ...release, digest: `sha256:${'b'.repeat(64)}` })),
    says: /has other bytes upstream than recorded/,
  },
  {
    name: 'a web page with status 200',
    distort: () => ({ type: 'text/html', body: '<!doctype html><p>Sign in' }),
    says: /is a web page/,
    isUnread: true,
  },
  {
    name: 'a text that is no JSON',
    distort: () => ({ type: 'application/json', body: '{"releases": [' }),
    says: /is not valid JSON/,
    isUnread: true,
  },
  {
    name: 'another product, with higher versions',
    distort: () => ['20.0', '21.0', '22.0'].map((version) => ({ version })),
    waits: [/20\.0 is far above/, /./],
  },
];

const program = resolve(import.meta.dirname, '../..');

export interface Killed {
  /** Whether it was killed before its end. */
  isKilled: boolean;
  /** How many steps a whole run takes. */
  steps: number;
  stderr: string;
}

/**
 * Runs a command line in a process of its own that is killed before one of its steps: each file that it writes, flushes, renames or
 * removes, and each program that it starts. Without `step`, it ends, and tells how many steps it took.
 */
export function runKilled(index: OperatedIndex, line: string, day: Day, step = 0): Killed {
  const counter = join(index.root, '.git/steps');
  const preload = join(import.meta.dirname, 'kill-at-step.mjs');
  const { signal, stderr } = spawnSync(
    process.execPath,
    ['--import', preload, 'src/cli.js', ...line.split(' '), '--root', index.root, '--as-of', day],
    {
      cwd: program,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NO_COLOR: '1',
        CI: 'true',
        KILL_AT_STEP: String(step),
        STEP_COUNTER: counter,
      },
    },
  );
  const isKilled = signal === 'SIGKILL';
  return { isKilled, stderr, steps: isKilled ? step : Number(readFileSync(counter, 'utf8')) };
}
