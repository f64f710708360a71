import { userInfo } from 'node:os';
import { formatCount, toLine } from '../../core/text.ts';
import { openData } from '../../record/data-files.ts';
import { accept, describeAcceptance } from '../../record/decisions.ts';
import { expectArgument, type Define } from '../context.ts';

export const define: Define = (command, context) => {
  command
    .argument('<id...>', 'ids of holds (data/held.json), or of a publication that was stopped')
    .option('--reason <text>', 'the reason, shown in the list of decisions', parseReason)
    .action((ids: string[], { reason }: { reason?: string }) => {
      const { root, report, env } = context;
      const by = env['GITHUB_ACTOR'] || nameUser();
      const { added, former } = accept(openData(root), ids, { by, reason });
      for (const decision of former) {
        report.print(`${decision.id}: ${describeAcceptance(decision)}.`);
      }
      for (const { id, versions } of added) {
        const extent = versions
          ? formatCount(versions.length, 'version')
          : 'for the next publication';
        report.print(`${id}: accepted ${extent}. Commit data/decisions.ndjson.`);
      }
      if (added.length === 0) {
        report.print('Nothing was written, because the next run uses the former decision.');
      }
      report.document({ decisions: added, former });
    });
};

function parseReason(text: string): string {
  const line = toLine(text, 500);
  expectArgument(line, 'some words');
  return line;
}

/** Returns the name of the user. In a container, a user often has no name. */
function nameUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
