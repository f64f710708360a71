/** `renovate/days.json`: reads images from the index whose registry states no days, so that a `minimumReleaseAge` ends. */
import type { Index } from '../../core/judged-index.ts';
import type { Component } from '../../core/schema/published.ts';
import { escapePattern } from '../../core/text.ts';
import { findConditions } from './conditions.ts';
import { renovateSchema } from './preset.ts';

/** A preset of its own, since Renovate then applies no rules for `docker` to these images. */
export function createDaysPreset({ settings, components }: Index): object {
  const datasource = `custom.${settings.datasource}`;
  return {
    $schema: renovateSchema,
    description: [
      `Extend it after renovate.json: reads images whose registry states no days from ${settings.title}. Your rules for docker, or for the name of such an image, then no longer apply to it; write them for ${datasource} and the name of the component.`,
    ],
    packageRules: components.flatMap((component) =>
      listUndatedImages(component).map((conditions) => ({
        ...conditions,
        overrideDatasource: datasource,
        overridePackageName: component.component,
        // Else Renovate would ask the registry that a manager found in the file.
        registryUrls: [],
      })),
    ),
  };
}

/** Docker Hub states days. */
const undatedRegistry = /^https?:\/\/(?!(?:[^/]*\.)?docker\.(?:io|com)(?:[/:]|$))/i;

function listUndatedImages({ latest = '', sources }: Component): object[] {
  const images = sources.filter(
    ({ datasource, registryUrl = '', extractVersion }) =>
      datasource === 'docker' && !extractVersion && undatedRegistry.test(registryUrl),
  );
  // Moving tags (`1.2`) and variants (`1.2-alpine`) are not in the index.
  const matchCurrentValue = `/^${escapePattern(latest).replaceAll(/\d+/g, '\\d+')}$/`;
  // One expression: Renovate joins several by "or". A custom datasource has no digests.
  const matchJsonata = ['$not($exists(currentDigest) or pinDigests = true)'];
  return latest === ''
    ? []
    : images.map((image) => ({ ...findConditions(image)[0], matchCurrentValue, matchJsonata }));
}
