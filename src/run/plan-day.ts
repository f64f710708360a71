import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../io/files/file-system.ts';
import { askGit, openGit, readHead, withoutHooks } from '../io/files/git.ts';
import { requireSiteConfig } from '../io/files/settings-files.ts';
import { openRoot, type Root } from '../io/files/root.ts';
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

/**
 * Runs a day in a copy, up to the publication. Changes nothing of the index. Counts the components of the site and the events for the
 * journal. `announcements`: the sentences that readers would be told; `publication`: absent where the index is published nowhere.
 * Throws the reason of an aborted signal.
 */
export async function planDay(input: PublishingRun) {
  const { checkout, env, report, signal } = input;
  using copy = copyIndex(input.root, env);
  const copyInput = {
    ...input,
    root: openRoot(copy.dir, checkout),
    out: join(copy.dir, '.cache/dist'),
  };

  const edits = judgeEdits(copyInput);
  const gathered = await gather({ ...copyInput, root: edits.root, edits });
  signal.throwIfAborted();

  const { held, events, count, root } = await record({
    ...copyInput,
    startedAt: new Date(),
    requested: ['plan'],
    edits,
    gathered: gathered.results,
  });
  const announcements = listAnnouncements(events);
  report.finding(...listHeldFindings(held));
  report.print(...announcements);
  const { components } = await build({ ...copyInput, root });
  const plan = { components: components.length, events: count, announcements, held };
  if (isPublishedNowhere(input.to, requireSiteConfig(root))) {
    return { ...plan, publication: undefined };
  }

  const publication = await publish({ ...copyInput, root, isDryRun: true });
  report.finding(...publication.findings);
  report.print(...describePublication(publication));
  return { ...plan, publication: publication.kind };
}

/** Copies the parts of an index that a day reads. Disposing removes the copy. */
function copyIndex(root: Root, env: NodeJS.ProcessEnv): Disposable & { dir: string } {
  using resources = new DisposableStack();
  const { path: folder } = resources.use(makeTemporaryFolder());
  let dir = folder;

  if (readHead(root.dir, env) !== undefined) {
    const git = openGit(root.dir, env);
    resources.defer(() => askGit(git, 'worktree', 'remove', '--force', folder));
    // A worktree has the commits that the gate compares with.
    git([...withoutHooks, 'worktree', 'add', '--quiet', '--detach', '--force', folder, 'HEAD']);
    dir = join(folder, git(['rev-parse', '--show-prefix']).trim());
  }

  for (const part of parts) {
    const source = join(root.dir, part);
    rmSync(join(dir, part), { recursive: true, force: true });
    if (existsSync(source)) {
      cpSync(source, join(dir, part), { recursive: true });
    }
  }

  const ownResources = resources.move();
  return { dir, [Symbol.dispose]: () => ownResources.dispose() };
}
