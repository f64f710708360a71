import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RecordedData, RecordedRelease } from '../../../src/core/schemas/recorded.ts';
import { shippedTrustedRoot } from '../../../src/io/trusted-root.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';
import { imitateSigstore, provenanceOf, type Build, type Sigstore } from '../../harness/sigstore.ts';
import { serve, startUpstream, type Document } from '../../harness/upstream.ts';

/** A release with its attestation: none, or bundles, by default about this release. */
interface Release {
  version: string;
  build?: Build;
  /** The subject of the bundle, if it is another. */
  about?: string;
  /** The answer instead of the attestation. */
  answer?: Document;
}

type Documents = Record<string, Document>;
type Attest = (release: Release, artifact: string, algorithm?: string) => Promise<object>;

interface Registry {
  source(url: string): object;
  /** The id of the source in recorded data. */
  id: string;
  /** Requests for the list and for a new version without attestations. */
  list(releases: readonly Release[], url: string): Documents;
  /** Additional requests for an attested release; first the document that holds or names the bundle. */
  attested(release: Release, attest: Attest): Promise<Documents>;
}

const hex = (text: string, algorithm = 'sha256') => createHash(algorithm).update(text).digest('hex');
const at = '2026-06-01T00:00:00Z';
const fileOf = (version: string) => `agent-${version}.tar.gz`;

const registries: Record<string, Registry> = {
  npm: {
    id: 'npm:@example/agent',
    source: (url) => ({ datasource: 'npm', packageName: '@example/agent', registryUrl: `${url}npm/` }),
    list: (releases, url) => ({
      '/npm/@example%2fagent': json({
        name: '@example/agent',
        versions: Object.fromEntries(
          releases.map(({ version, build }) => [
            version,
            {
              dist: {
                integrity: `sha512-${createHash('sha512').update(version).digest('base64')}`,
                ...(build && { attestations: { url: `${url}npm/-/attestations/agent@${version}` } }),
              },
            },
          ]),
        ),
        time: { created: at, ...Object.fromEntries(releases.map(({ version }) => [version, at])) },
      }),
    }),
    attested: async (release, attest) => ({
      [`/npm/-/attestations/agent@${release.version}`]: json({
        attestations: [
          {
            bundle: await attest(
              { ...release, build: { predicateType: 'https://example.com/publish/v0.1' } },
              'publish',
            ),
          },
          { bundle: await attest(release, `pkg:npm/%40example/agent@${release.version}`, 'sha512') },
        ],
      }),
    }),
  },
  pypi: {
    id: 'pypi:agent',
    source: (url) => ({ datasource: 'pypi', packageName: 'agent', registryUrl: `${url}simple/` }),
    list: (releases, url) => ({
      '/simple/agent/': {
        type: 'application/vnd.pypi.simple.v1+json',
        body: JSON.stringify({
          name: 'agent',
          files: releases.map(({ version, build }) => ({
            filename: fileOf(version),
            hashes: { sha256: hex(version) },
            'upload-time': at,
            ...(build && { provenance: `${url}integrity/agent/${version}/provenance` }),
          })),
        }),
      },
    }),
    attested: async (release, attest) => {
      const { repository = 'example/agent' } = release.build!;
      const predicateType = 'https://docs.pypi.org/attestations/publish/v1';
      const build = { ...release.build!, predicateType, predicate: null };
      const { verificationMaterial, dsseEnvelope } = (await attest(
        { ...release, build },
        fileOf(release.version),
      )) as {
        verificationMaterial: { certificate: { rawBytes: string }; tlogEntries: unknown[] };
        dsseEnvelope: { payload: string; signatures: [{ sig: string }] };
      };
      const attestation = {
        version: 1,
        verification_material: {
          certificate: verificationMaterial.certificate.rawBytes,
          transparency_entries: verificationMaterial.tlogEntries,
        },
        envelope: { statement: dsseEnvelope.payload, signature: dsseEnvelope.signatures[0].sig },
      };
      return {
        [`/integrity/agent/${release.version}/provenance`]: {
          type: 'application/vnd.pypi.integrity.v1+json',
          body: JSON.stringify({
            version: 1,
            attestation_bundles: [{ publisher: { kind: 'GitHub', repository }, attestations: [attestation] }],
          }),
        },
      };
    },
  },
  github: {
    id: 'github-releases:example/agent',
    source: (url) => ({ datasource: 'github-releases', packageName: 'example/agent', registryUrl: url }),
    list: (releases) => ({
      '/repos/example/agent/releases?per_page=100': json(
        releases.map(({ version }) => ({
          tag_name: version,
          published_at: at,
          assets: [
            { name: 'SHA256SUMS', digest: `sha256:${hex('sums')}`, size: 100 },
            { name: 'agent.zip', digest: `sha256:${hex(version)}`, size: 100_000 },
          ],
        })),
      ),
    }),
    attested: async (release, attest) => ({
      [`/repos/example/agent/attestations/sha256:${hex(release.version)}?predicate_type=provenance`]: json({
        attestations: [{ bundle: await attest(release, 'agent.zip'), repository_id: 1 }],
      }),
    }),
  },
  oci: {
    id: 'docker:example/agent',
    source: (url) => ({ datasource: 'docker', packageName: 'example/agent', registryUrl: url }),
    list: (releases) => ({
      '/v2/example/agent/tags/list?n=1000': json({
        name: 'example/agent',
        tags: releases.map((one) => one.version),
      }),
      '/v2/example/agent/blobs/sha256:c': {
        type: 'application/octet-stream',
        body: JSON.stringify({ created: at }),
      },
      ...Object.fromEntries(
        releases.flatMap(({ version }) => [
          [
            `/v2/example/agent/manifests/${version}`,
            json({ config: { digest: 'sha256:c' } }, { 'docker-content-digest': `sha256:${hex(version)}` }),
          ],
          [`/v2/example/agent/referrers/sha256:${hex(version)}`, json({ manifests: [] })],
        ]),
      ),
    }),
    attested: async (release, attest) => ({
      [`/v2/example/agent/referrers/sha256:${hex(release.version)}`]: json({
        manifests: [
          { digest: 'sha256:other', artifactType: 'application/spdx+json' },
          {
            digest: `sha256:m${release.version}`,
            artifactType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
          },
        ].map((one) => ({ ...one, digest: one.digest.replaceAll('.', '') })),
      }),
      [`/v2/example/agent/manifests/sha256:m${release.version.replaceAll('.', '')}`]: json({
        layers: [{ digest: `sha256:b${release.version.replaceAll('.', '')}` }],
      }),
      [`/v2/example/agent/blobs/sha256:b${release.version.replaceAll('.', '')}`]: {
        type: 'application/octet-stream',
        body: JSON.stringify(await attest(release, 'agent')),
      },
    }),
  },
};

let sigstore: Sigstore;
beforeAll(async () => {
  sigstore = await imitateSigstore();
});

const made = new Map<string, Promise<object>>();
const attest: Attest = ({ version, build, about = version }, name, algorithm = 'sha256') => {
  const key = JSON.stringify([build, about, name, algorithm]);
  const digest = { [algorithm]: hex(about, algorithm) };
  const bundle = made.get(key) ?? sigstore.attest({ name, digest }, build);
  made.set(key, bundle);
  return bundle;
};

/** An index with a component for each registry, whose upstream lists the releases passed to `publish`. */
async function indexOf(names: readonly string[]) {
  const documents = new Map<string, Document>();
  const upstream = await startUpstream(() => (request, response) => serve(documents)(request, response));
  onTestFinished(() => upstream.close());
  const root = makeRoot(
    Object.fromEntries(
      names.map((name) => [
        `components/${name}.json`,
        definition({ sources: [registries[name]!.source(upstream.url)] }),
      ]),
    ),
  );
  const env = { RELEASE_INDEX_TRUSTED_ROOT: sigstore.rootPath };
  const releasesOf = (name: string) => readJsonIn<RecordedData>(root, `data/${name}.json`).releases;
  return {
    async publish(releases: readonly Release[]) {
      for (const name of names) {
        const registry = registries[name]!;
        for (const [path, document] of Object.entries(registry.list(releases, upstream.url)))
          documents.set(path, document);
        for (const release of releases.filter(({ build }) => build)) {
          const entries = Object.entries(await registry.attested(release, attest));
          if (release.answer) entries[0]![1] = release.answer;
          for (const [path, document] of entries) documents.set(path, document);
        }
      }
    },
    /** The lines that a run prints, and the attestations that it requested. */
    async gather(day: string, ...args: string[]) {
      upstream.requests.length = 0;
      const ran = await runCli(['gather', '--record-freshness', ...args, '--root', root, '--as-of', day], {
        env,
      });
      const paths = upstream.requests.map(({ path }) => decodeURIComponent(path));
      const errors = linesOf(ran.stderr).filter((line) => !/^(?:gather |notice: trusted root)/.test(line));
      return { ...ran, errors, paths };
    },
    releasesOf,
    entry: (name: string, version: string): RecordedRelease | undefined =>
      releasesOf(name).find((release) => release.version === version),
  };
}

const repository = 'https://github.com/example/agent';
const ten: Release[] = Array.from({ length: 10 }, (_, index) => ({
  version: `1.${index}`,
  build: { ref: `refs/tags/v1.${index}` },
}));

describe('an index whose sources attest the builds of ten versions', () => {
  const names = Object.keys(registries);

  test('records them once', async () => {
    const index = await indexOf(names);
    await index.publish(ten);
    const first = await index.gather('2026-06-01');
    const again = await index.gather('2026-06-02');

    expect(first.errors).toEqual([]);
    for (const name of names) {
      const expected = provenanceOf(registries[name]!.id, ten[3]!.build);
      const { startedOn: _start, finishedOn: _finish, ...published } = expected;
      const predicateType = 'https://docs.pypi.org/attestations/publish/v1';
      const stated = name === 'pypi' ? { ...published, predicateType } : expected;
      expect(index.entry(name, '1.3')?.provenance).toEqual(stated);
      expect(index.releasesOf(name).filter(({ provenance }) => provenance)).toHaveLength(10);
    }
    const asked = (paths: string[]) =>
      ['/npm/-/', '/integrity/', '/attestations/sha256', '/referrers/'].map(
        (part) => paths.filter((path) => path.includes(part)).length,
      );
    expect(asked(first.paths)).toEqual([10, 10, 10, 10]);
    expect(asked(again.paths)).toEqual([0, 0, 0, 0]);
  });
});

const unreadable: Document = { type: 'text/html', body: '<p>soon</p>' };

test('a version without comparable releases is recorded without unreadable or invalid attestations', async () => {
  const index = await indexOf(['npm']);
  await index.publish([
    { version: '1.0', build: {}, about: 'another package' },
    { version: '1.1', build: {}, answer: unreadable },
  ]);
  const first = await index.gather('2026-06-01');
  await index.publish([
    { version: '1.0', build: {} },
    { version: '1.1', build: {} },
  ]);
  const second = await index.gather('2026-06-02');
  const third = await index.gather('2026-06-03');

  const [stated, expected] = ['another package', '1.0'].map((text) => `sha512:${hex(text, 'sha512')}`);
  expect(first.errors).toEqual([
    expect.stringMatching(
      /^warning: npm: npm:@example\/agent: the attestation of 1\.1 could not be read \(GET .* The next run asks again\.$/,
    ),
    `warning: npm: npm:@example/agent: 1.0: attestation of @example/agent@1.0: expected a statement on ${expected}; ` +
      `got one on ${stated} (pkg:npm/%40example/agent@1.0). Left it out; the release is recorded without provenance.`,
  ]);
  const asked = (paths: string[]) => paths.filter((path) => path.includes('/-/'));
  expect(asked(second.paths)).toEqual(['/npm/-/attestations/agent@1.1']);
  expect(index.releasesOf('npm').map(({ provenance }) => provenance?.repository)).toEqual([
    undefined,
    repository,
  ]);
  expect(asked(third.paths)).toEqual([]);
});

test('the first answer of a source needs requests for only ten of 500 versions', async () => {
  const index = await indexOf(['npm']);
  const many = Array.from({ length: 500 }, (_, number) => ({
    version: `1.${number}`,
    ...(number >= 490 && { build: {} }),
  }));
  await index.publish(many);
  const { paths } = await index.gather('2026-06-01');

  expect(paths).toHaveLength(11);
  expect(index.releasesOf('npm').filter(({ provenance }) => provenance)).toHaveLength(10);
});

test('a real attestation of PyPI is verified by the shipped trusted root, and recorded', async () => {
  const filename = 'pypi_attestations-0.0.19.tar.gz';
  const fixture = new URL('../../fixtures/attestations/pypi-pypi-attestations-0.0.19.json', import.meta.url);
  const sha256 = '9bb1add04b1b4e182be6b0b80931593f7a291eb49d69b4fd728a5d4cbcdc4bd3';
  const upstream = await startUpstream((url) => {
    const file = { filename, hashes: { sha256 }, 'upload-time': at, provenance: `${url}provenance` };
    const index = JSON.stringify({ name: 'pypi-attestations', files: [file] });
    return serve(
      new Map([
        ['/simple/pypi-attestations/', { type: 'application/vnd.pypi.simple.v1+json', body: index }],
        ['/provenance', { type: 'application/vnd.pypi.integrity.v1+json', body: readFileSync(fixture) }],
      ]),
    );
  });
  onTestFinished(() => upstream.close());
  const source = {
    datasource: 'pypi',
    packageName: 'pypi-attestations',
    registryUrl: `${upstream.url}simple/`,
  };
  const trustedRoot = TrustedRoot.toJSON(await shippedTrustedRoot());
  const root = makeRoot({
    'components/svc.json': definition({ sources: [source] }),
    'root.json': trustedRoot,
  });
  const env = { RELEASE_INDEX_TRUSTED_ROOT: `${root}/root.json` };
  const ran = await runCli(['gather', '--root', root, '--as-of', '2026-06-01'], { env });
  const other = await runCli(['gather', '--root', root], { env: { RELEASE_INDEX_TRUSTED_ROOT: root } });

  expect(linesOf(ran.stderr).filter((line) => /^(?:warning|notice)/.test(line))).toEqual([
    `notice: trusted root: attestations are verified with ${root}/root.json (RELEASE_INDEX_TRUSTED_ROOT)`,
  ]);
  expect(readJsonIn<RecordedData>(root, 'data/svc.json').releases[0]?.provenance).toEqual({
    source: 'pypi:pypi-attestations',
    builder:
      'https://github.com/trailofbits/pypi-attestations/.github/workflows/release.yml@refs/tags/v0.0.19',
    run: 'https://github.com/trailofbits/pypi-attestations/actions/runs/12169989787/attempts/1',
    repository: 'https://github.com/trailofbits/pypi-attestations',
    commit: '08802efe1f8e5fec4ad842d6b8ce97656092ee72',
    ref: 'refs/tags/v0.0.19',
    predicateType: 'https://docs.pypi.org/attestations/publish/v1',
  });
  expect(other.status).toBe(1);
  expect(other.stderr).toContain(
    'RELEASE_INDEX_TRUSTED_ROOT: expected the path of a trusted root of Sigstore',
  );
});
