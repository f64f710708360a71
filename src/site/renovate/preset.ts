/** `renovate.json`: a preset that needs nothing else in a user's configuration; `renovate/days.json`. */
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
        // Renovate's `ignoreDeprecated` does not apply if the version in use is deprecated or not listed.
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
    // A jump of 500 majors is no mistake: a component may go from 4.5 to 2027.1.
    { ...ofIndex, maxMajorIncrement: 0, rollbackPrs: false },
    { ...ofComment, versioning: 'loose', versionCompatibility: '^[vV]?(?<version>.+)$' },
    // Of a variant, which no prerelease is, only releases with the same suffix are candidates.
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
    // A digest that is not in the file has no place there.
    { ...ofComment, pinDigests: false },
    // A year without a release is no sign of an end where support goes on.
    { ...matchComments(supported, datasource), abandonmentThreshold: null },
  ];
}

/** The rules for a component's name in a comment. */
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
    // A fix that the definition states does not wait. While Renovate filters by age, only `version` is set; later, `newVersion`.
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
      // Without a release to look up, Renovate proposes no replacement, unless the versioning admits none.
      ...(latest === undefined && { versioning: 'regex:^(?<major>none)$' }),
      // A comment with the name of a file has no such name in the other component.
      matchPackageNames: [component.component, ...(component.renamedFrom ?? [])],
      replacementName: other.component,
      replacementVersion: removePrefix(other.latest),
    };
    const changelogUrl = `${releasesUrl}/${other.component}.html`;
    yield { ...ofName, matchUpdateTypes: ['replacement'], changelogUrl };
  }
}

/**
 * Reads images from the index whose registry states no days, so that a `minimumReleaseAge` ends. A preset of its own, since Renovate
 * then applies no rules for `docker` to these images.
 */
export function createDaysPreset({ settings, components }: Index): object {
  const overrideDatasource = `custom.${settings.datasource}`;
  return {
    $schema,
    description: [
      `Extend it after renovate.json: reads images whose registry states no days from ${settings.title}. Your rules for docker, or for the name of such an image, then no longer apply to it; write them for ${overrideDatasource} and the name of the component.`,
    ],
    packageRules: components.flatMap((component) =>
      createImageRules(component, overrideDatasource),
    ),
  };
}

/** Docker Hub, also where no registry is named, states days. */
const undatedRegistry = /^https?:\/\/(?!(?:[^/]*\.)?docker\.(?:io|com)(?:[/:]|$))/i;

/** A rule for each image of a component. */
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
    // One expression: Renovate joins several by "or". A custom datasource has no digests.
    matchJsonata: ['$not($exists(currentDigest) or pinDigests = true)'],
    overrideDatasource,
    overridePackageName: component,
    // Else Renovate would ask the registry that a manager names in the file.
    registryUrls: [],
  }));
}
