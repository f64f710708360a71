import { readSettings } from '../../core/read-definitions.ts';
import { formatCount } from '../../core/text.ts';
import { publish } from '../../publish/publish-site.ts';
import type { Context, Define } from '../context.ts';

interface Options {
  dryRun?: true;
  force?: true;
  to?: string | undefined;
}

export const define: Define = (command, context) => {
  command
    .option('--dry-run', 'show what would be sent, and which secrets are missing')
    .option('--to <folder>', 'folder that a server serves (default: the one in "hosting")')
    .option('--force', 'start the history anew, and compare only what readers would lose')
    .action(async (options: Options) => {
      context.report.document(await publishSite(options, context));
    });
};

/** The sentence for each outcome of a publication. */
const outcomes = {
  planned: 'Nothing was sent: this was a dry run.',
  ready: 'Ready to be deployed.',
  published: 'Published.',
};

export async function publishSite(
  { dryRun: isDryRun, force, to }: Options,
  { root, out, env, signal, report }: Context,
) {
  const publication = await publish({
    root,
    out,
    settings: readSettings(root),
    to,
    env,
    signal,
    isDryRun,
    force,
  });
  const { kind, to: place, files, changed, gone, command, warnings } = publication;
  report.problem(warnings);
  report.print(
    `${place}: ${formatCount(files, 'file')}, ${changed.length} changed, ${gone.length} removed. ${outcomes[kind]}`,
    ...(command ? [`Next: ${command}`] : []),
  );
  return publication;
}
