/** Lists events: the differences between what the journal has reported and what the index says now. */
import { type Day, toDay } from '../core/day.ts';
import { maxDigests } from '../core/digest.ts';
import { listIds } from '../core/schema/names.ts';
import {
  type Advisory,
  type Component,
  type Release,
  severities,
  type State,
} from '../core/schema/published.ts';
import type { Draft, Event, Recorded, RecordedAdvisory } from '../core/schema/recorded.ts';
import { listHeeded } from '../judge/advisories.ts';
import { judgeOne } from '../judge/judge.ts';
import { joinList } from '../core/text.ts';
import type { RecordedComponent } from './data-files.ts';
import { findLastProven } from './provenance.ts';

const progressOf: Partial<Record<State, ReportedLine['progress']>> = {
  'ends-soon': 'ending',
  ended: 'ended',
};

interface Reportable extends Pick<
  RecordedComponent,
  'component' | 'definition' | 'effective' | 'journal'
> {
  /** The recorded advisories before the run. Without them, no advisory counts as withdrawn by its source. */
  formerAdvisories?: readonly RecordedAdvisory[] | undefined;
}

/** Lists the new events of a component. */
export function listEvents(reportable: Reportable, day: Day, at: string): Event[] {
  const { component: name, definition, effective: recorded, journal } = reportable;
  const judged = judgeOne({ name, definition, recorded }, day);
  const initial = journal.length === 0 ? true : undefined;
  const reported = fold(journal);
  const drafts = [
    ...describeChanges(reported, judged, recorded, day),
    ...describeLostAdvisories(reported, judged, reportable, day),
  ];
  return drafts.map((draft, index): Event => {
    return { id: journal.length + index + 1, at, ...draft, initial };
  });
}

/** Yields the events that lead from what the journal has reported to what the index says now. */
function* describeChanges(
  reported: Reported,
  component: Component,
  recorded: Recorded,
  day: Day,
): Generator<Draft> {
  const { replacedBy, splitInto } = component;
  const to = splitInto ? joinList(splitInto) : replacedBy;
  const from = reported.replacedBy;
  if (from !== to) {
    yield { type: 'replaced', on: day, from, to };
  }
  yield* describeReleases(reported, component, recorded, day);
  yield* describeLines(reported, component, day);
  yield* describeStops(reported, component, day);
  yield* describeAdvisories(reported, component, day);
}

function* describeReleases(
  reported: Reported,
  { releases }: Component,
  recorded: Recorded,
  day: Day,
): Generator<Draft> {
  const isInitial = (version: string) => reported.releases.get(version)?.isInitial ?? false;
  const links = new Map(recorded.releases.map((each) => [each.version, each.changelogUrl]));
  for (const release of releases) {
    const { version, line, isPrerelease, changelogUrl: url, digest } = release;
    const former = reported.releases.get(version);
    const on = findDay(release) ?? day;
    if (!former) {
      const isObserved = isBound(release);
      yield { type: 'released', on, version, line, url, digest, isObserved, isPrerelease };
      // The first releases of a component are never unproven, because no release was reported before them. There may be 10,000 of them, so
      // `findLastProven` is not called.
      const isUnproven = reported.releases.size > 0 && release.hasProvenance === false;
      const last = isUnproven ? findLastProven(release, releases, isInitial) : undefined;
      if (last) {
        yield { type: 'unproven', on, version, from: last.version };
      }
    } else if (former.isExcluded) {
      yield { type: 'included', on: day, version };
    }
    // A new release may already be withdrawn or deprecated.
    const first = { line, day: on, isPrerelease: isPrerelease ?? false, link: url, digest };
    yield* describeRelease(former ?? first, release, links.get(version), day);
  }

  const present = new Set(releases.map(({ version }) => version));
  for (const [version, { isExcluded }] of reported.releases) {
    if (!isExcluded && !present.has(version)) {
      yield { type: 'excluded', on: day, version };
    }
  }
}

/**
 * Yields the changes of a release since it was reported. `link`: the recorded link to the release notes, not a link made from a template.
 */
function* describeRelease(
  former: ReportedRelease,
  release: Release,
  link: string | undefined,
  day: Day,
): Generator<Draft> {
  yield* describeCorrections(former, release, link, day);

  const { version, withdrawnSince, republishedOn = '' } = release;
  if ((former.isWithdrawn ?? false) !== (withdrawnSince !== undefined)) {
    const type = former.isWithdrawn ? 'relisted' : 'withdrawn';
    yield { type, on: withdrawnSince ?? day, version };
  }
  // Finds a reason for deprecation that is about this release, not about its line. A reason without `from` has applied since the release.
  const reason = release.reasons.find(
    ({ rule, from = '' }) => (rule === 'definition' || rule === 'upstream') && from <= day,
  );
  if (reason && reason.text !== former.deprecated) {
    yield { type: 'deprecated', on: day, version, reason: reason.text, url: reason.url };
  } else if (!release.isDeprecated && former.deprecated !== undefined) {
    yield { type: 'restored', on: day, version };
  }
  if (republishedOn > (former.republishedOn ?? '')) {
    yield { type: 'republished', on: republishedOn, version };
  }
}

function* describeCorrections(
  former: ReportedRelease,
  release: Release,
  link: string | undefined,
  day: Day,
): Generator<Draft> {
  const { version, line, isPrerelease = false } = release;
  // A release without a date keeps the date of its `released` event.
  const current = findDay(release) ?? former.day;
  // A source may give a digest only some time after the release. No event reports such a digest. A digest that no source gave was written
  // by a person. This correction is reported.
  const isLater = former.digest === undefined && mayBeStated(release.digest, release);
  const digest = isLater ? undefined : release.digest;
  const corrections = [
    { field: 'day', from: former.day, to: current, isObserved: isBound(release) },
    { field: 'line', from: former.line, to: line },
    { field: 'isPrerelease', from: String(former.isPrerelease), to: String(isPrerelease) },
    { field: 'link', from: former.link, to: link },
    { field: 'digest', from: former.digest, to: digest },
  ] as const;
  for (const correction of corrections) {
    const { from, to } = correction;
    if (to !== undefined && from !== to) {
      yield { type: 'corrected', on: day, version, ...correction };
    }
  }

  for (const [file, to] of Object.entries(release.files ?? {})) {
    const from = former.files?.[file];
    if (from === undefined ? !mayBeStated(to, release) : from !== to) {
      yield { type: 'corrected', on: day, version, field: 'digest', file, from, to };
    }
  }
}

/**
 * Tells whether a source may have given a digest. `digests` contains the digests that sources gave, up to `maxDigests`. If it is full, a
 * source may also have given other digests.
 */
function mayBeStated(digest: string | undefined, { digests = [] }: Release): boolean {
  return digests.length >= maxDigests || digests.some((each) => each === digest);
}

/** Returns the release date, or the date on which the release was first seen. */
function findDay({ releaseTimestamp, firstSeen }: Release): Day | undefined {
  return releaseTimestamp === undefined ? firstSeen : toDay(releaseTimestamp);
}

/** Tells whether the release date is only an upper bound. */
function isBound({ timestampKind }: Release): true | undefined {
  return timestampKind === 'published' ? undefined : true;
}

function* describeLines(reported: Reported, { lines }: Component, day: Day): Generator<Draft> {
  for (const line of lines) {
    const { supportedUntil: until, supportedUntilAtMost: untilAtMost, isInferred } = line;
    const { paidSupport } = line;
    const subject = { line: line.line, reason: line.reason?.text, paidSupport };
    const former = reported.lines.get(line.line) ?? openLine;
    const hadEnded = former.progress === 'ended';
    // `support-ended` is the last event about the end of a line, unless the line is supported again. Otherwise, a list that lacks a part for
    // a day would make the journal report the end again.
    if (hadEnded && !line.isSupported) {
      continue;
    }

    const progress = progressOf[line.state] ?? 'open';
    const isMoved = former.until !== until || former.untilAtMost !== untilAtMost;
    if (isMoved || hadEnded) {
      const days = { from: former.until ?? former.untilAtMost, to: until, toAtMost: untilAtMost };
      const isSupportedAgain = hadEnded || undefined;
      yield { type: 'support-changed', on: day, ...subject, ...days, isInferred, isSupportedAgain };
    }
    // If the end of a line moved, `support-ending` may be reported again, for the new end.
    const toldProgress = isMoved ? 'open' : former.progress;
    if (progress !== 'open' && progress !== toldProgress) {
      // `support-ending` is dated the last certain day with support. `support-ended` is dated the last possible day with support.
      const on = progress === 'ended' ? (untilAtMost ?? until) : (until ?? untilAtMost);
      const toAtMost = progress === 'ended' ? undefined : untilAtMost;
      yield { type: `support-${progress}`, on: on ?? day, ...subject, toAtMost };
    }
  }
}

function* describeStops(
  { stops: former }: Reported,
  { requiredStops }: Component,
  day: Day,
): Generator<Draft> {
  const present = new Set(requiredStops?.stops.map(({ stop }) => stop));
  for (const line of present.difference(former)) {
    yield { type: 'stop-added', on: day, line };
  }
  for (const line of former.difference(present)) {
    yield { type: 'stop-removed', on: day, line };
  }
}

function* describeAdvisories(
  reported: Reported,
  { advisories }: Component,
  day: Day,
): Generator<Draft> {
  for (const {
    id: advisory,
    affected: to,
    published,
    url,
    severity,
    exploitedSince,
  } of advisories) {
    const facts = { advisory, to, url, severity, exploitedSince };
    const on = published !== undefined && published <= day ? published : day;
    const former = reported.advisories.get(advisory);
    if (former === undefined) {
      yield { type: 'advisory-published', on, ...facts };
    } else if (former.to !== to || isWorse(facts, former)) {
      yield { type: 'advisory-changed', on: day, ...facts };
    }
  }
}

/** Yields the events about advisories that the index no longer lists. */
function* describeLostAdvisories(
  reported: Reported,
  { advisories }: Component,
  reportable: Reportable,
  day: Day,
): Generator<Draft> {
  const present = new Set(advisories.map(({ id }) => id));
  for (const advisory of reported.advisories.keys()) {
    if (!present.has(advisory)) {
      yield { on: day, advisory, ...explainLoss(advisory, advisories, reportable) };
    }
  }
}

/** Finds out why the index no longer lists an advisory. Only if its source withdrew it, is it `advisory-withdrawn`. */
function explainLoss(
  advisory: string,
  present: readonly Advisory[],
  { definition, effective, formerAdvisories = [] }: Reportable,
): Pick<Draft, 'type' | 'reason'> {
  const type = 'advisory-removed';
  const isSame = (each: Pick<Advisory, 'id' | 'aliases'>) => listIds(each).includes(advisory);
  const other = present.find(isSame);
  if (other) {
    return { type, reason: `It is now listed as ${other.id}` };
  }

  // Catalogues of exploited vulnerabilities have no `affected` ranges.
  const isStated = (each: RecordedAdvisory) => each.affected !== undefined && isSame(each);
  const stated = (effective.advisories ?? []).filter(isStated);
  if (stated.length === 0) {
    return { type: formerAdvisories.some(isStated) ? 'advisory-withdrawn' : type };
  }
  const isIgnored = listHeeded(definition, stated).length === 0;
  const reason = isIgnored
    ? 'The owner of this index ignores it'
    : 'This index no longer asks its source for advisories';
  return { type, reason };
}

/** Tells whether the severity of an advisory has risen, or whether the vulnerability is now exploited. */
function isWorse(advisory: ReportedAdvisory, former: ReportedAdvisory): boolean {
  // An advisory without a severity ranks below all severities.
  const rank = ({ severity }: ReportedAdvisory) =>
    severities.findIndex((each) => each === severity);
  return (
    rank(advisory) > rank(former) ||
    (advisory.exploitedSince !== undefined && former.exploitedSince === undefined)
  );
}

/** What the events of a journal have reported so far. */
interface Reported {
  releases: Map<string, ReportedRelease>;
  lines: Map<string, ReportedLine>;
  /** The names of the required stops. */
  stops: Set<string>;
  /** The reported advisories, by id. */
  advisories: Map<string, ReportedAdvisory>;
  replacedBy?: string | undefined;
}

interface ReportedRelease {
  line: string;
  day: Day;
  /** Whether the date is only an upper bound. */
  isObserved?: boolean | undefined;
  isPrerelease: boolean;
  /** Whether the release existed when the component was added. */
  isInitial?: boolean;
  /** The URL of the release notes. */
  link?: string | undefined;
  /** The reported digest. Absent if the source gave it some time after the release. */
  digest?: string | undefined;
  /** Corrected digests, by the names of their files. */
  files?: Readonly<Record<string, string>>;
  isExcluded?: boolean;
  isWithdrawn?: boolean;
  /** The release's own reason for deprecation, not its line's. */
  deprecated?: string | undefined;
  /** The first day of deprecation. Unknown if the release was deprecated when the component was added. */
  deprecatedOn?: Day | undefined;
  /** The day on which files were last reported as replaced. */
  republishedOn?: Day;
  /** The last release with provenance before this release, if this release was reported as unproven. */
  lastProven?: string | undefined;
}

interface ReportedLine {
  /** The last day with support. `untilAtMost`: the latest possible last day. */
  until?: Day | undefined;
  untilAtMost?: Day | undefined;
  progress: 'open' | 'ending' | 'ended';
  /**
   * The date of the event `support-ended`. If the line has no end date, all its releases are deprecated from this day on. Absent if the
   * line had already ended when the component was added.
   */
  endedOn?: Day | undefined;
}

type ReportedAdvisory = Pick<Draft, 'to' | 'severity' | 'exploitedSince'>;

const openLine: ReportedLine = { progress: 'open' };

/** Returns what all events of a journal have reported. */
export function fold(events: readonly Draft[]): Reported {
  const reported: Reported = {
    releases: new Map(),
    lines: new Map(),
    stops: new Set(),
    advisories: new Map(),
  };
  for (const event of events) {
    addEvent(reported, event);
  }
  return reported;
}

/**
 * Lists the ends of a line that readers had before each change of its end since a day. If the last event reported that the line has ended,
 * readers still have this end, even if its source no longer gives it.
 */
export function listFormerEnds(events: readonly Draft[], line: string, since: Day): ReportedLine[] {
  const reported = fold([]);
  const former = events.flatMap((event) => {
    if (event.line !== line || !event.type.startsWith('support-')) {
      return [];
    }

    const before = reported.lines.get(line) ?? openLine;
    addEvent(reported, event);
    const isChange = event.type === 'support-changed' && !event.initial;
    return isChange && event.on >= since ? before : [];
  });
  const last = reported.lines.get(line);
  return last?.progress === 'ended' ? [...former, last] : former;
}

/** Applies an event to the reported state. Depending on its type, an event names a version, a line or an advisory. */
function addEvent(reported: Reported, event: Draft): void {
  const { type, on, version = '', line = '', advisory = '', to, initial, isObserved } = event;
  const formerLine = reported.lines.get(line) ?? openLine;
  switch (type) {
    case 'released': {
      const { isPrerelease = false, url: link, digest } = event;
      const release = { line, day: on, isObserved, isPrerelease, link, digest };
      reported.releases.set(version, initial ? { ...release, isInitial: true } : release);
      return;
    }
    case 'replaced':
      reported.replacedBy = to;
      return;
    case 'advisory-published':
    case 'advisory-changed':
      reported.advisories.set(advisory, event);
      return;
    case 'advisory-withdrawn':
    case 'advisory-removed':
      reported.advisories.delete(advisory);
      return;
    case 'stop-added':
      reported.stops.add(line);
      return;
    case 'stop-removed':
      reported.stops.delete(line);
      return;
    case 'support-changed':
      reported.lines.set(line, { until: to, untilAtMost: event.toAtMost, progress: 'open' });
      return;
    case 'support-ending':
      reported.lines.set(line, { ...formerLine, progress: 'ending' });
      return;
    case 'support-ended': {
      const endedOn = initial ? undefined : on;
      reported.lines.set(line, { ...formerLine, progress: 'ended', endedOn });
      return;
    }
    default:
      for (const release of listSubjects(reported, event)) {
        Object.assign(release, changes[type](event, release));
      }
  }
}

/** Lists the releases that an event is about. An event may name a line instead of a version. */
function listSubjects({ releases }: Reported, { version, line }: Draft): ReportedRelease[] {
  return version === undefined
    ? [...releases.values()].filter((release) => release.line === line)
    : [releases.get(version)].filter((release) => release !== undefined);
}

/** Returns the fields of a release that an event changes. */
type Change = (event: Draft, release: ReportedRelease) => Partial<ReportedRelease>;

/** For each type of event, the change to the reported release. */
const changes = {
  withdrawn: () => ({ isWithdrawn: true }),
  relisted: () => ({ isWithdrawn: false }),
  excluded: () => ({ isExcluded: true }),
  included: () => ({ isExcluded: false }),
  // A new reason does not change the first day of deprecation.
  deprecated: ({ on, reason, initial }, { deprecated, deprecatedOn }) => ({
    deprecated: reason,
    deprecatedOn: deprecated === undefined && !initial ? on : deprecatedOn,
  }),
  restored: () => ({ deprecated: undefined, deprecatedOn: undefined }),
  republished: ({ on }) => ({ republishedOn: on }),
  unproven: ({ from }) => ({ lastProven: from }),
  corrected: ({ field, file, to = '', isObserved }, { files }) => {
    switch (field) {
      case 'day':
        return { day: to, isObserved };
      case 'isPrerelease':
        return { isPrerelease: to === 'true' };
      default:
        return file === undefined ? { [field!]: to } : { files: { ...files, [file]: to } };
    }
  },
} satisfies Partial<Record<Draft['type'], Change>>;
