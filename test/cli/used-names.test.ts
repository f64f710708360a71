import { expect, test } from 'vitest';
import { createPackageId, readUsedNames } from '../../src/cli/used-names.ts';
import { datasources } from '../../src/record/sources/index.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { checkout } from '../harness/checkout.ts';
import { definition, makeRoot } from '../harness/root.ts';

test('packages of one name in two datasources are two, but the releases and tags of a repository are one', () => {
  const byId = Map.groupBy(datasources, ({ datasource }) =>
    createPackageId({ datasource, packageName: 'acme/agent' }),
  );
  const shared = [...byId.values()].filter((group) => group.length > 1);

  expect(shared.map((group) => group.map(({ datasource }) => datasource).sort())).toEqual([
    ['github-releases', 'github-tags'],
    ['gitlab-releases', 'gitlab-tags'],
  ]);
});

test('a component with the versions of the application in a chart does not have the chart', () => {
  const chart = {
    datasource: 'helm',
    packageName: 'agent',
    registryUrl: 'https://charts.example.com',
  };
  const dir = makeRoot({
    'components/agent.json': definition({ sources: [{ ...chart, field: 'appVersion' }] }),
    'components/chart.json': definition({ sources: [{ ...chart, packageName: 'other' }] }),
  });
  const { byPackageId } = readUsedNames(openRoot(dir, checkout));

  expect(byPackageId.get(createPackageId(chart))).toBeUndefined();
  expect(byPackageId.get(createPackageId({ ...chart, packageName: 'other' }))).toBe('chart');
});
