import { describe, expect, it } from 'vitest';
import type { TypedSource } from '../../../../src/record/sources/index.ts';
import { ask, json } from '../../../harness/asking.ts';
import type { Document, Handler } from '../../../harness/upstream.ts';

const source = (registryUrl: string): TypedSource => ({
  datasource: 'docker',
  packageName: 'example/agent',
  registryUrl,
});
const base = '/v2/example/agent';
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const created = '2026-03-25T10:20:30.123456789Z';

const registry = (
  documents: Record<string, Document>,
  tags: unknown = ['1.0'],
  name = 'example/agent',
) => ({
  [`${base}/tags/list?n=1000`]: json({ name, tags }),
  ...documents,
});
const manifest = (reference: string, value: unknown, type = manifestType) => ({
  [`${base}/manifests/${reference}`]: { ...json(value), type },
});
/** A manifest whose digest the registry states. */
const withDigest = (tag: string, digest: string) => ({
  [`${base}/manifests/${tag}`]: {
    ...json({ manifests: [] }, { 'docker-content-digest': digest }),
    type: manifestType,
  },
});
const config = (digest: string, value: unknown) => ({
  [`${base}/blobs/${digest}`]: { ...json(value), type: 'application/octet-stream' },
});
/** A manifest and its config. */
const image = (tag: string, value: unknown, type = manifestType) => ({
  ...manifest(tag, { config: { digest: 'sha256:c' } }, type),
  ...config('sha256:c', value),
});

/** The digest of the manifest's bytes, which these answers do not state. */
const digests = { '1.0': expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string };

it.each([
  ['an image without an index', { created, os: 'linux' }, { releaseTimestamp: created }],
  ['an artifact that is not an image, such as a chart', { name: 'agent', version: '1.0' }, {}],
])('docker on an OCI registry reads the day of %s, if it has any', async (_, value, stated) => {
  const type = 'application/vnd.docker.distribution.manifest.v2+json';
  const { releases, postponed } = await ask(source, {
    documents: registry(image('1.0', value, type)),
  });

  expect(releases).toEqual([{ version: '1.0', ...stated, digests }]);
  expect(postponed).toEqual([]);
});

it.each([
  ['["not","a","manifest"]', /manifests\/1\.0: expected object; got \["not","a","manifest"\]$/],
  [
    '{"errors":[]}',
    /manifests\/1\.0: expected the key manifests or config; got \{"errors":\[\]\}$/,
  ],
  // Half of a surrogate pair.
  ['{"config":{"digest":"\\ud800"}}', /config\.digest: expected a digest; got /],
])(
  'docker on an OCI registry postpones a day whose document is invalid: %s',
  async (body, message) => {
    const { releases, postponed } = await ask(source, {
      documents: registry({ [`${base}/manifests/1.0`]: { type: manifestType, body } }),
    });

    expect(releases).toEqual([{ version: '1.0' }]);
    expect(postponed).toEqual([['1.0', expect.stringMatching(message)]]);
  },
);

it('docker on an OCI registry leaves out a new tag without a manifest', async () => {
  const { releases, absent, postponed } = await ask(source, {
    documents: registry(image('1.0', { created }), ['1.0', '1.1']),
  });

  expect(releases.map(({ version }) => version)).toEqual(['1.0']);
  expect(absent).toEqual(['1.1']);
  expect(postponed).toEqual([]);
});

it('docker on an OCI registry keeps a tag of which only the image of a platform is missing', async () => {
  const index = { manifests: [{ digest: 'sha256:gone' }] };
  const { releases, absent } = await ask(source, { documents: registry(manifest('1.0', index)) });

  expect(releases).toEqual([{ version: '1.0', digests }]);
  expect(absent).toEqual([]);
});

it('docker on an OCI registry skips invalid tags', async () => {
  const { releases, skipped } = await ask(source, {
    documents: registry({}, ['1.0', '../../x', 'a b', 5]),
    wantsTimestamp: () => false,
  });

  expect(releases).toEqual([{ version: '1.0' }]);
  expect(skipped).toEqual([
    expect.stringMatching(
      /entry 2 \("\.\.\/\.\.\/x"\): expected a tag; .* Skipped 3 of 4 entries\.$/,
    ),
  ]);
});

it.each(['example/agent', 'mirror/example/agent', 'agent'])(
  'docker on an OCI registry knows its repository by the name %s',
  async (name) => {
    const { releases } = await ask(source, {
      documents: registry({}, ['1.0'], name),
      wantsTimestamp: () => false,
    });

    expect(releases).toEqual([{ version: '1.0' }]);
  },
);

describe('known tags of an OCI registry', () => {
  const tags = Array.from({ length: 12 }, (_, index) => `1.${index}`);
  const digestOf = (tag: string) => `sha256:${tag.slice(2).padStart(64, 'a')}`;
  const documents = registry(
    Object.assign({}, ...tags.map((tag) => withDigest(tag, digestOf(tag)))) as Record<
      string,
      Document
    >,
    tags,
  );
  const asked = async (handler: (sound: Handler) => Handler) => {
    const { releases, requests } = await ask(source, {
      documents,
      handler,
      wantsTimestamp: () => false,
    });
    const stated = releases.filter((release) => release.digests);
    return {
      stated: Object.assign({}, ...stated.map(({ digests }) => digests)) as Record<string, string>,
      manifests: requests
        .filter(({ path }) => path.includes('/manifests/'))
        .map(({ method }) => method),
      releases: releases.length,
    };
  };

  it('docker states the digests of the newest ten known tags without fetching a document', async () => {
    const { stated, manifests } = await asked((sound) => sound);

    expect(manifests).toEqual(Array.from({ length: 10 }, () => 'HEAD'));
    expect(stated).toEqual(Object.fromEntries(tags.slice(2).map((tag) => [tag, digestOf(tag)])));
  });

  it.each([
    ['docker passes over a known tag that is not there', 404, { stated: 9, questions: 10 }],
    [
      'docker passes over a known tag whose digest the registry does not give',
      405,
      { stated: 9, questions: 10 },
    ],
  ])('%s', async (_what, status, expected) => {
    const { stated, manifests, releases } = await asked((sound) => (request, response) => {
      if (!request.url!.endsWith('/manifests/1.9')) {
        return sound(request, response);
      }
      response.writeHead(status).end();
    });

    expect({ stated: Object.keys(stated).length, questions: manifests.length }).toEqual(expected);
    expect(releases).toBe(tags.length);
  });
});

it('docker finds official images in their own namespace on Docker Hub', async () => {
  const path = '/v2/repositories/library/alpine/tags?page_size=100';
  const { releases } = await ask(() => ({ datasource: 'docker', packageName: 'alpine' }), {
    routes: (url) => ({ 'https://hub.docker.com/': url }),
    documents: { [path]: json({ results: [{ name: '3.20' }] }) },
  });

  expect(releases).toEqual([{ version: '3.20' }]);
});
