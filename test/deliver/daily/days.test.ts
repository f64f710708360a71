import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessTo, keyOf, recorded } from '../../ask/access/private-index.ts';
import { identitiesIn, temporaryFolder } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { openIndex, type Day, type TestIndex } from './index-of-three.ts';

/* The first five days of an index. Each day builds on the one before. */
let index: TestIndex;
let today: Day;
let sumsOfDay2: string;
const served = temporaryFolder();

beforeAll(async () => {
  index = await openIndex(served);
});

afterAll(() => index.close());

describe('day 1, from nothing', () => {
  beforeAll(async () => {
    today = await index.runDay('2026-11-16');
  });

  test('records every release, commits and pushes it, and names the components', () => {
    expect(today.stderr).not.toContain('error:');
    expect(today.status).toBe(0);
    expect(index.git('log', '-1', '--format=%B').trim()).toBe(
      [
        'Record 8 events of 3 components',
        '',
        '- edge-node: released 1.0, 1.1',
        '- svc: released 2026.1, 2026.2, 2026.3, 2026.4, 2026.5',
        '- svcctl: released 3.0',
      ].join('\n'),
    );
    expect(index.git('rev-parse', 'HEAD')).toBe(index.git('rev-parse', 'origin/main'));
  });

  test('leaves the checkout clean', () => {
    expect(index.git('status', '--porcelain')).toBe('');
  });

  test('publishes the site', async () => {
    expect(await index.live('index.json')).toEqual(['edge-node', 'svc', 'svcctl']);
    expect(await index.versions('svc')).toEqual(['2026.1', '2026.2', '2026.3', '2026.4', '2026.5']);
    expect(today.outputs).toMatch(/published<<\S+\ntrue\n/);
  });

  test('reports in the summary what is new', () => {
    expect(today.summary).toMatch(/^ {4}daily: committed \w+: Record /m);
    expect(today.summary).toMatch(/^ {4}edge-node +1\.1 .* live$/m);
    expect(today.summary).not.toContain('error: ');
  });
});

describe('day 2, with one new release', () => {
  beforeAll(async () => {
    index.packages.svc.push('2026.6');
    writeFileSync(join(index.root.dir, 'notes.md'), 'a draft');
    index.git('add', 'notes.md');
    today = await index.runDay('2026-11-17');
    sumsOfDay2 = readFileSync(join(served, 'SHA256SUMS'), 'utf8');
  });

  test('names it in the subject of the commit', () => {
    expect(today.status).toBe(0);
    expect(index.git('log', '-1', '--format=%s')).toBe('Record svc 2026.6');
  });

  test('commits nothing that is not its own, and leaves what was staged', () => {
    const committed = index.git('show', '--name-only', '--format=', 'HEAD').split('\n');
    expect(committed.every((file) => file.startsWith('data/'))).toBe(true);
    expect(index.git('status', '--porcelain')).toBe('A  notes.md');
    index.git('rm', '--quiet', '--force', 'notes.md');
  });

  test('publishes it', async () => {
    expect(await index.versions('svc')).toContain('2026.6');
    expect(today.summary).toMatch(/^ {4}daily: committed \w+: Record svc 2026\.6$/m);
  });
});

describe('day 3, with one upstream down', () => {
  beforeAll(async () => {
    index.upstream.isMavenDown = true;
    index.packages.svcctl.push('3.1');
    today = await index.runDay('2026-11-18');
  });

  test('accepts what the others list, and raises no alert', async () => {
    expect(today.status).toBe(0);
    expect(index.git('log', '-1', '--format=%s')).toBe('Record svcctl 3.1');
    expect(await index.versions('svcctl')).toEqual(['3.0', '3.1']);
    expect(today.summary).not.toContain('error: ');
  });

  test('keeps what is known of the one that is down, and says that it is stale', async () => {
    expect(await index.versions('edge-node')).toEqual(['1.0', '1.1']);
    expect(await index.state('edge-node')).toBe('stale');
    expect(today.stderr).toContain('warning: edge-node (maven:com.example:edge-node): ');
    expect(today.stdout).toContain('::warning ');
    expect(today.summary).toMatch(/^ {4}edge-node +1\.1 .* stale$/m);
  });
});

describe('day 4, with a list that has shrunk since the day before', () => {
  beforeAll(async () => {
    index.upstream.isMavenDown = false;
    index.packages.svc = ['2026.1'];
    expect((await index.runDay('2026-11-19')).status).toBe(0);
    index.packages['edge-node'].push('1.2');
    today = await index.runDay('2026-11-20');
  });

  test('rejects it, and raises an alert', async () => {
    expect(today.status).toBe(1);
    expect(await index.versions('svc')).toEqual(['2026.1', '2026.2', '2026.3', '2026.4', '2026.5', '2026.6']);
    expect(await index.state('svc')).toBe('held');
    expect(today.summary).toContain(
      '    error: npm:svc (svc): held since 2026-11-20: the latest release would fall from 2026.6 to 2026.1;',
    );
    expect(today.stderr).toMatch(/npx release-index accept [0-9a-f]{10}, and commit data\/decisions\.ndjson/);
  });

  test('publishes the others all the same', async () => {
    expect(await index.versions('edge-node')).toEqual(['1.0', '1.1', '1.2']);
    expect(await index.state('edge-node')).toBe('live');
    expect(index.git('log', '-1', '--format=%s')).toBe('Record edge-node 1.2');
    expect(today.outputs).toMatch(/published<<\S+\ntrue\n/);
  });

  test('leaves a report for the issue', () => {
    const report = JSON.parse(readFileSync(join(index.root.dir, '.cache/daily.json'), 'utf8')) as {
      attention: object[];
    };
    expect(report.attention).toEqual([expect.objectContaining({ kind: 'held', components: ['svc'] })]);
  });
});

describe('day 5, with nothing new', () => {
  beforeAll(async () => {
    index.packages.svc = ['2026.1', '2026.2', '2026.3', '2026.4', '2026.5', '2026.6'];
    today = await index.runDay('2026-11-21');
  });

  test('is in order again, and records the check', async () => {
    expect(today.status).toBe(0);
    expect(index.git('log', '-1', '--format=%s')).toBe('Check 3 components: nothing new');
    expect(await index.state('svc')).toBe('live');
    expect(today.summary).toContain('    record: nothing new.\n');
  });

  test('publishes the day', async () => {
    expect(((await index.live('status.json')) as { asOf: string }).asOf).toBe('2026-11-21');
  });

  test('run again on the same day commits nothing and writes nothing', async () => {
    const before = [index.git('rev-parse', 'HEAD'), identitiesIn(served)];

    const again = await index.runDay('2026-11-21');

    expect(again.status).toBe(0);
    expect(again.stdout).toContain('daily: nothing to commit.');
    expect([index.git('rev-parse', 'HEAD'), identitiesIn(served)]).toEqual(before);
  });
});

describe('an earlier day', () => {
  test('is built again byte for byte from its commit', async () => {
    const commit = index.git('log', '--format=%H', '--grep=Record svc 2026.6');
    const folder = join(index.remote, 'earlier');
    index.git('worktree', 'add', '--quiet', folder, commit);

    const built = await run(['build', '--root', folder, '--as-of', '2026-11-17']);

    expect(built.status).toBe(0);
    expect(readFileSync(join(folder, 'dist/SHA256SUMS'), 'utf8')).toBe(sumsOfDay2);
    index.git('worktree', 'remove', '--force', folder);
  });
});

describe('a day on which an access key ends soon', () => {
  let index: TestIndex;

  beforeAll(async () => {
    index = await openIndex();
    index.root.write('site/access.json', { ...accessTo('mcp'), externalOauth: undefined });
    const keys = [recorded(keyOf('a'), 'jane', '2026-12-01'), recorded(keyOf('b'))];
    index.git('add', '--all');
    index.git('commit', '--quiet', '--message', 'Protect the tools of agents');
    today = await index.runDay('2026-11-21', { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(keys) });
  });

  afterAll(() => index.close());

  test('sends the site to Cloudflare', async () => {
    expect(today.sent).toBeGreaterThan(40);
    expect(await index.versions('svcctl')).toEqual(['3.0']);
  });

  test('is a good one, and names the key once, also in the report for the issue', () => {
    const subject = 'RELEASE_INDEX_ACCESS_KEYS';
    const message =
      'key-aaa (jane) expires after 2026-12-01. To replace it: npx release-index key rotate key-aaa';
    expect(JSON.parse(index.root.read('.cache/daily.json'))).toMatchObject({
      attention: [{ kind: 'key', cause: subject, message }],
      publication: { outcome: 'published' },
    });
    expect(today.stderr.split('\n').filter((line) => line.includes('key-aaa'))).toEqual([
      `warning: ${subject}: ${message}`,
    ]);
    expect(today.status).toBe(0);
  });
});
