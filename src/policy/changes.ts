import { isDay, type Day } from '../dates.ts';
import type { Definition } from '../model/definition.ts';
import type { Correction } from '../model/recorded.ts';
import { defined, sentence } from '../text.ts';
import type { Change } from './change.ts';
import { completeCorrections } from './corrections.ts';
import type { JudgedLine, JudgedRelease, Judgement } from './judge.ts';

interface JudgedComponent {
  readonly name: string;
  readonly definition: Definition;
  readonly judgement: Judgement;
}

/** A change that still lacks its place in the index. */
type Event = Omit<Change, 'id' | 'component'>;

/**
 * Everything that changed about a component up to the day it was judged for, newest first; of one day, the greatest
 * version first. Only what has a day counts: a verdict without a date (support `ended`, a deprecation without `since`)
 * and a release that was recorded by hand came at no known day. Pure: the same data and day give the same changes.
 */
export function changesOf({ name, definition, judgement }: JudgedComponent): Change[] {
  const identify = identifier(name);
  return judgement.lines
    .flatMap((line) => [
      ...line.releases.flatMap((release) => [...releaseEvents(release, definition)]),
      ...lineEvents(line),
    ])
    .filter(({ on }) => on <= judgement.day)
    .map((event) => {
      const { kind, on, ...rest } = event;
      return { id: identify(event), on, component: name, kind, ...rest };
    })
    .reverse()
    .sort(byDayNewestFirst);
}

/** Equal changes of one day are numbered. A number stays the same because corrections are only ever appended. */
function identifier(component: string): (event: Event) => string {
  const counts = new Map<string, number>();
  return ({ kind, on, version, line, rule, field }) => {
    const subject = version === undefined ? `line/${line}` : encodeURIComponent(version);
    const detail = (rule ?? field)?.replace(' ', '-');
    const id = [component, subject, kind, on, ...(detail === undefined ? [] : [detail])].join('/');
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}/${count}`;
  };
}

export function byDayNewestFirst(a: Change, b: Change): number {
  if (a.on === b.on) return 0;
  return a.on < b.on ? 1 : -1;
}

function* releaseEvents(release: JudgedRelease, definition: Definition): Generator<Event> {
  const { version, changelogUrl, recorded } = release;
  const { firstSeen, withdrawnSince, source } = recorded;
  if (firstSeen !== undefined) {
    const text = `${version} was added to the index.`;
    yield defined({ kind: 'added', on: firstSeen, version, text, url: changelogUrl } as const);
  }
  yield* listedEvents(release);
  yield* recordedEvents(release, definition);
  if (withdrawnSince !== undefined) yield withdrawal(version, withdrawnSince, source);
}

/** What the definition's list of deprecations says. */
function* listedEvents(release: JudgedRelease): Generator<Event> {
  const { version } = release;
  for (const { rule, from, text, url } of release.reasons) {
    if (rule !== 'definition' || from === undefined) continue;
    yield defined({
      kind: 'deprecated',
      on: later(from, release),
      version,
      text: `${version} is deprecated: ${sentence(text)}`,
      rule,
      reason: text,
      url,
    } as const);
  }
}

/** What is recorded of its past. An upstream deprecation without a correction has been there since the release was added. */
function* recordedEvents(release: JudgedRelease, definition: Definition): Generator<Event> {
  const { version, recorded } = release;
  const { firstSeen, corrections = [], source } = recorded;
  const isHeeded = !definition.ignoreUpstreamDeprecation;
  const firstWord = corrections.find(({ field }) => field === 'deprecated');
  const wordAtFirst = firstWord ? firstWord.from : release.upstreamDeprecation?.reason;
  if (isHeeded && wordAtFirst !== undefined && firstSeen !== undefined) {
    yield upstreamDeprecation(release, firstSeen, wordAtFirst);
  }
  for (const correction of completeCorrections(recorded)) {
    const { field, from, to, on, reason } = correction;
    if (field === 'deprecated' && !isHeeded) continue;
    if (field === 'deprecated' && from === undefined && to !== undefined) {
      yield upstreamDeprecation(release, on, to);
    } else if (field === 'withdrawnSince' && from !== undefined && to === undefined) {
      if (isDay(from)) yield withdrawal(version, from, source);
      yield {
        kind: 'returned',
        on,
        version,
        text: `${version} is listed again: ${sentence(reason)}`,
        reason,
      };
    } else yield correctionEvent(version, correction, to);
  }
}

function upstreamDeprecation(release: JudgedRelease, since: Day, reason: string): Event {
  const { version } = release;
  const text = `${version} is deprecated upstream: ${sentence(reason)}`;
  return { kind: 'deprecated', on: later(since, release), version, text, rule: 'upstream', reason };
}

function withdrawal(version: string, on: Day, source = 'upstream'): Event {
  const reason = `${source} no longer lists it`;
  return { kind: 'withdrawn', on, version, text: `${version} was withdrawn: ${reason}.`, reason };
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

function correctionEvent(version: string, correction: Correction, to: string | undefined): Event {
  const { on, field, from, reason } = correction;
  const quote = (value: string | undefined) => (value === undefined ? 'none' : `"${value}"`);
  const text = `${version}: the ${fieldNames[field]} was ${quote(from)} and is ${quote(to)} now: ${sentence(reason)}`;
  return defined({ kind: 'corrected', on, version, text, field, from, to, reason } as const);
}

/**
 * A line that leaves support is one change, whatever the number of its releases. Those that came out after that day
 * were deprecated from their first day on.
 */
function* lineEvents({ name, reason, eolFrom: from, releases }: JudgedLine): Generator<Event> {
  if (!reason) return;
  const { text, rule } = reason;
  const event = (on: Day, of: readonly JudgedRelease[], describe: (names: string) => string): Event => {
    const versions = of.map((release) => release.version);
    const names = versions.length > 5 ? `${versions.length} releases` : versions.join(', ');
    const what = `${describe(names)}: ${sentence(text)}`;
    return { kind: 'deprecated', on, line: name, versions, text: what, rule, reason: text };
  };
  // Its releases may be deprecated before its support ends.
  if (reason.from !== undefined && reason.from !== from)
    yield event(reason.from, releases, () => `Release line ${name} is deprecated`);
  if (from === undefined) return;
  const { [from]: inTime, ...late } = Object.groupBy(releases, (release) => later(from, release));
  if (inTime) {
    yield event(
      from,
      inTime,
      (names) => `Release line ${name} left support${names === name ? '' : ` (${names})`}`,
    );
  }
  for (const [on, of] of Object.entries(late)) {
    yield event(
      on,
      of!,
      (names) => `${names} came after its release line ${name} had left support on ${from}`,
    );
  }
}

function later(day: Day, { releaseDay }: JudgedRelease): Day {
  return releaseDay !== undefined && releaseDay > day ? releaseDay : day;
}
