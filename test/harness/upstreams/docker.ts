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
    for (const { version, at, ...release } of releases) {
      const digest = digestOf({ version, ...release });
      const attestations = nameDigest('attestations', version);
      const image = nameDigest('image', version);
      const manifests = [
        { digest: attestations, platform: { os: 'unknown', architecture: 'unknown' } },
        { digest: image, platform: { os: 'linux', architecture: 'amd64' } },
      ];
      documents.set(`${base}/manifests/${version}`, {
        ...json(
          { manifests },
          digest === undefined ? {} : { 'docker-content-digest': `sha256:${digest}` },
        ),
        type: 'application/vnd.oci.image.index.v1+json',
      });
      documents.set(`${base}/manifests/${image}`, {
        ...json({ config: { digest: nameDigest('config', version) } }),
        type: 'application/vnd.oci.image.manifest.v1+json',
      });
      documents.set(ociRegistry.lookUp!(version), {
        ...json({ created: at }),
        type: 'application/octet-stream',
      });
    }
    return documents;
  },
  lookUp: (version) => `/v2/example/agent/blobs/${nameDigest('config', version)}`,
  digests: (release) => ({ [release.version]: `sha256:${digestOf(release)}` }),
};

/** A digest of a document about a version, in the form of OCI. */
function nameDigest(document: string, version: string): string {
  return `sha256:${document}-${Buffer.from(version).toString('hex')}`;
}
