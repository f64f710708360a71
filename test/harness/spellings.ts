/** One version in the spellings of people and tools, and what each names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Verdict } from '../../src/core/schema/documents.ts';
import { describeRelease, formatDay } from '../../src/core/words.ts';
import { buildSite } from '../../src/site/build.ts';
import { loadIndex } from '../../src/site/load-index.ts';
import { program } from './example.ts';
import { createFolder } from './index-folder.ts';

const root = join(program, 'test/fixtures/spellings');
const { index } = loadIndex(root, '2026-11-27', program);

/** The folder of the site of their components, built once. */
export const spelledSite = createFolder();
buildSite(index, { program, root, out: spelledSite });

interface Spelling {
  readonly name: string;
  readonly version: string;
  readonly text: string;
  readonly rest: string;
  /** What it names. */
  readonly meant: string;
}

/** A line has a name and a version, and what they are. In braces, what joins them, and what follows. */
const line = /^(.+?)\{(.*?)\}([^{]+?)(?:\{(.*)\})? {2,}(.+)$/gm;
const spellings = Array.from(
  readFileSync(join(root, 'spellings.txt'), 'utf8').matchAll(line),
  ([, name = '', joint = '', version = '', rest = '', meant = '']): Spelling => {
    return { name, version, text: name + joint + version + rest, rest, meant };
  },
);

export interface Told extends Partial<Verdict> {
  readonly component?: string;
}

/** A component and a version, if a door says what the files say of them. */
export function summarise({ component = '', version = '' }: Told, words: string): string {
  const details = index.components.find((each) => each.component === component);
  const listed = details?.releases.find((each) => each.version === version);
  const sentence =
    (details && listed && describeRelease(listed, details.lines).sentence) ??
    `${details?.title} ${version} is not listed.`;
  const spoken = sentence.replaceAll(/\d{4}-\d\d-\d\d/g, formatDay);
  const isSaid = [sentence, spoken].some((each) => words.includes(each));
  return isSaid ? `${component} ${version}` : `${component} ${version}? ${words}`;
}

export function readObstacle(words: string): string {
  return /is no version|no version is stated/i.test(words) ? 'no version' : 'not ours';
}

/** Undefined where a door has no place for such a spelling. */
export type Answer = (spelling: Spelling) => Promise<string | undefined>;

/** Asks a door for each spelling. `unnamed`: its one answer to a text that names no version of the index. */
export async function compareSpellings(answer: Answer, unnamed?: string): Promise<void> {
  const answers: { text: string; answered: string; expected: string }[] = [];
  for (const spelling of spellings) {
    const { text, meant } = spelling;
    const answered = await answer(spelling);
    if (answered !== undefined) {
      const isUnnamed = meant === 'not ours' || meant === 'no version';
      answers.push({ text, answered, expected: isUnnamed ? (unnamed ?? meant) : meant });
    }
  }

  expect(answers.filter(({ answered, expected }) => answered !== expected)).toEqual([]);
  expect(answers.length).toBeGreaterThan(15);
}
