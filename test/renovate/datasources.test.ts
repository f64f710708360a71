import { afterEach, expect, test, vi } from 'vitest';
import type { TypedSource } from '../../src/record/sources/index.ts';
import { parseVersion } from '../../src/core/model/version.ts';
import { ask } from '../harness/asking.ts';
import { gitServer, repositoryWithTags } from '../harness/git-server.ts';
import { json } from '../harness/imitated-upstream.ts';
import { serve, type Document, type Handler } from '../harness/upstream.ts';
import { importRenovate, isOldest } from './install.ts';

interface Registry {
  source(url: string): TypedSource;
  /** The configuration of Renovate; by default, datasource and package have the same names. */
  lookup?(url: string): object;
  handler(url: string): Handler;
  /** Versions that only one of both finds, each with the reason. */
  onlyHere?: Record<string, string>;
  onlyRenovate?: Record<string, string>;
}

const documents = (entries: Record<string, Document>) => serve(new Map(Object.entries(entries)));
const text = (body: string): Document => ({ type: 'text/plain', body });
const lines = (...values: string[]) => text(values.map((value) => `${value}\n`).join(''));

const asPublished = 'a version is published with its build metadata, which Renovate strips';

const registries: Record<string, Registry> = {
  'gitlab-releases': {
    source: (registryUrl) => ({
      datasource: 'gitlab-releases',
      packageName: 'group/sub/agent',
      registryUrl,
    }),
    handler: () => {
      const releases = json([
        { tag_name: 'v2.0.0', released_at: '2099-01-01T00:00:00Z', upcoming_release: true },
        { tag_name: 'v1.1.0', released_at: '2026-03-25T10:20:30Z' },
        { tag_name: 'v1.0.0', released_at: '2026-01-25T10:20:30Z' },
      ]);
      const path = '/api/v4/projects/group%2fsub%2fagent/releases';
      // Renovate requests only the first page.
      return documents({ [path]: releases, [`${path}?per_page=100`]: releases });
    },
    onlyRenovate: { 'v2.0.0': 'it is announced for a later day' },
  },
  'gitlab-tags': {
    source: (registryUrl) => ({
      datasource: 'gitlab-tags',
      packageName: 'group/agent',
      registryUrl,
    }),
    handler: () => {
      const commit = { id: 'ab', created_at: '2026-03-25T10:20:30Z' };
      const tags = ['1.0.0', '1.1.0', 'nightly', 'v2.0.0-rc.1'].map((name) => ({ name, commit }));
      return documents({
        '/api/v4/projects/group%2fagent/repository/tags?per_page=100': json(tags),
      });
    },
  },
  'git-tags': {
    source: (url) => ({ datasource: 'git-tags', packageName: `${url}group/agent.git` }),
    handler: () => gitServer(repositoryWithTags(['1.0.0', '+1.1.0', '+v2.0.0-rc.1', 'nightly'])),
  },
  nuget: {
    source: (url) => ({
      datasource: 'nuget',
      packageName: 'Example.Agent',
      registryUrl: `${url}v3/index.json`,
    }),
    handler: (url) => {
      const leaf = (version: string, more = {}) => ({
        catalogEntry: { version, listed: true, ...more },
      });
      const deprecation = { reasons: ['Legacy'] };
      const page = `${url}v3/registration/page/1.json`;
      return documents({
        '/v3/index.json': json({
          resources: [{ '@id': `${url}v3/registration/`, '@type': 'RegistrationsBaseUrl/3.6.0' }],
        }),
        '/v3/registration/example.agent/index.json': json({
          items: [
            { '@id': page },
            {
              '@id': 'inline',
              items: [leaf('2.0.0-beta.1'), leaf('2.0.0+build.7'), leaf('2.1.0.4')],
            },
          ],
        }),
        '/v3/registration/page/1.json': json({
          '@id': page,
          items: [
            leaf('1.0.0', { listed: false, published: '1900-01-01T00:00:00Z' }),
            leaf('1.1.0', { deprecation }),
          ],
        }),
      });
    },
    onlyHere: { '2.0.0+build.7': asPublished },
    onlyRenovate: { '2.0.0': asPublished },
  },
  crate: {
    source: (url) => ({
      datasource: 'crate',
      packageName: 'Example_Agent',
      registryUrl: `${url}index/`,
    }),
    lookup: (url) => ({ registryUrls: [`sparse+${url}index/`] }),
    handler: () =>
      documents({
        '/index/ex/am/example_agent': lines(
          ...['1.0.0', '1.1.0-rc.1', '1.1.0+zstd.1.5.7'].map((vers) =>
            JSON.stringify({ name: 'Example_Agent', vers, yanked: vers === '1.0.0' }),
          ),
        ),
      }),
    onlyHere: { '1.1.0+zstd.1.5.7': asPublished },
    onlyRenovate: { '1.1.0': asPublished },
  },
  rubygems: {
    source: (registryUrl) => ({ datasource: 'rubygems', packageName: 'agent', registryUrl }),
    handler: () =>
      documents({
        '/api/v1/versions/agent.json': json([
          {
            number: '1.1.0.rc1',
            platform: 'ruby',
            prerelease: true,
            created_at: '2026-03-25T10:20:30Z',
          },
          { number: '1.0.0', platform: 'java', created_at: '2026-01-25T10:20:30Z' },
          { number: '1.0.0', platform: 'ruby', created_at: '2026-01-25T10:20:30Z' },
        ]),
      }),
  },
  go: {
    source: (registryUrl) => ({ datasource: 'go', packageName: 'example.com/Agent', registryUrl }),
    lookup: (url) => {
      vi.stubEnv('GOPROXY', url);
      return { registryUrls: undefined };
    },
    handler: () => {
      const at = '/example.com/!agent';
      const origin = { VCS: 'git', URL: 'https://git.example.com/agent' };
      return documents({
        [`${at}/@v/list`]: lines(
          'v1.0.0',
          'v1.1.0-rc.1',
          'v2.0.0+incompatible',
          'v1.1.1-0.20191109021931-daa7c04131f5',
        ),
        [`${at}/@v/v1.0.0.mod`]: text('module example.com/Agent\n'),
        [`${at}/@v/v1.0.0.info`]: json({ Version: 'v1.0.0', Time: '2026-03-25T10:20:30Z' }),
        [`${at}/@latest`]: json({ Version: 'v1.0.0', Origin: origin }),
      });
    },
    onlyRenovate: { 'v1.1.1-0.20191109021931-daa7c04131f5': 'it is a commit that nobody released' },
  },
  json: {
    source: (url) => ({ datasource: 'json', url: `${url}api/history`, transform: history }),
    lookup: (url) => ({
      datasource: 'custom.history',
      packageName: 'agent',
      customDatasources: {
        history: { defaultRegistryUrlTemplate: `${url}api/history`, transformTemplates: [history] },
      },
    }),
    handler: () =>
      documents({
        '/api/history': json({
          items: [
            { tag: '1.0.0', on: '2026-01-25', old: true },
            { tag: '1.1.0', on: 1774434030 },
            { tag: '2.0.0-rc.1' },
          ],
        }),
      }),
  },
};

const history =
  '{"releases": items.{"version": tag, "releaseTimestamp": on, "isDeprecated": old = true, "isStable": $not($contains(tag, "-"))}}';

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Release {
  version: string;
  isDeprecated?: boolean;
}

const compared = Object.entries(registries).filter(([name]) => !isOldest || name !== 'crate');
if (isOldest) {
  console.log('crate is left out: the oldest Renovate reads only the registry crates.io.');
}

test.each(compared)(
  'the index finds the same versions as Renovate, and deprecates the same: %s',
  async (_, { source, lookup, handler, onlyHere = {}, onlyRenovate = {} }) => {
    let at = '';
    const { releases } = await ask((url) => source((at = url)), {
      // Renovate escapes a slash with capitals.
      handler: (__, url) => {
        const sound = handler(url);
        return (request, response) => {
          request.url = request.url!.replaceAll('%2F', '%2f');
          sound(request, response);
        };
      },
    });
    const found = await lookUp({
      ...source(at),
      registryUrls: registryOf(source(at)),
      ...lookup?.(at),
    });

    const here = releases.filter(({ version }) => parseVersion(version));
    expect(here.length).toBeGreaterThan(1);
    const difference = (list: readonly Release[], other: readonly Release[]) =>
      list
        .map(({ version }) => version)
        .filter((version) => !other.some((one) => one.version === version));
    expect(difference(here, found).sort()).toEqual(Object.keys(onlyHere));
    expect(difference(found, here).sort()).toEqual(Object.keys(onlyRenovate));
    const deprecated = found
      .filter(({ isDeprecated }) => isDeprecated)
      .map(({ version }) => version);
    expect(
      here.filter((release) => release.deprecated !== undefined).map(({ version }) => version),
    ).toEqual(deprecated);
  },
);

function registryOf(source: TypedSource): string[] | undefined {
  return 'registryUrl' in source && source.registryUrl !== undefined
    ? [source.registryUrl]
    : undefined;
}

/** All versions that Renovate finds. Its `loose` versioning keeps all forms. */
async function lookUp(config: object): Promise<Release[]> {
  const { init } = await importRenovate<{ init(): Promise<void> }>('logger/index.js');
  await init();
  const { getPkgReleases } = await importRenovate<{
    getPkgReleases(config: object): Promise<{ releases: Release[] } | null>;
  }>('modules/datasource/index.js');
  const found = await getPkgReleases({ ...config, versioning: 'loose' });
  return found?.releases ?? [];
}
