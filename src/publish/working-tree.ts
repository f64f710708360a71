import type { Env } from '../env.ts';
import type { Finding } from '../model/finding.ts';
import { entriesOf, GitError, openGit } from '../store/git.ts';
import type { Root } from '../store/root.ts';
import { listed } from '../text.ts';

/** Says where a site is not that of a commit: nobody could build it again. */
export function weighWorkingTree({ dir }: Root, env: Env): Finding[] {
  const notice = (message: string): Finding[] => [{ level: 'notice', subject: dir, message }];
  try {
    const git = openGit(dir, env);
    const commit = git(['rev-parse', '--short=10', 'HEAD']).trim();
    const status = ['status', '--porcelain', '--no-renames', '-z', '--', 'components', 'data', 'site'];
    const changed = entriesOf(git(status)).map((entry) => entry.slice('XY '.length));
    if (changed.length === 0) return [];
    return notice(
      `${listed(changed, 3)}: not as in the commit ${commit}, from which this site cannot be built again`,
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return notice('is not the checkout of a commit, from which this site could be built again');
  }
}
