import type { Datasource, Source } from '../../core/schemas/source-schema.ts';
import { crate } from './crate.ts';
import { docker } from './docker.ts';
import { githubReleases } from './github-releases.ts';
import { githubTags } from './github-tags.ts';
import { gitTags } from './git-tags.ts';
import { gitlabReleases } from './gitlab-releases.ts';
import { gitlabTags } from './gitlab-tags.ts';
import { go } from './go.ts';
import { helm } from './helm.ts';
import { json } from './json.ts';
import { maven } from './maven.ts';
import { npm } from './npm.ts';
import { nuget } from './nuget.ts';
import { page } from './page.ts';
import { pypi } from './pypi.ts';
import { rubygems } from './rubygems.ts';
import type {
  DescribeContext,
  PackageDescription,
  SourceAdapter,
  SourceContext,
  SourceRelease,
} from './source.ts';
import { staticSource } from './static.ts';

/** Every datasource that a definition can name; one without an adapter does not compile. */
export const sources = {
  npm,
  maven,
  pypi,
  docker,
  helm,
  'github-releases': githubReleases,
  'github-tags': githubTags,
  'gitlab-releases': gitlabReleases,
  'gitlab-tags': gitlabTags,
  'git-tags': gitTags,
  nuget,
  crate,
  rubygems,
  go,
  json,
  page,
  static: staticSource,
} satisfies { [D in Datasource]: SourceAdapter<D> };

export function gatherSource(source: Source, context: SourceContext): Promise<SourceRelease[]> {
  // The table maps each datasource to the adapter of its own coordinates, which TypeScript cannot follow through an index.
  return (sources[source.datasource] as SourceAdapter<Datasource>).gather(source, context);
}

/** What the registry says of the package; undefined where it knows nothing but versions. */
export function describePackage(
  source: Source,
  context: DescribeContext,
): Promise<PackageDescription> | undefined {
  return (sources[source.datasource] as SourceAdapter<Datasource>).describe?.(source, context);
}

/** What it means when a source does not list a version, or does not call it deprecated. */
export function capabilities(source: Source): { onlyAdds: boolean; statesDeprecation: boolean } {
  const { onlyAdds, statesDeprecation } = sources[source.datasource] as SourceAdapter<Datasource>;
  return { onlyAdds: onlyAdds === true, statesDeprecation: statesDeprecation === true };
}
