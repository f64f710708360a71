import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scanProgram } from '../../../src/site/render/html/guide-pages.ts';
import { toDay } from '../../../src/core/model/dates.ts';
import { checkout } from '../../harness/checkout.ts';
import { linesOf } from '../../harness/cli.ts';
import { copiedFrom, runCopied } from '../../harness/page-command.ts';
import { readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { lintWorkflow } from '../../harness/workflow-lint.ts';

const home = 'https://releases.example.com';
const generate =
  'npx --yes @cyclonedx/cyclonedx-npm@6 --package-lock-only --spec-version 1.6 --output-file bom.json';
const scan = `npx --yes release-index@1 scan bom.json --index ${home}`;

const today = toDay(new Date());

let out: string;
let html: string;
let site: ServedSite;

beforeAll(async () => {
  // The host answers as of the day of the request, and a command fails where an index is old.
  out = siteOfFixtureIndex(today);
  html = readFileSync(join(out, 'pipelines.html'), 'utf8');
  site = await serveSite(out);
});

afterAll(() => site.close());

const shell = (text: string, cwd: string) => runCopied(text, site.url, { cwd });

function folderWith(...purls: string[]): string {
  const folder = temporaryFolder();
  const components = [...purls.map((purl) => ({ name: 'x', purl })), { name: 'svcctl' }];
  writeIn(folder, 'bom.json', { bomFormat: 'CycloneDX', specVersion: '1.6', components });
  return folder;
}

const outOfUse = ['pkg:generic/svc@2025.1', 'pkg:npm/@example/edge-node@1.0.0'];

describe('the step of', () => {
  interface Job {
    steps?: { run?: string }[];
  }

  /** The commands of a step where each system has them. */
  const systems: Record<string, (text: string) => (string | undefined)[]> = {
    'a shell': linesOf,
    'GitHub Actions': (text) =>
      (load(text) as { jobs: Record<string, Job> }).jobs['scan']!.steps!.map(({ run }) => run),
    'GitLab CI': (text) =>
      (load(text) as Record<string, { script: string[] }>)['releases-in-use']!.script,
  };

  test.each(Object.keys(systems))('%s runs the two commands', (system) => {
    const commands = systems[system]!(
      copiedFrom(html, system === 'a shell' ? 'Scan' : system),
    ).filter(Boolean);

    expect(commands).toEqual([generate, scan]);
  });

  test.each(['GitHub Actions', 'GitHub code scanning'])(
    '%s is a valid workflow',
    async (system) => {
      expect(await lintWorkflow(copiedFrom(html, system))).toEqual([]);
    },
  );

  test('GitHub code scanning writes the results to upload', async () => {
    const folder = folderWith(...outOfUse);
    const command = /run: (npx --yes release-index.*)/.exec(
      copiedFrom(html, 'GitHub code scanning'),
    )![1]!;

    expect((await shell(command, folder)).status).toBe(1);

    const { runs } = readJsonIn<{ runs: { results: unknown[] }[] }>(folder, 'scan.sarif');
    expect(runs[0]!.results).toHaveLength(2);
  });
});

const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).error === undefined);

describe.runIf(hasTools)('without Node', () => {
  test('the recipe for one version succeeds exactly if it is supported', async () => {
    const command = copiedFrom(html, 'Scan of a version');
    const other = command.replace(/(?<=generic\/)[^/]+\/[^/]+/, 'svc/2025.1');

    expect(await shell(command, temporaryFolder())).toMatchObject({ status: 0, stdout: 'true\n' });
    expect(other).not.toBe(command);
    expect(await shell(other, temporaryFolder())).toMatchObject({ status: 1, stdout: 'false\n' });
  });
});

test('pipelines run the major version of this program', () => {
  const { name, version } = readJsonIn<{ name: string; version: string }>(checkout, 'package.json');

  expect(scanProgram).toBe(`${name}@${version.split('.')[0]}`);
});
