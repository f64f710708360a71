import semver from 'semver';
import { z } from 'zod';
import { HttpsUrl, UpstreamUrl } from './links.ts';
import { regularExpression } from './regular-expression.ts';
import { Line, RecordedTimestamp, VersionText } from './scalars.ts';

const registryUrl = UpstreamUrl.optional();

/** `/regex/`, `!/regex/` or a semver range, as Renovate's `allowedVersions`. */
export const AllowedVersions = z
  .string()
  .min(1)
  .max(1000)
  .superRefine((text, context) => {
    const pattern = allowedVersionsPattern.exec(text);
    if (pattern) {
      const check = regularExpression().safeParse(pattern[2]);
      if (!check.success) context.addIssue({ code: 'custom', message: check.error.issues[0]!.message });
    } else if (semver.validRange(text, { loose: true }) === null) {
      context.addIssue({ code: 'custom', message: 'expected /regex/, !/regex/ or a semver range' });
    }
  })
  .meta({ description: 'Which versions are taken: /regex/, !/regex/ or a semver range.' });

/** As Renovate's (lib/util/string-match.ts): the one flag that it knows is `i`. */
export const allowedVersionsPattern = /^(!?)\/(.*)\/(i?)$/;

const common = {
  extractVersion: regularExpression('version').optional().meta({
    description: 'Takes the version out of what upstream lists: a regular expression with the group version.',
  }),
  allowedVersions: AllowedVersions.optional(),
};

const packageNames = {
  npm: /^(?:@[a-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*$/,
  maven: /^[\w.-]+:[\w.-]+$/,
  pypi: /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/,
  docker: /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/,
  helm: /^[A-Za-z0-9][\w.-]*$/,
  github: /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/,
};

function packageName(pattern: RegExp, example: string) {
  return z
    .string()
    .max(300)
    .regex(pattern, { error: `expected a name such as ${example}` });
}

const NpmSource = z.strictObject({
  datasource: z.literal('npm'),
  packageName: packageName(packageNames.npm, '@scope/package'),
  registryUrl,
  ...common,
});
const MavenSource = z.strictObject({
  datasource: z.literal('maven'),
  packageName: packageName(packageNames.maven, 'group:artifact'),
  registryUrl,
  ...common,
});
const PypiSource = z.strictObject({
  datasource: z.literal('pypi'),
  packageName: packageName(packageNames.pypi, 'project'),
  registryUrl,
  ...common,
});
const DockerSource = z.strictObject({
  datasource: z.literal('docker'),
  packageName: packageName(packageNames.docker, 'owner/image'),
  registryUrl,
  ...common,
});
const HelmSource = z.strictObject({
  datasource: z.literal('helm'),
  packageName: packageName(packageNames.helm, 'chart'),
  registryUrl: UpstreamUrl,
  field: z.enum(['version', 'appVersion']).optional(),
  ...common,
});
const GithubReleasesSource = z.strictObject({
  datasource: z.literal('github-releases'),
  packageName: packageName(packageNames.github, 'owner/repo'),
  registryUrl,
  ...common,
});
const GithubTagsSource = z.strictObject({
  datasource: z.literal('github-tags'),
  packageName: packageName(packageNames.github, 'owner/repo'),
  registryUrl,
  ...common,
});
const PageSource = z.strictObject({
  datasource: z.literal('page'),
  url: UpstreamUrl,
  matchStrings: z.array(regularExpression('version')).min(1),
  ...common,
});
const StaticSource = z.strictObject({
  datasource: z.literal('static'),
  releases: z.array(
    z.strictObject({
      version: VersionText,
      releaseTimestamp: RecordedTimestamp.optional(),
      changelogUrl: HttpsUrl.optional(),
      deprecated: Line.optional(),
    }),
  ),
  ...common,
});

/** Where a component's releases are read. */
export const Source = z.discriminatedUnion('datasource', [
  NpmSource,
  MavenSource,
  PypiSource,
  DockerSource,
  HelmSource,
  GithubReleasesSource,
  GithubTagsSource,
  PageSource,
  StaticSource,
]);
export type Source = z.infer<typeof Source>;
export type Datasource = Source['datasource'];
export type SourceOf<D extends Datasource> = Extract<Source, { datasource: D }>;

/**
 * The names of a definition's sources in recorded data, for instance `maven:com.example:agent`. Where two would have one
 * name, as a package that is read from two registries, the later one is told apart by its registry, then by a number.
 */
export function sourceIds(sources: readonly Source[]): string[] {
  const ids = new Set<string>();
  for (const source of sources) {
    const name = sourceId(source);
    const registry = 'registryUrl' in source ? source.registryUrl : undefined;
    const candidates = [name, ...(registry === undefined ? [] : [`${name} at ${registry}`])];
    let id = candidates.find((candidate) => !ids.has(candidate));
    for (let count = 2; id === undefined; count += 1) {
      const numbered = `${candidates.at(-1)} (${count})`;
      if (!ids.has(numbered)) id = numbered;
    }
    ids.add(id);
  }
  return [...ids];
}

/** The name of a source by itself; `sourceIds` where a definition has several. */
export function sourceId(source: Source): string {
  switch (source.datasource) {
    case 'page':
      return `page:${source.url}`;
    case 'static':
      return 'static';
    default:
      return `${source.datasource}:${source.packageName}`;
  }
}
