import { formatCount, formatList } from '../../core/text.ts';
import { readSettings } from '../../core/read-definitions.ts';
import { findOtherFeedIds } from '../../publish/check-index.ts';
import { listOtherFeedIds } from '../../publish/renames.ts';
import { planEdit } from '../../record/edits.ts';
import { listEventLines } from '../../record/event-lines.ts';
import { listDayProblems } from '../../record/problems.ts';
import type { Define } from '../context.ts';
import { askSources } from '../sources.ts';

export const define: Define = (command, context) => {
  command
    .option(
      '--base <ref>',
      'preview only the events of the edits since this commit, without asking sources',
    )
    .action(async ({ base }: { base?: string }) => {
      const { day, report } = context;
      if (base !== undefined) {
        const composed = await planEdit(base, context);
        const events = listEventLines(composed.events);
        const { losses, edits, decisions, renamings, settings } = composed;
        report.problem(listOtherFeedIds(...settings));
        const lost = losses.map(({ component, message }) => `${component}: ${message}`);
        const renamed = renamings.map(({ from, to }) => `${from} is now ${to}`);
        const decided = decisions.map(
          ({ id, by, versions = [] }) => `${id}: accepted by ${by}: ${formatList(versions, 5)}`,
        );
        const count = `${formatCount(events.length, 'event')} since ${base}.`;
        report.print(lost, renamed, events, count, decided, edits);
        report.document({ asOf: day, base, losses, events, renamings, decisions, edits });
        return;
      }

      const { data, composed } = await askSources(context);
      // `daily` fails because of an error, but `plan` only previews the day.
      const problems = listDayProblems(composed).map((problem) => {
        return { ...problem, level: problem.level ?? ('warning' as const) };
      });
      const { root, signal } = context;
      const edited = await findOtherFeedIds(root, readSettings(root), signal);
      report.problem(problems, composed.bugs, edited);
      const events = listEventLines(composed.events);
      const held = new Set(composed.held.map(({ id }) => id));
      const ended = data.readHeld().filter(({ id }) => !held.has(id));
      const ends = ended.map(({ component, id }) => `${component}: the hold ${id} ends`);
      report.print(events, ends, 'Nothing was changed.');
      report.document({ asOf: day, events, held: composed.held, ended: ended.map(({ id }) => id) });
    });
};
