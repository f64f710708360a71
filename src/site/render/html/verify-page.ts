import { portableCommandLine } from '../../../core/command-prefix.ts';
import { statementMediaType } from '../../../core/schemas/published/statement.ts';
import { isCheckout, programRepository } from '../../../io/program.ts';
import { attestationsPath, pathFor } from '../paths.ts';
import { curl, reading } from '../reader-commands.ts';
import type { SiteContext } from '../site-context.ts';
import { pageOf } from './page-frame.ts';
import { renderTemplate } from './templates.ts';

/** `verify.html`: how to check that files are whole, and where they come from. `sample` is a component of the index. */
export function renderVerifyPage(site: SiteContext, sample: string | undefined): string {
  const { baseUrl, config } = site;
  const { signingPublicKey: key, repositoryUrl } = config;
  const repository = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git|\/)?$/.exec(repositoryUrl)?.[1];
  const fetch = `${curl(site)} -fO ${baseUrl}`;
  const fetchList = `${fetch}/SHA256SUMS`;
  return renderTemplate(site.theme, 'verify', {
    page: pageOf(site, {
      title: `Origin and integrity | ${config.title}`,
      heading: 'Origin and integrity',
      description: `How to check that files of ${config.title} are whole, and where they come from.`,
      path: 'verify.html',
    }),
    publicKey: key ?? '',
    allAtOnce: `${reading(site, portableCommandLine('verify', baseUrl, key === undefined ? '--digests-only' : `--key ${key}`))}\n`,
    oneFile: `${fetchList} &&
  ${fetch}/all.json &&
  sha256sum --check --ignore-missing SHA256SUMS
`,
    mirror: `${fetchList} &&
  sha256sum --check --ignore-missing --quiet SHA256SUMS
`,
    signature: `${fetchList} &&
  ${fetch}/SHA256SUMS.minisig &&
  minisign -V -m SHA256SUMS -P ${key}
`,
    statement: key === undefined || sample === undefined ? '' : statementCommand(site, sample),
    attestation:
      repository === undefined
        ? ''
        : `${fetchList} &&
  gh attestation verify SHA256SUMS --repo ${repository} \\
    --signer-workflow ${isCheckout ? repository : programRepository()}/.github/workflows/publish.yml
`,
  });
}

/** What is signed is the pre-authentication encoding of DSSE: the type and the statement, each behind its length. */
function statementCommand(site: SiteContext, component: string): string {
  return `${curl(site)} -fO ${site.baseUrl}/signing-key.pem &&
  ${curl(site)} -f ${site.baseUrl}/${pathFor(attestationsPath, component)} >bundles.json &&
  jq -r '.[0].dsseEnvelope.payload' bundles.json | base64 -d >statement.json &&
  jq -r '.[0].dsseEnvelope.signatures[0].sig' bundles.json | base64 -d >statement.sig &&
  { printf 'DSSEv1 ${statementMediaType.length} ${statementMediaType} %d ' "$(wc -c <statement.json)"; cat statement.json; } >signed &&
  openssl pkeyutl -verify -pubin -inkey signing-key.pem -rawin -in signed -sigfile statement.sig &&
  jq . statement.json
`;
}
