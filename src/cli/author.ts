import { toLine } from '../core/text.ts';
import { askGit, openGit } from '../io/files/git.ts';
import type { Invocation } from './command.ts';

/** A name for the record: nobody proves it here, the commit does. */
export function authorOf({ root, env }: Invocation): string {
  const name = env['GITHUB_ACTOR'] ?? askGit(openGit(root.dir, env), 'config', 'user.name');
  return toLine(name ?? '', 200) || 'unknown';
}
