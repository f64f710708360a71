import { z } from 'zod';
import { documented } from './documented.ts';
import { HttpsUrl, UpstreamUrl } from './links.ts';
import { Line, RecordedTimestamp, VersionText } from './scalars.ts';
import {
  common,
  datasourceName,
  packageName,
  packageSource,
  regularExpression,
  Transform,
} from './source-fields.ts';

const github = { default: "GitHub's API", example: 'https://ghe.example.com/api/v3/' };
const repository = /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/;

const gitlab = { default: 'gitlab.com', example: 'https://gitlab.example.com/' };
const project = /^\w[\w.-]*(?:\/\w[\w.-]*)+$/;

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
const GitTagsSource = z.strictObject({
  datasource: datasourceName('git-tags'),
  packageName: documented(
    UpstreamUrl.refine((text) => !/[?#]/.test(text), { error: 'expected an address without ? and #' }),
    'Address of the repository, as it is cloned over https.',
    'https://git.example.com/owner/repo.git',
  ),
  ...common,
});
const JsonSource = z.strictObject({
  datasource: datasourceName('json'),
  url: documented(UpstreamUrl, 'Address of the document.', 'https://api.example.com/releases'),
  transform: documented(
    Transform,
    "What makes releases of the document: an expression of JSONata, as Renovate's custom datasources have it. It gives an array, or an object with releases, of objects with version, perhaps releaseTimestamp, changelogUrl, isDeprecated, isStable and digest.",
    '{"releases": items.{"version": tag, "releaseTimestamp": date}}',
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
  packageSource('gitlab-releases', project, 'group/project', gitlab),
  packageSource('gitlab-tags', project, 'group/project', gitlab),
  GitTagsSource,
  packageSource('nuget', /^\w[\w.-]*$/, 'Example.Package', {
    default: 'nuget.org',
    example: 'https://api.nuget.org/v3/index.json',
  }),
  packageSource('crate', /^[A-Za-z][\w-]*$/, 'crate', {
    default: 'the index of crates.io',
    example: 'https://index.crates.io/',
  }),
  packageSource('rubygems', /^[A-Za-z0-9][\w.-]*$/, 'gem', {
    default: 'rubygems.org',
    example: 'https://rubygems.org/',
  }),
  packageSource('go', /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\w~-][\w.~-]*)*$/, 'github.com/owner/module/v2', {
    default: 'proxy.golang.org',
    example: 'https://proxy.golang.org/',
  }),
  JsonSource,
  PageSource,
  StaticSource,
]);
export type Source = z.infer<typeof Source>;
export type Datasource = Source['datasource'];
export type SourceOf<D extends Datasource> = Extract<Source, { datasource: D }>;
