import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../harness/cli.ts';
import { startCloudflare } from '../harness/cloudflare.ts';
import { listenTo, openProxy, ownAuthority } from '../harness/company-network.ts';
import { json } from '../harness/imitated-upstream.ts';
import { pathsIn, readJsonIn, temporaryFolder, writeIn } from '../harness/root.ts';
import { serve, type Document } from '../harness/upstream.ts';

const names = Array.from({ length: 40 }, (_, index) => `lib-${String(index + 1).padStart(2, '0')}`);

/** Versions by library; a test changes them as upstream would. */
type Libraries = Map<string, Record<string, string>>;

/** A registry of a firm: over TLS, with a certificate of its own authority, for whoever has its token. */
async function privateRegistry(libraries: Libraries, token: string) {
  const { ca, cert, key } = ownAuthority();
  const documents = () =>
    Array.from(libraries, ([name, versions]): [string, Document] => [
      `/npm/@acme%2f${name}`,
      json({
        name: `@acme/${name}`,
        versions: Object.fromEntries(Object.keys(versions).map((version) => [version, {}])),
        time: { created: '2020-01-01T00:00:00.000Z', ...versions },
      }),
    ]);
  const server = createTlsServer(
    { cert: readFileSync(cert), key: readFileSync(key) },
    (request, response) => {
      if (request.headers.authorization === `Bearer ${token}`) serve(new Map(documents()))(request, response);
      else response.writeHead(401).end();
    },
  );
  const { port } = await listenTo(server);
  return { ca, host: `localhost:${port}` };
}

const month = (back: number) => new Date(Date.now() - back * 30 * 86_400_000).toISOString();

test(
  'an index of forty internal libraries: begun, published, followed for a day, with a rename and a leaked key',
  { timeout: 240_000 },
  async () => {
    const libraries: Libraries = new Map(
      names.map((name) => [
        name,
        { '1.0.0': month(30), '1.1.0': month(16), '2.0.0': month(6), '2.1.0': month(1) },
      ]),
    );
    const { ca, host } = await privateRegistry(libraries, 's3cret');
    const proxy = await openProxy();
    const cloudflare = await startCloudflare();
    onTestFinished(() => cloudflare.close());
    const [home, work] = [temporaryFolder(), temporaryFolder()];
    writeIn(home, '.npmrc', `registry=https://${host}/npm/\n//${host}/npm/:_authToken=\${NPM_TOKEN}\n`);
    const root = join(work, 'index');
    const env = {
      HOME: home,
      CI: '1',
      NO_COLOR: '1',
      NPM_TOKEN: 's3cret',
      HTTPS_PROXY: proxy.address,
      CLOUDFLARE_API_TOKEN: cloudflare.token,
      CLOUDFLARE_ACCOUNT_ID: 'account',
      CLOUDFLARE_API_BASE_URL: cloudflare.apiBaseUrl,
      RELEASE_INDEX_KEY: '',
    };
    /** Node reads the certificate at its start; what asks no registry runs in this process. */
    const asks = ['add', 'start', 'daily'];
    const command = async (...args: string[]) => {
      const authority = asks.includes(args[0]!) ? { NODE_EXTRA_CA_CERTS: ca } : {};
      const ran = await runCli([...args, ...(args[0] === 'init' ? [] : ['--root', root])], {
        env: { ...env, ...authority },
      });
      expect(ran.status, `${args.join(' ')}\n${ran.stderr}`).toBe(0);
      expect(ran.stderr.match(/^(?:error|warning)(?!: lib-03: .* no longer lists 2\.1\.0).*/gm)).toBeNull();
      return ran.stdout;
    };
    const get = (path: string, key: string) =>
      fetch(`${cloudflare.siteUrl}/${path}`, { headers: { authorization: `Bearer ${key}` } });
    const live = async (path: string) => (await get(path, env.RELEASE_INDEX_KEY)).json() as Promise<any>;
    const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
    writeIn(work, 'bom.json', {
      ...{ bomFormat: 'CycloneDX', specVersion: '1.6' },
      components: names.map((name) => ({ name, version: '1.1.0', purl: `pkg:npm/%40acme/${name}@1.1.0` })),
    });

    await command(
      ...['init', root, '--private', 'jane@acme.example'],
      ...['--releases-url', cloudflare.siteUrl, '--repository-url', 'https://git.acme.example/index'],
      ...['--homepage', 'https://git.acme.example/{component}'],
      ...['--changelog', 'https://git.acme.example/{component}/-/releases'],
      ...['--support', 'term:12', '--line', '1'],
    );
    const added = await command('add', '--from', join(work, 'bom.json'));
    await command('start');
    await command('record');
    await command('build');
    const checked = await command('check');

    expect(added).toContain('add: added 40 of 40 packages; 0 in the index before, 0 failed.\n');
    expect(checked).toContain(
      'changelogUrl by 40 components, support by 40 components.\ncheck: 40 components, 0 errors, 0 warnings.\n',
    );
    const page = readFileSync(join(root, 'dist/index.html'), 'utf8');
    const { lines } = readJsonIn<any>(root, 'dist/details/lib-01.json');
    const today = new Date().toISOString();
    expect(lines.map(({ line, supportedUntil }: any) => [line, supportedUntil > today])).toEqual([
      ['1', false],
      ['2', true],
    ]);
    expect(page).toContain(lines[1].supportedUntil);
    expect(proxy.seen.length).toBeGreaterThan(0);
    expect(JSON.stringify([added, checked, proxy.seen, pathsIn(root).length])).not.toContain('s3cret');

    mkdirSync(join(work, 'remote'));
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', join(work, 'remote')]);
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Tester');
    git('config', 'user.email', 'tester@example.com');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Begin the index');
    git('remote', 'add', 'origin', join(work, 'remote'));
    git('push', '--quiet', '--set-upstream', 'origin', 'main');
    const doctor = await runCli(['doctor', '--root', root], { env });
    expect(doctor.stdout).toMatch(/^ok +addresses .*\n(?:.*\n)*ok +definitions /m);
    expect(doctor.stdout).toContain('package-lock.json');
    const expires = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
    const leaked = (await command('key', 'new', '--user', 'jane', '--expires', expires)).trim();
    env.RELEASE_INDEX_KEY = leaked;
    await command('build');
    await command('publish');
    const first = await live('lib-01.json');

    expect(first.tags).toEqual({ latest: '2.1.0' });
    expect(first.releases.filter((one: any) => one.isDeprecated).map((one: any) => one.version)).toEqual([
      '1.0.0',
      '1.1.0',
    ]);

    libraries.set('lib-02', {
      ...libraries.get('lib-02'),
      '3.0.0': new Date(Date.now() - 3_600_000).toISOString(),
    });
    const { '2.1.0': _, ...pulled } = libraries.get('lib-03')!;
    libraries.set('lib-03', pulled as Record<string, string>);
    await command('daily', '--push');
    const { changes } = await live('changes.json');

    expect(git('log', '-1', '--format=%s', 'origin/main')).toContain('lib-02');
    expect((await live('lib-02.json')).tags).toEqual({ latest: '3.0.0' });
    expect((await live('lib-03.json')).tags).toEqual({ latest: '2.0.0' });
    expect(
      changes
        .filter((one: any) => ['released', 'withdrawn'].includes(one.type) && !one.initial)
        .map((one: any) => [one.component, one.type, one.version]),
    ).toEqual(
      expect.arrayContaining([
        ['lib-02', 'released', '3.0.0'],
        ['lib-03', 'withdrawn', '2.1.0'],
      ]),
    );

    const renamed = await command('rename', 'lib-04', 'lib-four', '--yes');
    const fresh = (await command('key', 'rotate', 'jane')).trim();
    await command('key', 'revoke', 'jane');
    await command('build');
    env.RELEASE_INDEX_KEY = `${leaked},${fresh}`;
    await command('publish');
    env.RELEASE_INDEX_KEY = fresh;

    expect(renamed).toContain('lib-four');
    expect((await live('lib-04.json')).tags).toEqual((await live('lib-four.json')).tags);
    expect([(await get('index.json', leaked)).status, (await get('index.json', fresh)).status]).toEqual([
      401, 200,
    ]);
  },
);
