import { userInfo } from 'node:os';
import { formatCount, toLine } from '../../core/text.ts';
import { accept, describeDecision } from '../../record/decisions.ts';
import { openData } from '../../record/files.ts';
import { expectArgument, type Define } from '../context.ts';

export const define: Define = (command, context) => {
  command
    .argument('<id...>', 'what waits, by its id in data/held.json')
    .option('--reason <text>', 'why, for the list of decisions', parseReason)
    .action((ids: string[], { reason }: { reason?: string }) => {
      const { root, report, env } = context;
      const by = env['GITHUB_ACTOR'] || nameUser();
      const { added, former } = accept(openData(root), ids, { by, reason });
      for (const decision of former) {
        report.print(`${decision.id}: ${describeDecision(decision)}.`);
      }
      for (const { id, versions } of added) {
        const extent = versions
          ? formatCount(versions.length, 'version')
          : 'without a look at what it names';
        report.print(`${id}: accepted ${extent}. Commit data/decisions.ndjson.`);
      }
      if (added.length === 0) {
        report.print('Nothing was written: the next run lets it through.');
      }
      report.document({ decisions: added, former });
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
