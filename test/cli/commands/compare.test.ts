import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { linesOf } from '../../harness/cli.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { addComponent, createRoot, temporaryFolder, type TestRoot } from '../../harness/root.ts';
import { runWith } from '../../harness/site.ts';
import { run } from '../../harness/run.ts';

let base: TestRoot;
let head: TestRoot;

beforeEach(() => {
  [base, head] = [createRoot(), createRoot()];
  for (const root of [base, head]) {
    addComponent(root, 'svc', published({ '2026.1': '2026-01-01', '2026.2': '2026-02-01' }));
  }
});

function published(days: Readonly<Record<string, string>>): object[] {
  return Object.entries(days).map(([version, releaseTimestamp]) => ({ version, releaseTimestamp }));
}

function compare() {
  return run(['compare', base.dir, '--root', head.dir, '--as-of', '2026-11-20']);
}

test('compare prints the events that a run would record, and removed components', async () => {
  addComponent(base, 'old', [{ version: '1.0' }]);
  addComponent(head, 'edge-node', [{ version: '1.0' }, { version: '1.1' }]);
  addComponent(head, 'svc', published({ '2026.1': '2026-01-01', '2026.2': '2026-02-03' }), {
    deprecated: [{ versions: ['2026.2'], reason: 'broken' }],
  });

  const { status, stdout } = await compare();

  expect(status).toBe(0);
  expect(linesOf(stdout).slice(0, 4)).toEqual([
    'edge-node was added with 2 releases: from 1.0 to 1.1.',
    'svc: 2026.2: the release day was 2026-02-01 and is 2026-02-03 now.',
    'svc: 2026.2 is deprecated: broken.',
    'old: no longer there, with its 1 release.',
  ]);
});

test('compare names each end of support that moves, with both days', async () => {
  const releases = published({ '2024.1': '2024-12-01', '2026.1': '2026-01-01' });
  addComponent(base, 'svc', releases, { support: { policy: 'term', months: 18 } });
  addComponent(head, 'svc', releases, { support: { policy: 'term', months: 30 } });

  const { stdout } = await compare();

  expect(stdout).toContain(
    'svc: Support of release line 2026.1 ends on 2028-07-01, instead of 2027-07-01: ',
  );
  expect(stdout).toContain('2024.1 is no longer deprecated');
});

test('a renamed component keeps its events', async () => {
  for (const path of ['components/svc.json', 'data/svc.json']) {
    rmSync(join(head.dir, path));
  }
  addComponent(head, 'server', published({ '2026.1': '2026-01-01', '2026.2': '2026-02-01' }), {
    renamedFrom: ['svc'],
  });

  const { status, stdout } = await compare();

  expect(status).toBe(0);
  expect(stdout).not.toContain('no longer there');
  expect(linesOf(stdout)[0]).toBe('server: svc is called server now.');
});

test('compare says that the index is the same only where no byte differs', async () => {
  const same = await compare();
  head.write('components/svc.json', `${head.read('components/svc.json')}\n`);
  const other = await compare();

  expect(same).toMatchObject({ status: 0, stdout: 'The index says the same as before.\n' });
  expect(linesOf(other.stdout)).toEqual(['Files that differ:', '  status.json: inputs']);
});

const source = { datasource: 'npm', packageName: 'example' };
const site = (about: object) => (root: TestRoot) => root.configure(about);
const svc = (about: object) => (root: TestRoot) =>
  addComponent(root, 'svc', published({ '2026.1': '2026-01-01', '2026.2': '2026-02-01' }), {
    sources: [source],
    ...about,
  });

test.each<[string, (root: TestRoot) => void, string[]]>([
  [
    'the address',
    site({ releasesUrl: 'https://evil.example' }),
    [
      'site/site.json: releasesUrl is "https://evil.example" (before: "https://releases.example.com").',
      'renovate.json: changelogUrl, defaultRegistryUrlTemplate, prBodyNotes',
    ],
  ],
  ['a stop', svc({ upgradeStops: ['2026.1'] }), ['renovate.json: packageRules']],
  ['an alias', svc({ aliases: ['pkg:npm/react'] }), ['renovate.json']],
  [
    'a link to notes',
    svc({ releaseChangelogUrl: { template: 'https://evil.example/{version}' } }),
    ['svc.json: changelogUrl'],
  ],
  ['a homepage', svc({ homepage: 'https://evil.example/' }), ['svc.json: homepage']],
  [
    'trust',
    svc({ sources: [{ ...source }, { datasource: 'osv', url: 'https://example.com/osv' }] }),
    ['components/svc.json: sources[1].url is "https://example.com/osv" (before: none).'],
  ],
  [
    'a registry',
    svc({ sources: [{ ...source, registryUrl: 'https://evil.example' }] }),
    ['components/svc.json: sources[0].registryUrl is "https://evil.example" (before: none).'],
  ],
  [
    'a repository',
    svc({ sourceRepository: 'https://github.com/evil/svc' }),
    ['svc.json: sourceUrl'],
  ],
  ['a silence', site({ staleAfterDays: 365 }), ['site/site.json: staleAfterDays is 365 (before']],
  [
    'the name of the datasource',
    site({ datasource: 'npm' }),
    ['site/site.json: datasource is "npm" (before', 'renovate.json: '],
  ],
  [
    "npm's registry",
    (root) =>
      root.write('.npmrc', 'registry=https://evil.example\n//evil.example/:_authToken=x1y2\n'),
    ['.npmrc: registry has changed.', '.npmrc: //evil.example/:_authToken has changed.'],
  ],
  [
    'access',
    (root) =>
      root.write('site/access.json', {
        protect: 'everything',
        users: [{ username: 'eve', email: 'eve@evil.example' }],
      }),
    [
      'site/access.json: protect is "everything" (before: none).',
      'site/access.json: users[0].email is "…@evil.example" (before: none).',
    ],
  ],
  [
    'who states the ends',
    svc({
      support: {
        policy: 'stated',
        source: { datasource: 'endoflife-date', product: 'x', registryUrl: 'https://evil.example' },
      },
    }),
    ['components/svc.json: support.source.registryUrl is "https://evil.example" (before: none).'],
  ],
  [
    'a host of a network',
    site({ plainHttpHosts: ['evil.example'] }),
    ['site/site.json: plainHttpHosts[0] is "evil.example" (before: none).'],
  ],
  [
    'a credential without a host',
    (root) => root.write('.npmrc', '_authToken=x1y2\n'),
    ['.npmrc: _authToken has changed.'],
  ],
  [
    'credentials below a section',
    (root) => root.write('.npmrc', '[team]\n//c.example/:_authToken=x1y2\n'),
    ['.npmrc: team has changed.'],
  ],
  ['a style', (root) => root.write('site/assets/own.css', ''), ['new: assets/own.css']],
  ['a broken link', svc({ changelogUrl: 'https://evil.example/' }), ['svc.json: changelogUrl']],
  [
    'a deprecation to come',
    svc({ deprecated: [{ versions: '<9999', reason: 'x', since: '2027-02-20' }] }),
    ['details/svc.json'],
  ],
])('compare names %s that one line changes', async (_, edit, expected) => {
  svc({})(base);
  svc({})(head);
  edit(head);

  const { status, stdout } = await compare();

  expect(status).toBe(0);
  for (const text of expected) {
    expect(stdout).toContain(text);
  }
  expect(linesOf(stdout).length).toBeLessThan(45);
});

test('no number of other changes hides one', async () => {
  for (const [root, value] of [
    [base, 'x'],
    [head, 'y'],
  ] as const) {
    for (let count = 0; count < 45; count += 1) {
      addComponent(root, `a${count}`, [], { labels: { [`label${count}`]: value } });
    }
  }
  site({ datasource: 'npm' })(head);

  const { stdout } = await compare();

  expect(stdout).toMatch(/^ {2}details\/a44\.json: label44$/m);
  expect(stdout).toMatch(/^ {2}renovate\.json: .*npm/m);
});

test('a credential in place of another is named, and neither is shown', async () => {
  base.write('.npmrc', '//example.com/:_authToken=before1\n//a.example/:_authToken=kept1\n');
  head.write('.npmrc', '//example.com/:_authToken=after2\n//a.example/:_authToken=kept1\n');

  const { stdout } = await compare();

  expect(stdout).toContain('.npmrc: //example.com/:_authToken has changed.');
  expect(stdout).not.toMatch(/a\.example|before1|after2|kept1/);
});

test('a credential below a section in place of another is named, and neither is shown', async () => {
  base.write('.npmrc', '[team]\n//example.com/:_authToken=before1\n');
  head.write('.npmrc', '[team]\n//example.com/:_authToken=after2\n');

  const { stdout } = await compare();

  expect(stdout).toContain('.npmrc: team has changed.');
  expect(stdout).not.toMatch(/before1|after2/);
});

test('a trusted source is printed', async () => {
  const osv = { datasource: 'osv', url: 'https://example.com/osv' };
  svc({ sources: [source, osv] })(base);
  svc({ sources: [source, { ...osv, trusted: true }] })(head);

  expect((await compare()).stdout).toContain(
    'components/svc.json: sources[1].trusted is true (before: none).',
  );
});

test('added and removed files of the site are named', async () => {
  base.write('site/assets/old.css', '');
  head.write('site/assets/new.css', '');

  const { stdout } = await compare();

  expect(stdout).toContain('  new: assets/new.css\n');
  expect(stdout).toContain('  gone: assets/old.css\n');
});

test('a link is refused', async () => {
  symlinkSync('..', join(head.dir, 'data/runs'));

  const { status, stderr } = await compare();

  expect(status).toBe(1);
  expect(stderr).toContain('error: data/runs: is a link');
});

test('an index that runs have recorded moves only with a decision', async () => {
  for (const root of [base, head]) {
    root.write('data/runs/2026.ndjson', '');
  }
  head.configure({ releasesUrl: 'https://elsewhere.example' });

  const refused = await compare();
  const [, id = ''] = /npx release-index accept (site-[0-9a-f]{10}),/.exec(refused.stderr)!;
  const accepted = await run(['accept', id, '--root', head.dir, '--as-of', '2026-11-20']);
  const moved = await compare();
  base.write('data/decisions.ndjson', head.read('data/decisions.ndjson'));
  const again = await compare();

  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(
    'error: site/site.json: the index is read from https://elsewhere.example, without a signature: readers would follow.',
  );
  expect([accepted.status, moved.status, again.status]).toEqual([0, 0, 1]);
  expect(moved.stdout).toContain(`accepts ${id}: the index is read from https://elsewhere.example`);
});

test.each([
  ['nowhere', 'there is no folder'],
  ['site', 'site is not the checkout of an index: it has no folder components/'],
])('compare rejects the folder %s, which is no index', async (folder, message) => {
  const { status, stderr } = await run(['compare', join(head.dir, folder), '--root', head.dir]);

  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  ['a line of a run', 'data/runs/2026.ndjson', '{"id":1}\n{"id":2}\n'],
  ['a new file of runs', 'data/runs/9999.ndjson', '{"id":2}\n'],
  ['an event', 'data/journal/edge.ndjson', '{"id":2}\n'],
  ['what waits', 'data/held.json', '{"held":[]}'],
  ['a statement', 'data/statements/svc.ndjson', '{}\n'],
])('compare ends with 1 where a person added %s', async (_, file, content) => {
  for (const root of [base, head]) {
    root.write('data/runs/2026.ndjson', '{"id":1}\n');
  }
  head.write(file, content);

  const { status, stdout, stderr } = await compare();

  expect(status).toBe(1);
  expect(stdout).not.toContain('says the same');
  expect(stderr).toMatch(new RegExp(`error: ${file}: is (?:new|changed)\\. Only runs write it`));
});

const waiting = {
  id: 'svc-0123456789',
  component: 'svc',
  kind: 'change',
  since: '2026-11-19',
  causes: ['components/svc.json'],
  reason: '5 of 8 releases would be deprecated',
};
const decided = { at: '2026-11-20T00:00:00.000Z', by: 'Jane' };
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

test.each(['change', 'files'])('compare prints what decisions do about %s', async (kind) => {
  for (const root of [base, head]) {
    root.write('data/runs/2026.ndjson', lines(runWith([{ ...waiting, kind }])));
  }
  head.write('data/decisions.ndjson', lines({ id: waiting.id, ...decided }));

  const { status, stdout } = await compare();

  // Damaged files are mended, not accepted.
  const isAccepted = kind === 'change';
  const loss = 'components/svc.json: 5 of 8 releases would be deprecated';
  expect(status).toBe(isAccepted ? 0 : 1);
  expect(linesOf(stdout)).toEqual([
    `accepts svc-0123456789: ${isAccepted ? loss : 'nothing that waits now'} (Jane)`,
  ]);
});

test.each<[string, object, string]>([
  [
    'of what does not wait',
    { id: 'svc-9876543210', ...decided },
    'but no change with this id waits',
  ],
  ['without a name', { id: waiting.id, at: decided.at }, 'line 1: by: expected string'],
  [
    'of a history with an id that no site can have',
    { id: 'history', ...decided, commit: '0'.repeat(40), published: { svc: 9007199254740990 } },
    'accepts history, but no change with this id waits',
  ],
  [
    'of a history that needs none',
    { id: 'history', ...decided, commit: '0'.repeat(40) },
    'accepts history, but no change with this id waits',
  ],
  [
    'of a history that gives up nothing',
    { id: 'history', ...decided, commit: '0'.repeat(40), published: {} },
    'accepts history, but no change with this id waits',
  ],
])('compare ends with 1 at a decision %s', async (_, decision, problem) => {
  head.write('data/decisions.ndjson', lines(decision));

  const { status, stderr } = await compare();

  expect(status).toBe(1);
  expect(stderr).toContain(`error: data/decisions.ndjson: `);
  expect(stderr).toContain(problem);
});

test('compare names what would wait, and accepts its decision in the same change', async () => {
  const index = openIndexInGit();
  const releases = Array.from({ length: 8 }, (_, place) => ({ version: `1.${place}` }));
  addComponent(index.root, 'svc', releases);
  index.commit();
  expect((await index.run('daily', '2026-06-01')).status).toBe(0);
  const before = join(temporaryFolder(), 'base');
  index.git('worktree', 'add', '--quiet', '--detach', before);
  const bad = { versions: '<9', reason: 'Loses data.' };
  addComponent(index.root, 'svc', releases, { deprecated: [bad] });

  const open = await index.run(`compare ${before}`, '2026-06-02');
  const [, id = ''] = /npx release-index accept (svc-[0-9a-f]{10})$/m.exec(open.stderr)!;
  await index.run(`accept ${id}`, '2026-06-02');
  const decided = await index.run(`compare ${before}`, '2026-06-02');

  expect([open.status, decided.status]).toEqual([0, 0]);
  expect(open.stdout).toContain('svc: 1.7 is deprecated: Loses data.');
  expect(decided.stdout).toContain(`accepts ${id}: a loss by this change (Jane`);
  expect(decided.stderr).toBe('');
});

test('compare repeats no recorded events where the definition was damaged before', async () => {
  await run(['record', '--root', base.dir, '--as-of', '2026-11-19']);
  head.write('data/journal/svc.ndjson', base.read('data/journal/svc.ndjson'));
  base.write('components/svc.json', '{');

  const { stdout } = await compare();

  expect(stdout).not.toContain('svc was added');
});
