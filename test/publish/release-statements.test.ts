import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { expect, test } from 'vitest';
import { publishedSchemas } from '../../src/core/schema/documents.ts';
import type { Component } from '../../src/core/schema/published.ts';
import { readSigningKey } from '../../src/publish/minisign.ts';
import {
  describeReleases,
  openStatements,
  signStatement,
} from '../../src/publish/release-statements.ts';
import { openPublicKey } from '../../src/core/public-key.ts';
import { program } from '../harness/example.ts';
import { publicKey, secretKey } from '../harness/index-folder.ts';
import { createSecretKey } from '../harness/minisign-keys.ts';

const component = {
  component: 'agent',
  packages: ['pkg:npm/%40example/agent', 'pkg:pypi/agent'],
  releases: [
    {
      version: '1.0.1',
      line: '1.0',
      releaseTimestamp: '2026-01-01T00:00:00Z',
      supportedUntil: '2027-01-31',
      isDeprecated: false,
      digests: ['sha256:aa', 'sha512:bb'],
    },
    { version: '2.0.0+x', line: '2.0', isDeprecated: true, digests: ['sha256:cc'] },
    { version: '2.0.1', line: '2.0', isDeprecated: false },
  ],
} as Partial<Component> as Component;
const statements = describeReleases(component, 'https://releases.example.com');
const bundle = signStatement(statements[0]!, readSigningKey(secretKey));
const { publicKey: otherKey } = readSigningKey(createSecretKey());

test('an attestation matches the schema named in the attestation', () => {
  const schema = publishedSchemas['release-statement'];
  const signed = ['build-agent-npm', 'build-agent-npm-loader'].map((name) => {
    const path = join(program, `site/statements/${name}.ndjson`);
    const line = JSON.parse(readFileSync(path, 'utf8').split('\n')[0]!) as typeof bundle;
    return JSON.parse(Buffer.from(line.dsseEnvelope.payload, 'base64').toString()) as {
      predicate: object;
    };
  });

  for (const { predicate } of [...statements, ...signed]) {
    expect(schema.safeParse(predicate).success || predicate).toBe(true);
  }
  expect(schema.safeParse({ id: 'agent/1.0.1' }).success).toBe(false);
});

test('the attestation of a release lists the package URL, the digests and the end of support', () => {
  const name = 'pkg:npm/%40example/agent@1.0.1';
  expect(statements.map(({ predicate: { id } }) => id)).toEqual(['agent/1.0.1', 'agent/2.0.0+x']);
  expect(statements.slice(0, 1)).toEqual([
    {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name, digest: { sha256: 'aa' } },
        { name, digest: { sha512: 'bb' } },
      ],
      predicateType: 'https://releases.example.com/schema/release-statement.json',
      predicate: {
        id: 'agent/1.0.1',
        component: 'agent',
        version: '1.0.1',
        line: '1.0',
        releaseTimestamp: '2026-01-01T00:00:00Z',
        supportedUntil: '2027-01-31',
        isDeprecated: false,
      },
    },
  ]);
});

test('the attestation of a component without packages names the component', () => {
  const [first] = describeReleases({ ...component, packages: [] }, 'https://releases.example.com');

  expect(first!.subject[0]!.name).toBe('agent/1.0.1');
  expect(signStatement(statements[0]!, readSigningKey(secretKey))).toEqual(bundle);
});

test('a statement is verified only with the key named in the statement', () => {
  const signer = { baseUrl: 'https://releases.example.com', component: 'agent' };
  const open = (key: string) =>
    openStatements(JSON.stringify(bundle), 'x', { ...signer, publicKey: key });

  expect(open(publicKey)).toEqual({ versions: new Set(['1.0.1']), byOthers: 0 });
  expect(open(otherKey)).toEqual({ versions: new Set(), byOthers: 1 });
});

test('@sigstore/verify accepts an attestation only with the key that signed the attestation', () => {
  const entity = toSignedEntity(bundleFromJSON(bundle));
  const verify = (key: string) => {
    const trust = {
      ...{ certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] },
      publicKey: () => ({ publicKey: openPublicKey(key), validFor: () => true }),
    };
    const options = { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 };
    return new Verifier(trust, options).verify(entity);
  };

  expect(() => verify(publicKey)).not.toThrow();
  expect(() => verify(otherKey)).toThrow('signature verification failed');
});
