import { digestOf, inPages, json, type ImitatedUpstream } from '../imitated-upstream.ts';

export const dockerHub: ImitatedUpstream = {
  name: 'docker (Docker Hub)',
  home: '/v2/repositories/example/agent/',
  hasPages: true,
  entry: 'object',
  source: () => ({ datasource: 'docker', packageName: 'example/agent' }),
  standsFor: 'https://hub.docker.com/',
  documents(releases, { url, pageSize }) {
    const list = '/v2/repositories/example/agent/tags?page_size=100';
    return inPages(list, releases, pageSize, (page, next) => {
      const results = page.map((release) => {
        const digest = digestOf(release);
        return {
          name: release.version,
          tag_last_pushed: release.isMalformed ? 5 : (release.at ?? null),
          last_updated: '2001-01-01T00:00:00Z',
          ...(digest !== undefined && { digest: `sha256:${digest}` }),
        };
      });
      const address = next === undefined ? null : new URL(next, url).href;
      return json({ count: releases.length, next: address, previous: null, results });
    });
  },
  digests: (release) => ({ [release.version]: `sha256:${digestOf(release)}` }),
};

export const ociRegistry: ImitatedUpstream = {
  name: 'docker (OCI registry)',
  home: '/v2/example/agent/',
  hasPages: true,
  entry: 'text',
  namesPackage: true,
  source: (url) => ({ datasource: 'docker', packageName: 'example/agent', registryUrl: url }),
  documents(releases, { pageSize, packageName = 'example/agent' }) {
    const base = '/v2/example/agent';
    const list = `${base}/tags/list?n=1000`;
    const documents = inPages(list, releases, pageSize, (page, next) => {
      const tags = page.map(({ version, isMalformed }) => (isMalformed ? [version] : version));
      const link: Record<string, string> =
        next === undefined ? {} : { link: `<${next}>; rel="next"` };
      return json({ name: packageName, tags: tags.length === 0 ? null : tags }, link);
    });
    for (const [index, { version, at, ...release }] of releases.entries()) {
      const digest = digestOf({ version, ...release });
      const manifests = [
        { digest: `sha256:a${index}`, platform: { os: 'unknown', architecture: 'unknown' } },
        { digest: `sha256:b${index}`, platform: { os: 'linux', architecture: 'amd64' } },
      ];
      documents.set(ociRegistry.lookUp!(version), {
        ...json(
          { manifests },
          digest === undefined ? {} : { 'docker-content-digest': `sha256:${digest}` },
        ),
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
  digests: (release) => ({ [release.version]: `sha256:${digestOf(release)}` }),
};
