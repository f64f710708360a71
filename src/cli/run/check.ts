import { join } from 'node:path';
import { isError, type Problem } from '../../core/errors.ts';
import { readIfThere } from '../../core/files.ts';
import type { Definition } from '../../core/schema/written.ts';
import { formatCount } from '../../core/text.ts';
import { checkIndex } from '../../publish/check-index.ts';
import { listEditedEvents } from '../../record/edited-events.ts';
import { findCommittedKept, listIgnored } from '../../record/git.ts';
import { createPrivacyTest } from '../../sources/index.ts';
import { program, type Context, type Define } from '../context.ts';
import { listOwnNotes } from '../sources.ts';

export const define: Define = (command, context) => {
  command.action(async () => {
    const { root, out, day, report, signal } = context;
    const {
      definitions,
      settings,
      recorded,
      problems: listed,
    } = await checkIndex({ root, out, program }, day, createPrivacyTest(), signal);
    const edited = await listEditedEvents(root, signal);
    const problems = [
      ...(await findCommittedKept(root, signal)),
      ...listed,
      ...(await listUncommittedLists(definitions, context)),
      ...(settings ? await listOwnNotes(definitions, recorded, settings, context) : []),
      // `listed` may already contain an edited event that contradicts observed days.
      ...edited.filter(({ subject }) => !listed.some((each) => each.subject === subject)),
    ];
    const errors = problems.filter(isError).length;
    const others = formatCount(problems.length - errors, 'warning');
    report.problem(problems);
    report.print(
      `${formatCount(definitions.size, 'component')}: ${formatCount(errors, 'error')}, ${others}.`,
    );
    report.document({ asOf: day, problems });
    context.status = errors > 0 ? 1 : 0;
  });
};

/**
 * Warns if git ignores the file of a source, because the scheduler's checkout then does not contain this file. A file that a workflow step
 * writes before each run is not a problem. So there is no warning if the file contains `writtenAt`, or if it does not exist in this
 * checkout.
 */
async function listUncommittedLists(
  definitions: ReadonlyMap<string, Definition>,
  { root, signal }: Context,
): Promise<Problem[]> {
  const named = [...definitions].flatMap(([name, { sources }]) =>
    sources.flatMap(({ file }, position) => (file ? [{ name, position, file }] : [])),
  );
  const ignored = await listIgnored(root, [...new Set(named.map(({ file }) => file))], signal);
  return named
    .filter(({ file }) => ignored.includes(file) && isKept(join(root, file)))
    .map(({ name, position, file }) => ({
      subject: `components/${name}.json`,
      message: `sources[${position}].file: git ignores ${file}, so the scheduler does not have it. If you keep this list, move it to a folder that git does not ignore, such as site/own/. If a step writes it before each run, let the step add "writtenAt"`,
      level: 'warning',
    }));
}

function isKept(path: string): boolean {
  return readIfThere(path)?.includes('"writtenAt"') === false;
}
