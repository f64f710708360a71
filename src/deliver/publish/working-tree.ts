import type { Env } from '../../core/env.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { readCommit } from '../../io/files/commit.ts';
import type { Root } from '../../io/files/root.ts';
import { listed } from '../../core/text.ts';

/** Says where a site is not that of a commit: nobody could build it again. */
export function weighWorkingTree(root: Root, env: Env): Finding[] {
  const notice = (message: string): Finding[] => [{ level: 'notice', subject: root.dir, message }];
  const commit = readCommit(root, env);
  if (!commit) return notice('is not the checkout of a commit, from which this site could be built again');
  const { id, changed } = commit;
  if (changed.length === 0) return [];
  return notice(
    `${listed(changed, 3)}: not as in the commit ${id.slice(0, 10)}, from which this site cannot be built again`,
  );
}
