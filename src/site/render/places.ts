import { escapeForExpression } from '../../core/expression.ts';

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
const ownPatterns: readonly string[] = [
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
export function commentOn(datasource: string, component: string): string {
  return `renovate: datasource=${datasource} depName=${component}`;
}

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
