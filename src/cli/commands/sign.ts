import { join } from 'node:path';
import { inputError, throwErrors } from '../../core/schemas/finding.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import { checkBuiltAddress } from '../../deliver/check/built-site.ts';
import { chooseSigningKey, signingKeyVariable } from '../../deliver/sign/choose-signing-key.ts';
import { signSite } from '../../deliver/sign/sign-site.ts';
import { readDocument, unwrapResult } from '../../io/files/read-documents.ts';
import { requireSiteConfig } from '../../io/files/settings-files.ts';
import { digestsFile, signatureFile } from '../../site/digests.ts';
import { digestInputs } from '../../site/inputs.ts';
import { shared, type Command } from '../command.ts';

export const command: Command = {
  options: shared('root', 'out', 'base-url'),
  details: [
    'Signs SHA256SUMS and the statements about releases. RELEASE_INDEX_SIGNING_KEY has the key: the content of a file made by',
    '"minisign -G -W". The site must be built from the present definitions and data.',
    'With the key, "publish" signs by itself; without it, it publishes a site that is signed already.',
  ],
  examples: [['sign', 'before the site is copied']],
  /** Signs the built site: for a host that "publish" does not know, or so that "publish" needs no key. */
  run(invocation) {
    const { root, out, day, env, baseUrl, report } = invocation;
    const config = requireSiteConfig(root);
    const url = baseUrl ?? config.releasesUrl;
    throwErrors(checkBuiltAddress({ out, baseUrl: url }));

    const { key, findings } = chooseSigningKey(env[signingKeyVariable], config.signingPublicKey);
    throwErrors(findings);
    report.finding(...findings);
    if (!key) {
      report.print(
        `Not signed: ${signingKeyVariable} is not set, and site/site.json promises no signature.`,
      );
      report.document({ verb: 'sign', asOf: day, out, isSigned: false });

      return 0;
    }

    const statusPath = join(out, 'status.json');
    const { asOf, inputs } = unwrapResult(readDocument(statusPath, statusPath, StatusFile));
    if (inputs !== digestInputs(root)) {
      throw inputError(out, 'was built from other definitions or data. Build it again');
    }

    signSite({ root, out, key, baseUrl: url, asOf });
    report.print(
      `${join(out, signatureFile)}: check it with minisign -Vm ${digestsFile} -P ${key.publicKey}`,
    );
    report.document({ verb: 'sign', asOf, out, isSigned: true, publicKey: key.publicKey });

    return 0;
  },
};
