import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkout, fixtureDay as day, fixtureIndex } from '../harness/checkout.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { summarise, type ComponentSummary } from '../../src/decide/component.ts';
import type { SiteContext } from '../../src/site/render/site-context.ts';
import { places } from '../../src/site/render/places.ts';
import { snippetsOf } from '../harness/snippets.ts';
import { siteSnippets, type Snippet } from '../../src/site/render/snippets.ts';
import { readSiteConfig } from '../../src/io/files/read.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { readTheme } from '../../src/site/theme.ts';
import { runRenovate, validateConfigs, type Run } from './client.ts';
import { expectedProposals, looseVersioning, type Versioning } from './pins.ts';
import { changelogLinks, fileAfter } from './pull-request.ts';
import { buildAndServe, type ServedSite } from './site.ts';

let served: ServedSite;
let site: SiteContext;
let components: ComponentSummary[];
/** Those with a version to use: the pages of others have nothing to copy. */
let usable: ComponentSummary[];
let loose: Versioning;

beforeAll(async () => {
  loose = await looseVersioning();
  served = await buildAndServe();
  const root = openRoot(fixtureIndex, checkout);
  site = { config: readSiteConfig(root).value!, baseUrl: served.origin, day, theme: readTheme(root) };
  components = Array.from(served.components.keys(), (name) =>
    summarise(loadComponent(root, name, day).component!),
  );
  usable = components.filter(({ latest }) => latest !== undefined);
});

afterAll(() => served?.close());

describe('a repository that copied its configuration from the pages', () => {
  let byPreset: Run;

  beforeAll(async () => {
    byPreset = await look({ 'renovate.json': siteSnippet('renovate-preset') }, usable);
  });

  test('is proposed the newest supported versions in every kind of file, by preset', () => {
    expect(proposals(byPreset)).toEqual(expectedFor(usable));
    expect(byPreset.problems).toEqual([]);
    expect(byPreset.attempts).toEqual([]);
  });

  test('has the new version in the place of the old one, and all else as it was', async () => {
    const component = components.find(({ name }) => name === 'svc')!;
    for (const { id } of places) {
      const { file, text } = findSnippet(snippetsOf(site, component), id);
      const path = pathOf(component, file!);
      const upgrades = byPreset.branches
        .flat()
        .filter(({ packageFile, newVersion }) => packageFile === path && newVersion === latestOf('svc'));

      expect(upgrades).toHaveLength(1);
      expect(await fileAfter(upgrades, text.replaceAll(latestOf('svc')!, oldest('svc')!))).toBe(text);
    }
  });

  test('is proposed the same by the inline configuration of one component', async () => {
    const component = components.find(({ name }) => name === 'svc')!;
    const run = await look({ 'renovate.json': snippet(component, 'renovate-inline') }, [component]);

    expect(proposals(run)).toEqual(expectedFor([component]));
    expect(run.problems).toEqual([]);
  });

  test('finds the changelog of the proposed version in the pull request', async () => {
    const links = await changelogLinks(byPreset.branches);

    expect(Object.fromEntries(links)).toEqual(
      Object.fromEntries(
        components.flatMap(({ name, definition }) =>
          proposedTo(name).map((version) => [
            `${name} ${version}`,
            [releaseOf(name, version).changelogUrl ?? definition.changelogUrl],
          ]),
        ),
      ),
    );
  });

  test('finds it through a template, so that the link is right for a version of tomorrow', async () => {
    const upgrades = byPreset.branches.flat().map((upgrade) => ({ ...upgrade, newVersion: '2099.10.1' }));
    const links = await changelogLinks([upgrades]);

    const dashed = components.find(({ name }) => name === 'svcctl')!.definition.releaseChangelogUrl!.template;
    expect(dashed).toContain('{versionDashed}');
    expect(links.get('svcctl 2099.10.1')).toEqual([dashed.replace('{versionDashed}', '2099-10-1')]);
    const dotted = components.find(({ name }) => name === 'svc')!.definition.releaseChangelogUrl!.template;
    expect(dotted).toContain('{version}');
    expect(links.get('svc 2099.10.1')).toEqual([dotted.replace('{version}', '2099.10.1')]);
  });

  test('finds the version that is meant in lines of many forms', async () => {
    const comment = `renovate: datasource=custom.${site.config.datasource} depName=svc`;
    const files: Record<string, string> = {
      'azure-pipelines.yml': `variables:\n  # ${comment}\n  SVC_VERSION: "2025.1"\n`,
      'bitbucket-pipelines.yml': `script:\n  # ${comment}\n  - export SVC_VERSION=2025.1\n`,
      'main.tfvars': `# ${comment}\nsvc_version = "2025.1"\n`,
      'locals.tf': `locals {\n  // ${comment}\n  svc2 = "v2025.1" # since 2024\n}\n`,
      '.env': `# ${comment}\nSVC_VERSION=2025.1\n`,
      'a.sh': `# ${comment} versioning=loose\nexport SVC_1_VERSION='2025.1'; echo 1.0`,
      'b.sh': `# ${comment}\r\ncurl "https://example.com:5000/\${SVC_VERSION:-2025.1}/7.0"\r\n`,
      'build.gradle.kts': `// ${comment}\nval svcVersion = "2025.1"\n`,
      Jenkinsfile: `// ${comment}\ndef svcVersion = '2025.1'\n`,
      'kustomization.yaml': `configMapGenerator:\n  - literals:\n      # ${comment}\n      - SVC_VERSION=2025.1\n`,
      'k8s/svc.yaml': `containers:\n  # ${comment}\n  - image: example/svc:2025.1\n`,
      'mise.toml': `[tools]\n# ${comment}\n"http:svc" = { version = "2025.1" }\n`,
      // Of a digest it knows nothing, and a comment is about the next line alone.
      'compose.yaml': `x-image:\n  # ${comment}\n  svc: "example/svc:2025.1@sha256:9f86d08"\n  port: "2025.1"\n`,
    };

    const run = await runRenovate(
      { 'renovate.json': siteSnippet('renovate-preset'), ...files },
      { origin: served.origin, datasource: site.config.datasource },
    );

    const { 'compose.yaml': _none, ...found } = files;
    const latest = latestOf('svc')!;
    expect(
      Object.fromEntries(run.lookups.map(({ file, pin, proposed }) => [file, [pin, ...proposed]])),
    ).toEqual(
      Object.fromEntries(
        Object.keys(found).map((file) => [
          file,
          [file === 'locals.tf' ? 'v2025.1' : '2025.1', '2025.4', latest],
        ]),
      ),
    );
    expect(run.problems).toEqual([]);
  });
});

test("Renovate's own validator accepts the preset and every configuration to copy", async () => {
  const configs = {
    'preset.json': readFileSync(join(served.dir, 'renovate.json'), 'utf8'),
    'by-preset.json': siteSnippet('renovate-preset'),
    'own.json': siteSnippet('renovate-own'),
    ...Object.fromEntries(
      components.flatMap((component) =>
        snippetsOf(site, component)
          .filter(({ file }) => file === 'renovate.json')
          .map(({ id, text }) => [`${component.name}-${id}.json`, text] as const),
      ),
    ),
  };

  const { code, output } = await validateConfigs(configs);

  expect(output).toContain(`Config validated successfully against ${Object.keys(configs).length} file(s)`);
  expect(code).toBe(0);
});

test("Renovate's own validator would notice a wrong option", async () => {
  const { code, output } = await validateConfigs({
    'wrong.json': '{ "packageRules": [{ "followTags": "latest" }] }',
  });

  expect(output).toContain('followTags');
  expect(code).toBe(1);
});

/** Every kind of file as copied, with the version of another day: the oldest there is. */
function look(config: Readonly<Record<string, string>>, pinned: readonly ComponentSummary[]): Promise<Run> {
  const files = pinned.flatMap((component) =>
    places.map(({ id }) => {
      const { file, text } = findSnippet(snippetsOf(site, component), id);
      const { version } = component.latest!;
      return [pathOf(component, file!), text.replaceAll(version, oldest(component.name) ?? version)] as const;
    }),
  );
  return runRenovate(
    { ...config, ...Object.fromEntries(files) },
    { origin: served.origin, datasource: site.config.datasource },
  );
}

/** A file of its own for each component. */
function pathOf({ name }: { name: string }, file: string): string {
  return file.startsWith('.github/') ? file.replace('build.yml', `${name}.yml`) : `${name}/${file}`;
}

function proposals({ lookups }: Run): string[] {
  return lookups
    .map(({ file, component, proposed }) => `${file}: ${component} ${proposed.toSorted().join(', ')}`)
    .sort();
}

function expectedFor(pinned: readonly ComponentSummary[]): string[] {
  return pinned
    .flatMap(({ name }) =>
      places.map(({ id }) => {
        const { file } = findSnippet(snippetsOf(site, usable[0]!), id);
        return `${pathOf({ name }, file!)}: ${name} ${proposedTo(name).join(', ')}`;
      }),
    )
    .sort();
}

function proposedTo(component: string): string[] {
  const pin = oldest(component);
  if (pin === undefined) return [];
  return expectedProposals(pin, served.components.get(component)!, loose).toSorted();
}

function releaseOf(component: string, version: string): { changelogUrl?: string } {
  return served.components.get(component)!.releases.find((release) => release.version === version)!;
}

function latestOf(component: string): string | undefined {
  return served.components.get(component)!.tags?.latest;
}

function oldest(component: string): string | undefined {
  return served.components.get(component)!.releases[0]?.version;
}

function siteSnippet(id: string): string {
  return findSnippet(siteSnippets(site, components, components[0]!), id).text;
}

function snippet(component: ComponentSummary, id: string): string {
  return findSnippet(snippetsOf(site, component), id).text;
}

function findSnippet(snippets: readonly Snippet[], id: string): Snippet {
  const found = snippets.find((snippet) => snippet.id === id);
  if (!found) throw new Error(`the pages no longer have a snippet "${id}"`);
  return found;
}
