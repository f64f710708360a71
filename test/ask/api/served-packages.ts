import { expect } from 'vitest';
import { addComponent, writeIn } from '../../harness/root.ts';
import { openSignedSite, type SignedTestSite } from '../../harness/signed-site.ts';
import { serveSite } from '../../harness/worker.ts';

export const recent = {
  description: 'It is of this year.',
  remediation: 'Move to one of this year.',
  labels: { team: 'build' },
  query: 'releaseTimestamp:>=2026-01-15',
};

/** Of the release of `constructor`. */
const recordedDigests = { 'npm:constructor': { 'constructor@1.0': `sha256:${'a'.repeat(64)}` } };

/** A signed index that is served by the Worker: svc, kit with packages of many kinds, and a policy of its own. */
export interface ServedPackages {
  readonly signed: SignedTestSite;
  /** Where the site is. */
  readonly out: string;
  readonly url: string;
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** By POST. */
  scan(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export async function servePackages(): Promise<ServedPackages> {
  const signed = openSignedSite();
  const { root } = signed;
  addComponent(root, 'kit', [{ version: '1.0' }, { version: '1.1+build' }, { version: '2.0' }], {
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
  });
  addComponent(root, 'constructor', [{ version: '1.0', digests: recordedDigests }]);
  writeIn(root.dir, 'site/policies/recent.json', recent);
  const out = await signed.make('2026-11-20');
  const { url, close } = await serveSite(out);
  const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, url), init);
  return { signed, out, url, ask, scan: (path, init = {}) => ask(path, { method: 'POST', ...init }), close };
}

/** What an answer of this status says is wrong. */
export async function problemOf(answer: Response, status: number): Promise<Record<string, unknown>> {
  const body = await answer.text();
  expect(answer.status, body).toBe(status);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  return JSON.parse(body) as Record<string, unknown>;
}
