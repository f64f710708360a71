import * as z from 'zod';
import { prereleaseWords } from '../../../core/model/prerelease.ts';
import { parseVersion } from '../../../core/model/version.ts';
import { escapeForExpression } from '../../../core/text/expression.ts';
import type { ComponentSummary } from '../../../decide/component-summary.ts';
import { renovateSchema } from '../paths.ts';
import { nameDatasource, type SiteContext } from '../site-context.ts';
import { commentManagers, createCommentManager } from './comment-manager.ts';
import { createPackageRules, listCommentNames } from './package-rules.ts';
import { createPinRules, versionInCondition } from './pin-notes.ts';

/** Path of the release file, as a template of Renovate. */
const releaseFile = '/{{packageName}}.json';

/** A preset, as far as it names the address of its site. No other file that does is in every site. */
export const Preset = z
  .object({
    customDatasources: z.record(
      z.string(),
      z.object({
        defaultRegistryUrlTemplate: z.string().endsWith(releaseFile, {
          error: `expected an address that ends with ${releaseFile}`,
        }),
      }),
    ),
  })
  .transform(({ customDatasources }) => {
    const [datasource] = Object.values(customDatasources);
    return { baseUrl: datasource?.defaultRegistryUrlTemplate.slice(0, -releaseFile.length) };
  });

export type PresetSite = Pick<SiteContext, 'config' | 'baseUrl'>;
export type PresetComponent = Pick<
  ComponentSummary,
  'name' | 'definition' | 'latest' | 'replacement' | 'pinFacts' | 'urgentFixes' | 'upgradeBounds'
>;

/**
 * `renovate.json`: a preset that needs nothing else in a user's configuration (renovatebot/renovate,
 * docs/usage/config-presets.md).
 *
 * Every version that is not deprecated is a candidate; the user's rules choose among them. Two options for all
 * components override the user's own. Renovate treats a jump of more than 500 majors as a mistake, but a component may go from 4.5 to 2027.1. With
 * `rollbackPrs`, Renovate would treat a deprecated version in use as nonexistent.
 */
export function renderPreset(site: PresetSite, components: readonly PresetComponent[]): string {
  const datasource = nameDatasource(site);
  const indexCondition = { matchDatasources: [datasource] };
  const commentCondition = { ...indexCondition, ...belowComment };

  const description = `Keeps the components of ${site.config.title} up to date.`;
  return renderPresetFile([description], {
    extends: commentManagers,
    customManagers: [createCommentManager(datasource)],
    customDatasources: {
      [site.config.datasource]: {
        defaultRegistryUrlTemplate: `${site.baseUrl}${releaseFile}`,
        format: 'json',
        transformTemplates: [writeTransform(components)],
      },
    },
    packageRules: [
      { ...indexCondition, maxMajorIncrement: 0, rollbackPrs: false },
      { ...commentCondition, versioning: 'loose', ...withoutPrefix },
      { ...commentCondition, ...variantCondition, versionCompatibility: sameVariant },
      // Renovate ignores the `changelogUrl` of a release. The row of the page has the release's own link.
      {
        ...indexCondition,
        changelogUrl: `${site.baseUrl}/{{{packageName}}}.html#v{{{newVersion}}}`,
      },
      // Neither changes nor adds digests: the release file has none.
      { ...commentCondition, matchCurrentValue: '/@/', enabled: false },
      { ...commentCondition, pinDigests: false },
      ...createPackageRules(datasource, site.config.datasource, components),
      ...createPinRules(site.baseUrl, site.config.datasource, components),
      ...components.flatMap((component) => createComponentRules(datasource, component)),
    ],
  });
}

/** `renovate/own.json`: removes the minimum release age for releases of the index. A publisher cannot do this, only a reader. */
export function renderOwnPreset(site: PresetSite): string {
  const rule = { matchDatasources: [nameDatasource(site)], minimumReleaseAge: '0 days' };
  const description = `Releases of ${site.config.title} pass the waiting time.`;
  return renderPresetFile([description], { packageRules: [rule] });
}

/** A file that a user's configuration extends. */
export function renderPresetFile(description: readonly string[], config: object): string {
  return `${JSON.stringify({ $schema: renovateSchema, description, ...config })}\n`;
}

/**
 * Matches only versions below a comment. A dependency of another manager that a user redirects to this index keeps the name
 * and the versioning of its ecosystem.
 */
const belowComment = { matchManagers: ['custom.regex', 'custom.jsonata'] };

/** Compares versions without their `v`, so the `v` in a file stays, even if the version in the index has none. */
const withoutPrefix = { versionCompatibility: '^[vV]?(?<version>.+)$' };
/** Compares versions with their `v`. */
const withPrefix = { versionCompatibility: '^(?<version>.+)$' };

/** Versions with a suffix that names a variant (`-alpine`), not a prerelease (`-rc.1`). */
const variantCondition = {
  matchCurrentValue: '/^v?\\d[\\d.]*[-+.][a-z]{2}/i',
  matchJsonata: [
    `$not($contains(currentValue, /[^a-z](?:${prereleaseWords.join('|')})(?:[^a-z]|$)/i))`,
  ],
};
/** Only versions with the same suffix are candidates. */
const sameVariant = String.raw`^[vV]?(?<version>\d+(?:\.\d+)*)(?<compatibility>.*)$`;
const samePrefixedVariant = String.raw`^(?<version>[vV]?\d+(?:\.\d+)*)(?<compatibility>.*)$`;

/** Matches no version, so Renovate looks nothing up. Otherwise it proposes no replacement for a component without releases. */
const noVersioning = 'regex:^(?<major>none)$';

/**
 * Removes deprecated releases before Renovate sees them, except those that an upgrade must stop at. Renovate's own
 * `ignoreDeprecated` does not apply if the version in use is deprecated or not listed
 * (lib/workers/repository/process/lookup/filter.ts), and a user's `allowedVersions` would override ours. If all releases of a
 * component are deprecated, Renovate offers nothing and does not warn.
 */
function writeTransform(components: readonly PresetComponent[]): string {
  let condition = 'isDeprecated = false';
  for (const component of components) {
    const stops = component.upgradeBounds
      .filter(({ to }) => to.isDeprecated)
      .map(({ to }) => to.version);
    if (stops.length > 0) {
      // Renovate fills in the name before it evaluates the expression (lib/modules/datasource/custom/utils.ts).
      const isOfComponent = `"{{{packageName}}}" in ${JSON.stringify(listCommentNames(component))}`;
      const isStop = `version in ${JSON.stringify([...new Set(stops)])}`;
      condition += ` or (${isOfComponent} and ${isStop})`;
    }
  }
  return `$merge([$, {"releases": [releases[${condition}]]}])`;
}

function createComponentRules(datasource: string, component: PresetComponent): object[] {
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

/**
 * For a component whose versions begin with `v` in the index, or have a suffix; a suffix with a number is part of their order. The
 * latest version shows which form they have.
 */
function createVersionRules({ latest }: PresetComponent): object[] {
  // `v1.2.3+k3s1` has the prefix `v` and the suffix `+k3s1`.
  const [, prefix, suffix = ''] = /^(v?)[\d.]+(.*)$/i.exec(latest?.version ?? '') ?? [];
  if (/\d/.test(suffix)) {
    return [{ ...belowComment, ...(prefix ? withPrefix : withoutPrefix) }];
  }

  const rules: object[] = [];
  if (prefix) {
    rules.push(
      { ...belowComment, ...withPrefix },
      { ...belowComment, ...variantCondition, versionCompatibility: samePrefixedVariant },
    );
  }
  if (suffix) {
    // Renovate compares without the suffix, so the latest version would be above the tag `latest`.
    rules.push({ ...belowComment, respectLatest: false });
  }
  return rules;
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
  // Braces would be a placeholder.
  const url = changelogUrl.replaceAll('{', '%7B').replaceAll('}', '%7D');
  return [
    {
      ...belowComment,
      versioning: latest ? undefined : noVersioning,
      replacementName: name,
      replacementVersion: removePrefix(version),
    },
    { matchUpdateTypes: ['replacement'], changelogUrl: url },
  ];
}

/** Rules that upgrade to the next stop first. `$own` is the sort key of the version in use. */
function createUpgradeRules({ upgradeBounds }: PresetComponent): object[] {
  return upgradeBounds.map(({ from, below, to }) => {
    const start = from === undefined ? '' : `$own >= "${createSortKey(from)}" and `;
    return {
      matchJsonata: [`($own := ${presentSortKey}; ${start}$own < "${createSortKey(below)}")`],
      allowedVersions: writeAllowedVersions(to.version),
      // The transform of the datasource removes all other deprecated releases.
      ignoreDeprecated: to.isDeprecated ? false : undefined,
    };
  });
}

/**
 * Allows versions up to a stop. Renovate reads the range as npm does: with a number of another form (`2024.04`, four groups), it
 * ends with an error for the whole repository (lib/workers/repository/process/lookup/filter.ts), and a suffix is a prerelease.
 * Then, only the stop itself is allowed.
 */
function writeAllowedVersions(stop: string): string {
  const [, number = '', suffix = ''] = /^(\d+(?:\.\d+)*)(.*)$/.exec(removePrefix(stop)) ?? [];
  // npm ignores what follows a plus.
  const isReadByNpm = suffix === '' || suffix.startsWith('+');
  if (isReadByNpm && /^(?:0|[1-9]\d{0,14})(?:\.(?:0|[1-9]\d{0,14})){0,2}$/.test(number)) {
    return `<=${number}`;
  }

  // Renovate removes the suffix of a variant before it compares.
  const ending = suffix && `(?:${escapeForExpression(suffix)})?`;
  return `/^v?${escapeForExpression(number)}${ending}$/i`;
}

/** The sort key of a version: its up to six digit groups, padded so that texts compare as the versions do. */
function createSortKey(version: string): string {
  // Every bound can be parsed.
  const { groups } = parseVersion(version)!;
  return [0, 1, 2, 3, 4, 5].map((index) => String(groups[index] ?? 0).padStart(20, '0')).join('');
}

/** A JSONata expression: the same sort key of the version in use, without the numbers in its suffix. */
const presentSortKey = [
  `($groups := $split($match(${versionInCondition}, /\\d[\\d.]*/, 1).match, "."); `,
  '$join($map([0..5], function($i) { $pad($groups[$i] ? $groups[$i] : "0", -20, "0") })))',
].join('');

function removePrefix(version: string): string {
  return version.replace(/^v/i, '');
}
