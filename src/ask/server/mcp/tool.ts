import type { z } from 'zod';
import type { Day } from '../../../core/model/dates.ts';
import { QuestionError } from '../../../core/query/question-error.ts';
import { describeProblems } from '../../../core/schemas/problems.ts';
import { formatCount } from '../../../core/text/wording.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';

interface ToolContext {
  readonly index: PublishedIndex;
  /** Today. */
  readonly day: Day;
}

interface ToolAnswer {
  /** The facts as sentences and lines, which a model can quote. */
  readonly text: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export type ToolExample = Readonly<Record<string, string | number>>;

/** A read-only question that a model can ask. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Arguments for the documentation, which fills in `{component}` and `{version}`. */
  readonly example: ToolExample;
  /** Throws a `QuestionError` for wrong arguments, or a question without an answer. */
  answer(input: unknown, context: ToolContext): Promise<ToolAnswer>;
}

/** The greatest `max` that a request may have. */
export const greatestMax = 500;

/** The end of a hint about results that were left out. */
export function adviseMore(max: number): string {
  return max < greatestMax ? ', or ask for more with max' : '';
}

/** Maximum number of wrong arguments in one message. */
const maxProblems = 10;

/** Adds validation of the arguments to a tool. */
export function defineTool<Input extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'example' | 'answer'> & {
    readonly input: Input;
    readonly example: z.input<Input> & ToolExample;
    answer(values: z.infer<Input>, context: ToolContext): Promise<ToolAnswer>;
  },
): Tool {
  return {
    ...tool,
    async answer(args = {}, context) {
      const parsed = tool.input.safeParse(args);
      if (!parsed.success) {
        const problems = describeProblems(args, tool.input);
        const more = problems.length - maxProblems;
        const shown = problems.slice(0, maxProblems).concat(more > 0 ? `And ${more} more.` : []);
        throw new QuestionError('request', shown.join('\n'));
      }

      return tool.answer(parsed.data, context);
    },
  };
}

/** Joins lines, with a warning below the first if the index is old. */
export async function joinLines(
  index: PublishedIndex,
  [head, ...lines]: readonly string[],
): Promise<string> {
  const texts = [head, await index.staleness(), ...lines];
  return texts.filter((text) => text !== undefined).join('\n');
}

/** `50 of 1,234 releases`, or `50 releases` for all. */
export function describeShare(shown: number, total: number, noun: string): string {
  return shown === total ? formatCount(total, noun) : `${shown} of ${formatCount(total, noun)}`;
}
