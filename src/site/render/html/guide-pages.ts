import { vendoredWorkflow } from '../../../io/program.ts';
import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import { permissions } from '../../../core/schemas/access/permissions.ts';
import { statementMediaType } from '../../../core/schemas/published/statement.ts';
import type { ExampleValues } from '../examples.ts';
import { pathFor, statementsPath } from '../paths.ts';
import { curl, isClosed, reading } from '../renovate/reader-commands.ts';
import { isStatic, type SiteContext } from '../site-context.ts';
import { renderSnippet, type Snippet } from '../renovate/snippets.ts';
import { renderPage, renderText } from './templates.ts';

/** `sign-in.html`: how to read a private index. It names no user. */
export function renderSignInPage(site: SiteContext, access: AccessConfig): string {
  const { baseUrl } = site;
  const hasKeys = access.accessKeys.enabled;
  const isEverything = isClosed(site);

  return renderPage(site, 'sign-in', {
    hasKeys,
    issuers: access.externalOauth.issuers,
    hasFilesByKey: isEverything && hasKeys,
    hostRule: renderSnippet(site, 'renovate-host', {}).text,
    script: `${curl(site)} -f ${baseUrl}/index.json\n`,
    permissions: permissions.join(', '),
    token: `curl -f -X POST -H "Authorization: Bearer $RELEASE_INDEX_KEY" '${baseUrl}/api/auth/token?permissions=${isEverything ? 'read' : 'mcp'}&expiresInHours=1'\n`,
    asking: `${reading(site, `npx release-index search isLatest --index ${baseUrl}`)}\n`,
  });
}

/** `verify.html`: how to check that files are complete and where they come from. `statedComponent`: it has signed statements. */
export function renderVerifyPage(site: SiteContext, statedComponent: string | undefined): string {
  const { baseUrl, config } = site;
  const { signingPublicKey: publicKey, repositoryUrl } = config;
  const repository = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git|\/)?$/.exec(
    repositoryUrl,
  )?.[1];
  const proof = publicKey === undefined ? ['--digests-only'] : ['--key', publicKey];
  const fetch = `${curl(site)} -fO ${baseUrl}`;
  const text = (name: string, view: object = {}) =>
    renderText(site.theme, name, { fetch, ...view });

  return renderPage(site, 'verify', {
    publicKey: publicKey ?? '',
    allAtOnce: `${reading(site, `npx release-index verify ${baseUrl} ${proof.join(' ')}`)}\n`,
    oneFile: text('verify-one-file'),
    mirror: text('verify-mirror', { options: '--ignore-missing --quiet' }),
    wholeMirror: text('verify-mirror', { options: '--quiet' }),
    signature: publicKey === undefined ? '' : text('verify-signature', { publicKey }),
    statement:
      publicKey === undefined || statedComponent === undefined
        ? ''
        : // The signed text is the pre-authentication encoding of DSSE: type and statement, each behind its length.
          text('verify-statement', {
            curl: curl(site),
            baseUrl,
            statements: pathFor(statementsPath, statedComponent),
            mediaType: statementMediaType,
            length: statementMediaType.length,
          }),
    attestation:
      repository === undefined
        ? ''
        : text('verify-build', {
            repository,
            workflow: site.workflow ?? vendoredWorkflow,
          }),
  });
}

/** `organisation.html`: Renovate for many repositories. */
export function renderOrganisationPage(site: SiteContext): string {
  const { baseUrl } = site;

  return renderPage(site, 'organisation', {
    hostRule: renderSnippet(site, 'renovate-host', {}),
    isInternal: isClosed(site),
    organisation: renderSnippet(site, 'renovate-organisation', {}),
    server: renderSnippet(site, 'renovate-server', {}),
    order: [`${baseUrl}/renovate.json`, `${baseUrl}/renovate/own.json`],
  });
}

/** The major version that the steps run. */
export const scanProgram = 'release-index@1';

const pipelines = ['github-actions', 'code-scanning', 'gitlab'];

/** The command that writes a bill of materials in every pipeline. */
const generate =
  'npx --yes @cyclonedx/cyclonedx-npm@6 --package-lock-only --spec-version 1.6 --output-file bom.json';

/** `pipelines.html`: how a pipeline checks the releases that it uses. */
export function renderPipelinesPage(site: SiteContext, values: ExampleValues): string {
  const scan = reading(site, `npx --yes ${scanProgram} scan bom.json --index ${site.baseUrl}`);

  return renderPage(site, 'pipelines', {
    scan: `${generate}\n${scan}\n`,
    pipelines: closed(
      pipelines.map((id) => renderSnippet(site, `pipeline-${id}`, { generate, scan }, id)),
    ),
    curlCommand:
      values['version'] !== undefined &&
      !isStatic(site) &&
      renderText(site.theme, 'scan-of-a-version', {
        ...values,
        curl: curl(site),
        baseUrl: site.baseUrl,
        version: encodeURIComponent(values['version']),
      }),
  });
}

/** Only the first snippet is open: a reader needs one of them. */
function closed(snippets: readonly Snippet[]): object[] {
  return snippets.map((snippet, index) => ({ ...snippet, isLong: index > 0 }));
}
