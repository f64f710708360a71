import { rejectHiddenFiles } from '../../io/files/hidden-files.ts';
import { planDay } from '../../run/plan-day.ts';
import { shared, stoppedStatus, type Command, type Invocation } from '../command.ts';
import { folderOfOption, toFolder } from './publish.ts';

const optionTable = { to: toFolder, ...shared('root', 'as-of', 'base-url') };
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'Runs "daily" in a copy, up to the publication: asks upstream, judges and records, builds, and reads the live site.',
    'Shows what readers would be told, and names each component that would wait, with its id for "accept". Changes nothing.',
  ],
  examples: [['plan', 'before "daily", or to see the effect of an edit']],
  run: reportPlan,
};

/** Also for `daily --dry-run`. */
export async function reportPlan(invocation: Invocation<{ to: typeof toFolder }>): Promise<number> {
  const { root, env, day, options, report, signal } = invocation;

  rejectHiddenFiles(root, env);

  const planned = await planDay({ ...invocation, to: folderOfOption(options.to) });
  if (planned.kind === 'stopped') {
    return stoppedStatus(signal);
  }

  if (planned.kind === 'damaged') {
    return 1;
  }

  const { components, events, announcements, held, isDamaged, publication } = planned;

  report.print(`plan: ${held.length} would wait. Nothing was changed.`);

  report.document({
    verb: 'plan',
    asOf: day,
    components,
    events,
    announcements,
    held,
    publication,
  });

  return held.length > 0 || isDamaged || publication === 'refused' || publication === 'failed'
    ? 1
    : 0;
}
