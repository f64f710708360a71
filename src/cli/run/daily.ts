import { appendFileSync } from 'node:fs';
import type { Command } from 'commander';
import { checkTarget } from '../../publish/folder.ts';
import { build } from '../build.ts';
import { recordDay } from '../day.ts';
import type { Context } from '../context.ts';
import { publishSite } from './publish.ts';

interface Options {
  push?: true;
  skipPublish?: true;
  to?: string;
}

export function define(command: Command, context: Context): void {
  command
    .option('--push', 'push the commit before anything is published')
    .option('--skip-publish', 'end after the build: "sign" and "publish" follow')
    .option('--to <folder>', 'folder that a server serves (default: the one in "hosting")')
    .action((options: Options) => runDay(options, context));
}

async function runDay({ push, skipPublish, to }: Options, context: Context): Promise<void> {
  const { out, day, report, env } = context;
  if (to !== undefined) {
    checkTarget(to, out);
  }

  const { definitions, planned } = await recordDay(context, { push, to });
  build(context, definitions);
  if (env['GITHUB_OUTPUT']) {
    appendFileSync(env['GITHUB_OUTPUT'], 'built=true\n');
  }

  if (!skipPublish) {
    await publishSite({ to }, context);
  }

  const { held, alerts } = context.news;
  report.document({ asOf: day, held, alerts, events: planned?.run.events ?? 0 });
}
