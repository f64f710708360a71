/** Creates `renovate.json`, the only preset that users have to extend, `renovate/days.json` and `renovate/stops.json`. */
import { extractVersion, findsVersion, toExtraction } from '../../ask/extract.ts';
import { listNames } from '../../core/schema/names.ts';
import type { Component } from '../../core/schema/published.ts';
import { escapePattern } from '../../core/text.ts';
import { prereleaseWords } from '../../core/version.ts';
import { findComponent, type Index } from '../load-index.ts';
import { belowComment, createCommentManagers, ownPresets } from './comments.ts';
import { findConditions, findPlaces, listPackageConditions, matchComments } from './conditions.ts';
import { createNoteRules } from './note-rules.ts';
import { removePrefix } from './note-versions.ts';
import { createStopRules } from './stops.ts';

const $schema = 'https://docs.renovatebot.com/renovate-schema.json';

export function createPreset(index: Index) {
  const { datasource, releasesUrl, title } = index.settings;
  const { rules, warnings } = createNoteRules(index);
  const preset = {
    $schema,
    description: [`Keeps the components of ${title} up to date.`],
    extends: ownPresets,
    customManagers: createCommentManagers(datasource),
    customDatasources: {
      [datasource]: {
        defaultRegistryUrlTemplate: `${releasesUrl}/{{packageName}}.json`,
        format: 'json',
        transformTemplates: [writeTransform(index)],
      },
    },
    packageRules: [
      ...createSharedRules(index),
      ...index.components.flatMap((component) => [...createComponentRules(component, index)]),
      ...rules,
    ],
  };
  return { preset, warnings };
}

/**
 * Writes the JSONata expression that changes the files of releases.
 *
 * By default (`ignoreDeprecated`), Renovate proposes no deprecated releases. But it does propose them if the version in use is itself
 * deprecated or unlisted. So the expression removes deprecated releases from the list. Required stops stay, because users have to install
 * them even after their support has ended. Without stops, the expression is shorter, because it takes a part of Renovate's time.
 */
function writeTransform({ components }: Index): string {
  const lists = ['releases[isDeprecated = false]'];
  if (components.some(({ requiredStops }) => requiredStops !== undefined)) {
    lists.push('releases[isDeprecated and isStop].$merge([$, {"isDeprecated": false}])');
  }
  return `$merge([$, {"releases": [${lists.join(', ')}]}])`;
}

/** Matches versions with a suffix, such as `1.2-alpine` and `1.2-rc.1`. */
const suffixed = '/^v?\\d[\\d.]*[-+.][a-z]{2}/i';

/**
 * Matches suffixes that do not name a variant:
 * - a prerelease: `1.2-rc.1`
 * - only words that every release has, or that count releases: `4.0.1.Final`, `1.0.post1`, `1.2.0+build.5`. But `4.0.1.Final-alpine` is a
 *   variant.
 */
const withoutVariant =
  `[^a-z](?:${prereleaseWords})(?:[^a-z]|$)` +
  String.raw`|^v?\d[\d.]*(?:[-+.]?(?:final|ga|release|sp|post)(?:[-.]?\d+)*|\+build(?:\.\d+)*)+$`;

function createSharedRules({ settings, components }: Index): object[] {
  const { datasource, releasesUrl } = settings;
  const ofIndex = { matchDatasources: [`custom.${datasource}`] };
  const ofComment = { ...ofIndex, ...belowComment };
  const supported = components.filter(({ lines }) => lines.some(({ isSupported }) => isSupported));
  return [
    // By default, Renovate ignores a jump of more than 500 major versions. A component may go from 4.5 to 2027.1.
    { ...ofIndex, maxMajorIncrement: 0, rollbackPrs: false },
    { ...ofComment, versioning: 'loose', versionCompatibility: '^[vV]?(?<version>.+)$' },
    // A variant (`1.2-alpine`) is updated only to versions with the same suffix.
    {
      ...ofComment,
      matchCurrentValue: suffixed,
      matchJsonata: [`$not($contains(currentValue, /${withoutVariant}/i))`],
      versionCompatibility: String.raw`^[vV]?(?<version>\d+(?:\.\d+)*)(?<compatibility>.*)$`,
    },
    // Renovate ignores the `changelogUrl` of a release, so the rule sets the component's URL.
    {
      ...ofIndex,
      changelogUrl: `${releasesUrl}/{{{replace '/.*' '' packageName}}}.html#v{{{newVersion}}}`,
    },
    // Renovate's own presets (`ownPresets`) read `1.2@sha256:…` as one version. This rule disables updates of such a version.
    { ...ofComment, matchCurrentValue: '/@/', enabled: false },
    // Renovate must not add a digest to a file that contains only a version.
    { ...ofComment, pinDigests: false },
    // A component with a supported line is not abandoned, even after a year without a release.
    { ...matchComments(supported, datasource), abandonmentThreshold: null },
  ];
}

/** Creates the rules for a component's name in a comment. */
function* createComponentRules(component: Component, index: Index): Generator<object> {
  const { latest, releases } = component;
  const { datasource, releasesUrl } = index.settings;
  const ofName = matchComments([component], datasource);
  if (/^v?[\d.]+\D+$/i.test(latest ?? '')) {
    // By default (`respectLatest`), Renovate proposes no version that is greater than the version with the tag `latest`. Example:
    // `1.2-alpine` has this tag. Renovate compares the proposed version without its suffix, as 1.2, but the tagged version with its suffix.
    // 1.2 is greater than `1.2-alpine`, so `1.2-alpine` would never be proposed.
    yield { ...ofName, ...belowComment, respectLatest: false };
  }

  const fixes = releases.filter(({ isTrustedFix }) => isTrustedFix);
  if (fixes.length > 0) {
    // Renovate proposes a trusted fix without waiting for the minimum release age. When Renovate checks the age, the version is in
    // `version`. Later it is in `newVersion`.
    const spellings = fixes.flatMap(({ version }) => [version, removePrefix(version)]);
    const names = JSON.stringify([...new Set(spellings)]);
    const matchJsonata = [`version in ${names} or newVersion in ${names}`];
    yield { ...ofName, matchJsonata, minimumReleaseAge: '0 days' };
  }

  yield* createStopRules(component, [ofName]);

  const other = findComponent(component.replacedBy, index);
  if (other?.latest !== undefined) {
    yield {
      ...ofName,
      ...belowComment,
      // If a component has no latest version, no version is valid in this versioning. Otherwise Renovate would look for versions, find
      // none, and stop before it proposes the replacement.
      ...(latest === undefined && { versioning: 'regex:^(?<major>none)$' }),
      // Only names of the component (`svc`) are replaced. Names with a file (`svc/linux-amd64`) are left out, because the replacement has
      // other files.
      matchPackageNames: listNames(component),
      replacementName: other.component,
      replacementVersion: removePrefix(other.latest),
    };
    const changelogUrl = `${releasesUrl}/${other.component}.html`;
    yield { ...ofName, matchUpdateTypes: ['replacement'], changelogUrl };
  }
}

/**
 * Creates a preset for images whose registry gives no release dates. With the preset, Renovate reads the dates from the index, so that
 * `minimumReleaseAge` works for these images. But users' rules for `docker` then no longer apply to these images. So the preset is
 * separate, and users choose whether to extend it.
 */
export function createDaysPreset({ settings, components }: Index): object {
  const overrideDatasource = `custom.${settings.datasource}`;
  return {
    $schema,
    description: [
      `Reads the release dates of images from ${settings.title} if their registry gives none. Extend it after renovate.json. Your rules for docker, or for the name of such an image, then no longer apply to it. Write them for ${overrideDatasource} and the name of the component.`,
    ],
    packageRules: components.flatMap((component) =>
      createImageRules(component, overrideDatasource),
    ),
  };
}

/**
 * Creates a preset that keeps Renovate from skipping a required stop of a package or image that it finds by itself. With the preset, users'
 * own `allowedVersions` for such a package no longer apply, unless they come later. So the preset is separate.
 */
export function createStopsPreset({ settings, components }: Index): object {
  const all = findPlaces(components);
  return {
    $schema,
    description: [
      `Keeps packages and images of ${settings.title} from skipping a required stop. Extend it after renovate.json.`,
    ],
    packageRules: components.flatMap((component) =>
      createStopRules(component, listPackageConditions([component], all)),
    ),
  };
}

/** Matches registries that give no release dates: all except Docker Hub. An image without a registry is on Docker Hub. */
const undatedRegistry = /^https?:\/\/(?!(?:[^/]*\.)?docker\.(?:io|com)(?:[/:]|$))/i;

/** Creates a rule for each image of a component whose registry gives no release dates. */
function createImageRules(
  { component, latest, sources }: Component,
  overrideDatasource: string,
): object[] {
  if (latest === undefined) {
    return [];
  }

  const images = sources.filter(
    ({ datasource, registryUrl = '', extractVersion }) =>
      datasource === 'docker' &&
      undatedRegistry.test(registryUrl) &&
      (extractVersion === undefined || isWholeTag(latest, extractVersion)),
  );
  return images.map((image) => ({
    ...findConditions(image),
    // The pattern excludes moving tags (`1.2`) and variants (`1.2-alpine`), because they are not in the index.
    matchCurrentValue: `/^${escapePattern(latest).replaceAll(/\d+/g, '\\d+')}$/`,
    // Excludes images that have a digest, or to which Renovate will add one (`pinDigests`), because a custom datasource cannot look up
    // digests. Both conditions are in one expression, because Renovate joins several expressions by "or".
    matchJsonata: ['$not($exists(currentDigest) or pinDigests = true)'],
    overrideDatasource,
    overridePackageName: component,
    // Without this, Renovate would ask the registry that a manager found in the file.
    registryUrls: [],
  }));
}

/**
 * Tells whether a version is also its tag, because `extractVersion` removes nothing. Then it only chooses tags: `^(?<version>\d[\d.]*)$` leaves
 * out `1.2-alpine`.
 */
function isWholeTag(version: string, pattern: string): boolean {
  const extraction = toExtraction(pattern);
  return (
    extraction !== undefined &&
    findsVersion(version, extraction) &&
    extractVersion(version, extraction) === version
  );
}
