/** The list of all datasources, the schema of their sources, and the adapter of each. */
import * as z from 'zod';
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
import { osv } from './osv.ts';
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
  // `map` loses that the list is not empty.
  datasources.map(({ schema }) => schema) as [Schema, ...Schema[]],
);
export type TypedSource = z.infer<typeof TypedSource>;

/**
 * An adapter of any datasource. It accepts only sources of its own schema, which TypeScript cannot infer from a name: hence the
 * casts below. `exploited` is no source of a definition, and has only `datasource` and `gather`.
 */
type Adapter = SourceAdapter<string, z.ZodRawShape, Source>;

const adapters = new Map<string, unknown>(
  [...datasources, exploited].map((adapter) => [adapter.datasource, adapter]),
);

/** The adapter of a source of a definition, or of a catalogue: both name only datasources that have one. */
export function findAdapter({ datasource }: Source): Adapter {
  return adapters.get(datasource) as Adapter;
}

const supportAdapters = {
  'endoflife-date': statedByEndoflifeDate,
  json: statedByJson,
} satisfies { [D in SupportSource['datasource']]: SupportAdapter<D> };

/** The adapter of a source of release lines. */
export function findSupportAdapter({ datasource }: SupportSource): Pick<Adapter, 'gather'> {
  return supportAdapters[datasource] as Pick<Adapter, 'gather'>;
}
