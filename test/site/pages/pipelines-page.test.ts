import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { scanProgram } from '../../../src/site/render/html/guide-pages.ts';
import { addDays, toDay } from '../../../src/core/dates.ts';
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

const inUse = [
  'pkg:generic/svc@2026.3',
  'pkg:npm/left-pad@1.3.0',
  'pkg:npm/%40example/edge-node@2.0.2?a=b#c',
];
const outOfUse = ['pkg:generic/svc@2025.1', 'pkg:npm/@example/edge-node@1.0.0'];

describe('the step of', () => {
  interface Job {
    steps?: { run?: string }[];
  }

  /** The commands of a step where each system has them. */
  const systems: Record<string, (text: string) => (string | undefined)[]> = {
    'GitHub Actions': (text) =>
      (load(text) as { jobs: Record<string, Job> }).jobs['scan']!.steps!.map(({ run }) => run),
    'GitLab CI': (text) =>
      (load(text) as Record<string, { script: string[] }>)['releases-in-use']!.script,
    Jenkins: (text) => Array.from(text.matchAll(/^ +sh '([^']+)'$/gm), ([, command]) => command),
  };

  test.each(Object.keys(systems))('%s runs the two commands', (system) => {
    const commands = systems[system]!(copiedFrom(html, system)).filter(Boolean);

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
  test('the recipe for curl fails where something is unsatisfied', async () => {
    const script = copiedFrom(html, 'Scan with curl');

    const right = await shell(script, folderWith(...inUse));
    const wrong = await shell(script, folderWith(...inUse, ...outOfUse));

    expect(right, right.stderr).toMatchObject({ status: 0 });
    expect(linesOf(right.stdout)).toEqual(['3 unknown, 1 not of this index']);
    expect(wrong.status, wrong.stderr).toBe(1);
    expect(wrong.stdout).toMatch(
      /^pkg:generic\/svc@2025\.1: Server 2025\.1 has been .* Move to 2026\.3/m,
    );
  });

  test('the recipe sends exceptions, and has the results of the command for a large document', async () => {
    const folder = temporaryFolder();
    const packages = Array.from({ length: 597 }, (_, index) => ({
      name: `left-pad-${index}`,
      purl: `pkg:npm/left-pad-${index}@1.3.0`,
    }));
    const components = [{ name: 'svc', purl: 'pkg:generic/svc@2025.1' }, ...packages];
    writeIn(folder, 'bom.json', { bomFormat: 'CycloneDX', specVersion: '1.6', components });
    writeIn(folder, '.release-index-exceptions.json', [
      {
        package: 'svc',
        versions: ['2025.1'],
        policy: 'supported',
        reason: 'PLAN-42',
        until: addDays(today, 1),
      },
    ]);

    const recipe = await shell(copiedFrom(html, 'Scan with curl'), folder);
    const command = await shell(`${scan} --json`, folder);

    expect([recipe.status, command.status], recipe.stderr).toEqual([0, 0]);
    expect(linesOf(recipe.stdout).at(-1)).toMatch(/, 597 not of this index$/);
    const results = readJsonIn<PolicyScan[]>(folder, 'scans.json');
    expect(results).toEqual(JSON.parse(command.stdout));
    expect(results.map(({ thing, status }) => `${thing} ${status}`)).toContain(
      'pkg:generic/svc@2025.1 excepted',
    );
  });

  test('the recipe for curl ends with the error of a failed request', async () => {
    const script = copiedFrom(html, 'Scan with curl').replace(
      '/api/scan',
      '/api/scan?policy=suported',
    );

    const { status, stderr } = await shell(script, folderWith(...inUse));

    expect(status).not.toBe(0);
    expect(stderr).toContain('404');
  });

  test('the recipe for one version succeeds exactly if it is supported', async () => {
    const command = copiedFrom(html, 'Scan of a version');
    const other = command.replace(/build-agent\/[^/]+/, 'svc/2025.1');

    expect(await shell(command, temporaryFolder())).toMatchObject({ status: 0, stdout: 'true\n' });
    expect(other).not.toBe(command);
    expect(await shell(other, temporaryFolder())).toMatchObject({ status: 1, stdout: 'false\n' });
  });
});

test('pipelines run the major version of this program', () => {
  const { name, version } = readJsonIn<{ name: string; version: string }>(checkout, 'package.json');

  expect(scanProgram).toBe(`${name}@${version.split('.')[0]}`);
});
