/** A place in a repository where a comment says of which component the version on the next line is. */
export interface Place {
  readonly id: string;
  readonly title: string;
  /** Path of a file of that kind. */
  readonly file: string;
  /** What Renovate's own manager for the comment is called (lib/config/presets/internal/custom-managers.preset.ts), … */
  readonly manager?: string;
  /** … or else the files that ours reads, as patterns of Renovate. */
  readonly patterns?: readonly string[];
  /** What is not seen in the sample. */
  readonly note?: string;
  /** What most people need; all others are shown closed. */
  readonly isCommon?: true;
  /** Of the file, with `{…}` for what depends on the component. */
  readonly sample: string;
}

/** Every kind of file with a snippet of its own, those of most people first. */
export const places: readonly Place[] = [
  {
    id: 'dockerfile',
    title: 'Docker',
    file: 'Dockerfile',
    manager: 'dockerfileVersions',
    note: 'An ARG or ENV whose name ends in _VERSION.',
    isCommon: true,
    sample: `{comment}
ARG {VARIABLE}={version}
`,
  },
  {
    id: 'workflow',
    title: 'GitHub Actions',
    file: '.github/workflows/build.yml',
    manager: 'githubActionsVersions',
    note: 'The quotes keep 2026.10 from being read as 2026.1. It is the same in pipelines of Azure and Bitbucket.',
    isCommon: true,
    sample: `env:
  {comment}
  {VARIABLE}: "{version}"
`,
  },
  {
    id: 'gitlab',
    title: 'GitLab CI',
    file: '.gitlab-ci.yml',
    manager: 'gitlabPipelineVersions',
    sample: `variables:
  {comment}
  {VARIABLE}: "{version}"
`,
  },
  {
    id: 'makefile',
    title: 'Make',
    file: 'Makefile',
    manager: 'makefileVersions',
    note: 'Any assignment will do: =, := or ?=.',
    sample: `{comment}
{VARIABLE} := {version}
`,
  },
  {
    id: 'script',
    title: 'Shell',
    file: 'install.sh',
    patterns: ['**/*.sh'],
    sample: `{comment}
{VARIABLE}={version}
`,
  },
  {
    id: 'compose',
    title: 'Compose',
    file: 'compose.yaml',
    patterns: ['**/{docker-,}compose*.{yml,yaml}', '**/.env*'],
    note: 'The same comment works in a file .env beside it.',
    sample: `services:
  {name}:
    build:
      args:
        {comment}
        {VARIABLE}: "{version}"
`,
  },
  {
    id: 'helm-values',
    title: 'Helm values',
    file: 'values.yaml',
    patterns: ['**/values*.{yml,yaml}'],
    note: 'Any key will do. Where repository and tag of an image stand together, Renovate reads them by itself as well, without this index.',
    sample: `{name}:
  {comment}
  version: "{version}"
`,
  },
  {
    id: 'helm-chart',
    title: 'Helm chart',
    file: 'Chart.yaml',
    patterns: ['**/Chart.{yml,yaml}'],
    sample: `{comment}
appVersion: "{version}"
`,
  },
  {
    id: 'version-catalog',
    title: 'Gradle version catalog',
    file: 'gradle/libs.versions.toml',
    patterns: ['**/*.versions.toml'],
    sample: `[versions]
{comment}
{name} = "{version}"
`,
  },
  {
    id: 'gradle-properties',
    title: 'Gradle properties',
    file: 'gradle.properties',
    patterns: ['**/gradle.properties'],
    sample: `{comment}
{variableInCamelCase}={version}
`,
  },
  {
    id: 'maven-property',
    title: 'Maven property',
    file: 'pom.xml',
    manager: 'mavenPropertyVersions',
    note: 'A property whose name ends in .version.',
    sample: `<properties>
  <!-- {what} -->
  <{identifier}.version>{version}</{identifier}.version>
</properties>
`,
  },
  {
    id: 'package-json',
    title: 'npm',
    file: 'package.json',
    patterns: ['**/package.json'],
    note: 'JSON knows no comments, but npm leaves the key "//" alone. Scripts read the version as $npm_package_config_{variable}.',
    sample: `{
  "config": {
    "//": "{what}",
    "{variable}": "{version}"
  }
}
`,
  },
  {
    id: 'terraform',
    title: 'Terraform',
    file: 'variables.tf',
    patterns: ['**/*.{tf,tofu}'],
    note: 'In a file .tfvars, the name of the variable has to end in _version.',
    sample: `variable "{variable}" {
  {comment}
  default = "{version}"
}
`,
  },
  {
    id: 'tool-versions',
    title: 'asdf and mise',
    file: '.tool-versions',
    patterns: ['**/.tool-versions', '**/{.,}mise*.toml'],
    note: 'The same comment works in mise.toml.',
    sample: `{comment}
{name} {version}
`,
  },
];

/** Where only Renovate's own manager reads the comment, and no snippet of its own is needed. */
const furtherManagers = ['azurePipelinesVersions', 'bitbucketPipelinesVersions', 'tfvarsVersions'];

/** Renovate's own managers for the comment. */
export const commentManagers: readonly string[] = [
  ...places.flatMap(({ manager }) => manager ?? []),
  ...furtherManagers,
]
  .sort()
  .map((name) => `customManagers:${name}`);

/** The part of the comment that says what the version is of. */
export function commentOn(datasource: string, component: string): string {
  return `renovate: datasource=${datasource} depName=${component}`;
}

/** What Renovate is told where it has no manager of its own. */
interface CustomManager {
  customType: 'regex';
  managerFilePatterns: readonly string[];
  matchStrings: readonly string[];
}

/**
 * Reads the comment in all other places: the version is what begins with a digit on the next line, behind a space, an equals
 * sign, a colon or a quote. It looks for this datasource alone, so that it takes nothing from the managers of others.
 * RE2 reads it, which knows no lookahead. A line with an image's digest is left alone.
 */
export function ownManager(datasource: string): CustomManager {
  const option = (name: string) => `(?: ${name}=(?<${name}>[^\\s"]+))?`;
  const comment =
    `renovate: datasource=(?<datasource>${datasource.replaceAll('.', '\\.')}) depName=(?<depName>[^\\s"]+)` +
    ['packageName', 'versioning', 'extractVersion'].map(option).join('');
  return {
    customType: 'regex',
    managerFilePatterns: places.flatMap(({ patterns }) => patterns ?? []),
    matchStrings: [
      `${comment}[^\\n]*\\n[^\\n@]*?(?:[ \\t=:"']|:-)(?<currentValue>v?\\d[\\w.+~!-]*)(?:["'\\s,;}#]|$)`,
    ],
  };
}
