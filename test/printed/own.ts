/**
 * The commands for this checkout, for a new index and for its operation, with their expected
 * output.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect } from 'vitest';
import { saveFile } from '../../src/core/files.ts';
import { program } from '../harness/example.ts';
import { packageFile } from '../harness/site.ts';
import { readBlocks, readCron, readDocument, site } from './list.ts';
import {
  answers,
  bare,
  checkout,
  enter,
  env,
  example,
  index,
  installed,
  listed,
  published,
  registry,
  type,
  values,
  type Row,
} from './stage.ts';

const repository = 'https://github.com/example/release-index.git';

export const theCheckout: Row[] = [
  [
    `git clone ${repository} && cd release-index`,
    /Cloning into/,
    {
      cwd: join(index, '..'),
      before: () => (values[repository] = `file://${program} release-index --depth=1`),
    },
  ],
  ['npm ci', /^$/],
  ['npm rebuild', /^$/],
  ['npm start', / 16 components /],
  ['preview', / at http:\S+\/ /, { add: ' --port 0' }],
  ['explain svc 2025.1', /^svc 2025\.1 on /],
  ['npm test -- test/core/day.test.ts', /Test Files +1 passed/],
  ['npm run check', /Found 0 warnings and 0 errors/],
  ['npm run size', /^src: \d+ tokens$/m],
  [
    'npm run schemas',
    /schemas/,
    { after: () => type(`diff -r site/schema ${program}/site/schema`, checkout) },
  ],
  [
    `init ../my-index --releases-url ${site}`,
    /Next:/,
    {
      // Packing gives the same bytes, whatever file modes the checkout has.
      after: () =>
        type(`cmp ../my-index/program/${packageFile} ${installed}/${packageFile}`, checkout),
    },
  ],
  ['cd ../my-index && npm install', /^$/],
];

export const anIndex: Row[] = [
  [
    'add npm semver zod undici vitest --support latest-lines:2',
    /^semver: 2 releases recorded; the latest is 7\.8\.6\.[^]*^vitest: 2 releases recorded/m,
  ],
  [
    'add npm semver --support term:18',
    /^semver: 2 releases recorded; the latest is 7\.8\.6\./m,
    { before: () => type('rm components/semver.json data/semver.json') },
  ],
  [
    'add static releases.csv',
    /^releases: 1 release recorded/m,
    {
      before: () => example.write('releases.csv', 'version,date\n1.0,2026-01-31\n'),
      add: ' --homepage https://example.com',
    },
  ],
  ['add --help', /Datasources:/],
  ['start', / 5 components /],
  ['preview', / at http:\S+\/ /, { add: ' --port 0' }],
  ['preview --port 8080', / at http:\S+\/ /],
  ["git init --quiet && git add --all && git commit --quiet --message 'Start the index'", /^$/],
  ['daily --to /srv/releases', /Committed [^]*Published\./],
  ['daily', /Committed [^]*Ready to be deployed/],
];

const [cron = ''] = readCron(readDocument('.github/SETUP.md'));
const [jobs = ''] = readBlocks('.github/SETUP.md', 'yaml');
const { daily, pages } = load(jobs) as Record<string, any>;
const jobsOfDay = daily.script.join('\n');
const gitlab = join(index, '../gitlab');
const fresh = enter('fresh');
const commit = 'git add --all && git commit --quiet --message Edit && git push --quiet';
const countMails = () => readFileSync(join(index, '../mails'), 'utf8').split('\n').length - 1;

export const operators: Row[] = [
  [
    "git config user.name 'Release index' && git config user.email releases@example.com",
    /^$/,
    {
      async before() {
        const json = `npx release-index add json ${registry}/list.json --name svc --homepage ${site} --changelog ${site} --support term:18`;
        expect(await type(json)).toMatch(/^svc: 20 releases/m);
        await type(`git init --quiet --bare ${bare} && git remote add origin ${bare}`);
        await type('git push --quiet --set-upstream origin main');
        await type(commit);
        answers['/list.json'] = listed(5);
      },
    },
  ],
  [cron, /and pushed it/, { after: () => expect(countMails()).toBe(1) }],
  [
    'daily --push --to /srv/releases',
    /svc[^]*Published\./,
    {
      async after() {
        expect(await type(`git -C ${bare} log --format=%an`)).toMatch(/^Release index\n.*Jane/s);
        const page = readFileSync(join(published, 'status.html'), 'utf8');
        const [, waiting = ''] = /^npx release-index accept (svc-\w+)$/m.exec(page)!;
        values['svc-1b4e28ba7c'] = waiting;
      },
    },
  ],
  ['plan', /svc[^]*npx release-index accept svc-/],
  ['accept svc-1b4e28ba7c', /^svc-\w+: accepted /],
  [
    "git add data/decisions.ndjson && git commit -m 'Accept a change' && git push",
    /Accept a change/,
  ],
  [cron, /deprecated[^]*and pushed it/, { after: () => expect(countMails()).toBe(1) }],
  [
    `curl -fsS ${site}/status.json | jq -e '.asOf >= (now - 172800 | strftime("%Y-%m-%d"))'`,
    /^true\n$/,
  ],
  ['daily --push', /and pushed it/],
  ['daily --push --skip-publish', /and pushed it/],
  ['daily --push --skip-publish || RED=$?', /and pushed it/],
  ['gather svc', /all answered/],
  ['build', / 6 components /],
  ['check', /6 components: 0 errors/],
  ['publish', /Ready to be deployed/],
  ['explain svc 2025.1', /^svc 2025\.1/],
  ['search "component:svc isSupported"', /^\d+ releases? on /m],
  ['table svc', /^\| Version/],
  [
    'table svc --write SECURITY.md',
    /^Changed SECURITY\.md/,
    {
      before: () =>
        example.write('SECURITY.md', '<!-- release-index svc -->\n<!-- /release-index -->\n'),
    },
  ],
  [
    'scan versions.txt --policy supported',
    /semver/,
    { before: () => example.write('versions.txt', 'semver 7.8.6\n') },
  ],
  [`verify ${site}`, /no key was given/, { status: 1 }],
  ['mcp', /^$/],
  ['build --as-of 2026-01-31', / 2026-01-31/],
  [
    'plan --base main',
    /svc\.json/,
    {
      async before() {
        await type('git switch --quiet --create edit');
        example.edit('components/svc.json', { title: 'Server' });
      },
      after: () => type('git restore components && git switch --quiet main'),
    },
  ],
  ['plan --base HEAD^1', /./],
  [
    'git log --reflog -- data/svc.json',
    /^commit \w/,
    {
      cwd: fresh,
      async before() {
        await type(`git clone --quiet ${bare} ${fresh}`);
        await type(`sed -i.bak 's/"pages"/"cloudflare"/' site/site.json`, fresh);
        saveFile(join(fresh, 'data/svc.json'), '{');
        const output = await type('npx release-index check', fresh, 1);
        expect(output).toContain(
          'warning: .github/workflows/daily.yml has no step of the host in site/site.json (cloudflare)',
        );
        expect(output).toContain('"git log -- data/svc.json"');
        values['<commit>'] = (await type('git log -1 --format=%h -- data', fresh)).trim();
      },
    },
  ],
  [
    'git restore --source=<commit> -- data/svc.json',
    /^$/,
    {
      cwd: fresh,
      after: async () => expect(await type('git status --short data', fresh)).toBe(''),
    },
  ],
  [
    'git restore --source=<commit> -- data',
    /^$/,
    {
      cwd: fresh,
      before: () => type('rm -r data', fresh),
      after: async () => expect(await type('git status --short data', fresh)).toBe(''),
    },
  ],
  ['init ../new-index --host cloudflare', /Next:/, { cwd: fresh }],
  [
    'cp ../new-index/.github/workflows/daily.yml .github/workflows/',
    /^$/,
    {
      cwd: fresh,
      async after() {
        expect(await type('npx release-index check', fresh)).not.toContain('daily.yml');
        await type('git checkout --quiet . && rm -r ../new-index', fresh);
      },
    },
  ],
  ['npm install release-index@<version>', /^$/, { cwd: fresh }],
  ['npm install ./program/release-index-<version>.tgz', /^$/, { cwd: fresh }],
  ['init ../new-index --host pages', /Next:/, { cwd: fresh }],
  [
    'diff -r -x .git -x node_modules -x dist -x components -x data -x site -x program ../new-index .',
    // `before` removes the line `lists/` from the index's .gitignore, as if an earlier version of `init` had created the index. `diff` must
    // report this line.
    /^< lists\/$/m,
    {
      cwd: fresh,
      status: 1,
      before: () => type('grep -v lists .gitignore > part && mv part .gitignore', fresh),
      after: () => type('cp ../new-index/.gitignore . && mv program/*.tgz program/former', fresh),
    },
  ],
  [
    'cp ../new-index/.github/actions/scan/action.yml .github/actions/scan/',
    /^$/,
    {
      cwd: fresh,
      before: () => saveFile(join(fresh, '.github/actions/scan/action.yml'), 'name: Former'),
      after: async () => expect(await type('git status --short .github', fresh)).toBe(''),
    },
  ],
  [
    'git add --all',
    /^$/,
    {
      cwd: fresh,
      before: () =>
        type(
          `mv program/former program/release-index-0.9.0.tgz; cp -r ../new-index/program/* program; echo {} > package-lock.json`,
          fresh,
        ),
    },
  ],
  [
    "git commit -m 'Upgrade release-index'",
    /release-index-0\.9\.0\.tgz/,
    {
      cwd: fresh,
      async after() {
        await type(`git clone --quiet ${fresh} ${fresh}-again`);
        await type(`cmp program/${packageFile} ${installed}/${packageFile}`, `${fresh}-again`);
      },
    },
  ],
  ['git revert', /Revert/, { add: ' --no-edit HEAD' }],
  ['git stash --include-untracked -- data && git reset --keep @{upstream}', /^No local changes/],
  [
    'git fetch --unshallow',
    /^$|main/,
    {
      cwd: join(index, '../shallow'),
      before: () => type(`git clone --quiet --depth=1 file://${bare} ../shallow`),
      after: async () => expect(await type('git -C ../shallow log --oneline')).toMatch(/\n./),
    },
  ],
  [
    // GitLab reuses the folder of an earlier job, with the newest commit checked out.
    jobsOfDay,
    /npx release-index accept svc-[^]*and pushed it/,
    {
      cwd: gitlab,
      status: 1,
      async before() {
        answers['/list.json'] = listed(2);
        await type(`git clone --quiet ${bare} ${gitlab}`);
        example.edit('components/releases.json', { title: 'Newest' });
        await type(commit);
        await type('git fetch --quiet && git checkout --quiet --detach origin/main', gitlab);
        Object.assign(env, {
          CI_COMMIT_BRANCH: 'main',
          CI_COMMIT_SHA: 'origin/main',
          CI_SERVER_HOST: 'git.example.com',
          CI_PROJECT_PATH: 'team/index',
          PUSH_TOKEN: 'secret',
        });
        expect(daily.artifacts).toEqual({ when: 'always', paths: ['public'] });
        expect(pages).toMatchObject({ needs: ['daily'], artifacts: { paths: ['public'] } });
      },
      after: () => type('grep -q Newest public/index.html', gitlab),
    },
  ],
  [pages.script, /^$/, { cwd: gitlab }],
  ['git pull', /Fast-forward/],
  ['gather', /all answered/, { before: () => type('git rm -r --quiet data') }],
  ["git add data && git commit -m 'Begin anew' && git push", /Begin anew/],
  ['publish --force', /Ready to be deployed/, { before: () => type('npx release-index build') }],
];
