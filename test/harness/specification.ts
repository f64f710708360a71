import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';

const folder = join(checkout, 'test/specification');

/** A sentence of the specification in the list, `test/specification/README.md`. */
export interface Sentence {
  readonly number: number;
  /** In the words of the list, without marks of emphasis and code. */
  readonly words: string;
  /** The whole row. */
  readonly text: string;
  /** The files whose tests show it. */
  readonly files: readonly string[];
  /** What stands behind the files, without marks: the last file shows it. */
  readonly note: string;
  /** What the specification says of a sentence that is left out. */
  readonly quoted: string | undefined;
}

export function readSpecification(): Sentence[] {
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  return Array.from(list.matchAll(/^(\d+)\. +(.+)$/gm), ([, number, row]) => {
    const text = row!;
    const [words = ''] = text.split(/: (?=\[[^\]]+\]\(\.\.\/)/);
    const [, note = ''] = /.*\.test\.ts\)(?: \([\w-]+ run\))?\.? ?(.*)$/.exec(text) ?? [];
    return {
      number: Number(number),
      words: withoutMarks(words),
      quoted: /^“(.+)”$/.exec(withoutMarks(words))?.[1],
      text,
      note: withoutMarks(note),
      files: Array.from(
        text.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\)/g),
        ([, file]) => `test/${file}`,
      ),
    };
  });
}

/** The specification itself, without marks of emphasis and code. */
export function readDocument(): string {
  return withoutMarks(readFileSync(join(folder, 'specification.md'), 'utf8'));
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(/\\(?=[^\w\s])|`/g, '')
    .replaceAll(/(?<!\w)_(?=\S)|(?<=\S)_(?!\w)/g, '')
    .trim();
}
