import { escapeForExpression } from '../../core/expression.ts';

/** A kind of file in which a comment names, for Renovate, the component of the version on the next line. */
export interface Place {
  /** Name of its snippet. */
  readonly id: string;
  /** Renovate's own manager for the comment (lib/config/presets/internal/custom-managers.preset.ts), … */
  readonly manager?: string;
  /** … or else the files that our manager reads, as patterns of Renovate. */
  readonly patterns?: readonly string[];
}

/** Every kind of file with a snippet of its own. */
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

/** Those that most people need. */
export const commonPlaces = places.slice(0, 2);

/** Renovate's managers for files that need no snippet of their own, … */
const furtherManagers = ['azurePipelinesVersions', 'bitbucketPipelinesVersions', 'tfvarsVersions'];

/** … and files that ours reads as well. */
const furtherPatterns = [
  '**/*.gradle{,.kts}',
  '**/kustomization.{yml,yaml}',
  '**/{k8s,kubernetes,deploy,manifests}/**/*.{yml,yaml}',
  '**/Jenkinsfile*',
];

/** Renovate's own managers for the comment. */
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
 * Reads the comment in all other places. The version begins with a digit on the next line, behind a space, an equals sign,
 * a colon or a quote. The pattern matches this datasource alone, so that the managers of others keep their comments. It has
 * no lookahead, because RE2 has none. A line with the digest of an image does not match.
 */
export function ownManager(datasource: string) {
  const option = (name: string) => `(?: ${name}=(?<${name}>[^\\s"]+))?`;
  const comment =
    commentFor(datasource, '[^\\s"]+') + ['packageName', 'versioning', 'extractVersion'].map(option).join('');
  return {
    customType: 'regex',
    managerFilePatterns: ownPatterns,
    matchStrings: [`${comment}[^\\n]*\\n[^\\n@]*?(?:[ \\t=:"']|:-)${version}(?:["'\\s,;}#]|$)`],
  };
}

/** The image of a component, by its names in the index and in a registry. */
export interface Image {
  readonly components: readonly string[];
  readonly addresses: readonly string[];
}

/**
 * Reads a version with a digest behind it, only in these images: a digest names the bytes of one image. The digest in use is not
 * read, because Renovate warns of every one that it cannot replace by another of the same version. Files are left out in which
 * Renovate finds images by itself.
 */
export function digestManager(datasource: string, images: readonly Image[]) {
  return {
    customType: 'regex',
    managerFilePatterns: ownPatterns.filter((pattern) => !/compose|values|Chart|kustomization/.test(pattern)),
    matchStrings: images.map(({ components, addresses }) => {
      const image = addresses.map(escapeForExpression).join('|');
      const comment = commentFor(datasource, components.join('|'));
      return `${comment}[^\\n]*\\n[^\\n@]*?[\\s"'=](?:${image}):${version}@sha256:[0-9a-f]{64}`;
    }),
    autoReplaceStringTemplate: `{{{replace '[^:]*@sha256:.*' newValue replaceString}}}@{{{newDigest}}}`,
  };
}
