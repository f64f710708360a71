import { parseVersion, prereleaseWords } from '../../../core/model/version.ts';
import { encodeBraces } from '../../../core/schemas/definition/definition.ts';
import { escapeForExpression } from '../../../core/text/expression.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { findAdapter } from '../../../record/sources/index.ts';
import { nameDatasource, type SiteContext } from '../site-context.ts';
import { createPinRules } from './pin-notes.ts';
import {
  commentManagers,
  createCommentManager,
  createPackageRules,
  groupPackages,
  listCommentNames,
  matchNames,
  packageInNote,
  type ComponentPackage,
  type PackageGroup,
} from './pins.ts';
import { renderTable, writeInParentheses, writeTableLookup } from './text-table.ts';

export const renovateSchema = 'https://docs.renovatebot.com/renovate-schema.json';

/**
 * Removes deprecated releases before Renovate sees them. Renovate's own `ignoreDeprecated` does not apply if the version in use
 * is deprecated or not listed (lib/workers/repository/process/lookup/filter.ts), and a user's `allowedVersions` would override
 * ours. If all releases of a component are deprecated, Renovate offers nothing and does not warn.
 */
function limitToSupported(stops: string): string {
  return `$merge([$, {"releases": [releases[isDeprecated = false${stops}]]}])`;
}

/**
 * Matches only versions below a comment. A dependency of another manager that a user redirects to this index keeps the name
 * and the versioning of its ecosystem.
 */
const belowComment = { matchManagers: ['custom.regex', 'custom.jsonata'] };

/** Keeps a `v` before the version in the file, even if the version in the index has none. */
const keepPrefix = { versionCompatibility: '^[vV]?(?<version>.+)$' };
const wholeVersion = { versionCompatibility: '^(?<version>.+)$' };

/** A suffix that names a variant (`-alpine`): only versions with the same suffix are candidates. */
const withVariant = {
  matchCurrentValue: '/^v?\\d[\\d.]*[-+.][a-z]{2}/i',
  matchJsonata: [
    `$not($contains(currentValue, /[^a-z](?:${prereleaseWords.join('|')})(?:[^a-z]|$)/i))`,
  ],
};
const variantOfNumber = String.raw`^[vV]?(?<version>\d+(?:\.\d+)*)(?<compatibility>.*)$`;
const variantOfPrefixedNumber = String.raw`^(?<version>[vV]?\d+(?:\.\d+)*)(?<compatibility>.*)$`;

/** Matches no version, so Renovate looks nothing up. Otherwise it proposes no replacement for a component without releases. */
const noVersioning = 'regex:^(?<major>none)$';

/** Path of the release file, as a template of Renovate. */
export const releaseFile = '/{{packageName}}.json';

type PresetSite = Pick<SiteContext, 'config' | 'baseUrl'>;
export type PresetComponent = Pick<
  ComponentSummary,
  'name' | 'definition' | 'latest' | 'replacement' | 'pinFacts' | 'urgentFixes' | 'upgradeBounds'
>;

/**
 * `renovate.json`: a preset that needs nothing else in a user's configuration (renovatebot/renovate,
 * docs/usage/config-presets.md).
 */
export function renderPreset(site: PresetSite, components: readonly PresetComponent[]): string {
  const preset = {
    $schema: renovateSchema,
    description: [`Keeps the components of ${site.config.title} up to date.`],
    ...createConfig(site, components),
  };
  return `${JSON.stringify(preset)}\n`;
}

/** `renovate/own.json`: removes the minimum release age for releases of the index. A publisher cannot do this, only a reader. */
export function renderOwnPreset(site: PresetSite): string {
  const preset = {
    $schema: renovateSchema,
    description: [`Releases of ${site.config.title} pass the waiting time.`],
    packageRules: [{ matchDatasources: [nameDatasource(site)], minimumReleaseAge: '0 days' }],
  };
  return `${JSON.stringify(preset, undefined, 2)}\n`;
}

/**
 * The configuration in the preset.
 *
 * Every version that is not deprecated is a candidate; the user's rules choose among them. Two options override the user's
 * own. Renovate treats a jump of more than 500 majors as a mistake, but a component may go from 4.5 to 2027.1. With
 * `rollbackPrs`, Renovate would treat a deprecated version in use as nonexistent.
 */
export function createConfig(site: PresetSite, components: readonly PresetComponent[]) {
  const datasource = nameDatasource(site);
  const ofIndex = { matchDatasources: [datasource] };
  const inComments = { ...ofIndex, ...belowComment };
  const stops = writeStopsCondition(components);

  return {
    extends: commentManagers,
    customManagers: [createCommentManager(datasource)],
    customDatasources: {
      [site.config.datasource]: {
        defaultRegistryUrlTemplate: `${site.baseUrl}${releaseFile}`,
        format: 'json',
        transformTemplates: [limitToSupported(stops)],
      },
    },
    packageRules: [
      { ...ofIndex, maxMajorIncrement: 0, rollbackPrs: false },
      { ...inComments, versioning: 'loose', ...keepPrefix },
      { ...inComments, ...withVariant, versionCompatibility: variantOfNumber },
      // Renovate ignores the `changelogUrl` of a release. The row of the page has the release's own link.
      { ...ofIndex, changelogUrl: `${site.baseUrl}/{{{packageName}}}.html#v{{{newVersion}}}` },
      // Neither changes nor adds digests: the index publishes none.
      { ...inComments, matchCurrentValue: '/@/', enabled: false },
      { ...inComments, pinDigests: false },
      ...createPackageRules(datasource, site.config.datasource, components),
      ...createPinRules(site.baseUrl, site.config.datasource, components),
      ...components.flatMap((component) => createOwnRules(datasource, component)),
    ],
  };
}

function createOwnRules(datasource: string, component: PresetComponent): object[] {
  const conditions = {
    matchDatasources: [datasource],
    matchPackageNames: listCommentNames(component),
  };
  return [
    ...createVersionRules(component),
    ...createSecurityRules(component),
    ...createReplacementRules(component),
    ...createUpgradeRules(component),
  ].map((rule) => ({ ...conditions, ...rule }));
}

/** For versions that begin with `v` in the index or have a significant suffix (`+k3s1`): compares whole versions. */
function createVersionRules({ latest }: PresetComponent): object[] {
  const [, prefix, suffix = ''] = /^(v?)[\d.]+(.*)$/i.exec(latest?.version ?? '') ?? [];
  if (/\d/.test(suffix)) {
    return [{ ...belowComment, ...(prefix ? wholeVersion : keepPrefix) }];
  }
  if (!prefix) {
    return [];
  }

  return [
    { ...belowComment, ...wholeVersion },
    { ...belowComment, ...withVariant, versionCompatibility: variantOfPrefixedNumber },
  ];
}

/**
 * A fix confirmed by somebody other than its publisher does not wait for a `minimumReleaseAge`. While Renovate filters releases by
 * age, only `version` is set (lib/workers/repository/process/lookup/filter-checks.ts); later, `newVersion` is set.
 */
function createSecurityRules({ urgentFixes }: PresetComponent): object[] {
  if (urgentFixes.length === 0) {
    return [];
  }

  const versions = JSON.stringify([...new Set([...urgentFixes, ...urgentFixes.map(removePrefix)])]);
  return [
    {
      matchJsonata: [`version in ${versions} or newVersion in ${versions}`],
      minimumReleaseAge: '0 days',
    },
  ];
}

function createReplacementRules({ latest, replacement }: PresetComponent): object[] {
  if (replacement?.version === undefined) {
    return [];
  }

  const { name, version, changelogUrl } = replacement;
  return [
    {
      ...belowComment,
      versioning: latest ? undefined : noVersioning,
      replacementName: name,
      replacementVersion: removePrefix(version),
    },
    { matchUpdateTypes: ['replacement'], changelogUrl: encodeBraces(changelogUrl) },
  ];
}

/** Rules that upgrade to the next stop first. */
function createUpgradeRules({ upgradeBounds }: PresetComponent): object[] {
  return upgradeBounds.map(({ from, below, to }) => {
    const start = from === undefined ? '' : `$own >= "${createSortKey(from)}" and `;
    return {
      matchJsonata: [`($own := ${presentSortKey}; ${start}$own < "${createSortKey(below)}")`],
      allowedVersions: `<=${removePrefix(to.version)}`,
      // The transform of the datasource removes all other deprecated releases.
      ignoreDeprecated: to.isDeprecated ? false : undefined,
    };
  });
}

/** The first three digit groups of a version, padded so that texts compare as the versions do. */
function createSortKey(version: string): string {
  // Every bound has an order.
  const { groups } = parseVersion(version)!;
  return [0, 1, 2].map((index) => String(groups[index] ?? 0).padStart(20, '0')).join('');
}

/** The sort key of the present version, as a JSONata expression. */
const presentSortKey = [
  '($groups := $match($string(currentVersion ? currentVersion : currentValue), /\\d+/).match; ',
  '$join($map([0..2], function($i) { $pad($groups[$i] ? $groups[$i] : "0", -20, "0") })))',
].join('');

/** A condition that keeps deprecated stops. Identifies a component by the two addresses in its release file. */
function writeStopsCondition(components: readonly PresetComponent[]): string {
  let condition = '';
  for (const { definition, upgradeBounds } of components) {
    const stops = upgradeBounds.filter(({ to }) => to.isDeprecated).map(({ to }) => to.version);
    if (stops.length > 0) {
      const tests = [
        `$$.homepage = ${JSON.stringify(definition.homepage)}`,
        `$$.changelogUrl = ${JSON.stringify(definition.changelogUrl)}`,
        `version in ${JSON.stringify([...new Set(stops)])}`,
      ];
      condition += ` or (${tests.join(' and ')})`;
    }
  }
  return condition;
}

function removePrefix(version: string): string {
  return version.replace(/^v/i, '');
}

export type ImageComponent = Pick<ComponentSummary, 'name' | 'latest' | 'packageSources'>;

/**
 * `renovate/days.json`: reads images from the index whose registry states no days, so that a `minimumReleaseAge` ends. Renovate
 * then applies no rules for `docker` or for the image any more, so it is a preset of its own.
 */
export function renderDaysPreset(site: PresetSite, components: readonly ImageComponent[]): string {
  const datasource = nameDatasource(site);
  const preset = {
    $schema: renovateSchema,
    description: [
      `Reads images from ${site.config.title} whose registry states no release days, so that a minimumReleaseAge ends. Extend it after ${site.baseUrl}/renovate.json.`,
      `The price: your rules for the datasource docker or for the name of such an image no longer apply to it. Write them for the datasource ${datasource} and the name of the component. A tag with a digest, and a tag of another form than the newest version, stay with their registry.`,
    ],
    packageRules: groupPackages(components.flatMap(listImages)).map((group) =>
      createOverrideRule(datasource, group),
    ),
  };

  return `${JSON.stringify(preset, undefined, 2)}\n`;
}

/** The images that `renovate/days.json` reads from the index. */
export function listImages({ name, latest, packageSources }: ImageComponent): ComponentPackage[] {
  if (!latest) {
    return [];
  }

  const images: ComponentPackage[] = [];
  for (const source of packageSources.filter(isUndatedImage)) {
    const conditions = findAdapter(source).renovate?.(source);
    if (conditions) {
      images.push({ conditions: { ...conditions, ...limitTags(latest.version) }, component: name });
    }
  }
  return images;
}

/** Docker Hub states days. */
const hub = /(?:^|\.)docker\.(?:io|com)$/;

function isUndatedImage(source: ImageComponent['packageSources'][number]): boolean {
  const { datasource, registryUrl, extractVersion } = source;
  return (
    datasource === 'docker' &&
    registryUrl !== undefined &&
    !hub.test(new URL(registryUrl).hostname) &&
    extractVersion === undefined
  );
}

/**
 * Only tags in the form of the latest version. Moving tags (`1`, `1.2`) and variants (`1.2.3-alpine`) are not in the index, and
 * custom datasources do not support digests.
 */
function limitTags(latest: string) {
  const form = escapeForExpression(latest).replaceAll(/\d+/g, '\\d+');
  return {
    matchCurrentValue: `/^${form}$/`,
    // One expression, because Renovate joins several expressions by "or".
    matchJsonata: ['$not($exists(currentDigest) or pinDigests = true)'],
  };
}

function createOverrideRule(datasource: string, { conditions, packages }: PackageGroup): object {
  const [only, ...others] = new Set(packages.values());
  return {
    ...conditions,
    matchPackageNames: matchNames([...packages.keys()]),
    overrideDatasource: datasource,
    overridePackageName:
      others.length === 0
        ? only
        : writeInParentheses(writeTableLookup(`"${renderTable(packages)}"`, packageInNote)),
    // Otherwise Renovate would ask the registries that a manager found in a file (lib/modules/datasource/index.ts).
    registryUrls: [],
  };
}
