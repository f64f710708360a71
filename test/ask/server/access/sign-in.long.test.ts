import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../../harness/authorization-server.ts';
import { fixtureDay, fixtureIndex } from '../../../harness/checkout.ts';
import { openAddress, type OpenAddress } from '../../../harness/open-address.ts';
import { siteOf } from '../../../harness/site.ts';
import { startUpstream } from '../../../harness/upstream.ts';
import { serveSite, type ServedSite } from '../../../harness/worker.ts';
import { noAnswer, openGuard, warnings } from './guarding.ts';
import { accessTo, jwtIssuer, keyOf, opaqueIssuer, recorded } from './private-index.ts';
import { covers } from '../../../harness/covers.ts';

const key = keyOf('a');
const callback = 'http://127.0.0.1:1/callback';
const people = { jane: { email: 'jane@example.com' } };

describe.each(['mcp', 'everything'] as const)('of an index that protects %s', (protect) => {
  let issuer: AuthorizationServer;
  let address: OpenAddress;
  let site: ServedSite;

  beforeAll(async () => {
    address = await openAddress();
    issuer = await startAuthorizationServer('jwt', people);
    const audience = { allowedJwtAudiences: [`${address.origin}/mcp`] };
    const access = accessTo(protect, [jwtIssuer(issuer, audience)]);
    const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
    site = await serveSite(
      siteOf(fixtureIndex, fixtureDay, address.origin),
      address.origin,
      vars,
      access,
    );
    address.leadTo(site.url);
  });

  afterAll(async () => {
    await site?.close();
    await Promise.all([issuer?.close(), address?.close()]);
  });

  const transportTo = (provider: OAuthClientProvider) =>
    new StreamableHTTPClientTransport(new URL(`${address.origin}/mcp`), { authProvider: provider });

  test('the official client signs in after a 401 and gets the tools', async () => {
    covers(
      'OAuth resource server; registers no clients, tracks none',
      'The client holds a client id by pre-registration, metadata document or dynamic registration',
      'It shows the last; the two others are between client and authorization server: the index sees the same token.',
      'MCP authorization, RFC 9728, RFC 8707',
    );
    const { provider, wanted } = newProvider();
    const refused = transportTo(provider);
    await expect(newClient().connect(refused)).rejects.toThrow(UnauthorizedError);
    await refused.finishAuth(await signIn(wanted(), 'jane'));

    const client = newClient();
    await client.connect(transportTo(provider));
    const { tools } = await client.listTools();
    await client.close();
    expect(wanted().searchParams.get('resource')).toBe(`${address.origin}/mcp`);
    expect(tools.map(({ name }) => name)).toContain('check_versions');
  });
});

test('an issuer that never answers times out, and does not affect keys and other issuers', async () => {
  const hanging = await startUpstream(() => () => undefined);
  const uri = hanging.url.slice(0, -1);
  const opaque = await startAuthorizationServer('opaque', people);
  const issuers = [jwtIssuer({ issuer: uri, jwksUri: `${uri}/jwks` }), opaqueIssuer(opaque)];
  const ask = openGuard(accessTo('everything', issuers), [recorded(key)]);
  const tokens = [
    await opaque.sign({ iss: uri, exp: Date.now() / 1000 + 60 }),
    key,
    await opaque.grant('jane'),
  ];
  const order: string[] = [];

  await Promise.all(tokens.map(async (token) => order.push(await ask(token))));

  expect(order).toEqual(['in', 'in', noAnswer]);
  expect(warnings).toEqual([expect.stringContaining(`${uri}/jwks gave no answer in 4 s`)]);
  await Promise.all([hanging.close(), opaque.close()]);
});

function newClient(): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
}

/** The state of a program while a person signs in with a browser. */
function newProvider() {
  const kept: {
    client?: unknown;
    tokens?: unknown;
    verifier?: string;
    wanted?: URL;
    state?: unknown;
  } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: {
      client_name: 'test',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.wanted = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
    saveDiscoveryState: (state) => void (kept.state = state),
    discoveryState: () => kept.state as never,
  };
  return { provider, wanted: () => kept.wanted! };
}

/** Fills in the forms of the authorization server, like a person in a browser. Returns the redirect back to the program. */
async function signIn(url: URL, person: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let next: { url: URL; form?: URLSearchParams } = { url };
  for (let step = 0; step < 20; step++) {
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form && { method: 'POST', body: next.form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    if (location === null) {
      const action = /<form [^>]*action="([^"]+)"/.exec(page)?.[1];
      if (action === undefined) {
        throw new Error(`${response.status} ${page}`);
      }
      const prompt = /name="prompt" value="(\w+)"/.exec(page)![1]!;
      next = {
        url: new URL(action, next.url),
        form: new URLSearchParams({ prompt, login: person, password: 'x' }),
      };
    } else {
      const to = new URL(location, next.url);
      if (to.href.startsWith(callback)) {
        return to.searchParams;
      }
      next = { url: to };
    }
  }
  throw new Error('the sign-in goes round in circles');
}
