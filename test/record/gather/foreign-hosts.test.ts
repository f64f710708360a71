import { expect, onTestFinished, test } from 'vitest';
import { nameVariable } from '../../../src/io/http/credentials.ts';
import { createRoot, definition, temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { answer, startUpstream } from '../../harness/upstream.ts';

const secret = 'c0rrect-horse';
const basic = `Basic ${Buffer.from(`somebody:${secret}`).toString('base64')}`;

/** The token service of `acme.azurecr.io`, which gives a token to whoever asks, and the scope of another package. */
const challenge =
  'Bearer realm="http://acme.azurecr.io/oauth2/token",service="acme",scope="repository:secret/payroll:pull"';

const plainHttpHosts = [
  ...['evil.azurecr.io', 'acme.azurecr.io', 'azurecr.io', 'evil.example'],
  ...['npm.acme.example', 'npm-acme.example', 'npm.acme-example'],
];

type Answer = { status: number; headers?: Record<string, string> };

/** Gathers an image or a package of a host while only other hosts have a credential. A proxy answers for all hosts. */
async function gather(source: object, hosts: readonly string[], answers: Record<string, Answer>) {
  const proxy = await startUpstream(() => (request, response) => {
    const url = new URL(request.url!);
    if (url.pathname.endsWith('/token')) {
      return answer(response, 200, 'application/json', JSON.stringify({ token: `for-${secret}` }));
    }

    const { status, headers = {} } = answers[url.host] ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end('not here');
  });
  onTestFinished(() => proxy.close());

  const root = createRoot({ plainHttpHosts });
  root.write('components/svc.json', definition({ sources: [source] }));
  const credentials = hosts.map((host) => [nameVariable(new URL(`http://${host}/`)), basic]);
  const env = {
    HOME: temporaryFolder(),
    HTTP_PROXY: proxy.url,
    ...Object.fromEntries(credentials),
  };

  const run = await runHere(['gather', '--root', root.dir], env);

  const requests = proxy.requests.map(({ path, headers }) => {
    const url = new URL(path);
    return {
      to: `${url.host}${url.pathname}`,
      scope: url.searchParams.get('scope'),
      authorization: headers.authorization,
    };
  });

  return { ...run, requests };
}

const image = (host: string) => ({
  datasource: 'docker',
  packageName: 'svc',
  registryUrl: `http://${host}/`,
});
const denied: Answer = { status: 401, headers: { 'www-authenticate': challenge } };

test.each<[string, string, readonly string[]]>([
  ['a sibling of the host', 'evil.azurecr.io', ['acme.azurecr.io']],
  ['its parent domain', 'azurecr.io', ['acme.azurecr.io']],
  ['a stranger', 'evil.example', ['acme.azurecr.io']],
  ['another port of the host', 'acme.azurecr.io:8443', ['acme.azurecr.io']],
])(
  'a registry that names the token service of a host gets nothing with its credential: %s',
  async (_, registry, hosts) => {
    const { requests, stderr } = await gather(image(registry), hosts, { [registry]: denied });

    expect(requests.map(({ to }) => to)).toEqual([
      `${registry}/v2/svc/tags/list`,
      'acme.azurecr.io/oauth2/token',
      `${registry}/v2/svc/tags/list`,
    ]);
    expect(requests.some(({ authorization }) => authorization === basic)).toBe(false);
    expect(requests[1]!.scope).toBe('repository:svc:pull');
    expect(stderr).not.toContain(secret);
  },
);

test.each<[string, string, readonly string[]]>([
  ['its own', 'acme.azurecr.io', ['acme.azurecr.io']],
  ['another with a variable', 'evil.azurecr.io', ['acme.azurecr.io', 'evil.azurecr.io']],
])(
  'a token service is asked for the package of the source alone: %s',
  async (_, registry, hosts) => {
    const { requests } = await gather(image(registry), hosts, { [registry]: denied });
    const asked = requests.filter(({ to }) => to.endsWith('/token'));

    expect(asked).toEqual([
      { to: 'acme.azurecr.io/oauth2/token', scope: 'repository:svc:pull', authorization: basic },
    ]);
  },
);

test('a redirect to another host takes no credential there', async () => {
  const location = 'http://evil.example/v2/svc/tags/list';
  const { requests } = await gather(image('acme.azurecr.io'), ['acme.azurecr.io'], {
    'acme.azurecr.io': { status: 302, headers: { location } },
    'evil.example': denied,
  });

  expect(requests).toEqual([
    { to: 'acme.azurecr.io/v2/svc/tags/list', scope: null, authorization: basic },
    { to: 'evil.example/v2/svc/tags/list', scope: null, authorization: undefined },
  ]);
});

test.each(['npm-acme.example', 'npm.acme-example', 'npm.acme.example:8443'])(
  'the credential for npm.acme.example is not sent to %s',
  async (host) => {
    const source = { datasource: 'npm', packageName: 'svc', registryUrl: `http://${host}/` };
    const { requests, status, stderr } = await gather(source, ['npm.acme.example'], {
      [host]: { status: 401 },
    });

    expect(requests).toEqual([{ to: `${host}/svc`, scope: null, authorization: undefined }]);
    expect(status).toBe(0);
    expect(stderr).toContain(`set ${nameVariable(new URL(`http://${host}/`))} or a token`);
  },
);
