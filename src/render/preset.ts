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
 * docs/usage/config-presets.md). A release's own `changelogUrl` never reaches a pull request, so that the per-version
 * links are package rules with a template.
 */
export function renderPreset(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const datasource = `custom.${site.config.datasource}`;
  const links = summaries.flatMap(({ name, definition }) => {
    const template = definition.releaseChangelogUrl?.template;
    if (template === undefined) return [];
    return [
      { matchDatasources: [datasource], matchPackageNames: [name], changelogUrl: linkTemplate(template) },
    ];
  });
  const preset = {
    $schema: 'https://docs.renovatebot.com/renovate-schema.json',
    description: [`Keeps the components of ${site.config.title} up to date.`],
    extends: commentManagers,
    customDatasources: {
      [site.config.datasource]: {
        defaultRegistryUrlTemplate: `${site.baseUrl}/{{packageName}}.json`,
        format: 'json',
      },
    },
    packageRules: [{ matchDatasources: [datasource], versioning: 'loose' }, ...links],
  };
  return `${JSON.stringify(preset, undefined, 2)}\n`;
}

/** A link template of a definition in Renovate's Handlebars. */
function linkTemplate(template: string): string {
  return template
    .replaceAll('{versionDashed}', "{{{replace '\\.' '-' newVersion}}}")
    .replaceAll('{version}', '{{{newVersion}}}');
}
