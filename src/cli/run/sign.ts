import { readSettings } from '../../core/index/read-folder.ts';
import type { Command } from 'commander';
import { checkSite } from '../../publish/check-site.ts';
import { chooseSigningKey, signSite } from '../../publish/sign.ts';
import type { Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command.action(async () => {
    const { root, out, env, report } = context;
    const settings = readSettings(root);
    const site = await checkSite(out, settings.releasesUrl);
    const key = chooseSigningKey(env, settings);
    const signed = key && signSite(root, site, key);
    report.print(
      key
        ? `Signed. To check it: minisign -Vm SHA256SUMS -P ${key.publicKey}`
        : 'Not signed: no key is configured.',
    );
    report.document({ out, publicKey: key?.publicKey, ...signed });
  });
}
