import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { addComponent, temporaryFolder } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { openSignedSite } from '../harness/signed-site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { accessTo, keyOf, recorded } from './access/private-index.ts';
import { covers } from '../harness/covers.ts';

/*
 * A client that is written from the specification alone: nothing below this comment, up to the next one, knows this project.
 * The numbers are those of .github/SPECIFICATION.md.
 */

interface Release {
  readonly version: string;
  readonly releaseTimestamp?: string;
  readonly changelogUrl?: string;
  readonly isDeprecated: boolean;
}

interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly sig: string }[];
}

class Client {
  readonly address: string;
  readonly credential: string | undefined;

  constructor(address: string, credential?: string) {
    this.address = address.replace(/\/$/, '');
    this.credential = credential;
  }

  ask(path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}) {
    const authorization = this.credential === undefined ? {} : { Authorization: `Bearer ${this.credential}` };
    return fetch(`${this.address}${path}`, { ...init, headers: { ...authorization, ...headers } });
  }

  async status(path: string, init: Parameters<Client['ask']>[1] = {}): Promise<number> {
    const answer = await this.ask(path, init);
    await answer.body?.cancel();
    return answer.status;
  }

  async json<Value>(path: string, init: Parameters<Client['ask']>[1] = {}): Promise<Value> {
    const answer = await this.ask(path, init);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Value;
  }

  /** Reads to the end of the stream. */
  async events(path: string, lastEventId?: string): Promise<ServerSentEvent[]> {
    const answer = await this.ask(path, {
      headers: {
        Accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
      },
    });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return parse(await answer.text());
  }

  token(parameters: readonly [string, string][]): Promise<Response> {
    const query = new URLSearchParams(parameters);
    return this.ask(`/api/auth/token?${query.toString()}`, { method: 'POST' });
  }

  async rpc<Result = unknown>(method: string, params: object): Promise<Result> {
    const answer = await this.ask('/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} answered ${answer.status}: ${text}`);
    const message = text.startsWith('{') ? text : /^data: (.+)$/m.exec(text)![1]!;
    return (JSON.parse(message) as { result: Result }).result;
  }
}

/** Ignores comments, such as a heartbeat, and blocks without data. */
function parse(text: string): ServerSentEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const found: Record<string, string> = {};
    for (const line of block.split('\n')) {
      const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
      if (name !== undefined) found[name] = value!;
    }
    const { id = '', event = 'message', data } = found;
    return data === undefined ? [] : { id, event, data: JSON.parse(data) as ServerSentEvent['data'] };
  });
}

/** The signature is over the pre-authentication encoding of type and payload (github.com/secure-systems-lab/dsse). */
function isSigned({ payload, payloadType, signatures }: Envelope, publicKey: string): boolean {
  const body = Buffer.from(payload, 'base64');
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `;
  const message = Buffer.concat([Buffer.from(head), body]);
  const key = createPublicKey(publicKey);
  return signatures.some(({ sig }) => verify(null, message, key, Buffer.from(sig, 'base64')));
}

/* The index that it asks: signed, private, with two runs of the program. */

const key = keyOf('a');
let site: ServedSite;
let open: ServedSite;
let publicKey: string;
let client: Client;

beforeAll(async () => {
  const signed = openSignedSite();
  const { root } = signed;
  const digests = { 'npm:tool': { 'tool-3.0.tgz': `sha256:${'a'.repeat(64)}` } };
  addComponent(root, 'tool', [{ version: '3.0', releaseTimestamp: '2026-03-01', digests }]);
  const npm = { npm_config_user_agent: 'npm/11.6.2 node/v24.11.1 linux x64 workspaces/false' };
  for (const day of ['2026-11-18', '2026-11-19'])
    expect((await run(['record', '--root', root.dir, '--as-of', day], npm)).status).toBe(0);
  const out = await signed.make('2026-11-20');
  publicKey = readFileSync(join(out, 'signing-key.pem'), 'utf8');
  const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
  site = await serveSite(out, undefined, vars, accessTo('everything'));
  open = await serveSite(out);
  client = new Client(site.url, key);
});

afterAll(() => Promise.all([site?.close(), open?.close()]));

describe('a client written from the specification', () => {
  test('exports all builds, and continues after the last build it saw', async () => {
    covers(1, 17, 184);
    const since = '/build-export/v2/builds/since';
    const messages = await client.events(`${since}/0`);
    const [first, last] = messages as [ServerSentEvent, ServerSentEvent];
    const build = {
      buildId: expect.stringMatching(/^.{13}$/) as string,
      timestamp: expect.any(Number) as number,
      ...{ toolType: 'npm', toolVersion: '11.6.2' },
      agentVersion: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    };

    expect(messages.map(({ data }) => data)).toEqual([build, build]);
    expect(messages.map(({ id, event }) => [id, event])).toEqual(
      messages.map(({ data }) => [data['buildId'], 'Build']),
    );
    expect((await client.ask(`${since}/0`)).headers.get('access-control-allow-origin')).toBe('*');
    expect(first.data['timestamp']).toBeLessThan(last.data['timestamp'] as number);
    expect(await client.events(`${since}/${String(last.data['timestamp'])}`)).toContainEqual(last);
    expect(await client.events(`/build-export/v2/builds/sinceBuild/${first.id}`)).toEqual([last]);
    expect(await client.events(`${since}/0`, first.id)).toEqual([last]);
    expect(await client.status(`${since}/0`, { headers: { 'Last-Event-ID': last.id } })).toBe(204);
    expect(await client.status(`${since}/${Date.now() + 86_400_000}`)).toBe(400);
  });

  test('evaluates a policy, and verifies the statement in the result', async () => {
    covers(13, 69, 72, 73, 74, 157);
    const path = '/packages/generic/tool/3.0/policy-scans/stable';
    const [scan, ...more] = await client.json<{ attestationUri: string }[]>(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sha256: 'a'.repeat(64), repositoryUrl: 'https://repo.example.com/libs' }),
    });

    expect(more).toEqual([]);
    expect(scan).toMatchObject({
      labels: {},
      status: 'satisfied',
      policyUri: expect.stringMatching(/^\/policies\/[^/]+\/stable$/) as string,
      policyDescription: expect.any(String) as string,
      policyRemediation: expect.any(String) as string,
      details: expect.any(Object) as object,
    });
    const form = /^\/packages\/generic\/tool\/3\.0\/sha256:a{64}\/attestations\/[^/]+\/[^/]+$/;
    expect(scan!.attestationUri).toMatch(form);
    const envelopes = await client.json<Envelope[]>(scan!.attestationUri);
    expect(envelopes).toHaveLength(1);
    const [envelope] = envelopes as [Envelope];
    expect(isSigned(envelope, publicKey)).toBe(true);
    expect(isSigned({ ...envelope, payload: btoa('{}') }, publicKey)).toBe(false);
    const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as { _type: string };
    expect([envelope.payloadType, statement._type]).toEqual([
      'application/vnd.in-toto+json',
      'https://in-toto.io/Statement/v1',
    ]);
    const inLines = await client.ask(scan!.attestationUri, { headers: { Accept: 'application/x-ndjson' } });
    expect(JSON.parse(await inLines.text())).toEqual(envelope);
  });

  test('gets a token for two components and two hours, and is rejected beyond its rights', async () => {
    covers(10, 29, 142, 146, 148, 149, 150, 187);
    const asked = await client.token([
      ['permissions', 'read,export'],
      ['permissions', 'mcp'],
      ['projectIds', 'svc,edge-node'],
      ['expiresInHours', '2'],
    ]);
    const token = await asked.text();
    expect(asked.status, token).toBe(200);
    const [header, payload, signature, ...more] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as { exp: number };
    expect([header !== '', signature !== '', more]).toEqual([true, true, []]);
    expect(claims.exp - Date.now() / 1000).toBeGreaterThan(7100);
    expect(claims.exp - Date.now() / 1000).toBeLessThanOrEqual(7200);

    const limited = new Client(site.url, token);
    const statuses = async (...paths: string[]) => Promise.all(paths.map((path) => limited.status(path)));
    expect(await statuses('/svc.json', '/edge-node.json', '/api/components/svc')).toEqual([200, 200, 200]);
    expect(await statuses('/tool.json', '/all.json', '/packages.json', '/api/components/tool')).toEqual(
      Array(4).fill(403),
    );
    const changes = await limited.events('/export/v1/changes/since/0');
    expect(new Set(changes.map(({ data }) => data['component']))).toEqual(new Set(['edge-node', 'svc']));
    // The runs are about all components.
    expect(await statuses('/build-export/v2/builds/since/0', '/api/builds')).toEqual([403, 403]);

    const ofRuns = await client.token([
      ['permissions', 'export,accessDataWithoutAssociatedProject'],
      ['projectIds', 'svc'],
    ]);
    const auditor = new Client(site.url, await ofRuns.text());
    const [build] = await auditor.events('/build-export/v2/builds/since/0');
    const own = await auditor.events(`/build-export/v2/build/${build!.id}/events`);
    const whole = await client.events(`/build-export/v2/build/${build!.id}/events`);
    const outcomeOf = (events: ServerSentEvent[]) =>
      (events.at(-1)!.data['data'] as { events: number }).events;
    expect(outcomeOf(own)).toBeGreaterThan(0);
    expect(outcomeOf(own)).toBeLessThan(outcomeOf(whole));

    const initialized = await limited.rpc('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'client', version: '1' },
    });
    expect(initialized).toMatchObject({ protocolVersion: '2025-06-18' });
    const { content } = await limited.rpc<{ content: { text: string }[] }>('tools/call', {
      name: 'list_components',
      arguments: {},
    });
    expect(content[0]!.text).toContain('svc');
    expect(content[0]!.text).not.toContain('tool');

    const scan = { method: 'POST' };
    expect(await limited.status('/packages/generic/svc/2026.1/policy-scans/supported', scan)).toBe(403);
    expect((await limited.token([['projectIds', 'tool']])).status).toBe(403);
    expect((await limited.token([['permissions', 'scan']])).status).toBe(403);
    expect((await limited.token([['expiresInHours', '3']])).status).toBe(403);
    expect((await limited.token([])).status).toBe(200);
    expect((await client.token([['expiresInHours', '25']])).status).toBe(400);
    const ofPublic = await new Client(open.url).token([]);
    expect([ofPublic.status, await ofPublic.text()]).toEqual([404, expect.stringContaining('needs a token')]);
    expect(await new Client(site.url, `${token.slice(0, -4)}AAAA`).status('/svc.json')).toBe(401);
  });

  test('reads the three kinds of files of an index without a credential', async () => {
    covers(14, 75, 76, 77, 78, 79, 80, 81, 82, 161, 193, 222);
    // The real index of this repository.
    const out = temporaryFolder();
    expect((await run(['build', '--root', checkout, '--out', out])).status).toBe(0);
    const example = await serveSite(out);
    onTestFinished(() => example.close());
    const anyone = new Client(example.url);
    const names = await anyone.json<string[]>('/index.json');
    const all = await anyone.json<{ components: Record<string, unknown> }>('/all.json');

    expect(names.length).toBeGreaterThan(0);
    expect(Object.keys(all.components)).toEqual(names);
    for (const name of names) {
      const answer = await anyone.ask(`/${name}.json`);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
      const file = (await answer.json()) as { homepage: string; changelogUrl: string; releases: Release[] };
      const known = await anyone.json<{ releases: Release[] }>(`/details/${name}.json`);
      expect(all.components[name]).toEqual(file);
      expect([file.homepage, file.changelogUrl].every((url) => url.startsWith('https:'))).toBe(true);
      const dated = (releases: Release[]) =>
        releases.flatMap(({ version, releaseTimestamp }) => (releaseTimestamp === undefined ? [] : version));
      expect(dated(file.releases)).toEqual(dated(known.releases));
      for (const release of file.releases) {
        expect([typeof release.version, typeof release.isDeprecated]).toEqual(['string', 'boolean']);
        expect(release.releaseTimestamp ?? '2000-01-01T00:00:00Z').toMatch(
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
        );
        expect(release.changelogUrl ?? 'https:').toMatch(/^https:/);
      }
    }
  });

  test('finds the authorization servers through the metadata', async () => {
    covers(34, 180, 198);
    const refused = await new Client(site.url).ask('/mcp', { method: 'POST' });
    const challenge = refused.headers.get('www-authenticate')!;

    expect(refused.status).toBe(401);
    expect(challenge).toMatch(/Bearer realm="mcp", resource_metadata="[^"]+"/);
    expect(challenge).not.toContain('error=');
    const metadata = '/.well-known/oauth-protected-resource/mcp';
    expect(await new Client(site.url).json(metadata)).toMatchObject({
      resource: 'https://releases.example.com/mcp',
      authorization_servers: [],
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid', 'email'],
    });
    expect(await new Client(open.url).status(metadata)).toBe(404);
    expect(await new Client(site.url).status('/build-export/v2/builds/since/0')).toBe(401);
  });
});
