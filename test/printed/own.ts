/** Rows about this checkout, an index of one's own, and its days. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { program } from '../harness/example.ts';
import { packageFile } from '../harness/site.ts';
import { git } from '../harness/shell.ts';
import {
  bare,
  checkout,
  example,
  folder,
  index,
  origin,
  published,
  run,
  site,
  stage,
  type Row,
} from './stage.ts';

const inCheckout = { cwd: () => checkout };
const untilServed = { until: / at http:\/\/127\.0\.0\.1:\d+\/ / };

export const theCheckout: Row[] = [
  ['npm ci', /^$/, inCheckout],
  ['npm start', / 16 components /, inCheckout],
  ['npm run preview', / at http/, { ...inCheckout, ...untilServed, fill: { $: ' -- --port 0' } }],
  ['npm run -s explain -- svc 2025.1', /^svc 2025\.1 on /, inCheckout],
  ["npm run -s search -- 'component:svc isSupported'", /^svc +20\d\d\./m, inCheckout],
  ["echo 'svc 2025.1' | npm run -s scan -- -", /^svc 2025\.1 /m, { ...inCheckout, status: 1 }],
  ['npm run size', /src\/core/, inCheckout],
  [
    'npm run schemas',
    /schemas/,
    {
      ...inCheckout,
      after: () =>
        execFileSync('diff', ['-r', `${checkout}/site/schema`, `${program}/site/schema`]),
    },
  ],
  [
    'npm run pack',
    /pack/,
    {
      ...inCheckout,
      after: () => expect(existsSync(join(checkout, 'program', packageFile))).toBe(true),
    },
  ],
  [
    `npm run -s release-index -- init ../my-index --releases-url ${site}`,
    /Next:/,
    { ...inCheckout, also: ['init FOLDER', 'npm run -s release-index -- <verb>'] },
  ],
  ['cd ../my-index && npm install', /^$/, { ...inCheckout, also: ['npm install'] }],
];

export const anIndex: Row[] = [
  [
    'npx release-index add npm semver --support term:18',
    /^semver: 2 releases recorded; the latest is 7\.8\.6\./m,
    { also: ['add <datasource> <package>', 'add <product…>'] },
  ],
  [
    'npx release-index add npm <package>',
    /2 releases/,
    { fill: { '<package>': 'semver --name tool' } },
  ],
  [
    'add static releases.csv',
    /^releases: 1 release recorded/m,
    {
      also: ['add static FILE'],
      before: () => example.write('releases.csv', 'version,date\n1.0,2026-01-31\n'),
      fill: { $: ' --homepage https://example.com' },
    },
  ],
  [
    'npx release-index start',
    / 3 components /,
    {
      also: ['npm install && npx release-index start', 'npx release-index <verb>'],
    },
  ],
  ['npx release-index preview', / at http/, { ...untilServed, fill: { $: ' --port 0' } }],
  ['npx release-index preview --port 8080', / at http/, { ...untilServed, fill: { 8080: '0' } }],
  ["git init --quiet && git add --all && git commit --quiet --message 'Start the index'", /^$/],
  ['npx release-index daily --to /srv/releases', /Committed [^]*Published\./],
  ['npx release-index daily', /Committed [^]*Ready: the workflow deploys it/],
  ['add --help', /Datasources:/],
];

/** The id on `status.html`. */
let waiting = '';
let damage = '';

function commit(): void {
  git(index, 'add', '--all');
  git(index, 'commit', '--quiet', '--message=Edit');
}

export const operators: Row[] = [
  [
    'npx release-index daily --push --to /srv/releases',
    /svc[^]*and pushed it[^]*Published\./,
    {
      status: 1,
      async before() {
        const json = `npx release-index add json ${origin}/list.json --name svc --homepage ${site} --changelog ${site} --support term:18`;
        const added = await run(json);
        expect(added.said).toMatch(/^svc: 20 releases/m);
        execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
        git(index, 'remote', 'add', 'origin', bare);
        commit();
        git(index, 'push', '--quiet', '--set-upstream', 'origin', 'main');
        expect(await run('npx release-index daily')).toMatchObject({ status: 0 });
        stage.advised = 5;
      },
      after() {
        const page = readFileSync(join(published, 'status.html'), 'utf8');
        waiting = /^npx release-index accept (svc-\w+)$/m.exec(page)![1]!;
      },
    },
  ],
  ['npx release-index plan', /svc[^]*npx release-index accept svc-/],
  [
    'npx release-index accept <id>',
    /^svc-\w+: accepted /,
    {
      also: ['accept <id>', 'npx release-index accept svc-1b4e28ba7c'],
      fill: () => ({ '<id>': waiting }),
    },
  ],
  [
    "git add data/decisions.ndjson && git commit -m 'Accept a change' && git push",
    /Accept a change/,
  ],
  ['daily --push', /deprecated[^]*and pushed it/],
  [
    "git config user.name 'Release index' && git config user.email releases@example.com",
    /^$/,
    { after: () => expect(git(index, 'config', '--local', 'user.name')).toBe('Release index') },
  ],
  ['npx --no -- release-index daily --push --skip-publish', /and pushed it/],
  [
    'npx release-index gather svc',
    /all answered/,
    { also: ['gather <component>', 'gather [component…]'] },
  ],
  ['npx release-index build', / 4 components /, { also: ['npx --no -- release-index build'] }],
  [
    'npx release-index check',
    /4 components: 0 errors/,
    { also: ['npx --no -- release-index check'] },
  ],
  [
    'npx release-index publish',
    /Ready: the workflow deploys it/,
    { also: ['npx --no -- release-index publish'] },
  ],
  [
    'npx release-index explain svc 2025.1',
    /^svc 2025\.1/,
    { also: ['explain <component> [version]'] },
  ],
  [
    'npx release-index search "component:svc isSupported"',
    /^\d+ releases? on /m,
    { also: ['search <query>'] },
  ],
  [
    'npx release-index scan versions.txt --policy supported',
    /semver/,
    { before: () => example.write('versions.txt', 'semver 7.8.6\n') },
  ],
  [
    `npx release-index verify ${site}`,
    /no key vouches for it/,
    { status: 1, also: ['verify <folder or URL>'] },
  ],
  ['npx release-index mcp', /^$/],
  ['npx release-index build --as-of 2026-01-31', / 2026-01-31/],
  [
    'npx release-index plan --base main',
    /svc\.json/,
    {
      also: ['plan --base main', 'npx --no -- release-index plan --base HEAD^1'],
      before() {
        git(index, 'switch', '--quiet', '--create', 'edit');
        example.edit('components/svc.json', (svc) => (svc.title = 'Server'));
      },
      after() {
        git(index, 'restore', 'components');
        git(index, 'switch', '--quiet', 'main');
      },
    },
  ],
  [
    'git restore --source=<commit> -- data/<component>.json',
    /^$/,
    {
      async before() {
        example.write('data/svc.json', '{');
        damage = (await run('npx release-index check')).said;
        expect(damage).toContain('git restore --source=');
      },
      fill: () => ({ '<commit>': /--source=(\w+)/.exec(damage)![1]!, '<component>': 'svc' }),
      after: () => expect(git(index, 'status', '--short', 'data')).toBe(''),
    },
  ],
  ['git revert', /Revert/, { fill: { $: ' --no-edit HEAD' } }],
  ['git stash --include-untracked -- data && git reset --keep @{upstream}', /^No local changes/],
  ['git pull', /up to date/],
  [
    'git fetch --unshallow',
    /^$|main/,
    {
      cwd: () => join(folder, 'shallow'),
      before: () => git(folder, 'clone', '--quiet', '--depth=1', `file://${bare}`, 'shallow'),
      after: () =>
        expect(git(join(folder, 'shallow'), 'log', '--oneline').split('\n').length).toBeGreaterThan(
          1,
        ),
    },
  ],
];
