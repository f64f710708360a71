import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../core/command-prefix.ts';
import { chooseSigningKey, signingKeyVariable, signSite } from '../../deliver/sign/sign-site.ts';
import { digestsFile, signatureFile } from '../../site/digests.ts';
import { digestInputs } from '../../site/inputs.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import { accessFile, readAccessConfig, readSiteConfig } from '../../io/files/read.ts';
import { refusal, refuseErrors, type Invocation } from './command.ts';

const onlyPublish = () =>
  `no other host than that of "publish" asks for a credential, and everybody could read the index there. Publish it: ${commandLine('publish')}`;

/** Signs the built site for a host that "publish" does not know. */
export function sign({ root, out, env, baseUrl, report }: Invocation): Promise<number> {
  const config = readSiteConfig(root);
  refuseErrors(config.findings);
  const access = readAccessConfig(root);
  refuseErrors(access.findings);
  if (access.value) throw refusal(accessFile, onlyPublish());
  if (!existsSync(join(out, digestsFile))) throw refusal(out, 'there is no built site; "build" makes it');
  const { key, findings } = chooseSigningKey(env[signingKeyVariable], config.value!.signingPublicKey);
  refuseErrors(findings);
  for (const finding of findings) report.finding(finding);
  if (!key) {
    report.line(`Not signed: ${signingKeyVariable} is not set, and site/site.json promises no signature.`);
    report.result({ verb: 'sign', out, isSigned: false });
    return Promise.resolve(0);
  }
  const { asOf, inputs } = JSON.parse(readFileSync(join(out, 'status.json'), 'utf8')) as StatusFile;
  if (inputs !== digestInputs(root))
    throw refusal(out, 'was built from other definitions or data than those that are here. Build it again');
  signSite({
    root,
    out,
    env,
    key,
    config: config.value!,
    baseUrl: baseUrl ?? config.value!.releasesUrl,
    asOf,
  });
  report.line(`${join(out, signatureFile)}: check it with minisign -Vm ${digestsFile} -P ${key.publicKey}`);
  report.result({ verb: 'sign', out, isSigned: true, publicKey: key.publicKey });
  return Promise.resolve(0);
}
