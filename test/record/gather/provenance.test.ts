import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { RecordedData } from '../../../src/core/schemas/recorded/recorded.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { npmIndex, type Listing } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn, temporaryFolder } from '../../harness/root.ts';
import {
  imitateSigstore,
  provenanceOf,
  type Build,
  type Sigstore,
} from '../../harness/sigstore.ts';
import { serve, type Document } from '../../harness/upstream.ts';

/** A release with its attestation: none, or bundles, by default about this release. */
interface Release {
  version: string;
  build?: Build;
  /** The subject of the bundle, if it is another. */
  about?: string;
  /** The answer instead of the attestation. */
  answer?: Document;
  /** The address of the attestation, if it is elsewhere. */
  attestedAt?: string;
}

const hex = (text: string) => createHash('sha512').update(text).digest('hex');
const at = '2026-06-01T00:00:00Z';

let sigstore: Sigstore;
beforeAll(async () => {
  sigstore = await imitateSigstore();
});

/** The registry's documents for an attested release: an attestation of its publication, and one of its build. */
async function attestationsOf({ version, build, about = version }: Release): Promise<Document> {
  const subject = (text: string) => ({
    name: `pkg:npm/agent@${version}`,
    digest: { sha512: hex(text) },
  });
  const publish = { predicateType: 'https://example.com/publish/v0.1' };
  const bundles = [
    sigstore.attest(subject(version), publish),
    sigstore.attest(subject(about), build),
  ];
  return json({ attestations: (await Promise.all(bundles)).map((bundle) => ({ bundle })) });
}

/** An index with one package, whose registry lists the releases passed to `publish`. */
async function openIndex() {
  const { registry, root, run } = await npmIndex({ agent: {} });
  const env = { RELEASE_INDEX_TRUSTED_ROOT: sigstore.rootPath };
  return {
    async publish(releases: readonly Release[]) {
      const listing: Record<string, Listing[string]> = {};
      for (const release of releases) {
        const { version, build } = release;
        const path = `-/attestations/agent@${version}`;
        const integrity = `sha512-${Buffer.from(hex(version), 'hex').toString('base64')}`;
        listing[version] = {
          at,
          integrity,
          attestedAt: release.attestedAt ?? (build && `${registry.url}${path}`),
        };
        if (!build) {
          continue;
        }
        const document = release.answer ?? (await attestationsOf(release));
        registry.packages.set(path, serve(new Map([[`/${path}`, document]])));
      }
      registry.packages.set('agent', listing);
    },
    /** The lines that a run prints, and its requests for attestations. */
    async gather(day: string) {
      registry.requests.length = 0;
      const ran = await run(['gather', '--as-of', day], { env });
      const errors = linesOf(ran.stderr).filter((line) => !line.startsWith('gather '));
      const asked = registry.requests.flatMap(({ path }) => (path.startsWith('/-/') ? path : []));
      return { ...ran, errors, asked, requests: registry.requests.length };
    },
    /** Records what another job gathered, after somebody has edited it. */
    async handOver(day: string, edit: (answers: string) => string) {
      const folder = temporaryFolder();
      await run(['gather', '--answers', folder, '--as-of', day], { env });
      const file = join(folder, 'agent.json');
      writeFileSync(file, edit(readFileSync(file, 'utf8')));
      return run(['daily', '--gathered', folder, '--skip-publish', '--as-of', day], { env });
    },
    releases: () => readJsonIn<RecordedData>(root, 'data/agent.json').releases,
  };
}

test('records the builds that a source attests, and asks once', async () => {
  const index = await openIndex();
  const build = { ref: 'refs/tags/v1.0' };
  await index.publish(['1.0', '1.1'].map((version) => ({ version, build })));
  const first = await index.gather('2026-06-01');
  const again = await index.gather('2026-06-02');

  expect(first.errors).toEqual([]);
  const expected = provenanceOf('npm:agent', build);
  expect(index.releases().map(({ provenance }) => provenance)).toEqual([expected, expected]);
  expect([first.asked.length, again.asked.length]).toEqual([2, 0]);
});

test('the job that publishes verifies the attestations that another job fetched', async () => {
  const index = await openIndex();
  await index.publish(['1.0', '1.1'].map((version) => ({ version, build: {} })));

  const digest = `sha512:${hex('1.1')}`;
  const { stderr } = await index.handOver('2026-06-01', (answers) =>
    answers.replace(digest, `sha512:${hex('other bytes')}`),
  );

  expect(index.releases().map(({ provenance }) => provenance)).toEqual([
    provenanceOf('npm:agent', {}),
    undefined,
  ]);
  expect(stderr).toContain('1.1: attestation of agent@1.1: expected a statement on');
});

test('a version without comparable releases is recorded without unreadable or invalid attestations', async () => {
  const index = await openIndex();
  await index.publish([
    { version: '1.0', build: {}, about: 'another package' },
    { version: '1.1', build: {}, answer: { type: 'text/html', body: '<p>soon</p>' } },
  ]);
  const first = await index.gather('2026-06-01');
  await index.publish(['1.0', '1.1'].map((version) => ({ version, build: {} })));
  const second = await index.gather('2026-06-02');
  const third = await index.gather('2026-06-03');

  const [stated, expected] = ['another package', '1.0'].map((text) => `sha512:${hex(text)}`);
  expect(first.errors).toEqual([
    expect.stringMatching(
      /^warning: agent: npm:agent: the attestation of 1\.1 could not be read \(GET .* The next run asks again\.$/,
    ),
    `warning: agent: npm:agent: 1.0: attestation of agent@1.0: expected a statement on ${expected}; ` +
      `got one on ${stated} (pkg:npm/agent@1.0). Left it out; the release is recorded without provenance.`,
  ]);
  expect(second.asked).toEqual(['/-/attestations/agent@1.1']);
  expect(index.releases().map(({ provenance }) => provenance?.repository)).toEqual([
    undefined,
    'https://github.com/example/agent',
  ]);
  expect(third.asked).toEqual([]);
});

test('the first answer of a source needs requests for only ten of 500 versions', async () => {
  const index = await openIndex();
  const many = Array.from({ length: 500 }, (_, number) => ({
    version: `1.${number}`,
    ...(number >= 488 && { build: {} }),
  }));
  await index.publish(many);
  const { requests } = await index.gather('2026-06-01');

  expect(requests).toBe(11);
  expect(index.releases().filter(({ provenance }) => provenance)).toHaveLength(10);
});

test('an attestation on another host than the registry is not asked for', async () => {
  const index = await openIndex();
  await index.publish([{ version: '1.0', attestedAt: 'https://elsewhere.example/agent@1.0' }]);
  const { status, errors } = await index.gather('2026-06-01');

  expect({ status, errors }).toEqual({ status: 0, errors: [] });
  expect(index.releases()).toMatchObject([{ version: '1.0' }]);
  expect(index.releases()[0]).not.toHaveProperty('provenance');
});

test('rejects a trusted root that cannot be read', async () => {
  const root = makeRoot({ 'components/svc.json': definition() });
  const other = await runCli(['gather', '--root', root], {
    env: { RELEASE_INDEX_TRUSTED_ROOT: root },
  });

  expect(other.status).toBe(1);
  expect(other.stderr).toContain(
    'RELEASE_INDEX_TRUSTED_ROOT: expected the path of a trusted root of Sigstore',
  );
});
