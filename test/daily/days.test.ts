import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCloudflare, type Cloudflare } from '../harness/cloudflare.ts';
import { createRoot, type TestRoot } from '../harness/site-root.ts';
import { runCli } from '../harness/cli.ts';
import { run, type Run } from '../harness/run.ts';
import { serve, startUpstream, type Document, type Upstream } from '../harness/upstream.ts';

/*
 * The first five days of an index, as the workflow runs them: three components at three kinds of upstream, a repository
 * that is pushed to, and a host that files are sent to. Each day builds on the one before.
 */
const packages: Record<string, string[]> = {};
let isMavenDown = false;
let isHanging = false;
const upstreamAsked = Promise.withResolvers<void>();
let upstream: Upstream;
let cloudflare: Cloudflare;
let root: TestRoot;
let remote: string;
let today: Day;
let sumsOfDay2: string;

interface Day extends Run {
  summary: string;
  outputs: string;
  /** Files sent to the host. */
  sent: number;
}

beforeAll(async () => {
  upstream = await startUpstream(() => (request, response) => {
    if (isHanging) return void upstreamAsked.resolve();
    if (isMavenDown && request.url!.includes('/maven/')) return void response.writeHead(503).end();
    serve(documents())(request, response);
  });
  cloudflare = await startCloudflare();
  root = createRoot({ releasesUrl: cloudflare.siteUrl });
  define('svc', { datasource: 'npm', packageName: 'svc', registryUrl: upstream.url });
  define('edge-node', {
    datasource: 'maven',
    packageName: 'com.example:edge-node',
    registryUrl: `${upstream.url}maven/`,
  });
  define('svcctl', {
    datasource: 'page',
    url: `${upstream.url}page`,
    matchStrings: ['^# (?<version>\\S+) of (?<releaseTimestamp>\\S+)$'],
  });
  remote = mkdtempSync(join(tmpdir(), 'remote-'));
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@example.com');
  writeFileSync(join(root.dir, '.gitignore'), 'dist/\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Define three components');
  git('remote', 'add', 'origin', remote);
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  packages['svc'] = ['2026.1', '2026.2', '2026.3', '2026.4', '2026.5'];
  packages['edge-node'] = ['1.0', '1.1'];
  packages['svcctl'] = ['3.0'];
});

afterAll(async () => {
  await Promise.all([upstream.close(), cloudflare.close()]);
  root.remove();
  rmSync(remote, { recursive: true });
});

describe('day 1, from nothing', () => {
  beforeAll(async () => {
    today = await runDay('2026-11-16');
  });

  test('records every release, commits and pushes it, and names the components', () => {
    expect(today.stderr).not.toContain('error:');
    expect(today.status).toBe(0);
    expect(git('log', '-1', '--format=%B').trim()).toBe(
      [
        'Record 8 releases of 3 components',
        '',
        'edge-node: recorded 1.0, 1.1',
        'svc: recorded 2026.1, 2026.2, 2026.3, 2026.4, 2026.5',
        'svcctl: recorded 3.0',
      ].join('\n'),
    );
    expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'origin/main'));
  });

  test('leaves the checkout clean', () => {
    expect(git('status', '--porcelain')).toBe('');
  });

  test('publishes the site', async () => {
    expect(await live('index.json')).toEqual(['edge-node', 'svc', 'svcctl']);
    expect(await versions('svc')).toEqual(['2026.1', '2026.2', '2026.3', '2026.4', '2026.5']);
    expect(today.sent).toBeGreaterThan(40);
    expect(today.outputs).toMatch(/published<<\S+\ntrue\n/);
  });

  test('tells in the summary what is new', () => {
    expect(today.summary).toContain('Release index as of 2026-11-16');
    expect(today.summary).toContain(
      '<tr><td>svc</td><td>recorded</td><td>2026.1, 2026.2, 2026.3, 2026.4, 2026.5</td></tr>',
    );
    expect(today.summary).toContain('<tr><td>edge-node</td><td>1.1</td><td>2</td><td>live</td></tr>');
    expect(today.summary).not.toContain('Needs a person');
  });
});

describe('day 2, with one new release', () => {
  beforeAll(async () => {
    packages['svc']!.push('2026.6');
    writeFileSync(join(root.dir, 'notes.md'), 'a draft');
    git('add', 'notes.md');
    today = await runDay('2026-11-17');
    sumsOfDay2 = await (await fetch(`${cloudflare.siteUrl}/SHA256SUMS`)).text();
  });

  test('names it in the subject of the commit', () => {
    expect(today.status).toBe(0);
    expect(git('log', '-1', '--format=%s')).toBe('Record svc 2026.6');
  });

  test('commits nothing that is not its own, and leaves what was staged', () => {
    const committed = git('show', '--name-only', '--format=', 'HEAD').split('\n');
    expect(committed.every((file) => file.startsWith('data/'))).toBe(true);
    expect(git('status', '--porcelain')).toBe('A  notes.md');
    git('rm', '--quiet', '--force', 'notes.md');
  });

  test('publishes it, and sends only what changed', async () => {
    expect(await versions('svc')).toContain('2026.6');
    expect(today.sent).toBeGreaterThan(0);
    expect(today.sent).toBeLessThan(30);
    expect(today.summary).toContain('<tr><td>svc</td><td>recorded</td><td>2026.6</td></tr>');
  });
});

describe('day 3, with one upstream down', () => {
  beforeAll(async () => {
    isMavenDown = true;
    packages['svcctl']!.push('3.1');
    today = await runDay('2026-11-18');
  });

  test('takes what the others have, and calls nobody', async () => {
    expect(today.status).toBe(0);
    expect(git('log', '-1', '--format=%s')).toBe('Record svcctl 3.1');
    expect(await versions('svcctl')).toEqual(['3.0', '3.1']);
    expect(today.summary).not.toContain('Needs a person');
  });

  test('keeps what is known of the one that is down, and says that it is stale', async () => {
    expect(await versions('edge-node')).toEqual(['1.0', '1.1']);
    expect(await state('edge-node')).toBe('stale');
    expect(today.stderr).toContain('warning: edge-node (maven:com.example:edge-node): ');
    expect(today.stdout).toContain('::warning ');
    expect(today.summary).toContain('<tr><td>edge-node</td><td>1.1</td><td>2</td><td>stale</td></tr>');
  });
});

describe('day 4, with a list that has shrunk', () => {
  beforeAll(async () => {
    isMavenDown = false;
    packages['svc'] = ['2026.1'];
    packages['edge-node']!.push('1.2');
    today = await runDay('2026-11-19');
  });

  test('does not believe it, and calls a person', async () => {
    expect(today.status).toBe(1);
    expect(await versions('svc')).toEqual(['2026.1', '2026.2', '2026.3', '2026.4', '2026.5', '2026.6']);
    expect(await state('svc')).toBe('held');
    expect(today.summary).toContain('Needs a person');
    expect(today.summary).toContain('npm:svc is held since 2026-11-19: no longer lists 2026.6');
    expect(today.stderr).toContain('npm run gather -- svc --accept');
  });

  test('publishes the others all the same', async () => {
    expect(await versions('edge-node')).toEqual(['1.0', '1.1', '1.2']);
    expect(await state('edge-node')).toBe('live');
    expect(git('log', '-1', '--format=%s')).toBe('Record edge-node 1.2');
    expect(today.outputs).toMatch(/published<<\S+\ntrue\n/);
  });

  test('leaves a report for the issue', () => {
    const report = JSON.parse(readFileSync(join(root.dir, '.cache/daily.json'), 'utf8')) as {
      attention: object[];
    };
    expect(report.attention).toEqual([expect.objectContaining({ kind: 'held', subject: 'svc' })]);
  });
});

describe('day 5, with nothing new', () => {
  beforeAll(async () => {
    packages['svc'] = ['2026.1', '2026.2', '2026.3', '2026.4', '2026.5', '2026.6'];
    today = await runDay('2026-11-20');
  });

  test('is well again, and records that it looked', async () => {
    expect(today.status).toBe(0);
    expect(git('log', '-1', '--format=%s')).toBe('Check 3 components: nothing new');
    expect(await state('svc')).toBe('live');
    expect(today.summary).toContain('Nothing new.');
  });

  test('publishes the day', async () => {
    expect(((await live('status.json')) as { asOf: string }).asOf).toBe('2026-11-20');
    expect(today.sent).toBeLessThan(30);
  });

  test('run again on the same day commits nothing and sends nothing', async () => {
    const before = git('rev-parse', 'HEAD');

    const again = await runDay('2026-11-20');

    expect(again.status).toBe(0);
    expect(again.stdout).toContain('daily: nothing to commit.');
    expect(git('rev-parse', 'HEAD')).toBe(before);
    expect(again.sent).toBe(0);
  });
});

describe('an earlier day', () => {
  test('is built again byte for byte from its commit', async () => {
    const commit = git('log', '--format=%H', '--grep=Record svc 2026.6');
    const folder = join(remote, 'earlier');
    git('worktree', 'add', '--quiet', folder, commit);

    const built = await run(['build', '--root', folder, '--as-of', '2026-11-17']);

    expect(built.status).toBe(0);
    expect(readFileSync(join(folder, 'dist/SHA256SUMS'), 'utf8')).toBe(sumsOfDay2);
    git('worktree', 'remove', '--force', folder);
  });
});

describe('a day that goes wrong', () => {
  test('publishes nothing that could not be recorded', async () => {
    packages['svc']!.push('2026.7');
    execFileSync('git', ['-C', remote, 'config', 'receive.denyCurrentBranch', 'refuse']);
    writeFileSync(
      join(remote, 'hooks/pre-receive'),
      '#!/bin/sh\necho "the branch is protected" >&2\nexit 1\n',
      { mode: 0o755 },
    );

    const broken = await runDay('2026-11-21');

    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain('the branch is protected');
    expect(broken.stderr).toContain('Nothing was published.');
    expect(await versions('svc')).not.toContain('2026.7');
  });

  test('publishes nothing either when it is run again without a remedy', async () => {
    const again = await runDay('2026-11-21');

    expect(again.status).toBe(1);
    expect(again.stdout).toContain('daily: nothing to commit.');
    expect(again.stderr).toContain('the branch is protected');
    expect(await versions('svc')).not.toContain('2026.7');
  });

  test('is made good on the same day: what was committed is pushed first', async () => {
    rmSync(join(remote, 'hooks/pre-receive'));

    const good = await runDay('2026-11-21');

    expect(good.status).toBe(0);
    expect(good.stdout).toMatch(/daily: pushed [0-9a-f]{10}, committed earlier\./);
    expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'origin/main'));
    expect(await versions('svc')).toContain('2026.7');
  });

  test('goes on top of what others have pushed', async () => {
    packages['svc']!.push('2026.8');
    const other = mkdtempSync(join(tmpdir(), 'other-'));
    execFileSync('git', ['clone', '--quiet', remote, other]);
    const otherGit = (...args: string[]) =>
      execFileSync('git', [
        '-C',
        other,
        '-c',
        'user.name=Other',
        '-c',
        'user.email=other@example.com',
        ...args,
      ]);
    writeFileSync(join(other, 'README.md'), 'theirs\n');
    otherGit('add', '--all');
    otherGit('commit', '--quiet', '--message', 'Say what this is');
    otherGit('push', '--quiet');
    rmSync(other, { recursive: true });

    const good = await runDay('2026-11-22');

    expect(good.status).toBe(0);
    expect(await versions('svc')).toContain('2026.8');
    expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'origin/main'));
    expect(git('log', '--format=%s', '-3').split('\n')).toContain('Say what this is');
  });

  test.each([
    {
      name: 'no branch is checked out',
      day: '2026-11-23',
      spoil: () => git('checkout', '--quiet', '--detach'),
      says: 'git push: fatal: You are not currently on a branch.',
    },
    {
      name: 'nobody is named as the author',
      day: '2026-11-24',
      spoil: () => git('config', '--unset', 'user.email'),
      says: 'Name one: git config user.name and git config user.email. Nothing was published.',
    },
  ])('is told where $name', async ({ day, spoil, says }) => {
    spoil();

    const result = await runDay(day, { HOME: remote });

    expect(result.status).toBe(1);
    expect(result.stderr).toContain(says);
  });

  test('that is stopped leaves no report, so that nobody takes it for a good one', async () => {
    expect(existsSync(join(root.dir, '.cache/daily.json'))).toBe(true);
    isHanging = true;

    const stopped = await runCli(['daily', '--root', root.dir, '--as-of', '2026-11-25'], {
      onStart: (child) => void upstreamAsked.promise.then(() => child.kill('SIGTERM')),
    });

    expect(stopped.status).toBe(130);
    expect(existsSync(join(root.dir, '.cache/daily.json'))).toBe(false);
  });

  test('is told where there is no repository', async () => {
    const elsewhere = createRoot({ releasesUrl: cloudflare.siteUrl });

    const result = await run(['daily', '--root', elsewhere.dir, '--as-of', '2026-11-22']);

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('not a git repository');
    elsewhere.remove();
  });
});

async function runDay(day: string, env: Record<string, string> = {}): Promise<Day> {
  const summary = join(remote, 'summary.md');
  const outputs = join(remote, 'outputs');
  writeFileSync(summary, '');
  writeFileSync(outputs, '');
  cloudflare.sent.clear();
  const result = await run(['daily', '--push', '--root', root.dir, '--as-of', day], {
    CLOUDFLARE_API_TOKEN: cloudflare.token,
    CLOUDFLARE_ACCOUNT_ID: 'account',
    CLOUDFLARE_API_BASE_URL: cloudflare.apiBaseUrl,
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
    ...env,
  });
  return {
    ...result,
    summary: readFileSync(summary, 'utf8'),
    outputs: readFileSync(outputs, 'utf8'),
    sent: cloudflare.sent.size,
  };
}

function define(name: string, source: object): void {
  const homepage = `https://example.com/${name}`;
  root.write(`components/${name}.json`, {
    title: `The ${name}`,
    homepage,
    changelogUrl: homepage,
    sources: [source],
  });
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', root.dir, ...args], { encoding: 'utf8' }).trim();
}

async function live(path: string): Promise<unknown> {
  return (await fetch(`${cloudflare.siteUrl}/${path}`)).json();
}

async function versions(component: string): Promise<string[]> {
  const { releases } = (await live(`${component}.json`)) as { releases: { version: string }[] };
  return releases.map(({ version }) => version);
}

async function state(component: string): Promise<string> {
  return ((await live('status.json')) as { components: Record<string, { state: string }> }).components[
    component
  ]!.state;
}

/** What the three upstreams have today. */
function documents(): Map<string, Document> {
  const json = (body: object): Document => ({ type: 'application/json', body: JSON.stringify(body) });
  const svc = packages['svc']!;
  const maven = packages['edge-node']!;
  const published = (version: string) => `2026-0${(Number(version.split('.')[1]) % 9) + 1}-10T08:00:00.000Z`;
  return new Map<string, Document>([
    [
      '/svc',
      json({
        name: 'svc',
        versions: Object.fromEntries(svc.map((version) => [version, { version }])),
        time: {
          created: '2026-01-01T00:00:00.000Z',
          ...Object.fromEntries(svc.map((version) => [version, published(version)])),
        },
      }),
    ],
    [
      '/maven/com/example/edge-node/maven-metadata.xml',
      {
        type: 'text/xml',
        body: `<metadata><groupId>com.example</groupId><artifactId>edge-node</artifactId><versioning><versions>${maven
          .map((version) => `<version>${version}</version>`)
          .join('')}</versions></versioning></metadata>`,
      },
    ],
    ...maven.map((version): [string, Document] => [
      `/maven/com/example/edge-node/${version}/edge-node-${version}.pom`,
      { type: 'text/xml', body: '<project/>', headers: { 'last-modified': 'Mon, 05 Jan 2026 10:00:00 GMT' } },
    ]),
    [
      '/page',
      {
        type: 'text/plain',
        body: packages['svcctl']!.map((version) => `# ${version} of 2026-06-01\n`).join(''),
      },
    ],
  ]);
}
