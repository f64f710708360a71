/** Registries that answer with a JSON list of releases: their addresses, and the schema that turns an entry into a release. */
import * as z from 'zod';
import type { HttpRequest } from '../http/client.ts';
import { readReleases } from '../read-releases.ts';
import {
  anyFlag,
  anyText,
  anyTime,
  pickTexts,
  fetchJson,
  fetchPages,
  findNextLink,
  joinUrl,
  resolveAtHost,
} from '../requests.ts';
import type { Datasource, PackageSource, StatedRelease } from '../types.ts';

/** A list, or the object of Docker Hub with the address of the next page. */
const Page = z.preprocess(
  (page) => (Array.isArray(page) ? { results: page } : page),
  z.object({ results: z.array(z.unknown()), next: z.string().nullish() }),
);

/** In an address, `{name}` is one segment, and `{+name}` may be several (RFC 6570). */
interface JsonList {
  registry: string;
  /** A path with which the address of a registry may end. */
  apiPath?: RegExp;
  request?: Omit<HttpRequest, 'url'>;
  /** The address of the first page. The header `Link` leads to the next one. */
  list: string;
  /** Turns an entry into a release, or into undefined if the entry is none. */
  entry: z.ZodType<StatedRelease | undefined>;
  /** The document of the package, and its keys for `pickTexts`. */
  about: string;
  keys?: Readonly<Record<string, string>>;
  /** The namespace of a name without one. */
  namespace?: string;
}

function createListSource(api: JsonList) {
  return {
    async list(source, { http }) {
      const first = createRequest(api, api.list, source);
      const pages = await fetchPages(http, first, Page, (response, { next }) =>
        next ? resolveAtHost(response, next) : findNextLink(response),
      );
      const entries = pages.flatMap(({ results }) => results);
      return readReleases(first.url, entries, api.entry);
    },
    async describe(source, { http }) {
      const request = createRequest(api, api.about, source);
      return pickTexts(await fetchJson(http, request, z.unknown()), api.keys);
    },
  } satisfies Datasource<PackageSource>;
}

function createRequest(
  { registry, apiPath, request, namespace }: Omit<JsonList, 'list' | 'entry' | 'about'>,
  address: string,
  { packageName, registryUrl = registry }: PackageSource,
): HttpRequest {
  const [path = '', query] = address.split('?');
  const isBare = namespace !== undefined && !packageName.includes('/');
  const spelled = isBare ? [namespace, packageName] : packageName.split('/');
  const segments = path
    .split('/')
    .flatMap((segment) =>
      segment === '{+name}' ? spelled : segment.replace('{name}', () => packageName),
    );
  const base = apiPath ? registryUrl.replace(apiPath, '') : registryUrl;
  return { ...request, url: joinUrl(base, segments, query) };
}

const Name = z.string().min(1);

/** docs.github.com/rest/repos/repos */
const github = {
  registry: 'https://api.github.com/',
  request: {
    accept: 'application/vnd.github+json',
    headers: { 'x-github-api-version': '2022-11-28' },
  },
  about: 'repos/{+name}',
  keys: {
    homepage: 'homepage',
    repository: 'html_url',
  },
};

/** `created_at` is the day of the commit, long before some releases. Many maintainers forget the mark `prerelease`. */
export const githubReleases = createListSource({
  ...github,
  list: 'repos/{+name}/releases?per_page=100',
  entry: z
    .object({
      tag_name: Name,
      published_at: anyTime,
      html_url: anyText,
      draft: anyFlag,
      prerelease: anyFlag,
      assets: z
        .array(z.object({ name: anyText, digest: anyText, browser_download_url: anyText }))
        .catch([]),
    })
    .transform(({ assets, ...entry }) =>
      entry.draft
        ? undefined
        : {
            version: entry.tag_name,
            releaseTimestamp: entry.published_at,
            changelogUrl: entry.html_url,
            isPrerelease: entry.prerelease || undefined,
            digests: assets.map((asset) => asset.digest),
            assets: assets.map((asset) => ({ ...asset, url: asset.browser_download_url })),
          },
    ),
});

const Commit = z.object({
  commit: z.object({ committer: z.object({ date: anyTime }).nullish() }),
});

/** The digest of a tag is its commit, because the id of a commit is a digest of its content. The day is the day of this commit. */
export const githubTags: Datasource<PackageSource> = {
  ...createListSource({
    ...github,
    list: 'repos/{+name}/tags?per_page=100',
    entry: z
      .object({ name: Name, commit: z.object({ sha: z.string() }) })
      .transform(({ name: version, commit }) => ({
        version,
        digests: [commit.sha],
        digest: null,
      })),
  }),
  async lookUp(source, { digests }, { http }) {
    const [digest = ''] = digests ?? [];
    const commitId = digest.replace(/^\w+:/, '');
    const request = createRequest(github, `repos/{+name}/commits/${commitId}`, source);
    const { commit } = await fetchJson(http, request, Commit);
    return { releaseTimestamp: commit.committer?.date };
  },
};

/** docs.gitlab.com/api/projects */
const gitlab = {
  registry: 'https://gitlab.com/',
  // Like in Renovate.
  apiPath: /\/api\/v4\/*$/,
  about: 'api/v4/projects/{name}',
  keys: { repository: 'web_url' },
};

/** A release with a future date is upcoming. */
export const gitlabReleases = createListSource({
  ...gitlab,
  list: 'api/v4/projects/{name}/releases?per_page=100',
  entry: z
    .object({
      tag_name: Name,
      released_at: anyTime,
      upcoming_release: anyFlag,
      _links: z.object({ self: anyText }).nullish(),
    })
    .transform((entry) =>
      entry.upcoming_release
        ? undefined
        : {
            version: entry.tag_name,
            releaseTimestamp: entry.released_at,
            changelogUrl: entry._links?.self,
          },
    ),
});

/** A lightweight tag has no day but that of its commit. */
export const gitlabTags = createListSource({
  ...gitlab,
  list: 'api/v4/projects/{name}/repository/tags?per_page=100',
  entry: z
    .object({
      name: Name,
      created_at: anyTime,
      commit: z.object({ id: anyText, committed_date: anyTime }).nullish(),
    })
    .transform(({ name: version, created_at: createdAt, commit }) => ({
      version,
      releaseTimestamp: createdAt ?? commit?.committed_date,
      digests: [commit?.id],
      digest: null,
    })),
});

/** guides.rubygems.org/rubygems-org-api. If each version links the same history, it is no page about a version. */
export const rubygems = createListSource({
  registry: 'https://rubygems.org/',
  list: 'api/v1/versions/{name}.json',
  entry: z
    .object({
      number: Name,
      created_at: anyTime,
      prerelease: anyFlag,
      sha: anyText,
      metadata: z.object({ changelog_uri: anyText }).nullish().catch(undefined),
    })
    .transform(({ number: version, metadata, ...entry }) => {
      const link = metadata?.changelog_uri;
      const isOwn = link?.includes(version) || link?.includes(version.replaceAll('.', '-'));
      return {
        version,
        releaseTimestamp: entry.created_at,
        isPrerelease: entry.prerelease,
        digests: [entry.sha],
        changelogUrl: isOwn ? link : undefined,
      };
    }),
  about: 'api/v1/gems/{name}.json',
  keys: {
    description: 'info',
    homepage: 'homepage_uri',
    changelogUrl: 'changelog_uri',
    repository: 'source_code_uri',
  },
});

/**
 * docs.docker.com/reference/api/hub/latest. Tags from before Hub recorded days have none, and old tags have no digest of their own. A tag is
 * pushed again when its base image changes, and Hub does not state the first push.
 */
export const dockerHub = createListSource({
  registry: 'https://hub.docker.com/',
  list: 'v2/repositories/{+name}/tags?page_size=100',
  entry: z.object({ name: Name, tag_last_pushed: anyTime, digest: anyText }).transform((tag) => ({
    version: tag.name,
    releaseTimestamp: tag.tag_last_pushed,
    isUpperBound: true,
    digests: [tag.digest],
  })),
  about: 'v2/repositories/{+name}',
  // Official images are in the namespace `library`.
  namespace: 'library',
});
