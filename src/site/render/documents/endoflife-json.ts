import type {
  PublishedLineOn,
  PublishedReleaseOn,
  DetailsOn,
} from '../../../ask/answers/component-on.ts';
import { cutDay, type Day } from '../../../core/model/dates.ts';
import { hasEnded, findLastFreePhase, isLtsOn } from '../../../core/model/phases.ts';
import { isInForceOn } from '../../../core/model/states.ts';
import type { Phase } from '../../../core/schemas/definition/phase.ts';

/**
 * `endoflife/api/<component>.json`: the lines of a component that have begun by a day, newest first, with exact days only, since the
 * form has no bounds.
 */
export function renderCycles({ lines, day }: Pick<DetailsOn, 'lines' | 'day'>) {
  const hasPaid = lines.some(({ phases }) => findLastPaidPhase(phases));
  const hasReleases = lines.some(({ releases }) => releases.length > 0);
  return lines
    .filter((line) => hasBegun(line, day))
    .toReversed()
    .map((line) => renderCycle(line, { day, hasPaid, hasReleases }));
}

/** A line without releases may be announced for a later day. */
function hasBegun({ releases, firstReleaseDate }: PublishedLineOn, day: Day): boolean {
  return releases.length > 0 || firstReleaseDate === undefined || firstReleaseDate <= day;
}

/** A release line in the form of endoflife.date. A day of which only bounds are known is absent. */
function renderCycle(
  line: PublishedLineOn,
  { day, hasPaid, hasReleases }: { day: Day; hasPaid: boolean; hasReleases: boolean },
) {
  const { phases, firstReleaseDate, firstReleaseDateAtMost } = line;
  const latest = findLatest(line.releases, day);
  const { version, releaseTimestamp, timestampKind, changelogUrl } = latest ?? {};
  const activePhase = findActivePhase(phases);
  const isExact = releaseTimestamp !== undefined && timestampKind !== 'observed';

  return {
    cycle: line.line,
    releaseDate: firstReleaseDateAtMost === undefined ? firstReleaseDate : undefined,
    // Only of a line whose free support has several phases.
    support: activePhase && renderPhaseEnd(activePhase, day),
    // The last day, or whether support has certainly ended.
    eol: findLastDay(findLastFreePhase(phases)) ?? line.isSupported === false,
    // The end of the paid phases, if any line has one.
    extendedSupport: hasPaid ? renderPhaseEnd(findLastPaidPhase(phases), day) : undefined,
    // Renovate takes a line without a release to use as a deprecated version, so the lines of a component without any recorded
    // release are not marked.
    discontinued: !latest && hasReleases ? true : undefined,
    latest: version,
    latestReleaseDate: isExact ? cutDay(releaseTimestamp) : undefined,
    lts: isLtsOn(line, day),
    link: changelogUrl,
  };
}

/** The last day of a phase; if only bounds are known, whether the phase may still run. Without a phase, there is none to run. */
function renderPhaseEnd(phase: Phase | undefined, day: Day): Day | boolean {
  return phase !== undefined && (findLastDay(phase) ?? hasEnded(phase, day) !== true);
}

/** The exact last day of a phase. */
function findLastDay({ until, untilAtMost }: Partial<Phase> = {}): Day | undefined {
  return untilAtMost === undefined ? until : undefined;
}

/** The first phase, which endoflife.date calls active support; undefined if all free support ends with it. */
function findActivePhase(phases: readonly Phase[] = []): Phase | undefined {
  const [first] = phases;
  return first === findLastFreePhase(phases) ? undefined : first;
}

/** Several paid phases are one period of extended support, which ends with the last. */
function findLastPaidPhase(phases: readonly Phase[] = []): Phase | undefined {
  return phases.findLast(({ paid }) => paid);
}

/** The greatest stable release that is not deprecated or withdrawn itself, even if its line has ended. */
function findLatest(
  releases: readonly PublishedReleaseOn[],
  day: Day,
): PublishedReleaseOn | undefined {
  return releases.findLast(
    ({ isPrerelease, reasons = [] }) =>
      !isPrerelease && !reasons.some((reason) => isInForceOn(reason, day)),
  );
}
