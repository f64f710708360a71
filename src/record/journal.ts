import { toDay, type Day } from '../core/day.ts';
import { maxDigests } from '../core/digest.ts';
import { severities } from '../core/schema/advisory.ts';
import type { Draft, Event } from '../core/schema/events.ts';
import type { Component, Release, State } from '../core/schema/published.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import { judgeOne } from '../judge/judge.ts';
import type { RecordedComponent } from './files.ts';

/** What readers were told of a component: the events of its journal, folded. */
interface Told {
  releases: Map<string, ToldRelease>;
  lines: Map<string, ToldLine>;
  /** By id. */
  advisories: Map<string, ToldAdvisory>;
  replacedBy?: string | undefined;
}

interface ToldRelease {
  line: string;
  day: Day;
  isPrerelease: boolean;
  /** The address of its notes. */
  link?: string | undefined;
  /** Absent where its source stated it later than the release. */
  digest?: string | undefined;
  /** Those that were corrected, by the names of their files. */
  files?: Readonly<Record<string, string>>;
  isExcluded?: boolean;
  isWithdrawn?: boolean;
  /** Its own reason for deprecation, not that of its line. */
  deprecated?: string | undefined;
  /** The day since which it is; unknown of what its component began with. */
  deprecatedOn?: Day | undefined;
  /** The day of the last time. */
  republishedOn?: Day;
}

type ToldAdvisory = Pick<Draft, 'to' | 'severity' | 'exploitedSince'>;

interface ToldLine {
  /** The last day with support, and the latest possible one. */
  until?: Day | undefined;
  untilAtMost?: Day | undefined;
  progress: 'open' | 'ending' | 'ended';
  /** As for a release. */
  endedOn?: Day | undefined;
}

const openLine: ToldLine = { progress: 'open' };
const progressOf: Partial<Record<State, ToldLine['progress']>> = {
  'ends-soon': 'ending',
  ended: 'ended',
};

export function fold(events: readonly Draft[]): Told {
  const told: Told = { releases: new Map(), lines: new Map(), advisories: new Map() };
  for (const event of events) {
    apply(told, event);
  }
  return told;
}

/** The new events of each component that has any. */
export function listEvents(
  components: readonly Pick<
    RecordedComponent,
    'component' | 'definition' | 'counted' | 'journal'
  >[],
  day: Day,
  at: string,
): Map<string, Event[]> {
  const events = new Map<string, Event[]>();
  for (const { component: name, definition, counted: recorded, journal } of components) {
    const judged = judgeOne({ name, definition, recorded }, day);
    const initial = journal.length === 0 ? true : undefined;
    const drafts = [...describeChanges(fold(journal), judged, recorded, day)];
    const own = drafts.map((draft, index): Event => {
      return { id: journal.length + index + 1, at, ...draft, initial };
    });
    if (own.length > 0) {
      events.set(name, own);
    }
  }
  return events;
}

/** The events that lead from what readers were told to what the index says now. */
function* describeChanges(
  told: Told,
  component: Component,
  recorded: Recorded,
  day: Day,
): Generator<Draft> {
  const { replacedBy: to } = component;
  const from = told.replacedBy;
  if (from !== to) {
    yield { type: 'replaced', on: day, from, to };
  }
  yield* describeReleases(told, component, recorded, day);
  yield* describeLines(told, component, day);
  yield* describeAdvisories(told, component, day);
}

function* describeReleases(
  told: Told,
  { releases }: Component,
  recorded: Recorded,
  day: Day,
): Generator<Draft> {
  const links = new Map(recorded.releases.map((each) => [each.version, each.changelogUrl]));
  for (const release of releases) {
    const { version, line, timestampKind, isPrerelease, changelogUrl: url, digest } = release;
    const former = told.releases.get(version);
    const on = findDay(release) ?? day;
    if (!former) {
      const isObserved = timestampKind === 'published' ? undefined : true;
      yield { type: 'released', on, version, line, url, digest, isObserved, isPrerelease };
    } else if (former.isExcluded) {
      yield { type: 'included', on: day, version };
    }
    // A new release may be withdrawn or deprecated from the start.
    const first = { line, day: on, isPrerelease: isPrerelease ?? false, link: url, digest };
    yield* describeRelease(former ?? first, release, links.get(version), day);
  }

  const present = new Set(releases.map(({ version }) => version));
  for (const [version, { isExcluded }] of told.releases) {
    if (!isExcluded && !present.has(version)) {
      yield { type: 'excluded', on: day, version };
    }
  }
}

/** The changes of a release since it was told. `link`: the recorded one, not that of a template. */
function* describeRelease(
  former: ToldRelease,
  release: Release,
  link: string | undefined,
  day: Day,
): Generator<Draft> {
  const { version, line, withdrawnSince, timestampKind, isPrerelease = false } = release;
  // A digest that its source states later than the release is no news; a digest that it never stated is.
  const isLater = former.digest === undefined && release.digests?.includes(release.digest ?? '');
  const digest = isLater ? undefined : release.digest;
  // A release without any day keeps that of its event.
  const facts = { day: findDay(release) ?? former.day, line, isPrerelease, link, digest };
  for (const field of ['day', 'line', 'isPrerelease', 'link', 'digest'] as const) {
    const from = former[field]?.toString();
    const to = facts[field]?.toString();
    if (to !== undefined && from !== to) {
      const isObserved = field === 'day' && timestampKind === 'observed' ? true : undefined;
      yield { type: 'corrected', on: day, version, field, from, to, isObserved };
    }
  }
  for (const [file, to] of Object.entries(release.files ?? {})) {
    const from = former.files?.[file];
    // Only so many digests of a release are recorded.
    const isStated = release.digests?.includes(to) || release.digests?.length === maxDigests;
    if (from === undefined ? !isStated : from !== to) {
      yield { type: 'corrected', on: day, version, field: 'digest', file, from, to };
    }
  }

  if ((former.isWithdrawn ?? false) !== (withdrawnSince !== undefined)) {
    const type = former.isWithdrawn ? 'relisted' : 'withdrawn';
    yield { type, on: withdrawnSince ?? day, version };
  }
  // Its own reason, not that of its line; without a day, it has always held.
  const own = release.reasons.find(
    ({ rule, from = '' }) => (rule === 'definition' || rule === 'upstream') && from <= day,
  );
  if (own && own.text !== former.deprecated) {
    yield { type: 'deprecated', on: day, version, reason: own.text, url: own.url };
  } else if (!own && former.deprecated !== undefined) {
    yield { type: 'restored', on: day, version };
  }
  const { republishedOn = '' } = release;
  if (republishedOn > (former.republishedOn ?? '')) {
    yield { type: 'republished', on: republishedOn, version };
  }
}

/** Of a release without a day, the one on which it was first seen. */
function findDay({ releaseTimestamp, firstSeen }: Release): Day | undefined {
  return releaseTimestamp === undefined ? firstSeen : toDay(releaseTimestamp);
}

function* describeLines(told: Told, { lines }: Component, day: Day): Generator<Draft> {
  for (const line of lines) {
    const { supportedUntil: until, supportedUntilAtMost: untilAtMost, isInferred } = line;
    const subject = { line: line.line, reason: line.reason?.text };
    const former = told.lines.get(line.line) ?? openLine;
    const progress = progressOf[line.state] ?? 'open';
    const isMoved = former.until !== until || former.untilAtMost !== untilAtMost;
    if (isMoved || (former.progress === 'ended' && progress !== 'ended')) {
      const days = { from: former.until ?? former.untilAtMost, to: until, toAtMost: untilAtMost };
      yield { type: 'support-changed', on: day, ...subject, ...days, isInferred };
    }
    // An end that moved is told as open again.
    const toldProgress = isMoved ? 'open' : former.progress;
    if (progress !== 'open' && progress !== toldProgress) {
      // The last sure day, and afterwards the last that it may be.
      const on = progress === 'ended' ? (untilAtMost ?? until) : (until ?? untilAtMost);
      yield { type: `support-${progress}`, on: on ?? day, ...subject };
    }
  }
}

function* describeAdvisories(told: Told, { advisories }: Component, day: Day): Generator<Draft> {
  for (const { id: advisory, affected: to, published, url, ...risk } of advisories) {
    const { severity, exploitedSince } = risk;
    const facts = { advisory, to, url, severity, exploitedSince };
    const on = published !== undefined && published <= day ? published : day;
    const former = told.advisories.get(advisory);
    if (former === undefined) {
      yield { type: 'advisory-published', on, ...facts };
    } else if (former.to !== to || isWorse(risk, former)) {
      yield { type: 'advisory-changed', on: day, ...facts };
    }
  }

  const present = new Set(advisories.map(({ id }) => id));
  for (const advisory of told.advisories.keys()) {
    if (!present.has(advisory)) {
      yield { type: 'advisory-withdrawn', on: day, advisory };
    }
  }
}

/** Whether its severity has risen, or it is exploited now. */
function isWorse(advisory: ToldAdvisory, former: ToldAdvisory): boolean {
  // An absent severity is below all.
  const rank = ({ severity }: ToldAdvisory) => severities.indexOf(severity!);
  return (
    rank(advisory) > rank(former) ||
    (advisory.exploitedSince !== undefined && former.exploitedSince === undefined)
  );
}

function apply(told: Told, event: Draft): void {
  const { type, on, version = '', line = '', advisory = '', isPrerelease = false, to } = event;
  const { url: link, digest } = event;
  const former = told.lines.get(line) ?? openLine;
  switch (type) {
    case 'released':
      told.releases.set(version, { line, day: on, isPrerelease, link, digest });
      return;
    case 'replaced':
      told.replacedBy = to;
      return;
    case 'advisory-published':
    case 'advisory-changed':
      told.advisories.set(advisory, event);
      return;
    case 'advisory-withdrawn':
      told.advisories.delete(advisory);
      return;
    case 'support-announced':
    case 'support-changed':
      told.lines.set(line, { until: to, untilAtMost: event.toAtMost, progress: 'open' });
      return;
    case 'support-ending':
      told.lines.set(line, { ...former, progress: 'ending' });
      return;
    case 'support-ended':
      told.lines.set(line, {
        ...former,
        progress: 'ended',
        endedOn: event.initial ? undefined : on,
      });
      return;
    default:
      for (const release of listSubjects(told, event)) {
        Object.assign(release, listChanges(release, event));
      }
  }
}

/** The releases that an event is about. Old journals tell the end of a line as deprecations, and some of them for all releases of a line at once. */
function listSubjects({ releases }: Told, { type, version, line, rule }: Draft): ToldRelease[] {
  if (type === 'deprecated' && rule === 'support policy') {
    return [];
  }
  return version === undefined
    ? [...releases.values()].filter((release) => release.line === line)
    : [releases.get(version)].filter((release) => release !== undefined);
}

/** What an event changes of a release. */
function listChanges(
  { deprecated, deprecatedOn, files }: ToldRelease,
  // Old events correct the day.
  { type, on, field = 'day', file, to = '', reason, initial }: Draft,
): Partial<ToldRelease> {
  switch (type) {
    case 'withdrawn':
    case 'relisted':
      return { isWithdrawn: type === 'withdrawn' };
    case 'excluded':
    case 'included':
      return { isExcluded: type === 'excluded' };
    case 'deprecated': {
      // Another reason is no other day.
      const isNew = deprecated === undefined && !initial;
      return { deprecated: reason, deprecatedOn: isNew ? on : deprecatedOn };
    }
    case 'restored':
      return { deprecated: undefined, deprecatedOn: undefined };
    case 'republished':
      return { republishedOn: on };
    case 'corrected':
      if (file !== undefined) {
        return { files: { ...files, [file]: to } };
      }
      return { [field]: field === 'isPrerelease' ? to === 'true' : to };
    default:
      return {};
  }
}
