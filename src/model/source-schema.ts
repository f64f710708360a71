import { z } from 'zod';
import { parseVersionRange } from '../version-range.ts';
import { HttpsUrl, UpstreamUrl } from './links.ts';
import { Line, RecordedTimestamp, VersionText } from './scalars.ts';

/** As Renovate's (lib/util/string-match.ts): the one flag that it knows is `i`. */
export const allowedVersionsPattern = /^(!?)\/(.*)\/(i?)$/;

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
    } else if (!parseVersionRange(text)) {
      context.addIssue({
        code: 'custom',
        message: 'expected /regex/, !/regex/ or a semver range such as ">=1.2.0 <2.0.0"',
      });
    }
  })
  .meta({ description: 'Which versions are taken: /regex/, !/regex/ or a semver range.' });

/** A regular expression that compiles and, if named, has the groups it needs. */
function regularExpression(...groups: string[]) {
  return z
    .string()
    .min(1)
    .max(1000)
    .superRefine((text, context) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', message });
      try {
        new RegExp(text, 'gm');
      } catch (error) {
        return refuse(`expected a regular expression (${(error as Error).message})`);
      }
      for (const group of groups) {
        if (!text.includes(`(?<${group}>`)) refuse(`expected a named group (?<${group}>…)`);
      }
    });
}

const common = {
  extractVersion: regularExpression('version').optional().meta({
    description: 'Takes the version out of what upstream lists: a regular expression with the group version.',
  }),
  allowedVersions: AllowedVersions.optional(),
};

function packageName(pattern: RegExp, example: string) {
  return z
    .string()
    .max(300)
    .regex(pattern, { error: `expected a name such as ${example}` });
}

/** A package of a registry, which has a default. */
function packageSource<D extends string>(datasource: D, pattern: RegExp, example: string) {
  return z.strictObject({
    datasource: z.literal(datasource),
    packageName: packageName(pattern, example),
    registryUrl: UpstreamUrl.optional(),
    ...common,
  });
}

const repository = /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/;

const HelmSource = z.strictObject({
  datasource: z.literal('helm'),
  packageName: packageName(/^[A-Za-z0-9][\w.-]*$/, 'chart'),
  registryUrl: UpstreamUrl,
  field: z.enum(['version', 'appVersion']).optional(),
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
  packageSource('npm', /^(?:@[a-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*$/, '@scope/package'),
  packageSource('maven', /^[\w.-]+:[\w.-]+$/, 'group:artifact'),
  packageSource('pypi', /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/, 'project'),
  packageSource(
    'docker',
    /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/,
    'owner/image',
  ),
  HelmSource,
  packageSource('github-releases', repository, 'owner/repo'),
  packageSource('github-tags', repository, 'owner/repo'),
  PageSource,
  StaticSource,
]);
export type Source = z.infer<typeof Source>;
export type Datasource = Source['datasource'];
export type SourceOf<D extends Datasource> = Extract<Source, { datasource: D }>;
