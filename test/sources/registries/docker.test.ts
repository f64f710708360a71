import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../../src/core/schema/recorded.ts';
import { ask } from '../../harness/ask-source.ts';
import { json, text, type Documents } from '../../harness/upstream.ts';

const base = '/v2/example/agent';
const created = '2026-03-25T10:20:30.123456789Z';
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const image = json({ config: { digest: 'sha256:c' } }, { 'docker-content-digest': digest('a') });
const config = (value: unknown): Documents => ({
  [`${base}/blobs/sha256:c`]: text(JSON.stringify(value), 'application/octet-stream'),
});

const askTags = (tags: unknown, documents: Documents, recorded: RecordedRelease[] = []) =>
  ask((registryUrl) => ({ datasource: 'docker', packageName: 'example/agent', registryUrl }), {
    documents: { [`${base}/tags/list?n=1000`]: json({ tags }), ...documents },
    recorded: { releases: recorded },
  });

test.each([
  ['an artifact that is no image', config({ name: 'agent' })],
  ['an image without a configuration', {}],
])('docker states no day of %s at an OCI registry', async (_, documents) => {
  const { releases } = await askTags(['1.0'], {
    [`${base}/manifests/1.0`]: image,
    ...documents,
  });

  expect(releases.map(({ releaseTimestamp }) => releaseTimestamp)).toEqual([undefined]);
});

test('docker computes the digest where the registry states none', async () => {
  const { releases } = await askTags(['1.0'], { [`${base}/manifests/1.0`]: json({}) });

  // Of the two bytes of {}.
  expect(releases[0]?.digests).toEqual([
    'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  ]);
});

test('docker leaves out a tag without a manifest, and one whose name is none', async () => {
  const { releases, notes, isPartial } = await askTags(['1.0', '1.1', '../../x', 'a b'], {
    [`${base}/manifests/1.0`]: image,
    ...config({ created }),
  });

  expect(releases.map(({ version }) => version)).toEqual(['1.0']);
  expect(isPartial).toBe(true);
  expect(notes).toEqual([
    'entry 3: expected a tag; got "../../x". Skipped 2 of 4 entries.',
    'lists 1.1, but has nothing to download. Left out.',
  ]);
});

test('docker asks no day of an image that is recorded under another tag', async () => {
  const recorded: RecordedRelease = {
    version: '1.0',
    releaseTimestamp: '2026-03-01T00:00:00Z',
    timestampKind: 'published',
    sources: [],
    digests: [digest('a')],
  };
  const documents = { [`${base}/manifests/1.0-debian`]: image };
  const { releases, asked } = await askTags(['1.0-debian'], documents, [recorded]);

  expect(releases).toEqual([
    {
      version: '1.0-debian',
      releaseTimestamp: '2026-03-01T00:00:00Z',
      digests: [digest('a')],
    },
  ]);
  expect(asked).toEqual([`GET ${base}/tags/list?n=1000`, `GET ${base}/manifests/1.0-debian`]);
});

test('docker finds official images in their own namespace at Docker Hub', async () => {
  const path = '/v2/repositories/library/alpine/tags?page_size=100';
  const { releases } = await ask(() => ({ datasource: 'docker', packageName: 'alpine' }), {
    standsFor: 'https://hub.docker.com/',
    documents: { [path]: json({ results: [{ name: '3.20' }, { name: '3.20.0' }] }) },
  });

  // Both spell one version; the longer one does not move.
  expect(releases[0]).toEqual({ version: '3.20.0' });
});
