import { resolve } from 'node:path';
import type { SiteConfig } from '../../core/schemas/site-config.ts';
import {
  addressReader,
  folderReader,
  VerificationError,
  type SiteReader,
} from '../../deliver/sign/site-reader.ts';
import { verifySite, type VerifiedSite } from '../../deliver/sign/verify-site.ts';
import { openSiteHttp } from '../../deliver/publish/site-http.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { counted, defined } from '../../core/text.ts';
import { refusal, refuseErrors, UsageError, type Invocation } from './command.ts';
import { siteUrlOf } from './site-url.ts';
import { trustedKeyOf } from './trusted-key.ts';

/** Origin and integrity of a site. Whom to trust is never taken from the site itself. */
export async function verify(invocation: Invocation): Promise<number> {
  const { root, options, day, report } = invocation;
  const config = readSiteConfig(root);
  refuseErrors(config.findings);
  const isIntegrityOnly = options['digests-only'] === true;
  if (isIntegrityOnly && options['key'] !== undefined)
    throw new UsageError('--digests-only checks no signature: leave out --key');
  const key = isIntegrityOnly ? undefined : trustedKeyOf(options['key'], config.value!);
  const { name, site, close } = openSite(invocation, config.value!);
  try {
    const verified = await verifySite(site, {
      ...defined({ publicKey: key?.publicKey }),
      day,
      maxAgeDays: config.value!.staleAfterDays,
    });
    if (!key && !isIntegrityOnly) throw new VerificationError(name, noKey, keyRemedy);
    report.line(describeFiles(name, verified, site));
    if (key) report.line(describeSignature(verified, key.from));
    else report.line('Their origin is unknown: only digests were compared.');
    report.result({ verb: 'verify', site: name, isVouchedFor: key !== undefined, ...verified });
    return 0;
  } catch (error) {
    if (error instanceof VerificationError) throw refusal(error.subject, error.message);
    throw error;
  } finally {
    await close();
  }
}

const noKey =
  'every file is as SHA256SUMS lists it, but the origin of the list is unknown without a public key';
const keyRemedy =
  'Give the "signingPublicKey" that its repository states: --key RW…; or check integrity alone: --digests-only';

function openSite({ arguments: [where], out, env, signal }: Invocation, config: SiteConfig) {
  if (where === undefined || !/^https?:/i.test(where)) {
    const name = where === undefined ? out : resolve(where);
    return { name, site: folderReader(name), close: () => Promise.resolve() };
  }
  const name = siteUrlOf('the address', where)!;
  const http = openSiteHttp({ env, signal, config });
  return { name, site: addressReader(http, name), close: () => http.close() };
}

function describeFiles(name: string, { files, asOf }: VerifiedSite, site: SiteReader): string {
  const all = site.list ? ', and there is no other' : '';
  return `${name}: the index as of ${asOf}; ${counted(files, 'file')} as SHA256SUMS lists them${all}.`;
}

function describeSignature({ signature }: VerifiedSite, from: string): string {
  const { baseUrl, statements, commit } = signature!;
  const made = commit === undefined ? '' : `, made from the commit ${commit}`;
  return `Signed for ${baseUrl} with the key of ${from}: the list, and ${counted(statements, 'statement')} about components${made}.`;
}
