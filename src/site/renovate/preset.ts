/** Creates `renovate.json`, the only preset that a user has to extend, and `renovate/days.json`. */
import { listNames } from '../../core/schema/names.ts';
import type { Component } from '../../core/schema/published.ts';
import { escapePattern } from '../../core/text.ts';
import { prereleaseWords } from '../../core/version.ts';
import { findComponent, type Index } from '../load-index.ts';
import { belowComment, createCommentManagers, ownPresets } from './comments.ts';
import { findConditions, matchComments } from './conditions.ts';
import { createNoteRules } from './note-rules.ts';
import { removePrefix } from './note-versions.ts';

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
        // Renovate ignores its `ignoreDeprecated` if the version in use is deprecated or unlisted, and would propose deprecated releases.
        transformTemplates: ['$merge([$, {"releases": [releases[isDeprecated = false]]}])'],
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

/** Versions with a suffix, such as `1.2-alpine` and `1.2-rc.1`. */
const suffixed = '/^v?\\d[\\d.]*[-+.][a-z]{2}/i';

function createSharedRules({ settings, components }: Index): object[] {
  const { datasource, releasesUrl } = settings;
  const ofIndex = { matchDatasources: [`custom.${datasource}`] };
  const ofComment = { ...ofIndex, ...belowComment };
  const supported = components.filter(({ lines }) => lines.some(({ isSupported }) => isSupported));
  return [
    // Renovate takes a jump of more than 500 majors for a mistake, but a component may go from 4.5 to 2027.1.
    { ...ofIndex, maxMajorIncrement: 0, rollbackPrs: false },
    { ...ofComment, versioning: 'loose', versionCompatibility: '^[vV]?(?<version>.+)$' },
    // For a variant (`1.2-alpine`, not `1.2-rc.1`), propose only versions with the same suffix.
    {
      ...ofComment,
      matchCurrentValue: suffixed,
      matchJsonata: [`$not($contains(currentValue, /[^a-z](?:${prereleaseWords})(?:[^a-z]|$)/i))`],
      versionCompatibility: String.raw`^[vV]?(?<version>\d+(?:\.\d+)*)(?<compatibility>.*)$`,
    },
    // Renovate ignores the `changelogUrl` of a release.
    {
      ...ofIndex,
      changelogUrl: `${releasesUrl}/{{{replace '/.*' '' packageName}}}.html#v{{{newVersion}}}`,
    },
    // Renovate's own managers take an image's digest for a part of its version.
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
    // The rule of variants compares without the suffix, so the latest version would be above the tag `latest`.
    yield { ...ofName, ...belowComment, respectLatest: false };
  }

  const fixes = releases.filter(({ isTrustedFix }) => isTrustedFix);
  if (fixes.length > 0) {
    // A fix that the definition states does not wait. Renovate sets only `version` while it filters by age, and `newVersion` later.
    const spellings = fixes.flatMap(({ version }) => [version, removePrefix(version)]);
    const names = JSON.stringify([...new Set(spellings)]);
    const matchJsonata = [`version in ${names} or newVersion in ${names}`];
    yield { ...ofName, matchJsonata, minimumReleaseAge: '0 days' };
  }

  const other = findComponent(component.replacedBy, index);
  if (other?.latest !== undefined) {
    yield {
      ...ofName,
      ...belowComment,
      // If no release is found, Renovate proposes a replacement only if the versioning accepts no version.
      ...(latest === undefined && { versioning: 'regex:^(?<major>none)$' }),
      // Only names without a file: the other component has other files.
      matchPackageNames: listNames(component),
      replacementName: other.component,
      replacementVersion: removePrefix(other.latest),
    };
    const changelogUrl = `${releasesUrl}/${other.component}.html`;
    yield { ...ofName, matchUpdateTypes: ['replacement'], changelogUrl };
  }
}

/**
 * Creates the preset that reads images from the index if their registry states no days, so that a `minimumReleaseAge` ends. It is
 * separate, because Renovate then applies no rules for `docker` to these images.
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

/** Docker Hub states days, and an image without a registry is on Docker Hub. */
const undatedRegistry = /^https?:\/\/(?!(?:[^/]*\.)?docker\.(?:io|com)(?:[/:]|$))/i;

/** Creates a rule for each image of a component whose registry states no days. */
function createImageRules(
  { component, latest, sources }: Component,
  overrideDatasource: string,
): object[] {
  if (latest === undefined) {
    return [];
  }

  const images = sources.filter(
    ({ datasource, registryUrl = '', extractVersion }) =>
      datasource === 'docker' && !extractVersion && undatedRegistry.test(registryUrl),
  );
  return images.map((image) => ({
    ...findConditions(image),
    // Moving tags (`1.2`) and variants (`1.2-alpine`) are not in the index.
    matchCurrentValue: `/^${escapePattern(latest).replaceAll(/\d+/g, '\\d+')}$/`,
    // A custom datasource has no digests. Both conditions are in one expression, because Renovate joins several by "or".
    matchJsonata: ['$not($exists(currentDigest) or pinDigests = true)'],
    overrideDatasource,
    overridePackageName: component,
    // Otherwise Renovate would ask the registry that a manager found in the file.
    registryUrls: [],
  }));
}
