/** What readers were told of a component: its events, in the order of its journal, make one state. */
import type { Day } from '../core/day.ts';
import type { Draft } from '../core/schema/events.ts';

export interface Told {
  releases: Map<string, ToldRelease>;
  lines: Map<string, ToldLine>;
  /** By id. */
  advisories: Map<string, ToldAdvisory>;
  replacedBy?: string | undefined;
}

export interface ToldRelease {
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
  /** It came without provenance, which this one before it had. */
  lastProven?: string | undefined;
}

export interface ToldLine {
  /** The last day with support, and the latest possible one. */
  until?: Day | undefined;
  untilAtMost?: Day | undefined;
  progress: 'open' | 'ending' | 'ended';
  /** As for a release. */
  endedOn?: Day | undefined;
}

export type ToldAdvisory = Pick<Draft, 'to' | 'severity' | 'exploitedSince'>;

export const openLine: ToldLine = { progress: 'open' };

export function fold(events: readonly Draft[]): Told {
  const told: Told = { releases: new Map(), lines: new Map(), advisories: new Map() };
  for (const event of events) {
    addEvent(told, event);
  }
  return told;
}

/** An event names the subject that its type is about. */
function addEvent(told: Told, event: Draft): void {
  const { type, on, version = '', line = '', advisory = '', to, initial } = event;
  const formerLine = told.lines.get(line) ?? openLine;
  switch (type) {
    case 'released': {
      const { isPrerelease = false, url: link, digest } = event;
      told.releases.set(version, { line, day: on, isPrerelease, link, digest });
      return;
    }
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
    case 'support-changed':
      told.lines.set(line, { until: to, untilAtMost: event.toAtMost, progress: 'open' });
      return;
    case 'support-ending':
      told.lines.set(line, { ...formerLine, progress: 'ending' });
      return;
    case 'support-ended': {
      const endedOn = initial ? undefined : on;
      told.lines.set(line, { ...formerLine, progress: 'ended', endedOn });
      return;
    }
    default:
      for (const release of listSubjects(told, event)) {
        Object.assign(release, changes[type](event, release));
      }
  }
}

/** The releases of an event, which may name the line of all. */
function listSubjects({ releases }: Told, { version, line }: Draft): ToldRelease[] {
  return version === undefined
    ? [...releases.values()].filter((release) => release.line === line)
    : [releases.get(version)].filter((release) => release !== undefined);
}

/** What an event changes of a release. */
type Change = (event: Draft, release: ToldRelease) => Partial<ToldRelease>;

/** Of the events that change a release of which readers know. */
const changes = {
  withdrawn: () => ({ isWithdrawn: true }),
  relisted: () => ({ isWithdrawn: false }),
  excluded: () => ({ isExcluded: true }),
  included: () => ({ isExcluded: false }),
  // Another reason is no other day.
  deprecated: ({ on, reason, initial }, { deprecated, deprecatedOn }) => ({
    deprecated: reason,
    deprecatedOn: deprecated === undefined && !initial ? on : deprecatedOn,
  }),
  restored: () => ({ deprecated: undefined, deprecatedOn: undefined }),
  republished: ({ on }) => ({ republishedOn: on }),
  unproven: ({ from }) => ({ lastProven: from }),
  corrected: ({ field, file, to = '' }, { files }) =>
    file === undefined
      ? { [field!]: field === 'isPrerelease' ? to === 'true' : to }
      : { files: { ...files, [file]: to } },
} satisfies Partial<Record<Draft['type'], Change>>;
