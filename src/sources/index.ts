/** What do upstreams list? One table of datasources, and one function for each question. */
import pLimit from 'p-limit';
import type { DatasourceName } from '../core/datasources.ts';
import type { Source } from '../core/schema/definition.ts';
import type { SupportSource } from '../core/schema/policy.ts';
import { toLine } from '../core/text.ts';
import { isAbsent, SourceError } from './http/failures.ts';
import { checkRelease, checkReleases } from './read-releases.ts';
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
import { maven } from './registries/maven.ts';
import { npm } from './registries/npm.ts';
import { nuget } from './registries/nuget.ts';
import { osv } from './registries/osv.ts';
import { page } from './registries/page.ts';
import { pypi } from './registries/pypi.ts';
import type { Datasource, PackageDescription, SourceAnswer, SourceContext } from './types.ts';
import { leaveOutMovingTags } from './versions.ts';

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

/** The schemas of definitions require the keys that each datasource reads. */
function findDatasource({ datasource }: Source) {
  return datasources[datasource] as Datasource<Source>;
}

/** All that a source lists. Throws `SourceError` if it has no usable answer. */
export async function listReleases(source: Source, context: SourceContext): Promise<SourceAnswer> {
  const answer = await findDatasource(source).list(source, context);
  return { ...answer, deprecated: answer.deprecated && toLine(answer.deprecated, 500) };
}

/** The release lines that a source of support states. */
export function listLines(source: SupportSource, context: SourceContext): Promise<SourceAnswer> {
  return (lineSources[source.datasource] as Datasource<SupportSource>).list(source, context);
}

export function describePackage(
  source: Source,
  context: SourceContext,
): Promise<PackageDescription> | undefined {
  return findDatasource(source).describe?.(source, context);
}

/** Failures in a row after which the rest is left for the next run: thousands of requests would each wait in vain. */
const toleratedFailures = 3;

interface ListedRelease {
  /** As upstream knows it. */
  name: string;
  version: string;
  releaseTimestamp?: string | undefined;
  digests?: string[] | undefined;
}

/**
 * The releases with the facts that their list lacks, where they are unknown; without those that upstream lists but does not have, and
 * tags that point to another release.
 */
export async function lookUpFacts<R extends ListedRelease>(
  source: Source,
  releases: readonly R[],
  isUnknown: (release: R) => boolean,
  context: SourceContext,
): Promise<{ releases: R[]; notes: string[] }> {
  const { lookUp } = findDatasource(source);
  const notes: string[] = [];
  let failures = 0;

  async function complete(release: R): Promise<R | undefined> {
    const { name: version, releaseTimestamp, digests } = release;
    const isAsked = releaseTimestamp === undefined && isUnknown(release);
    if (!lookUp || !isAsked || failures >= toleratedFailures) {
      return release;
    }

    try {
      const facts = await lookUp(source, { version, digests }, context);
      failures = 0;
      if (facts === 'absent') {
        notes.push(`lists ${version}, but has nothing to download. Left out.`);
        return undefined;
      }

      const checked = checkRelease({ version, digests, ...facts }, context.day);
      notes.push(...checked.notes);
      return {
        ...release,
        releaseTimestamp: checked.release.releaseTimestamp,
        digests: checked.release.digests,
      };
    } catch (error) {
      if (!(error instanceof SourceError)) {
        throw error;
      }

      // An absent document is an answer: it has no day.
      if (!isAbsent(error)) {
        failures += 1;
        notes.push(
          `the day of ${version} could not be asked for (${error.message}). The next run asks again.`,
        );
      }
      return release;
    }
  }

  const completed = lookUp ? await pLimit(8).map(releases, complete) : releases;
  const present = completed.filter((release) => release !== undefined);
  const recorded = context.recorded?.releases ?? [];
  return {
    releases: source.datasource === 'docker' ? leaveOutMovingTags(present, recorded) : present,
    notes,
  };
}
