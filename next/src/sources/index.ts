import pLimit from 'p-limit';
import type {
  SourceAnswer,
  SourceContext,
  SourceRelease,
  Datasource,
  PackageDescription,
} from './types.ts';
import { checkRelease } from './documents.ts';
import { isAbsent, SourceError } from './http/failures.ts';
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

interface StaticSource {
  releases: {
    version: string;
    releaseTimestamp?: string;
    changelogUrl?: string;
    deprecated?: string;
    isStable?: boolean;
  }[];
}

/** The releases are written in the definition itself. */
const staticSource: Datasource<StaticSource> = {
  async list({ releases }, { day }) {
    const notes: string[] = [];
    return {
      releases: releases.map(({ isStable, ...release }) =>
        checkRelease(
          { ...release, isPrerelease: isStable === undefined ? undefined : !isStable },
          day,
          notes,
        ),
      ),
      notes,
    };
  },
};

const datasources: Record<string, Datasource<any>> = {
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

const lineSources: Record<string, Datasource<any>> = {
  'endoflife-date': endoflifeLines,
  json: jsonLines,
};

interface Source {
  datasource: string;
}

/** All that a source lists. Throws `SourceError` if it has no usable answer. */
export function listReleases(source: Source, context: SourceContext): Promise<SourceAnswer> {
  return datasources[source.datasource]!.list(source, context);
}

/** The release lines that a source of support states. */
export function listLines(source: Source, context: SourceContext): Promise<SourceAnswer> {
  return lineSources[source.datasource]!.list(source, context);
}

export function describePackage(
  source: Source,
  context: SourceContext,
): Promise<PackageDescription> | undefined {
  return datasources[source.datasource]!.describe?.(source, context);
}

/** Failures in a row after which the rest is left for the next run: thousands of requests would each wait in vain. */
const toleratedFailures = 3;

/** Adds the facts that the list lacks to releases that are new, without those that upstream lists but does not have. */
export async function lookUpFacts(
  source: Source,
  releases: readonly SourceRelease[],
  context: SourceContext,
) {
  const { lookUp } = datasources[source.datasource]!;
  const notes: string[] = [];
  let failures = 0;

  async function complete(release: SourceRelease): Promise<SourceRelease | undefined> {
    if (!lookUp || release.releaseTimestamp !== undefined || failures >= toleratedFailures) {
      return release;
    }

    try {
      const facts = await lookUp(source, release, context);
      failures = 0;
      if (facts !== 'absent') {
        return checkRelease({ ...release, ...facts }, context.day, notes);
      }

      notes.push(`lists ${release.version}, but has nothing to download. Left out.`);
      return undefined;
    } catch (error) {
      if (!(error instanceof SourceError)) {
        throw error;
      }

      // An absent document is an answer: it has no day.
      if (!isAbsent(error)) {
        failures += 1;
        notes.push(
          `the day of ${release.version} could not be asked for (${error.message}). The next run asks again.`,
        );
      }
      return release;
    }
  }

  const completed = await pLimit(8).map(releases, complete);
  return { releases: completed.filter((release) => release !== undefined), notes };
}
