import type { ComponentSummary, SiteContext } from '../model/component.ts';

/** Renovate's own managers for a comment above a version: `# renovate: datasource=custom.<name> depName=<component>`. */
const commentManagers = [
  'azurePipelinesVersions',
  'bitbucketPipelinesVersions',
  'dockerfileVersions',
  'githubActionsVersions',
  'gitlabPipelineVersions',
  'makefileVersions',
  'mavenPropertyVersions',
  'tfvarsVersions',
].map((name) => `customManagers:${name}`);

/**
 * `renovate.json`: a preset that needs nothing else in a user's configuration (renovatebot/renovate,
 * docs/usage/config-presets.md).
 */
export function renderPreset(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const description = [`Keeps the components of ${site.config.title} up to date.`];
  return `${JSON.stringify({ $schema: renovateSchema, description, ...renovateConfig(site, summaries) }, undefined, 2)}\n`;
}

export const renovateSchema = 'https://docs.renovatebot.com/renovate-schema.json';

export function datasourceOf(site: SiteContext): string {
  return `custom.${site.config.datasource}`;
}

/**
 * What tells Renovate of the index and of these components. A release's own `changelogUrl` never reaches a pull request,
 * so that the per-version links are package rules with a template.
 */
export function renovateConfig(
  site: SiteContext,
  components: readonly Pick<ComponentSummary, 'name' | 'definition'>[],
): object {
  const datasource = datasourceOf(site);
  const links = components.flatMap(({ name, definition }) => {
    const template = definition.releaseChangelogUrl?.template;
    if (template === undefined) return [];
    return [
      { matchDatasources: [datasource], matchPackageNames: [name], changelogUrl: linkTemplate(template) },
    ];
  });
  return {
    extends: commentManagers,
    customDatasources: {
      [site.config.datasource]: {
        defaultRegistryUrlTemplate: `${site.baseUrl}/{{packageName}}.json`,
        format: 'json',
      },
    },
    packageRules: [{ matchDatasources: [datasource], versioning: 'loose' }, ...links],
  };
}

/** A link template of a definition in Renovate's Handlebars. */
function linkTemplate(template: string): string {
  return template
    .replaceAll('{versionDashed}', "{{{replace '\\.' '-' newVersion}}}")
    .replaceAll('{version}', '{{{newVersion}}}');
}
