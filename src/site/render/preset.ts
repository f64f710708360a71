import { escapeForExpression } from '../../core/expression.ts';
import { toRenovateTemplate, withoutBraces } from '../../core/schemas/changelog-template.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import { commentManagers, ownManager } from './places.ts';
import type { SiteContext } from './site-context.ts';

export const renovateSchema = 'https://docs.renovatebot.com/renovate-schema.json';

/**
 * Leaves deprecated releases out before Renovate sees them. Its own `ignoreDeprecated` does not hold for a version in use
 * that is deprecated itself or not listed (lib/workers/repository/process/lookup/filter.ts), and `allowedVersions` would
 * give way to a user's. A component without any other release then has nothing to offer, which Renovate does not warn of.
 */
const supportedOnly = '$merge([$, {"releases": [releases[isDeprecated = false]]}])';

/**
 * Where a comment names the component. A dependency that Renovate's other managers find, and that a user lets this index
 * answer, stays under the name and the versioning of its own ecosystem.
 */
const inComments = { matchManagers: ['custom.regex', 'custom.jsonata'] };

/** Knows no version, so that nothing is looked up. Renovate proposes no replacement for a component without releases. */
const noVersioning = 'regex:^(?<major>none)$';

type PresetSite = Pick<SiteContext, 'config' | 'baseUrl'>;
export type PresetComponent = Pick<
  ComponentSummary,
  'name' | 'definition' | 'latest' | 'changelogs' | 'replacement' | 'soleSource'
>;

interface DatasourceConfig {
  defaultRegistryUrlTemplate: string;
  format: string;
  transformTemplates: string[];
}

interface RenovateConfig {
  extends: readonly string[];
  customManagers: object[];
  customDatasources: Record<string, DatasourceConfig>;
  packageRules: object[];
}

/**
 * `renovate.json`: a preset that needs nothing else in a user's configuration (renovatebot/renovate,
 * docs/usage/config-presets.md).
 */
export function renderPreset(site: PresetSite, components: readonly PresetComponent[]): string {
  const preset = {
    $schema: renovateSchema,
    description: [`Keeps the components of ${site.config.title} up to date.`],
    ...renovateConfig(site, components),
  };
  return `${JSON.stringify(preset, undefined, 2)}\n`;
}

export function datasourceOf(site: Pick<SiteContext, 'config'>): string {
  return `custom.${site.config.datasource}`;
}

/**
 * What tells Renovate of the index and of these components, for the preset and to be copied.
 *
 * Every version that is not deprecated is a candidate: which of them is proposed is the user's to say. Two options are
 * set against the user's own defaults. Renovate takes a leap over 500 majors for a mistake, but a component may go from
 * 4.5 to 2027.1; and with `rollbackPrs` it would take a deprecated version in use for one that does not exist.
 */
export function renovateConfig(site: PresetSite, components: readonly PresetComponent[]): RenovateConfig {
  const datasource = datasourceOf(site);
  return {
    extends: commentManagers,
    customManagers: [ownManager(datasource)],
    customDatasources: {
      [site.config.datasource]: {
        defaultRegistryUrlTemplate: `${site.baseUrl}/{{packageName}}.json`,
        format: 'json',
        transformTemplates: [supportedOnly],
      },
    },
    packageRules: [
      { matchDatasources: [datasource], maxMajorIncrement: 0, rollbackPrs: false },
      { matchDatasources: [datasource], ...inComments, versioning: 'loose' },
      ...components.flatMap((component) =>
        [...changelogRules(component), ...replacementRules(component)].map((rule) => ({
          matchDatasources: [datasource],
          matchPackageNames: [component.name, ...(component.definition.renamedFrom ?? [])],
          ...rule,
        })),
      ),
    ],
  };
}

/**
 * A release's own `changelogUrl` never reaches a pull request, so that the links are rules with a template: the
 * definition's for every version, and those that hold for certain versions only.
 */
function changelogRules({ definition, changelogs }: PresetComponent): object[] {
  const template = definition.releaseChangelogUrl?.template;
  return [
    ...(template === undefined ? [] : [{ changelogUrl: toRenovateTemplate(template) }]),
    ...changelogs.map(({ template, versions }) => ({
      matchNewValue: `/^(?:${versions.map(escapeForExpression).join('|')})$/`,
      changelogUrl: toRenovateTemplate(template),
    })),
  ];
}

function replacementRules({ latest, replacement }: PresetComponent): object[] {
  if (!replacement) return [];
  const { name, version, changelogUrl } = replacement;
  return [
    {
      ...inComments,
      ...(!latest && { versioning: noVersioning }),
      replacementName: name,
      replacementVersion: version,
    },
    { matchUpdateTypes: ['replacement'], changelogUrl: withoutBraces(changelogUrl) },
  ];
}
