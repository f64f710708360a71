import { escapeForExpression } from '../../../core/text/expression.ts';

/**
 * Renovate's presets with managers of its own for the comment, and the files that each of them reads
 * (lib/config/presets/internal/custom-managers.preset.ts). A glob of Renovate ignores the case of letters.
 */
const filesByPreset = {
  azurePipelinesVersions: ['**/.azuredevops/**/*.{yml,yaml}', 'azure*pipeline*.{yml,yaml}'],
  bitbucketPipelinesVersions: ['**/*-pipelines.yml'],
  dockerfileVersions: ['**/{,*.}{docker,container}file*'],
  githubActionsVersions: [
    '**/workflow-templates/**/*.{yml,yaml}',
    '**/.{github,gitea,forgejo}/{workflows,actions}/**/*.{yml,yaml}',
    '**/action.{yml,yaml}',
  ],
  gitlabPipelineVersions: ['**/*.gitlab-ci.{yml,yaml}'],
  makefileVersions: ['**/{,gnu}makefile', '**/*.mk'],
  mavenPropertyVersions: ['**/pom.xml'],
  tfvarsVersions: ['**/*.tfvars'],
};

/** The presets by the names that a configuration extends. */
export const commentManagers = Object.keys(filesByPreset).map((name) => `customManagers:${name}`);

/** The names of further files with versions, in any folder. */
const furtherNames = [
  '*.sh',
  '*.yml',
  '*.yaml',
  '.env*',
  '*.versions.toml',
  'gradle.properties',
  'package.json',
  '*.tf',
  '*.tofu',
  '.tool-versions',
  'mise*.toml',
  '.mise*.toml',
  '*.gradle',
  '*.gradle.kts',
  'Jenkinsfile*',
];

/** Files with any other name. */
const otherFiles = `**/!(${furtherNames.join('|')})`;

/**
 * Matches the further files except those that a preset reads, so that no comment is found twice. Patterns of a manager only add
 * files. One pattern therefore lists all files that are not for this manager, and the `!` before it matches the rest.
 */
const filePattern = `!{${[...Object.values(filesByPreset).flat(), otherFiles].join(',')}}`;

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
    managerFilePatterns: [filePattern],
    matchStrings: [comment + beforeVersion + version + afterVersion],
  };
}
