import { readSettings } from '../../core/read-folder.ts';
import { formatCount } from '../../core/text.ts';
import { appendFileSync } from 'node:fs';
import type { Command } from 'commander';
import { checkTarget } from '../../publish/folder.ts';
import { publish } from '../../publish/publish.ts';
import { saveDay } from '../../record/day.ts';
import {
  commitData,
  openGit,
  push as pushCommits,
  rejectUncommitted,
  writeCommitMessage,
} from '../../record/git.ts';
import { build } from '../build.ts';
import { askSources, listAnnouncements, listProblems } from '../day.ts';
import { parseUrl, type Context } from '../context.ts';
import { describePublication } from './publish.ts';

interface Options {
  push?: true;
  skipPublish?: true;
  to?: string;
  baseUrl?: string;
}

export function define(command: Command, context: Context): void {
  command
    .option('--push', 'push the commit before anything is published')
    .option('--skip-publish', 'end after the build: "sign" and "publish" follow')
    .option('--to <folder>', 'folder that a server serves (default: the one in "hosting")')
    .option(
      '--base-url <url>',
      'where the site is published (default: releasesUrl of site/site.json)',
      parseUrl,
    )
    .addHelpText(
      'after',
      '\nGathers, records, commits data/, builds and publishes what is committed. A component whose sources fail or whose change waits\n' +
        'stays as it was, and the others go on. Exit status 1: a person has to act; data/held.json has what waits.',
    )
    .action((options: Options) => runDay(options, context));
}

async function runDay(
  { push, skipPublish, to, baseUrl }: Options,
  context: Context,
): Promise<void> {
  const { root, out, day, report, signal, env } = context;
  const settings = readSettings(root);
  if (to !== undefined) {
    checkTarget(to, out);
  }

  const git = openGit(root);
  rejectUncommitted(git);
  if (push) {
    git('pull', '--quiet', '--rebase');
  }

  const onProgress = (text: string) => report.progress(text);
  const { data, planned } = await askSources(context, 'daily');
  saveDay(data, planned);
  report.problem(...listProblems(planned));
  report.print(...listAnnouncements(planned));

  const isCommitted = commitData(git, writeCommitMessage(planned.events));
  if (push) {
    pushCommits(git);
  }
  report.print(isCommitted ? `Committed ${git('rev-parse', 'HEAD')}.` : 'Nothing to commit.');

  const built = build(context);
  report.print(`${out}: ${formatCount(built.files, 'file')} for ${day}.`);
  if (env['GITHUB_OUTPUT']) {
    appendFileSync(env['GITHUB_OUTPUT'], 'built=true\n');
  }

  if (!skipPublish) {
    const publication = await publish({
      root,
      out,
      settings,
      to,
      baseUrl,
      day,
      env,
      signal,
      isDryRun: false,
      force: false,
      onProgress,
    });
    report.print(describePublication(publication));
  }

  context.status = planned.bugs.length > 0 || planned.alerts.some(({ isDue }) => isDue) ? 1 : 0;
  report.document({
    verb: 'daily',
    asOf: day,
    held: planned.held,
    alerts: planned.alerts,
    events: planned.run.events,
  });
}
