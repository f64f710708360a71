/** All datasources, and the one way to ask them. */
import { nameOsvPackage, type DatasourceName, type PackageOfSource } from '../core/datasources.ts';
import type { Definition, Source } from '../core/schema/definition.ts';
import type { SupportSource } from '../core/schema/policy.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import { selectAnswer, type SelectedAnswer } from './answer.ts';
import { readNpmConfig } from './http/npm-config.ts';
import { lookUpFacts, type LookUpContext } from './look-up.ts';
import { checkReleases } from './check-release.ts';
import { readList } from './requests.ts';
import { crate } from './registries/crate.ts';
import { docker } from './registries/docker.ts';
import { endoflifeLines } from './registries/endoflife-date.ts';
import { gitTags } from './registries/git-tags.ts';
import { go } from './registries/go.ts';
import { helm } from './registries/helm.ts';
import { json, jsonLines } from './registries/json.ts';
import {
  githubReleases,
  githubTags,
  gitlabReleases,
  gitlabTags,
  rubygems,
} from './registries/lists.ts';
import { maven, mavenCentral } from './registries/maven.ts';
import { npm } from './registries/npm.ts';
import { nuget } from './registries/nuget.ts';
import { osv } from './registries/osv.ts';
import { page } from './registries/page.ts';
import { pypi } from './registries/pypi.ts';
import type { Datasource } from './types.ts';

/** The releases are written in the definition itself. */
const staticSource: Datasource<Source> = {
  async list({ releases = [] }, { day }) {
    const stated = releases.map(({ isStable, digest, ...release }) => ({
      ...release,
      digests: [digest],
      isPrerelease: isStable === undefined ? undefined : !isStable,
    }));
    return checkReleases(stated, day);
  },
};

const datasources: Record<DatasourceName, Datasource<never>> = {
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
  osv,
};

const lineSources: Record<SupportSource['datasource'], Datasource<never>> = {
  'endoflife-date': endoflifeLines,
  json: jsonLines,
};

/** The datasource of a source. Its schema has required the keys that this datasource reads. */
export function findDatasource({ datasource }: Source): Datasource<Source> {
  return datasources[datasource];
}

/** Tests whether a package may be in a registry that is not public. If a source names one, only those of npm and Maven are recognised. */
export function createPrivacyTest(): (source: PackageOfSource) => boolean {
  const npm = readNpmConfig();
  return ({ datasource, packageName = '', registryUrl }) => {
    const isNpm = datasource === 'npm';
    // Other defaults are as public as Maven's.
    const registry = registryUrl ?? (isNpm ? npm.findRegistry(packageName) : mavenCentral);
    const publicRegistry = isNpm ? npm.findPublicRegistry() : mavenCentral;
    return registry.replace(/\/?$/, '/') !== publicRegistry;
  };
}

/** A source of releases and advisories, or one of release lines: their datasources may have one name. */
export type AskedSource = { id: string } & (
  { kind: 'releases'; source: Source } | { kind: 'lines'; source: SupportSource }
);

type Question = AskedSource & {
  definition: Pick<Definition, 'sources' | 'prereleases'>;
  recorded: Recorded;
  /** It is asked in another way than before. */
  isChanged?: boolean;
};

/** What the definition admits of all that a source lists. Throws `SourceError` if the source has no usable answer. */
export async function ask(
  question: Question,
  run: Pick<LookUpContext, 'http' | 'root' | 'day' | 'enough'>,
): Promise<SelectedAnswer> {
  const { id, source, definition, recorded, isChanged = false } = question;
  const { sources, prereleases } = definition;
  const packages = sources.flatMap((each) => nameOsvPackage(each) ?? []);
  const context = { ...run, id, packages, recorded };
  const datasource: Datasource<typeof source> =
    question.kind === 'releases'
      ? findDatasource(question.source)
      : lineSources[question.source.datasource];

  const listed = await readList(run.http, isChanged, (http) =>
    datasource.list(source, { ...context, http }),
  );
  const answer = selectAnswer(listed, { ...source, prereleases });
  const { releases, findings, isCut } = await lookUpFacts(
    datasource,
    source,
    answer.releases,
    context,
  );
  return {
    ...answer,
    releases: datasource.select?.(releases, recorded.releases) ?? releases,
    isCut,
    findings: [...answer.findings, ...findings],
  };
}
