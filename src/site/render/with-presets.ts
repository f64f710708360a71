import { escapeForExpression } from '../../core/expression.ts';
import { judgePair, type ComponentVersion } from '../../core/works-with.ts';
import { versionOfLine, type Partner, type Partners } from '../../decide/compatibility.ts';
import { datasourceOf, renovateSchema } from './preset.ts';
import type { SiteContext, SiteFile } from './site-context.ts';

/** `renovate/with/<component>-<line>.json`: for each open line of a component that others state compatibility with. */
export function renderWithPresets(
  site: Pick<SiteContext, 'config' | 'baseUrl'>,
  partners: Partners,
): SiteFile[] {
  return [...partners.values()].flatMap((partner) => {
    const stating = Object.keys(partner.statedBy ?? {}).flatMap((name) => partners.get(name) ?? []);
    const open = stating.length === 0 ? [] : partner.lines.filter(({ isOpen }) => isOpen);
    return open.map((line) => {
      const given = versionOfLine(partner, line);
      const name = `${partner.component}-${line.name}`;
      const preset = {
        $schema: renovateSchema,
        description: [`Offers no release that does not work with ${partner.title} ${line.name}.`],
        customManagers: [lineManager(site, partner.component)],
        packageRules: stating.flatMap((other) => ruleOf(site, given, other)),
      };
      return {
        path: `renovate/with/${name}.json`,
        body: `${JSON.stringify(preset, undefined, 2)}\n`,
      };
    });
  });
}

/** Allows the releases that work with the line. If none is known to work, allows all but incompatible releases. */
function ruleOf(
  site: Pick<SiteContext, 'config'>,
  given: ComponentVersion,
  other: Partner,
): object[] {
  const judged = other.lines
    .flatMap(({ releases }) => releases)
    .map((release) => ({ ...release, is: judgePair(other, release.version, given).answer }));
  const good = judged.filter(({ is }) => is === 'good');
  const offered = good.length > 0 ? good : judged.filter(({ is }) => is !== 'bad');
  if (offered.length === judged.length) {
    return [];
  }
  const versions = offered.map((release) =>
    escapeForExpression(release.version.replace(/^v/i, '')),
  );
  return [
    {
      matchDatasources: [datasourceOf(site)],
      matchPackageNames: [other.component, ...other.renamedFrom],
      allowedVersions: versions.length > 0 ? `/^v?(?:${versions.join('|')})$/` : '/^none$/',
    },
  ];
}

/** Updates the line in the address of this preset: merging that update states that the component was upgraded. */
function lineManager(site: Pick<SiteContext, 'config' | 'baseUrl'>, component: string): object {
  const address = escapeForExpression(`${site.baseUrl}/renovate/with/${component}-`);
  return {
    customType: 'regex',
    managerFilePatterns: ['/(^|/)\\.?renovate(rc)?(\\.json5?)?$/'],
    matchStrings: [`${address}(?<currentValue>\\d+(?:\\.\\d+)?)\\.json`],
    depNameTemplate: component,
    datasourceTemplate: datasourceOf(site),
    extractVersionTemplate: '^v?(?<version>\\d+(?:\\.\\d+)?)',
    versioningTemplate: 'loose',
  };
}
