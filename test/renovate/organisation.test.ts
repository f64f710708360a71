import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { runRenovate, validateConfigs, type Run } from './client.ts';
import { repositoryOf, type Pin } from './pins.ts';
import { daysAgo, serveComponents, type ServedSite } from './site.ts';

let served: ServedSite;
/** The blocks to copy, and the list of presets. */
let blocks: string[];
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
  const page = readFileSync(join(served.dir, 'organisation.html'), 'utf8');
  const textOf = (html: string) =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&');
  blocks = Array.from(page.matchAll(/<pre[^>]*><code[^>]*>(.*?)<\/code><\/pre>/gs), ([, html]) =>
    textOf(html!),
  );
  order = Array.from(
    /<ol>(.*?)<\/ol>/s.exec(page)![1]!.matchAll(/<code>(.*?)<\/code>/g),
    ([, html]) => textOf(html!),
  );
});

afterAll(() => served?.close());

function blockWith(text: string): string {
  const [block, ...others] = blocks.filter((each) => each.includes(text));
  expect([block === undefined, others]).toEqual([false, []]);
  return block!;
}

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

test('the page has the configurations, valid for Renovate', async () => {
  const [organisation, server, hosts] = [
    blockWith('"extends"'),
    blockWith('globalExtends'),
    blockWith('hostRules'),
  ];

  expect(blocks).toEqual([organisation, server, hosts]);
  expect(await validateConfigs({ 'organisation.json': organisation! })).toMatchObject({ code: 0 });
  for (const config of [server, hosts]) {
    expect(await validateConfigs({ 'config.json': config! }, true)).toMatchObject({ code: 0 });
  }
});

test('a shared preset and a server do what the page says', async () => {
  const organisation = JSON.parse(blockWith('"extends"')) as object;
  const { hostRules } = JSON.parse(blockWith('hostRules')) as { hostRules: object[] };

  const shared = await look(organisation);
  const byServer = await look(
    { extends: [] },
    { ...(JSON.parse(blockWith('globalExtends')) as object), hostRules },
  );

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
