import type { ComponentSummary } from '../../decide/component.ts';
import { renovateConditions } from '../../record/sources/index.ts';
import type { RenovateConditions } from '../../record/sources/renovate.ts';

/**
 * A rule that lets Renovate's own managers (npm, maven, gradle, pip, dockerfile, helmv3, cargo, gomod, …) take the releases of a package
 * from this index. Undefined where the versions here may not be those of the package: they come from several sources or
 * are taken out of what it lists, or the registry cannot be told from another.
 *
 * `registryUrls` empties what a manager has found in a file, which would be asked instead of the index
 * (lib/modules/datasource/index.ts).
 */
export function packageRule(
  datasource: string,
  { name, latest, soleSource }: Pick<ComponentSummary, 'name' | 'latest' | 'soleSource'>,
): PackageRule | undefined {
  if (!latest || !soleSource || soleSource.extractVersion !== undefined) return undefined;
  const conditions = renovateConditions(soleSource, latest.version);
  if (!conditions) return undefined;
  return {
    ...conditions,
    overrideDatasource: datasource,
    overridePackageName: name,
    registryUrls: [],
  };
}

export interface PackageRule extends RenovateConditions {
  overrideDatasource: string;
  overridePackageName: string;
  registryUrls: never[];
}
