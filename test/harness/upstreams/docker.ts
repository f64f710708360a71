import { digestOf, json, pagesOf, type ImitatedUpstream } from '../imitated-upstream.ts';
import type { Document } from '../upstream.ts';

export const dockerHub: ImitatedUpstream = {
  name: 'docker (Docker Hub)',
  home: '/v2/repositories/example/agent/',
  hasPages: true,
  entry: 'object',
  source: () => ({ datasource: 'docker', packageName: 'example/agent' }),
  standsFor: 'https://hub.docker.com/',
  documents(releases, { url, pageSize }) {
    const list = '/v2/repositories/example/agent/tags?page_size=100';
    const path = (page: number) => (page === 0 ? list : `${list}&page=${page + 1}`);
    const pages = pagesOf(releases, pageSize);
    return new Map(
      pages.map((page, index) => {
        const next = index + 1 < pages.length ? new URL(path(index + 1), url).href : null;
        const results = page.map(({ version, at, isMalformed, ...release }) => {
          const digest = digestOf({ version, ...release });
          return {
            name: version,
            tag_last_pushed: isMalformed ? 5 : (at ?? null),
            last_updated: '2001-01-01T00:00:00Z',
            ...(digest !== undefined && { digest: `sha256:${digest}` }),
          };
        });
        return [path(index), json({ count: releases.length, next, previous: null, results })];
      }),
    );
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
    const path = (page: number) => (page === 0 ? list : `${list}&last=${page}`);
    const documents = new Map<string, Document>();
    const pages = pagesOf(releases, pageSize);
    for (const [index, page] of pages.entries()) {
      const tags = page.map(({ version, isMalformed }) => (isMalformed ? [version] : version));
      const link = index + 1 < pages.length ? { link: `<${path(index + 1)}>; rel="next"` } : {};
      documents.set(path(index), json({ name: packageName, tags: tags.length === 0 ? null : tags }, link));
    }
    for (const [index, { version, at, ...release }] of releases.entries()) {
      const digest = digestOf({ version, ...release });
      const manifests = [
        { digest: `sha256:a${index}`, platform: { os: 'unknown', architecture: 'unknown' } },
        { digest: `sha256:b${index}`, platform: { os: 'linux', architecture: 'amd64' } },
      ];
      documents.set(ociRegistry.lookUp!(version), {
        ...json({ manifests }, digest === undefined ? {} : { 'docker-content-digest': `sha256:${digest}` }),
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
