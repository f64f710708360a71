import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import { nameVariable } from '../../../src/io/http/credentials.ts';
import { listenTo, openProxy, ownAuthority } from '../../harness/company-network.ts';
import { run } from '../../harness/run.ts';
import { runHere } from '../../harness/run-here.ts';
import {
  definition,
  filesIn,
  makeRoot,
  readJsonIn,
  temporaryFolder,
  writeIn,
} from '../../harness/root.ts';
import { known } from '../../harness/gathering.ts';
import { json, type ImitatedUpstream } from '../../harness/imitated-upstream.ts';
import { serve, startUpstream, type Document, type Handler } from '../../harness/upstream.ts';
import { ociRegistry } from '../../harness/upstreams/docker.ts';
import { helm } from '../../harness/upstreams/helm.ts';
import { maven } from '../../harness/upstreams/maven.ts';
import { npm } from '../../harness/upstreams/npm.ts';
import { pypi } from '../../harness/upstreams/pypi.ts';

const secret = 'c0rrect-horse';
const basic = `Basic ${Buffer.from(`somebody:${secret}`).toString('base64')}`;

/** A registry that shows nothing to clients without this credential, and repeats what they sent. */
async function registry(
  expected: string,
  documents: (url: string) => ReadonlyMap<string, Document>,
  challenge = '',
) {
  const started = await startUpstream((url) => {
    const sound: Handler = serve(documents(url));
    return (request, response) => {
      const sent = request.headers.authorization;
      if (sent === expected) {
        return sound(request, response);
      }
      response.writeHead(401, { 'content-type': 'text/plain', 'www-authenticate': challenge });
      response.end(`not with ${sent}`);
    };
  });
  onTestFinished(() => started.close());
  return started.url;
}

const documentsOf = (imitation: ImitatedUpstream) => (url: string) =>
  imitation.documents!(known, { url, pageSize: 100 });

/** A registry of each kind, a component for each, and their credentials. */
async function company() {
  const tokenPath = '/token?scope=repository%3Aexample%2Fagent%3Apull';
  const tokens = await registry(
    basic,
    () => new Map([[tokenPath, json({ token: `issued-${secret}` })]]),
  );
  const kinds = {
    npm: { imitation: npm, url: await registry(`Bearer ${secret}`, documentsOf(npm)) },
    maven: { imitation: maven, url: await registry(basic, documentsOf(maven)) },
    pypi: { imitation: pypi, url: await registry(basic, documentsOf(pypi)) },
    helm: { imitation: helm, url: await registry(`Bearer ${secret}`, documentsOf(helm)) },
    docker: {
      imitation: ociRegistry,
      url: await registry(
        `Bearer issued-${secret}`,
        documentsOf(ociRegistry),
        `Bearer realm="${tokens}token"`,
      ),
    },
  };
  const root = makeRoot(
    Object.fromEntries(
      Object.entries(kinds).map(([name, { imitation, url }]) => {
        const { registryUrl, ...source } = { registryUrl: '', ...imitation.source(url, known) };
        // The configuration of npm names its registry.
        const sources = [name === 'npm' ? source : { ...source, registryUrl }];
        return [`components/${name}-agent.json`, definition({ sources })];
      }),
    ),
  );
  const home = temporaryFolder();
  const { host, href } = new URL('npm/', kinds.npm.url);
  writeIn(home, '.npmrc', `@example:registry=${href}\n//${host}/npm/:_authToken=\${NPM_TOKEN}\n`);
  const env = {
    HOME: home,
    NPM_TOKEN: secret,
    [nameVariable(new URL(kinds.maven.url))]: basic,
    [nameVariable(new URL(kinds.pypi.url))]: basic,
    [nameVariable(new URL(kinds.helm.url))]: `Bearer ${secret}`,
    [nameVariable(new URL(kinds.docker.url))]: basic,
    [nameVariable(new URL(tokens))]: basic,
  };
  return { root, env, components: Object.keys(kinds).map((name) => `${name}-agent`) };
}

/** Whether a text contains the secret, plain or encoded for a header. */
function holdsSecret(text: string): boolean {
  return text.includes(secret) || text.includes(basic.slice('Basic '.length));
}

it('gather reads the .npmrc of the index, wherever it runs', async () => {
  const url = await registry(`Bearer ${secret}`, documentsOf(npm));
  const { registryUrl: _, ...source } = { registryUrl: '', ...npm.source(url, known) };
  const { host, href } = new URL('npm/', url);
  const root = makeRoot({
    '.npmrc': `@example:registry=${href}\n//${host}/npm/:_authToken=\${NPM_TOKEN}\n`,
    'components/agent.json': definition({ sources: [source] }),
  });

  const { status, stderr } = await runHere(['gather', '--root', root, '--strict'], {
    HOME: temporaryFolder(),
    NPM_TOKEN: secret,
  });

  expect([status, stderr]).toEqual([0, 'gather 1/1 agent\n']);
});

it('gather reads registries of every kind that ask for a credential, and writes none of them anywhere', async () => {
  const { root, env, components } = await company();

  const gather = ['gather', '--root', root, '--strict'];
  const first = await runHere(gather, env);
  const second = await runHere([...gather, '--json'], env);
  const built = await runHere(['build', '--root', root], env);

  const runs = [first, second, built];
  expect(runs.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(first.stderr).not.toMatch(/^(?:warning|error)/m);
  for (const name of components) {
    expect(readJsonIn(root, `data/${name}.json`)).toMatchObject({
      releases: known.map(({ version }) => ({ version })),
    });
  }
  const written = Object.entries(filesIn(root)).filter(([, content]) => holdsSecret(content));
  expect(written.map(([path]) => path)).toEqual([]);
  expect(holdsSecret(runs.map(({ stdout, stderr }) => stdout + stderr).join())).toBe(false);
});

/** A registry with a certificate from a company's own authority, and a component. */
async function behindTls() {
  const { ca, cert, key } = ownAuthority();
  const { port } = await listenTo(
    createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
      const sound = serve(npm.documents!(known, { url: '', pageSize: 100 }));
      if (request.headers.authorization === `Bearer ${secret}`) {
        sound(request, response);
      } else {
        response.writeHead(401).end();
      }
    }),
  );
  const registryUrl = `https://localhost:${port}/npm/`;
  const source = { datasource: 'npm', packageName: '@example/agent', registryUrl };
  const root = makeRoot({ 'components/agent.json': definition({ sources: [source] }) });
  const env = { HOME: temporaryFolder(), [nameVariable(new URL(registryUrl))]: `Bearer ${secret}` };
  return { ca, root, env };
}

it('gather trusts the certificate authority that NODE_EXTRA_CA_CERTS names, also behind a proxy', async () => {
  const { ca, root, env } = await behindTls();
  const { address, seen } = await openProxy();
  const gather = ['gather', '--root', root, '--strict'];

  const unknown = await runHere(gather, env);
  const known = await run(gather, { ...env, NODE_EXTRA_CA_CERTS: ca, HTTPS_PROXY: address });

  expect([unknown.status, known.status]).toEqual([1, 0]);
  expect(unknown.stderr).toMatch(
    /the certificate of "localhost:\d+" is not valid \(\w+\)\. If your own certificate authority signed it, name its certificate in NODE_EXTRA_CA_CERTS\./,
  );
  expect(seen).toEqual([expect.stringMatching(/^localhost:\d+ /)]);
  expect(holdsSecret(seen.join())).toBe(false);
});
