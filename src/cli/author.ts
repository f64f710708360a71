import { toLine } from '../core/text/text.ts';
import { askGit, openGit } from '../io/files/git.ts';
import type { Invocation } from './command.ts';

/** The name to record. It is not verified: the commit proves the author. */
export function findAuthor({ root, env }: Invocation): string {
  const name = env['GITHUB_ACTOR'] ?? askGit(openGit(root.dir, env), 'config', 'user.name');
  return toLine(name ?? '', 200) || 'unknown';
}
