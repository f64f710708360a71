import { escapeForExpression } from '../../../core/text/expression.ts';

/** The presets of Renovate with its own managers for the comment (lib/config/presets/internal/custom-managers.preset.ts). */
export const commentManagers: readonly string[] = [
  'customManagers:azurePipelinesVersions',
  'customManagers:bitbucketPipelinesVersions',
  'customManagers:dockerfileVersions',
  'customManagers:githubActionsVersions',
  'customManagers:gitlabPipelineVersions',
  'customManagers:makefileVersions',
  'customManagers:mavenPropertyVersions',
  'customManagers:tfvarsVersions',
];

/** Further files with versions, as Renovate patterns. None of the managers reads them: a comment must not be found twice. */
const otherFiles = [
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
  // Not in `.github` or another hidden folder, and no file of pipelines or actions: the managers read those.
  '{,!(.*)/**/}{k8s,kubernetes,deploy,manifests}/**/!(action|*-pipelines|*.gitlab-ci).{yml,yaml}',
  '**/Jenkinsfile*',
];

/** The comment that names the component of the version below it, without the characters that begin a comment. */
export function writeComment(datasource: string, component: string): string {
  return `renovate: datasource=${datasource} depName=${component}`;
}

/**
 * Reads the comment in the further files. The version is on the next line, after a space, an equals sign, a colon, `:-` or a quote, and
 * begins with a digit or with v and a digit. The pattern matches only this datasource, leaving other comments to other managers.
 */
export function createCommentManager(datasource: string) {
  const options = ['packageName', 'versioning', 'extractVersion'].map(
    (name) => `(?: ${name}=(?<${name}>[^\\s"]+))?`,
  );
  const named = `(?<datasource>${escapeForExpression(datasource)})`;
  const comment = writeComment(named, '(?<depName>[^\\s"]+)') + options.join('');
  // No `@sha`, which begins the digest of an image. RE2 has no lookahead.
  const withoutDigest = '(?:[^\\n@]|@(?:[^\\ns]|s(?:[^\\nh]|h[^\\na])))*?';
  const beforeVersion = `[^\\n]*\\n${withoutDigest}(?:[ \\t=:"']|:-)`;
  const version = '(?<currentValue>v?\\d[\\w.+~!-]*)';
  const afterVersion = `(?:["'\\s,;}#]|$)`;
  return {
    customType: 'regex',
    managerFilePatterns: otherFiles,
    matchStrings: [comment + beforeVersion + version + afterVersion],
  };
}
