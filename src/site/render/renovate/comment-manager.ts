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

/** The folders of YAML files without those at the root in which Renovate reads every such file: of workflows, actions and Azure's pipelines. */
const otherFolders =
  '{,!(.github|.gitea|.forgejo|.azuredevops|workflow-templates)/**/,.{github,gitea,forgejo}/{,!(workflows|actions|workflow-templates)/**/}}';

/** Further files with versions, as Renovate patterns. They leave out what those managers read in its usual place: a comment must not be found twice. */
const otherFiles = [
  '**/*.sh',
  `${otherFolders}{docker-,}compose*.{yml,yaml}`,
  '**/.env*',
  `${otherFolders}values*.{yml,yaml}`,
  `${otherFolders}Chart.{yml,yaml}`,
  '**/*.versions.toml',
  '**/gradle.properties',
  '**/package.json',
  '**/*.{tf,tofu}',
  '**/.tool-versions',
  '**/{.,}mise*.toml',
  '**/*.gradle{,.kts}',
  `${otherFolders}kustomization.{yml,yaml}`,
  // The managers read actions and pipelines in any folder.
  `${otherFolders}{k8s,kubernetes,deploy,manifests}/**/!(action|*-pipelines|*.gitlab-ci).{yml,yaml}`,
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
