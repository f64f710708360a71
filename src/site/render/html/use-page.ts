import { tokenPath } from '../../../ask/server/access/protected-paths.ts';
import { programPackage } from '../../../ask/server/mcp/connection.ts';
import { findGithubRepository } from '../../../core/schemas/definition/site-config.ts';
import type { ComponentSummary } from '../../../decide/component-summary.ts';
import { vendoredWorkflow } from '../../../io/program.ts';
import { renderSnippet, renderSiteSnippets } from '../renovate/snippets.ts';
import { isClosed, writeCurl, writeReadingCommand, type SiteContext } from '../site-context.ts';
import { renderPage, renderText } from './templates.ts';

/** The command that writes a bill of materials in every pipeline. */
const generate =
  'npx --yes @cyclonedx/cyclonedx-npm@6 --package-lock-only --spec-version 1.6 --output-file bom.json';

/** `use.html`: how to use the index. It publishes the issuers of a private index, but no users. */
export function renderUsePage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const { baseUrl } = site;
  const commands = {
    generate,
    scan: writeReadingCommand(site, `npx --yes ${programPackage} scan bom.json --index ${baseUrl}`),
  };
  const pipelines = ['shell', 'github-actions', 'gitlab'].map((system) =>
    renderSnippet(site, `pipeline-${system}`, commands, system),
  );

  return renderPage(site, 'use', {
    renovate: renderSiteSnippets(site, summaries),
    organisation: renderSnippet(site, 'renovate-organisation'),
    server: renderSnippet(site, 'renovate-server'),
    hostRule: renderSnippet(site, 'renovate-host'),
    copy: `${writeCurl(site)} -f ${baseUrl}/renovate.json -o release-index.json\n`,
    pipelines,
    mise: summaries.find(isMiseExample)?.name,
    origin: createOriginView(site),
    access: createAccessView(site),
  });
}

/** Whether the example for mise may name it. mise reads an empty file as a version, so the latest line must be supported. */
function isMiseExample({ latest, lines }: ComponentSummary): boolean {
  return lines.some(({ name, isSupported }) => isSupported && name === latest?.line);
}

/** The commands that check files and their origin. */
function createOriginView(site: SiteContext) {
  const { baseUrl, config, hasPastStatements = false, theme, workflow = vendoredWorkflow } = site;
  const publicKey = hasPastStatements ? undefined : config.signingPublicKey;
  const proof = publicKey === undefined ? '--digests-only' : `--key ${publicKey}`;
  const verify = `npx --yes ${programPackage} verify ${baseUrl} ${proof}`;
  const fetch = `${writeCurl(site)} -fO ${baseUrl}`;
  const repository = findGithubRepository(config.repositoryUrl);

  return {
    publicKey,
    isSignedOnce: hasPastStatements,
    verify: `${writeReadingCommand(site, verify)}\n`,
    verifyFiles: renderText(theme, 'verify-files', { fetch, publicKey }),
    attestation: repository && renderText(theme, 'verify-build', { fetch, repository, workflow }),
  };
}

/** The credentials that the index accepts, and the commands that send one. */
function createAccessView(site: SiteContext) {
  const { access, baseUrl } = site;
  const hasKeys = access?.accessKeys.enabled ?? false;
  const permission = isClosed(site) ? 'read' : 'mcp';
  const tokenUrl = `${baseUrl}${tokenPath}?permissions=${permission}&expiresInHours=1`;

  return {
    hasKeys,
    issuers: access?.externalOauth.issuers ?? [],
    script: `${writeCurl(site)} -f ${baseUrl}/index.json\n`,
    token: `curl -f -X POST -H "Authorization: Bearer $RELEASE_INDEX_KEY" '${tokenUrl}'\n`,
  };
}
