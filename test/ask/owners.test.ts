import { describe, expect, test } from 'vitest';
import { findKind } from '../../src/ask/judged-list.ts';
import { findOwners, listOwners, suggestOwners } from '../../src/ask/owners.ts';
import {
  openIndex,
  requireComponent,
  requireVerdict,
  searchReleases,
} from '../../src/ask/published-index.ts';
import { readQuestion } from '../../src/ask/question.ts';
import { readList } from '../../src/ask/read-list.ts';
import { describeObstacle, findItems } from '../../src/ask/verdicts.ts';
import { judgeComponents, renderFiles } from '../harness/components.ts';

test('an alias for a Maven group matches each artifact of the group, except artifacts that another component names', () => {
  const agent = { datasource: 'maven', packageName: 'com.example:agent' };
  const files = renderFiles(
    judgeComponents({
      platform: { definition: { aliases: ['pkg:maven/Com.Example/*'] } },
      agent: { definition: { sources: [agent] } },
    }),
  );
  const names = listOwners(JSON.parse(files.get('status.json')!));
  const find = (text: string) =>
    findOwners({ name: text }, names).map(({ component }) => component);

  expect(find('pkg:maven/com.example/core@1.0')).toEqual(['platform']);
  expect(find('pkg:maven/com.example/agent@1.0')).toEqual(['agent']);
  expect(find('pkg:maven/com.example.other/core@1.0')).toEqual([]);
  expect(find('pkg:npm/com.example/core@1.0')).toEqual([]);
  expect(JSON.parse(files.get('details/platform.json')!)).toMatchObject({ packages: [] });
  expect(files.get('renovate.json')).not.toMatch(/example[/:]\*/i);
});

test.each([
  ['cache.example.com/hub/team/worker:3.1', 'worker'],
  ['localhost:5000/hub/library/nginx:1.24.0', 'nginx'],
  ['hub/worker:3.1', undefined],
  [`hub${'/a'.repeat(9)}/team/worker:3.1`, 'worker'],
  // Each part of the path costs time. No real mirror adds more than ten parts.
  [`hub${'/a'.repeat(10)}/team/worker:3.1`, undefined],
  ['WORKER of ours@3.1', 'worker'],
  ['the NGINX 1.24.0', 'nginx'],
  ['Is nginx 1.24 still supported?', 'nginx'],
  ['how long is the worker supported', 'worker'],
  ['When does worker 3.1 reach end of life?', 'worker'],
  ['worker end of life', 'worker'],
  ['worker 24.04 LTS', 'worker'],
  // Several words may name a release line, as in `.NET Core 3.1`.
  ['Is worker Core 3.1 still supported?', 'worker'],
  ['support or worker', undefined],
  [`is ${'very '.repeat(60)}worker supported?`, undefined],
  // Terms of a query are not names of components.
  ['repository:https://git.example.com/team/worker', undefined],
  ['package:hub/team/worker isLatest', undefined],
])('reads %j as a question about the component %s', (text, component) => {
  const packages = { worker: 'docker/team/worker', nginx: 'docker/nginx' };
  const components = Object.entries(packages).map(([name, purl]) => [
    name,
    { title: `The ${name}`, aliases: [`${name} of Ours`], packages: [{ purl: `pkg:${purl}` }] },
  ]);
  const names = listOwners({ components: Object.fromEntries(components) });
  const item = readQuestion(text, names);

  expect(item && findOwners(item, names)[0]?.component).toBe(component);
});

const ofImage = (packageName: string, extractVersion?: string) => ({
  sources: [{ datasource: 'docker', packageName, ...(extractVersion && { extractVersion }) }],
});
const endsOn = (day: string) => ({
  support: { policy: 'dated', lines: { '2.1': day, '7.2': day } },
});
const releases = { '2.1.0': '2025-01-01' };
const shared = renderFiles(
  judgeComponents({
    // An image with a component for all tags, and one for each variant. The component for all tags lists the tags of variants, too.
    'team-api': {
      definition: { ...ofImage('team/api'), ...endsOn('2026-01-31') },
      releases: { ...releases, '2.1.0-alpine': '2025-01-01' },
    },
    'api-alpine': {
      definition: { ...ofImage('team/api', '^(?<version>.+)-alpine$'), ...endsOn('2026-02-28') },
      releases,
    },
    'api-slim': {
      definition: { ...ofImage('team/api', '^(?<version>.+)-slim$'), ...endsOn('2028-03-31') },
      releases,
    },
    // An image that has only components for variants.
    'edge-jammy': {
      definition: { ...ofImage('team/edge', '^v(?<version>.+)-jammy$'), ...endsOn('2026-01-31') },
      releases,
    },
    'edge-noble': {
      definition: { ...ofImage('team/edge', '^v(?<version>.+)-noble$'), ...endsOn('2028-03-31') },
      releases: [{ version: '2.1.0', sources: [], digests: [`sha256:${'a'.repeat(64)}`] }],
    },
    // A pattern that finds the tags of another pattern, too.
    'cache-any': {
      definition: { ...ofImage('team/cache', '^v?(?<version>.+)$'), ...endsOn('2026-01-31') },
      releases: { ...releases, '2.1.0-slim': '2025-01-01' },
    },
    'cache-slim': {
      definition: { ...ofImage('team/cache', '^(?<version>.+)-slim$'), ...endsOn('2028-03-31') },
      releases,
    },
    // Two components of one repository, whose tags have prefixes.
    'mono-api': {
      definition: {
        sources: [
          {
            datasource: 'github-tags',
            packageName: 'team/mono',
            extractVersion: '^api-v(?<version>.+)$',
          },
        ],
        ...endsOn('2026-01-31'),
      },
      releases,
    },
    'mono-web': {
      definition: {
        sources: [
          {
            datasource: 'github-tags',
            packageName: 'team/mono',
            extractVersion: '^web/v(?<version>.+)$',
          },
        ],
        ...endsOn('2028-03-31'),
      },
      releases,
    },
    // Components with the same facts, and a component that is alone.
    'twin-a': {
      definition: { ...ofImage('team/twin', '^(?<version>.+)-a$'), ...endsOn('2028-03-31') },
      releases,
    },
    'twin-b': {
      definition: { ...ofImage('team/twin', '^(?<version>.+)-b$'), ...endsOn('2028-03-31') },
      releases,
    },
    lone: {
      definition: { ...ofImage('team/lone', '^v(?<version>.+)$'), ...endsOn('2028-03-31') },
      releases,
    },
    // The name of a component is the name of another component's image.
    redis: { definition: endsOn('2026-01-31'), releases: { '7.2': '2025-01-01' } },
    'redis-any': {
      definition: { ...ofImage('redis', '^(?<version>.+)$'), ...endsOn('2028-03-31') },
      releases: { '7.2': '2025-01-01', '7.2-alpine': '2025-01-01' },
    },
    // JavaScript might run this pattern for too long, so it is not published.
    'slow-a': {
      definition: {
        ...ofImage('team/slow', '^(?<version>(?:\\d+\\.?)+)-a$'),
        ...endsOn('2026-01-31'),
      },
      releases,
    },
    'slow-b': { definition: { ...ofImage('team/slow'), ...endsOn('2028-03-31') }, releases },
  }),
);

test.each([
  ['team/api:2.1.0', 'team-api 2.1.0, ended'],
  ['team/api:2.1.0-alpine', 'api-alpine 2.1.0, ended'],
  ['team/api:2.1.0-slim', 'api-slim 2.1.0, supported'],
  ['team/api:2.1.7-slim', 'api-slim 2.1.7, not-listed'],
  ['registry.example.com/team/api:2.1.0-slim', 'api-slim 2.1.0, supported'],
  ['pkg:docker/team/api@2.1.0-slim', 'api-slim 2.1.0, supported'],
  [
    'pkg:oci/api@sha256%3A0a?repository_url=ghcr.io/team&tag=2.1.0-slim',
    'api-slim 2.1.0, supported',
  ],
  // Only the component for all tags can have this tag.
  ['team/api:2.1.0-bookworm', 'team-api 2.1.0, ended'],
  ['team/api:latest', 'team-api latest, undefined'],
  ['team/edge:v2.1.0-noble', 'edge-noble 2.1.0, supported'],
  ['team/edge v2.1.0-noble', 'edge-noble 2.1.0, supported'],
  ['team/edge v2.1.0-jammy', 'edge-jammy 2.1.0, ended'],
  [
    'team/edge:2.1.0-noble',
    '"team/edge:2.1.0-noble" can mean edge-jammy and edge-noble. Name one.',
  ],
  ['team/edge:v2.1.0', '"team/edge:v2.1.0" can mean edge-jammy and edge-noble. Name one.'],
  [`team/edge@sha256:${'a'.repeat(64)}`, 'edge-noble 2.1.0, supported'],
  ['edge-jammy v2.1.0', 'edge-jammy 2.1.0, ended'],
  ['team/cache:2.1.0', 'cache-any 2.1.0, ended'],
  ['team/cache:2.1.0-slim', '"team/cache:2.1.0-slim" can mean cache-any and cache-slim. Name one.'],
  ['team/mono api-v2.1.0', 'mono-api 2.1.0, ended'],
  ['pkg:github/team/mono@web%2Fv2.1.0', 'mono-web 2.1.0, supported'],
  [
    'pkg:github/team/mono@2.1.0',
    '"pkg:github/team/mono@2.1.0" can mean mono-api and mono-web. Name one.',
  ],
  ['team/twin:2.1.0', 'twin-a 2.1.0, supported'],
  ['pkg:docker/team/lone@2.1.0', 'lone 2.1.0, supported'],
  ['team/lone:v2.1.0', 'lone 2.1.0, supported'],
  ['redis 7.2', 'redis 7.2, ended'],
  ['redis:7.2-alpine', 'redis-any 7.2-alpine, supported'],
  ['team/slow:2.1.0', 'slow-b 2.1.0, supported'],
])('of several components with one package, %s belongs to %s', async (text, answer) => {
  const names = listOwners(JSON.parse(shared.get('status.json')!));
  const { items } = readList(text, names);
  const readDetails = async (name: string) => JSON.parse(shared.get(`details/${name}.json`)!);
  const [entry] = await findItems(items, names, readDetails);
  const { match } = entry!;

  expect(
    match
      ? `${match.component} ${match.version}, ${match.verdict?.state}`
      : describeObstacle(entry!),
  ).toBe(answer);
});

test('a question that may mean several components gets their names, but no verdict', async () => {
  const index = openIndex({
    read: async (path) => Buffer.from(shared.get(path)!),
  });
  const text = 'team/edge:v2.1.0';
  const message = `"${text}" can mean edge-jammy and edge-noble. Name one.`;
  const item = readQuestion(text, await index.names())!;
  const error: unknown = await requireVerdict(index, item).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({
    message,
    status: 404,
    members: { didYouMean: ['edge-jammy', 'edge-noble'] },
  });
  expect(await searchReleases(index, text)).toMatchObject({ releases: [], hints: [message] });
  expect(findKind((await index.find([item]))[0]!)).toBe('uncertain');
});

describe('a component whose name is also the name of a package of another component', () => {
  const files = renderFiles(
    judgeComponents({
      ng: {
        definition: { support: { policy: 'dated', lines: { 17: '2099-01-01' } } },
        releases: { '17.1': '2026-01-01' },
      },
      ngjs: {
        definition: {
          aliases: ['pkg:npm/ng'],
          support: { policy: 'dated', lines: { 1: '2022-01-01' } },
        },
        releases: { '1.8': '2020-01-01' },
      },
    }),
  );
  const index = openIndex({ read: async (path) => Buffer.from(files.get(path) ?? '') });

  test.each(['ng', 'NG'])('is found by the name %j', async (text) => {
    expect(await requireComponent(index, text)).toMatchObject({ component: 'ng' });
  });

  test.each(['ng 17.1', 'NG@1.8', 'ng 1'])('is found by %j', async (text) => {
    const names = await index.names();
    const [entry] = await index.find([readQuestion(text, names)!]);
    expect(entry?.match?.component).toBe('ng');
  });
});

test.each([
  ['node', ['nodejs']],
  ['ndoe', ['nodejs']],
  ['nodee', ['nodejs']],
  ['nodejz', ['nodejs']],
  ['nope', []],
  ['mode', []],
])('the misspelt name %j suggests %j', (text, components) => {
  const names = listOwners({
    components: { nodejs: { title: 'Node.js', aliases: ['node'] } } as never,
  });
  expect(suggestOwners(text, names).map(({ component }) => component)).toEqual(components);
});

test('an image whose path only ends in the name of a component belongs to no component', () => {
  const packages = [{ purl: 'pkg:docker/agent' }];
  const names = listOwners({ components: { agent: { title: 'Agent', packages } } } as never);
  const find = (name: string) => findOwners({ name }, names).map(({ component }) => component);

  expect(find('agent')).toEqual(['agent']);
  expect(find('other/agent')).toEqual([]);
  expect(find('registry.example.com/other/agent')).toEqual([]);
});
