import type { z } from 'zod';
import type { PublishedIndex } from '../published-index.ts';
import type { Day } from '../../core/dates.ts';
import { describeProblem, findProblems, type Problem } from '../../core/schemas/problems.ts';
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
        const problems = findProblems(given, tool.input).slice(0, mostProblems);
        throw new WrongArgumentError(problems.map(describeArgument).join('\n'));
      }
      return tool.answer(parsed.data, context);
    },
  };
}

/** A number would lose the zero of 2025.10. */
function describeArgument(problem: Problem): string {
  const { expected, got } = problem;
  const isNumber = expected === 'expected string' && /^\d/.test(got ?? '');
  const hint = { expected: `expected a text: write "${got}" in quotes`, got: undefined };
  return describeProblem(isNumber ? { ...problem, ...hint } : problem);
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
