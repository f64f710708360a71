import { readSettings } from '../../core/read-folder.ts';
import { formatCount } from '../../core/text.ts';
import type { Command } from 'commander';
import type { Problem } from '../../core/errors.ts';
import { publish, type Publication } from '../../publish/publish.ts';
import { parseUrl, type Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command
    .option('--dry-run', 'say what would be sent, and which secrets are missing')
    .option('--to <folder>', 'folder that a server serves (default: the one in "hosting")')
    .option(
      '--base-url <url>',
      'where the site is published (default: releasesUrl of site/site.json)',
      parseUrl,
    )
    .option('--force', 'do not look at the live site')
    .addHelpText(
      'after',
      '\nChecks the whole site before it sends anything. Readers have the old or the new site, never half of one.',
    )
    .action(
      async ({
        dryRun = false,
        force = false,
        to,
        baseUrl,
      }: {
        dryRun?: boolean;
        force?: boolean;
        to?: string;
        baseUrl?: string;
      }) => {
        const { report } = context;
        const onProgress = (text: string) => report.progress(text);
        const publication = await publish({
          ...pick(context),
          to,
          baseUrl,
          isDryRun: dryRun,
          force,
          onProgress,
        });
        report.problem(
          ...(publication.missing ?? []).map((each): Problem => ({ ...each, level: 'warning' })),
        );
        report.print(describePublication(publication));
        report.document({ verb: 'publish', ...publication });
      },
    );
}

/** A spread would leave out getters that are not enumerable. */
function pick({ root, out, day, env, signal }: Context) {
  return { root, out, settings: readSettings(root), day, env, signal };
}

const words = {
  planned: 'Nothing was sent: this was a dry run.',
  ready: 'Ready: the workflow deploys it to GitHub Pages.',
  published: 'Published.',
};

export function describePublication({
  kind,
  to,
  files,
  changed,
  gone,
  verified,
}: Publication): string {
  const readBack = verified === undefined ? '' : ` ${formatCount(verified, 'file')} read back.`;
  return `${to}: ${formatCount(files, 'file')}, ${changed.length} changed, ${gone.length} gone. ${words[kind]}${readBack}`;
}
