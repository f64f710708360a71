import { throwAll } from '../../core/errors.ts';
import { accessScope } from '../access-scope.ts';
import { readAccess } from '../../core/read-access.ts';
import type { Definition } from '../../core/schema/written.ts';
import { formatCount } from '../../core/text.ts';
import { buildSite } from '../../site/build.ts';
import { loadIndex } from '../../site/load-index.ts';
import { program, type Context, type Define } from '../context.ts';

export const define: Define = (command, context) => {
  command.action(() => {
    const built = build(context);
    if (readAccess(context.root)) {
      context.report.problem(accessScope);
    }
    context.report.document({ asOf: context.day, built });
  });
};

/** Builds the site of an index as of a day. `definitions`: used instead of the definitions in the files. */
export function build(
  { root, out, day, report }: Context,
  definitions?: ReadonlyMap<string, Definition>,
) {
  const { index, problems } = loadIndex(root, day, program, definitions);
  throwAll(problems);
  const built = buildSite(index, { program, root, out });
  report.problem(built.warnings);
  report.print(
    `Built ${out.replace(`${process.cwd()}/`, '')}/: ${formatCount(index.components.length, 'component')} in ${formatCount(built.files, 'file')} as of ${day}.`,
  );
  return built;
}
