import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PresetFile } from '../../core/schemas/published/small-files.ts';
import { escapeForExpression } from '../../core/expression.ts';
import { toRenovateTemplate, withoutBraces } from '../../core/schemas/changelog-template.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import { commentManagers, ownManager } from './places.ts';
import type { SiteContext } from './site-context.ts';

export const renovateSchema = 'https://docs.renovatebot.com/renovate-schema.json';

/**
 * Removes deprecated releases before Renovate sees them. Its own `ignoreDeprecated` does not hold for a version in use
 * that is deprecated itself or not listed (lib/workers/repository/process/lookup/filter.ts), and `allowedVersions` would
 * give way to a user's. A component without any other release then has nothing to offer, which Renovate does not warn of.
 */
const supportedOnly = '$merge([$, {"releases": [releases[isDeprecated = false]]}])';

/**
 * Matches versions below a comment. A dependency of another manager that a user redirects to this index keeps the name and
 * the versioning of its own ecosystem.
 */
const inComments = { matchManagers: ['custom.regex', 'custom.jsonata'] };

/** Matches no version, so that Renovate looks nothing up. It proposes no replacement for a component without releases. */
const noVersioning = 'regex:^(?<major>none)$';

/** Below the address of the site, as a template of Renovate. */
const releaseFile = '/{{packageName}}.json';

type PresetSite = Pick<SiteContext, 'config' | 'baseUrl'>;
export type PresetComponent = Pick<
  ComponentSummary,
  'name' | 'definition' | 'latest' | 'changelogs' | 'replacement' | 'soleSource' | 'fixes'
>;

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
 * The configuration of Renovate for the index and these components, for the preset and for copying.
 *
 * Every version that is not deprecated is a candidate; the user decides which of them is proposed. Two options override
 * the user's own. Renovate treats a jump of more than 500 majors as a mistake, but a component may go from 4.5 to 2027.1.
 * With `rollbackPrs` it would treat a deprecated version in use as one that does not exist.
 */
export function renovateConfig(site: PresetSite, components: readonly PresetComponent[]) {
  const datasource = datasourceOf(site);
  return {
    extends: commentManagers,
    customManagers: [ownManager(datasource)],
    customDatasources: {
      [site.config.datasource]: {
        defaultRegistryUrlTemplate: `${site.baseUrl}${releaseFile}`,
        format: 'json',
        transformTemplates: [supportedOnly],
      },
    },
    packageRules: [
      { matchDatasources: [datasource], maxMajorIncrement: 0, rollbackPrs: false },
      { matchDatasources: [datasource], ...inComments, versioning: 'loose' },
      ...components.flatMap((component) =>
        [...changelogRules(component), ...securityRules(component), ...replacementRules(component)].map(
          (rule) => ({
            matchDatasources: [datasource],
            matchPackageNames: [component.name, ...(component.definition.renamedFrom ?? [])],
            ...rule,
          }),
        ),
      ),
    ],
  };
}

/**
 * Renovate ignores the `changelogUrl` of a release, so that the links are rules with a template: one of the definition for
 * every version, and others for certain versions only.
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

/**
 * A fix does not wait for a `minimumReleaseAge`. While Renovate sorts out releases that are too young, only `version` is known
 * (lib/workers/repository/process/lookup/filter-checks.ts), which no other condition reads; later, `newVersion`.
 */
function securityRules({ fixes }: PresetComponent): object[] {
  if (fixes.length === 0) return [];
  const versions = JSON.stringify(fixes);
  const condition = `version in ${versions} or newVersion in ${versions}`;
  return [{ matchJsonata: [condition], minimumReleaseAge: '0 days', addLabels: ['security'] }];
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

/** The address that a site was built for, without a slash at its end; undefined if its preset does not have it. */
export function baseUrlOf(out: string): string | undefined {
  try {
    const { customDatasources } = JSON.parse(readFileSync(join(out, 'renovate.json'), 'utf8')) as PresetFile;
    const template = Object.values(customDatasources)[0]?.defaultRegistryUrlTemplate;
    return template?.endsWith(releaseFile) ? template.slice(0, -releaseFile.length) : undefined;
  } catch {
    return undefined;
  }
}
