import { appendFileSync } from 'node:fs';
import { asWarnings, isError } from '../../core/errors.ts';
import { readSettings } from '../../core/read-definitions.ts';
import { checkTarget } from '../../publish/folder.ts';
import { requirePublished } from '../../publish/history.ts';
import { findExcess } from '../../publish/host-limits.ts';
import { findTarget } from '../../publish/publish-site.ts';
import { doubtClock } from '../../record/clock.ts';
import { saveDay } from '../../record/compose-day.ts';
import { openData } from '../../record/data-files.ts';
import { readUsableDefinitions } from '../../record/definitions.ts';
import { listEventLines, writeCommitMessage } from '../../record/event-lines.ts';
import {
  commitData,
  openGit,
  push as pushCommits,
  rebase,
  rejectUncommitted,
} from '../../record/git.ts';
import { listDayProblems } from '../../record/problems.ts';
import type { Context, Define } from '../context.ts';
import { bugStatus, askSources, type Asked } from '../sources.ts';
import { build } from './build.ts';
import { publishSite } from './publish.ts';

interface Options {
  push?: boolean | undefined;
  skipPublish?: true;
  /** The folder of a server (`--to`), if it is not the folder in the settings. */
  to?: string | undefined;
}

export const define: Define = (command, context) => {
  command
    .option('--push', 'push the commit before anything is published')
    .option('--skip-publish', 'end after the build, because "sign" and "publish" follow')
    .option('--to <folder>', 'folder that a server serves (default: the one in "hosting")')
    .action((options: Options) => runDay(options, context));
};

async function runDay(options: Options, context: Context): Promise<void> {
  const { skipPublish, to } = options;
  const { root, out, day, report, env, signal } = context;
  if (to !== undefined) {
    checkTarget(to, out);
  }

  const { definitions, composed } = await recordDay(context, options);
  build(context, definitions);
  if (env['GITHUB_OUTPUT']) {
    appendFileSync(env['GITHUB_OUTPUT'], 'built=true\n');
  }

  if (skipPublish) {
    const { host } = findTarget(readSettings(root), signal, to);
    report.problem(asWarnings(findExcess(host, out)));
  } else {
    await publishSite({ to }, context);
  }

  const { held, run } = composed;
  report.document({ asOf: day, held, events: run.events });
}

/** Does the work of a day: pulls, asks the sources, records their answers, commits and pushes. */
export async function recordDay(context: Context, { push, to }: Options) {
  const { root, report, signal } = context;
  const git = openGit(root, signal);
  await rejectUncommitted(git);
  if (push) {
    await rebase(git, 'pull', '--rebase');
  }
  const commit = await git('rev-parse', 'HEAD');
  const settings = readSettings(root);
  const { definitions, problems } = await readUsableDefinitions(root, settings, signal);
  report.problem(problems);

  const { site } = findTarget(settings, signal, to);
  const checkout = { root, data: openData(root), definitions, signal, isPulled: push };
  report.problem(await requirePublished(site, checkout));
  const composed = await recordAnswers(context, { commit, definitions });
  if (problems.length > 0) {
    context.status ||= 1;
  }

  await commitData(git, writeCommitMessage(composed.events));
  if (push) {
    await pushCommits(git);
  }
  report.print(`Committed ${await git('rev-parse', 'HEAD')}${push ? ', and pushed it' : ''}.`);
  return { definitions, composed };
}

/** Asks the sources, records their answers, the events and the run in `data/`, and reports problems and events. Commits nothing. */
export async function recordAnswers(context: Context, asked: Asked) {
  const { report, day, asOf } = context;
  const { data, composed, offsets } = await askSources(context, asked);
  doubtClock({ day, asOf, lastDay: data.readRuns().at(-1)?.asOf, offsets });
  const problems = listDayProblems(composed);
  saveDay(data, composed);

  const { bugs, events } = composed;
  context.status = bugs.length > 0 ? bugStatus : Number(problems.some(isError));
  report.problem(problems, bugs);
  report.print(listEventLines(events));
  return composed;
}
