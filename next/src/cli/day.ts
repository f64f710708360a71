import manifest from '../../package.json' with { type: 'json' };
import { readSettings, requireDefinitions } from '../core/read-folder.ts';
import { UsageError, type Problem } from '../core/errors.ts';
import { findNearest } from '../core/text.ts';
import { planDay, saveDay, saveGathered, type PlannedDay } from '../record/day.ts';
import { openData, type DataFiles } from '../record/files.ts';
import {
  commitData,
  listEventLines,
  openGit,
  push as pushCommits,
  rejectUncommitted,
  writeCommitMessage,
} from '../record/git.ts';
import { createHttp } from '../sources/http/client.ts';
import type { Context } from './context.ts';

/** Asks the sources for a day, and writes nothing. `names`: only these components. */
export async function askSources(
  context: Context,
  verb: string,
  names: readonly string[] = [],
): Promise<{ data: DataFiles; planned: PlannedDay }> {
  const { root, day, env, signal, report } = context;
  const settings = readSettings(root);
  const { repositoryUrl, plainHttpHosts = [], staleAfterDays, exploited } = settings;
  const data = openData(root);
  const definitions = requireDefinitions(root, settings);
  const unknown = names.find((name) => !definitions.has(name));
  if (unknown !== undefined) {
    const nearest = findNearest(unknown, definitions.keys());
    throw new UsageError(
      `there is no component ${unknown}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`,
    );
  }

  const http = createHttp({ repositoryUrl, env, signal, plainHttpHosts });
  try {
    const npm = /npm\/(\S+)/.exec(env['npm_config_user_agent'] ?? '')?.[1];
    const facts = { requested: [verb, ...names], program: manifest.version, ...(npm && { npm }) };
    const asks = (name: string) => names.length === 0 || names.includes(name);
    const onProgress = (text: string) => report.progress(text);
    return {
      data,
      planned: await planDay({
        data,
        definitions,
        http,
        asks,
        day,
        signal,
        staleAfterDays,
        exploited,
        facts,
        onProgress,
      }),
    };
  } finally {
    await http.close();
  }
}

/** Records what sources state: all that `gather` does. */
export async function gather(
  context: Context,
  verb: string,
  names: readonly string[] = [],
): Promise<PlannedDay> {
  const { data, planned } = await askSources(context, verb, names);
  const isAnswered = saveGathered(data, planned);
  // Nothing failed: the next day goes on without what is not known yet.
  const level = planned.bugs.length > 0 ? undefined : ('warning' as const);
  context.report.problem(
    ...listProblems(planned).map((problem) => ({
      ...problem,
      ...(level && { level }),
      ...problem,
    })),
  );
  if (!isAnswered) {
    context.report.print('No source answered: data/ stays as it was.');
  }
  return planned;
}

/** Asks, records and commits a day: `daily` up to its commit. */
export async function recordDay(context: Context, push = false): Promise<PlannedDay> {
  const { root, report } = context;
  const git = openGit(root);
  rejectUncommitted(git);
  if (push) {
    git('pull', '--quiet', '--rebase', '--autostash');
  }

  const { data, planned } = await askSources(context, 'daily');
  saveDay(data, planned);
  report.problem(...listProblems(planned));
  report.print(...listEventLines(planned.events));

  const isCommitted = commitData(git, writeCommitMessage(planned.events));
  if (push) {
    pushCommits(git);
  }
  report.print(isCommitted ? `Committed ${git('rev-parse', 'HEAD')}.` : 'Nothing to commit.');
  const isRed = planned.bugs.length > 0 || planned.alerts.some(({ isDue }) => isDue);
  context.status = isRed ? 1 : 0;
  return planned;
}

/** Its alerts, the notes of its sources, and its bugs. */
export function listProblems({ alerts, notes, bugs }: PlannedDay): Problem[] {
  return [
    ...alerts.map(({ subject, message, isDue }): Problem => ({
      subject,
      message,
      ...(isDue ? {} : { level: 'warning' }),
    })),
    ...notes.map((note): Problem => ({ subject: 'source', message: note, level: 'notice' })),
    ...bugs.map((bug): Problem => ({
      subject: 'bug',
      message: bug instanceof Error ? (bug.stack ?? bug.message) : String(bug),
    })),
  ];
}
