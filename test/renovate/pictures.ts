import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import siteConfig from '../../site/site.json' with { type: 'json' };
import type { Day } from '../../src/core/model/dates.ts';
import { checkout } from '../harness/checkout.ts';
import { readJsonIn, temporaryFolder, writeIn } from '../harness/root.ts';
import { runRenovate, type Upgrade } from './client.ts';
import { importRenovate } from './install.ts';
import { repositoryOf } from './pins.ts';
import { pullRequestBodies } from './pull-request.ts';
import { buildAndServe } from './site.ts';

export const imageFolder = join(checkout, '.github/images');

/** The words in the pictures of the README, and the day on which they were drawn. */
export interface PictureWords {
  day: Day;
  firstPage: string[];
  pullRequest: string[];
}

export interface PullRequest {
  title: string;
  labels: string[];
  /** In Markdown, without what Renovate says below the notes. */
  body: string;
}

/** What the pictures show: the first page of the example on a day, and a pull request in a repository that uses two of its tools. */
export async function readExample(day: Day) {
  const { dir, origin, close } = await buildAndServe(copyExample(day), day);

  try {
    const pullRequest = await readPullRequest(origin);
    const words: PictureWords = {
      day,
      firstPage: listWords(readFirstPage(dir)),
      pullRequest: listWordsOfPullRequest(pullRequest),
    };

    return { dir, pullRequest, words };
  } finally {
    await close();
  }
}

/** The example without the releases that runs have added since that day. */
function copyExample(day: Day): string {
  const root = temporaryFolder();

  for (const name of ['components', 'site']) {
    cpSync(join(checkout, name), join(root, name), { recursive: true });
  }

  for (const name of readdirSync(join(checkout, 'data')).filter((file) => file.endsWith('.json'))) {
    const data = readJsonIn<{ releases?: { firstSeen?: Day }[] }>(checkout, `data/${name}`);
    const releases = data.releases?.filter(({ firstSeen = day }) => firstSeen <= day);
    writeIn(root, `data/${name}`, { ...data, releases });
  }

  return root;
}

/** The part of the first page that the picture shows. */
function readFirstPage(dir: string): string {
  const html = readFileSync(join(dir, 'index.html'), 'utf8');

  return /<header[^]*?(?=<section[^>]* aria-labelledby="components")/.exec(html)![0];
}

async function readPullRequest(origin: string): Promise<PullRequest> {
  const { datasource } = siteConfig;
  const packageRules = [
    { matchPackageNames: ['*'], groupName: 'our tools', separateMajorMinor: false },
  ];
  const files = repositoryOf(
    [
      ['svc', '2025.1'],
      ['build-agent-gradle', '4.4.3'],
    ],
    { origin, datasource },
    { packageRules },
  );

  const { branches } = await runRenovate(files, { origin, datasource });
  const [upgrades] = branches as [Upgrade[]];
  const [body] = (await pullRequestBodies([upgrades])) as [string];
  const { generateBranchConfig } = await importRenovate<{
    generateBranchConfig(upgrades: Upgrade[]): { prTitle: string };
  }>('workers/repository/updates/generate.js');

  return {
    title: generateBranchConfig(upgrades).prTitle,
    labels: [...new Set(upgrades.flatMap(({ addLabels = [] }) => addLabels))],
    body: body.split('\n---\n')[0]!.trim(),
  };
}

/** The texts between the tags. */
function listWords(html: string): string[] {
  return html
    .split(/<[^>]*>/)
    .map((text) => text.trim().replaceAll(/\s+/g, ' '))
    .filter((text) => text !== '');
}

/** Without addresses, which differ from run to run. */
function listWordsOfPullRequest({ title, labels, body }: PullRequest): string[] {
  const lines = body.replaceAll(/\]\([^)]*\)/g, ']').split('\n');

  return [title, ...labels, ...lines.filter((line) => line !== '')];
}
