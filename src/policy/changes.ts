import { dayOf, isDay, type Day } from '../dates.ts';
import type { Change, ChangeKind } from '../model/change.ts';
import type { Definition } from '../model/definition.ts';
import type { Correction } from '../model/recorded.ts';
import type { JudgedLine, JudgedRelease, Judgement } from './judge.ts';

interface JudgedComponent {
  readonly name: string;
  readonly definition: Definition;
  readonly judgement: Judgement;
}

/**
 * Everything that changed about a component up to the day it was judged for, newest first; of one day, the greatest
 * version first. Only what has a day is told: a verdict that nobody dated (support `ended`, a deprecation without `since`)
 * and a release that was recorded by hand came at no known day. Pure: the same data and day give the same changes. Of more
 * than `limit`, only the newest come back.
 */
export function changesOf(component: JudgedComponent, limit = Number.POSITIVE_INFINITY): Change[] {
  const changes = new Changes(component);
  for (const line of component.judgement.lines) {
    for (const release of line.releases) tellRelease(changes, release, component.definition);
    tellLine(changes, line);
  }
  return changes.newestFirst(limit);
}

type Told = Omit<Change, 'id' | 'on' | 'component' | 'kind'>;

interface Event {
  on: Day;
  kind: ChangeKind;
  /** Written only for those that are wanted: a component has as many as it has releases, and few are ever shown. */
  tell(): Told;
}

class Changes {
  readonly day: Day;
  readonly #component: string;
  readonly #events: Event[] = [];
  readonly #ids = new Map<string, number>();

  constructor({ name, judgement }: JudgedComponent) {
    this.#component = name;
    this.day = judgement.day;
  }

  /** What lies in the future of the day has not happened. */
  add(kind: ChangeKind, on: Day, tell: () => Told): void {
    if (on <= this.day) this.#events.push({ on, kind, tell });
  }

  /** Of two alike on one day the second is numbered: corrections are only ever appended, so that a number stays. */
  #identify(kind: ChangeKind, on: Day, { version, line, rule, field }: Told): string {
    const subject = version === undefined ? `line/${line}` : encodeURIComponent(version);
    const detail = rule ?? field;
    const id = [
      this.#component,
      subject,
      kind,
      on,
      ...(detail === undefined ? [] : [detail.replace(' ', '-')]),
    ].join('/');
    const earlier = this.#ids.get(id) ?? 0;
    this.#ids.set(id, earlier + 1);
    return earlier === 0 ? id : `${id}/${earlier + 1}`;
  }

  newestFirst(limit: number): Change[] {
    const oldest = this.#oldestOf(limit);
    // Whole days, in the order in which they were told: the numbers of those that are alike depend on it.
    return this.#events
      .filter(({ on }) => on >= oldest)
      .map(({ on, kind, tell }) => {
        const told = tell();
        return { id: this.#identify(kind, on, told), on, component: this.#component, kind, ...told };
      })
      .reverse()
      .sort(byDayNewestFirst)
      .slice(0, limit);
  }

  /** The day that the last of the newest events lies on. */
  #oldestOf(limit: number): Day {
    if (this.#events.length <= limit) return '';
    return this.#events.map(({ on }) => on).sort()[this.#events.length - limit]!;
  }
}

export function byDayNewestFirst(a: Change, b: Change): number {
  if (a.on === b.on) return 0;
  return a.on < b.on ? 1 : -1;
}

function tellRelease(changes: Changes, release: JudgedRelease, definition: Definition): void {
  const { version, firstSeen, changelogUrl, reasons, corrections } = release;
  if (firstSeen !== undefined) {
    changes.add('added', firstSeen, () => ({
      version,
      text: `${version} was added to the index.`,
      ...(changelogUrl !== undefined && { url: changelogUrl }),
    }));
  }
  for (const { rule, from, text, url } of reasons) {
    if (rule !== 'definition' || from === undefined) continue;
    changes.add('deprecated', later(from, release), () => ({
      version,
      text: `${version} is deprecated: ${sentence(text)}`,
      rule,
      reason: text,
      ...(url !== undefined && { url }),
    }));
  }
  if (release.upstreamDeprecation || corrections.length > 0) tellRecorded(changes, release, definition);
  if (release.withdrawnSince !== undefined)
    tellWithdrawal(changes, version, release.withdrawnSince, release.source);
}

function tellUpstreamReason(
  changes: Changes,
  release: JudgedRelease,
  definition: Definition,
  on: Day,
  reason: string,
): void {
  if (definition.ignoreUpstreamDeprecation) return;
  const { version } = release;
  changes.add('deprecated', later(on, release), () => ({
    version,
    text: `${version} is deprecated upstream: ${sentence(reason)}`,
    rule: 'upstream',
    reason,
  }));
}

/** What is recorded of its past. An upstream's word without a correction is as old as the release in the index. */
function tellRecorded(changes: Changes, release: JudgedRelease, definition: Definition): void {
  const { version, corrections, firstSeen } = release;
  const firstWord = corrections.find(({ field }) => field === 'deprecated');
  const wordAtFirst = firstWord ? firstWord.from : release.upstreamDeprecation?.reason;
  if (wordAtFirst !== undefined && firstSeen !== undefined) {
    tellUpstreamReason(changes, release, definition, firstSeen, wordAtFirst);
  }
  for (const [index, correction] of corrections.entries()) {
    const { field, from, on } = correction;
    const to = correction.to ?? valueAfter(release, index);
    if (field === 'deprecated' && definition.ignoreUpstreamDeprecation) continue;
    if (field === 'deprecated' && from === undefined && to !== undefined) {
      tellUpstreamReason(changes, release, definition, on, to);
    } else if (field === 'withdrawnSince' && from !== undefined && to === undefined) {
      if (isDay(from)) tellWithdrawal(changes, version, from, release.source);
      changes.add('returned', on, () => ({
        version,
        text: `${version} is listed again: ${sentence(correction.reason)}`,
        reason: correction.reason,
      }));
    } else changes.add('corrected', on, () => tellCorrection(version, correction, to));
  }
}

function tellWithdrawal(changes: Changes, version: string, on: Day, source = 'upstream'): void {
  const reason = `${source} no longer lists it`;
  changes.add('withdrawn', on, () => ({ version, text: `${version} was withdrawn: ${reason}.`, reason }));
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
function valueAfter(release: JudgedRelease, index: number): string | undefined {
  const { field } = release.corrections[index]!;
  if (field !== 'releaseTimestamp' && field !== 'changelogUrl') return undefined;
  const next = release.corrections.slice(index + 1).find((later) => later.field === field);
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
  const byDay = new Map<Day, string[]>();
  for (const release of releases) {
    const on = later(reason.from, release);
    const versions = byDay.get(on);
    if (versions) versions.push(release.version);
    else byDay.set(on, [release.version]);
  }
  for (const [on, versions] of byDay) {
    changes.add('deprecated', on, () => {
      const names = versions.length > 5 ? `${versions.length} releases` : versions.join(', ');
      const what =
        on === reason.from
          ? `Release line ${name} left support${names === name ? '' : ` (${names})`}`
          : `${names} came after its release line ${name} had left support on ${reason.from}`;
      return {
        line: name,
        versions,
        text: `${what}: ${sentence(reason.text)}`,
        rule: reason.rule,
        reason: reason.text,
      };
    });
  }
}

function later(day: Day, { releaseTimestamp }: JudgedRelease): Day {
  if (releaseTimestamp === undefined) return day;
  const released = dayOf(releaseTimestamp);
  return released > day ? released : day;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
