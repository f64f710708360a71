import type { Datasource } from '../../src/model/source-schema.ts';
import { json, keyed, pagesOf, type Listed, type Serving } from './serving.ts';
import type { Document } from './upstream.ts';

const npm: Serving = {
  name: 'npm',
  home: '/npm/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'npm', packageName: '@example/agent', registryUrl: `${url}npm/` }),
  documents(releases, { packageName = '@example/agent' }) {
    const versions = keyed(releases, ({ isMalformed }) =>
      isMalformed ? 'no object' : { name: packageName },
    );
    const dated = releases.filter(({ at }) => at !== undefined);
    const time = keyed([{ version: 'created', at: '2024-01-01T00:00:00.000Z' }, ...dated], ({ at }) => at);
    const body = `{"name":${JSON.stringify(packageName)},"versions":${versions},"time":${time}}`;
    return new Map([['/npm/@example%2fagent', { type: 'application/json', body }]]);
  },
};

const maven: Serving = {
  name: 'maven',
  home: '/m2/com/example/agent/',
  entry: 'text',
  namesPackage: true,
  source: (url) => ({ datasource: 'maven', packageName: 'com.example:agent', registryUrl: `${url}m2` }),
  documents(releases, { packageName = 'agent' }) {
    const versions = releases.map(({ version, isMalformed }) =>
      isMalformed
        ? `<version><text>${version}</text></version>`
        : `<version>${version.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</version>`,
    );
    const documents = new Map<string, Document>();
    documents.set('/m2/com/example/agent/maven-metadata.xml', {
      type: 'application/xml',
      body: mavenMetadata(packageName, versions.join('\n')),
    });
    for (const { version, at } of releases) {
      const headers: Record<string, string> =
        at === undefined ? {} : { 'last-modified': new Date(at).toUTCString() };
      documents.set(maven.lookUp!(version), { type: 'application/xml', body: '<project/>', headers });
    }
    return documents;
  },
  lookUp: (version) => {
    const segment = encodeURIComponent(version);
    return `/m2/com/example/agent/${segment}/agent-${segment}.pom`;
  },
  bomb: {
    type: 'application/xml',
    body: `<!DOCTYPE metadata [<!ENTITY a "aaaaaaaaaa">${unfolding((name, of) => `<!ENTITY ${name} "${`&${of};`.repeat(10)}">`)}]>
${mavenMetadata('agent', '<version>9.9&i;</version>')}`,
  },
};

function mavenMetadata(artifactId: string, versions: string): string {
  return `<metadata><groupId>com.example</groupId><artifactId>${artifactId}</artifactId>
<versioning><versions>${versions}</versions></versioning></metadata>`;
}

/** Eight definitions, each of ten times the one before it. */
function unfolding(define: (name: string, of: string) => string): string {
  return Array.from('bcdefghi', (name, index) => define(name, 'abcdefgh'[index]!)).join('');
}

const pypi: Serving = {
  name: 'pypi',
  home: '/pypi/example-agent/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'pypi', packageName: 'example-agent', registryUrl: `${url}pypi/` }),
  documents(releases, { packageName = 'Example.Agent' }) {
    const body = `{"info":${JSON.stringify({ name: packageName })},"releases":${keyed(releases, pypiFiles)}}`;
    return new Map([['/pypi/example-agent/json', { type: 'application/json', body }]]);
  },
};

function pypiFiles({ at, isMalformed }: Listed): unknown {
  if (isMalformed) return 'no list';
  return at === undefined ? [] : [{ upload_time_iso_8601: at, yanked: false, yanked_reason: null }];
}

const dockerHub: Serving = {
  name: 'docker (Docker Hub)',
  home: '/v2/repositories/example/agent/',
  hasPages: true,
  entry: 'object',
  source: () => ({ datasource: 'docker', packageName: 'example/agent' }),
  defaults: (url) => ({ dockerHubUrl: url }),
  documents(releases, { url, pageSize }) {
    const list = '/v2/repositories/example/agent/tags?page_size=100';
    const path = (page: number) => (page === 0 ? list : `${list}&page=${page + 1}`);
    const pages = pagesOf(releases, pageSize);
    return new Map(
      pages.map((page, index) => {
        const next = index + 1 < pages.length ? new URL(path(index + 1), url).href : null;
        const results = page.map(({ version, at, isMalformed }) => ({
          name: version,
          tag_last_pushed: isMalformed ? 5 : (at ?? null),
        }));
        return [path(index), json({ count: releases.length, next, previous: null, results })];
      }),
    );
  },
};

const ociRegistry: Serving = {
  name: 'docker (OCI registry)',
  home: '/v2/example/agent/',
  hasPages: true,
  entry: 'text',
  namesPackage: true,
  source: (url) => ({ datasource: 'docker', packageName: 'example/agent', registryUrl: url }),
  documents(releases, { pageSize, packageName = 'example/agent' }) {
    const base = '/v2/example/agent';
    const list = `${base}/tags/list?n=1000`;
    const path = (page: number) => (page === 0 ? list : `${list}&last=${page}`);
    const documents = new Map<string, Document>();
    const pages = pagesOf(releases, pageSize);
    for (const [index, page] of pages.entries()) {
      const tags = page.map(({ version, isMalformed }) => (isMalformed ? [version] : version));
      const link = index + 1 < pages.length ? { link: `<${path(index + 1)}>; rel="next"` } : {};
      documents.set(path(index), json({ name: packageName, tags: tags.length === 0 ? null : tags }, link));
    }
    for (const [index, { version, at }] of releases.entries()) {
      const manifests = [
        { digest: `sha256:a${index}`, platform: { os: 'unknown', architecture: 'unknown' } },
        { digest: `sha256:b${index}`, platform: { os: 'linux', architecture: 'amd64' } },
      ];
      documents.set(ociRegistry.lookUp!(version), {
        ...json({ manifests }),
        type: 'application/vnd.oci.image.index.v1+json',
      });
      documents.set(`${base}/manifests/sha256:b${index}`, {
        ...json({ config: { digest: `sha256:c${index}` } }),
        type: 'application/vnd.oci.image.manifest.v1+json',
      });
      documents.set(`${base}/blobs/sha256:c${index}`, {
        ...json({ created: at }),
        type: 'application/octet-stream',
      });
    }
    return documents;
  },
  lookUp: (version) => `/v2/example/agent/manifests/${version}`,
};

const helm: Serving = {
  name: 'helm',
  home: '/charts/',
  entry: 'object',
  namesPackage: true,
  source: (url) => ({ datasource: 'helm', packageName: 'agent', registryUrl: `${url}charts/` }),
  documents(releases, { packageName = 'agent' }) {
    const entries = releases.map(({ version, at, isMalformed }) => {
      const created = isMalformed ? '[no, date]' : (at ?? '""');
      return `  - name: ${packageName}\n    version: ${JSON.stringify(version)}\n    created: ${created}\n`;
    });
    const list = entries.length === 0 ? ' []\n' : `\n${entries.join('')}`;
    const body = `apiVersion: v1\nentries:\n  ${packageName}:${list}generated: 2026-01-01T00:00:00Z\n`;
    return new Map([['/charts/index.yaml', { type: 'text/yaml', body }]]);
  },
  bomb: {
    type: 'text/yaml',
    body: `x: &a [x, x]\n${unfolding((name, of) => `${name}: &${name} [${Array(10).fill(`*${of}`).join(', ')}]\n`)}entries:\n  agent: *i\n`,
  },
};

/** One of GitHub's lists, in pages. */
function githubList(list: string, entries: readonly unknown[], pageSize: number): Map<string, Document> {
  const path = (page: number) =>
    `/api/repos/example/agent/${list}?per_page=100${page === 0 ? '' : `&page=${page + 1}`}`;
  const pages = pagesOf(entries, pageSize);
  return new Map(
    pages.map((page, index) => {
      const isLast = index + 1 === pages.length;
      return [
        path(index),
        json(page, isLast ? {} : { link: `<${path(0)}>; rel="first", <${path(index + 1)}>; rel="next"` }),
      ];
    }),
  );
}

const githubReleases: Serving = {
  name: 'github-releases',
  home: '/api/repos/example/agent/',
  hasPages: true,
  entry: 'object',
  statesLinks: true,
  source: (url) => ({
    datasource: 'github-releases',
    packageName: 'example/agent',
    registryUrl: `${url}api/`,
  }),
  documents(releases, { pageSize }) {
    const entries = releases.map(({ version, at, link, isMalformed }) => ({
      tag_name: version,
      published_at: isMalformed ? 5 : (at ?? null),
      html_url: link ?? null,
      draft: false,
      prerelease: false,
    }));
    return githubList('releases', entries, pageSize);
  },
};

const githubTags: Serving = {
  name: 'github-tags',
  home: '/api/repos/example/agent/',
  hasPages: true,
  entry: 'object',
  source: (url) => ({ datasource: 'github-tags', packageName: 'example/agent', registryUrl: `${url}api/` }),
  documents(releases, { pageSize }) {
    const entries = releases.map(({ version, isMalformed }) => ({
      name: version,
      commit: isMalformed ? null : { sha: shaOf(version) },
    }));
    const documents = githubList('tags', entries, pageSize);
    for (const { version, at } of releases) {
      const committer = at === undefined ? null : { date: at };
      const commit = { author: { date: '2001-01-01T00:00:00Z' }, committer };
      documents.set(githubTags.lookUp!(version), json({ sha: shaOf(version), commit }));
    }
    return documents;
  },
  lookUp: (version) => `/api/repos/example/agent/commits/${shaOf(version)}`,
};

function shaOf(tag: string): string {
  return Buffer.from(tag).toString('hex');
}

const page: Serving = {
  name: 'page',
  home: '/history/',
  onlyAdds: true,
  source: (url) => ({
    datasource: 'page',
    url: `${url}history/index.md`,
    matchStrings: ['^## (?<version>\\S.*)$(?:\\s+on (?<releaseTimestamp>\\S.*)$)?'],
  }),
  documents(releases) {
    const entries = releases.map(
      ({ version, at }) => `## ${version}\n\n${at === undefined ? '' : `on ${at}`}\n\n- [FIX] Something.\n`,
    );
    const body = `# History\n\n${entries.join('\n')}`;
    return new Map([['/history/index.md', { type: 'text/markdown; charset=utf-8', body }]]);
  },
};

const staticSource: Serving = {
  name: 'static',
  statesLinks: true,
  source: (_url, releases) => ({
    datasource: 'static',
    releases: releases.map(({ version, at, link }) => ({
      version,
      ...(at !== undefined && { releaseTimestamp: at }),
      ...(link !== undefined && { changelogUrl: link }),
    })),
  }),
};

/** Every datasource once; one that is missing does not compile. */
export const servings = {
  npm: [npm],
  maven: [maven],
  pypi: [pypi],
  docker: [dockerHub, ociRegistry],
  helm: [helm],
  'github-releases': [githubReleases],
  'github-tags': [githubTags],
  page: [page],
  static: [staticSource],
} satisfies { [D in Datasource]: readonly Serving[] };

export const allServings: readonly Serving[] = Object.values(servings).flat();

/** Those that are asked over the network. */
export const remoteServings = allServings.filter(({ documents }) => documents !== undefined);
