/** Runs Renovate with packages that several components have, each for its own versions. */
import { beforeAll, expect, test } from 'vitest';
import { addDays, today } from '../../src/core/day.ts';
import type { Facts } from '../harness/components.ts';
import { listen } from '../harness/listen.ts';
import { runRenovate, validateConfigs, type Run } from './client.ts';
import { serveSite, type ServedSite } from './site.ts';
import { writePullRequests } from './steps.ts';

const now = today();
const [ended, open] = [addDays(now, -30), addDays(now, 400)];
const released = addDays(now, -90);

const both = (...forms: string[]) =>
  forms.flatMap((form) => ['2.1.0', '2.1.1'].map((version) => form.replace('*', version)));
/** The tags of each image, and of the repository `mono`. */
const tags: Readonly<Record<string, string[]>> = {
  api: both('*', '*-alpine', '*-slim', '*-bookworm'),
  edge: both('v*-jammy', 'v*-noble', 'v*'),
  cache: both('*', '*-slim'),
  web: both('*', '*-alpine', '*-slim'),
  slow: both('*', '*-a'),
  odd: both('*'),
  mono: both('api-v*', 'web/v*'),
};

function ofPackage(datasource: string, packageName: string, registryUrl: string) {
  return (end: string, extractVersion?: string, more: object = {}): Facts => ({
    definition: {
      sources: [
        { datasource, packageName, registryUrl, ...(extractVersion && { extractVersion }) },
      ],
      support: { policy: 'dated', lines: { '2.1': end } },
      ...more,
    },
    releases: { '2.1.0': released, '2.1.1': released },
  });
}

function describeComponents(registry: string): Record<string, Facts> {
  const [api, edge, cache, web, slow, odd] = ['api', 'edge', 'cache', 'web', 'slow', 'odd'].map(
    (name) => ofPackage('docker', `team/${name}`, registry),
  );
  const mono = ofPackage('gitlab-tags', 'team/mono', registry);
  const stops = { requiredStops: { lines: ['2.1'], url: 'https://example.com/stops' } };
  return {
    'team-api': api!(ended),
    'api-alpine': api!(ended, '^(?<version>.+)-alpine$'),
    'api-slim': api!(open, '(?i)^(?P<version>[^/(]+)-SLIM$'),
    // No component has the plain tags.
    'edge-jammy': edge!(ended, '^v(?<version>.+)-jammy$'),
    'edge-noble': edge!(open, '^v(?<version>.+)-noble$'),
    // Both patterns find `2.1.0-slim`.
    'cache-any': cache!(ended, '^v?(?<version>.+)$'),
    'cache-slim': cache!(ended, '^(?<version>.+)-slim$'),
    // Each component has a pattern, and none has the tags with `-slim`.
    'web-plain': web!(ended, String.raw`^(?<version>\d[\d.]*)$`),
    'web-alpine': web!(ended, '^(?<version>.+)-alpine$'),
    // JavaScript might run this pattern for too long.
    'slow-a': slow!(ended, '^(?<version>(?:\\d+\\.?)+)-a$'),
    'slow-b': slow!(ended),
    // Both have all tags, and the same line.
    'odd-a': odd!(ended),
    'odd-b': odd!(open),
    'mono-api': mono!(ended, '^api-v(?<version>.+)$', stops),
    'mono-web': mono!(ended, '^web/v(?<version>.+)$'),
  };
}

/** The component whose notes the pull request for a tag has. Empty if it has no notes. */
const images: [tag: string, component: string, labels: string][] = [
  ['api:2.1.0', 'team-api', 'unsupported'],
  ['api:2.1.0-alpine', 'api-alpine', 'unsupported'],
  ['api:2.1.0-slim', 'api-slim', ''],
  // Only the component for all tags can have this tag.
  ['api:2.1.0-bookworm', 'team-api', 'unsupported'],
  ['edge:v2.1.0-jammy', 'edge-jammy', 'unsupported'],
  ['edge:v2.1.0-noble', 'edge-noble', ''],
  ['edge:v2.1.0', '', ''],
  ['cache:2.1.0', 'cache-any', 'unsupported'],
  ['cache:2.1.0-slim', '', ''],
  ['web:2.1.0', 'web-plain', 'unsupported'],
  ['web:2.1.0-alpine', 'web-alpine', 'unsupported'],
  ['web:2.1.0-slim', '', ''],
  ['slow:2.1.0', 'slow-b', 'unsupported'],
  ['odd:2.1.0', '', ''],
];

let site: ServedSite;
let run: Run;
let bodies: string[];
beforeAll(async () => {
  const registry = await listen((request, response) => {
    const [, name = ''] = /team(?:\/|%2F)(\w+)/.exec(request.url!) ?? [];
    const list = tags[name] ?? [];
    response.setHeader('content-type', 'application/json');
    const document = request.url!.includes('/repository/tags')
      ? list.map((tag) => ({ name: tag, commit: { id: 'a', created_at: `${released}T00:00:00Z` } }))
      : { name: `team/${name}`, tags: list };
    response.end(JSON.stringify(document));
  });
  const { host } = new URL(registry);
  site = await serveSite(describeComponents(registry), now, { plainHttpHosts: ['127.0.0.1'] });
  const read = (file: string, version: string, templates: object) => ({
    ...{ customType: 'regex', managerFilePatterns: [`/^${file}$/`], matchStrings: [version] },
    ...{ depNameTemplate: 'team/mono', datasourceTemplate: 'gitlab-tags' },
    ...{ registryUrlTemplate: registry, ...templates },
  });
  const config = {
    extends: [`${site.origin}/renovate.json`, `${site.origin}/renovate/stops.json`],
    customManagers: [
      // With `extractVersion`, Renovate gives the version without its prefix.
      read('bare', '(?<currentValue>.+)', { extractVersionTemplate: '^api-v(?<version>.+)$' }),
      read('tag', '(?<currentValue>.+)', {
        versioningTemplate:
          'regex:^(?<compatibility>api-v|web/v)(?<major>\\d+)\\.(?<minor>\\d+)\\.(?<patch>\\d+)$',
      }),
    ],
    packageRules: [
      { matchPackageNames: ['*'], additionalBranchPrefix: '{{packageFileDir}}-' },
      { matchFileNames: ['bare', 'tag'], additionalBranchPrefix: '{{packageFile}}-' },
    ],
  };
  const files = {
    'renovate.json': config,
    ...Object.fromEntries(
      images.map(([tag], place) => [`${place}/Dockerfile`, `FROM ${host}/team/${tag}\n`]),
    ),
    bare: '2.1.0',
    tag: 'api-v2.1.0',
  };
  run = await runRenovate(files, site.origin, {
    hostRules: [
      { matchHost: `${site.origin}/`, allowInternal: true },
      { matchHost: `${registry}/`, allowInternal: true },
      { matchHost: host, allowInternal: true, insecureRegistry: true },
    ],
  });
  bodies = await writePullRequests(run.branches);
});

/** Returns the components with notes in the pull request of a file, and its labels. */
function findNotes(file: string): [components: string[], labels: string[]] {
  const place = run.branches.findIndex(([first]) => first?.packageFile === file);
  const names = bodies[place]!.matchAll(/^\*\*\[.*?\]\(\S+\/([\w-]+)\.html\S*\)\*\*: /gm);
  const components = new Set(Array.from(names, ([, name]) => name!));
  return [[...components], [...new Set(run.branches[place]![0]!.addLabels)]];
}

test.each(images)(
  'the image %s has notes of the component "%s", and the labels "%s"',
  (tag, ...rest) => {
    const place = images.findIndex(([other]) => other === tag);
    const [components, labels] = findNotes(`${place}/Dockerfile`);

    expect([components.join(' '), labels.join(' ')]).toEqual(rest);
  },
);

test.each([
  ['bare', []],
  ['tag', ['mono-api']],
])('a version in the file "%s" of a repository with two components', (file, components) => {
  expect(findNotes(file)).toEqual([components, []]);
  expect(run.problems.filter(({ msg }) => msg.includes('JSONata'))).toEqual([]);
});

test("Renovate's strict validator accepts the presets", () => {
  const output = validateConfigs({
    'renovate.json': site.files.get('renovate.json')!,
    'stops.json': site.files.get('renovate/stops.json')!,
  });

  expect(output).not.toContain('WARN');
});
