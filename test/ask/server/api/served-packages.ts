import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { createJsonSchema } from '../../../../src/site/render/documents/json-schemas.ts';
import { checkout } from '../../../harness/checkout.ts';
import { addComponent, writeIn } from '../../../harness/root.ts';
import { openSignedSite, type SignedTestSite } from '../../../harness/signed-site.ts';
import { run } from '../../../harness/run.ts';
import { serveHere } from '../../../harness/worker-here.ts';

/** Answers are of this day, too. */
export const builtOn = '2026-11-20';

export const recent = {
  description: 'It is of this year.',
  remediation: 'Move to one of this year.',
  labels: { team: 'build' },
  query: 'releaseTimestamp:>=2026-01-15',
};

/** A package file from npm's registry (isarray 2.0.5), and its digests there. */
export const packageFile = join(checkout, 'test/fixtures/packages/isarray-2.0.5.tgz');
export const packageDigests = {
  sha1: '8af1e4c1221244cc62459faf38940d4e644a5723',
  sha512:
    'c478e10ebddc3412b40737542523d7667b50531fe6c0c4b9470e00ee53c9f745c600ee8848ffde3c336ea34be1a8e654f940f9268a1dc02000a1941ddc57802b',
};
const ofPackage = Object.entries(packageDigests)
  .map((entry) => entry.join(':'))
  .join(' ');

/** The digests of the release of `constructor`. */
const recordedDigests = { 'npm:constructor': { 'constructor@1.0': `sha256:${'a'.repeat(64)}` } };

/** A signed index that the Worker serves: svc, kit with packages of many kinds, and its own policy. */
export interface ServedPackages {
  readonly signed: SignedTestSite;
  /** The address of the site. */
  readonly out: string;
  readonly url: string;
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a POST. */
  scan(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** `serve`: what runs the Worker. */
export async function servePackages(
  serve: (out: string) => Promise<{ url: string; close(): Promise<void> }> = serveHere,
): Promise<ServedPackages> {
  const signed = openSignedSite();
  const { root } = signed;
  const digests = { 'npm:@example/kit': { '@example/kit@kit-1.0': ofPackage } };
  addComponent(
    root,
    'kit',
    [{ version: '1.0', digests }, { version: '1.1+build' }, { version: '2.0' }],
    {
      support: { policy: 'latest-lines', count: 1 },
      sources: [
        { datasource: 'npm', packageName: '@example/kit', extractVersion: '^kit-(?<version>.+)$' },
        { datasource: 'pypi', packageName: 'Kit_Tools' },
        { datasource: 'maven', packageName: 'com.example:kit' },
        {
          datasource: 'docker',
          packageName: 'example/deep/kit',
          registryUrl: 'https://registry.example.com',
          extractVersion: String.raw`(?P<version>\A\d.*)`,
        },
      ],
    },
  );
  addComponent(root, 'constructor', [{ version: '1.0', digests: recordedDigests }]);
  addComponent(root, 'agent', [{ version: '1.0' }], {
    sourceRepository: 'https://github.com/example/agent',
  });
  writeIn(root.dir, 'site/policies/recent.json', recent);
  writeIn(root.dir, 'site/policies/ours.json', {
    description: 'It is built from a repository of the organisation.',
    remediation: 'Take it from the organisation.',
    labels: {},
    query: 'repository:*/example/*',
  });
  await record(root.dir, '2026-11-18');
  const out = await signed.make(builtOn);
  const { url, close } = await serve(out);
  const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, url), init);
  return {
    signed,
    out,
    url,
    ask,
    scan: (path, init = {}) => ask(path, { method: 'POST', ...init }),
    close,
  };
}

export async function record(root: string, day: string): Promise<void> {
  const { status, stderr } = await run(['record', '--root', root, '--as-of', day]);
  expect(status, stderr).toBe(0);
}

/** Reads the problem document of an answer, and checks its status and headers. */
export async function problemOf(
  answer: Response,
  status: number,
): Promise<Record<string, unknown>> {
  const body = await answer.text();
  expect(answer.status, body).toBe(status);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  });
  return JSON.parse(body) as Record<string, unknown>;
}

const ajv = new Ajv2020({ strict: false });

/** Checks a document against its published schema. */
export function expectForm(
  schema: Parameters<typeof createJsonSchema>[0],
  document: unknown,
): void {
  expect(ajv.validate(createJsonSchema(schema), document), ajv.errorsText()).toBe(true);
}
