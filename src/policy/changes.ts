import { sentence } from '../text.ts';
import { isDay, type Day } from '../dates.ts';
import type { Change, ChangeKind } from './change.ts';
import type { Definition } from '../model/definition.ts';
import type { Correction } from '../model/recorded.ts';
import type { JudgedLine, JudgedRelease, Judgement } from './judge.ts';

interface JudgedComponent {
  readonly name: string;
  readonly definition: Definition;
  readonly judgement: Judgement;
}

/** How many changes are asked for. */
export interface ChangeLimits {
  /** More than these never come back. */
  readonly atMost?: number;
  /** Of more than these, those of days before `from` may be left out. */
  readonly atLeast?: number;
  readonly from?: Day;
}

/**
 * Everything that changed about a component up to the day it was judged for, newest first; of one day, the greatest
 * version first. Only what has a day is told: a verdict that nobody dated (support `ended`, a deprecation without `since`)
 * and a release that was recorded by hand came at no known day. Pure: the same data and day give the same changes. Of many,
 * only the newest come back.
 */
export function changesOf(component: JudgedComponent, limits: ChangeLimits = {}): Change[] {
  // Told twice, first for the days alone: a component has as many changes as it has releases, and few are ever shown.
  const days = new ChangeDays(component.judgement.day);
  tellAll(days, component);
  const told = new ToldChanges(component, days.oldestOf(limits));
  tellAll(told, component);
  return told.changes.reverse().sort(byDayNewestFirst).slice(0, limits.atMost);
}

function tellAll(changes: Changes, { judgement, definition }: JudgedComponent): void {
  for (const line of judgement.lines) {
    line.releases.forEach((release) => tellRelease(changes, release, definition));
    tellLine(changes, line);
  }
}

type Told = Omit<Change, 'id' | 'on' | 'component' | 'kind'>;

/** Who is told of changes. `add` is for those that `wants` asks for. */
interface Changes {
  /** The last that counts: what lies in its future has not happened. */
  readonly day: Day;
  wants(on: Day): boolean;
  add(kind: ChangeKind, on: Day, told: Told): void;
}

/** Counts the changes of each day, and wants to know no more of them. */
class ChangeDays implements Changes {
  readonly day: Day;
  readonly #counts = new Map<Day, number>();

  constructor(day: Day) {
    this.day = day;
  }

  wants(on: Day): boolean {
    if (on <= this.day) this.#counts.set(on, (this.#counts.get(on) ?? 0) + 1);
    return false;
  }

  add(): void {}

  /** The day that the last of the newest changes lies on. */
  oldestOf({ atMost = Number.POSITIVE_INFINITY, atLeast = atMost, from = '' }: ChangeLimits): Day {
    let count = 0;
    let oldest = '';
    for (const day of [...this.#counts.keys()].sort().reverse()) {
      if (count >= atMost || (count >= atLeast && day < from)) break;
      count += this.#counts.get(day)!;
      oldest = day;
    }
    return oldest;
  }
}

/** Whole days, in the order in which they are told: the numbers of those that are alike depend on it. */
class ToldChanges implements Changes {
  readonly day: Day;
  readonly changes: Change[] = [];
  readonly #component: string;
  readonly #from: Day;
  readonly #ids = new Map<string, number>();

  constructor({ name, judgement }: JudgedComponent, from: Day) {
    this.#component = name;
    this.#from = from;
    this.day = judgement.day;
  }

  wants(on: Day): boolean {
    return on >= this.#from && on <= this.day;
  }

  add(kind: ChangeKind, on: Day, told: Told): void {
    this.changes.push({
      id: this.#identify(kind, on, told),
      on,
      component: this.#component,
      kind,
      ...told,
    });
  }

  /** Of two alike on one day the second is numbered: corrections are only ever appended, so that a number stays. */
  #identify(kind: ChangeKind, on: Day, { version, line, rule, field }: Told): string {
    const subject = version === undefined ? `line/${line}` : encodeURIComponent(version);
    const detail = rule ?? field;
    const id = `${this.#component}/${subject}/${kind}/${on}${detail === undefined ? '' : `/${detail.replace(' ', '-')}`}`;
    const earlier = this.#ids.get(id) ?? 0;
    this.#ids.set(id, earlier + 1);
    return earlier === 0 ? id : `${id}/${earlier + 1}`;
  }
}

export function byDayNewestFirst(a: Change, b: Change): number {
  if (a.on === b.on) return 0;
  return a.on < b.on ? 1 : -1;
}

function tellRelease(changes: Changes, release: JudgedRelease, definition: Definition): void {
  const { version, changelogUrl, recorded } = release;
  const { firstSeen, withdrawnSince, corrections } = recorded;
  if (firstSeen !== undefined && changes.wants(firstSeen)) {
    changes.add('added', firstSeen, {
      version,
      text: `${version} was added to the index.`,
      ...(changelogUrl !== undefined && { url: changelogUrl }),
    });
  }
  if (definition.deprecated) tellListedReasons(changes, release);
  if (release.upstreamDeprecation || corrections) tellRecorded(changes, release, definition);
  if (withdrawnSince !== undefined) tellWithdrawal(changes, version, withdrawnSince, recorded.source);
}

function tellListedReasons(changes: Changes, release: JudgedRelease): void {
  const { version } = release;
  for (const { rule, from, text, url } of release.reasons) {
    if (rule !== 'definition' || from === undefined) continue;
    const on = later(from, release);
    if (!changes.wants(on)) continue;
    changes.add('deprecated', on, {
      version,
      text: `${version} is deprecated: ${sentence(text)}`,
      rule,
      reason: text,
      ...(url !== undefined && { url }),
    });
  }
}

function tellUpstreamReason(
  changes: Changes,
  release: JudgedRelease,
  definition: Definition,
  since: Day,
  reason: string,
): void {
  const on = later(since, release);
  if (definition.ignoreUpstreamDeprecation || !changes.wants(on)) return;
  const { version } = release;
  changes.add('deprecated', on, {
    version,
    text: `${version} is deprecated upstream: ${sentence(reason)}`,
    rule: 'upstream',
    reason,
  });
}

/** What is recorded of its past. An upstream's word without a correction is as old as the release in the index. */
function tellRecorded(changes: Changes, release: JudgedRelease, definition: Definition): void {
  const { version, recorded } = release;
  const { firstSeen, corrections = [] } = recorded;
  const firstWord = corrections.find(({ field }) => field === 'deprecated');
  const wordAtFirst = firstWord ? firstWord.from : release.upstreamDeprecation?.reason;
  if (wordAtFirst !== undefined && firstSeen !== undefined) {
    tellUpstreamReason(changes, release, definition, firstSeen, wordAtFirst);
  }
  for (const [index, correction] of corrections.entries()) {
    const { field, from, on } = correction;
    const to = correction.to ?? valueAfter(release, corrections, index);
    if (field === 'deprecated' && definition.ignoreUpstreamDeprecation) continue;
    if (field === 'deprecated' && from === undefined && to !== undefined) {
      tellUpstreamReason(changes, release, definition, on, to);
    } else if (field === 'withdrawnSince' && from !== undefined && to === undefined) {
      if (isDay(from)) tellWithdrawal(changes, version, from, recorded.source);
      if (!changes.wants(on)) continue;
      changes.add('returned', on, {
        version,
        text: `${version} is listed again: ${sentence(correction.reason)}`,
        reason: correction.reason,
      });
    } else if (changes.wants(on)) changes.add('corrected', on, tellCorrection(version, correction, to));
  }
}

function tellWithdrawal(changes: Changes, version: string, on: Day, source = 'upstream'): void {
  if (!changes.wants(on)) return;
  const reason = `${source} no longer lists it`;
  changes.add('withdrawn', on, { version, text: `${version} was withdrawn: ${reason}.`, reason });
}

const fieldNames: Readonly<Record<Correction['field'], string>> = {
  releaseTimestamp: 'release day',
  timestampKind: 'kind of the release day',
  changelogUrl: 'changelog link',
  deprecated: 'deprecation upstream',
  withdrawnSince: 'day of withdrawal',
  isPrerelease: 'prerelease flag',
  source: 'source',
};

/** A person who corrects an entry says what was there before. What came then is what was corrected next, or what is there. */
function valueAfter(
  release: JudgedRelease,
  corrections: readonly Correction[],
  index: number,
): string | undefined {
  const { field } = corrections[index]!;
  if (field !== 'releaseTimestamp' && field !== 'changelogUrl') return undefined;
  const next = corrections.slice(index + 1).find((later) => later.field === field);
  return next ? next.from : release[field];
}

function tellCorrection(version: string, { field, from, reason }: Correction, to: string | undefined): Told {
  const was = from === undefined ? 'none' : `"${from}"`;
  const is = to === undefined ? 'none' : `"${to}"`;
  return {
    version,
    text: `${version}: the ${fieldNames[field]} was ${was} and is ${is} now: ${sentence(reason)}`,
    field,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    reason,
  };
}

/**
 * A line that leaves support is one change, whatever the number of its releases. Those that came out after that day
 * were deprecated from their first day on.
 */
function tellLine(changes: Changes, { name, reason, releases }: JudgedLine): void {
  if (reason?.from === undefined || reason.from > changes.day) return;
  const { from, text } = reason;
  const late = releases.filter((release) => later(from, release) !== from);
  const tell = (on: Day, of: readonly JudgedRelease[], what: (names: string) => string) => {
    if (of.length === 0 || !changes.wants(on)) return;
    const versions = of.map((release) => release.version);
    const names = versions.length > 5 ? `${versions.length} releases` : versions.join(', ');
    changes.add('deprecated', on, {
      line: name,
      versions,
      text: `${what(names)}: ${sentence(text)}`,
      rule: reason.rule,
      reason: text,
    });
  };

  const inTime = late.length === 0 ? releases : releases.filter((release) => later(from, release) === from);
  tell(from, inTime, (names) => `Release line ${name} left support${names === name ? '' : ` (${names})`}`);
  if (late.length === 0) return;
  for (const [on, of] of Map.groupBy(late, (release) => later(from, release))) {
    tell(on, of, (names) => `${names} came after its release line ${name} had left support on ${from}`);
  }
}

function later(day: Day, { releaseDay }: JudgedRelease): Day {
  return releaseDay !== undefined && releaseDay > day ? releaseDay : day;
}
