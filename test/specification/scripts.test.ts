import { createHash, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accessTo,
  baseUrl,
  jwtIssuer,
  keyOf,
  recorded,
} from '../ask/server/access/private-index.ts';
import { allRuns, dayAfterRuns, rootWithRuns } from '../ask/server/api/recorded-runs.ts';
import {
  packageDigests,
  packageFile,
  servePackages,
  type ServedPackages,
} from '../ask/server/api/served-packages.ts';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../harness/authorization-server.ts';
import { checkout } from '../harness/checkout.ts';
import { startPreview, stopPreview, type Preview } from '../harness/preview.ts';
import { createRoot } from '../harness/root.ts';
import { siteOf } from '../harness/site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';

/*
 * Three scripts as somebody writes them after the text of the specification, against a public and a protected index. They know
 * paths and fields, and nothing of this program.
 */

const key = keyOf('a');

/** What dashboards ask for, and how many runs of the index it selects. */
const dashboard: readonly [query: string, builds: number][] = [
  ['buildOutcome:failed and buildTool:npm', 1],
  ['project:my-index buildDuration:>1m', 1],
  ['(requested:daily or tag:held) -buildToolVersion:11.6.*', 1],
  ['gradle.buildOptions.buildCacheEnabled:true user:jane', 0],
  ['-hasVerificationFailure buildStartTime:[2026-01-01 to 2026-12-31]', 1],
  ['maven.environment.jvmMaxMemoryHeapSize:>=1gi or value:"CI provider=GitHub*"', 0],
];

let issuer: AuthorizationServer;
let packages: ServedPackages;
const sites: ServedSite[] = [];

/** Public ones by what they have, in the runtime of the host; the others by name and content, as the command serves them. */
const served = new Map<string, ServedSite>();
const previews = new Map<string, Preview>();

beforeAll(async () => {
  issuer = await startAuthorizationServer('jwt', { jane: { email: 'jane@example.com' } });
  packages = await servePackages();
  const ofRuns = siteOf(rootWithRuns(), dayAfterRuns);
  const closed = createRoot();
  closed.write('site/access.json', accessTo('everything', [jwtIssuer(issuer)]));
  const keys = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
  for (const [content, out] of [
    ['runs', ofRuns],
    ['packages', packages.out],
  ] as const) {
    served.set(content, await serveSite(out, baseUrl));
    const options = ['--out', out];
    previews.set(`previewed ${content}`, await startPreview({ dir: checkout }, [], {}, options));
    previews.set(`protected ${content}`, await startPreview(closed, [], keys, options));
  }
  sites.push(...served.values());
});

afterAll(async () => {
  await Promise.all([...sites, packages, issuer].map((each) => each?.close()));
  await Promise.all(previews.values().map((preview) => stopPreview(preview)));
});

describe.each(['public', 'protected', 'previewed'])('at a %s index', (kind) => {
  const ask = (content: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (kind === 'protected') {
      headers.set('Authorization', `Bearer ${key}`);
    }

    return at(content, path, { ...init, headers });
  };

  /** Without a credential. */
  const at = (content: string, path: string, init?: RequestInit): Promise<Response> => {
    const preview = previews.get(`${kind} ${content}`);
    const { pathname, search } = new URL(path, baseUrl);
    return preview
      ? fetch(new URL(pathname + search, preview.url), init)
      : served.get(content)!.fetch(baseUrl + pathname + search, init);
  };

  test('an export goes through all builds once, and reads the events of each', async () => {
    const get = async (path: string, init?: RequestInit) => ask('runs', path, init);
    const found: { id: string; availableAt: number }[] = [];
    let since = 0;
    for (let pages = 0; pages < 20; pages++) {
      const page = await get(`/api/builds?since=${since}&maxBuilds=1`);
      const builds = (await page.json()) as typeof found;
      found.push(...builds);
      if (builds.length === 0) {
        break;
      }
      since = builds.at(-1)!.availableAt + 1;
    }

    // The way from version 1 to version 2 is the path.
    const first = '/build-export/v1/builds/since/0';
    expect(await (await get(first)).text()).not.toContain('event: Build');
    const answer = await get(first.replace('/v1/', '/v2/'), {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    const stream = await answer.text();
    const data = (text: string, event: string) =>
      Array.from(
        text.matchAll(new RegExp(`^event: ${event}\ndata: (.+)$`, 'gm')),
        ([, line]) => JSON.parse(line!) as Record<string, unknown>,
      );
    const streamed = data(stream, 'Build');

    expect(found.map(({ id }) => id)).toEqual(allRuns.map(({ id }) => id));
    expect(streamed.map(({ buildId, timestamp }) => [buildId, timestamp])).toEqual(
      found.map(({ id, availableAt }) => [id, availableAt]),
    );
    expect(streamed.filter(({ toolType }) => toolType === 'npm')).toHaveLength(2);
    for (const { buildId } of streamed) {
      const address = `/build-export/v2/build/${String(buildId)}/events?eventTypes=BuildStarted,BuildFinished`;
      const events = await (await get(address)).text();
      expect(data(events, 'Build')).toEqual(streamed.filter((each) => each['buildId'] === buildId));
      expect(data(events, 'BuildEvent').map(({ type }) => type)).toMatchObject([
        { eventType: 'BuildStarted' },
        { eventType: 'BuildFinished' },
      ]);
    }
    const lastId = { headers: { 'Last-Event-ID': found[0]!.id } };
    const resumed = await (await get('/build-export/v2/builds/since/0', lastId)).text();
    expect(data(resumed, 'Build')).toEqual(streamed.slice(1));
    const completed = { headers: { 'Last-Event-ID': found.at(-1)!.id } };
    expect((await get('/build-export/v2/builds/since/0', completed)).status).toBe(204);
  });

  test('a gate sends digest and repository, and opens the attestation', async () => {
    const file = readFileSync(packageFile);
    const path = '/packages/npm/%40example/kit/kit-1.0';
    const evaluate = async (policy: string, sha256: string) => {
      const parts = { sha256, repositoryUrl: 'https://github.com/example/kit' };
      const fields = Object.entries(parts).map(
        ([name, value]) =>
          `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
      const answer = await ask('packages', `${path}/policy-scans/${policy}`, {
        method: 'POST',
        body: `${fields.join('')}--part--\r\n`,
        headers: {
          'Content-Type': 'multipart/form-data; boundary=part',
          Accept: 'application/x-ndjson',
        },
      });
      return JSON.parse(await answer.text()) as {
        status: string;
        attestationUri: string;
        details: { message?: string };
      };
    };
    const sha256 = createHash('sha256').update(file).digest('hex');

    const published = await ask('packages', `${path}/attestations`, { method: 'POST' });
    const passed = await evaluate('stable', sha256);
    const failed = await evaluate('supported', sha256);
    const other = await evaluate('stable', `sha512:${'0'.repeat(128)}`);

    expect([published.status, await published.text()]).toEqual([
      501,
      expect.stringContaining('release-index sign'),
    ]);
    expect([passed.status, failed.status, other.status]).toEqual([
      'satisfied',
      'unsatisfied',
      'unsatisfied',
    ]);
    expect(passed.details.message).toBe(
      'No sha256 digest of 1.0 is recorded, only sha1 and sha512. The source repository of kit is not recorded.',
    );
    const [envelope] = (await (await ask('packages', passed.attestationUri)).json()) as [
      { payload: string; payloadType: string; signatures: [{ sig: string }] },
    ];
    const body = Buffer.from(envelope.payload, 'base64');
    const head = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${body.length} `;
    const verified = verify(
      undefined,
      Buffer.concat([Buffer.from(head), body]),
      await (await ask('packages', '/signing-key.pem')).text(),
      Buffer.from(envelope.signatures[0].sig, 'base64'),
    );
    expect(verified).toBe(true);
    expect(JSON.parse(body.toString())).toMatchObject({
      subject: [{ digest: packageDigests }],
      predicate: { component: 'kit', version: '1.0' },
    });
  });

  test('an agent signs in where it must, calls a tool, and asks what a dashboard asks', async () => {
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const call = (id: number, method: string, params: object) =>
      at('runs', '/mcp', {
        method: 'POST',
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      });
    const clientInfo = { name: 'script', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const read = async (answer: Response) => {
      const text = await answer.text();
      return JSON.parse(/\{.*\}/.exec(text)![0]) as { result: Record<string, unknown> };
    };

    const refused = await call(1, 'initialize', hello);
    expect(refused.status).toBe(kind === 'protected' ? 401 : 200);
    if (refused.status === 401) {
      const challenge = refused.headers.get('www-authenticate')!;
      const [, address] = /^Bearer .*resource_metadata="([^"]+)"$/.exec(challenge)!;
      const metadata = (await (await at('runs', address!)).json()) as {
        resource: string;
        authorization_servers: string[];
      };
      expect(metadata).toMatchObject({
        resource: `${baseUrl}/mcp`,
        authorization_servers: [issuer.issuer],
      });
      headers['Authorization'] = `Bearer ${await issuer.grant('jane', metadata.resource)}`;
    } else {
      expect((await at('runs', '/.well-known/oauth-protected-resource/mcp')).status).toBe(404);
    }

    const { result: welcome } = await read(await call(2, 'initialize', hello));
    headers['MCP-Protocol-Version'] = String(welcome['protocolVersion']);
    const { result: listed } = await read(await call(3, 'tools/list', {}));
    const { tools } = listed as { tools: { name: string }[] };
    const { result: answered } = await read(
      await call(4, 'tools/call', { name: 'list_runs', arguments: { query: 'buildTool:npm' } }),
    );
    const { Authorization = '' } = headers;
    const selected = async (query: string) => {
      const address = `/api/builds?since=0&query=${encodeURIComponent(query)}`;
      const answer = await at('runs', address, { headers: { Authorization } });
      return ((await answer.json()) as unknown[]).length;
    };

    expect(tools.map(({ name }) => name)).toContain('list_runs');
    expect(answered).toMatchObject({ structuredContent: { runs: [{}, {}] } });
    for (const [query, expected] of dashboard) {
      expect([query, await selected(query)]).toEqual([query, expected]);
    }
  });
});
