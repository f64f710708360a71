import { inc } from 'semver';
import { expect, test } from 'vitest';
import { programRepository, programVersion, wantedWrangler } from '../../src/io/program.ts';
import { npmRegistry } from '../harness/npm-registry.ts';
import { filesIn, temporaryFolder } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { runRenovate, validateConfigs } from './client.ts';

const at = '2026-01-01T00:00:00.000Z';

test('Renovate proposes a new version of the program in a new index as one pull request', async () => {
  const folder = temporaryFolder();
  await runHere(['init', folder]);
  const files = filesIn(folder);
  const version = programVersion();
  const later = inc(version, 'minor')!;
  const registry = await npmRegistry({
    'release-index': { [version]: { at }, [later]: { at } },
    wrangler: { [wantedWrangler()]: { at } },
  });
  const config = JSON.parse(files['renovate.json']!) as { packageRules: object[] };
  const here = [
    // Here, the registry also answers for the tags of the repository. Other actions are not looked up.
    {
      matchDatasources: ['github-tags'],
      matchPackageNames: [programRepository()],
      overrideDatasource: 'npm',
      overridePackageName: 'release-index',
      registryUrls: [registry.url],
    },
    { matchPackageNames: ['actions/**', 'ubuntu', 'node'], enabled: false },
  ];

  const { code, output } = await validateConfigs({ 'renovate.json': files['renovate.json']! });
  const { branches, problems } = await runRenovate(
    {
      ...files,
      '.npmrc': `registry=${registry.url}\n`,
      'renovate.json': JSON.stringify({
        ...config,
        packageRules: [...config.packageRules, ...here],
      }),
    },
    { origin: registry.url.replace(/\/$/, '') },
  );

  expect(code, output).toBe(0);
  expect(problems).toEqual([]);
  // The registry spells versions without the v that tags have.
  expect(
    branches.map((upgrades) =>
      upgrades.map(({ packageFile, newValue }) => `${packageFile}: ${newValue}`).toSorted(),
    ),
  ).toEqual([
    [
      ...Array.from({ length: 3 }, () => `.github/workflows/check.yml: ${later}`),
      `.github/workflows/daily.yml: ${later}`,
      `package.json: ${later}`,
    ],
  ]);
});
