import { isError, warning } from '../../core/schemas/finding.ts';
import { readHead } from '../../io/files/git.ts';
import { beginHistoryAdvice } from '../../record/gate/last-run.ts';
import { listHeldFindings } from '../../run/held-changes.ts';
import { printRecorded, record } from '../../run/record-step.ts';
import { describeRequest, shared, type Command } from '../command.ts';

export const command: Command = {
  options: shared('root', 'as-of'),
  details: [
    'First, it compares each component with what readers were told. If an edit takes too much from them, the component waits as it',
    'was before the edit, the edited files stay, and data/held.json names its id. To let the edit through: accept <id>.',
    'Then it appends what is new in definitions, data and the day to data/journal/, and writes the run to data/runs/.',
    'Asks no upstream. Changes and feeds of the site come only from the journal, so the next run reports an edit of a',
    'definition. "daily" includes this step. A day before the last recorded one changes nothing.',
    'Exits with 1 if anything waits, or if there is an error.',
  ],
  examples: [['record', 'after an edit, without a daily run']],
  checksRepository: true,
  async run(invocation) {
    const { root, env, report, day } = invocation;

    const recorded = await record({
      ...invocation,
      startedAt: new Date(),
      requested: describeRequest('record', invocation.options),
    });
    const { events, count, findings, held } = recorded;
    const remarks = listHeldFindings(held);
    if (readHead(root.dir, env) === undefined) {
      const message = 'no commit holds this run, and the next run compares with a commit.';
      remarks.push(warning('record', `${message} ${beginHistoryAdvice}`));
    }

    report.finding(...remarks);
    printRecorded(report, recorded);
    report.document({
      verb: 'record',
      asOf: day,
      events: count,
      components: Object.fromEntries(Array.from(events, ([name, { length }]) => [name, length])),
      findings: [...findings, ...remarks],
    });

    return findings.some(isError) || held.length > 0 ? 1 : 0;
  },
};
