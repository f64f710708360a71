import { changelogFiller, toRenovateTemplate } from '../model/changelog-template.ts';
import type { ComponentSummary } from '../policy/component.ts';
import type { SiteContext } from './site-context.ts';

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

export const renovateSchema = 'https://docs.renovatebot.com/renovate-schema.json';

/**
 * Renovate takes a leap over 500 majors for a mistake, but a component may go from 4.5 to 2027.1. This stands only in the
 * preset, because versions of Renovate that do not know the option ignore it there and refuse it in a user's own file.
 */
const noLimit = 0;

type PresetSite = Pick<SiteContext, 'config' | 'baseUrl'>;
type PresetComponent = Pick<ComponentSummary, 'name' | 'definition' | 'latest' | 'releases'>;

interface RenovateConfig {
  extends: string[];
  customDatasources: Record<string, { defaultRegistryUrlTemplate: string; format: string }>;
  packageRules: object[];
}

/**
 * `renovate.json`: a preset that needs nothing else in a user's configuration (renovatebot/renovate,
 * docs/usage/config-presets.md).
 */
export function renderPreset(site: PresetSite, components: readonly PresetComponent[]): string {
  const config = renovateConfig(site, components);
  const preset = {
    $schema: renovateSchema,
    description: [`Keeps the components of ${site.config.title} up to date.`],
    ...config,
    packageRules: [
      ...config.packageRules,
      { matchDatasources: [datasourceOf(site)], maxMajorIncrement: noLimit },
      ...components.flatMap((component) => rulesOfTheDay(site, component)),
    ],
  };
  return `${JSON.stringify(preset, undefined, 2)}\n`;
}

export function datasourceOf(site: Pick<SiteContext, 'config'>): string {
  return `custom.${site.config.datasource}`;
}

/**
 * The configuration for these components. It stays true whatever is released, so that users may copy it.
 *
 * `followTag`: only the newest supported version is ever proposed. Without it Renovate also proposes the newest version
 * of a pin's own major, and for a pin that is itself deprecated that may be a deprecated one
 * (lib/workers/repository/process/lookup/filter.ts).
 *
 * A release's own `changelogUrl` never reaches a pull request, so that links to a version are package rules with a template.
 */
export function renovateConfig(
  site: PresetSite,
  components: readonly Pick<ComponentSummary, 'name' | 'definition'>[],
): RenovateConfig {
  const datasource = datasourceOf(site);
  const links = components.flatMap(({ name, definition }) => {
    const template = definition.releaseChangelogUrl?.template;
    return template === undefined
      ? []
      : [packageRule(datasource, name, { changelogUrl: toRenovateTemplate(template) })];
  });
  return {
    extends: commentManagers,
    customDatasources: {
      [site.config.datasource]: {
        defaultRegistryUrlTemplate: `${site.baseUrl}/{{packageName}}.json`,
        format: 'json',
      },
    },
    packageRules: [{ matchDatasources: [datasource], versioning: 'loose', followTag: 'latest' }, ...links],
  };
}

/** Rules that hold only until the next release, so that only the preset has them: Renovate reads it at every run. */
function rulesOfTheDay(site: PresetSite, { name, definition, latest, releases }: PresetComponent): object[] {
  const datasource = datasourceOf(site);
  if (latest === undefined) {
    // Otherwise every run would warn that there is no tag to follow.
    return releases === 0 ? [] : [packageRule(datasource, name, { enabled: false })];
  }
  const template = definition.releaseChangelogUrl?.template;
  const byTemplate = template === undefined ? undefined : changelogFiller(template)(latest.version);
  const changelogUrl = latest.changelogUrl ?? definition.changelogUrl;
  if (changelogUrl === (byTemplate ?? definition.changelogUrl)) return [];
  return [packageRule(datasource, name, { changelogUrl: withoutBraces(changelogUrl) })];
}

function packageRule(datasource: string, name: string, rule: object): object {
  return { matchDatasources: [datasource], matchPackageNames: [name], ...rule };
}

/** Renovate reads the address as a Handlebars template. */
function withoutBraces(url: string): string {
  return url.replaceAll('{', '%7B').replaceAll('}', '%7D');
}
