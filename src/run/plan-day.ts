import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../io/files/file-system.ts';
import { askGit, readHead, openGit } from '../io/files/git.ts';
import { requireSiteConfig } from '../io/files/settings-files.ts';
import { openRoot } from '../io/files/root.ts';
import { judgeEdits } from '../record/gate/judge-edits.ts';
import { listAnnouncements } from '../record/journal/events/change-entries.ts';
import { build } from './build-step.ts';
import { describePublication } from './describe-publication.ts';
import { gather } from './gather-step.ts';
import { listHeldFindings } from './held-changes.ts';
import { isPublishedNowhere, publish, type PublishingRun } from './publish-step.ts';
import { record } from './record-step.ts';

/** The parts of a root that a day reads. */
const parts = [
  'components',
  'data',
  'site',
  'package.json',
  'package-lock.json',
  '.access',
  '.npmrc',
];

/** Runs a day in a copy, up to the publication. Changes nothing of the index. Throws the reason of an aborted signal. */
export async function planDay(input: PublishingRun) {
  const { root, env } = input;
  const git = openGit(root.dir, env);
  const isInGit = readHead(root.dir, env) !== undefined;
  using temporary = makeTemporaryFolder();
  const folder = temporary.path;

  try {
    // A worktree has the commits that the gate compares with.
    if (isInGit) {
      git(['worktree', 'add', '--quiet', '--detach', '--force', folder, 'HEAD']);
    }

    const dir = isInGit ? join(folder, git(['rev-parse', '--show-prefix']).trim()) : folder;
    for (const part of parts) {
      const source = join(root.dir, part);
      rmSync(join(dir, part), { recursive: true, force: true });
      if (existsSync(source)) {
        cpSync(source, join(dir, part), { recursive: true });
      }
    }
    return await planIn(dir, { ...input, out: join(dir, '.cache/dist') });
  } finally {
    if (isInGit) {
      askGit(git, 'worktree', 'remove', '--force', folder);
    }
  }
}

/**
 * Runs the steps of a day for the copy in a folder. Counts the components of the site and the events for the journal.
 * `announcements`: the sentences that readers would be told; `publication`: absent where the index is published nowhere.
 */
async function planIn(dir: string, input: PublishingRun) {
  const { checkout, report, signal } = input;
  const copy = { ...input, root: openRoot(dir, checkout) };
  const edits = judgeEdits(copy);
  const gathered = await gather({ ...copy, root: edits.root, edits });
  signal.throwIfAborted();

  const { held, events, count, root } = await record({
    ...copy,
    startedAt: new Date(),
    requested: ['plan'],
    edits,
    gathered: gathered.results,
  });
  const announcements = listAnnouncements(events);
  report.finding(...listHeldFindings(held));
  report.print(...announcements);
  const built = await build({ ...copy, root });
  const plan = {
    components: built.components.length,
    events: count,
    announcements,
    held,
    publication: undefined,
  };
  if (isPublishedNowhere(input.to, requireSiteConfig(root))) {
    return plan;
  }

  const publication = await publish({ ...copy, root, isDryRun: true });
  report.finding(...publication.findings);
  report.print(...describePublication(publication));
  return { ...plan, publication: publication.kind };
}
