import { isHub } from '../../../core/model/images.ts';
import type { Source } from '../../../core/schemas/definition/source.ts';
import { escapeForExpression } from '../../../core/text/expression.ts';
import type { ComponentSummary } from '../../../decide/component-summary.ts';
import { nameDatasource } from '../site-context.ts';
import {
  groupPackages,
  listSourcePackages,
  packageInNote,
  type ComponentPackage,
  type PackageGroup,
} from './package-rules.ts';
import { renderPresetFile, type PresetSite } from './preset.ts';
import { renderTable, writeTableLookup } from './text-table.ts';

export type ImageComponent = Pick<ComponentSummary, 'name' | 'latest' | 'packageSources'>;

/**
 * `renovate/days.json`: reads images from the index whose registry states no days, so that a `minimumReleaseAge` ends. Renovate
 * then applies no rules for `docker` or for the image any more, so it is a preset of its own.
 */
export function renderDaysPreset(site: PresetSite, components: readonly ImageComponent[]): string {
  const datasource = nameDatasource(site);
  const description = [
    `Reads images from ${site.config.title} whose registry states no release days, so that a minimumReleaseAge ends. Extend it after ${site.baseUrl}/renovate.json.`,
    `The price: your rules for the datasource docker or for the name of such an image no longer apply to it. Write them for the datasource ${datasource} and the name of the component. A tag with a digest, and a tag of another form than the newest version, stay with their registry.`,
  ];
  const groups = groupPackages(components.flatMap(listUndatedImages));
  const packageRules = groups.map(({ conditions, packages }) => ({
    ...conditions,
    overrideDatasource: datasource,
    overridePackageName: writeComponentName(packages),
    // Otherwise Renovate would ask the registries that a manager found in a file (lib/modules/datasource/index.ts).
    registryUrls: [],
  }));
  return renderPresetFile(description, { packageRules });
}

/** The images that `renovate/days.json` reads from the index. */
export function listUndatedImages({
  name,
  latest,
  packageSources,
}: ImageComponent): ComponentPackage[] {
  if (!latest) {
    return [];
  }

  const tags = limitTags(latest.version);
  return listSourcePackages(name, packageSources.filter(isUndatedImage)).map(
    ({ conditions, component }) => ({ conditions: { ...conditions, ...tags }, component }),
  );
}

/** Docker Hub states days. */
function isUndatedImage({ datasource, registryUrl, extractVersion }: Source): boolean {
  return (
    datasource === 'docker' &&
    registryUrl !== undefined &&
    !isHub(new URL(registryUrl).hostname) &&
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

/** The name of the component; a Handlebars template if the packages belong to several. */
function writeComponentName(packages: PackageGroup['packages']): string {
  const [component = '', ...others] = new Set(packages.values());
  if (others.length === 0) {
    return component;
  }

  const expression = writeTableLookup(`"${renderTable(packages)}"`, packageInNote);
  return `{{#with ${expression} as |name|}}{{{name}}}{{/with}}`;
}
