/** `renovate/days.json`: reads images from the index whose registry states no days, so that a `minimumReleaseAge` ends. */
import type { Component } from '../../core/schema/published.ts';
import { escapePattern } from '../../core/text.ts';
import type { Index } from '../load-index.ts';
import { findConditions } from './conditions.ts';
import { presetSchema } from './preset.ts';

/** A preset of its own, since Renovate then applies no rules for `docker` to these images. */
export function createDaysPreset({ settings, components }: Index): object {
  const overrideDatasource = `custom.${settings.datasource}`;
  return {
    $schema: presetSchema,
    description: [
      `Extend it after renovate.json: reads images whose registry states no days from ${settings.title}. Your rules for docker, or for the name of such an image, then no longer apply to it; write them for ${overrideDatasource} and the name of the component.`,
    ],
    packageRules: components.flatMap((component) => createRules(component, overrideDatasource)),
  };
}

/** Docker Hub, also where no registry is named, states days. */
const undatedRegistry = /^https?:\/\/(?!(?:[^/]*\.)?docker\.(?:io|com)(?:[/:]|$))/i;

/** A rule for each image of a component. */
function createRules(
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
