import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkout, fixtureDay as day, fixtureIndex } from '../harness/checkout.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { summarise, type ComponentSummary } from '../../src/decide/component-summary.ts';
import type { SiteContext } from '../../src/site/render/site-context.ts';
import { snippetsOf } from '../harness/snippets.ts';
import {
  fileSnippetNames,
  renderSiteSnippets,
  type Snippet,
} from '../../src/site/render/renovate/snippets.ts';
import { readSiteConfig } from '../../src/io/files/settings-files.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { readTheme } from '../../src/site/theme.ts';
import { runRenovate, validateConfigs, type Run } from './client.ts';
import { inOrder } from './pins.ts';
import { fileAfter, pullRequestBodies } from './pull-request.ts';
import { buildAndServe, type ServedSite } from './site.ts';

let served: ServedSite;
let site: SiteContext;
let components: ComponentSummary[];
/** The components with a version to use: the pages of others have nothing to copy. */
let usable: ComponentSummary[];

beforeAll(async () => {
  served = await buildAndServe();
  const root = openRoot(fixtureIndex, checkout);
  site = {
    config: readSiteConfig(root).value!,
    baseUrl: served.origin,
    day,
    theme: readTheme(root),
  };
  components = Array.from(served.components.keys(), (name) =>
    summarise(loadComponent(root, name, day).component!),
  );
  usable = components.filter(({ latest }) => latest !== undefined);
});

afterAll(() => served?.close());

describe('a repository with the configuration from the pages', () => {
  let byPreset: Run;

  beforeAll(async () => {
    byPreset = await look({ 'renovate.json': siteSnippet('renovate-preset') }, usable);
  });

  test('a repository that uses the preset is proposed the newest supported version in every kind of file', () => {
    const files = ['renovate', ...served.components.keys()].map((name) => `/${name}.json`);

    expect(proposals(byPreset)).toEqual(expectedFor(usable));
    expect(byPreset.problems).toEqual([]);
    expect(byPreset.attempts).toEqual([]);
    expect(served.requests.filter(({ path }) => !files.includes(path))).toEqual([]);
  });

  test('Renovate changes only the version of a snippet from the pages', async () => {
    const component = components.find(({ name }) => name === 'svc')!;
    for (const id of fileSnippetNames) {
      const { file, text } = findSnippet(snippetsOf(site, component), id);
      const path = pathOf(component, file!);
      const upgrades = byPreset.branches
        .flat()
        .filter(
          ({ packageFile, newVersion }) => packageFile === path && newVersion === latestOf('svc'),
        );

      expect(upgrades).toHaveLength(1);
      expect(await fileAfter(upgrades, text.replaceAll(latestOf('svc')!, oldest('svc')!))).toBe(
        text,
      );
    }
  });

  test('a repository that copies the preset is proposed the same', async () => {
    const copy = readFileSync(join(served.dir, 'renovate.json'), 'utf8');
    const run = await look({ 'renovate.json': copy }, usable);

    expect(proposals(run)).toEqual(expectedFor(usable));
    expect(run.problems).toEqual([]);

    const bodies = await pullRequestBodies(run.branches);
    expect(bodies.join('\n')).toContain(`**[svc ${oldest('svc')}](${served.origin}/svc.html#v`);
  });
});

test("Renovate's own validator accepts the preset and every configuration to copy", async () => {
  const configs = {
    'preset.json': readFileSync(join(served.dir, 'renovate.json'), 'utf8'),
    'days.json': readFileSync(join(served.dir, 'renovate/days.json'), 'utf8'),
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

  for (const name of Object.keys(configs)) {
    expect(output).toContain(`Validating ${name} `);
  }
  expect(output).toContain('Config validated successfully');
  expect(code).toBe(0);
});

/** Every kind of file as copied, with the oldest version in place of the latest. */
function look(
  config: Readonly<Record<string, string>>,
  pinned: readonly ComponentSummary[],
): Promise<Run> {
  const files = pinned.flatMap((component) =>
    fileSnippetNames.map((id) => {
      const { file, text } = findSnippet(snippetsOf(site, component), id);
      const { version } = component.latest!;
      return [
        pathOf(component, file!),
        text.replaceAll(version, oldest(component.name) ?? version),
      ] as const;
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
    .map(({ file, component, proposed }) => `${file}: ${component} ${inOrder(proposed).at(-1)}`)
    .sort();
}

function expectedFor(pinned: readonly ComponentSummary[]): string[] {
  return pinned
    .flatMap(({ name }) =>
      fileSnippetNames.map((id) => {
        const { file } = findSnippet(snippetsOf(site, usable[0]!), id);
        const latest = latestOf(name);
        return `${pathOf({ name }, file!)}: ${name} ${latest === oldest(name) ? undefined : latest}`;
      }),
    )
    .sort();
}

function latestOf(component: string): string | undefined {
  return served.components.get(component)!.tags?.latest;
}

function oldest(component: string): string | undefined {
  return served.components.get(component)!.releases[0]?.version;
}

function siteSnippet(id: string): string {
  return findSnippet(renderSiteSnippets(site, components), id).text;
}

function findSnippet(snippets: readonly Snippet[], id: string): Snippet {
  const found = snippets.find((snippet) => snippet.id === id);
  if (!found) {
    throw new Error(`the pages no longer have a snippet "${id}"`);
  }
  return found;
}
