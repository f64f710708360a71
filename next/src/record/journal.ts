import { toDay, type Day } from '../core/day.ts';
import type { Draft, Event } from '../core/schema/events.ts';
import type { Component, Release } from '../core/schema/published.ts';

/** What readers were told of a component: the events of its journal, folded. */
export interface Told {
  releases: Map<string, ToldRelease>;
  lines: Map<string, ToldLine>;
  /** The texts of advisories, by id. */
  advisories: Map<string, string>;
  replacedBy?: string | undefined;
}

interface ToldRelease {
  line: string;
  day: Day;
  isPrerelease: boolean;
  isListed: boolean;
  isWithdrawn: boolean;
  /** Its own reason for deprecation, not that of its line. */
  deprecated?: string | undefined;
  isRepublished: boolean;
}

interface ToldLine {
  /** The last day with support, and the latest possible one. */
  until?: Day | undefined;
  untilAtMost?: Day | undefined;
  progress: 'open' | 'ending' | 'ended';
}

export function fold(events: readonly Draft[]): Told {
  const told: Told = { releases: new Map(), lines: new Map(), advisories: new Map() };
  for (const event of events) {
    apply(told, event);
  }
  return told;
}

/** The events that lead from what readers were told to what the index says now. */
export function describe(told: Told, component: Component, day: Day): Draft[] {
  const events = [
    ...describeReplacement(told, component, day),
    ...describeReleases(told, component, day),
    ...describeLines(told, component, day),
    ...describeAdvisories(told, component, day),
  ];
  return events.map(dropAbsent);
}

/** Numbers the new events of a run after the recorded ones. */
export function number(recorded: readonly Event[], drafts: readonly Draft[], at: string): Event[] {
  const { length } = recorded;
  const initial = length === 0 ? { initial: true as const } : {};
  return drafts.map((draft, index) => ({ id: length + index + 1, at, ...draft, ...initial }));
}

type Sparse<T> = { [K in keyof T]: T[K] | undefined };

function describeReplacement(told: Told, { replacedBy }: Component, day: Day): Sparse<Draft>[] {
  return told.replacedBy === replacedBy
    ? []
    : [{ type: 'replaced', on: day, from: told.replacedBy, to: replacedBy }];
}

function describeReleases(told: Told, { releases }: Component, day: Day): Sparse<Draft>[] {
  const events: Sparse<Draft>[] = [];

  for (const release of releases) {
    const { version, line, timestampKind, isPrerelease, changelogUrl: url } = release;
    const former = told.releases.get(version);
    if (!former) {
      const flags = {
        isObserved: timestampKind === 'published' ? undefined : true,
        isPrerelease,
      } as const;
      events.push({ type: 'released', on: findDay(release) ?? day, version, line, url, ...flags });
    } else if (!former.isListed) {
      events.push({ type: 'included', on: day, version });
    }
    const facts = { line, day: findDay(release) ?? day, isPrerelease };
    events.push(...describeRelease(former ?? createTold(facts), release, day));
  }

  const present = new Set(releases.map(({ version }) => version));
  for (const [version, { isListed }] of told.releases) {
    if (isListed && !present.has(version)) {
      events.push({ type: 'excluded', on: day, version });
    }
  }
  return events;
}

/** The changes of a release since it was told. */
function describeRelease(former: ToldRelease, release: Release, day: Day): Sparse<Draft>[] {
  const { version, line, withdrawnSince, isPrerelease = false } = release;
  const deprecated = findOwnReason(release, day);
  const events: Sparse<Draft>[] = [];

  // A release without any day keeps that of its event.
  const facts = { day: findDay(release) ?? former.day, line, isPrerelease };
  for (const field of ['day', 'line', 'isPrerelease'] as const) {
    const from = String(former[field]);
    const to = String(facts[field]);
    if (from !== to) {
      events.push({ type: 'corrected', on: day, version, field, from, to });
    }
  }

  if (former.isWithdrawn !== (withdrawnSince !== undefined)) {
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

function describeLines(told: Told, { lines }: Component, day: Day): Sparse<Draft>[] {
  const events: Sparse<Draft>[] = [];

  for (const {
    line,
    supportedUntil: until,
    supportedUntilAtMost: untilAtMost,
    state,
    reason: why,
  } of lines) {
    const reason = why?.text;
    const former = told.lines.get(line) ?? createLine();
    const progress = findProgress(state);
    const isMoved = former.until !== until || former.untilAtMost !== untilAtMost;
    if (isMoved || (former.progress === 'ended' && progress !== 'ended')) {
      const days = { from: former.until ?? former.untilAtMost, to: until, toAtMost: untilAtMost };
      events.push({ type: 'support-changed', on: day, line, ...days, reason });
    }
    if (progress !== 'open' && progress !== (isMoved ? 'open' : former.progress)) {
      const on = until ?? untilAtMost ?? day;
      events.push({
        type: progress === 'ended' ? 'support-ended' : 'support-ending',
        on,
        line,
        reason,
      });
    }
  }
  return events;
}

function findProgress(state: string): ToldLine['progress'] {
  if (state === 'ended') {
    return 'ended';
  }
  return state === 'ends-soon' ? 'ending' : 'open';
}

function describeAdvisories(told: Told, { advisories }: Component, day: Day): Sparse<Draft>[] {
  const events: Sparse<Draft>[] = [];
  const present = new Set<string>();

  for (const { id: advisory, affected: to, published, url } of advisories) {
    const on = published !== undefined && published <= day ? published : day;
    const former = told.advisories.get(advisory);
    present.add(advisory);
    if (former === undefined) {
      events.push({ type: 'advisory-published', on, advisory, to, url });
    } else if (former !== to) {
      events.push({ type: 'advisory-changed', on: day, advisory, to, url });
    }
  }

  for (const advisory of told.advisories.keys()) {
    if (!present.has(advisory)) {
      events.push({ type: 'advisory-withdrawn', on: day, advisory });
    }
  }
  return events;
}

function apply(told: Told, event: Draft): void {
  const { type, version = '', line = '', advisory = '', to, rule } = event;
  if (type === 'deprecated' && rule === 'support policy') {
    return;
  }
  if (type === 'deprecated' && version === '') {
    // Old journals tell what all releases of a line share at once.
    const ofLine = [...told.releases.values()].filter((each) => each.line === line);
    ofLine.forEach((each) => applyToRelease(each, event));
    return;
  }

  const release = told.releases.get(version);

  switch (type) {
    case 'released':
      told.releases.set(
        version,
        createTold({ line, day: event.on, isPrerelease: event.isPrerelease }),
      );
      return;
    case 'replaced':
      told.replacedBy = to;
      return;
    case 'advisory-published':
    case 'advisory-changed':
      told.advisories.set(advisory, to!);
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
      const former = told.lines.get(line) ?? createLine();
      told.lines.set(line, { ...former, progress: type === 'support-ended' ? 'ended' : 'ending' });
      return;
    }
    default:
      if (release) {
        applyToRelease(release, event);
      }
  }
}

function applyToRelease(release: ToldRelease, { type, field, to = '', reason }: Draft): void {
  switch (type) {
    case 'withdrawn':
    case 'relisted':
      release.isWithdrawn = type === 'withdrawn';
      return;
    case 'excluded':
    case 'included':
      release.isListed = type === 'included';
      return;
    case 'deprecated':
    case 'restored':
      release.deprecated = type === 'deprecated' ? reason : undefined;
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

function createTold({
  line,
  day,
  isPrerelease = false,
}: {
  line: string;
  day: Day;
  isPrerelease?: boolean | undefined;
}): ToldRelease {
  return { line, day, isPrerelease, isListed: true, isWithdrawn: false, isRepublished: false };
}

function createLine(): ToldLine {
  return { progress: 'open' };
}

function dropAbsent(draft: Sparse<Draft>): Draft {
  const entries = Object.entries(draft).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Draft;
}
