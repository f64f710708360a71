import { spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeCommonHeaders, findHeaders, kinds } from '../../../src/site/render/headers.ts';
import { lintWorkflowsOf } from '../../harness/workflow-lint.ts';
import { checkout, fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { ownProgram } from '../../harness/cli.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import {
  definition,
  filesIn,
  pathsIn,
  readJsonIn,
  temporaryFolder,
  withGit,
} from '../../harness/root.ts';
import { startNginx } from '../../harness/nginx.ts';
import { runHere } from '../../harness/run-here.ts';
import { startSite } from '../../harness/static-site.ts';

const siteUrl = 'https://example.github.io/our-index';

describe('an index that "init --host pages" begins', () => {
  const folder = temporaryFolder();
  const out = join(folder, 'dist');

  beforeAll(async () => {
    const repository = ['--repository-url', 'https://github.com/Example/our-index'];
    const begun = await runHere(['init', folder, '--host', 'pages', ...repository]);
    withGit(folder);
    for (const part of ['components', 'data']) {
      cpSync(join(fixtureIndex, part), join(folder, part), { recursive: true });
    }
    const built = await runHere(['build', '--root', folder, '--as-of', fixtureDay]);
    expect([begun.status, built.status, built.stderr]).toEqual([0, 0, '']);
    expect(begun.stdout).toContain('under Pages, choose "GitHub Actions" as source');
  });

  test('is served on a free port where the usual one is taken', async () => {
    // Another program may have it already.
    const usual = createServer().listen(8787, '127.0.0.1');
    await new Promise((done) => usual.once('listening', done).once('error', done));
    const server = spawn(process.execPath, [ownProgram, 'preview', '--root', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void (server.kill('SIGINT') && usual.close()));
    let printed = '';
    for await (const chunk of server.stdout) {
      if ((printed += String(chunk)).includes('\n')) {
        break;
      }
    }
    const address = / at (http:\S+) /.exec(printed)![1]!;

    expect(address).not.toContain(':8787/');
    expect((await fetch(`${address}svc.json`)).status).toBe(200);
  });

  test('has an address at GitHub, a workflow that deploys there, and nothing of another host', async () => {
    const workflow = load(readFileSync(join(folder, '.github/workflows/daily.yml'), 'utf8')) as {
      jobs: { daily: { uses: string; secrets: object } };
    };
    const deployment = readFileSync(
      join(folder, '.github/workflows/release-index-publish.yml'),
      'utf8',
    );

    expect(readJsonIn(folder, 'site/site.json')).toMatchObject({
      releasesUrl: siteUrl,
      hosting: 'pages',
    });
    expect(Object.values(await lintWorkflowsOf(folder))).toEqual([[], [], []]);
    expect(workflow.jobs.daily.uses).toBe('./.github/workflows/release-index-publish.yml');
    expect(deployment).toMatch(
      /uses: actions\/upload-pages-artifact@[\s\S]*uses: actions\/deploy-pages@/,
    );
    const written = Object.entries(filesIn(folder)).filter(
      ([path]) => !/^(?:dist|components|data)\/|-publish\.yml$/.test(path),
    );
    expect(JSON.stringify(written)).not.toMatch(/wrangler"|CLOUDFLARE_/i);
  });

  test('a plain server of files answers each address that any page or document names', async () => {
    const address = await startSite(out);
    const named = new Map<string, string>();
    for (const [path, folded] of Object.entries(filesIn(out))) {
      // Calendars break lines in the middle of an address.
      const text = folded.replaceAll('\r\n ', '');
      for (const [, rest] of text.matchAll(
        /https:\/\/example\.github\.io\/our-index([^\s"'`<>()\\|,;&]*)/g,
      )) {
        named.set(rest!.replace(/[.:]$/, ''), path);
      }
      const links = path.endsWith('.html') ? text.matchAll(/\s(?:href|src|action)="([^"]+)"/g) : [];
      for (const [, href] of links) {
        const url = new URL(href!.replaceAll('&amp;', '&'), `${siteUrl}/${path}`);
        if (url.href.startsWith(siteUrl)) {
          named.set(url.href.slice(siteUrl.length), path);
        }
      }
    }
    const missing: string[] = [];
    for (const [rest, from] of named) {
      const [path = ''] = rest.split(/[?#{$]/);
      const file = path === '' || path === '/' ? '/index.html' : path;
      const { status } = await fetch(`${address}${file}`);
      if (status !== 200 && !file.endsWith('/')) {
        missing.push(`${from}: ${rest}`);
      }
    }

    expect(named.size).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  test('advertises no question, stream or tool over HTTP', () => {
    const ofWorker =
      /\/mcp\b|(?<!endoflife)\/api\/|policy-scans\/|\/export\/v1|\/build-export|openapi|_headers/;
    // What people write may name addresses of others.
    const ofPeople = /^(?:assets\/|schema\/documents\.json$)/;
    const advertising = Object.entries(filesIn(out)).filter(
      ([path, text]) => ofWorker.test(text) && !ofPeople.test(path),
    );

    expect(advertising.map(([path]) => path)).toEqual([]);
    expect(pathsIn(out).filter((path) => /^_headers|openapi/.test(path))).toEqual([]);
  });

  test('nginx sends the headers of the table, by the settings in site/servers', async () => {
    const settings = readFileSync(join(checkout, 'site/servers/nginx.conf'), 'utf8');
    const origin = await startNginx(out, settings);
    const get = (path: string) => fetch(`${origin}/${path}`);

    for (const path of pathsIn(out)) {
      const answer = await get(path);
      await answer.arrayBuffer();
      const sent = [...findHeaders(path)!.keys()].map((name) => [name, answer.headers.get(name)]);
      expect([answer.status, Object.fromEntries(sent)], path).toEqual([
        200,
        Object.fromEntries(findHeaders(path)!),
      ]);
    }
    const missing = await get('nothing.json');
    expect([(await get('')).status, missing.status]).toEqual([200, 404]);
    expect(missing.headers.get('cache-control')).toBe('no-store');
    expect(missing.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await missing.text()).toContain('<h1>Nothing here</h1>');
  });

  test('the settings for Caddy have every pattern and header of the table', () => {
    const settings = readFileSync(join(checkout, 'site/servers/Caddyfile'), 'utf8');
    const lines = [describeCommonHeaders(), ...kinds].flatMap(({ headers }) =>
      Object.entries(headers).map(([name, value]) => `${name} "${value}"`),
    );

    const patterns = kinds.map(({ pattern }) => ` ${pattern.replace(/^\/\*/, '*')}`);
    expect([...lines, ...patterns].filter((text) => !settings.includes(text))).toEqual([]);
  });

  test.each([
    ['beside a host that answers questions', 'cloudflare', '.', 'needs another "hosting"'],
    ['that holds other files', 'files', '.', 'holds other files'],
    ['that is a file', 'files', 'vmlinuz', 'is not a folder'],
  ])('a folder %s is rejected before anything is recorded', async (_, hosting, place, problem) => {
    const index = openIndexInGit();
    index.root.configure({ hosting });
    index.root.write('components/svc.json', definition());
    index.commit();
    const [head, to] = [index.git('rev-parse', 'HEAD'), temporaryFolder()];
    writeFileSync(join(to, 'vmlinuz'), '');

    const args = ['--root', index.root.dir, '--as-of', fixtureDay, '--to'];
    const { status, stderr } = await runHere(['daily', ...args, join(to, place)]);

    expect(status, stderr).toBe(1);
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain('accept');
    expect(index.git('rev-parse', 'HEAD')).toBe(head);
    expect(index.git('status', '--porcelain')).toBe('');
    expect(pathsIn(to)).toEqual(['vmlinuz']);
  });
});
