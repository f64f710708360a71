/** What goes wrong with an index, for tests of whole days: incidents of upstreams and files, and runs that are killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Day } from '../../src/core/day.ts';
import { program } from './example.ts';
import { createFolder } from './index-folder.ts';
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
    name: '5,000 new versions',
    distort: (list) => [
      ...list,
      ...Array.from({ length: 5000 }, (_, index) => ({ version: `1.2.3.${index}` })),
    ],
    waits: [/500[01] new versions at once/, undefined],
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

/**
 * Runs a command line in a process of its own that is killed before one of its steps: each file that it writes, renames or
 * removes, and each program that it starts. Without `step`, it ends, and tells how many steps it took.
 */
export async function runKilled({ root }: { root: string }, line: string, day: Day, step = 0) {
  const counter = join(createFolder(), 'steps');
  const preload = join(import.meta.dirname, 'kill-at-step.mjs');
  const { PATH, HOME } = process.env;
  // The sources answer from this process.
  const child = spawn(
    process.execPath,
    ['--import', preload, 'src/cli.js', ...line.split(' '), '--root', root, '--as-of', day],
    {
      cwd: program,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH, HOME, CI: 'true', KILL_AT_STEP: String(step), STEP_COUNTER: counter },
    },
  );
  const [stderr, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  const isKilled = signal === 'SIGKILL';
  return { isKilled, stderr, steps: isKilled ? step : Number(readFileSync(counter, 'utf8')) };
}
