import { toDay, type Day } from '../core/day.ts';
import { severities } from '../core/schema/advisory.ts';
import type { Draft, Event } from '../core/schema/events.ts';
import type { Component, Release, State } from '../core/schema/published.ts';
import type { Recorded } from '../core/schema/recorded.ts';

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
  isExcluded?: boolean;
  isWithdrawn?: boolean;
  /** Its own reason for deprecation, not that of its line. */
  deprecated?: string | undefined;
  /** The day since which it is; unknown of what its component began with. */
  deprecatedOn?: Day | undefined;
  isRepublished?: boolean;
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

/** The events that lead from what readers were told to what the index says now. */
export function describeChanges(
  told: Told,
  component: Component,
  recorded: Recorded,
  day: Day,
): Draft[] {
  const { replacedBy: to } = component;
  const from = told.replacedBy;
  return [
    ...(from === to ? [] : [{ type: 'replaced', on: day, from, to } as const]),
    ...describeReleases(told, component, recorded, day),
    ...describeLines(told, component, day),
    ...describeAdvisories(told, component, day),
  ];
}

/** Numbers the new events of a run after the recorded ones. */
export function numberEvents(
  { length }: readonly Event[],
  drafts: readonly Draft[],
  at: string,
): Event[] {
  const initial = length === 0 ? true : undefined;
  return drafts.map((draft, index) => ({ id: length + index + 1, at, ...draft, initial }));
}

function describeReleases(
  told: Told,
  { releases }: Component,
  recorded: Recorded,
  day: Day,
): Draft[] {
  const events: Draft[] = [];
  const links = new Map(
    recorded.releases.map(({ version, changelogUrl }) => [version, changelogUrl]),
  );

  for (const release of releases) {
    const { version, line, timestampKind, isPrerelease, changelogUrl: url, digest } = release;
    const former = told.releases.get(version);
    const on = findDay(release) ?? day;
    if (!former) {
      const isObserved = timestampKind === 'published' ? undefined : true;
      events.push({ type: 'released', on, version, line, url, digest, isObserved, isPrerelease });
    } else if (former.isExcluded) {
      events.push({ type: 'included', on: day, version });
    }
    const first = { line, day: on, isPrerelease: isPrerelease ?? false, link: url, digest };
    events.push(...describeRelease(former ?? first, release, links.get(version), day));
  }

  const present = new Set(releases.map(({ version }) => version));
  for (const [version, { isExcluded }] of told.releases) {
    if (!isExcluded && !present.has(version)) {
      events.push({ type: 'excluded', on: day, version });
    }
  }
  return events;
}

/** The changes of a release since it was told. `link`: the recorded one, not that of a template. */
function describeRelease(
  former: ToldRelease,
  release: Release,
  link: string | undefined,
  day: Day,
): Draft[] {
  const { version, line, withdrawnSince, isPrerelease = false } = release;
  // That a source states it is no news; that it never stated it is.
  const isStated = former.digest === undefined && release.digests?.includes(release.digest ?? '');
  const digest = isStated ? undefined : release.digest;
  const deprecated = findOwnReason(release, day);
  const events: Draft[] = [];

  // A release without any day keeps that of its event.
  const facts = { day: findDay(release) ?? former.day, line, isPrerelease, link, digest };
  for (const field of ['day', 'line', 'isPrerelease', 'link', 'digest'] as const) {
    const from = former[field]?.toString();
    const to = facts[field]?.toString();
    if (to !== undefined && from !== to) {
      events.push({ type: 'corrected', on: day, version, field, from, to });
    }
  }

  if ((former.isWithdrawn ?? false) !== (withdrawnSince !== undefined)) {
    const type = former.isWithdrawn ? 'relisted' : 'withdrawn';
    events.push({ type, on: withdrawnSince ?? day, version });
  }
  if (deprecated && deprecated.reason !== former.deprecated) {
    events.push({ type: 'deprecated', on: day, version, ...deprecated });
  } else if (!deprecated && former.deprecated !== undefined) {
    events.push({ type: 'restored', on: day, version });
  }
  if (release.republishedOn !== undefined && !former.isRepublished) {
    events.push({ type: 'republished', on: day, version });
  }
  return events;
}

/** Of a release without a day, the one on which it was first seen. */
function findDay({ releaseTimestamp, firstSeen }: Release): Day | undefined {
  return releaseTimestamp === undefined ? firstSeen : toDay(releaseTimestamp);
}

/** Why it is deprecated, besides the end of its line. */
function findOwnReason({ reasons }: Release, day: Day) {
  const own = reasons.find(
    ({ rule, from = '' }) => (rule === 'definition' || rule === 'upstream') && from <= day,
  );
  return own && { reason: own.text, url: own.url };
}

function describeLines(told: Told, { lines }: Component, day: Day): Draft[] {
  const events: Draft[] = [];

  for (const line of lines) {
    const { supportedUntil: until, supportedUntilAtMost: untilAtMost } = line;
    const subject = { line: line.line, reason: line.reason?.text };
    const former = told.lines.get(line.line) ?? openLine;
    const progress = progressOf[line.state] ?? 'open';
    const isMoved = former.until !== until || former.untilAtMost !== untilAtMost;
    if (isMoved || (former.progress === 'ended' && progress !== 'ended')) {
      const days = { from: former.until ?? former.untilAtMost, to: until, toAtMost: untilAtMost };
      events.push({ type: 'support-changed', on: day, ...subject, ...days });
    }
    if (progress !== 'open' && progress !== (isMoved ? 'open' : former.progress)) {
      // The last sure day, and afterwards the last that it may be.
      const on = progress === 'ended' ? (untilAtMost ?? until) : (until ?? untilAtMost);
      events.push({ type: `support-${progress}`, on: on ?? day, ...subject });
    }
  }
  return events;
}

function describeAdvisories(told: Told, { advisories }: Component, day: Day): Draft[] {
  const events: Draft[] = [];
  const present = new Set<string>();

  for (const { id: advisory, affected: to, published, url, ...risk } of advisories) {
    const { severity, exploitedSince } = risk;
    const facts = { advisory, to, url, severity, exploitedSince };
    const on = published !== undefined && published <= day ? published : day;
    const former = told.advisories.get(advisory);
    present.add(advisory);
    if (former === undefined) {
      events.push({ type: 'advisory-published', on, ...facts });
    } else if (former.to !== to || isWorse(risk, former)) {
      events.push({ type: 'advisory-changed', on: day, ...facts });
    }
  }

  for (const advisory of told.advisories.keys()) {
    if (!present.has(advisory)) {
      events.push({ type: 'advisory-withdrawn', on: day, advisory });
    }
  }
  return events;
}

/** Whether its severity has risen, or it is exploited now. */
function isWorse(advisory: ToldAdvisory, former: ToldAdvisory): boolean {
  const rank = ({ severity }: ToldAdvisory) => severities.indexOf(severity!);
  return (
    rank(advisory) > rank(former) ||
    (advisory.exploitedSince !== undefined && former.exploitedSince === undefined)
  );
}

function apply(told: Told, event: Draft): void {
  const { type, on, version = '', line = '', advisory = '', isPrerelease = false, to, url } = event;
  switch (type) {
    case 'released':
      told.releases.set(version, { line, day: on, isPrerelease, link: url, digest: event.digest });
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
    case 'support-ended': {
      const former = told.lines.get(line) ?? openLine;
      const isEnd = type === 'support-ended';
      const endedOn = isEnd && !event.initial ? on : undefined;
      told.lines.set(line, { ...former, progress: isEnd ? 'ended' : 'ending', endedOn });
      return;
    }
    default:
      listSubjects(told, event).forEach((release) => applyToRelease(release, event));
  }
}

/** The releases that an event is about. Old journals tell the end of a line as deprecations, and some of them for all releases of a line at once. */
function listSubjects({ releases }: Told, { type, version, line, rule }: Draft): ToldRelease[] {
  if (type === 'deprecated' && rule === 'support policy') {
    return [];
  }
  if (version === undefined) {
    return [...releases.values()].filter((release) => release.line === line);
  }

  const release = releases.get(version);
  return release ? [release] : [];
}

function applyToRelease(release: ToldRelease, event: Draft): void {
  const { type, on, field, to = '', reason, initial } = event;
  switch (type) {
    case 'withdrawn':
    case 'relisted':
      release.isWithdrawn = type === 'withdrawn';
      return;
    case 'excluded':
    case 'included':
      release.isExcluded = type === 'excluded';
      return;
    case 'deprecated':
      // Another reason is no other day.
      if (release.deprecated === undefined && !initial) {
        release.deprecatedOn = on;
      }
      release.deprecated = reason;
      return;
    case 'restored':
      release.deprecated = undefined;
      release.deprecatedOn = undefined;
      return;
    case 'republished':
      release.isRepublished = true;
      return;
    case 'corrected':
      if (field === 'isPrerelease') {
        release.isPrerelease = to === 'true';
      } else {
        release[field!] = to;
      }
  }
}
