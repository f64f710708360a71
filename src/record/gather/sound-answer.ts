import { cutDay, findEarliestDay, type Day, type Timestamp } from '../../core/model/dates.ts';
import { dropUndefined, pick } from '../../core/model/objects.ts';
import { notice, warning, type Finding } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import {
  listSourcesListing,
  type RecordedRelease,
  type ArtifactDigests,
} from '../../core/schemas/recorded/recorded.ts';
import { isBackdated } from '../gate/rules/outliers.ts';
import type { StatedRelease } from '../sources/source-answer.ts';
import type { Answered } from './ask-source.ts';
import { digestListed } from './listed-versions.ts';
import { computeRank, indexByRank } from './version-rank.ts';
import { parseVersion, type Version } from '../../core/model/version.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';

/** The accepted answer of one source. */
export interface SoundAnswer extends Pick<
  Answered,
  'id' | 'ranks' | 'onlyAdds' | 'statesDeprecation'
> {
  releases: readonly StatedRelease[];
  /** The meaning of a version's absence from a short list: none, or its end by a person's decision. */
  absence?: 'ignored' | 'accepted' | undefined;
}

/** The recorded facts to read a source's answer with. */
export interface History {
  component: string;
  recorded: readonly RecordedRelease[];
  /** The source's last answers. */
  freshness: SourceFreshness | undefined;
  /** The versions that wait, with the day since which each waits. */
  waiting: ReadonlyMap<string, Day>;
}

/** Checks the days of an answer against recorded data. The gate decides later whether to accept it. */
export function readAnswer(
  outcome: Answered,
  history: History,
): { answer: SoundAnswer; findings: Finding[]; rejectedDays: ReadonlyMap<string, Day> } {
  const { id } = outcome;
  const { component, recorded } = history;
  const byRank = indexByRank(recorded);
  const lackedOn = findLastDayWithout(outcome, history);

  const releases: StatedRelease[] = [];
  const rejectedDays = new Map<string, Day>();
  const findings: Finding[] = [];

  for (const release of outcome.releases) {
    const { version, releaseTimestamp } = release;
    const entry = byRank.get(computeRank(release));
    const recordedDay = entry?.source === id ? entry.notListedOn : undefined;
    const notListedOn = entry ? recordedDay : computeBound(version, lackedOn, history);

    if (notListedOn === undefined) {
      releases.push(release);
    } else if (releaseTimestamp === undefined || !isBackdated(release, notListedOn)) {
      releases.push({ ...release, notListedOn });
    } else {
      // A backdated release would pass rules on a minimum age, and end the support of older lines.
      releases.push(dropUndefined({ ...release, releaseTimestamp: undefined, notListedOn }));
      const conflict = `${id} dates ${version} ${releaseTimestamp}, but did not list it on ${notListedOn}.`;
      findings.push({ ...reportConflict(component, conflict, entry), kind: `${id} day` });
      if (!entry) {
        rejectedDays.set(version, cutDay(releaseTimestamp));
      }
    }
  }

  const answer = {
    ...pick(outcome, ['id', 'ranks', 'onlyAdds', 'statesDeprecation']),
    releases,
  };
  return { answer, findings, rejectedDays };
}

function reportConflict(
  component: string,
  conflict: string,
  entry: RecordedRelease | undefined,
): Finding {
  return entry
    ? notice(component, `${conflict} The recorded day stays.`)
    : warning(
        component,
        `${conflict} Rejected that day; the day of this run is recorded, as observed.`,
      );
}

/** A version that waits has been listed for longer than it is recorded. */
function computeBound(
  version: string,
  lackedOn: Day | undefined,
  { waiting }: History,
): Day | undefined {
  return lackedOn && findEarliestDay(lackedOn, waiting.get(version));
}

/**
 * The day of the last sound answer without the new versions. Undefined if that answer had them: data that was restored to an
 * earlier state lacks versions that may have been listed for long.
 */
function findLastDayWithout(
  { id, definition, releases }: Answered,
  { recorded, freshness, waiting }: History,
): Day | undefined {
  const { answeredOn, listed: digest, definition: lastDefinition = definition } = freshness ?? {};
  if (answeredOn === undefined || lastDefinition !== definition) {
    return undefined;
  }

  const hasRecorded = recorded.some((entry) => listSourcesListing(entry).includes(id));
  if (digest === undefined) {
    return hasRecorded ? answeredOn : undefined;
  }

  const isLastList = (moreVersions: readonly string[]) =>
    digestListed(recorded, id, answeredOn, moreVersions) === digest;
  if (isLastList([...waiting.keys()])) {
    return answeredOn;
  }

  const versions = releases.map(({ version }) => version);
  const earlier = releases.filter(
    ({ releaseTimestamp = '' }) => cutDay(releaseTimestamp) <= answeredOn,
  );
  const isRestored = isLastList(versions) || isLastList(earlier.map(({ version }) => version));
  return !hasRecorded || isRestored ? undefined : answeredOn;
}

/**
 * Leaves out the new tags of a container that point to another release: they are no releases. A recorded one, and any in another
 * datasource, where two versions may have the same bytes, stays without its digest, or it would be reported as republished.
 * `note`: about the tags that were left out, and those that are not versions.
 */
export function leaveOutMovingTags(
  { id, releases, hasTags, unordered = [] }: Answered,
  recorded: readonly RecordedRelease[],
): { releases: StatedRelease[]; note?: string } {
  const recordedRanks = new Set(recorded.map(computeRank));
  const byPrefix = groupByPrefix([
    ...releases.map(({ version, digests }) => ({ version, digests })),
    ...(hasTags ? recorded : []).map((release) => ({
      ...release,
      digests: release.digests?.[id],
    })),
  ]);
  const moving = [...unordered];
  const fixed: StatedRelease[] = [];

  for (const release of releases) {
    const isNew = !recordedRanks.has(computeRank(release));
    const version = parseVersion(release.version);
    const longerVersions = (version && byPrefix.get(createKey(version))) ?? [];
    if (!isMoving(release, longerVersions, isNew)) {
      fixed.push(release);
    } else if (hasTags && isNew) {
      moving.push(release.version);
    } else {
      fixed.push(dropUndefined({ ...release, digests: undefined }));
    }
  }

  if (moving.length === 0) {
    return { releases: fixed };
  }

  const state = moving.length === 1 ? 'is no release' : 'are no releases';
  const tags = `${formatCount(moving.length, 'tag')} that ${state}`;
  return { releases: fixed, note: `${id} lists ${tags}: ${formatList(moving, 10)}. Left out.` };
}

/** A version that a tag may point to: `1.25` names the same image as `1.25.4` until `1.25.5` appears. */
interface Target {
  version: string;
  digests?: ArtifactDigests | undefined;
  /** Only of a recorded version. */
  releaseTimestamp?: Timestamp;
}

/** A tag moves if it has the bytes of a longer version, or if it is new although a longer one of its day or before is recorded. */
function isMoving(
  { digests = {}, releaseTimestamp: day = '' }: StatedRelease,
  longerVersions: readonly Target[],
  isNew: boolean,
): boolean {
  const bytes = new Set(Object.values(digests));
  return longerVersions.some(({ digests: targetDigests = {}, releaseTimestamp: targetDay }) => {
    const hasSameBytes = Object.values(targetDigests).some((digest) => bytes.has(digest));
    return hasSameBytes || (isNew && targetDay !== undefined && targetDay <= day);
  });
}

/** The versions that begin with a prefix: with `1` and `1.25` for `1.25.4`, each with its suffix. */
function groupByPrefix(targets: readonly Target[]): Map<string, (Target & { prefix: string })[]> {
  const prefixed = targets.flatMap((target) => {
    const { groups = [], suffix = '' } = parseVersion(target.version) ?? {};
    return groups.slice(1).map((_, index) => {
      return { ...target, prefix: createKey({ groups: groups.slice(0, index + 1), suffix }) };
    });
  });
  return Map.groupBy(prefixed, ({ prefix }) => prefix);
}

function createKey({ groups, suffix }: Pick<Version, 'groups' | 'suffix'>): string {
  return `${groups.join('.')} ${suffix}`;
}
