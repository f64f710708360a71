import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PresetFile } from '../../core/schemas/published/small-files.ts';
import { escapeForExpression } from '../../core/expression.ts';
import { prereleaseWords } from '../../core/prerelease.ts';
import { toRenovateTemplate, withoutBraces } from '../../core/schemas/changelog-template.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import { imageSource } from '../../decide/image-digest.ts';
import { adapterOf } from '../../record/sources/index.ts';
import type { RenovateConditions } from '../../record/sources/renovate.ts';
import { pinRules } from './pin-rules.ts';
import { commentManagers, digestManager, ownManager, type Image } from './places.ts';
import type { SiteContext } from './site-context.ts';
import { deprecatedStops, upgradeRules } from './upgrade-rules.ts';

export const renovateSchema = 'https://docs.renovatebot.com/renovate-schema.json';

/**
 * Removes deprecated releases before Renovate sees them. Its own `ignoreDeprecated` does not hold for a version in use
 * that is deprecated itself or not listed (lib/workers/repository/process/lookup/filter.ts), and `allowedVersions` would
 * give way to a user's. A component without any other release then has nothing to offer, which Renovate does not warn of.
 */
const supportedOnly = (stops: string) =>
  `$merge([$, {"releases": [releases[isDeprecated = false${stops}]]}])`;

/**
 * Matches versions below a comment. A dependency of another manager that a user redirects to this index keeps the name and
 * the versioning of its own ecosystem.
 */
const inComments = { matchManagers: ['custom.regex', 'custom.jsonata'] };

/** A `v` before a version stays as it is in the file, whether or not the index has one. */
const keepPrefix = { versionCompatibility: '^[vV]?(?<version>.+)$' };
const wholeVersion = { versionCompatibility: '^(?<version>.+)$' };

/** A suffix that names a variant (`-alpine`) stays: only versions with the same one are candidates. */
const keepVariant = (prefix: 'keep' | 'compare') => ({
  matchCurrentValue: '/^v?\\d[\\d.]*[-+.][a-z]{2}/i',
  matchJsonata: [`$not($contains(currentValue, /[^a-z](?:${prereleaseWords.join('|')})(?:[^a-z]|$)/i))`],
  versionCompatibility: `^${prefix === 'keep' ? '[vV]?(?<version>' : '(?<version>[vV]?'}\\d+(?:\\.\\d+)*)(?<compatibility>.*)$`,
});

/** Tag and digest change together or not at all: only versions with a recorded digest are candidates. */
const digestRules = (datasource: string) => {
  const rule = { matchDatasources: [datasource], ...inComments };
  return [
    { ...rule, matchCurrentValue: '/@/', enabled: false },
    { ...rule, matchJsonata: ['$contains(replaceString & "", "@sha256:")'], pinDigests: true },
    { ...rule, matchUpdateTypes: ['pinDigest'], enabled: false },
  ];
};

/** Matches no version, so that Renovate looks nothing up. It proposes no replacement for a component without releases. */
const noVersioning = 'regex:^(?<major>none)$';

/** Below the address of the site, as a template of Renovate. */
const releaseFile = '/{{packageName}}.json';

type PresetSite = Pick<SiteContext, 'config' | 'baseUrl'>;
export type PresetComponent = Pick<
  ComponentSummary,
  | 'name'
  | 'definition'
  | 'latest'
  | 'changelogs'
  | 'replacement'
  | 'packageSources'
  | 'factsOnLines'
  | 'factsOnVersions'
  | 'fixes'
  | 'urgentFixes'
  | 'upgradeBounds'
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

/** `renovate/own.json`: the publisher of a release cannot state its hurry, but a reader can grant it. */
export function renderOwnPreset(site: PresetSite): string {
  const preset = {
    $schema: renovateSchema,
    description: [`Releases of ${site.config.title} pass the waiting time.`],
    packageRules: [{ matchDatasources: [datasourceOf(site)], minimumReleaseAge: '0 days' }],
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
  const images = components.flatMap(imageOf);
  return {
    extends: commentManagers,
    customManagers: [
      ownManager(datasource),
      ...(images.length > 0 ? [digestManager(datasource, images)] : []),
    ],
    customDatasources: {
      [site.config.datasource]: {
        defaultRegistryUrlTemplate: `${site.baseUrl}${releaseFile}`,
        format: 'json',
        transformTemplates: [supportedOnly(deprecatedStops(components))],
      },
    },
    packageRules: [
      {
        matchDatasources: [datasource],
        maxMajorIncrement: 0,
        rollbackPrs: false,
      },
      { matchDatasources: [datasource], ...inComments, versioning: 'loose', ...keepPrefix },
      { matchDatasources: [datasource], ...inComments, ...keepVariant('keep') },
      ...digestRules(datasource),
      ...components.flatMap((component) => [
        ...packageRules(datasource, component),
        ...[versionRules, changelogRules, pinRules(site), securityRules, replacementRules, upgradeRules]
          .flatMap((rulesOf) => rulesOf(component))
          .map((rule) => ({
            matchDatasources: [datasource],
            matchPackageNames: [component.name, ...(component.definition.renamedFrom ?? [])],
            ...rule,
          })),
      ]),
    ],
  };
}

function imageOf({ name, definition, latest }: PresetComponent): Image[] {
  const source = imageSource(definition)?.source;
  const addresses =
    source && latest && adapterOf(source).renovate?.(source, latest.version)?.matchPackageNames;
  return addresses ? [{ components: [name, ...(definition.renamedFrom ?? [])], addresses }] : [];
}

/**
 * Lets Renovate's own managers (npm, maven, gradle, dockerfile, helmv3, cargo, …) take the releases of a package from this
 * index. It is left to its registry where versions are extracted from its list, or where it cannot be told from another.
 */
function packageRules(
  datasource: string,
  { name, latest, packageSources }: PresetComponent,
): RenovateConditions[] {
  if (!latest) return [];
  return packageSources.flatMap((source) => {
    if (source.extractVersion !== undefined) return [];
    const conditions = adapterOf(source).renovate?.(source, latest.version);
    // A manager may have found registries in a file, which would be asked instead (lib/modules/datasource/index.ts).
    const override = { overrideDatasource: datasource, overridePackageName: name, registryUrls: [] };
    return conditions ? [{ ...conditions, ...override }] : [];
  });
}

/** The packages of a component whose releases Renovate's own managers take from this index. */
export function managedPackages(component: PresetComponent): string[] {
  return packageRules('', component).map(({ matchPackageNames: [name] }) => name!);
}

/** For versions that begin with `v` in the index, or whose suffix counts (`+k3s1`): they are compared with it. */
function versionRules({ latest }: PresetComponent): object[] {
  const [, prefix, suffix] = /^(v?)[\d.]+(.*)$/i.exec(latest?.version ?? '') ?? [];
  const isCounted = /\d/.test(suffix ?? '');
  if (!prefix && !isCounted) return [];
  const plain = { ...inComments, ...(prefix ? wholeVersion : keepPrefix) };
  return isCounted ? [plain] : [plain, { ...inComments, ...keepVariant('compare') }];
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
      matchNewValue: `/^v?(?:${versions.map(withoutPrefix).map(escapeForExpression).join('|')})$/`,
      changelogUrl: toRenovateTemplate(template),
    })),
  ];
}

/**
 * A fix has a label, and one that somebody else than its publisher vouches for does not wait for a `minimumReleaseAge`. While Renovate sorts out releases that are too young, only `version` is known
 * (lib/workers/repository/process/lookup/filter-checks.ts), which no other condition reads; later, `newVersion`.
 */
function securityRules({ fixes, urgentFixes }: PresetComponent): object[] {
  return [
    { versions: fixes, means: { addLabels: ['security'] } },
    { versions: urgentFixes, means: { minimumReleaseAge: '0 days' } },
  ].flatMap(({ versions, means }) => {
    if (versions.length === 0) return [];
    const spelt = JSON.stringify([...new Set([...versions, ...versions.map(withoutPrefix)])]);
    return { matchJsonata: [`version in ${spelt} or newVersion in ${spelt}`], ...means };
  });
}

function replacementRules({ latest, replacement }: PresetComponent): object[] {
  if (!replacement) return [];
  const { name, version, changelogUrl } = replacement;
  return [
    {
      ...inComments,
      ...(!latest && { versioning: noVersioning }),
      replacementName: name,
      replacementVersion: withoutPrefix(version),
    },
    { matchUpdateTypes: ['replacement'], changelogUrl: withoutBraces(changelogUrl) },
  ];
}

function withoutPrefix(version: string): string {
  return version.replace(/^v/i, '');
}

/** The address that a site was built for, without a slash at its end; undefined if its preset does not have it. */
export function baseUrlOf(out: string): string | undefined {
  try {
    return addressOf(JSON.parse(readFileSync(join(out, 'renovate.json'), 'utf8')) as PresetFile);
  } catch {
    return undefined;
  }
}

export function addressOf({ customDatasources }: PresetFile): string | undefined {
  const template = Object.values(customDatasources)[0]?.defaultRegistryUrlTemplate;
  return template?.endsWith(releaseFile) ? template.slice(0, -releaseFile.length) : undefined;
}
