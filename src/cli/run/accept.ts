import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { formatCount } from '../../core/text.ts';
import { accept } from '../../record/decisions.ts';
import { openData } from '../../record/files.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command.argument('<id...>', 'what waits, by its id in data/held.json').action((ids: string[]) => {
    const { root, report, env } = context;
    const decisions = accept(openData(root), ids, env['GITHUB_ACTOR'] ?? userInfo().username);
    for (const { id, versions } of decisions) {
      const extent = versions
        ? formatCount(versions.length, 'version')
        : 'without a look at what it names';
      report.print(`${id}: accepted ${extent}. Commit data/decisions.ndjson.`);
    }
    report.document({ decisions });
  });
}
