import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { copiedFrom } from '../harness/page-command.ts';
import { runRenovate, validateConfigs, type Run } from './client.ts';
import { isOldest } from './install.ts';
import { repositoryOf, type Pin } from './pins.ts';
import { daysAgo, serveComponents, type ServedSite } from './site.ts';

let served: ServedSite;
type Configurations = Readonly<Record<'extends' | 'globalExtends' | 'hostRules', string[]>>;
/** The configurations to copy, and the list of presets. */
let organisation: Configurations;
let server: Configurations;
let hosts: Configurations;
let order: string[];

const pins: Pin[] = [
  ['svc', '2025.1'],
  ['agent', '1.0'],
];

beforeAll(async () => {
  const releases = (...versions: string[]) =>
    versions.map((version) => ({ version, releaseTimestamp: daysAgo(100) }));
  served = await serveComponents({
    svc: {
      definition: { support: { policy: 'dated', lines: { '2025.1': daysAgo(10) } } },
      releases: releases('2025.1', '2025.2', '2026.1', '2026.2'),
    },
    agent: {
      definition: {
        support: { policy: 'dated', lines: { '1.0': daysAgo(-20), '1.1': daysAgo(-900) } },
      },
      releases: releases('1.0', '1.1', '2.0'),
    },
  });
  const html = readFileSync(join(served.dir, 'use.html'), 'utf8');
  const jsonOf = (title: string) => JSON.parse(copiedFrom(html, title)) as Configurations;
  organisation = jsonOf('Every repository of an organisation');
  server = jsonOf('Every repository of a Renovate server');
  hosts = jsonOf('Renovate inside a company');
  if (isOldest) {
    // The page says from which Renovate on it is known.
    console.log('allowInternal is left out for the oldest Renovate, which does not know it.');
    const [{ allowInternal: _, ...rule }] = hosts.hostRules as unknown as [Record<string, unknown>];
    hosts = { ...hosts, hostRules: [rule] as never };
  }
  ({ extends: order } = jsonOf('Own releases without a waiting time'));
});

afterAll(() => served?.close());

function look(configuration: object, serverConfig: object = {}): Promise<Run> {
  const site = { origin: served.origin, datasource: siteConfig.datasource };
  return runRenovate(repositoryOf(pins, site, configuration), { ...site, serverConfig });
}

/** Each once: several presets of single components read a comment several times. */
const proposals = ({ lookups }: Run) => {
  const rows = lookups
    .filter(({ file }) => file === 'Dockerfile')
    .map(({ component, pin, proposed }) => [component, pin, ...proposed].join(' '));
  return [...new Set(rows)];
};

const labels = ({ branches }: Run) =>
  branches.flat().map(({ depName, addLabels = [] }) => [depName, ...new Set(addLabels)].join(' '));

test('the configurations of the page are valid for Renovate', async () => {
  const texts = [organisation, server, hosts].map((configuration) => JSON.stringify(configuration));

  expect(await validateConfigs({ 'organisation.json': texts[0]! })).toMatchObject({ code: 0 });
  for (const config of texts.slice(1)) {
    expect(await validateConfigs({ 'config.json': config }, true)).toMatchObject({ code: 0 });
  }
});

test('a shared preset and a server do what the page says', async () => {
  const shared = await look(organisation);
  const byServer = await look({ extends: [] }, { ...server, ...hosts });

  expect(proposals(shared)).toEqual(['svc 2025.1 2026.2', 'agent 1.0 2.0']);
  expect(proposals(byServer)).toEqual(['svc 2025.1 2025.2 2026.2', 'agent 1.0 1.1 2.0']);
  for (const run of [shared, byServer]) {
    expect([...new Set(labels(run))].sort()).toEqual(['agent support-ends', 'svc unsupported']);
    expect(run.problems).toEqual([]);
    expect(run.attempts).toEqual([]);
  }
});

test('the presets work in the order of the page', async () => {
  const run = await look({ extends: order, minimumReleaseAge: '300 days' });

  expect(proposals(run)).toEqual(['svc 2025.1 2025.2 2026.2', 'agent 1.0 1.1 2.0']);
  expect([...new Set(labels(run))].sort()).toEqual(['agent support-ends', 'svc unsupported']);
  expect(run.problems).toEqual([]);
});

test('while the index is away, Renovate stops for a repository, and one with a copy goes on without comments', async () => {
  const away = await serveComponents({ svc: { releases: [{ version: '1.0' }] } });
  const copy = JSON.parse(readFileSync(join(away.dir, 'renovate.json'), 'utf8')) as object;
  const { origin } = away;
  await away.close();
  const site = { origin, datasource: siteConfig.datasource };
  const lookAt = (configuration: object) =>
    runRenovate(repositoryOf([['svc', '1.0']], site, configuration), { origin });

  await expect(lookAt({ extends: [`${origin}/renovate.json`] })).rejects.toThrow(
    'Would ensure configuration error issue ; Repository result: config-validation',
  );
  const { lookups } = await lookAt(copy);
  const [failed, ...others] = lookups.filter(({ component }) => component === 'svc');
  expect(failed).toMatchObject({ proposed: [], warnings: [expect.stringContaining('svc')] });
  expect(others.every(({ warnings }) => warnings.length === 1)).toBe(true);
});

test('a custom manager of Renovate, or the preset itself, that applies twice finds each comment twice', async () => {
  const preset = `${served.origin}/renovate.json`;
  const files = ({ branches }: Run) => branches.map((upgrades) => upgrades.length);

  expect(files(await look({ extends: [preset] }))).toEqual([1, 1, 1, 1]);
  for (const run of [
    await look({ extends: ['customManagers:dockerfileVersions', preset] }),
    await look({ extends: [preset] }, server),
  ]) {
    expect(files(run)).toEqual([2, 2, 2, 2]);
  }
});
