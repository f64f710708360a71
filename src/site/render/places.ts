import { escapeForExpression } from '../../core/expression.ts';

/** A kind of file where a comment for Renovate names the component of the version on the next line. */
export interface Place {
  /** Name of its snippet. */
  readonly id: string;
  /** Renovate's own manager for the comment (lib/config/presets/internal/custom-managers.preset.ts). */
  readonly manager?: string;
  /** Without such a manager: the files for the manager of this index, as Renovate patterns. */
  readonly patterns?: readonly string[];
}

/** Every kind of file with a snippet. */
export const places: readonly Place[] = [
  { id: 'dockerfile', manager: 'dockerfileVersions' },
  { id: 'workflow', manager: 'githubActionsVersions' },
  { id: 'gitlab', manager: 'gitlabPipelineVersions' },
  { id: 'makefile', manager: 'makefileVersions' },
  { id: 'script', patterns: ['**/*.sh'] },
  { id: 'compose', patterns: ['**/{docker-,}compose*.{yml,yaml}', '**/.env*'] },
  { id: 'helm-values', patterns: ['**/values*.{yml,yaml}'] },
  { id: 'helm-chart', patterns: ['**/Chart.{yml,yaml}'] },
  { id: 'version-catalog', patterns: ['**/*.versions.toml'] },
  { id: 'gradle-properties', patterns: ['**/gradle.properties'] },
  { id: 'maven-property', manager: 'mavenPropertyVersions' },
  { id: 'package-json', patterns: ['**/package.json'] },
  { id: 'terraform', patterns: ['**/*.{tf,tofu}'] },
  { id: 'tool-versions', patterns: ['**/.tool-versions', '**/{.,}mise*.toml'] },
];

/** The most common kinds of file. */
export const commonPlaces = places.slice(0, 2);

/** Renovate's managers for files without a snippet. */
const furtherManagers = ['azurePipelinesVersions', 'bitbucketPipelinesVersions', 'tfvarsVersions'];

/** More files for the manager of this index. */
const furtherPatterns = [
  '**/*.gradle{,.kts}',
  '**/kustomization.{yml,yaml}',
  '**/{k8s,kubernetes,deploy,manifests}/**/*.{yml,yaml}',
  '**/Jenkinsfile*',
];

/** The presets with Renovate's own managers for the comment. */
export const commentManagers: readonly string[] = [
  ...places.flatMap(({ manager }) => manager ?? []),
  ...furtherManagers,
]
  .sort()
  .map((name) => `customManagers:${name}`);

/** The comment itself, without the characters that begin a comment. */
export function commentOn(datasource: string, component: string): string {
  return `renovate: datasource=${datasource} depName=${component}`;
}

const ownPatterns = [...places.flatMap(({ patterns }) => patterns ?? []), ...furtherPatterns];

const version = '(?<currentValue>v?\\d[\\w.+~!-]*)';

function commentFor(datasource: string, component: string): string {
  return `renovate: datasource=(?<datasource>${escapeForExpression(datasource)}) depName=(?<depName>${component})`;
}

/**
 * Reads the comment in all other kinds of file. The version begins with a digit on the next line, after a space, an equals
 * sign, a colon or a quote. The pattern matches only this datasource, leaving other comments to other managers. It uses no
 * lookahead, because RE2 has none. It does not match a line with the digest of an image.
 */
export function ownManager(datasource: string) {
  const option = (name: string) => `(?: ${name}=(?<${name}>[^\\s"]+))?`;
  const comment =
    commentFor(datasource, '[^\\s"]+') +
    ['packageName', 'versioning', 'extractVersion'].map(option).join('');
  return {
    customType: 'regex',
    managerFilePatterns: ownPatterns,
    matchStrings: [`${comment}[^\\n]*\\n[^\\n@]*?(?:[ \\t=:"']|:-)${version}(?:["'\\s,;}#]|$)`],
  };
}

/** The image of a component, with its names in the index and in registries. */
export interface Image {
  readonly components: readonly string[];
  readonly addresses: readonly string[];
}

/**
 * Reads a version followed by a digest, only for these images: a digest identifies the bytes of one image. Does not capture the
 * present digest, because Renovate warns about each digest that it cannot replace within the same version. Omits files where
 * Renovate finds images by itself.
 */
export function digestManager(datasource: string, images: readonly Image[]) {
  return {
    customType: 'regex',
    managerFilePatterns: ownPatterns.filter(
      (pattern) => !/compose|values|Chart|kustomization/.test(pattern),
    ),
    matchStrings: images.map(({ components, addresses }) => {
      const image = addresses.map(escapeForExpression).join('|');
      const comment = commentFor(datasource, components.join('|'));
      return `${comment}[^\\n]*\\n[^\\n@]*?[\\s"'=](?:${image}):${version}@sha256:[0-9a-f]{64}`;
    }),
    autoReplaceStringTemplate: `{{{replace '[^:]*@sha256:.*' newValue replaceString}}}@{{{newDigest}}}`,
  };
}
