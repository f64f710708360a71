import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { json } from '../../harness/imitated-upstream.ts';
import { copyIndexInGit, openIndexInGit, type IndexInGit } from '../../harness/index-in-git.ts';
import { packument } from '../../harness/npm-registry.ts';
import { definition, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

/** Stands in the files of the runner. No output and no published file may have it. */
export const secretOfRunner = 'glpat-SECRETTOKEN';

export const lastDay = '2026-10-02';
export const day = '2026-10-05';

type Edit = (index: IndexInGit) => void;

interface EditedDefinition extends Record<string, unknown> {
  sources: Record<string, unknown>[];
  support: { lines: Record<string, string> };
  advisories: Record<string, unknown>[];
}

interface EditedData {
  releases: Record<string, unknown>[];
  advisories: Record<string, unknown>[];
}

/** What the sources of an index state: the versions of `svc`, and documents of OSV. */
interface Statements {
  versions: Record<string, { at?: string; deprecated?: string; integrity?: string }>;
  advisories: readonly object[];
}

const integrity = (letter: string) => `sha512-${letter.repeat(86)}==`;
const versions = ['7.0', '7.1', '7.2', '7.3', '8.0', '8.1', '8.2', '8.3'];
const packageOf = (name: string) => ({ ecosystem: 'npm', name });
const range = (...events: object[]) => [{ type: 'SEMVER', events }];
const advisory = (
  id: string,
  severity: string | undefined,
  ranges = range({ introduced: '7.0' }, { fixed: '8.2' }),
) => ({
  id,
  affected: [{ package: packageOf('svc'), ranges }],
  ...(severity !== undefined && { database_specific: { severity } }),
});
const listed: Statements['versions'] = Object.fromEntries(
  versions.map((version, place) => [
    version,
    { at: `2026-0${place + 1}-10T08:00:00.000Z`, integrity: integrity('ABCDEFGH'[place]!) },
  ]),
);
const honest: Statements = { versions: listed, advisories: [advisory('CVE-2026-1', 'CRITICAL')] };
const withFix = {
  ...listed,
  '8.4': { at: '2026-10-04T08:00:00.000Z', integrity: integrity('I') },
};

/** An index of two components whose sources answer on loopback, after two days. */
export async function openAttackedIndex() {
  let stated = honest;
  const upstream = await startUpstream(
    () => (request, response) =>
      serve(
        new Map([
          ['/svc', json(packument('svc', stated.versions))],
          ['/edge', json(packument('edge', { ...listed, '9.0': {} }))],
          ['/osv', json(stated.advisories)],
        ]),
      )(request, response),
  );
  const index = openIndexInGit();
  const { root, git, commit, run } = index;
  const source = (packageName: string) => ({
    datasource: 'npm',
    packageName,
    registryUrl: upstream.url,
  });
  const svc = {
    sources: [source('svc'), { datasource: 'osv', url: `${upstream.url}osv` }],
    support: { policy: 'dated', lines: { '7': '2027-06-30', '8': '2028-06-30' }, line: 1 },
    advisories: [{ id: 'CVE-2026-2', affected: '<8.2', severity: 'critical', fixed: ['8.2'] }],
  };
  root.write('components/svc.json', definition(svc));
  root.write('components/edge.json', definition({ sources: [source('edge')] }));
  git(
    'config',
    'remote.origin.url',
    `https://release-index:${secretOfRunner}@gitlab.example.com/x.git`,
  );
  commit();

  for (const on of ['2026-10-01', lastDay]) {
    const { status, stderr } = await run('daily', on);
    if (status !== 0) {
      throw new Error(stderr);
    }
  }

  return {
    index,
    /** What the sources state from now on, with a new release unless the lie is about versions. */
    state: (lie: Partial<Statements>) => void (stated = { ...honest, versions: withFix, ...lie }),
    rest: () => void (stated = honest),
    close: upstream.close,
  };
}

/** What the four doors did with a pull request. */
export async function meet(base: IndexInGit, edit: Edit) {
  const index = copyIndexInGit(base);
  edit(index);
  if (index.git('status', '--porcelain') !== '') {
    index.commit('Improve the index');
  }

  const run = async (line: string) => {
    const { status, stdout, stderr } = await index.run(line, day);
    return { status, text: `${stdout}${stderr}` };
  };
  const runs = {
    build: await run('build'),
    check: await run('check'),
    compare: await run(`compare ${base.root.dir}`),
    daily: await run('daily'),
  };

  return { runs, index };
}

type Met = Awaited<ReturnType<typeof meet>>;

/**
 * The doors with their status and what they printed for a person, without what differs from run to run. To record it anew:
 * `npm run test:soak -- test/run/daily/hostile-pull-requests --update`.
 */
export function describePrinted({ runs, index }: Met, base: IndexInGit): string {
  const described = Object.entries(runs).map(([door, { status, text }]) => {
    const lines = text
      .replaceAll(index.root.dir, '<index>')
      .replaceAll(base.root.dir, '<base>')
      .replaceAll(home, '<home>')
      .replaceAll(/127\.0\.0\.1:\d+/g, '<upstream>')
      .replaceAll(/(?<=@| |=)(?:[0-9a-f]{10}|[0-9a-f]{40})\b/g, '<commit>')
      .replaceAll(/(?<=sha512:e{8})e+/g, '…')
      .split('\n')
      .filter((line) => door === 'compare' || /^(?:error|warning|notice|daily): /.test(line));

    // The files of the site change with the program, and the table names those that matter.
    return [status, ...lines.filter((line) => /^[^ ]/.test(line))].join('\n  ');
  });
  const doors = Map.groupBy(Object.keys(runs), (_, place) => described[place]!);

  return Array.from(doors, ([printed, names]) => `${names.join(', ')}: ${printed}`).join('\n');
}

const change =
  <Document extends object>(file: string, edit: (document: Document) => void): Edit =>
  ({ root }) => {
    const document = readJsonIn<Document>(root.dir, file);
    edit(document);
    root.write(file, document);
  };
const svc = (edit: (definition: EditedDefinition) => void) => change('components/svc.json', edit);
const site = (about: object) =>
  change('site/site.json', (config) => void Object.assign(config, about));
const data = (edit: (data: EditedData) => void) => change('data/svc.json', edit);
const more = (about: object) => svc((definition) => void Object.assign(definition, about));
const write =
  (path: string, content: string | object): Edit =>
  ({ root }) =>
    root.write(path, content);
const remove =
  (...paths: string[]): Edit =>
  ({ root }) =>
    paths.forEach((path) => rmSync(join(root.dir, path), { recursive: true }));
const link =
  (path: string, target: string): Edit =>
  ({ root }) => {
    const file = join(root.dir, path);
    rmSync(file, { recursive: true, force: true });
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(target, file);
  };
const both =
  (...edits: Edit[]): Edit =>
  (index) =>
    edits.forEach((edit) => edit(index));
const runsFile = 'data/runs/2026.ndjson';
const lines =
  (edit: (lines: string[]) => string[], file = runsFile): Edit =>
  (index) =>
    index.root.write(file, `${edit(index.root.read(file).trim().split('\n')).join('\n')}\n`);
const ignore =
  (file: string, pattern: string): Edit =>
  (index) =>
    index.root.write(file, `${pattern}\n`);
const tracked =
  (path: string): Edit =>
  (index) => {
    index.root.write(path, 'planted');
    index.git('add', '--force', path);
  };
const deprecate = (versions: unknown, since?: string): Edit =>
  more({ deprecated: [{ versions, reason: 'Loses data.', since }] });
const otherDigests = data(({ releases }) => {
  for (const release of releases) {
    const digests = JSON.stringify(release['digests']);
    const others = digests.replaceAll(/sha512:[0-9a-f]+/g, `sha512:${'e'.repeat(128)}`);
    release['digests'] = JSON.parse(others) as unknown;
  }
});
const observed = (about: object) =>
  change<EditedData>('data/edge.json', ({ releases }) => {
    Object.assign(releases.at(-1)!, about);
  });
const rename =
  (about: object): Edit =>
  (index) => {
    for (const path of ['components/*.json', 'data/*.json', 'data/journal/*.ndjson']) {
      const file = (name: string) => join(index.root.dir, path.replace('*', name));
      renameSync(file('svc'), file('server'));
    }
    change('components/server.json', (renamed: object) => {
      Object.assign(renamed, about);
    })(index);
  };
const home = temporaryFolder();
writeIn(home, '.docker/config.json', { auths: { token: secretOfRunner } });

/**
 * Which door a person meets it at. `refused`: every door, and nothing is published. `compare`: the check of the pull request
 * fails. `waits`: it names the decision, and readers keep what they had. `shown`: it prints the text.
 */
type Door = 'refused' | 'compare' | 'waits' | 'shown';

export const attacks: readonly [name: string, edit: Edit, door: Door, text: string][] = [
  // Links
  [
    'site/assets leads to .git',
    link('site/assets', '../.git'),
    'refused',
    'site/assets: is a link',
  ],
  [
    'site/snippets leads to .git',
    link('site/snippets', '../.git'),
    'refused',
    'site/snippets: is a link',
  ],
  [
    'site/assets leads to a home',
    link('site/assets', join(home, '.docker')),
    'refused',
    'site/assets: is a link',
  ],
  [
    'an asset is the configuration of git',
    link('site/assets/a.css', '../../.git/config'),
    'refused',
    'site/assets/a.css: is a link',
  ],
  [
    'a definition is the environment',
    link('components/x.json', '/proc/self/environ'),
    'refused',
    'components/x.json: is a link',
  ],
  [
    'data is the environment',
    link('data/svc.json', '/proc/self/environ'),
    'refused',
    'data/svc.json: is a link',
  ],
  [
    'the configuration is the environment',
    link('site/site.json', '/proc/self/environ'),
    'refused',
    'site/site.json: is a link',
  ],
  [
    'a policy is a credential',
    link('site/policies/x.json', join(home, '.docker/config.json')),
    'refused',
    'site/policies/x.json: is a link',
  ],
  [
    'data/runs leads elsewhere',
    ({ root }) => {
      renameSync(join(root.dir, 'data/runs'), join(root.dir, 'data/runs2'));
      symlinkSync('runs2', join(root.dir, 'data/runs'));
    },
    'refused',
    'data/runs: is a link',
  ],
  [
    'components leads elsewhere',
    ({ root }) => {
      renameSync(join(root.dir, 'components'), join(root.dir, 'others'));
      symlinkSync('others', join(root.dir, 'components'));
    },
    'refused',
    'components: is a link',
  ],
  [
    'the whole of data leads elsewhere',
    ({ root }) => {
      renameSync(join(root.dir, 'data'), join(root.dir, 'others'));
      symlinkSync('others', join(root.dir, 'data'));
    },
    'refused',
    'data: is a link',
  ],
  [
    'a link to nowhere',
    link('data/journal/x.ndjson', 'nowhere'),
    'refused',
    'data/journal/x.ndjson: is a link',
  ],
  [
    'the cache leads elsewhere',
    (index) => {
      link('.cache', 'site')(index);
      index.git('add', '--force', '.cache');
    },
    'refused',
    'error: .cache: is ',
  ],
  // Assets that run
  [
    'a script',
    write('site/assets/a.js', 'alert(1)'),
    'refused',
    'site/assets/a.js: expected a file',
  ],
  [
    'a script of the pages',
    write('site/assets/ask.js', 'alert(1)'),
    'refused',
    'site/assets/ask.js: expected a file',
  ],
  [
    'a page',
    write('site/assets/a.html', '<h1>Sign in</h1>'),
    'refused',
    'site/assets/a.html: expected a file',
  ],
  [
    'a picture with a script',
    write('site/assets/a.svg', '<svg><script>alert(1)</script></svg>'),
    'refused',
    'site/assets/a.svg: expected a picture',
  ],
  // Ignored and tracked files
  [
    'held.json is ignored',
    both(deprecate('<8'), ignore('.gitignore', 'held.json')),
    'refused',
    'data/held.json: git ignores',
  ],
  [
    'data/held.json is ignored below',
    both(deprecate('<8'), ignore('data/.gitignore', 'held.json')),
    'refused',
    'data/held.json: git ignores',
  ],
  ['the runs are ignored', ignore('.gitignore', '*.ndjson'), 'refused', 'git ignores'],
  [
    'decisions are ignored',
    ignore('data/.gitignore', 'decisions.*'),
    'refused',
    'data/decisions.ndjson: git ignores',
  ],
  [
    'a component to come is ignored',
    ignore('components/.gitignore', '*\n!svc.json\n!edge.json'),
    'refused',
    'components/new-component.json: git ignores',
  ],
  [
    'an answer is in the cache',
    tracked('.cache/http/x.answer'),
    'refused',
    '.cache/http/x.answer: is tracked',
  ],
  [
    'gathered data is in the cache',
    tracked('.cache/gathered/svc.json'),
    'refused',
    '.cache/gathered/svc.json: is tracked',
  ],
  [
    'a report is in the cache',
    tracked('.cache/daily.json'),
    'refused',
    '.cache/daily.json: is tracked',
  ],
  [
    'the cache is spelt otherwise',
    tracked('.Cache/http/x.answer'),
    'refused',
    '.Cache/http/x.answer: is tracked',
  ],
  [
    'the cache is another repository',
    ({ git }) => {
      const entry = `160000,${git('rev-parse', 'HEAD')},.cache`;
      git('update-index', '--add', '--cacheinfo', entry);
      git('commit', '--quiet', '--message', 'Add a repository');
    },
    'refused',
    '.cache: is tracked',
  ],
  [
    "all but today's files are ignored",
    ignore('data/.gitignore', '/*\n!/*.json\n!/*.ndjson\n!/*/\n/held.json'),
    'refused',
    'data/held.json: git ignores',
  ],
  [
    'another repository in data',
    write('data/.git', 'gitdir: ../.git/modules/x'),
    'refused',
    'data/.git: belongs to another',
  ],
  // What runs alone write
  [
    'a run is removed',
    lines((all) => all.slice(0, -1)),
    'compare',
    `${runsFile}: is changed. Only runs write it`,
  ],
  [
    'the runs are emptied',
    write(runsFile, ''),
    'compare',
    `${runsFile}: is changed. Only runs write it`,
  ],
  [
    'the runs are removed',
    remove('data/runs'),
    'compare',
    `${runsFile}: is gone. Only runs write it`,
  ],
  [
    'runs of another year',
    write('data/runs/2099.ndjson', '{}\n'),
    'compare',
    'data/runs/2099.ndjson: is new. Only runs write it',
  ],
  [
    'the last run waits for another commit',
    lines((all) => [
      ...all.slice(0, -1),
      all.at(-1)!.replace(/"commit":"\w+"/, `"commit":"${'1'.repeat(40)}"`),
    ]),
    'compare',
    `${runsFile}: is changed. Only runs write it`,
  ],
  [
    'held.json is written by hand',
    write('data/held.json', { held: [] }),
    'compare',
    'data/held.json: is new. Only runs write it',
  ],
  [
    'an event is removed',
    lines((all) => all.slice(0, -1), 'data/journal/svc.ndjson'),
    'compare',
    'data/journal/svc.ndjson: is changed. Only runs write it',
  ],
  [
    'an event is added',
    lines((all) => [...all, all.at(-1)!], 'data/journal/svc.ndjson'),
    'compare',
    'data/journal/svc.ndjson: is changed. Only runs write it',
  ],
  [
    'the journal is removed',
    remove('data/journal/svc.ndjson'),
    'compare',
    'data/journal/svc.ndjson: is gone. Only runs write it',
  ],
  [
    'freshness is edited',
    write('data/freshness/svc.json', { sources: {} }),
    'compare',
    'data/freshness/svc.json: is changed. Only runs write it',
  ],
  [
    'a statement is written by hand',
    write('data/statements/svc.ndjson', '{}\n'),
    'compare',
    'data/statements/svc.ndjson: is new. Only runs write it',
  ],
  [
    'the last good state moves into two commits',
    (index) => {
      const { root, commit } = index;
      const recorded = root.read(runsFile);
      both(
        lines((all) => all.slice(0, -1)),
        otherDigests,
      )(index);
      commit('Remove a line');
      root.write(runsFile, recorded);
      commit('Put it back');
    },
    'waits',
    '8 recorded values would be lost',
  ],
  [
    'the last good state moves into a merged branch',
    (index) => {
      const { root, git, commit } = index;
      const recorded = root.read(runsFile);
      git('checkout', '--quiet', '-b', 'topic');
      both(write(runsFile, ''), otherDigests)(index);
      commit('Empty the runs');
      root.write(runsFile, recorded);
      commit('Fill them again');
      git('checkout', '--quiet', 'main');
      git('merge', '--quiet', '--no-ff', '--no-edit', 'topic');
    },
    'waits',
    '8 recorded values would be lost',
  ],
  [
    'the last good state moves with the folder of runs',
    (index) => {
      const { root, commit } = index;
      renameSync(join(root.dir, 'data/runs'), join(root.dir, 'data/runs2'));
      otherDigests(index);
      commit('Move the runs');
      renameSync(join(root.dir, 'data/runs2'), join(root.dir, 'data/runs'));
      commit('Move them back');
    },
    'waits',
    '8 recorded values would be lost',
  ],
  // Decisions
  [
    'a decision of nothing that waits',
    write(
      'data/decisions.ndjson',
      '{"id":"svc-0123456789","at":"2026-10-05T00:00:00.000Z","by":"Jane"}\n',
    ),
    'compare',
    'accepts svc-0123456789, but no change with this id waits',
  ],
  [
    'a decision on the history',
    ({ root, git }) =>
      root.write(
        'data/decisions.ndjson',
        `${JSON.stringify({ id: 'history', at: '2026-10-05T00:00:00.000Z', by: 'Jane', commit: git('rev-parse', 'HEAD') })}\n`,
      ),
    'compare',
    'accepts history, but no change with this id waits',
  ],
  [
    'a decision that uses up all ids',
    ({ root, git }) =>
      root.write(
        'data/decisions.ndjson',
        `${JSON.stringify({ id: 'history', at: '2026-10-05T00:00:00.000Z', by: 'Jane', commit: git('rev-parse', 'HEAD'), published: { svc: 9007199254740990 } })}\n`,
      ),
    'compare',
    'accepts history, but no change with this id waits',
  ],
  [
    'a decision that gives up nothing',
    ({ root, git }) =>
      root.write(
        'data/decisions.ndjson',
        `${JSON.stringify({ id: 'history', at: '2026-10-05T00:00:00.000Z', by: 'Jane', commit: git('rev-parse', 'HEAD'), published: {} })}\n`,
      ),
    'compare',
    'accepts history, but no change with this id waits',
  ],
  // Losses
  [
    'most releases are deprecated',
    deprecate('<8.3'),
    'waits',
    '7 of 8 releases in use would change for the worse',
  ],
  [
    'all releases are deprecated tomorrow',
    deprecate('<9', '2026-10-06'),
    'waits',
    'the latest release would fall from 8.3 to none',
  ],
  [
    'all releases are deprecated in three months',
    deprecate('<9', '2027-01-04'),
    'shown',
    'calendars/svc.ics',
  ],
  [
    'the latest releases are excluded',
    svc(({ sources }) => void (sources[0]!['allowedVersions'] = '<8')),
    'waits',
    'the latest release would fall from 8.3 to 7.3',
  ],
  [
    'support ends',
    svc(({ support }) => void (support.lines['8'] = '2026-10-06')),
    'waits',
    '1 line would end too early',
  ],
  [
    'support of all lines ends',
    more({ support: { policy: 'ended', until: '2026-10-06' } }),
    'waits',
    'the latest release would fall from 8.3 to none',
  ],
  ['an advisory goes', more({ advisories: [] }), 'waits', '6 findings of advisories would vanish'],
  [
    'an advisory is low',
    svc(({ advisories }) => void (advisories[0]!['severity'] = 'low')),
    'waits',
    '6 findings of advisories would vanish',
  ],
  [
    'an advisory has no severity',
    svc(({ advisories }) => void delete advisories[0]!['severity']),
    'waits',
    '6 findings of advisories would vanish',
  ],
  [
    'an advisory is medium',
    svc(({ advisories }) => void (advisories[0]!['severity'] = 'medium')),
    'shown',
    'CVE-2026-2 now affects <8.2 (medium; fixed in 8.2)',
  ],
  [
    'an advisory names a fix that there is not',
    svc(({ advisories }) => void (advisories[0]!['fixed'] = ['9.9.9'])),
    'shown',
    'CVE-2026-2 now affects <8.2 (critical; fixed in 9.9.9)',
  ],
  [
    'an advisory affects fewer',
    svc(({ advisories }) => void (advisories[0]!['affected'] = '<7.1')),
    'waits',
    '5 findings of advisories would vanish',
  ],
  [
    'an advisory goes behind a low one',
    more({ advisories: [{ id: 'CVE-2026-9', affected: '<8.2', severity: 'low', fixed: ['8.2'] }] }),
    'waits',
    '6 findings of advisories would vanish',
  ],
  [
    'a recorded advisory goes',
    data((recorded) => void (recorded.advisories = [])),
    'waits',
    '6 findings of advisories would vanish',
  ],
  [
    'a recorded advisory is low',
    data(({ advisories }) => void (advisories[0]!['severity'] = 'low')),
    'waits',
    'CVE-2026-1 of 7.0 is low, not critical',
  ],
  [
    'a recorded advisory affects fewer',
    data(({ advisories }) => void (advisories[0]!['affected'] = '<7.1')),
    'waits',
    '5 findings of advisories would vanish',
  ],
  [
    'recorded releases are withdrawn',
    data(({ releases }) => {
      for (const release of releases.slice(5)) {
        release['withdrawnSince'] = '2026-10-02';
      }
    }),
    'waits',
    'the latest release would fall from 8.3 to 8.0',
  ],
  [
    'recorded links lead elsewhere',
    data(({ releases }) => {
      for (const release of releases) {
        release['changelogUrl'] = 'https://evil.example/';
      }
    }),
    'shown',
    'svc: 8.3: the changelog link was not known and is https://evil.example/ now.',
  ],
  [
    'recorded releases go',
    data((recorded) => void (recorded.releases = recorded.releases.slice(0, 3))),
    'waits',
    'the latest release would fall from 8.3 to 7.2',
  ],
  [
    'recorded days are others',
    data(({ releases }) =>
      releases.forEach((release) => void (release['releaseTimestamp'] = '2026-09-30T00:00:00Z')),
    ),
    'waits',
    '8 recorded values would be lost',
  ],
  [
    'an observed day is earlier',
    observed({ releaseTimestamp: '2026-01-01' }),
    'waits',
    '1 recorded value would be lost (9.0 dated 2026-01-01',
  ],
  [
    'an observed day is called published',
    observed({ timestampKind: 'published' }),
    'shown',
    'edge: 9.0: the kind of the release day was observed and is published now.',
  ],
  [
    'an observed day is an earlier published one',
    observed({ releaseTimestamp: '2026-01-01', timestampKind: 'published' }),
    'shown',
    'edge: 9.0: the release day was 2026-10-01 and is 2026-01-01 now.',
  ],
  ['recorded digests are others', otherDigests, 'waits', '8 recorded values would be lost'],
  [
    'a component goes',
    remove('components/svc.json', 'data/svc.json'),
    'waits',
    'the latest release would fall from 8.3 to none',
  ],
  [
    'a definition is unreadable',
    write('components/svc.json', '{'),
    'compare',
    'components/svc.json: not JSON',
  ],
  [
    'a component takes the name of another',
    more({ renamedFrom: ['edge'] }),
    'refused',
    'renamedFrom[0]: expected a name of no other component',
  ],
  // What no event tells
  [
    'the address is another',
    site({ releasesUrl: 'https://evil.example' }),
    'compare',
    'the index is read from https://evil.example',
  ],
  [
    'the key is another',
    site({ signingPublicKey: 'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3' }),
    'compare',
    'signed by RWQf6LRC',
  ],
  ['a stop is on the way', more({ upgradeStops: ['7.3'] }), 'shown', 'renovate.json: packageRules'],
  [
    'a package of strangers becomes ours',
    more({ aliases: ['pkg:npm/react'] }),
    'shown',
    'renovate.json',
  ],
  [
    'links lead elsewhere',
    more({ homepage: 'https://evil.example/', changelogUrl: 'https://evil.example/' }),
    'shown',
    'svc.json: ',
  ],
  [
    'notes lead elsewhere',
    more({ releaseChangelogUrl: { template: 'https://evil.example/{version}' } }),
    'shown',
    'svc.json: changelogUrl',
  ],
  [
    'a source is trusted',
    svc(({ sources }) => void (sources[1]!['trusted'] = true)),
    'shown',
    'sources[1].trusted is true (before: none)',
  ],
  [
    'another registry is asked',
    svc(({ sources }) => void (sources[0]!['registryUrl'] += 'evil/')),
    'shown',
    'sources[0].registryUrl is "http',
  ],
  [
    'npm asks another registry',
    write('.npmrc', 'registry=https://evil.example\n'),
    'shown',
    '.npmrc: registry has changed.',
  ],
  [
    'a component has another name',
    rename({ renamedFrom: ['svc'] }),
    'shown',
    'server: svc is called server now.',
  ],
  [
    'a component has another name and does not say so',
    rename({}),
    'compare',
    'data/journal/server.ndjson: is new. Only runs write it',
  ],
  [
    'a component has another name and other versions',
    both(
      rename({ renamedFrom: ['svc'] }),
      change('data/server.json', (recorded: EditedData) => {
        recorded.releases = recorded.releases.slice(0, 3);
      }),
    ),
    'shown',
    'server: svc is called server now.',
  ],
  [
    'the latest release is listed again',
    data(({ releases }) => void releases.push({ ...releases.at(-1), version: 'v8.3.0' })),
    'shown',
    'svc: v8.3.0 was released',
  ],
  [
    'builds are of another repository',
    more({ sourceRepository: 'https://github.com/evil/svc' }),
    'shown',
    'svc.json: sourceUrl',
  ],
  ['silence is no alert', site({ staleAfterDays: 365 }), 'shown', 'staleAfterDays is 365'],
  ['comments of readers read nothing', site({ datasource: 'npm' }), 'shown', 'datasource is "npm"'],
  [
    'a style hides the pages',
    write('site/assets/own.css', 'main{display:none}'),
    'shown',
    'new: assets/own.css',
  ],
  [
    'a template is another',
    write('site/templates/404.hbs', '<p>Moved to evil.example.</p>\n'),
    'shown',
    'changed: 404.html',
  ],
  [
    'a template has a script of its own',
    write('site/templates/404.hbs', '<script>alert(1)</script>\n'),
    'shown',
    'changed: 404.html',
  ],
  [
    'all pages have a script of another host',
    write('site/templates/layout.hbs', '<script src="https://evil.example/a.js"></script>\n'),
    'shown',
    'changed: 404.html',
  ],
  [
    'a policy is satisfied by all',
    write('site/policies/safe.json', {
      description: 'All is well.',
      remediation: 'None.',
      labels: {},
      query: 'isSupported',
    }),
    'shown',
    'policies.json',
  ],
  [
    'a component of strangers comes',
    write('components/react.json', definition({ aliases: ['pkg:npm/react'] })),
    'shown',
    'matchPackageNames',
  ],
];

const affectedFrom = (introduced: string) =>
  advisory('CVE-2026-1', 'CRITICAL', range({ introduced }, { fixed: '8.2' }));
const ofAnother = (id: string) => ({
  ...advisory(id, 'CRITICAL'),
  affected: [{ package: packageOf('another'), ranges: range({ introduced: '0' }) }],
});
const rated = (...severities: (string | undefined)[]): Partial<Statements>[] =>
  severities.map((severity) => ({ advisories: [advisory('CVE-2026-1', severity)] }));
const advising = (...advisories: object[]): Partial<Statements>[] => [{ advisories }];
const withdrawn = { ...advisory('CVE-2026-1', 'CRITICAL'), withdrawn: '2026-10-05T00:00:00Z' };
const deprecating = (...some: string[]): Partial<Statements> => ({
  versions: Object.fromEntries(
    Object.entries(listed).map(([version, about]) => [
      version,
      { ...about, ...(some.includes(version) && { deprecated: 'Malware.' }) },
    ]),
  ),
});
const spelling = (spelt: string, { beside }: { beside: boolean }): Partial<Statements>[] => {
  const { '8.3': latest, ...others } = listed;
  return [{ versions: { ...(beside ? listed : others), [spelt]: latest! } }];
};

/**
 * What readers get on the last of these days, each with statements of its own. `waits`: the run is red, names the decision, and
 * readers keep what they had. `kept`: they keep it, and the run is green. `told`: they get it, as an event.
 */
type Outcome = 'waits' | 'kept' | 'told';

/** Lies of the sources of `svc`, day by day. */
export const lies: readonly [
  name: string,
  days: readonly Partial<Statements>[],
  outcome: Outcome,
  text: string,
][] = [
  // Severity
  ['a severity falls to low', rated('LOW'), 'waits', 'CVE-2026-1 of 7.0 is low, not critical'],
  ['a severity is gone', rated(undefined), 'waits', 'CVE-2026-1 of 7.0 is of no severity, not'],
  [
    'a severity falls in two steps, the first of which waits for nobody',
    rated('MODERATE', 'LOW'),
    'told',
    'CVE-2026-1 now affects',
  ],
  [
    'a severity falls in three steps',
    rated('HIGH', 'MODERATE', 'LOW'),
    'told',
    'CVE-2026-1 now affects',
  ],
  // Advisories that go
  [
    'an advisory is on another package',
    advising(ofAnother('CVE-2026-1')),
    'waits',
    '6 findings of advisories would vanish',
  ],
  [
    'a low advisory takes the place of another',
    advising(ofAnother('CVE-2026-1'), advisory('CVE-2026-9', 'LOW')),
    'waits',
    '6 findings of advisories would vanish',
  ],
  [
    'a critical advisory on one release takes the place of another',
    advising(
      ofAnother('CVE-2026-1'),
      advisory('CVE-2026-9', 'CRITICAL', range({ introduced: '7.0' }, { fixed: '7.1' })),
    ),
    'waits',
    '6 findings of advisories would vanish',
  ],
  ['the list of advisories is empty', advising(), 'kept', ''],
  [
    'an advisory is withdrawn, which its source alone can say',
    advising(withdrawn),
    'told',
    'CVE-2026-1 was withdrawn',
  ],
  [
    'an advisory is withdrawn, and another falls in its place',
    [
      ...advising(withdrawn, advisory('CVE-2026-9', 'CRITICAL')),
      ...advising(withdrawn, advisory('CVE-2026-9', 'LOW')),
    ],
    'waits',
    'CVE-2026-9 of 7.0 is low, not critical',
  ],
  // Ranges
  [
    'an advisory begins later',
    advising(affectedFrom('8.0')),
    'waits',
    '4 findings of advisories would vanish',
  ],
  [
    'an advisory ends earlier',
    advising(
      advisory('CVE-2026-1', 'CRITICAL', range({ introduced: '7.0' }, { last_affected: '7.3' })),
    ),
    'waits',
    '2 findings of advisories would vanish',
  ],
  [
    'an advisory loses a release a day',
    [...advising(affectedFrom('7.1')), ...advising(affectedFrom('7.2'))],
    'waits',
    '2 findings of advisories would vanish',
  ],
  [
    'an advisory is fixed in no release, so that it affects all',
    advising(advisory('CVE-2026-1', 'CRITICAL', range({ introduced: '7.0' }, { fixed: '9.9.9' }))),
    'told',
    'CVE-2026-1 now affects',
  ],
  // What gets better
  [
    'deprecated releases come back at once',
    [deprecating('7.0', '7.1'), deprecating()],
    'told',
    'no longer deprecated',
  ],
  [
    'deprecated releases come back one by one',
    [deprecating('7.0', '7.1'), deprecating('7.1'), deprecating()],
    'told',
    '7.1 is no longer deprecated',
  ],
  [
    'the latest release comes back',
    [deprecating('8.3'), deprecating()],
    'told',
    '8.3 is no longer deprecated',
  ],
  // Spellings
  ['the latest release is listed again', spelling('v8.3', { beside: true }), 'kept', 'v8.3'],
  ['the latest release has a zero more', spelling('8.03', { beside: true }), 'kept', '8.03'],
  ['the latest release has another name', spelling('v8.3', { beside: false }), 'kept', 'v8.3'],
];
