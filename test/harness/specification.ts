import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';

/** A sentence of the specification, in `.github/SPECIFICATION.md`. */
export interface Sentence {
  readonly number: number;
  readonly text: string;
  /** The files whose tests show it. */
  readonly files: readonly string[];
}

export function readSpecification(): Sentence[] {
  const list = readFileSync(join(checkout, '.github/SPECIFICATION.md'), 'utf8');
  return Array.from(list.matchAll(/^(\d+)\. +(.+)$/gm), ([, number, text]) => ({
    number: Number(number),
    text: text!,
    files: Array.from(text!.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g), ([, file]) => file!),
  }));
}
