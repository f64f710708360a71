import type { ComponentSummary } from '../../../decide/component.ts';
import { vendoredWorkflow } from '../../../io/program.ts';
import { writeCurl, isClosed, writeReadingCommand } from '../addresses.ts';
import { renderSnippet, renderSiteSnippets, type Snippet } from '../renovate/snippets.ts';
import type { SiteContext } from '../site-context.ts';
import { renderPage, renderText } from './templates.ts';

/** The major version that the steps run. */
export const scanProgram = 'release-index@1';

/** The command that writes a bill of materials in every pipeline. */
const generate =
  'npx --yes @cyclonedx/cyclonedx-npm@6 --package-lock-only --spec-version 1.6 --output-file bom.json';

/** `use.html`: how to use the index. It names no user of a private one. */
export function renderUsePage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const { baseUrl } = site;
  const commands = {
    generate,
    scan: writeReadingCommand(site, `npx --yes ${scanProgram} scan bom.json --index ${baseUrl}`),
  };

  return renderPage(site, 'use', {
    renovate: closeAfterFirst(renderSiteSnippets(site, summaries)),
    organisation: renderSnippet(site, 'renovate-organisation', {}),
    server: renderSnippet(site, 'renovate-server', {}),
    copy: `${writeCurl(site)} -f ${baseUrl}/renovate.json -o release-index.json\n`,
    pipelines: closeAfterFirst(
      ['shell', 'github-actions', 'gitlab'].map((system) =>
        renderSnippet(site, `pipeline-${system}`, commands, system),
      ),
    ),
    mise: summaries.find(hasSupportedVersion)?.name ?? '',
    ...createOriginView(site),
    ...createAccessView(site),
  });
}

/** mise reads an empty list as a version. */
function hasSupportedVersion({ latest, lines }: ComponentSummary): boolean {
  return lines.some(({ name, isSupported }) => isSupported && name === latest?.line);
}

/** The commands that check files and their origin. */
function createOriginView(site: SiteContext): object {
  const { baseUrl, config, isSignedOnce = false } = site;
  const { repositoryUrl } = config;
  const publicKey = isSignedOnce ? undefined : config.signingPublicKey;
  const proof = publicKey === undefined ? '--digests-only' : `--key ${publicKey}`;
  const fetch = `${writeCurl(site)} -fO ${baseUrl}`;
  const repository = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git|\/)?$/.exec(
    repositoryUrl,
  )?.[1];

  return {
    publicKey: publicKey ?? '',
    isSignedOnce,
    verify: `${writeReadingCommand(site, `npx --yes ${scanProgram} verify ${baseUrl} ${proof}`)}\n`,
    verifyFiles: renderText(site.theme, 'verify-files', { fetch, publicKey: publicKey ?? '' }),
    attestation:
      repository === undefined
        ? ''
        : renderText(site.theme, 'verify-build', {
            fetch,
            repository,
            workflow: site.workflow ?? vendoredWorkflow,
          }),
  };
}

/** The credentials that the index accepts, and the commands that send one. */
function createAccessView(site: SiteContext): object {
  const { access, baseUrl } = site;
  const hasKeys = access?.accessKeys.enabled ?? false;
  const permission = isClosed(site) ? 'read' : 'mcp';
  return {
    hasKeys,
    issuers: access?.externalOauth.issuers ?? [],
    hasFilesByKey: hasKeys && isClosed(site),
    hostRule: renderSnippet(site, 'renovate-host', {}),
    script: `${writeCurl(site)} -f ${baseUrl}/index.json\n`,
    token: `curl -f -X POST -H "Authorization: Bearer $RELEASE_INDEX_KEY" '${baseUrl}/api/auth/token?permissions=${permission}&expiresInHours=1'\n`,
  };
}

/** Only the first snippet is open: a reader needs one of them. */
function closeAfterFirst(snippets: readonly Snippet[]): object[] {
  return snippets.map((snippet, index) => ({ ...snippet, isLong: index > 0 }));
}
