import { rejectRepositoryProblems } from '../../io/files/repository-files.ts';
import { planDay } from '../../run/plan-day.ts';
import { publicationOptions, shared, type Command, type Invocation } from '../command.ts';

export const command: Command = {
  options: { ...publicationOptions, ...shared('root', 'as-of', 'base-url') },
  details: [
    'Runs "daily" in a copy, up to the publication: asks upstream, judges and records, builds, and reads the live site.',
    'Shows what readers would be told, and all that would wait, with its cause and its id for "accept". Changes nothing.',
    'Exits with 1 if anything would wait, or could not be published. Also works for edits that are not committed.',
  ],
  examples: [['plan', 'before "daily", or to see the effect of an edit']],
  run: reportPlan,
};

/** Also for `daily --dry-run`. */
export async function reportPlan(invocation: Invocation): Promise<number> {
  const { root, env, day, report } = invocation;
  rejectRepositoryProblems(root, env);
  const plan = await planDay(invocation);

  const { held, publication } = plan;
  report.print(`plan: ${held.length} would wait. Nothing was changed.`);
  report.document({ verb: 'plan', asOf: day, ...plan });

  const isStopped = publication === 'refused' || publication === 'failed';
  return held.length > 0 || isStopped ? 1 : 0;
}
