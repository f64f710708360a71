import { statementMediaType } from '../../../core/schemas/published/statement.ts';
import { isCheckout, programRepository } from '../../../io/program.ts';
import { attestationsPath, pathFor } from '../paths.ts';
import { curl, reading } from '../reader-commands.ts';
import type { SiteContext } from '../site-context.ts';
import { renderPage } from './page-frame.ts';
import { renderText } from './templates.ts';

/** `verify.html`: how to check that files are whole, and where they come from. `sample` is a component of the index. */
export function renderVerifyPage(site: SiteContext, sample: string | undefined): string {
  const { baseUrl, config } = site;
  const { signingPublicKey: publicKey, repositoryUrl } = config;
  const repository = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git|\/)?$/.exec(repositoryUrl)?.[1];
  const proof = publicKey === undefined ? ['--digests-only'] : ['--key', publicKey];
  const fetch = `${curl(site)} -fO ${baseUrl}`;
  const text = (name: string, view: object = {}) => renderText(site.theme, name, { fetch, ...view });
  return renderPage(site, 'verify', {
    publicKey: publicKey ?? '',
    allAtOnce: `${reading(site, `npx release-index verify ${baseUrl} ${proof.join(' ')}`)}\n`,
    oneFile: text('verify-one-file'),
    mirror: text('verify-mirror', { options: '--ignore-missing --quiet' }),
    wholeMirror: text('verify-mirror', { options: '--quiet' }),
    signature: publicKey === undefined ? '' : text('verify-signature', { publicKey }),
    statement:
      publicKey === undefined || sample === undefined
        ? ''
        : // The signed text is the pre-authentication encoding of DSSE: type and statement, each behind its length.
          text('verify-statement', {
            curl: curl(site),
            baseUrl,
            statements: pathFor(attestationsPath, sample),
            mediaType: statementMediaType,
            length: statementMediaType.length,
          }),
    attestation:
      repository === undefined
        ? ''
        : text('verify-build', { repository, builder: isCheckout ? repository : programRepository() }),
  });
}
