/** Turns one list of releases into the formats of all upstreams, for example of the npm registry. */
import {
  githubReleases,
  githubTags,
  gitlabReleases,
  gitlabTags,
  gitTags,
} from './imitated-git-hosts.ts';
import {
  digestOf,
  fileDigest,
  fileUrl,
  from,
  inPages,
  linkTo,
  platforms,
  sha256,
  type ImitatedUpstream,
} from './imitation.ts';
import { json, text, type Document } from './upstream.ts';

const npm: ImitatedUpstream = {
  source: from('npm', '@example/agent', 'npm/'),
  documents(releases) {
    const entries = releases.map(({ version, isMalformed }) => {
      const integrity = Buffer.from(digestOf(version, 'sha512'), 'hex').toString('base64');
      const dist = { integrity: `sha512-${integrity}`, shasum: digestOf(version, 'sha1') };
      return `${JSON.stringify(version)}:${isMalformed ? '0' : JSON.stringify({ dist })}`;
    });
    const times = releases.map(({ version, at }) => [version, at]);
    const time = JSON.stringify({ created: '2024-01-01T00:00:00Z', ...Object.fromEntries(times) });
    // A test may list a version twice. A JavaScript object cannot have a key twice, so the JSON is put together as text.
    const body = `{"versions":{${entries.join(',')}},"time":${time}}`;
    return { '/npm/@example%2fagent': text(body, 'application/json') };
  },
  digest: (version) => `sha512:${digestOf(version, 'sha512')}`,
};

const locatePom = (version: string) => {
  const segment = encodeURIComponent(version);
  return `/m2/com/example/agent/${segment}/agent-${segment}.pom`;
};

const maven: ImitatedUpstream = {
  source: from('maven', 'com.example:agent', 'm2'),
  documents(releases) {
    const escape = (version: string) => version.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const versions = releases.map(({ version, isMalformed }) =>
      isMalformed ? '<version><a/></version>' : `<version>${escape(version)}</version>`,
    );
    const list = `<versioning><versions>${versions.join('\n')}</versions></versioning>`;
    const poms = releases.map(({ version, at }) => {
      const headers: Record<string, string> =
        at === undefined ? {} : { 'last-modified': new Date(at).toUTCString() };
      return [locatePom(version), { ...text('', 'application/xml'), headers }];
    });
    return {
      '/m2/com/example/agent/maven-metadata.xml': text(
        `<metadata>${list}</metadata>`,
        'application/xml',
      ),
      ...Object.fromEntries(poms),
    };
  },
  lookUp: (version) => `HEAD ${locatePom(version)}`,
};

const pypi: ImitatedUpstream = {
  source: (url) => ({
    ...from('pypi', 'example-agent', 'simple/')(url),
    digestOf: { 'linux-amd64': 'amd64\\.whl$', 'linux-arm64': 'arm64\\.whl$' },
  }),
  documents(releases) {
    const files = releases.flatMap(({ version, at, isMalformed }): unknown[] =>
      isMalformed
        ? [0]
        : platforms.map((name) => ({
            filename: `example_agent-${version}-py3-${name}.whl`,
            url: fileUrl(version, name),
            hashes: { sha256: fileDigest(version, name).slice('sha256:'.length) },
            'upload-time': at ?? null,
            yanked: false,
          })),
    );
    const versions = releases.filter((each) => !each.isMalformed).map(({ version }) => version);
    const body = JSON.stringify({ name: 'Example.Agent', versions, files });
    return { '/simple/example-agent/': text(body, 'application/vnd.pypi.simple.v1+json') };
  },
  files: platforms,
  // PyPI lists files, not versions. A malformed entry is a file that belongs to no version, so no version would be missing. The test of
  // malformed entries is not run for PyPI.
  isPlain: true,
};

const dockerHub: ImitatedUpstream = {
  source: () => ({ datasource: 'docker', packageName: 'example/agent' }),
  standsFor: 'https://hub.docker.com/',
  hasPages: true,
  documents(releases, url, pageSize) {
    const entries = releases.map(({ version, at, isMalformed }) => ({
      name: isMalformed ? null : version,
      tag_last_pushed: at ?? null,
      last_updated: '2001-01-01T00:00:00Z',
      digest: sha256(version),
    }));
    const list = '/v2/repositories/example/agent/tags?page_size=100';
    return inPages(list, entries, pageSize, (results, next) =>
      json({ results, next: next === undefined ? null : new URL(next, url).href }),
    );
  },
  digest: sha256,
};

const locateConfig = (version: string) =>
  `/v2/example/agent/blobs/sha256:config-${nameInHex(version)}`;

const ociRegistry: ImitatedUpstream = {
  source: from('docker', 'example/agent'),
  hasPages: true,
  documents(releases, _url, pageSize) {
    const base = '/v2/example/agent';
    const tags = releases.map(({ version, isMalformed }) => (isMalformed ? [version] : version));
    const pages = inPages(`${base}/tags/list?n=1000`, tags, pageSize, (page, next) =>
      json({ tags: page.length === 0 ? null : page }, linkTo(next)),
    );
    const images = releases.flatMap(({ version, at }): [string, Document][] => {
      const image = `sha256:image-${nameInHex(version)}`;
      const manifests = [
        { digest: 'sha256:attestations', platform: { os: 'unknown' } },
        { digest: image, platform: { os: 'linux' } },
      ];
      const config = { digest: `sha256:config-${nameInHex(version)}` };
      return [
        [
          `${base}/manifests/${version}`,
          json({ manifests }, { 'docker-content-digest': sha256(version) }),
        ],
        [`${base}/manifests/${image}`, json({ config })],
        [locateConfig(version), { ...json({ created: at }), type: 'application/octet-stream' }],
      ];
    });
    return { ...pages, ...Object.fromEntries(images) };
  },
  lookUp: (version) => `GET ${locateConfig(version)}`,
  digest: sha256,
};

function nameInHex(version: string): string {
  return Buffer.from(version).toString('hex');
}

const helm: ImitatedUpstream = {
  source: from('helm', 'agent', 'charts/'),
  documents(releases) {
    const entries = releases.map(({ version, at, isMalformed }) => {
      const name = isMalformed ? '[]' : JSON.stringify(version);
      return `  - version: ${name}\n    created: ${at ?? '""'}\n    digest: ${digestOf(version)}\n`;
    });
    const list = entries.length === 0 ? ' []\n' : `\n${entries.join('')}`;
    return { '/charts/index.yaml': text(`entries:\n  agent:${list}`, 'text/yaml') };
  },
  digest: sha256,
};

const nuget: ImitatedUpstream = {
  source: from('nuget', 'Example.Agent', 'v3/index.json'),
  documents(releases, url) {
    const leaves = releases.map(({ version, at, isMalformed }) => ({
      catalogEntry: isMalformed ? 'none' : { version, listed: true, published: at },
    }));
    const base = { '@id': `${url}v3/registration/`, '@type': 'RegistrationsBaseUrl/3.6.0' };
    return {
      '/v3/index.json': json({ resources: [base] }),
      '/v3/registration/example.agent/index.json': json({ items: [{ items: leaves }] }),
    };
  },
};

const crate: ImitatedUpstream = {
  source: from('crate', 'Example_Agent', 'index/'),
  documents(releases) {
    const lines = releases.map(({ version, at, isMalformed }) =>
      JSON.stringify({ vers: isMalformed ? 1 : version, cksum: digestOf(version), pubtime: at }),
    );
    return { '/index/ex/am/example_agent': text(lines.join('\n')) };
  },
  digest: sha256,
};

const rubygems: ImitatedUpstream = {
  source: from('rubygems', 'agent'),
  documents(releases) {
    const gems = releases.map(({ version, at, isMalformed }) => ({
      number: isMalformed ? 1 : version,
      created_at: at,
      sha: digestOf(version),
    }));
    return { '/api/v1/versions/agent.json': json(gems) };
  },
  digest: sha256,
};

const goModule = '/example.com/!agent/@v';
const locateInfo = (version: string) => `${goModule}/${encodeURIComponent(version)}.info`;

const go: ImitatedUpstream = {
  source: from('go', 'example.com/Agent'),
  documents(releases) {
    const names = releases.map(({ version, isMalformed }) =>
      isMalformed ? `<${version}` : version,
    );
    const files = releases.flatMap(({ version, at }): [string, Document][] => [
      [locateInfo(version), json({ Time: at })],
      [`${goModule}/${version}.mod`, text('module example.com/Agent\n')],
    ]);
    return { [`${goModule}/list`]: text(names.join('\n')), ...Object.fromEntries(files) };
  },
  lookUp: (version) => `GET ${locateInfo(version)}`,
};

const nameDigests = (version: string) =>
  Object.fromEntries(platforms.map((name) => [name, fileDigest(version, name)]));
const nameUrls = (version: string) =>
  Object.fromEntries(platforms.map((name) => [name, fileUrl(version, name)]));

const jsonDocument: ImitatedUpstream = {
  source: (url) => ({
    datasource: 'json',
    url: `${url}history?all=1`,
    transform:
      '{"releases": history.{"version": name, "releaseTimestamp": on, "files": sums, "urls": places}}',
  }),
  documents(releases) {
    const history = releases.map(({ version, at, isMalformed }) => ({
      name: isMalformed ? {} : version,
      on: at,
      sums: nameDigests(version),
      places: nameUrls(version),
    }));
    return { '/history?all=1': json({ history }) };
  },
  files: platforms,
};

const page: ImitatedUpstream = {
  source: (url) => ({
    datasource: 'page',
    url: `${url}history.md`,
    matchStrings: ['^## (?<version>\\S.*)$(?:\\s+on (?<releaseTimestamp>\\S.*)$)?'],
  }),
  isPlain: true,
  documents(releases) {
    const entries = releases.map(
      ({ version, at }) => `## ${version}\n\n${at === undefined ? '' : `on ${at}`}\n\n- A fix.\n`,
    );
    return { '/history.md': text(`# History\n\n${entries.join('\n')}`, 'text/markdown') };
  },
};

const staticSource: ImitatedUpstream = {
  source: (_url, releases) => ({
    datasource: 'static',
    releases: releases.map(({ version, at: releaseTimestamp }) => ({
      version,
      releaseTimestamp,
      files: nameDigests(version),
      urls: nameUrls(version),
    })),
  }),
  files: platforms,
  isPlain: true,
};

export const imitatedUpstreams: Readonly<Record<string, ImitatedUpstream>> = {
  npm,
  maven,
  pypi,
  'docker (Docker Hub)': dockerHub,
  'docker (OCI registry)': ociRegistry,
  helm,
  'github-releases': githubReleases,
  'github-tags': githubTags,
  'gitlab-releases': gitlabReleases,
  'gitlab-tags': gitlabTags,
  'git-tags': gitTags,
  nuget,
  crate,
  rubygems,
  go,
  json: jsonDocument,
  page,
  static: staticSource,
};
