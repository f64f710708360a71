import { userInfo } from 'node:os';
import { formatCount, toLine } from '../../core/text.ts';
import { accept } from '../../record/decisions.ts';
import { openData } from '../../record/files.ts';
import { expectArgument, type Define } from '../context.ts';

export const define: Define = (command, context) => {
  command
    .argument('<id...>', 'what waits, by its id in data/held.json')
    .option('--reason <text>', 'why, for the list of decisions', parseReason)
    .action((ids: string[], { reason }: { reason?: string }) => {
      const { root, report, env } = context;
      const by = env['GITHUB_ACTOR'] || nameUser();
      const decisions = accept(openData(root), ids, { by, reason });
      for (const { id, versions } of decisions) {
        const extent = versions
          ? formatCount(versions.length, 'version')
          : 'without a look at what it names';
        report.print(`${id}: accepted ${extent}. Commit data/decisions.ndjson.`);
      }
      report.document({ decisions });
    });
};

function parseReason(text: string): string {
  const line = toLine(text, 500);
  expectArgument(line, 'some words');
  return line;
}

/** In a container, a user often has no name. */
function nameUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
