/** Checks the operations for policy scans of packages, for policies, and for statements about releases. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/published-index.ts';
import type { PolicyScan } from '../../../src/ask/scan.ts';
import { openSite } from '../../../src/core/site-reader.ts';
import { openSiteApi, openFiles } from '../../harness/api.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { lacks, requireProgram } from '../../harness/programs.ts';
import { buildExample } from '../../harness/site.ts';

const out = buildExample();
const ownPolicy = {
  name: 'recent',
  isBuiltIn: false,
  description: 'Released in 2026.',
  remediation: 'Ask the build team.',
  labels: { team: 'build' },
  query: 'releaseTimestamp:>=2026-01-15',
};
const repository = 'https://github.com/example/svc';

/** The example site with two changes: it has a policy that is not built in, and `svc` has a source repository. */
const index = openIndex(openSite(out));
const site = openFiles(
  {
    'policies.json': { policies: [...(await index.policies()), ownPolicy] },
    'details/svc.json': { ...(await index.details('svc')), sourceRepository: repository },
  },
  out,
);
const ask = openSiteApi(site);
const post = (path: string, body?: RequestInit['body'], headers: Record<string, string> = {}) =>
  ask(path, { method: 'POST', headers, ...(body && { body }) });

/** Returns the status of an answer, and either the description of the error, or the scan result with its message. */
async function read(answer: Response): Promise<unknown[]> {
  const body = (await answer.json()) as { detail: string } | [PolicyScan];
  if (!Array.isArray(body)) {
    return [answer.status, body.detail];
  }

  const [{ status, details }] = body;
  return [answer.status, status, details.message];
}

const loader = 'npm/%40gradle-tech/develocity-agent-loader/1.0.0';

test.each([
  ['generic/svc/2026.3/policy-scans/supported', 200, 'satisfied'],
  [`${loader}/policy-scans/stable`, 200, 'satisfied'],
  [
    'generic/svc/a%20b/policy-scans/supported',
    400,
    'version: expected a version such as 2025.3; got "a b"',
  ],
  [
    'generic/svc/2026.3/policy-scans/supported?sha256=0',
    400,
    'sha256: expected no parameters; got "0"',
  ],
])('POST /packages/%s is answered with %i: %s', async (path, status, says) => {
  expect((await read(await post(`/packages/${path}`))).slice(0, 2)).toEqual([status, says]);
});

test('a scan result has the description and the address of the policy', async () => {
  const answer = await post('/packages/generic/svc/2025.4/policy-scans/recent');
  const [scan] = (await answer.json()) as [PolicyScan];
  const policy = await ask(scan.policyUri);

  expect(scan).toMatchObject({
    labels: { team: 'build' },
    status: 'unsatisfied',
    policyUri: '/policies/own/recent',
    policyDescription: ownPolicy.description,
    policyRemediation: ownPolicy.remediation,
    details: { component: 'svc', version: '2025.4', changelogUrl: expect.any(String) },
  });
  expect(scan.details.reason).toBe('The policy asks for releaseTimestamp:>=2026-01-15.');
  expect(await policy.json()).toEqual(ownPolicy);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

const svcScan = '/packages/generic/svc/2026.3/policy-scans/supported';
const fields = { sha256: 'Aa'.repeat(32), repositoryUrl: `${repository}.git` };
const formOfTexts = new FormData();
for (const [name, value] of Object.entries(fields)) {
  formOfTexts.append(name, value);
}
const formWithFile = new FormData();
formWithFile.append('sha256', new Blob(['0'.repeat(64)]), 'sha256.txt');

const noDigest = 'No such digest of 2026.3 is recorded.';
const json = { 'content-type': 'Application/JSON; charset=utf-8' };

test.each<[form: string, body: RequestInit['body'], headers: object]>([
  ['JSON', JSON.stringify(fields), json],
  ['a form', new URLSearchParams(fields), {}],
  ['a form of parts', formOfTexts, {}],
])('a scan accepts facts about a package that are sent as %s', async (_form, body, headers) => {
  expect(await read(await post(svcScan, body, { ...headers }))).toEqual([
    200,
    'satisfied',
    noDigest,
  ]);
});

test('a scan rejects a form that has an uploaded file in a text field', async () => {
  expect((await post(svcScan, formWithFile)).status).toBe(400);
});

const otherRepository = 'https://github.com/example/other';

test.each([
  [{ repositoryUrl: 'git@github.com:Example/svc.git' }, 'satisfied', undefined],
  [
    { repositoryUrl: otherRepository },
    'unsatisfied',
    `svc is built from ${repository}, not from ${otherRepository}.`,
  ],
])('a scan request with the body %j gets the status %s', async (stated, status, message) => {
  expect(await read(await post(svcScan, JSON.stringify(stated), json))).toEqual([
    200,
    status,
    message,
  ]);
});

test.each([
  ['sha256', 'g'.repeat(64)],
  ['repositoryUrl', 'a repository'],
  ['repositoryUrl', 'https://user:secret@github.com/example/svc'],
])('a scan rejects the value of %s: %s', async (name, value) => {
  const answer = await post(svcScan, new URLSearchParams({ [name]: value }));

  expect(await read(answer)).toEqual([
    400,
    expect.stringMatching(new RegExp(`^${name}: expected .*; got `)),
  ]);
});

const scanned = await post(`/packages/${loader}/policy-scans/stable`);
const [{ attestationUri }] = (await scanned.json()) as [PolicyScan];
const statement = attestationUri!;

test.skipIf(lacks('openssl'))(
  'openssl verifies the statement that a scan result links to with the public key of the index',
  async () => {
    const [{ payload, payloadType, signatures }] = (await (await ask(statement)).json()) as [
      { payload: string; payloadType: string; signatures: [{ sig: string }] },
    ];
    const body = Buffer.from(payload, 'base64');
    const folder = createFolder();
    writeFileSync(
      join(folder, 'message'),
      `DSSEv1 ${payloadType.length} ${payloadType} ${body.length} ${body}`,
    );
    writeFileSync(join(folder, 'signature'), Buffer.from(signatures[0].sig, 'base64'));

    const key = join(out, 'signing-key.pem');
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-rawin', '-in', 'message'];
    const output = execFileSync(requireProgram('openssl'), [...args, '-sigfile', 'signature'], {
      cwd: folder,
    });

    expect(String(output)).toBe('Signature Verified Successfully\n');
    expect(payloadType).toBe('application/vnd.in-toto+json');
    expect(JSON.parse(String(body))).toMatchObject({
      predicate: { component: 'build-agent-npm-loader', version: '1.0.0' },
    });
    expect(statement).toContain(`/packages/${loader}/sha512:`);
  },
);

const wrongDigest = `sha512:${'0'.repeat(128)}`;
const statementId = encodeURIComponent('build-agent-npm-loader/1.0.0/2026-11-22');
const pathOf = (release: string) =>
  `/packages/${release}/${wrongDigest}/attestations/site/${statementId}`;

test.each([
  [pathOf(loader), 404, `about this package with ${wrongDigest}.`],
  [statement.replace(/[^/]+$/, 'x'), 404, 'There is no statement "x" about this package '],
  [pathOf('npm/left-pad/1.0'), 404, 'lists no release "pkg:npm/left-pad@1.0".'],
  ['/policies/built-in/recent', 404, 'There is no policy "recent". Policies: supported, secure,'],
])('GET %s is answered with %i: %s', async (path, status, detail) => {
  expect(await read(await ask(path))).toEqual([status, expect.stringContaining(detail)]);
});
