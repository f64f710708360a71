import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { makeFolder } from '../../src/io/files/file-system.ts';
import { openInternet } from '../harness/company-network.ts';
import { json, type Listed } from '../harness/imitated-upstream.ts';
import { blocks, freshClone, installingFrom, newcomerEnv, readme } from '../harness/newcomer.ts';
import { startNginx } from '../harness/nginx.ts';
import { packageRegistry } from '../harness/package-registry.ts';
import { readJsonIn, writeIn } from '../harness/root.ts';
import { runProgram, type Run } from '../harness/run.ts';
import { commandsFolder } from '../harness/sharing-npm.ts';
import { serve, type Document, type Handler } from '../harness/upstream.ts';
import { ociRegistry } from '../harness/upstreams/docker.ts';
import { githubTags } from '../harness/upstreams/github.ts';
import {
  findBrowser,
  isBrowserRequired,
  launchBrowser,
  missingBrowser,
} from '../site/pages/browser.ts';
import { runRenovate } from './client.ts';
import { repositoryOf } from './pins.ts';
import { daysAgo } from './site.ts';

const settings = () => readFileSync('site/servers/nginx.conf', 'utf8');

/** A shell of somebody new: each line ends with success unless `status` says otherwise. */
function openShell(env: Readonly<Record<string, string>>) {
  return async (cwd: string, line: string, status = 0): Promise<Run> => {
    const run = await runProgram('bash', ['-c', `set -o pipefail; ${line}`], { cwd, env });
    expect(run.status, `${line}\n${run.stdout}${run.stderr}`).toBe(status);
    return run;
  };
}

/** The command of the README that begins so, as it is printed there. */
function commandOfReadme(start: string): string {
  const texts = blocks.map(({ text }) => text.replaceAll('\\\n', '')).join('');
  const lines = [
    ...texts.split('\n'),
    ...Array.from(
      readme.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`]+)`/g),
      ([, code]) => code!,
    ),
  ];
  const line = lines.find((each) => each.startsWith(start));
  expect(line, start).toBeDefined();
  return line!;
}

/** The command that a message prints after this text. */
function printedAfter(text: string, run: Run): string {
  const printed = (run.stdout + run.stderr).split(text)[1];
  expect(printed, text).toBeDefined();
  return printed!.split('\n')[0]!.trim();
}

/** An index as the README begins one, and the address of the nginx that its files go to. */
async function beginIndex(more: Readonly<Record<string, string>> = {}) {
  const registry = await packageRegistry();
  onTestFinished(() => registry.close());
  const clone = freshClone();
  const [index, served] = [join(dirname(clone), 'my-index'), join(dirname(clone), 'served')];
  makeFolder(served);
  const origin = await startNginx(served, settings());
  const shell = openShell({ ...newcomerEnv, ...more });

  await shell(clone, 'npm ci');
  await shell(clone, commandOfReadme('npm run init'));
  const installed = await openShell(installingFrom(registry.url))(index, 'npm install');
  expect(installed.stderr).toBe('');

  /** The preset names the address of this server. */
  const publish = () =>
    shell(index, `${commandOfReadme('npx release-index daily')} --base-url ${origin}`);

  return { index, served, origin, shell, publish, registry };
}

/** What the preset of a site proposes for these versions of components. */
async function proposalsAt(origin: string, pins: readonly (readonly [string, string])[]) {
  const site = { origin, datasource: siteConfig.datasource };
  const run = await runRenovate(repositoryOf(pins, site), site);
  expect([run.problems, run.attempts]).toEqual([[], []]);
  return Object.fromEntries(run.lookups.map(({ component, proposed }) => [component, proposed]));
}

test('a maintainer sees the example and asks, and a reader finds on a phone what has ended', async () => {
  const clone = freshClone();
  const shell = openShell(newcomerEnv);

  const started = await shell(clone, commandOfReadme('npm ci && npm start'));
  const explained = await shell(clone, commandOfReadme('npm run explain'));
  const found = await shell(clone, commandOfReadme('npm run search'));
  const origin = await startNginx(join(clone, 'dist'), settings());
  const asked = await shell(
    clone,
    `curl -sf ${origin}/supported/svc.json | jq -r '.[]' && curl -sf ${origin}/latest/svc.txt`,
  );

  expect(printedAfter('Now: ', started)).toBe('npx release-index preview');
  expect(explained.stdout).toMatch(/^svc 2025\.1 on \S+: ended$/m);
  expect(explained.stdout).toMatch(/ was supported until 2026-10-08\. Move to \S+\.$/m);
  expect(found.stdout).toMatch(/^\d+ releases? of |^No release matches/m);
  const latest = readJsonIn<{ tags: { latest: string } }>(join(clone, 'dist'), 'svc.json').tags
    .latest;
  expect(asked.stdout.split('\n')).toEqual(expect.arrayContaining([latest]));

  const executable = findBrowser();
  if (executable === undefined && !isBrowserRequired()) {
    console.log(missingBrowser);
    return;
  }
  const browser = await launchBrowser(executable!);
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
  await page.goto(origin);
  await page.getByRole('combobox').fill('svc 2025.1');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('8 Oct 2026').first().waitFor();
  await page.goto(`${origin}/svc.html?q=2025.1`);
  await page.getByText(`Move to ${latest}`).first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
});

test('a list that nginx serves is replaced without a change for Renovate, and can be served on', async () => {
  const { index, served, origin, shell, publish } = await beginIndex();
  const kept = {
    homepage: 'https://example.com/platform',
    changelogUrl: 'https://example.com/platform/changes',
    releases: Array.from({ length: 40 }, (_, place) => ({
      version: `1.${place}.0`,
      releaseTimestamp: `${daysAgo(400 - place * 7)}T08:00:00Z`,
      changelogUrl: `https://example.com/platform/changes#1.${place}.0`,
      isDeprecated: place === 3,
    })),
  };
  writeIn(served, 'platform.json', kept);
  writeIn(index, 'platform.json', kept);
  const askRenovate = async () => {
    const url = `${origin}/platform.json`;
    const pattern =
      '# renovate: datasource=(?<datasource>\\S+) depName=(?<depName>\\S+)\\sARG \\w+="(?<currentValue>[^"]+)"';
    const manager = {
      customType: 'regex',
      managerFilePatterns: ['Dockerfile'],
      matchStrings: [pattern],
    };
    const configuration = {
      extends: [],
      customDatasources: { 'release-index': { defaultRegistryUrlTemplate: url } },
      customManagers: [manager],
    };
    const site = { origin, datasource: siteConfig.datasource };
    const run = await runRenovate(repositoryOf([['platform', '1.3.0']], site, configuration), site);
    expect(run.problems).toEqual([]);
    return run.packageFiles;
  };

  const before = await askRenovate();
  rmSync(join(served, 'platform.json'));
  await shell(
    index,
    `npx release-index ${commandOfReadme('add static').replace('releases.json', 'platform.json')}`,
  );
  await shell(index, commandOfReadme('npx release-index start'));
  const missing = await shell(index, 'npx release-index doctor', 1);
  await shell(index, printedAfter('there is none\n', missing));
  await publish();
  const after = await askRenovate();
  const left = readJsonIn(served, 'platform.json');
  rmSync(index, { recursive: true });

  expect(before[0]!.deps[0]!.updates).toMatchObject([{ newVersion: '1.39.0' }]);
  expect(after).toEqual(before);
  expect(left).toEqual({ ...kept, tags: { latest: '1.39.0' } });
  expect(await proposalsAt(origin, [['platform', '1.3.0']])).toEqual({ platform: ['1.39.0'] });
  expect(await askRenovate()).toEqual(before);
});

test('a company adds what its cluster runs and what it knows by name, and Renovate proposes the right versions', async () => {
  const images = 'ghcr.io/acme/api:1.1.0 ghcr.io/acme/agent:1.1.0 ghcr.io/acme/agent:1.1.0';
  const kubectl = commandsFolder({ kubectl: `[ "$1 $2" = "get pods" ] && printf %s '${images}'` });
  const internet = await openInternet({
    'ghcr.io': either(image('acme/api'), image('acme/agent')),
    'raw.githubusercontent.com': serve(productFiles),
    'api.github.com': either(
      repository('nodejs/node', 'v24'),
      repository('grafana/grafana', 'v12'),
    ),
    'endoflife.date': serve(productAnswers),
  });
  const PATH = `${kubectl}:${newcomerEnv.PATH}`;
  const { index, origin, shell, publish, registry } = await beginIndex({ ...internet, PATH });

  const list = commandOfReadme('kubectl get pods');
  const cluster = await shell(index, list, 1);
  await shell(index, printedAfter('rename the component: ', cluster));
  const again = await shell(index, list, 0);
  const products = await shell(index, `npx release-index ${commandOfReadme('add nodejs')}`);
  await shell(index, printedAfter('then: ', products));
  const missing = await shell(index, 'npx release-index doctor', 1);
  await shell(index, printedAfter('there is none\n', missing));
  await publish();
  const nodejs = readJsonIn<object>(index, 'components/nodejs.json');

  expect(cluster.stdout).toContain('add: added 1 of 2 packages');
  expect(again.stdout).toContain('in the index already: acme-api, agent');
  expect(products.stdout).toContain('add: added 3 of 3 packages; 0 in the index before, 0 failed.');
  expect(products.stdout.split('\n').length).toBeLessThan(15);
  expect(nodejs).toMatchObject({
    title: 'Node.js',
    aliases: ['pkg:docker/library/node'],
    sources: [{ datasource: 'github-tags', packageName: 'nodejs/node' }],
    support: { policy: 'stated', source: { datasource: 'endoflife-date', product: 'nodejs' } },
  });
  expect(readJsonIn(index, 'components/grafana.json')).toMatchObject({
    support: { policy: 'latest-lines', count: 2 },
  });
  expect(
    await proposalsAt(origin, [
      ['acme-api', '1.1.0'],
      ['agent', '1.1.0'],
      ['nodejs', '24.1.0'],
      ['grafana', '12.1.0'],
      ['postgresql', '17.1'],
    ]),
  ).toEqual({
    'acme-api': ['1.2.0'],
    agent: ['1.2.0'],
    nodejs: ['24.2.0'],
    grafana: ['12.2.0'],
    postgresql: ['17.7'],
  });

  const app = join(dirname(index), 'app');
  const manifest = { name: 'app', version: '1.0.0', dependencies: { 'p-limit': '*', zod: '*' } };
  writeIn(app, 'package.json', manifest);
  const npm = openShell({ ...installingFrom(registry.url), ...internet });
  await npm(app, `npm install && ${commandOfReadme('npm sbom')}`);
  const add = commandOfReadme('add --from bom').replace('bom.json', '../app/bom.json');
  const bill = await npm(index, `npx release-index ${add}`);

  expect(bill.stdout).toContain('add: added 3 of 3 packages; 0 in the index before, 0 failed.');
  expect(bill.stderr.split('\n').filter((line) => line.startsWith('notice: '))).toEqual([
    expect.stringContaining(
      ' may be older, so a policy that counts months cannot tell when support ends',
    ),
  ]);
});

/** The first handler that has the path of a request. */
function either(first: Map<string, Document>, second: Map<string, Document>): Handler {
  return serve(new Map([...first, ...second]));
}

function releasesOf(prefix: string): Listed[] {
  return [1, 2].map((place) => ({
    version: `${prefix}.${place}.0`,
    at: `${daysAgo(200 - place * 50)}T08:00:00Z`,
  }));
}

function renamed(
  documents: Map<string, Document>,
  from: string,
  to: string,
): Map<string, Document> {
  return new Map(Array.from(documents, ([path, document]) => [path.replace(from, to), document]));
}

function image(name: string): Map<string, Document> {
  const at = { url: '', pageSize: 100, packageName: name };
  return renamed(ociRegistry.documents!(releasesOf('1'), at), 'example/agent', name);
}

function repository(name: string, prefix: string): Map<string, Document> {
  const documents = githubTags.documents!(releasesOf(prefix), { url: '', pageSize: 100 });
  const home = `/repos/${name}`;
  const page = { name, html_url: `https://github.com/${name}` };
  return renamed(documents, '/api/repos/example/agent', home).set(home, json(page));
}

function product(title: string, lines: string): Document {
  return { type: 'text/plain', body: `---\ntitle: ${title}\n${lines}\n---\n` };
}

const cycle = (name: string, days: number, eol: string) =>
  `  - {releaseCycle: "${name}", releaseDate: ${daysAgo(days)}, eol: ${eol}}`;
const files = '/endoflife-date/endoflife.date/master/products';

const productFiles = new Map([
  [
    `${files}/nodejs.md`,
    product(
      'Node.js',
      `identifiers:\n  - purl: pkg:docker/library/node\nauto:\n  methods:\n    - git: https://github.com/nodejs/node.git\nreleases:\n${cycle('24', 150, daysAgo(-300))}`,
    ),
  ],
  [
    `${files}/postgresql.md`,
    product(
      'PostgreSQL',
      `auto:\n  methods:\n    - git: https://github.com/postgres/postgres.git\n      regex: '^REL_(?P<major>\\d+)_(?P<minor>\\d+)$'\nreleases:\n${cycle('17', 400, daysAgo(-900))}`,
    ),
  ],
  [
    `${files}/grafana.md`,
    product(
      'Grafana',
      `auto:\n  methods:\n    - git: https://github.com/grafana/grafana.git\n# eol(x) = releaseDate(x+2)\nreleases:\n${cycle('12.2', 100, 'false')}\n${cycle('12.1', 150, 'false')}`,
    ),
  ],
]);

const stated = (name: string, line: string, latest: string) =>
  [
    `/api/v1/products/${name}`,
    json({
      result: {
        name,
        label: name,
        links: { html: `https://endoflife.date/${name}`, releasePolicy: null },
        releases: [
          {
            name: line,
            releaseDate: daysAgo(400),
            isEol: false,
            eolFrom: daysAgo(-300),
            latest: { name: latest, date: daysAgo(20), link: null },
          },
        ],
      },
    }),
  ] as const;

const productAnswers = new Map([
  stated('nodejs', '24', '24.2.0'),
  stated('postgresql', '17', '17.7'),
  ['/api/v1/identifiers/purl', json({ result: [] })],
]);
