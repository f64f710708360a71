import { cutDay, type Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { rankKey } from '../../core/model/version.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import { listSourcesListing, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { isBackdated } from '../gate/rules/backdated.ts';
import { createDecisionId, type WaitingChange } from '../gate/rules/decision-id.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import type { Answered } from './ask-source.ts';
import { computeRank, digestListed, indexByRank, listSourceVersions } from './recorded-release.ts';
import { findFloating } from './stated-release.ts';

/** The accepted answer of one source. */
export interface SoundAnswer extends Pick<
  Answered,
  'id' | 'ranks' | 'onlyAdds' | 'statesDeprecation'
> {
  releases: readonly StatedRelease[];
  /** The meaning of a version's absence from a short list: none, or its end by a person's decision. */
  absence?: 'ignored' | 'accepted' | undefined;
  /** The day of its last sound answer before this one. */
  answeredBefore?: Day | undefined;
}

/** The recorded facts to read a source's answer with. */
interface History {
  component: string;
  recorded: readonly RecordedRelease[];
  /** The source's last answers. */
  freshness: SourceFreshness | undefined;
  /** The versions that wait, with the day since which each waits. */
  waiting: ReadonlyMap<string, Day>;
}

type Report = (level: 'warning' | 'notice', message: string, kind?: string) => void;

/** Checks an answer against recorded data. The gate decides later whether to accept it. */
export function readAnswer(
  outcome: Answered,
  history: History,
): { answer: SoundAnswer; findings: Finding[]; rejectedDays: ReadonlyMap<string, Day> } {
  const { id, ranks, onlyAdds, statesDeprecation } = outcome;
  const { component, recorded } = history;
  const findings: Finding[] = [];
  const rejectedDays = new Map<string, Day>();
  const report: Report = (level, message, kind = message) =>
    findings.push({ level, subject: component, message, kind });
  const releases = removeMovingTags(outcome, history, report);
  const byRank = indexByRank(recorded);
  const lackedOn = findLastDayWithout(outcome, releases, history);

  const answer = {
    id,
    ranks,
    onlyAdds,
    statesDeprecation,
    answeredBefore: history.freshness?.answeredOn,
    releases: releases.map((release) => {
      const entry = byRank.get(computeRank(release));
      const recordedDay = entry?.source === id ? entry.notListedOn : undefined;
      const notListedOn = entry ? recordedDay : computeBound(release, lackedOn, history);
      if (!entry && notListedOn !== undefined && isBackdated(release, notListedOn)) {
        rejectedDays.set(release.version, cutDay(release.releaseTimestamp!));
      }

      return checkTimestamp(release, entry, id, notListedOn, report);
    }),
  };

  return { answer, findings, rejectedDays };
}

/** A version that waits has been listed for longer than it is recorded. */
function computeBound(
  { version }: StatedRelease,
  lackedOn: Day | undefined,
  { waiting }: History,
): Day | undefined {
  const since = waiting.get(version) ?? lackedOn;
  if (since === undefined || lackedOn === undefined) {
    return undefined;
  }

  return since < lackedOn ? since : lackedOn;
}

/**
 * The day of the last sound answer without the new versions. Undefined if that answer had them: data that was restored to an
 * earlier state lacks versions that may have been listed for long.
 */
function findLastDayWithout(
  { id, definition }: Answered,
  releases: readonly StatedRelease[],
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
 * A container's tag that currently points to another release is not a release. If it is recorded, it stays without its digest, or
 * it would be reported as republished. In other datasources, two versions may have the same bytes.
 */
function removeMovingTags(
  { id, releases, unordered = [] }: Answered,
  { recorded }: History,
  report: Report,
): StatedRelease[] {
  const isContainer = id.startsWith('docker:');
  const floating = findFloating(releases, isContainer ? recorded : [], id);
  const ranks = new Set(recorded.map(computeRank));
  const moving = [...unordered];
  const fixedReleases: StatedRelease[] = [];

  for (const release of releases) {
    const isFloating = floating.has(release);
    if (isContainer && isFloating && !ranks.has(computeRank(release))) {
      moving.push(release.version);
    } else {
      fixedReleases.push(isFloating ? dropUndefined({ ...release, digests: undefined }) : release);
    }
  }

  if (moving.length > 0) {
    const tags = `${formatCount(moving.length, 'tag')} that ${moving.length === 1 ? 'is no release' : 'are no releases'}`;
    report('notice', `${id} lists ${tags}: ${formatList(moving, 10)}. Left out.`);
  }

  return fixedReleases;
}

/** A backdated release would pass rules on a minimum age, and end the support of older lines. */
function checkTimestamp(
  release: StatedRelease,
  entry: RecordedRelease | undefined,
  id: string,
  notListedOn: Day | undefined,
  report: Report,
): StatedRelease {
  if (notListedOn === undefined) {
    return release;
  }
  if (!isBackdated(release, notListedOn)) {
    return { ...release, notListedOn };
  }

  const { version, releaseTimestamp: day } = release;
  const conflict = `${id} dates ${version} ${day}, but did not list it on ${notListedOn}.`;
  if (entry) {
    report('notice', `${conflict} The recorded day stays.`, `${id} day`);
  } else {
    report(
      'warning',
      `${conflict} Rejected that day; the day of this run is recorded, as observed.`,
      `${id} day`,
    );
  }

  return dropUndefined({ ...release, releaseTimestamp: undefined, notListedOn });
}

/** A short list that a person has accepted. */
export interface AcceptedList {
  readonly source: string;
  readonly id: string;
  /** The versions that the decision withdrew. */
  readonly withdrawn: readonly string[];
}

/** Shorter lists are not compared: each new release may replace the one before. */
const leastMeasure = 3;

/**
 * The number of names in a list that is not recorded itself: of ends, of advisories, or of a source that only adds. Catalogues
 * are counted in two digits, since they grow every week and the memory of runs changes only with news.
 */
export function countNames({ onlyAdds, lines, advisories, ranks }: Answered): number | undefined {
  if (lines) {
    return lines.length;
  }

  const names = advisories ? Number(advisories.byId.size.toPrecision(2)) : ranks.size;
  return onlyAdds ? names : undefined;
}

/**
 * Finds an answer that lists nothing, or less than half of the last list. Missing versions stay until a person accepts the
 * shorter list. New versions do not change the decision.
 */
export function findShortList(
  answer: Answered,
  { component, recorded, freshness, day }: Omit<History, 'waiting'> & { day: Day },
): WaitingChange | undefined {
  const { id: source, definition, ranks, listsSome = false } = answer;
  const names = countNames(answer);
  const { answeredOn, definition: lastDefinition = definition } = freshness ?? {};

  // Releases that came while the list was short are no part of the measure.
  const measured = recorded.filter(
    ({ firstSeen }) =>
      firstSeen === undefined || answeredOn === undefined || firstSeen <= answeredOn,
  );
  const lastVersions = listSourceVersions(measured, source);

  // Counts versions that the definition no longer admits, but none that wait.
  const stillListed = lastVersions.filter((version) => ranks.has(rankKey(version)));
  const { length } = lastVersions;
  const lastCount = names === undefined ? length : (freshness?.names ?? length);
  const count = names ?? stillListed.length;
  const isEmpty = (names ?? ranks.size) === 0;
  const isHalved =
    lastDefinition === definition &&
    !listsSome &&
    lastCount >= leastMeasure &&
    count * 2 < lastCount;
  if (lastCount === 0 || !(isEmpty || isHalved)) {
    return undefined;
  }

  const missing = listSourceVersions(names === undefined ? recorded : [], source)
    .filter((version) => !ranks.has(rankKey(version)))
    .map(({ text }) => text);
  const loss = names === undefined ? missing.toSorted() : lastCount;
  const reason = `${source} lists ${count === 0 ? 'none' : count} of the ${lastCount} that it listed last`;

  return {
    id: createDecisionId(component, ['short list', source, loss]),
    component,
    kind: 'list',
    since: day,
    causes: [source],
    reason,
    items: missing.length > 0 ? missing : [reason],
  };
}
