import { resolve } from 'node:path';
import type { SiteConfig } from '../../core/schemas/site-config.ts';
import { Doubt } from '../../deliver/proof/doubt.ts';
import { folderReader, type SiteReader } from '../../deliver/proof/read-site.ts';
import { verifySite, type VerifiedSite } from '../../deliver/proof/verify-site.ts';
import { addressReader } from '../../deliver/publish/address-reader.ts';
import { openSiteHttp } from '../../deliver/publish/site-http.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { counted, defined } from '../../core/text.ts';
import { refusal, refuseErrors, UsageError, type Invocation } from './command.ts';
import { openAttestation } from './attestation-option.ts';
import { siteUrlOf } from './site-url.ts';
import { trustedKeyOf } from './trusted-key.ts';

/** Origin and integrity of a site. Whom to trust is never taken from the site itself. */
export async function verify(invocation: Invocation): Promise<number> {
  const { root, options, day, report } = invocation;
  const config = readSiteConfig(root);
  refuseErrors(config.findings);
  const isIntegrityOnly = options['digests-only'] === true;
  refuseContradiction(options);
  const key = isIntegrityOnly ? undefined : trustedKeyOf(options['key'], config.value!);
  const attestation = await openAttestation(options);
  const { name, site, close } = openSite(invocation, config.value!);
  let workflow: string | undefined;
  try {
    const verified = await verifySite(site, {
      ...defined({ publicKey: key?.publicKey }),
      ...(attestation && { vouch: (digest: string) => (workflow = attestation(digest)) }),
      day,
      maxAgeDays: config.value!.staleAfterDays,
    });
    const isVouchedFor = key !== undefined || workflow !== undefined;
    if (!isVouchedFor && !isIntegrityOnly) throw new Doubt(name, nobodyVouches, whoMight);
    report.line(describeFiles(name, verified, site));
    if (key) report.line(describeSignature(verified, key.from));
    if (workflow !== undefined) report.line(`Built, as GitHub attests, by ${workflow}`);
    if (!isVouchedFor) report.line('Nobody vouches for where they come from: only digests were compared.');
    report.result({ verb: 'verify', site: name, isVouchedFor, ...verified, ...defined({ workflow }) });
    return 0;
  } catch (error) {
    if (error instanceof Doubt) throw refusal(error.subject, error.message);
    throw error;
  } finally {
    await close();
  }
}

const nobodyVouches =
  'every file is as SHA256SUMS lists it, but nobody vouches for the list, as no key is known';
const whoMight =
  'Give the "signingPublicKey" that its repository states: --key RW…; or, if whole files are all you ask for: --digests-only';

function refuseContradiction({ key, bundle, 'digests-only': isIntegrityOnly }: Invocation['options']): void {
  if (isIntegrityOnly === true && (key ?? bundle) !== undefined)
    throw new UsageError('--digests-only asks for nobody who vouches: leave out --key and --bundle');
}

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
