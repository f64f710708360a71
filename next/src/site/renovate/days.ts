/** `renovate/days.json`: reads images from the index whose registry states no days, so that a `minimumReleaseAge` ends. */
import { findRenovateConditions } from './conditions.ts';
import type { Index } from '../../core/judged-index.ts';
import type { Component } from '../../core/schema/published.ts';
import { escapePattern } from '../../core/text.ts';
import { renovateSchema } from './preset.ts';

/** A preset of its own, since Renovate then applies no rules for `docker` to these images. */
export function createDaysPreset({ settings, components }: Index): object {
  const { title, releasesUrl } = settings;
  const datasource = `custom.${settings.datasource}`;
  return {
    $schema: renovateSchema,
    description: [
      `Reads images whose registry states no days from ${title}, so that a minimumReleaseAge ends. Extend it after ${releasesUrl}/renovate.json.`,
      `The price: your rules for docker, or for the name of such an image, no longer apply to it. Write them for ${datasource} and the name of the component.`,
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

function listUndatedImages({ latest, sources }: Component): object[] {
  if (latest === undefined) {
    return [];
  }

  const images = sources.filter(
    ({ datasource, registryUrl = '', extractVersion }) =>
      datasource === 'docker' &&
      extractVersion === undefined &&
      // Docker Hub states days.
      /^https?:\/\/(?!(?:[^/]*\.)?docker\.(?:io|com)(?:[/:]|$))/i.test(registryUrl),
  );
  // Moving tags (`1.2`) and variants (`1.2-alpine`) are not in the index.
  const form = escapePattern(latest).replaceAll(/\d+/g, '\\d+');
  return images.map((image) => ({
    ...findRenovateConditions(image),
    matchCurrentValue: `/^${form}$/`,
    // One expression: Renovate joins several by "or". A custom datasource has no digests.
    matchJsonata: ['$not($exists(currentDigest) or pinDigests = true)'],
  }));
}
