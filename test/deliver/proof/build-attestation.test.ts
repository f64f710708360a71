import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  verifyBuildAttestation,
  type BuildAttestationInput,
} from '../../../src/deliver/proof/build-attestation.ts';
import { checkout } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { run } from '../../harness/run.ts';

/*
 * A public attestation that GitHub made in 2024, of a repository that builds in a reusable workflow of another one. Its
 * certificate, the entry in the log and the time are real; what it is about is another file than ours.
 */
const path = join(checkout, 'test/fixtures/github-bundle.json');
const text = readFileSync(path, 'utf8');
const digest = '07e4b8c0e3580b3e4a1eb62c70f1ffb86004d3d94f50767cb404fa7a639b4d05';
const repository = 'malancas/attest-demo';
const signerWorkflow = 'bdehamer/workflows/.github/workflows/attest.yml';

function withPayload(change: (payload: string) => string): string {
  return text.replace(/(?<="payload": ")[^"]+/, (payload) =>
    Buffer.from(change(Buffer.from(payload, 'base64').toString())).toString('base64'),
  );
}

const judge = (changes: Partial<BuildAttestationInput> = {}, of = digest) =>
  verifyBuildAttestation({ name: 'bundle.json', text, repository, signerWorkflow, ...changes }, of);

test("GitHub's attestation is accepted without a network, and names the workflow that signed", () => {
  expect(judge()).toBe(`https://github.com/${signerWorkflow}@refs/heads/main`);
});

test('it is accepted in each form that gh saves', () => {
  const line = JSON.stringify(JSON.parse(text));

  expect(judge({ text: `${line}\n` })).toContain(signerWorkflow);
  expect(judge({ text: `[${line}]` })).toContain(signerWorkflow);
  expect(judge({ text: `${line}\n${line}\n` })).toContain(signerWorkflow);
});

test.each<[string, Partial<BuildAttestationInput>, string]>([
  [
    'of another repository',
    { repository: 'malancas/attest-demp' },
    'is not of a workflow of malancas/attest-demp',
  ],
  [
    'of another signer',
    { signerWorkflow: signerWorkflow.replace('attest', 'other') },
    'is not of a workflow of',
  ],
  [
    'of a signer whose name only looks alike',
    { signerWorkflow: 'bdehamer/workflows/xgithub/workflows/attest.yml' },
    'is not of a workflow of',
  ],
  [
    'whose text was changed',
    { text: withPayload((payload) => payload.replace('attempts/1', 'attempts/2')) },
    'does not hold',
  ],
  ['whose certificate was changed', { text: text.replace(/("rawBytes": ".{300})./, '$1A') }, 'does not hold'],
  [
    'whose signature was changed',
    { text: text.replace('"sig": "MEUCIQCjRR8', '"sig": "MEUCIQCjRR9') },
    'does not hold',
  ],
  ['whose time was changed', { text: text.replace('1716332177', '1716339999') }, 'does not hold'],
  ['that is none', { text: '{}' }, 'holds no Sigstore bundle'],
  ['that is not JSON', { text: 'none' }, 'holds no Sigstore bundle'],
  ['where no key is trusted', { trustedRoots: '{}' }, 'does not hold'],
  ['where what is trusted is no key', { trustedRoots: 'none' }, 'holds no trusted root'],
])('one %s is refused', (_, changes, said) => {
  expect(changes.text).not.toBe(text);

  expect(() => judge(changes)).toThrow(said);
});

test('one that names no signer must be signed by a workflow of the repository itself', () => {
  const { signerWorkflow: _, ...input } = { name: 'bundle.json', text, repository, signerWorkflow };

  expect(() => verifyBuildAttestation(input, digest)).toThrow(`is not of a workflow of ${repository}`);
});

test('the command refuses one that is about another file', async () => {
  const args = ['--as-of', '2026-11-20', '--bundle', path, '--repository', repository];

  const result = await run(['verify', siteOfFixtureIndex(), ...args]);

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(
    'github-bundle.json: holds no provenance of this SHA256SUMS, whose digest is ',
  );
  expect(result.stderr).toContain(`Take it again: gh attestation download SHA256SUMS --repo ${repository}`);
});
