/** Describes registries that answer with a JSON list of releases. Each has its URLs, and a schema that converts an entry to a release. */
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

/** A page of a list: an array, or Docker Hub's object with the URL of the next page. */
const Page = z.preprocess(
  (page) => (Array.isArray(page) ? { results: page } : page),
  z.object({ results: z.array(z.unknown()), next: z.string().nullish() }),
);

/** Describes a registry. In a URL, `{name}` stands for one path segment, and `{+name}` for one or several (RFC 6570). */
interface JsonList {
  registry: string;
  /** Matches a path with which the URL of a registry may end. */
  apiPath?: RegExp;
  request?: Omit<HttpRequest, 'url'>;
  /** The URL of the first page. The header `Link` leads to the next page. */
  list: string;
  /** Converts an entry to a release, or to undefined if the entry is not a release. */
  entry: z.ZodType<StatedRelease | undefined>;
  /** The URL of the document about the package, from which `pickTexts` reads the description. */
  about: string;
  keys?: Readonly<Record<string, string>>;
  /** The namespace that is added to a name without a namespace. */
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

/** The part that GitHub releases and tags share: the API, and its document about a repository (docs.github.com/rest/repos/repos). */
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

/**
 * Reads GitHub releases. `created_at` is not used, because it is the date of the commit. Many maintainers forget the flag `prerelease`, so
 * a suffix such as `-rc1` also marks a prerelease.
 */
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

/** Reads GitHub tags. The digest of a tag is the id of its commit. The date is the date of this commit. */
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

/** The part that GitLab releases and tags share: the API, and its document about a project (docs.gitlab.com/api/projects). */
const gitlab = {
  registry: 'https://gitlab.com/',
  // The same regular expression as in Renovate.
  apiPath: /\/api\/v4\/*$/,
  about: 'api/v4/projects/{name}',
  keys: { repository: 'web_url' },
};

/** Reads GitLab releases. A release with a future date is not out yet. */
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

/** Reads GitLab tags. A lightweight tag has no date of its own, so the date of its commit is used. */
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

/**
 * Reads gems (guides.rubygems.org/rubygems-org-api). All versions of a gem may have the same link to a change log. So a link is used only
 * if it contains the version.
 */
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
 * Reads tags from Docker Hub (docs.docker.com/reference/api/hub/latest). Very old tags have no date, and old tags have no digest. A tag is
 * pushed again when its base image changes. Docker Hub does not give the date of the first push, so a date is only an upper bound.
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
