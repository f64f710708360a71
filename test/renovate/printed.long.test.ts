/**
 * Runs the real Renovate with the configuration and the comments that pages print. They must work in the files for which they are meant.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, today } from '../../src/core/day.ts';
import { exampleDay } from '../harness/example.ts';
import { readText } from '../harness/html.ts';
import { digestOf, fileDigest, sha256 } from '../harness/imitation.ts';
import { release } from '../harness/judging.ts';
import { runRenovate } from './client.ts';
import { serveSite, type ServedSite } from './site.ts';
import { writeUpdates } from './steps.ts';

/** Lists the code blocks that a page tells people to copy into a file: the file's name, the block's name and the block's text. */
function listBlocks({ files }: ServedSite, page: string) {
  const form =
    /<code(?: class="note")?>([^<]+)<\/code><\/p>\s*<div class="code-block"><pre[^>]*aria-label="([^"]*)"><code>([^]*?)<\/code>/g;
  return Array.from(files.get(page)!.matchAll(form), ([, file = '', name = '', body = '']) => {
    return { file, name, text: readText(body) };
  });
}

test('Renovate updates the versions in the code blocks of an index without checksums', async () => {
  const site = await serveSite(undefined, exampleDay);
  const blocks = listBlocks(site, 'use.html');
  const config = blocks.find(({ name }) => name === 'Once per repository')!.text;
  const pins = [...blocks, ...listBlocks(site, 'svc.html')]
    .filter(({ text }) => text.includes('# renovate:'))
    .map(
      ({ file, text }, place) => [`${place}/${file}`, text.replace('2026.3', '2025.1')] as const,
    );

  const { lookups } = await runRenovate(
    { ...Object.fromEntries(pins), 'renovate.json': JSON.parse(config) as object },
    site.origin,
  );

  const found = lookups.filter(({ name }) => name === 'svc');
  expect(found.map(({ file }) => file).sort()).toEqual([
    '0/Dockerfile',
    '1/Dockerfile',
    '2/.github/workflows/build.yml',
    '3/.gitlab-ci.yml',
    '4/install.sh',
  ]);
  for (const { file, pin, proposed } of found) {
    expect(pin, file).toBe('2025.1');
    expect(proposed.join(' '), file).toContain('2026.3');
  }
});

describe('pages of an index with checksums', () => {
  const listed = (more: (version: string) => object) => ({
    releases: [
      release('1.0', addDays(today(), -90), more('1.0')),
      release('1.1', addDays(today(), -30), more('1.1')),
      release('1.2', addDays(today(), -2), more('1.2')),
    ],
  });
  const names = ['linux-amd64', 'linux-arm64'];
  const listFiles = (version: string) =>
    Object.fromEntries(names.map((name) => [name, fileDigest(version, name)]));
  const digestFrom = Object.fromEntries(names.map((name) => [name, `${name}$`]));
  const ofTool = { datasource: 'github-releases', packageName: 'a/tool', digestOf: digestFrom };
  const ofImage = { datasource: 'docker', packageName: 'a/image', registryUrl: 'https://ghcr.io' };

  let site: ServedSite;
  let blocks: Map<string, string>;
  beforeAll(async () => {
    const components = {
      agent: listed((version) => ({ digest: sha256(version) })),
      image: { ...listed(() => ({})), definition: { sources: [ofImage] } },
      tool: {
        ...listed((version) => ({ files: listFiles(version), hasAllFiles: true })),
        definition: { sources: [ofTool] },
      },
    };
    site = await serveSite(components, today(), { hosting: 'pages' });
    blocks = new Map(listBlocks(site, 'use.html').map(({ name, text }) => [name, text]));
  });
  const read = (name: string) => JSON.parse(blocks.get(name)!) as object;

  test.each([
    'Next to each version',
    'With its checksum, in this order',
    'With the checksum of each platform',
  ])('show a code block that Renovate can update, under the heading: %s', async (name) => {
    const Dockerfile = blocks.get(name)!;
    const older = ['', ...names.map((file) => ` ${file}`)]
      .reduce((text, of) => text.replaceAll(digestOf(`1.2${of}`), digestOf(`1.0${of}`)), Dockerfile)
      .replaceAll('1.2', '1.0');
    const run = await runRenovate(
      { 'renovate.json': read('Once per repository'), Dockerfile: older },
      site.origin,
    );

    expect(await writeUpdates({ Dockerfile: older }, run.branches.flat())).toEqual({
      Dockerfile,
    });
    expect(run.problems).toEqual([]);
  });

  /** Returns Renovate's proposals for two versions: a version below a comment, and the tag of an image whose registry gives no dates. */
  async function propose(config: object, server?: object): Promise<string[]> {
    const pin = blocks.get('Next to each version')!.replace('1.2', '1.0');
    const files = { 'renovate.json': config, Dockerfile: `FROM ghcr.io/a/image:1.0\n${pin}` };
    const { lookups } = await runRenovate(files, site.origin, server);
    return lookups.map(({ name, proposed }) => `${name} ${proposed.join()}`);
  }

  test('show Renovate rules that turn off the waiting time for packages of the index', async () => {
    const waiting = { ...read('Once per repository'), minimumReleaseAge: '10 days' };

    expect(await propose(waiting)).toContain('agent 1.1');
    expect(await propose({ ...waiting, ...read('Packages of this index do not wait') })).toContain(
      'agent 1.2',
    );
  });

  test('show a Renovate configuration that supplies missing release dates of images', async () => {
    const config = read('Release dates for images whose registry gives none');

    expect(await propose(config)).toContain('ghcr.io/a/image 1.1');
  });

  test('show a Renovate server configuration that covers every repository', async () => {
    const server = read('Every repository of a Renovate server');

    expect(await propose({}, server)).toContain('agent 1.2');
    expect(await propose({})).not.toContain('agent 1.2');
  });

  test('show exactly seven code blocks for Renovate', () => {
    const { files } = site;
    const section = files.get('use.html')!.split('id="lists"')[0]!;

    expect(section.match(/class="code-block"/g)).toHaveLength(7);
  });
});
