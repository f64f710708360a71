import { Source, type Datasource } from './source-schema.ts';

/** A datasource whose releases are those of a package. */
export interface PackageSource {
  datasource: Datasource;
  /** What its packages are called. */
  example: string;
  /** It has no registry that a definition need not name. */
  needsRegistry: boolean;
}

export const packageSources: readonly PackageSource[] = Source.options.flatMap(({ shape }) => {
  if (!('packageName' in shape)) return [];
  return {
    datasource: shape.datasource.value,
    example: (shape.packageName.meta() as { examples: [string] }).examples[0],
    needsRegistry: 'registryUrl' in shape && !shape.registryUrl.safeParse(undefined).success,
  };
});
