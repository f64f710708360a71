import type { z } from 'zod';
import { StatedLine } from '../../core/schemas/recorded.ts';
import type { SupportSource } from '../../core/schemas/support-source.ts';
import { readElements, type RawElement } from './elements.ts';
import type { SourceContext, SourceRelease } from './source.ts';

/** How a source of release lines is asked: it states each line, and gives back their names in place of versions. */
export interface SupportAdapter<D extends SupportSource['datasource']> {
  gather(source: Extract<SupportSource, { datasource: D }>, context: SourceContext): Promise<SourceRelease[]>;
}

/** States the readable elements of a list as release lines. One whose phases do not follow one another cannot be read. */
export function readLines(
  url: string,
  elements: readonly RawElement[],
  schema: z.ZodType<StatedLine>,
  context: SourceContext,
): SourceRelease[] {
  const read = readElements(url, elements, schema.pipe(Line), context);
  return read.flatMap(({ name, value }) => {
    const version = context.offer(name);
    if (version === undefined) return [];
    context.stateLine(value);
    return { version };
  });
}

const Line = StatedLine.superRefine(({ phases }, context) => {
  for (const [index, { name, until = '9999', paid }] of phases.entries()) {
    const before = phases[index - 1];
    const reject = (message: string) =>
      context.addIssue({ code: 'custom', path: ['phases', index], message });
    if (before?.until !== undefined && until < before.until)
      reject(`expected ${name} to end no earlier than ${before.name}, on ${before.until}; got ${until}`);
    if (paid ? phases.every((other) => other.paid) : before?.paid)
      reject(`expected the phases that are not paid first; got ${name} behind ${before?.name ?? 'none'}`);
  }
});
