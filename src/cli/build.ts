import { resolve } from 'node:path';
import { buildSite } from '../site/build.ts';
import { loadIndex } from '../site/load-index.ts';
import type { Definition } from '../core/schema/definition.ts';
import { InputError } from '../core/errors.ts';
import { formatCount } from '../core/text.ts';
import type { Context } from './context.ts';

/** The folder of the program, with its templates and policies. */
export const program = resolve(import.meta.dirname, '../..');

/** Builds the site of an index as of a day. `definitions`: in place of those in the files. */
export function build(
  { root, out, day, report }: Context,
  definitions?: ReadonlyMap<string, Definition>,
) {
  const { index, problems } = loadIndex(root, day, program, definitions);
  if (problems.length > 0) {
    throw new InputError(problems);
  }

  const built = buildSite(index, { program, root, out });
  report.problem(...built.warnings);
  report.print(
    `Built ${out.replace(`${process.cwd()}/`, '')}/: ${formatCount(index.components.length, 'component')} in ${formatCount(built.files, 'file')} as of ${day}.`,
  );
  return built;
}
