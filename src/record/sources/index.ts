import * as z from 'zod';
import { createPackagePurl, purlTypes } from '../../core/model/purl.ts';
import type { Source, SupportSource } from '../../core/schemas/definition/source.ts';
import { crate } from './crate.ts';
import type { SourceAdapter, SupportAdapter } from './datasource.ts';
import { docker } from './docker.ts';
import { endoflifeDate, statedByEndoflifeDate } from './endoflife-date.ts';
import { exploited } from './exploited.ts';
import { gitTags } from './git-tags.ts';
import { githubReleases, githubTags } from './github.ts';
import { gitlabReleases, gitlabTags } from './gitlab.ts';
import { go } from './go.ts';
import { helm } from './helm.ts';
import { json, statedByJson } from './json.ts';
import { maven } from './maven.ts';
import { npm } from './npm.ts';
import { nuget } from './nuget.ts';
import { osv, normaliseName } from './osv.ts';
import { page } from './page.ts';
import { pypi } from './pypi.ts';
import { rubygems } from './rubygems.ts';
import { staticSource } from './static.ts';

/** Every datasource that a definition can name. */
export const datasources = [
  npm,
  maven,
  pypi,
  docker,
  helm,
  githubReleases,
  githubTags,
  gitlabReleases,
  gitlabTags,
  gitTags,
  nuget,
  crate,
  rubygems,
  go,
  endoflifeDate,
  json,
  page,
  staticSource,
  osv,
] as const;

type Schema = (typeof datasources)[number]['schema'];

/** A source in a definition. */
export const TypedSource = z.discriminatedUnion(
  'datasource',
  datasources.map(({ schema }) => schema) as [Schema, ...Schema[]],
);
export type TypedSource = z.infer<typeof TypedSource>;

/** Accepts sources of its own schema. The casts below are needed because TypeScript cannot infer the schema from a datasource's name. */
type Adapter = SourceAdapter<string, z.ZodRawShape, Source>;

const adapters = new Map(
  [...datasources, exploited].map((adapter) => [
    adapter.datasource as string,
    adapter as unknown as Adapter,
  ]),
);

/** Every datasource of a definition has an adapter. */
export function findAdapter({ datasource }: Source): Adapter {
  return adapters.get(datasource)!;
}

/** The package URL of a source, without a version; undefined if it does not list a package's releases. */
export function renderPackageUrl(source: Source): string | undefined {
  const { datasource, packageName, field } = source;
  const purlType = purlTypes[datasource];

  // The application in a chart has other versions than the chart.
  if (purlType === undefined || packageName === undefined || field === 'appVersion') {
    return undefined;
  }

  return createPackagePurl(purlType, packageName);
}

const supportAdapters = {
  'endoflife-date': statedByEndoflifeDate,
  json: statedByJson,
} satisfies { [D in SupportSource['datasource']]: SupportAdapter<D> };

export function findSupportAdapter({ datasource }: SupportSource): Pick<Adapter, 'gather'> {
  return supportAdapters[datasource] as unknown as Pick<Adapter, 'gather'>;
}

/** The packages of the sources, as OSV names them. */
export function listOsvPackages(sources: readonly Source[]): { ecosystem: string; name: string }[] {
  const packages: { ecosystem: string; name: string }[] = [];

  for (const source of sources) {
    const { packageName, extractVersion } = source;
    const { osvEcosystem: ecosystem } = findAdapter(source);

    // OSV uses the registry's versions, before `extractVersion`.
    if (ecosystem && packageName !== undefined && extractVersion === undefined) {
      packages.push({ ecosystem, name: normaliseName(ecosystem, packageName) });
    }
  }

  return packages;
}

/** The datasources of packages, with an example name, and whether a definition must name the registry. */
export const packageSources = listPackageSources();

function listPackageSources() {
  const sources = [];

  for (const { shape } of TypedSource.options) {
    if ('packageName' in shape) {
      const { examples } = shape.packageName.meta() as { examples: [string] };
      const needsRegistry =
        'registryUrl' in shape && !shape.registryUrl.safeParse(undefined).success;
      sources.push({ datasource: shape.datasource.value, example: examples[0], needsRegistry });
    }
  }

  return sources;
}
