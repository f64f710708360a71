import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkout, fixtureDay as day, fixtureIndex } from '../harness/checkout.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { summarise, type ComponentSummary } from '../../src/policy/component.ts';
import type { SiteContext } from '../../src/render/site-context.ts';
import { componentSnippets, siteSnippets, type Snippet } from '../../src/render/snippets.ts';
import { readSiteConfig } from '../../src/store/read.ts';
import { openRoot } from '../../src/store/root.ts';
import { readTheme } from '../../src/site/theme.ts';
import { runRenovate, validateConfigs, type Run } from './client.ts';
import { expectedProposals, looseVersioning, type Versioning } from './pins.ts';
import { changelogLinks } from './pull-request.ts';
import { buildAndServe, type ServedSite } from './site.ts';

let served: ServedSite;
let site: SiteContext;
let components: ComponentSummary[];
let loose: Versioning;

beforeAll(async () => {
  loose = await looseVersioning();
  served = await buildAndServe();
  const root = openRoot(fixtureIndex, checkout);
  site = { config: readSiteConfig(root).value!, baseUrl: served.origin, day, theme: readTheme(root) };
  components = Array.from(served.components.keys(), (name) =>
    summarise(loadComponent(root, name, day).component!),
  );
});

afterAll(() => served?.close());

describe('a repository that copied its configuration from the pages', () => {
  let byPreset: Run;

  beforeAll(async () => {
    byPreset = await look({ 'renovate.json': siteSnippet('renovate-preset') }, components, { trace: true });
  });

  test('is proposed the newest supported versions in a Dockerfile, a workflow and a Makefile, by preset', () => {
    expect(proposals(byPreset)).toEqual(expectedFor(components));
    expect(byPreset.problems).toEqual([]);
    expect(byPreset.attempts).toEqual([]);
  });

  test('is proposed the same by the inline configuration of all components', async () => {
    const run = await look({ 'renovate.json': siteSnippet('renovate-inline') }, components);

    expect(proposals(run)).toEqual(expectedFor(components));
    expect(run.problems).toEqual([]);
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

  test('may comment on versions in every file for which the preset extends a manager of Renovate', async () => {
    const comment = `renovate: datasource=custom.${site.config.datasource} depName=svc`;
    const yaml = `variables:\n  # ${comment}\n  SVC_VERSION: "2025.1"\n`;
    const files: Record<string, string> = {
      '.gitlab-ci.yml': yaml,
      'azure-pipelines.yml': yaml,
      'bitbucket-pipelines.yml': `script:\n  # ${comment}\n  - export SVC_VERSION=2025.1\n`,
      'main.tfvars': `# ${comment}\nsvc_version = "2025.1"\n`,
      'pom.xml': `<project><properties>\n<!-- ${comment} -->\n<svc.version>2025.1</svc.version>\n</properties></project>\n`,
    };

    const run = await runRenovate(
      { 'renovate.json': siteSnippet('renovate-preset'), ...files },
      { origin: served.origin, datasource: site.config.datasource },
    );

    const latest = latestOf('svc')!;
    expect(Object.fromEntries(run.lookups.map(({ file, proposed }) => [file, proposed]))).toEqual(
      Object.fromEntries(Object.keys(files).map((file) => [file, ['2025.4', latest]])),
    );
  });
});

test("Renovate's own validator accepts the preset and every configuration to copy", async () => {
  const configs = {
    'preset.json': readFileSync(join(served.dir, 'renovate.json'), 'utf8'),
    'by-preset.json': siteSnippet('renovate-preset'),
    'inline-all.json': siteSnippet('renovate-inline'),
    ...Object.fromEntries(
      components.map((component) => [`inline-${component.name}.json`, snippet(component, 'renovate-inline')]),
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

/** The comments as copied, with the version of another day: the oldest there is. */
function look(
  config: Readonly<Record<string, string>>,
  pinned: readonly ComponentSummary[],
  options: { trace?: boolean } = {},
): Promise<Run> {
  const files = pinned.flatMap((component) =>
    ['dockerfile', 'workflow', 'makefile'].map((id) => {
      const { file, text } = findSnippet(componentSnippets(site, component), id);
      const path = file!.replace('build.yml', `${component.name}.yml`);
      const { version } = component.latest ?? { version: '1.0.0' };
      return [
        path.startsWith('.github/') ? path : `${component.name}/${path}`,
        text.replace(version, oldest(component.name) ?? version),
      ] as const;
    }),
  );
  return runRenovate(
    { ...config, ...Object.fromEntries(files) },
    { origin: served.origin, datasource: site.config.datasource, ...options },
  );
}

function proposals({ lookups }: Run): string[] {
  return lookups
    .map(({ file, component, proposed }) => `${file}: ${component} ${proposed.toSorted().join(', ')}`)
    .sort();
}

function expectedFor(pinned: readonly ComponentSummary[]): string[] {
  return pinned
    .flatMap(({ name }) =>
      [`${name}/Dockerfile`, `${name}/Makefile`, `.github/workflows/${name}.yml`].map(
        (file) => `${file}: ${name} ${proposedTo(name).join(', ')}`,
      ),
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
  return findSnippet(componentSnippets(site, component), id).text;
}

function findSnippet(snippets: readonly Snippet[], id: string): Snippet {
  const found = snippets.find((snippet) => snippet.id === id);
  if (!found) throw new Error(`the pages no longer have a snippet "${id}"`);
  return found;
}
