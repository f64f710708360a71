import { readSettings } from '../../core/read-definitions.ts';
import { chooseSigningKey, signSite } from '../../publish/sign.ts';
import { checkSite } from '../../publish/verify.ts';
import type { Define } from '../context.ts';

export const define: Define = (command, context) => {
  command.action(async () => {
    const { root, out, env, report } = context;
    const settings = readSettings(root);
    const site = await checkSite(out, settings.releasesUrl);
    const key = chooseSigningKey(env, settings);
    if (!key) {
      report.print('The site was not signed, because no key is configured.');
      report.document({ out });
      return;
    }

    const { publicKey } = key;
    const { statements } = await signSite(root, site, key);
    report.print(`Signed. To check it: minisign -Vm SHA256SUMS -P ${publicKey}`);
    report.document({ out, publicKey, statements });
  });
};
