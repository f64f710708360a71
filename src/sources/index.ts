/** All datasources, and the one way to ask them: for a list, then for the facts that it lacks. */
import pLimit from 'p-limit';
import { type DatasourceName, nameOsvPackage, type PackageOfSource } from '../core/datasources.ts';
import { addDays, type Day } from '../core/day.ts';
import type { SupportSource } from '../core/schema/policy.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import type { Definition, Source } from '../core/schema/written.ts';
import { keyText } from '../core/version.ts';
import { selectAnswer, type SelectedRelease } from './answer.ts';
import { readNpmConfig } from './http/credentials.ts';
import { isAbsent, SourceError } from './http/failures.ts';
import { checkAnswer, checkRelease } from './read-releases.ts';
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
import { forgetWrong, readList } from './requests.ts';
import type { Datasource, LookedUpFacts, SourceContext } from './types.ts';

/** The releases are written in the definition itself. */
const staticSource: Datasource<Source> = {
  async list({ releases = [] }) {
    const stated = releases.map(({ isStable, digest, ...release }) => ({
      ...release,
      digests: [digest],
      isPrerelease: isStable === undefined ? undefined : !isStable,
    }));
    return { releases: stated, findings: [] };
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
) {
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
  const answer = selectAnswer(checkAnswer(listed, run.day), { ...source, prereleases });
  const { releases, findings, isCut } = await lookUpFacts(
    datasource,
    source,
    answer.releases,
    context,
  );
  return {
    ...answer,
    releases: datasource.select?.(releases, recorded.releases) ?? releases,
    /** Some of them are left for the next run, which has to look them up. */
    isCut,
    findings: [...answer.findings, ...findings],
  };
}

/* Asks for the facts that the list of a source lacks, release by release. */

/** Failures in a row after which the rest is left for the next run: thousands of requests would each wait in vain. */
const toleratedFailures = 3;

/** What became of a release. */
interface Outcome {
  /** Absent where upstream lists it, but does not have it. */
  release?: SelectedRelease;
  findings?: string[];
  /** The run had no time for it. */
  isLeft?: boolean;
}

interface LookUpContext extends SourceContext {
  /** The id of the source. */
  id: string;
  recorded: Recorded;
  /** Aborted when no further release is looked up: the answer is what is known by then. */
  enough: AbortSignal;
}

/**
 * The releases with the facts that their list lacks, where they are unknown; without those that upstream lists but does not have. The
 * newest are looked up first: a moving tag such as `1.25` after all that it may stand for. What there was no time for is left out if it is
 * new.
 */
async function lookUpFacts<Source>(
  { lookUp }: Datasource<Source>,
  source: Source,
  releases: SelectedRelease[],
  context: LookUpContext,
) {
  if (!lookUp) {
    return { releases, findings: [], isCut: false };
  }

  const { recorded, day, enough } = context;
  const settled = listSettled(context);
  let failures = 0;
  const newestFirst = releases.toReversed();
  const outcomes = await pLimit(8).map(newestFirst, async (release): Promise<Outcome> => {
    const { name: version, releaseTimestamp, digests } = release;
    const isSettled = releaseTimestamp !== undefined || settled.has(keyText(release.version));
    if (isSettled || failures >= toleratedFailures) {
      return { release };
    }

    try {
      const facts = await orAbort(enough, () =>
        forgetWrong(context.http, (http) =>
          lookUp(source, { version, digests }, { ...context, http }),
        ),
      );
      failures = 0;
      return addFacts(release, facts, day);
    } catch (error) {
      if (error === enough.reason) {
        return { release, isLeft: true };
      }
      // An absent document is an answer: it has no day.
      if (isAbsent(error)) {
        return { release };
      }
      if (!(error instanceof SourceError)) {
        throw error;
      }

      failures += 1;
      const finding = `the day of ${version} could not be asked for (${error.message}). The next run asks again.`;
      return { release, findings: [finding] };
    }
  });

  return cutOff(outcomes, recorded.releases);
}

/** A day that could not be read is asked for again for a week. */
const daysToAskAgain = 7;

/** The keys of releases whose day is recorded, or that the source has listed for a week. */
function listSettled({ id, recorded, day }: LookUpContext): Set<string> {
  const from = addDays(day, -daysToAskAgain);
  const settled = recorded.releases.filter(({ timestampKind, firstSeen, sources }) => {
    const isOld = firstSeen === undefined || firstSeen < from;
    return timestampKind === 'published' || (isOld && sources.includes(id));
  });
  return new Set(settled.map(({ version }) => keyText(version)));
}

/** What some work results in. Throws the reason of the signal if it is aborted before: then nothing is begun, or waited for. */
export async function orAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function addFacts(release: SelectedRelease, facts: LookedUpFacts | 'absent', day: Day): Outcome {
  const { name: version, digests } = release;
  if (facts === 'absent') {
    return { findings: [`lists ${version}, but has nothing to download. Left out.`] };
  }

  const { findings, release: checked } = checkRelease({ version, digests, ...facts }, day);
  const { releaseTimestamp } = checked;
  return { release: { ...release, releaseTimestamp, digests: checked.digests }, findings };
}

/** All that follow what was left are left, too, unless they are recorded: a moving tag that was looked up may stand for one of these. */
function cutOff(newestFirst: readonly Outcome[], recorded: Recorded['releases']) {
  const recordedKeys = new Set(recorded.map(({ version }) => keyText(version)));
  const firstLeft = newestFirst.findIndex(({ isLeft }) => isLeft);
  const kept = newestFirst.filter(
    ({ release }, index) =>
      firstLeft === -1 ||
      index < firstLeft ||
      (release && recordedKeys.has(keyText(release.version))),
  );
  const left = newestFirst.length - kept.length;
  const cut = `${left} of ${newestFirst.length} releases could not be looked up in time. The next run goes on.`;
  return {
    releases: kept.flatMap(({ release }) => release ?? []).reverse(),
    findings: [...(left > 0 ? [cut] : []), ...kept.flatMap(({ findings = [] }) => findings)],
    /** Some are left for the next run. */
    isCut: left > 0,
  };
}
