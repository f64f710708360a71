import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { listMisplacedPhases } from '../../../core/schemas/definition/phase.ts';
import { StatedLine } from '../../../core/schemas/recorded/recorded.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import type { SkippedElement, SourceAnswer } from '../datasource.ts';
import { readElements, type RawElement } from './document.ts';

/**
 * The readable elements of a list as release lines, each once. A line is unreadable if its phases are out of order, or all paid.
 * The first of several entries of a line is used, with a report if another differs.
 */
export function readSourceLines(
  url: string,
  elements: readonly RawElement[],
  schema: z.ZodType<StatedLine>,
): SourceAnswer {
  const line = schema.pipe(OrderedLine);
  const { readable, ...unreadable } = readElements(url, elements, line, 'release line');
  const skipped: SkippedElement[] = [...unreadable.skipped];
  const lines: StatedLine[] = [];

  for (const [{ value }, ...others] of Map.groupBy(readable, (each) => each.value.line).values()) {
    lines.push(value);
    if (others.some((other) => !isDeepStrictEqual(other.value, value))) {
      const message = `${quote(value.line)} is listed more than once, with other values. Used the first.`;
      skipped.push({ message, kind: 'two entries' });
    }
  }

  return { ...unreadable, skipped, lines };
}

/** A release line whose phases follow each other, with those that are paid last. */
const OrderedLine = StatedLine.superRefine(({ phases }, context) => {
  const reject = (index: number, message: string, got: string) =>
    context.addIssue({ code: 'custom', path: ['phases', index], message, params: { got } });

  for (const { index, expected, got } of listMisplacedPhases(phases.map(({ paid }) => !!paid))) {
    reject(index, expected, got);
  }

  // The last phase with a stated end: the phases after it may state none.
  let last = { name: '', until: '' };
  for (const [index, { name, until }] of phases.entries()) {
    if (until === undefined) {
      continue;
    }

    if (until < last.until) {
      reject(
        index,
        `expected ${name} to end no earlier than ${last.name}, on ${last.until}`,
        until,
      );
    }
    last = { name, until };
  }
});
