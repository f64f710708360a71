import { z } from 'zod';
import { compileExpression, ExpressionError } from '../expression.ts';
import { parseVersionRange } from '../version-range.ts';
import { documented } from './documented.ts';
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
  });

/** A regular expression that RE2 compiles and that has the named groups it needs. */
function regularExpression(...groups: string[]) {
  return z
    .string()
    .min(1)
    .max(1000)
    .superRefine((text, context) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', message });
      try {
        const { groupNames } = compileExpression(text);
        for (const group of groups) {
          if (!groupNames.includes(group)) refuse(`expected a named group (?<${group}>…)`);
        }
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        refuse(error.message);
      }
    });
}

const common = {
  extractVersion: documented(
    regularExpression('version').optional(),
    'Takes the version out of what upstream lists: a regular expression with the group version. What it does not match is left out.',
    '^v(?<version>.+)$',
  ),
  allowedVersions: documented(
    AllowedVersions.optional(),
    'Which versions are taken: /regex/, !/regex/ or a semver range, in which 2025.3 counts as 2025.3.0. The others are left out of the site, also if they are recorded.',
    '/^\\d/',
    '>=1.2.0',
  ),
};

function datasourceName<D extends string>(name: D) {
  return documented(z.literal(name), 'Where the releases are read.', name);
}

function packageName(pattern: RegExp, example: string) {
  const name = z
    .string()
    .max(300)
    .regex(pattern, { error: `expected a name such as ${example}` });
  return documented(name, 'What upstream calls the package.', example);
}

/** A package of a registry, which has a default. */
function packageSource<D extends string>(
  datasource: D,
  pattern: RegExp,
  example: string,
  registry: { default: string; example: string },
) {
  return z.strictObject({
    datasource: datasourceName(datasource),
    packageName: packageName(pattern, example),
    registryUrl: documented(
      UpstreamUrl.optional(),
      `Address of the registry; ${registry.default} where absent.`,
      registry.example,
    ),
    ...common,
  });
}

const github = { default: "GitHub's API", example: 'https://ghe.example.com/api/v3/' };
const repository = /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/;

const HelmSource = z.strictObject({
  datasource: datasourceName('helm'),
  packageName: packageName(/^[A-Za-z0-9][\w.-]*$/, 'chart'),
  registryUrl: documented(
    UpstreamUrl,
    'Address of the repository, without index.yaml.',
    'https://charts.example.com',
  ),
  field: documented(
    z.enum(['version', 'appVersion']).optional(),
    'Which version of an entry is taken: that of the chart, or of the application in it. That of the chart where absent.',
    'appVersion',
  ),
  ...common,
});
const PageSource = z.strictObject({
  datasource: datasourceName('page'),
  url: documented(UpstreamUrl, 'Address of the page.', 'https://example.com/downloads/'),
  matchStrings: documented(
    z.array(regularExpression('version')).min(1),
    'Regular expressions that find the releases in the text of the page, with the group version and perhaps releaseTimestamp (25th March 2026, 2026-03-25).',
    ['Version (?<version>[\\d.]+) \\((?<releaseTimestamp>[^)]+)\\)'],
  ),
  ...common,
});
const StaticSource = z.strictObject({
  datasource: datasourceName('static'),
  releases: documented(
    z.array(
      z.strictObject({
        version: documented(VersionText, 'The version, exactly as the artifact is published.', '2025.3.1'),
        releaseTimestamp: documented(
          RecordedTimestamp.optional(),
          'When it was released: a day, or an instant in UTC.',
          '2026-06-30',
          '2026-06-30T09:30:00Z',
        ),
        changelogUrl: documented(
          HttpsUrl.optional(),
          'Where this release is described.',
          'https://example.com/changes#2025.3.1',
        ),
        deprecated: documented(Line.optional(), 'Why one should move off it.', 'Use 2025.3.2.'),
      }),
    ),
    'The releases themselves, which no upstream states.',
    [{ version: '2025.3.1', releaseTimestamp: '2026-06-30' }],
  ),
  ...common,
});

/** Where a component's releases are read. */
export const Source = z.discriminatedUnion('datasource', [
  packageSource('npm', /^(?:@[a-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*$/, '@scope/package', {
    default: "that of npm's own configuration",
    example: 'https://npm.example.com/',
  }),
  packageSource('maven', /^[\w.-]+:[\w.-]+$/, 'group:artifact', {
    default: 'Maven Central',
    example: 'https://repo.maven.apache.org/maven2/',
  }),
  packageSource('pypi', /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/, 'project', {
    default: 'PyPI',
    example: 'https://pypi.org/pypi/',
  }),
  packageSource(
    'docker',
    /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/,
    'owner/image',
    { default: 'Docker Hub', example: 'https://ghcr.io' },
  ),
  HelmSource,
  packageSource('github-releases', repository, 'owner/repo', github),
  packageSource('github-tags', repository, 'owner/repo', github),
  PageSource,
  StaticSource,
]);
export type Source = z.infer<typeof Source>;
export type Datasource = Source['datasource'];
export type SourceOf<D extends Datasource> = Extract<Source, { datasource: D }>;
