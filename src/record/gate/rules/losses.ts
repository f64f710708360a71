import { isDeepStrictEqual } from 'node:util';
import {
  addDays,
  countDaysBetween,
  findLatestDay,
  findStatedDay,
  type Day,
} from '../../../core/model/dates.ts';
import { compareVersions } from '../../../core/model/version.ts';
import type { JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import type { Advisory } from '../../../core/schemas/advisory.ts';
import type { RecordedData, RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import { listIds } from '../../../decide/advisories.ts';
import type { Judged, JudgedRelease } from '../../../decide/judge.ts';
import { findChangedDigests } from './changed-data.ts';
import {
  findEarlierWorse,
  findEnds,
  findPushedOut,
  findWorse,
  listInUse,
  listUsable,
  lookbackDays,
  noStatedEnd,
  type LineEnd,
  type Step,
} from './reader-state.ts';

/** A step of one component, with its judged data before and after. */
export interface ChangeStep extends Step {
  /** Undefined where the component was removed. */
  before: Judged | undefined;
  after: Judged | undefined;
  journal: readonly JournalEvent[];
  /** The day on which a run last used a decision about the component. */
  acceptedOn: Day | undefined;
  /** The first day on which the component waited. A change does not pass only because it has waited. */
  waitingSince?: Day | undefined;
  /** Versions and advisories that are lost by a decision, or withdrawn by a statement of their source. */
  expectedLosses: ReadonlySet<string>;
  /** The recorded data before and after an edit. */
  edited?: EditedData | undefined;
}

/** A loss that needs a person. */
interface Loss {
  /** In numbers, with the first by name. */
  reason: string;
  /** Each loss in words that are equal on every day: the id of a decision names them. */
  items: readonly string[];
}

/** A step with what readers lose by it. */
interface MeasuredStep extends ChangeStep {
  /** The versions in use that become worse, with the loss in words. */
  worse: ReadonlyMap<string, string>;
  /** The versions whose line ends too early, with that end in words. */
  earlyEnds: ReadonlyMap<string, string>;
}

/** Losses below these limits need no person; the contract shows them as a table. */
export const limits = {
  /** The part of the releases in use that becomes worse. */
  part: 1 / 5,
  /** The number of releases that become worse. */
  fewest: 3,
  /** The days by which an end of support moves forward; also the days until an end that counts as soon, and the days ahead for which an edit is judged. */
  days: 90,
} as const;

/** The losses that need a person, by each rule. */
export function findLosses(change: ChangeStep): Loss[] {
  const worse = findWorse(change);
  for (const version of change.expectedLosses) {
    worse.delete(version);
  }

  const step: MeasuredStep = { ...change, worse, earlyEnds: findEarlyEnds(change) };
  const losses = [
    findFallOfLatest(step),
    findLostReleases(step),
    summarise(new Set(step.earlyEnds.values()), 'line', 'would end too early'),
    findVanishedAdvisories(step),
    change.edited && findLostRecords(change.edited, change.day),
  ];
  return losses.filter((loss) => loss !== undefined);
}

/** Undefined without items. */
function summarise(
  items: Iterable<string>,
  noun: string,
  words: string,
  remedy = '',
): Loss | undefined {
  const losses = [...items];
  if (losses.length === 0) {
    return undefined;
  }

  const reason = `${formatCount(losses.length, noun)} ${words} (${formatList(losses, 5)})${remedy}`;
  return { reason, items: losses };
}

/** Versions that become worse, in words. Leaves out those that the policy deprecates and whose line is reported as ending too early. */
function describeItems(
  { worse, earlyEnds, newState }: MeasuredStep,
  versions: Iterable<string>,
): string[] {
  const untold = [...versions].filter((version) => {
    const isByPolicy = newState.versions.get(version)?.verdict?.rule === 'support policy';
    return !isByPolicy || !earlyEnds.has(version);
  });
  return untold.map((version) => `${version} ${worse.get(version)}`);
}

/** The latest release vanishes, or falls by more than the one greatest version. */
function findFallOfLatest(step: MeasuredStep): Loss | undefined {
  const { oldState, newState, worse, journal, waitingSince } = step;
  const before = listUsable(oldState);
  const remaining = before.filter(({ text }) => !worse.has(text));
  const newLatest = [...remaining, ...listUsable(newState)].sort(compareVersions).at(-1);
  const fallen = before
    .filter((version) => !newLatest || compareVersions(version, newLatest) > 0)
    .map(({ text }) => text);
  const greatest = fallen.at(-1);
  if (greatest === undefined) {
    return undefined;
  }

  // The greatest version may fall by itself, unless others became worse while the component waited.
  const isOnlyOne = newLatest !== undefined && fallen.length === 1;
  const hasEarlierLosses =
    waitingSince !== undefined &&
    findEarlierWorse(journal, addDays(waitingSince, -1), step).size > 0;
  if (isOnlyOne && !hasEarlierLosses) {
    return undefined;
  }

  return {
    reason: `the latest release would fall from ${greatest} to ${newLatest?.text ?? 'none'}`,
    items: describeItems(step, fallen),
  };
}

/** Too many releases in use become worse, together with those that recently did. */
function findLostReleases(step: MeasuredStep): Loss | undefined {
  const { worse, journal, acceptedOn, day, waitingSince = day } = step;
  if (worse.size === 0) {
    return undefined;
  }

  const after = findLatestDay(addDays(waitingSince, -lookbackDays), acceptedOn);
  const earlier = findEarlierWorse(journal, after, step);
  const lost = new Set([...worse.keys(), ...earlier]);
  const inUse = new Set([...listInUse(step).keys(), ...earlier]);
  if (lost.size < limits.fewest || lost.size < inUse.size * limits.part) {
    return undefined;
  }

  const losses = [...worse].map(([version, words]) => `${version} ${words}`);
  const verb =
    lost.size > worse.size
      ? `would have changed for the worse within ${lookbackDays} days`
      : 'would change for the worse';
  return {
    reason: `${lost.size} of ${formatCount(inUse.size, 'release')} in use ${verb} (${formatList(losses, 5)})`,
    items: describeItems(step, worse.keys()),
  };
}

/** The versions whose line ends too early, with that end in words. */
function findEarlyEnds(change: ChangeStep): Map<string, string> {
  const { oldState, newState, day } = change;
  const early = new Map<string, string>();
  const lines = new Map<string, string>();
  const formerEnds = findEnds(oldState, day);
  const newEnds = findEnds(newState, day);

  for (const [version, { values }] of listInUse(change)) {
    const { line: formerLine = '' } = values;
    const { line = formerLine } = newState.versions.get(version)?.values ?? {};
    const before = formerEnds.get(formerLine) ?? noStatedEnd;
    const after = newEnds.get(line) ?? noStatedEnd;
    if (isTooEarly(before, after, day)) {
      const end = `${describeEnd(after)} instead of ${describeEnd(before)}`;
      early.set(version, `line ${line} ends ${end}`);
      lines.set(version, line);
    }
  }

  for (const version of findPushedOut(lines, change)) {
    early.delete(version);
  }

  return early;
}

/** Whether support of a line that has not ended ends now, soon or much earlier than before. */
function isTooEarly(before: LineEnd, after: LineEnd, day: Day): boolean {
  if (after.until === undefined) {
    return after.isEnded;
  }

  const isSoon = after.until <= addDays(day, limits.days);
  if (before.until === undefined) {
    return isSoon;
  }

  const daysLost = countDaysBetween(after.until, before.until);
  return daysLost > limits.days || (daysLost > 0 && isSoon);
}

function describeEnd({ until, isEnded }: LineEnd): string {
  return until ?? (isEnded ? 'at once' : 'on no stated day');
}

/** An advisory no longer affects a release, or is less grave than before. */
function findVanishedAdvisories({ before, after, expectedLosses }: MeasuredStep): Loss | undefined {
  if (!before || !after) {
    return undefined;
  }

  const present = new Map(after.judgement.releases.map((release) => [release.version, release]));
  const items: string[] = [];

  for (const { version, advisories } of before.judgement.releases) {
    const release = present.get(version);
    if (release) {
      const words = advisories.map((each) => describeLessGrave(each, release, expectedLosses));
      items.push(...words.filter((text) => text !== undefined));
    }
  }

  return summarise(items, 'finding', 'of advisories would vanish');
}

/** What a release loses of an advisory: the advisory itself, its known exploits, or its high severity. */
function describeLessGrave(
  advisory: Advisory,
  { version, advisories }: JudgedRelease,
  expectedLosses: ReadonlySet<string>,
): string | undefined {
  const { id, exploitedSince, severity } = advisory;
  const ids = new Set(listIds(advisory));
  const current = advisories.find((candidate) => !ids.isDisjointFrom(new Set(listIds(candidate))));
  if (!current) {
    return ids.isDisjointFrom(expectedLosses)
      ? `${version} no longer affected by ${id}`
      : undefined;
  }
  if (exploitedSince && !current.exploitedSince) {
    return `${id} of ${version} no longer exploited`;
  }

  const wasGrave = severity === 'critical' || severity === 'high';
  const isSlight = current.severity === undefined || current.severity === 'low';
  return wasGrave && isSlight
    ? `${id} of ${version} is ${current.severity ?? 'of no severity'}, not ${severity}`
    : undefined;
}

/** The recorded data of a component before and after an edit. */
interface EditedData {
  before: RecordedData;
  after: RecordedData;
  restoreCommand?: string | undefined;
}

function findLostRecords(edited: EditedData, day: Day): Loss | undefined {
  const items = listEditedRecords(edited, day);
  const remedy = edited.restoreCommand
    ? `the file is missing, restore it: ${edited.restoreCommand}`
    : 'a correction is marked with "corrected"';
  return summarise(items, 'recorded value', 'would be lost', `; ${remedy}`);
}

/** Recorded data only grows. Lists, in words, what an edit removes or replaces without a new mark `corrected`. */
function listEditedRecords({ before, after }: EditedData, day: Day): string[] {
  const present = new Map(after.releases.map((release) => [release.version, release]));
  const corrected = new Set<string>();
  const items: string[] = [];

  for (const release of before.releases) {
    const { version } = release;
    const current = present.get(version);
    if (!current) {
      items.push(`${version} no longer recorded`);
    } else if (current.corrected && !isDeepStrictEqual(current.corrected, release.corrected)) {
      corrected.add(version);
    } else if (losesDay(release, current)) {
      const { releaseTimestamp = 'nowhere' } = current;
      items.push(`${version} dated ${releaseTimestamp}, not ${release.releaseTimestamp}`);
    }
  }

  for (const change of findChangedDigests(before, after, day)) {
    const { version, artifact } = change;
    if (change.kind !== 'added' && !corrected.has(version)) {
      const digest = change.kind === 'replaced' ? change.digest : 'without a digest';
      items.push(`${version} ${artifact} ${digest}`);
    }
  }

  return items;
}

/** Whether a recorded day is replaced. A published day may replace an observed one, as in a run. */
function losesDay(
  { releaseTimestamp, timestampKind }: RecordedRelease,
  current: RecordedRelease,
): boolean {
  const isNowPublished = timestampKind === 'observed' && findStatedDay(current) !== undefined;
  const isOther = current.releaseTimestamp !== releaseTimestamp;
  return releaseTimestamp !== undefined && isOther && !isNowPublished;
}
