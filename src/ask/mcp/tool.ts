import type { z } from 'zod';
import type { PublishedIndex } from '../published-index.ts';
import type { Day } from '../../core/dates.ts';
import { describeProblems } from '../../core/schemas/problems.ts';
import { counted } from '../../core/text.ts';

/** What a tool answers from. */
export interface ToolContext {
  readonly index: PublishedIndex;
  /** The day of the question. */
  readonly day: Day;
}

export interface ToolAnswer {
  /** What a model can quote: the facts in sentences and lines. */
  readonly text: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** A question that a model can ask. It changes nothing. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Throws a `WrongArgumentError`. */
  answer(given: unknown, context: ToolContext): Promise<ToolAnswer>;
}

/** The message says what is right. */
export class WrongArgumentError extends Error {
  override readonly name = 'WrongArgumentError';
}

/** The number of wrong arguments that one answer names. */
const mostProblems = 10;

/** A tool whose arguments are checked before it answers. */
export function defineTool<Input extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'answer'> & {
    readonly input: Input;
    answer(given: z.infer<Input>, context: ToolContext): Promise<ToolAnswer>;
  },
): Tool {
  return {
    ...tool,
    async answer(given = {}, context) {
      const parsed = tool.input.safeParse(given);
      if (!parsed.success) {
        // A number would lose the zero of 2025.10.
        const problems = describeProblems(given, tool.input).map((problem) =>
          problem.replace(/expected string; got (\d[\d.]*)$/, 'expected a text: write "$1" in quotes'),
        );
        throw new WrongArgumentError(problems.slice(0, mostProblems).join('\n'));
      }
      return tool.answer(parsed.data, context);
    },
  };
}

/** A text with a line for each element, behind a sentence about all and another where the index is old. */
export async function listText(
  index: PublishedIndex,
  head: string,
  lines: readonly string[],
): Promise<string> {
  return [head, (await index.staleness()) ?? [], lines].flat().join('\n');
}

/** `50 of 1,234 releases`, or how many there are. */
export function shareOf(shown: number, all: number, noun: string): string {
  return shown === all ? counted(all, noun) : `${shown} of ${counted(all, noun)}`;
}
