/** `renovate.json`: a preset that needs nothing else in a user's configuration. */
import type { Problem } from '../../core/errors.ts';
import type { Component } from '../../core/schema/published.ts';
import { findComponent, type Index } from '../load-index.ts';
import { belowComment, createCommentManagers, ownPresets } from './comments.ts';
import { describeComment, listNames } from './conditions.ts';
import { createNoteRules } from './note-rules.ts';
import { removePrefix } from './notes.ts';

export const presetSchema = 'https://docs.renovatebot.com/renovate-schema.json';

export function createPreset(index: Index): { preset: object; warnings: Problem[] } {
  const { datasource, releasesUrl, title } = index.settings;
  const { rules, warnings } = createNoteRules(index);
  const preset = {
    $schema: presetSchema,
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

/** Suffixes that name no variant. */
const prereleases =
  'alpha|beta|rc|cr|snapshot|dev|pre|prerelease|preview|eap|ea|canary|nightly|next|milestone|experimental|insiders|insider|unstable';

function createSharedRules({ settings, components }: Index): object[] {
  const { datasource, releasesUrl } = settings;
  const ofIndex = { matchDatasources: [`custom.${datasource}`] };
  const ofComment = { ...ofIndex, ...belowComment };
  const supported = components.filter(({ lines }) => lines.some(({ isSupported }) => isSupported));
  return [
    // A jump of 500 majors is no mistake: a component may go from 4.5 to 2027.1.
    { ...ofIndex, maxMajorIncrement: 0, rollbackPrs: false },
    { ...ofComment, versioning: 'loose', versionCompatibility: '^[vV]?(?<version>.+)$' },
    // Of a variant, only releases with the same suffix are candidates.
    {
      ...ofComment,
      matchCurrentValue: suffixed,
      matchJsonata: [`$not($contains(currentValue, /[^a-z](?:${prereleases})(?:[^a-z]|$)/i))`],
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
    { ...ofIndex, matchPackageNames: supported.flatMap(listNames), abandonmentThreshold: null },
  ];
}

/** The rules for its name in a comment. */
function* createComponentRules(component: Component, index: Index): Generator<object> {
  const { latest, releases } = component;
  const { datasource, releasesUrl } = index.settings;
  const ofName = describeComment([component], datasource);
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
