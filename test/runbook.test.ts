import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { programVersion } from '../src/io/program.ts';
import { checkout } from './harness/checkout.ts';
import { linesOf, runCli } from './harness/cli.ts';
import { covers } from './harness/covers.ts';
import { npmRegistry } from './harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn, temporaryFolder, writeIn } from './harness/root.ts';
import { runHere } from './harness/run-here.ts';
import { keysOf, runbook, sampleOf, setup, textOf } from './harness/runbook.ts';
import { lintWorkflow } from './harness/workflow-lint.ts';

const day = ['--as-of', '2026-06-01'];

interface Recorded {
  releases: { version: string }[];
}

const versionsIn = (root: string, path: string) =>
  readJsonIn<Recorded>(root, path).releases.map(({ version }) => version);

test('a version that is excluded as it says leaves the site, and no run brings it back', async () => {
  const registry = await npmRegistry({ agent: { '3.4.0': {}, '3.4.1': {}, '3.5.0': {} } });
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
  const root = makeRoot({ 'components/svc.json': definition({ sources: [source] }) });
  await runCli(['gather', '--root', root, ...day]);
  writeIn(
    root,
    'components/svc.json',
    definition({ sources: [{ ...source, ...keysOf('allowedVersions') }] }),
  );

  const excluded = await runCli(['start', '--root', root, ...day]);

  expect(excluded.status).toBe(0);
  expect(linesOf(excluded.stdout).at(-1)).toBe('Now: npx release-index preview');
  expect(excluded.stderr).toContain('notice: svc: the site leaves out 1 recorded release');
  expect(versionsIn(root, 'dist/svc.json')).toEqual(['3.4.0', '3.5.0']);
  expect(versionsIn(root, 'data/svc.json')).toEqual(['3.4.0', '3.4.1', '3.5.0']);

  const { releases } = readJsonIn<Recorded>(root, 'data/svc.json');
  writeIn(root, 'data/svc.json', {
    releases: releases.filter(({ version }) => version !== '3.4.1'),
  });
  const again = await runCli(['start', '--root', root, ...day]);

  expect(again.status).toBe(0);
  expect(again.stderr).not.toContain('notice');
  expect(versionsIn(root, 'data/svc.json')).toEqual(['3.4.0', '3.5.0']);
});

test('the file of a private index is the one that init writes, and admits an issuer in place of keys', async () => {
  covers('the operator updates it on rotation');
  const folder = temporaryFolder();
  await runHere(['init', folder, '--private', 'jane@example.com']);
  const written = readJsonIn<object>(folder, 'site/access.json');
  const site = { ...readJsonIn<object>(checkout, 'site/site.json'), signingPublicKey: undefined };
  const root = makeRoot({
    'components/svc.json': definition(),
    'site/site.json': site,
    'site/access.json': { ...written, accessKeys: { enabled: false }, ...sampleOf('issuer') },
  });

  const checked = await runCli(['check', '--root', root, ...day]);

  expect(sampleOf('access')).toEqual(written);
  expect(checked.stderr).toBe('');
});

test('edits of a release, its day and a component are valid as it shows them', async () => {
  const recorded = {
    version: '3.4.1',
    releaseTimestamp: '2026-03-01',
    ...keysOf('corrected'),
  };
  const root = makeRoot({
    'components/server.json': definition(),
    'components/svc.json': definition(keysOf('deprecated', 'support', 'replacedBy')),
    'data/svc.json': { releases: [recorded] },
  });

  const built = await runCli(['build', '--root', root, '--as-of', '2026-11-22']);
  const checked = await runCli(['check', '--root', root, '--as-of', '2026-11-22']);

  expect([built.status, checked.status], built.stderr + checked.stderr).toEqual([0, 0]);
  expect(readJsonIn(root, 'dist/svc.json')).toMatchObject({
    releases: [{ version: recorded.version, isDeprecated: true }],
  });
});

test('the runbook is short, and has no line that a narrow screen cuts', () => {
  expect(runbook.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  expect(`${runbook}${setup}`.split('\n').filter((line) => line.length > 160)).toEqual([]);
});

test('each link from one page to a section of another leads to its heading', () => {
  const folder = join(checkout, '.github');
  const pages = globSync('**/*.md', { cwd: folder });
  const broken: string[] = [];
  let count = 0;

  for (const page of pages) {
    const text = readFileSync(join(folder, page), 'utf8');

    for (const [, path = '', anchor] of text.matchAll(/\]\(([\w./-]*\.md)?(?:#([^)]+))?\)/g)) {
      const target = path === '' ? join(folder, page) : join(folder, dirname(page), path);
      const headings = existsSync(target) ? listAnchors(readFileSync(target, 'utf8')) : [];
      count += 1;

      if (!existsSync(target) || (anchor !== undefined && !headings.includes(anchor))) {
        broken.push(`${page}: ${path}#${anchor}`);
      }
    }
  }

  expect(count).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});

/** The anchors of headings, as GitHub makes them. */
function listAnchors(page: string): string[] {
  return Array.from(page.matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^a-z0-9_ -]/g, '')
      .replaceAll(/\b_|_\b/g, '')
      .replaceAll(' ', '-'),
  );
}

test('the workflow that watches the index passes actionlint, and runs this version', async () => {
  expect(await lintWorkflow(`${textOf('watch')}\n`)).toEqual([]);
  expect(textOf('watch')).toContain(`npx --yes release-index@${programVersion} verify`);
});

test.each([0, 1, 3])('the line of cron ends with the status of daily, %i', (status) => {
  const [folder, bin] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(folder, 'index'));
  const npx = `#!/bin/sh\ncase "$*" in *daily*) exit ${status} ;; *) echo "$*" ;; esac\n`;
  writeFileSync(join(bin, 'npx'), npx, { mode: 0o755 });
  const line = textOf('cron')
    .replace(/^(\S+ ){5}/, '')
    .replace('/srv/index', join(folder, 'index'));

  const output = execFileSync('sh', ['-c', `( ${line} ); echo $?`], {
    encoding: 'utf8',
    env: { PATH: [bin, process.env['PATH']].join(delimiter) },
  });

  const printed = status === 0 ? [] : ['--no -- release-index attention --print'];
  expect(linesOf(output)).toEqual([...printed, String(status)]);
});
