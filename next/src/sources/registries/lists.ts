/** Registries that answer with a JSON list of releases: their addresses, and how an entry becomes a release. */
import * as z from 'zod';
import {
  anyText,
  expectPackage,
  flag,
  readReleases,
  text,
  type StatedRelease,
} from '../documents.ts';
import type { HttpRequest } from '../http/client.ts';
import { fetchJson, fetchPages, joinUrl, resolveAtHost } from '../requests.ts';
import type { Datasource, PackageDescription, PackageSource, SourceContext } from '../types.ts';

/** In an address, `{name}` is one segment, and `{+name}` may be several, as in RFC 6570. */
export interface JsonList {
  registry: string;
  request?: Omit<HttpRequest, 'url'>;
  /** The address of the first page. The header `Link` leads to the next one. */
  list: string;
  /** The key of the list in a page; its key `next` leads to the next page. */
  key?: string;
  /** Makes a release of an entry, or nothing of an entry that is none. */
  entry: z.ZodType<StatedRelease | undefined>;
  /** The package's own document, and what it says of the package. */
  about: string;
  description: z.ZodType<PackageDescription & { name?: string | undefined }>;
}

export function createListSource(
  api: JsonList,
): Required<Pick<Datasource<PackageSource>, 'list' | 'describe'>> {
  return {
    async list(source, { http, day }) {
      const first = createRequest(api, api.list, source);
      return readReleases(first.url, day, await fetchEntries(http, first, api.key), api.entry);
    },
    async describe(source, { http }) {
      const request = createRequest(api, api.about, source);
      const { name, ...description } = await fetchJson(http, request, api.description);
      expectPackage(request.url, source.packageName, name);
      return description;
    },
  };
}

export function createRequest(
  { registry, request }: Pick<JsonList, 'registry' | 'request'>,
  address: string,
  { packageName, registryUrl = registry }: PackageSource,
): HttpRequest {
  const [path = '', query] = address.split('?');
  const segments = path
    .split('/')
    .flatMap((segment) =>
      segment === '{+name}' ? packageName.split('/') : segment.replace('{name}', () => packageName),
    );
  // GitLab's address may be named with its path, as in Renovate.
  return { ...request, url: joinUrl(registryUrl.replace(/\/api\/v4\/*$/, ''), segments, query) };
}

async function fetchEntries(
  http: SourceContext['http'],
  first: HttpRequest,
  key: string | undefined,
): Promise<unknown[]> {
  const list = z.array(z.unknown());
  if (key === undefined) {
    return (await fetchPages(http, first, list)).flat();
  }

  const Page = z.object({ [key]: list, next: z.string().nullish() });
  const pages = await fetchPages(http, first, Page, (response, { next }) =>
    typeof next === 'string' ? { url: resolveAtHost(response, next) } : undefined,
  );
  return pages.flatMap((page) => page[key] as unknown[]);
}

const name = z.string().min(1);

/** docs.github.com/rest/repos/repos */
const github = {
  registry: 'https://api.github.com/',
  request: {
    accept: 'application/vnd.github+json',
    headers: { 'x-github-api-version': '2022-11-28' },
  },
  about: 'repos/{+name}',
  description: z
    .object({ name: anyText, description: anyText, homepage: anyText, html_url: anyText })
    .transform(({ name: title, description, homepage, html_url: repository }) => ({
      ...{ title, description, homepage, repository },
      changelogUrl: repository && `${repository}/releases`,
    })),
};

/** `created_at` is the day of the commit, which can be long before the release. Many maintainers forget the mark `prerelease`. */
export const githubReleases: Datasource<PackageSource> = createListSource({
  ...github,
  list: 'repos/{+name}/releases?per_page=100',
  entry: z
    .object({
      tag_name: name,
      published_at: text,
      html_url: text,
      draft: flag,
      prerelease: flag,
      assets: z.array(z.object({ digest: text })).catch([]),
    })
    .transform((entry) =>
      entry.draft
        ? undefined
        : {
            version: entry.tag_name,
            releaseTimestamp: entry.published_at,
            changelogUrl: entry.html_url,
            isPrerelease: entry.prerelease || undefined,
            digests: entry.assets.map(({ digest }) => digest),
          },
    ),
});

/** The digest of a tag is its commit, whose id is the digest of its content. The committer's day is that of this commit. */
export const githubTags: Datasource<PackageSource> = {
  ...createListSource({
    ...github,
    list: 'repos/{+name}/tags?per_page=100',
    entry: z
      .object({ name, commit: z.object({ sha: z.string() }) })
      .transform(({ name: version, commit }) => ({ version, digests: [commit.sha] })),
  }),
  async lookUp(source, { digests: [digest = ''] = [] }, { http }) {
    const Commit = z.object({
      commit: z.object({ committer: z.object({ date: text }).nullish() }),
    });
    const request = createRequest(github, `repos/{+name}/commits/${digest.split(':')[1]}`, source);
    return { releaseTimestamp: (await fetchJson(http, request, Commit)).commit.committer?.date };
  },
};

/** docs.gitlab.com/api/projects */
const gitlab = {
  registry: 'https://gitlab.com/',
  about: 'api/v4/projects/{name}',
  description: z
    .object({ name: anyText, description: anyText, web_url: anyText })
    .transform(({ name: title, description, web_url: repository }) => ({
      ...{ title, description, repository },
      changelogUrl: repository && `${repository}/-/releases`,
    })),
};

/** A release with a future date is upcoming. */
export const gitlabReleases: Datasource<PackageSource> = createListSource({
  ...gitlab,
  list: 'api/v4/projects/{name}/releases?per_page=100',
  entry: z
    .object({
      tag_name: name,
      released_at: text,
      upcoming_release: flag,
      _links: z.object({ self: text }).nullish(),
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

/** A lightweight tag has only the day of its commit. */
export const gitlabTags: Datasource<PackageSource> = createListSource({
  ...gitlab,
  list: 'api/v4/projects/{name}/repository/tags?per_page=100',
  entry: z
    .object({
      name,
      created_at: text,
      commit: z.object({ id: text, committed_date: text, created_at: text }).nullish(),
    })
    .transform(({ name: version, created_at: createdAt, commit }) => ({
      version,
      releaseTimestamp: createdAt ?? commit?.committed_date ?? commit?.created_at,
      digests: [commit?.id],
    })),
});

/** guides.rubygems.org/rubygems-org-api. A gem that links its whole history in each version names no page of the version. */
const rubygemsApi: JsonList = {
  registry: 'https://rubygems.org/',
  list: 'api/v1/versions/{name}.json',
  entry: z
    .object({
      number: name,
      created_at: text,
      prerelease: flag,
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
  description: z
    .object({
      name: anyText,
      info: anyText,
      homepage_uri: anyText,
      changelog_uri: anyText,
      source_code_uri: anyText,
    })
    .transform((gem) => ({
      name: gem.name,
      title: gem.name,
      description: gem.info,
      homepage: gem.homepage_uri,
      changelogUrl: gem.changelog_uri,
      repository: gem.source_code_uri,
    })),
};
export const rubygems: Datasource<PackageSource> = createListSource(rubygemsApi);

/** docs.docker.com/reference/api/hub/latest. Tags pushed before Hub recorded days have none; old ones have no digest of their own. */
const hubApi = createListSource({
  registry: 'https://hub.docker.com/',
  list: 'v2/repositories/{+name}/tags?page_size=100',
  key: 'results',
  entry: z.object({ name, tag_last_pushed: text, digest: anyText }).transform((tag) => ({
    version: tag.name,
    releaseTimestamp: tag.tag_last_pushed,
    digests: [tag.digest],
  })),
  about: 'v2/repositories/{+name}',
  description: z
    .object({ name: anyText, description: anyText })
    .transform((image) => ({ title: image.name, description: image.description })),
});

/** Official images are in the namespace `library`. */
export const dockerHub: Required<Pick<Datasource<PackageSource>, 'list' | 'describe'>> = {
  list: ({ packageName }, context) =>
    hubApi.list({ packageName: findNameAtHub(packageName) }, context),
  describe: ({ packageName }, context) =>
    hubApi.describe({ packageName: findNameAtHub(packageName) }, context),
};

function findNameAtHub(repository: string): string {
  return repository.includes('/') ? repository : `library/${repository}`;
}
