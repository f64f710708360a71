import { formatCount } from '../../core/text.ts';
import { checkIndex } from '../../publish/check-index.ts';
import { listEditedEvents } from '../../record/edited-events.ts';
import { findCommittedKept } from '../../record/git.ts';
import { createPrivacyTest } from '../../sources/index.ts';
import { program, type Define } from '../context.ts';

export const define: Define = (command, context) => {
  command.action(async () => {
    const { root, out, day, report, signal } = context;
    const { components, problems: listed } = await checkIndex(
      { root, out, program },
      day,
      createPrivacyTest(),
      signal,
    );
    const problems = [
      ...(await findCommittedKept(root, signal)),
      ...listed,
      ...(await listEditedEvents(root, signal)),
    ];
    const errors = problems.filter(({ level }) => level === undefined).length;
    const others = formatCount(problems.length - errors, 'warning');
    report.problem(...problems);
    report.print(
      `${formatCount(components, 'component')}: ${formatCount(errors, 'error')}, ${others}.`,
    );
    report.document({ asOf: day, problems });
    context.status = errors > 0 ? 1 : 0;
  });
};
