/**
 * Lists all datasources. `ask` requests a source's list of releases or release lines. Then it requests what the list lacks about each
 * release, such as its date.
 */
import pLimit from 'p-limit';
import { type DatasourceName, nameOsvPackage, type PackageOfSource } from '../core/datasources.ts';
import { addDays, toDay, type Day } from '../core/day.ts';
import type { SupportSource } from '../core/schema/policy.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import type { Definition, Source } from '../core/schema/written.ts';
import { formatShare } from '../core/text.ts';
import { keyText } from '../core/version.ts';
import { selectAnswer, type SelectedRelease } from './answer.ts';
import type { Http, HttpResponse } from './http/client.ts';
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

/** A source whose releases are written in the definition itself. */
const staticSource: Datasource<Source> = {
  async list({ releases = [] }) {
    const stated = releases.map(({ isStable, digest, ...release }) => ({
      ...release,
      digests: [digest],
      isPrerelease: isStable === undefined ? undefined : !isStable,
    }));
    return { releases: stated, notes: [] };
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

/** Finds the datasource of a source. The schema has checked that the source has the keys which its datasource needs. */
export function findDatasource({ datasource }: Source): Datasource<Source> {
  return datasources[datasource];
}

/**
 * Returns a function that tells whether a package may be in a private registry. A registry in `registryUrl` counts as private, unless it is
 * the public registry of npm or Maven.
 */
export function createPrivacyTest(): (source: PackageOfSource) => boolean {
  const npm = readNpmConfig();
  return ({ datasource, packageName = '', registryUrl }) => {
    const isNpm = datasource === 'npm';
    // Only npm can have another default registry, which may be private. For all other datasources, Maven Central stands for their public
    // default registry.
    const registry = registryUrl ?? (isNpm ? npm.findRegistry(packageName) : mavenCentral);
    const publicRegistry = isNpm ? npm.findPublicRegistry() : mavenCentral;
    return registry.replace(/\/?$/, '/') !== publicRegistry;
  };
}

/** A source of releases and advisories, or a source of release lines. Datasources of the two kinds may have the same name. */
export type AskedSource = { id: string } & (
  { kind: 'releases'; source: Source } | { kind: 'lines'; source: SupportSource }
);

type Question = AskedSource & {
  definition: Pick<Definition, 'sources' | 'prereleases'>;
  recorded: Recorded;
  /** Whether the definition of the source has changed since its last answer. */
  isChanged?: boolean;
};

/** Asks a source. Returns the releases that the definition allows. Throws `SourceError` if the source has no usable answer. */
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

  let first: HttpResponse | undefined;
  const listed = await readList(run.http, isChanged, (http) => {
    const fetch: Http['fetch'] = async (request) => {
      const response = await http.fetch(request);
      first ??= response;
      return response;
    };
    return datasource.list(source, { ...context, http: { ...http, fetch } });
  });
  const ownList = findOwnList(source);
  const checked = checkAnswer(listed, run.day, ownList !== undefined);
  const answer = selectAnswer(checked, { ...source, prereleases });
  const { releases, notes, isCut } = await lookUpFacts(
    datasource,
    source,
    answer.releases,
    context,
  );
  return {
    ...answer,
    ownList,
    movedTo: findMove(source, first),
    releases: datasource.select?.(releases, recorded.releases) ?? releases,
    /** Whether releases are left out because this run had no time to look them up. The next run looks them up. */
    isCut,
    notes: [...answer.notes, ...describePlanned(answer.releases, recorded), ...notes],
  };
}

/** Where the owner of the index writes a list: in the definition, or in a file of the index. Undefined for all other lists. */
export function findOwnList({
  datasource,
  file,
}: {
  readonly datasource: string;
  readonly file?: string | undefined;
}): 'static' | 'file' | undefined {
  if (datasource === 'static') {
    return 'static';
  }
  return file === undefined ? undefined : 'file';
}

/** Says from which day on planned releases will be listed. A recorded release stays listed, even if its date is now in the future. */
function describePlanned(releases: readonly SelectedRelease[], recorded: Recorded): string[] {
  const planned = releases.filter(({ plannedFor }) => plannedFor !== undefined);
  const days = new Map(
    planned.length === 0
      ? []
      : recorded.releases.map((each) => [keyText(each.version), each.releaseTimestamp]),
  );
  return planned.map(({ version, plannedFor }) => {
    const key = keyText(version);
    const former = days.get(key);
    const stays = `is listed already${former ? `, with the day ${toDay(former)}` : ''}, so it stays, although its list now gives ${plannedFor}`;
    return `${version} ${days.has(key) ? stays : `is planned: it will be listed from ${plannedFor} on`}`;
  });
}

/**
 * Returns the URL to which a list has permanently moved. Many registries redirect to another spelling of a package. So a redirect at the
 * same host counts only in these cases:
 * - The definition gives the `url` of the list.
 * - The datasource is GitHub, GitLab or Git, because repositories are renamed.
 */
function findMove(
  { datasource, url }: { datasource: string; url?: string | undefined },
  response: HttpResponse | undefined,
): string | undefined {
  const { from, movedTo } = response ?? {};
  const isOther = movedTo && URL.parse(movedTo)?.origin !== URL.parse(from ?? '')?.origin;
  return url !== undefined || isOther || datasource.startsWith('git') ? movedTo : undefined;
}

/* Requests the facts that a source's list lacks, release by release. */

/**
 * After this many failures in a row, the next run looks up the remaining releases. Otherwise thousands of requests might each wait in vain.
 */
const toleratedFailures = 3;

/** The result of looking up one release. */
interface Outcome {
  /** Absent if upstream lists the release, but has nothing to download for it. */
  release?: SelectedRelease;
  notes?: string[];
  /** Whether the run had no time for this look-up. */
  isLeft?: boolean;
}

interface LookUpContext extends SourceContext {
  /** The id of the source. */
  id: string;
  recorded: Recorded;
  /** Is aborted when the time for look-ups is over. The answer then contains the facts known so far. */
  enough: AbortSignal;
}

/**
 * Adds the facts that neither the list nor the recorded data has.
 * - Drops releases for which upstream has nothing to download.
 * - Begins with the highest version, so that the moving tag `1.25` comes after `1.25.3`.
 * - If time runs out, leaves new releases for the next run.
 */
async function lookUpFacts<Source>(
  { lookUp }: Datasource<Source>,
  source: Source,
  releases: SelectedRelease[],
  context: LookUpContext,
) {
  if (!lookUp) {
    return { releases, notes: [], isCut: false };
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
      // If upstream answers that the document does not exist, the release has no date.
      if (isAbsent(error)) {
        return { release };
      }
      if (!(error instanceof SourceError)) {
        throw error;
      }

      failures += 1;
      const note = `the day of ${version} is unknown, because ${error.message}. The next run asks again.`;
      return { release, notes: [note] };
    }
  });

  return cutOff(outcomes, recorded.releases);
}

/** The number of days on which a missing release date is requested again. */
const daysToAskAgain = 7;

/** Lists the version keys of releases that need no look-up. Their date is recorded, or the source has listed them for a week. */
function listSettled({ id, recorded, day }: LookUpContext): Set<string> {
  const from = addDays(day, -daysToAskAgain);
  const settled = recorded.releases.filter(({ timestampKind, firstSeen, sources }) => {
    const isOld = firstSeen === undefined || firstSeen < from;
    return timestampKind === 'published' || (isOld && sources.includes(id));
  });
  return new Set(settled.map(({ version }) => keyText(version)));
}

/**
 * Returns the result of `work`. As soon as the signal is aborted, throws its reason, and does not wait for `work`. If the signal is aborted
 * before, does not begin `work`.
 */
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
    return { notes: [`lists ${version}, but has nothing to download. Left out.`] };
  }

  const { notes, release: checked } = checkRelease({ version, digests, ...facts }, day);
  const { releaseTimestamp } = checked;
  return { release: { ...release, releaseTimestamp, digests: checked.digests }, notes };
}

/**
 * Leaves out unrecorded releases after the first release that was not looked up. Example: releases are looked up in the order 1.25.3, 1.25.
 * Until 1.25.3 is looked up, nobody knows whether 1.25 is a moving tag that points to it.
 */
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
  const cut = `${formatShare(left, newestFirst.length)} releases could not be looked up in time. The next run goes on.`;
  return {
    releases: kept.flatMap(({ release }) => release ?? []).reverse(),
    notes: [...(left > 0 ? [cut] : []), ...kept.flatMap(({ notes = [] }) => notes)],
    /** Whether releases are left for the next run. */
    isCut: left > 0,
  };
}
