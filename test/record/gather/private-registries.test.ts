import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { variableOf } from '../../../src/io/http/own-credentials.ts';
import { listenTo, openProxy, ownAuthority } from '../../harness/company-network.ts';
import { run } from '../../harness/run.ts';
import { runHere } from '../../harness/run-here.ts';
import {
  definition,
  filesIn,
  makeRoot,
  readJsonIn,
  removeTemporaryFolders,
  temporaryFolder,
  writeIn,
} from '../../harness/root.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { serve, startUpstream, type Document, type Handler } from '../../harness/upstream.ts';

afterAll(removeTemporaryFolders);

const secret = 'c0rrect-horse';
const basic = `Basic ${Buffer.from(`somebody:${secret}`).toString('base64')}`;
const at = '2026-01-10T09:30:00Z';

/** A registry that shows nothing to whoever does not send this, and repeats what was sent. */
async function registry(
  expected: string,
  documents: (url: string) => Record<string, Document>,
  challenge = '',
) {
  const started = await startUpstream((url) => {
    const sound: Handler = serve(new Map(Object.entries(documents(url))));
    return (request, response) => {
      const sent = request.headers.authorization;
      if (sent === expected) return sound(request, response);
      response.writeHead(401, { 'content-type': 'text/plain', 'www-authenticate': challenge });
      response.end(`not with ${sent}`);
    };
  });
  onTestFinished(() => started.close());
  return started.url;
}

const packument = {
  '/private/@corp%2fagent': json({
    name: '@corp/agent',
    versions: { '1.0.0': {} },
    time: { created: at, '1.0.0': at },
  }),
};

/** A registry of each kind, a component for each, and their credentials. */
async function company() {
  const npm = await registry(`Bearer ${secret}`, () => packument);
  const maven = await registry(basic, () => ({
    '/com/corp/agent/maven-metadata.xml': {
      type: 'application/xml',
      body: '<metadata><versioning><versions><version>1.0</version></versions></versioning></metadata>',
    },
    '/com/corp/agent/1.0/agent-1.0.pom': { type: 'text/xml', body: '-', headers: { 'last-modified': at } },
  }));
  const pypi = await registry(basic, () => ({
    '/agent/json': json({ releases: { '1.0': [{ upload_time: at }] } }),
  }));
  const helm = await registry(`Bearer ${secret}`, () => ({
    '/index.yaml': { type: 'text/yaml', body: `entries: {agent: [{version: 1.0.0, created: ${at}}]}` },
  }));
  const tokens = await registry(basic, () => ({
    '/token?scope=repository%3Acorp%2Fserver%3Apull': json({ token: `issued-${secret}` }),
  }));
  const docker = await registry(
    `Bearer issued-${secret}`,
    () => ({
      '/v2/corp/server/tags/list?n=1000': json({ tags: ['1.0'] }),
      '/v2/corp/server/manifests/1.0': json({ config: { digest: 'sha256:abc' } }),
      '/v2/corp/server/blobs/sha256:abc': json({ created: at }),
    }),
    `Bearer realm="${tokens}token"`,
  );
  const sources = {
    npm: { datasource: 'npm', packageName: '@corp/agent' },
    maven: { datasource: 'maven', packageName: 'com.corp:agent', registryUrl: maven },
    pypi: { datasource: 'pypi', packageName: 'agent', registryUrl: pypi },
    helm: { datasource: 'helm', packageName: 'agent', registryUrl: helm },
    docker: { datasource: 'docker', packageName: 'corp/server', registryUrl: docker },
  };
  const root = makeRoot(
    Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [
        `components/${name}-agent.json`,
        definition({ sources: [source] }),
      ]),
    ),
  );
  const home = temporaryFolder();
  const { host } = new URL(npm);
  writeIn(home, '.npmrc', `@corp:registry=${npm}private/\n//${host}/private/:_authToken=\${NPM_TOKEN}\n`);
  const env = {
    HOME: home,
    NPM_TOKEN: secret,
    [variableOf(new URL(maven))]: basic,
    [variableOf(new URL(pypi))]: basic,
    [variableOf(new URL(helm))]: `Bearer ${secret}`,
    [variableOf(new URL(tokens))]: basic,
  };
  return { root, home, env, components: Object.keys(sources).map((name) => `${name}-agent`) };
}

/** Whether a text contains the secret, plain or encoded for a header. */
function holdsSecret(text: string): boolean {
  return text.includes(secret) || text.includes(basic.slice('Basic '.length));
}

it('gather reads registries of every kind that ask for a credential, and writes none of them anywhere', async () => {
  const { root, env, components } = await company();

  const first = await runHere(['gather', '--root', root, '--strict'], env);
  const second = await runHere(['gather', '--root', root, '--strict', '--json'], env);
  const built = await runHere(['build', '--root', root], env);

  expect([first.status, first.stderr.match(/^(?:warning|error).*/gm), second.status, built.status]).toEqual([
    0,
    null,
    0,
    0,
  ]);
  for (const name of components)
    expect(readJsonIn(root, `data/${name}.json`)).toMatchObject({
      releases: [{ version: expect.stringMatching(/^1\.0/) }],
    });
  const written = Object.entries(filesIn(root)).filter(([, content]) => holdsSecret(content));
  expect(written.map(([path]) => path)).toEqual([]);
  expect([first, second, built].map(({ stdout, stderr }) => holdsSecret(stdout + stderr))).toEqual([
    false,
    false,
    false,
  ]);
});

it('gather says of each registry what opens it, and shows nothing of a credential that does not', async () => {
  const { root, env, components } = await company();
  const wrong = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace(basic, `${basic.slice(0, -4)}Ojo6`)]),
  );

  const none = await runHere(['gather', '--root', root, '--strict'], { HOME: temporaryFolder() });
  const refused = await runHere(['gather', '--root', root, '--strict'], wrong);

  expect([none.status, refused.status]).toEqual([1, 1]);
  for (const name of components.filter((name) => name !== 'npm-agent' && name !== 'docker-agent'))
    expect(none.stderr).toMatch(
      new RegExp(`${name} \\(.*answered 401\\. If it is private, set RELEASE_INDEX_AUTH_127_0_0_1_\\d+\\.`),
    );
  expect(refused.stderr).toContain('answered 401. The credential does not give access.');
  const shown = [none, refused].map(({ stdout, stderr }) => stdout + stderr).join();
  expect(shown).not.toMatch(/c29tZWJvZHk6/);
  expect(holdsSecret(shown + Object.values(filesIn(root)).join())).toBe(false);
});

it('gather refuses a malformed credential before anything is asked', async () => {
  const { root } = await company();

  const { status, stderr } = await runHere(['gather', '--root', root], {
    HOME: temporaryFolder(),
    RELEASE_INDEX_AUTH_NPM_CORP: secret,
  });

  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: RELEASE_INDEX_AUTH_NPM_CORP: expected "Bearer "/),
  ]);
  expect(holdsSecret(stderr)).toBe(false);
});

it('gather sends a credential to nobody where definitions name two hosts that it may be meant for', async () => {
  const of = (registryUrl: string) =>
    definition({ sources: [{ datasource: 'helm', packageName: 'agent', registryUrl }] });
  const root = makeRoot({
    'components/ours.json': of('https://charts.corp.example/'),
    'components/theirs.json': of('https://charts-corp.example/'),
  });

  const { status, stderr } = await runHere(['gather', 'ours', '--root', root], {
    HOME: temporaryFolder(),
    RELEASE_INDEX_AUTH_CHARTS_CORP_EXAMPLE: basic,
  });

  expect([status, stderr]).toEqual([
    1,
    'error: RELEASE_INDEX_AUTH_CHARTS_CORP_EXAMPLE: applies to charts-corp.example and charts.corp.example, so it was sent to none of them\n',
  ]);
});

it('gather shows nothing of a credential that the registry repeats when a component is added', async () => {
  const { root, env } = await company();
  const helm = readJsonIn<{ sources: { registryUrl: string }[] }>(root, 'components/helm-agent.json')
    .sources[0]!;

  const url = helm.registryUrl;
  const { status, stderr } = await runHere(['add', 'npm', 'agent', '--registry-url', url, '--root', root], {
    ...env,
    [variableOf(new URL(url))]: basic,
  });

  expect([status, stderr]).toEqual([1, expect.stringContaining(' answered 4')]);
  expect(holdsSecret(stderr)).toBe(false);
});

/** A registry with a certificate from a company's own authority, and a component. */
async function behindTls() {
  const { ca, cert, key } = ownAuthority();
  const sound = serve(new Map(Object.entries(packument)));
  const { port } = await listenTo(
    createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
      if (request.headers.authorization === `Bearer ${secret}`) sound(request, response);
      else response.writeHead(401).end();
    }),
  );
  const registryUrl = `https://localhost:${port}/private/`;
  const source = { datasource: 'npm', packageName: '@corp/agent', registryUrl };
  const root = makeRoot({ 'components/agent.json': definition({ sources: [source] }) });
  const env = { HOME: temporaryFolder(), [variableOf(new URL(registryUrl))]: `Bearer ${secret}` };
  return { ca, root, env };
}

it('gather trusts the certificate authority that NODE_EXTRA_CA_CERTS names', async () => {
  const { ca, root, env } = await behindTls();
  const gather = ['gather', '--root', root, '--strict'];

  const unknown = await runHere(gather, env);
  const known = await run(gather, { ...env, NODE_EXTRA_CA_CERTS: ca });

  expect([unknown.status, known.status]).toEqual([1, 0]);
  expect(unknown.stderr).toMatch(
    /the certificate of "localhost:\d+" is not valid \(\w+\)\. If your own certificate authority signed it, name its certificate in NODE_EXTRA_CA_CERTS\./,
  );
});

it('gather reaches such a registry through a proxy, which sees no credential', async () => {
  const { ca, root, env } = await behindTls();
  const { address, seen } = await openProxy();

  const { status, stderr } = await run(['gather', '--root', root, '--strict'], {
    ...env,
    NODE_EXTRA_CA_CERTS: ca,
    HTTPS_PROXY: address,
  });

  expect([status, stderr.match(/^(?:warning|error).*/gm)]).toEqual([0, null]);
  expect(seen).toEqual([expect.stringMatching(/^localhost:\d+ /)]);
  expect(holdsSecret(seen.join())).toBe(false);
});
