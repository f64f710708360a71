import type { Command } from 'commander';
import { openSite } from '../../core/index/site-reader.ts';
import { readSettings, requireDefinitions } from '../../core/index/read-folder.ts';
import { formatCount } from '../../core/text.ts';
import { findTarget } from '../../publish/publish.ts';
import { restore } from '../../publish/restore.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command
    .option('--from <site>', 'an address or a folder (default: where the settings publish it)')
    .action(async (options: { from?: string }) => {
      const { root, report, signal } = context;
      const settings = readSettings(root);
      const from = (options.from ?? findTarget(settings, signal).to).replace(/(?<=.)\/+$/, '');
      const restored = await restore({
        root,
        site: openSite(from, signal),
        from,
        publicKey: settings.signingPublicKey,
        definitions: requireDefinitions(root, settings),
      });

      const { files, changed, asOf } = restored;
      report.print(
        `data/ is as ${from} has it, with the last run on ${asOf}: ${formatCount(files, 'file')}, ${changed} changed.`,
        'Next: npx release-index check. The next daily commits it.',
      );
      report.document({ from, ...restored });
    });
}
