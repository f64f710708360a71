import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSigningKey, signingKeyVariable, signSite } from '../../deliver/sign/sign-site.ts';
import { digestsFile, signatureFile } from '../../site/digests.ts';
import { digestInputs } from '../../site/inputs.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import { accessFile, readAccessConfig, readSiteConfig } from '../../io/files/read.ts';
import { inputError, requireValue, shared, throwErrors, type Command, type Invocation } from '../command.ts';

export const command: Command = {
  options: shared('root', 'out', 'base-url'),
  details: [
    'Signs SHA256SUMS and a statement about each component. RELEASE_INDEX_SIGNING_KEY has the key: the content of a file made by',
    '"minisign -G -W". The site must be built from the present definitions and data.',
    '"publish" signs by itself.',
  ],
  examples: [['sign', 'before the site is copied']],
  run,
};

const onlyPublish =
  'only the host of "publish" checks credentials; on another host, the index would be public. Publish it: npx release-index publish';

/** Signs the built site for a host that "publish" does not know. */
function run({ root, out, env, baseUrl, report }: Invocation): number {
  const config = requireValue(readSiteConfig(root));
  if (requireValue(readAccessConfig(root))) throw inputError(accessFile, onlyPublish);
  if (!existsSync(join(out, digestsFile))) throw inputError(out, 'there is no built site. Build it: "build"');
  const { key, findings } = chooseSigningKey(env[signingKeyVariable], config.signingPublicKey);
  throwErrors(findings);
  report.finding(...findings);
  if (!key) {
    report.print(`Not signed: ${signingKeyVariable} is not set, and site/site.json promises no signature.`);
    report.document({ verb: 'sign', out, isSigned: false });
    return 0;
  }
  const { asOf, inputs } = JSON.parse(readFileSync(join(out, 'status.json'), 'utf8')) as StatusFile;
  if (inputs !== digestInputs(root))
    throw inputError(out, 'was built from other definitions or data. Build it again');
  signSite({ root, out, env, key, config, baseUrl: baseUrl ?? config.releasesUrl, asOf });
  report.print(`${join(out, signatureFile)}: check it with minisign -Vm ${digestsFile} -P ${key.publicKey}`);
  report.document({ verb: 'sign', out, isSigned: true, publicKey: key.publicKey });
  return 0;
}
