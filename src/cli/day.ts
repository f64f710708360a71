import manifest from '../../package.json' with { type: 'json' };
import { readSettings, requireDefinitions } from '../core/index/read-folder.ts';
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

/** Asks the sources for a day, and writes nothing. `names`: only these components. `commit`: what the day begins with. */
export async function askSources(
  context: Context,
  verb: string,
  names: readonly string[] = [],
  commit?: string,
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
    const projectName = env['npm_package_name'];
    const requested = [verb, ...names];
    const facts = { requested, program: manifest.version, npm, projectName, commit };
    const asks = (name: string) => names.length === 0 || names.includes(name);
    const onProgress = (text: string) => report.progress(text);
    return {
      data,
      planned: await planDay({
        data,
        definitions,
        http,
        root,
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
  context.report.problem(...listProblems(planned, 'warning'));
  if (!isAnswered) {
    context.report.print('No source answered: data/ stays as it was.');
  }
  context.status = planned.bugs.length > 0 ? 1 : 0;
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

  const before = git('rev-parse', 'HEAD');
  const { data, planned } = await askSources(context, 'daily', [], before);
  saveDay(data, planned);
  report.problem(...listProblems(planned));
  report.print(...listEventLines(planned.events));

  commitData(git, writeCommitMessage(planned.events));
  if (push) {
    pushCommits(git);
  }
  report.print(`Committed ${git('rev-parse', 'HEAD')}${push ? ', and pushed it' : ''}.`);
  const isRed = planned.bugs.length > 0 || planned.alerts.some(({ isDue }) => isDue);
  context.status = isRed ? 1 : 0;
  return planned;
}

/** Its alerts, the notes of its sources, and its bugs. `due`: the level of an alert that a person has to look at. */
export function listProblems({ alerts, notes, bugs }: PlannedDay, due?: 'warning'): Problem[] {
  return [
    ...alerts.map(({ subject, message, isDue }): Problem => {
      const level = isDue ? due : 'warning';
      return { subject, message, ...(level && { level }) };
    }),
    ...notes.map((note): Problem => ({ subject: 'source', message: note, level: 'notice' })),
    ...bugs.map((bug): Problem => ({
      subject: 'bug',
      message: String((bug as Partial<Error>).stack ?? bug),
    })),
  ];
}
