import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { docker } from '../../../src/sources/registries/docker.ts';
import { ask, askRegistry } from '../../harness/ask-source.ts';
import { json, text, type Documents } from '../../harness/upstream.ts';

const base = '/v2/example/agent';
const created = '2026-03-25T10:20:30.123456789Z';
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const image = json({ config: { digest: 'sha256:c' } }, { 'docker-content-digest': digest('a') });
const config = (value: unknown): Documents => ({
  [`${base}/blobs/sha256:c`]: text(JSON.stringify(value), 'application/octet-stream'),
});

const askTags = (tags: unknown, documents: Documents) =>
  askRegistry(
    { datasource: 'docker', packageName: 'example/agent' },
    { [`${base}/tags/list?n=1000`]: json({ tags }), ...documents },
  );

test('docker gives no date to an artifact that is not an image', async () => {
  const documents = { [`${base}/manifests/1.0`]: image, ...config({ name: 'agent' }) };
  const { releases } = await askTags(['1.0'], documents);

  expect(releases).toEqual([{ version: '1.0', digests: [digest('a')] }]);
});

test('docker computes the digest if the registry gives no digest', async () => {
  const { releases } = await askTags(['1.0'], { [`${base}/manifests/1.0`]: json({}) });

  expect(releases[0]?.digests).toEqual([`sha256:${hash('sha256', '{}')}`]);
});

test('docker leaves out a tag without a manifest, and an invalid tag', async () => {
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

test('docker looks up the newest tags first', async () => {
  const enough = new AbortController();
  const tags = ['1', ...Array.from({ length: 12 }, (_, index) => `1.${index}.0`)];
  const documents = {
    [`${base}/tags/list?n=1000`]: json({ tags }),
    [`${base}/manifests/1.11.0`]: image,
    ...config({ created }),
  };
  const held = new Set(tags.slice(5, -1).map((version) => `${base}/manifests/${version}`));
  const { releases, notes, isCut } = await ask(
    (registryUrl) => ({ datasource: 'docker', packageName: 'example/agent', registryUrl }),
    {
      documents,
      recorded: { releases: [{ version: '1.0.0', sources: [] }] },
      enough: enough.signal,
      change: (sound) => (request, response) => {
        // The client asks for eight manifests at a time. Of the first eight, only 1.11.0 gets an answer, so the client then asks for 1.3.0.
        // This request makes the time run out.
        if (request.url === `${base}/manifests/1.3.0`) {
          enough.abort();
        } else if (!held.has(request.url!)) {
          sound(request, response);
        }
      },
    },
  );

  expect(releases.map(({ version }) => version)).toEqual(['1.0.0', '1.11.0']);
  expect(isCut).toBe(true);
  expect(notes).toEqual([
    '11 of 13 releases could not be looked up in time. The next run goes on.',
  ]);
});

test('docker finds official images in the namespace "library" at Docker Hub', async () => {
  const path = '/v2/repositories/library/alpine/tags?page_size=100';
  const { releases } = await ask(() => ({ datasource: 'docker', packageName: 'alpine' }), {
    standsFor: 'https://hub.docker.com/',
    documents: { [path]: json({ results: [{ name: '3.20' }, { name: '3.20.0' }] }) },
  });

  // The tag 3.20 moves to each new patch, so it is not a release.
  expect(releases).toEqual([{ version: '3.20.0' }]);
});

describe('an image tag', () => {
  const tag = (version: string, digest?: string, day?: string) => ({
    version,
    ...(digest && { digests: [digest] }),
    ...(day && { releaseTimestamp: `2026-03-${day}T00:00:00Z` }),
  });
  type Tags = ReturnType<typeof tag>[];

  test.each<[string, Tags, Tags, string[]]>([
    [
      'is a release if its image differs from all longer tags',
      [tag('2025.1', 'a', '01'), tag('2025.1.1', 'b', '09')],
      [],
      ['2025.1', '2025.1.1'],
    ],
    [
      'is not a release if it is new, and later than a recorded longer tag, because it has moved',
      [tag('1.25', 'c', '09')],
      [tag('1.25.4', 'a', '01')],
      [],
    ],
    [
      'is a release if it is new, but earlier than a recorded longer tag',
      [tag('2025.1', 'c', '01')],
      [tag('2025.1.1', 'a', '09')],
      ['2025.1'],
    ],
    [
      'is left to the next run if its image could not be read',
      [tag('1.25'), tag('1.25.4', 'a'), tag('2.0')],
      [],
      ['1.25.4', '2.0'],
    ],
    [
      'is compared only with longer tags of the same suffix',
      [tag('1.25-alpine', 'a'), tag('1.25.4', 'a'), tag('1-jdk', 'b'), tag('1.2-jdk', 'b')],
      [],
      ['1.25-alpine', '1.25.4', '1.2-jdk'],
    ],
  ])('%s', (_, tags, recorded, expected) => {
    expect(docker.select!(tags, recorded).map(({ version }) => version)).toEqual(expected);
  });

  test('is a release even if other tags with as many numbers point to its image', () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => tag(`1.${index}.0`, 'a'));

    expect(docker.select!([tag('1', 'a'), ...tags], tags)).toEqual(tags);
  });

  test('loses its recorded digest if it moves to another image', () => {
    const recorded = [tag('1.25', 'b', '01')];
    const [kept] = docker.select!([tag('1.25', 'a'), tag('1.25.4', 'a')], recorded);

    expect(kept).toEqual({ version: '1.25', digests: undefined });
  });
});
