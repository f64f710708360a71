import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { json } from '../harness/imitated-upstream.ts';
import { definition, makeRoot, withGit } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { serve, startUpstream, type Document, type Upstream } from '../harness/upstream.ts';
import { runRenovate, type Run } from './client.ts';
import { importRenovate } from './install.ts';
import { buildAndServe, daysAgo, today, type ServedSite } from './site.ts';

const imagesPerRegistry = 50;

/** The tags by the day on which they appear, in days ago. */
const appeared: Readonly<Record<string, number>> = {
  '1.0.0': 400,
  '1.1.0': 200,
  '1.2.0': 20,
  '1.3.0': 3,
};

/** The days of the runs, in days ago. Each new tag appears between two of them. */
const runs = [40, 21, 20, 4, 3];

/** Three registries that state no days, by what their images say of themselves. */
const created: Readonly<Record<string, (version: string) => string | undefined>> = {
  honest: (version) => `${daysAgo(appeared[version]!)}T08:00:00Z`,
  silent: () => undefined,
  'set back': () => `${daysAgo(900)}T08:00:00Z`,
};

const registries: Upstream[] = [];
let served: ServedSite;
let files: Record<string, string>;

beforeAll(async () => {
  let ago = runs[0]!;
  for (const createdOf of Object.values(created)) {
    registries.push(
      await startUpstream(() => (request, response) => {
        const tags = Object.keys(appeared).filter((version) => appeared[version]! >= ago);
        serve(registryOf(request.url!, tags, createdOf))(request, response);
      }),
    );
  }

  const images = registries.flatMap(({ url }, registry) =>
    Array.from({ length: imagesPerRegistry }, (_, index) => ({
      component: `image-${registry}-${index}`,
      packageName: `team/image-${index}`,
      registryUrl: url.slice(0, -1),
    })),
  );
  const root = withGit(
    makeRoot(
      Object.fromEntries(
        images.map(({ component, packageName, registryUrl }) => [
          `components/${component}.json`,
          definition({
            changelogUrl: 'https://example.com/changelog',
            sources: [{ datasource: 'docker', packageName, registryUrl }],
          }),
        ]),
      ) as Record<string, object>,
    ),
  );
  const git = (...words: string[]) => execFileSync('git', ['-C', root, ...words]);
  git('config', 'user.name', 'Jane');
  git('config', 'user.email', 'jane@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Add the images');
  for (ago of runs) {
    const day = ['--root', root, '--as-of', daysAgo(ago)];
    const run = await runHere(['daily', '--skip-publish', ...day]);
    expect(run.status, run.stderr).toBe(0);
  }

  served = await buildAndServe(root, today);
  const lines = images.map(
    ({ packageName, registryUrl }) => `FROM ${new URL(registryUrl).host}/${packageName}:1.0.0\n`,
  );
  files = { Dockerfile: lines.join('') };
});

afterAll(async () => {
  await served?.close();
  await Promise.all(registries.map(({ close }) => close()));
});

/** How many images have each list of proposals, by registry. */
async function look(
  age: string,
  presets: readonly string[],
): Promise<Record<string, Record<string, number>>> {
  const configuration = {
    extends: presets.map((name) => `${served.origin}/${name}`),
    minimumReleaseAge: age,
  };
  const run: Run = await runRenovate(
    { ...files, 'renovate.json': JSON.stringify(configuration) },
    {
      origin: served.origin,
      hostRules: registries.map(({ url }) => ({
        matchHost: url.replace('http:', 'https:'),
        insecureRegistry: true,
      })),
    },
  );
  expect(run.attempts).toEqual([]);

  const kinds = Object.keys(created);
  const counts: Record<string, Record<string, number>> = {};
  for (const { component, proposed } of run.lookups) {
    const place = registries.findIndex(({ url }) => component.startsWith(new URL(url).host));
    if (place !== -1) {
      const ofKind = (counts[kinds[place]!] ??= {});
      const key = proposed.join(' ') || 'nothing';
      ofKind[key] = (ofKind[key] ?? 0) + 1;
    }
  }

  return counts;
}

const all = (proposed: string) =>
  Object.fromEntries(Object.keys(created).map((kind) => [kind, { [proposed]: imagesPerRegistry }]));

test('without the preset for days, an image waits for ever', async () => {
  expect(await look('2 days', ['renovate.json'])).toEqual(all('nothing'));
});

test.each([
  ['10 days', '1.2.0'],
  ['2 days', '1.3.0'],
])(
  'with it, each of 150 images is proposed after its wait of %s and none early, whatever it says of its day',
  async (age, proposed) => {
    const before = registries.map(({ requests }) => requests.length);

    expect(await look(age, ['renovate.json', 'renovate/days.json'])).toEqual(all(proposed));
    expect(registries.map(({ requests }) => requests.length)).toEqual(before);
  },
);

interface Dependency {
  datasource: string;
  packageName: string;
  currentValue: string;
  currentDigest?: string;
  pinDigests?: boolean;
}

test('an image of another form, or with a digest, stays with its registry', async () => {
  const { applyPackageRules } = await importRenovate<{
    applyPackageRules(config: object): Promise<{ datasource: string; packageName: string }>;
  }>('util/package-rules/index.js');
  const { packageRules } = JSON.parse(
    readFileSync(join(served.dir, 'renovate/days.json'), 'utf8'),
  ) as { packageRules: object[] };
  const answeredBy = async (dependency: Dependency) => {
    const applied = await applyPackageRules({ ...dependency, packageRules });
    return `${applied.datasource} ${applied.packageName}`;
  };
  const packageName = `${new URL(registries[1]!.url).host}/team/image-7`;
  const image = { datasource: 'docker', packageName, currentValue: '1.0.0' };

  expect(await answeredBy(image)).toBe(`custom.${siteConfig.datasource} image-1-7`);
  for (const change of [
    { currentValue: '1' },
    { currentValue: '1.0' },
    { currentValue: '1.0.0-alpine' },
    { currentValue: 'latest' },
    { currentDigest: 'sha256:abc' },
    { pinDigests: true },
    { packageName: 'team/image-7' },
    { datasource: 'helm' },
  ]) {
    const dependency = { ...image, ...change };
    expect(await answeredBy(dependency)).toBe(`${dependency.datasource} ${dependency.packageName}`);
  }
});

/** The documents of the distribution specification for the image of a path. */
function registryOf(
  path: string,
  tags: readonly string[],
  createdOf: (version: string) => string | undefined,
): ReadonlyMap<string, Document> {
  const base = /^\/v2\/team\/image-\d+/.exec(path)?.[0] ?? '';
  const list = json({ name: base.slice('/v2/'.length), tags });
  const documents = new Map<string, Document>([
    ['/v2/', json({})],
    [`${base}/tags/list?n=1000`, list],
    [`${base}/tags/list?n=10000`, list],
  ]);
  for (const version of tags) {
    const digest = `sha256:${Buffer.from(version).toString('hex').padEnd(64, '0')}`;
    documents.set(`${base}/manifests/${version}`, {
      ...json({ config: { digest } }, { 'docker-content-digest': digest }),
      type: 'application/vnd.oci.image.manifest.v1+json',
    });
    documents.set(`${base}/blobs/${digest}`, {
      ...json({ created: createdOf(version) }),
      type: 'application/octet-stream',
    });
  }

  return documents;
}
