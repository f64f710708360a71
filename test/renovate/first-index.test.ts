import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { json, type Listed } from '../harness/imitated-upstream.ts';
import { temporaryFolder, writeIn } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { serve, startUpstream } from '../harness/upstream.ts';
import { ociRegistry } from '../harness/upstreams/docker.ts';
import { runRenovate } from './client.ts';
import { repositoryOf } from './pins.ts';
import { buildAndServe, daysAgo, today } from './site.ts';

/** The tags of the image: one more than in the list that somebody keeps. */
const tags: readonly Listed[] = [
  { version: '1.0.0', at: `${daysAgo(300)}T08:00:00Z` },
  { version: '1.1.0', at: `${daysAgo(200)}T08:00:00Z` },
  { version: '1.2.0', at: `${daysAgo(100)}T08:00:00Z` },
];

const changelogOf = (version: string) => `https://example.com/agent/changes#${version}`;

/** The document that a custom datasource of Renovate reads today. */
const keptByHand = {
  homepage: 'https://example.com/agent',
  changelogUrl: 'https://example.com/agent/changes',
  sourceUrl: 'https://github.com/example/agent',
  releases: tags.slice(0, 2).map(({ version, at }) => ({
    version,
    releaseTimestamp: at,
    changelogUrl: changelogOf(version),
    isDeprecated: false,
  })),
};

/** Like ghcr.io: a public image is shown to everybody with a token, which everybody gets. */
async function startContainerRegistry(): Promise<string> {
  const upstream = await startUpstream((url) => {
    const images = serve(ociRegistry.documents!(tags, { url, pageSize: 100 }));
    const scope = 'repository:example/agent:pull';
    const challenge = `Bearer realm="${url}token",service="ghcr.io",scope="${scope}"`;
    const query = new URLSearchParams({ service: 'ghcr.io', scope });
    const tokens = serve(new Map([[`/token?${query}`, json({ token: 'anonymous' })]]));

    return (request, response) => {
      if (request.url!.startsWith('/token')) {
        return tokens(request, response);
      }

      if (request.headers.authorization === 'Bearer anonymous') {
        return images(request, response);
      }

      response.writeHead(401, { 'www-authenticate': challenge }).end();
    };
  });
  onTestFinished(() => upstream.close());

  return upstream.url;
}

/** The index of somebody who kept `agent.json` by hand, with these further commands. */
async function newIndex(...commands: string[][]): Promise<string> {
  const [root, list] = [temporaryFolder(), temporaryFolder()];
  writeIn(list, 'agent.json', keptByHand);

  for (const command of [
    ['init', root],
    ['add', 'static', join(list, 'agent.json'), '--root', root],
    ...commands.map((words) => [...words, '--root', root]),
  ]) {
    const run = await runHere(command);
    expect(run, `${command.join(' ')}: ${run.stderr}`).toMatchObject({ status: 0 });
  }

  return root;
}

async function serveIndex(root: string) {
  const served = await buildAndServe(root, today);
  onTestFinished(() => served.close());

  return served;
}

/** The proposals for a pin of 1.0.0, with the preset, or with the configuration that the colleagues have today. */
async function proposalsOf(origin: string, configuration?: object): Promise<string[]> {
  const datasource = configuration === undefined ? siteConfig.datasource : 'agent';
  const site = { origin, datasource };
  const run = await runRenovate(repositoryOf([['agent', '1.0.0']], site, configuration), site);

  expect([run.problems, run.attempts]).toEqual([[], []]);
  expect(run.lookups).toMatchObject([{ component: 'agent', pin: '1.0.0', warnings: [] }]);

  return run.lookups[0]!.proposed;
}

/** Only the address changes for the colleagues. */
function customDatasource(origin: string): object {
  const pattern =
    '# renovate: datasource=(?<datasource>\\S+) depName=(?<depName>\\S+)\\sARG \\w+="(?<currentValue>[^"]+)"';

  return {
    extends: [],
    customDatasources: { agent: { defaultRegistryUrlTemplate: `${origin}/agent.json` } },
    customManagers: [
      { customType: 'regex', managerFilePatterns: ['Dockerfile'], matchStrings: [pattern] },
    ],
  };
}

test('a list that somebody keeps for an image gets a page, and Renovate reads it as before', async () => {
  const served = await serveIndex(await newIndex());

  expect(served.components.get('agent')).toEqual({ ...keptByHand, tags: { latest: '1.1.0' } });
  expect(readFileSync(join(served.dir, 'agent.html'), 'utf8')).toContain('id="v1.1.0"');
  expect(await proposalsOf(served.origin)).toEqual(['1.1.0']);
  expect(await proposalsOf(served.origin, customDatasource(served.origin))).toEqual(['1.1.0']);
});

test('its index then reads the registry of the image, and keeps the fields of the list', async () => {
  const registryUrl = await startContainerRegistry();
  const follow = ['add', 'docker', 'example/agent', '--registry-url', registryUrl, '--replace'];
  const served = await serveIndex(await newIndex(follow));

  expect(served.components.get('agent')).toEqual({
    ...keptByHand,
    tags: { latest: '1.2.0' },
    releases: [
      ...keptByHand.releases,
      { version: '1.2.0', releaseTimestamp: tags[2]!.at, isDeprecated: false },
    ],
  });
  expect(readFileSync(join(served.dir, 'agent.html'), 'utf8')).toContain('id="v1.2.0"');
  expect(await proposalsOf(served.origin)).toEqual(['1.2.0']);
  expect(await proposalsOf(served.origin, customDatasource(served.origin))).toEqual(['1.2.0']);
});
