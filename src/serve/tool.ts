/** Defines the form of a tool for agents, and functions that several tools share. */
import * as z from 'zod';
import type { PublishedIndex } from '../ask/published-index.ts';
import { formatCount } from '../core/text.ts';

/** The answer of a tool: sentences that a model can quote, and the same facts as data. */
export interface Answer {
  readonly lines: readonly string[];
  readonly content: Readonly<Record<string, unknown>>;
}

interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Input;
  answer(index: PublishedIndex, input: z.infer<Input>): Promise<Answer>;
}

export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool;
}

/** Returns the schema for the number of entries that a tool shows. `initial`: the default. */
export const limitSchema = (initial: number) => z.int().min(1).max(500).default(initial);

/**
 * Returns the newest entries that `select` selects. `years`: the entries of each year, the newest year first. Older years are read only if
 * more entries are needed.
 */
export async function takeNewest<Entry>(
  years: AsyncIterable<Entry[]>,
  max: number,
  select: (entries: Entry[]) => Entry[],
): Promise<Entry[]> {
  let found: Entry[] = [];
  for await (const entries of years) {
    found = [...found, ...select(entries).slice(0, max)];
    if (found.length >= max) {
      break;
    }
  }
  return found.slice(0, max);
}

/** Says how many entries are listed: `3 changes`, or `The newest 20 changes` if there may be older changes. */
export const countNewest = ({ length }: readonly unknown[], max: number, noun: string) =>
  `${length < max ? '' : 'The newest '}${formatCount(length, noun)}`;
