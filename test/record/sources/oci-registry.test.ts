import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';
import { answer, type Document, type Handler } from '../../harness/upstream.ts';

const source = (registryUrl: string): Source => ({
  datasource: 'docker',
  packageName: 'example/agent',
  registryUrl,
});
const base = '/v2/example/agent';
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const created = '2026-03-25T10:20:30.123456789Z';

function registry(manifests: Record<string, Document>, tags: unknown = ['1.0'], name = 'example/agent') {
  return { [`${base}/tags/list?n=1000`]: json({ name, tags }), ...manifests };
}

function manifest(reference: string, type: string, value: unknown): Record<string, Document> {
  return { [`${base}/manifests/${reference}`]: { ...json(value), type } };
}

function config(digest: string, value: unknown): Record<string, Document> {
  return {
    [`${base}/blobs/${digest}`]: { ...json(value), type: 'application/octet-stream' },
  };
}

const withToken =
  (sound: Handler, url: string): Handler =>
  (request, response) => {
    if (request.url!.startsWith('/token'))
      return answer(response, 200, 'application/json', '{"token":"abc"}');
    if (request.headers.authorization === 'Bearer abc') return sound(request, response);
    const challenge = `Bearer realm="${url}token",service="registry",scope="repository:example/agent:pull"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
  };

/** The digest of the manifest's bytes, which these answers do not state. */
const digests = { '1.0': expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string };

describe('docker, on an OCI registry', () => {
  it('reads the day of an image without an index', async () => {
    const { releases } = await ask(source, {
      documents: registry({
        ...manifest('1.0', 'application/vnd.docker.distribution.manifest.v2+json', {
          config: { digest: 'sha256:c' },
        }),
        ...config('sha256:c', { created, os: 'linux' }),
      }),
    });

    expect(releases).toEqual([{ version: '1.0', releaseTimestamp: created, digests }]);
  });

  it('skips attestations in an index', async () => {
    const { releases, requests } = await ask(source, {
      documents: registry({
        ...manifest('1.0', 'application/vnd.oci.image.index.v1+json', {
          manifests: [
            { digest: 'sha256:att', platform: { os: 'unknown', architecture: 'unknown' } },
            { digest: 'sha256:amd', platform: { os: 'linux', architecture: 'amd64' } },
            { digest: 'sha256:arm', platform: { os: 'linux', architecture: 'arm64' } },
          ],
        }),
        ...manifest('sha256:amd', 'application/vnd.oci.image.manifest.v1+json', {
          config: { digest: 'sha256:c' },
        }),
        ...config('sha256:c', { created }),
      }),
    });

    expect(releases).toEqual([{ version: '1.0', releaseTimestamp: created, digests }]);
    expect(requests.map(({ path }) => path).filter((path) => path.includes('att'))).toEqual([]);
  });

  it('does not request the day of a tag that is left out', async () => {
    const { requests, releases } = await ask(source, {
      documents: registry({}, ['latest', 'sha-1234567']),
      offer: () => undefined,
    });

    expect(releases).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  it('reads an artifact that is not an image, such as a chart, without a day', async () => {
    const { releases, postponed } = await ask(source, {
      documents: registry({
        ...manifest('1.0', 'application/vnd.oci.image.manifest.v1+json', { config: { digest: 'sha256:c' } }),
        ...config('sha256:c', { name: 'agent', version: '1.0' }),
      }),
    });

    expect(releases).toEqual([{ version: '1.0', digests }]);
    expect(postponed).toEqual([]);
  });

  it('postpones a day whose document is invalid', async () => {
    const { releases, postponed } = await ask(source, {
      documents: registry(
        manifest('1.0', 'application/vnd.oci.image.manifest.v1+json', ['not', 'a', 'manifest']),
      ),
    });

    expect(releases).toEqual([{ version: '1.0' }]);
    expect(postponed).toEqual([
      ['1.0', expect.stringMatching(/manifests\/1\.0: expected object; got \["not","a","manifest"\]$/)],
    ]);
  });

  it('rejects invalid tags', async () => {
    const { releases, skipped } = await ask(source, {
      documents: registry({}, ['1.0', '../../x', 'a b', 5]),
      wantsTimestamp: () => false,
    });

    expect(releases).toEqual([{ version: '1.0' }]);
    expect(skipped).toEqual([
      expect.stringMatching(
        /entry 2 \("\.\.\/\.\.\/x"\): expected a tag; got "\.\.\/\.\.\/x"\. Skipped 3 of 4 entries\.$/,
      ),
    ]);
  });

  it.each(['example/agent', 'mirror/example/agent', 'agent'])(
    'knows its repository by the name %s',
    async (name) => {
      const { releases } = await ask(source, {
        documents: registry({}, ['1.0'], name),
        wantsTimestamp: () => false,
      });

      expect(releases).toEqual([{ version: '1.0' }]);
    },
  );

  it('answers a challenge with an anonymous token, requested once', async () => {
    const { releases, requests } = await ask(source, {
      handler: withToken,
      documents: registry(
        {
          ...manifest('1.0', 'application/vnd.oci.image.manifest.v1+json', {
            config: { digest: 'sha256:c' },
          }),
          ...manifest('1.1', 'application/vnd.oci.image.manifest.v1+json', {
            config: { digest: 'sha256:c' },
          }),
          ...config('sha256:c', { created }),
        },
        ['1.0', '1.1'],
      ),
    });

    expect(releases.map(({ releaseTimestamp }) => releaseTimestamp)).toEqual([created, created]);
    const tokens = requests.map(({ path }) => path).filter((path) => path.startsWith('/token'));
    expect(tokens).toHaveLength(1);
    expect(new URL(tokens[0]!, 'http://x/').searchParams.get('scope')).toBe('repository:example/agent:pull');
  });

  it("leaves a tag without a day if its manifest's digest is half of a surrogate pair", async () => {
    const { releases, postponed } = await ask(source, {
      documents: {
        ...registry({}, ['1.0']),
        '/v2/example/agent/manifests/1.0': {
          type: 'application/vnd.oci.image.manifest.v1+json',
          body: '{"config":{"digest":"\\ud800"}}',
        },
      },
    });

    expect(releases).toEqual([{ version: '1.0' }]);
    expect(postponed).toEqual([['1.0', expect.stringMatching(/config\.digest: expected a digest; got /)]]);
  });

  describe('asked about known tags', () => {
    const tags = Array.from({ length: 12 }, (_, index) => `1.${index}`);
    const digestOf = (tag: string) => `sha256:${tag.slice(2).padStart(64, 'a')}`;
    const documents = registry(
      Object.fromEntries(
        tags.map((tag) => [
          `${base}/manifests/${tag}`,
          { ...json({}, { 'docker-content-digest': digestOf(tag) }), type: manifestType },
        ]),
      ),
      tags,
    );
    const asked = async (handler: (sound: Handler) => Handler) => {
      const { releases, requests } = await ask(source, { documents, handler, wantsTimestamp: () => false });
      const stated = releases.filter((release) => release.digests);
      return {
        stated: Object.assign({}, ...stated.map(({ digests }) => digests)) as Record<string, string>,
        manifests: requests.filter(({ path }) => path.includes('/manifests/')).map(({ method }) => method),
        releases: releases.length,
      };
    };

    it('states the digests of the newest ten without fetching a document', async () => {
      const { stated, manifests } = await asked((sound) => sound);

      expect(manifests).toEqual(Array.from({ length: 10 }, () => 'HEAD'));
      expect(stated).toEqual(Object.fromEntries(tags.slice(2).map((tag) => [tag, digestOf(tag)])));
    });

    it.each([
      ['passes over a tag that is not there', 404, { stated: 9, questions: 10 }],
      ['stops where the registry does not answer such a question', 405, { stated: 2, questions: 3 }],
    ])('%s', async (_what, status, expected) => {
      const { stated, manifests, releases } = await asked((sound) => (request, response) => {
        if (!request.url!.endsWith('/manifests/1.9')) return sound(request, response);
        response.writeHead(status).end();
      });

      expect({ stated: Object.keys(stated).length, questions: manifests.length }).toEqual(expected);
      expect(releases).toBe(tags.length);
    });
  });

  it('stops asking a registry without an API for referrers', async () => {
    const { attestations, requests } = await ask(source, {
      documents: registry({ ...manifest('1.0', manifestType, {}), ...manifest('1.1', manifestType, {}) }, [
        '1.0',
        '1.1',
      ]),
    });
    const before = requests.length;

    await expect(attestations[0]!.fetch()).rejects.toMatchObject({ kind: 'absent' });
    expect(await attestations[1]!.fetch()).toEqual([]);
    expect(requests.length).toBe(before + 1);
  });

  it('reads bundles from tags that list referrers', async () => {
    const digestOf = (version: string) => `sha256:${version[2]!.repeat(64)}`;
    const tagged = (version: string) => ({
      [`${base}/manifests/${version}`]: {
        ...json({}, { 'docker-content-digest': digestOf(version) }),
        type: manifestType,
      },
    });
    const referrers = digestOf('1.1').replace(':', '-');
    const type = 'application/vnd.dev.sigstore.bundle.v0.3+json';
    const { attestations, requests } = await ask(source, {
      documents: registry(
        {
          ...tagged('1.1'),
          ...tagged('1.2'),
          ...manifest(referrers, 'application/vnd.oci.image.index.v1+json', {
            manifests: [{ digest: 'sha256:m', artifactType: type }],
          }),
          ...manifest('sha256:m', manifestType, { layers: [{ digest: 'sha256:b' }] }),
          ...config('sha256:b', { mediaType: type }),
        },
        ['1.1', '1.2', referrers],
      ),
      offer: (tag) => (tag.startsWith('1') ? tag : undefined),
    });
    const before = requests.length;

    expect(await Promise.all(attestations.map(({ fetch }) => fetch()))).toEqual([
      [{ bundle: { mediaType: type } }],
      [],
    ]);
    expect(requests.length).toBe(before + 3);
  });
});
