import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../core/dates.ts';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { askGit, GitError, openGit, type Git } from '../../io/files/git.ts';
import { listRuns } from '../../io/files/journal.ts';
import { cacheFolder, openRoot } from '../../io/files/root.ts';
import { confirm, flag, inputError, parseOption, shared, text, UsageError } from '../command.ts';
import type { Command, Invocation } from '../command.ts';
import { runBuild } from './build.ts';
import { describePublication, runPublish } from './publish.ts';

export const command: Command = {
  options: {
    to: text('YYYY-MM-DD', 'the day whose site to publish again; required'),
    folder: text('DIR', 'the folder that a host of files serves, as --to of "publish"'),
    yes: flag('publish without asking; needed where there is no terminal'),
    'dry-run': flag('show what would change, and publish nothing'),
    ...shared('root', 'as-of', 'base-url'),
  },
  details: [
    'Builds the site, in a separate worktree, from the definitions and data that the last run of that day committed. Shows the',
    'losses and gains of readers, asks, and publishes it. The checkout and dist/ stay unchanged.',
    'The next "daily" publishes the present again. To prevent that, disable its workflow first: gh workflow disable daily.yml',
    'To return to the present: correct the cause, then run "daily", or enable the workflow and run it.',
  ],
  examples: [
    ['rollback --to 2026-11-19 --dry-run', 'what would change'],
    ['rollback --to 2026-11-19', 'go back to a correct day'],
  ],
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const { root, env, options, report, checkout, day: today } = invocation;
  const day = parseOption('--to', options['to'], DaySchema);
  if (day === undefined) {
    throw new UsageError('--to is required: the day to go back to');
  }
  if (day > today) {
    throw new UsageError(`--to: expected a day up to ${today}; got ${day}`);
  }
  const git = openGit(root.dir, env);
  const folder = mkdtempSync(join(cacheFolder(root), 'rollback-'));
  try {
    const commit = commitOf(git, invocation, day);
    git(['worktree', 'add', '--quiet', '--detach', '--force', '--end-of-options', folder, commit]);
    const then = openRoot(join(folder, git(['rev-parse', '--show-prefix']).trim()), checkout);
    // Access keys are the present ones, for a site of any day.
    const keys = join(root.dir, '.access');
    if (existsSync(keys)) {
      cpSync(keys, join(then.dir, '.access'), { recursive: true });
    }
    // --to is a day here, and a folder for "publish".
    const given = { to: options['folder'] };
    const earlier = { ...invocation, options: given, root: then, out: join(folder, 'dist') };
    report.print(`rollback: the site of ${day}, from commit ${commit.slice(0, 10)}`);
    runBuild({ ...earlier, day });
    const publish = async (isDryRun: boolean) => {
      const publication = await runPublish(earlier, {
        isDryRun,
        isJustBuilt: true,
        isDecided: () => true,
      });
      report.finding(...publication.findings);
      report.print(...describePublication(publication));
      return publication.kind;
    };
    const isDryRun = options['dry-run'] === true;
    const planned = await publish(true);
    const isWanted =
      planned === 'planned' && !isDryRun && (await confirm(invocation, 'Publish this?'));
    const outcome = isWanted ? await publish(false) : planned;
    if (outcome === 'published') {
      report.print(
        `${day} is live. The next "daily" publishes the present again: npx release-index daily`,
      );
    }
    report.document({ verb: 'rollback', to: day, commit, outcome });
    return outcome === 'published' || (outcome === 'planned' && isDryRun) ? 0 : 1;
  } catch (error) {
    if (error instanceof GitError) {
      throw inputError('rollback', `${error.message}. Nothing was published`);
    }
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // Ignores the failure without a repository.
    askGit(git, 'worktree', 'prune');
  }
}

/** The commit that recorded the last run of a day. */
function commitOf(git: Git, { root, day: today }: Invocation, day: Day): string {
  // A wrong clock may have recorded future days.
  const runs = listRuns(root).runs.filter(({ asOf }) => asOf <= today);
  const run = runs.findLast(({ asOf }) => asOf === day);
  if (!run) {
    const near = [runs.findLast(({ asOf }) => asOf < day), runs.find(({ asOf }) => asOf > day)];
    const days = near.flatMap((each) => each?.asOf ?? []).join(' and ');
    const nearest = days === '' ? 'No run is recorded yet' : `The nearest: ${days}`;
    throw inputError('--to', `no run of ${day} is recorded. ${nearest}`);
  }
  const file = `data/runs/${day.slice(0, 4)}.ndjson`;
  const adding = [
    'log',
    '-1',
    '--format=%H',
    `-S"id":"${run.id}"`,
    '--end-of-options',
    'HEAD',
    '--',
    file,
  ];
  const commit = git(adding).trim();
  if (commit !== '') {
    return commit;
  }
  const remedy = 'Fetch the whole history: git fetch --unshallow';
  throw inputError('--to', `the run of ${day} is in no commit here. ${remedy}`);
}
