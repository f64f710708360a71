import { createHash } from 'node:crypto';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { RecordedData, RecordedRelease } from '../../../src/core/schemas/recorded.ts';
import { sourceId } from '../../../src/core/schemas/source.ts';
import type { Source } from '../../../src/record/sources/index.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { json, type ImitatedUpstream } from '../../harness/imitated-upstream.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';
import { imitateSigstore, provenanceOf, type Build, type Sigstore } from '../../harness/sigstore.ts';
import { serve, startUpstream, type Document } from '../../harness/upstream.ts';
import { ociRegistry } from '../../harness/upstreams/docker.ts';
import { githubReleases } from '../../harness/upstreams/github.ts';
import { npm } from '../../harness/upstreams/npm.ts';
import { pypi } from '../../harness/upstreams/pypi.ts';

/** A release with its attestation: none, or bundles, by default about this release. */
interface Release {
  version: string;
  build?: Build;
  /** The subject of the bundle, if it is another. */
  about?: string;
  /** The answer instead of the attestation. */
  answer?: Document;
}

type Attest = (release: Release, artifact: string, algorithm?: string) => Promise<object>;

interface Registry {
  imitation: ImitatedUpstream;
  /** Where its list says that the attestation of a version is. */
  attestedAt?(version: string): string;
  /** The documents for an attested release; first the one that holds or names the bundle. */
  attested(release: Release, attest: Attest): Promise<Record<string, Document>>;
}

const hex = (text: string, algorithm = 'sha256') => createHash(algorithm).update(text).digest('hex');
const at = '2026-06-01T00:00:00Z';
const publishType = 'https://docs.pypi.org/attestations/publish/v1';

const registries: Record<string, Registry> = {
  npm: {
    imitation: npm,
    attestedAt: (version) => `npm/-/attestations/agent@${version}`,
    attested: async (release, attest) => {
      const publish = { ...release, build: { predicateType: 'https://example.com/publish/v0.1' } };
      const name = `pkg:npm/%40example/agent@${release.version}`;
      const bundles = [await attest(publish, 'publish'), await attest(release, name, 'sha512')];
      const attestations = bundles.map((bundle) => ({ bundle }));
      return { [`/npm/-/attestations/agent@${release.version}`]: json({ attestations }) };
    },
  },
  pypi: {
    imitation: pypi,
    attestedAt: (version) => `integrity/agent/${version}/provenance`,
    attested: async (release, attest) => {
      const { repository = 'example/agent' } = release.build!;
      const build = { ...release.build!, predicateType: publishType, predicate: null };
      const { verificationMaterial, dsseEnvelope } = (await attest({ ...release, build }, 'agent')) as {
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
      const publisher = { kind: 'GitHub', repository };
      return {
        [`/integrity/agent/${release.version}/provenance`]: {
          ...json({ version: 1, attestation_bundles: [{ publisher, attestations: [attestation] }] }),
          type: 'application/vnd.pypi.integrity.v1+json',
        },
      };
    },
  },
  github: {
    imitation: githubReleases,
    attested: async (release, attest) => ({
      [`/api/repos/example/agent/attestations/sha256:${hex(release.version)}?predicate_type=provenance`]:
        json({ attestations: [{ bundle: await attest(release, 'agent.zip'), repository_id: 1 }] }),
    }),
  },
  oci: {
    imitation: ociRegistry,
    attested: async (release, attest) => {
      const base = '/v2/example/agent';
      const place = release.version.replace('.', '');
      const manifests = [
        { digest: 'sha256:other', artifactType: 'application/spdx+json' },
        { digest: `sha256:m${place}`, artifactType: 'application/vnd.dev.sigstore.bundle.v0.3+json' },
      ];
      return {
        [`${base}/referrers/sha256:${hex(release.version)}`]: json({ manifests }),
        [`${base}/manifests/sha256:m${place}`]: json({ layers: [{ digest: `sha256:bundle${place}` }] }),
        [`${base}/blobs/sha256:bundle${place}`]: {
          ...json(await attest(release, 'agent')),
          type: 'application/octet-stream',
        },
      };
    },
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

function sourceOf(name: string, url: string): Source {
  return registries[name]!.imitation.source(url, []);
}

/** An index with a component for each registry, whose upstream lists the releases passed to `publish`. */
async function indexOf(names: readonly string[]) {
  const documents = new Map<string, Document>();
  const upstream = await startUpstream(() => (request, response) => serve(documents)(request, response));
  onTestFinished(() => upstream.close());
  const root = makeRoot(
    Object.fromEntries(
      names.map((name) => [
        `components/${name}.json`,
        definition({ sources: [sourceOf(name, upstream.url)] }),
      ]),
    ),
  );
  const env = { RELEASE_INDEX_TRUSTED_ROOT: sigstore.rootPath };
  const releasesOf = (name: string) => readJsonIn<RecordedData>(root, `data/${name}.json`).releases;
  return {
    url: upstream.url,
    async publish(releases: readonly Release[]) {
      for (const name of names) {
        const { imitation, attested, attestedAt } = registries[name]!;
        const listed = releases.map(({ version, build }) => ({
          ...{ version, at },
          attestedAt: build && attestedAt && `${upstream.url}${attestedAt(version)}`,
        }));
        const list = imitation.documents!(listed, { url: upstream.url, pageSize: 1000 });
        for (const [path, document] of list) documents.set(path, document);
        for (const release of releases.filter(({ build }) => build)) {
          const entries = Object.entries(await attested(release, attest));
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

test('records the builds that the sources of an index attest, and asks once', async () => {
  const names = Object.keys(registries);
  const index = await indexOf(names);
  await index.publish(ten);
  const first = await index.gather('2026-06-01');
  const again = await index.gather('2026-06-02');

  expect(first.errors).toEqual([]);
  expect(linesOf(first.stderr)).toContain(
    `notice: trusted root: attestations are verified with ${sigstore.rootPath} (RELEASE_INDEX_TRUSTED_ROOT)`,
  );
  for (const name of names) {
    const expected = provenanceOf(sourceId(sourceOf(name, index.url)), ten[3]!.build);
    const { startedOn: _start, finishedOn: _finish, ...published } = expected;
    const stated = name === 'pypi' ? { ...published, predicateType: publishType } : expected;
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

test('rejects a trusted root that cannot be read', async () => {
  const root = makeRoot({ 'components/svc.json': definition() });
  const other = await runCli(['gather', '--root', root], { env: { RELEASE_INDEX_TRUSTED_ROOT: root } });

  expect(other.status).toBe(1);
  expect(other.stderr).toContain(
    'RELEASE_INDEX_TRUSTED_ROOT: expected the path of a trusted root of Sigstore',
  );
});
