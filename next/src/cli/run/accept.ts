import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { accept } from '../../record/day.ts';
import { openData } from '../../record/files.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command.argument('<id...>', 'what waits, by its id in data/held.json').action((ids: string[]) => {
    const { root, report, env } = context;
    const decisions = accept(openData(root), ids, env['GITHUB_ACTOR'] ?? userInfo().username);
    for (const { id, versions } of decisions) {
      const what = versions
        ? `accepted ${versions.length} versions`
        : 'accepted, without looking it up';
      report.print(`${id}: ${what}. Commit data/decisions.ndjson.`);
    }
    report.document({ verb: 'accept', decisions });
  });
}
