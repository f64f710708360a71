import { escapeForExpression } from '../../../core/text/expression.ts';

/** Kinds of file with a snippet: a comment for Renovate names the component of the version on the next line. */
export const commentedFiles: readonly string[] = ['dockerfile', 'workflow', 'gitlab', 'script'];

/** The most common kinds of file. */
export const commonFiles = commentedFiles.slice(0, 2);

/** Renovate's own managers for the comment (lib/config/presets/internal/custom-managers.preset.ts). */
const managerNames: readonly string[] = [
  'azurePipelinesVersions',
  'bitbucketPipelinesVersions',
  'dockerfileVersions',
  'githubActionsVersions',
  'gitlabPipelineVersions',
  'makefileVersions',
  'mavenPropertyVersions',
  'tfvarsVersions',
];

/** The files for the manager of this index, as Renovate patterns: files without a manager of Renovate for the comment. */
const ownPatterns = [
  '**/*.sh',
  '**/{docker-,}compose*.{yml,yaml}',
  '**/.env*',
  '**/values*.{yml,yaml}',
  '**/Chart.{yml,yaml}',
  '**/*.versions.toml',
  '**/gradle.properties',
  '**/package.json',
  '**/*.{tf,tofu}',
  '**/.tool-versions',
  '**/{.,}mise*.toml',
  '**/*.gradle{,.kts}',
  '**/kustomization.{yml,yaml}',
  '**/{k8s,kubernetes,deploy,manifests}/**/*.{yml,yaml}',
  '**/Jenkinsfile*',
];

/** The presets with Renovate's own managers for the comment. */
export const commentManagers: readonly string[] = managerNames.map(
  (name) => `customManagers:${name}`,
);

/** The comment itself, without the characters that begin a comment. */
export function writeComment(datasource: string, component: string): string {
  return `renovate: datasource=${datasource} depName=${component}`;
}

/**
 * Reads the comment in all other kinds of file. The version is on the next line, after a space, an equals sign, a colon or a
 * quote, and begins with a digit or with v and a digit. The pattern matches only this datasource, leaving other comments to other
 * managers. It uses no lookahead, because RE2 has none. It does not match a line with the digest of an image.
 */
export function createCommentManager(datasource: string) {
  const option = (name: string) => `(?: ${name}=(?<${name}>[^\\s"]+))?`;
  const name = escapeForExpression(datasource);
  const comment =
    `renovate: datasource=(?<datasource>${name}) depName=(?<depName>[^\\s"]+)` +
    ['packageName', 'versioning', 'extractVersion'].map(option).join('');
  const version = '(?<currentValue>v?\\d[\\w.+~!-]*)';
  return {
    customType: 'regex',
    managerFilePatterns: ownPatterns,
    matchStrings: [`${comment}[^\\n]*\\n[^\\n@]*?(?:[ \\t=:"']|:-)${version}(?:["'\\s,;}#]|$)`],
  };
}
