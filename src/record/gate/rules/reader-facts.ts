import type { Day } from '../../../core/model/dates.ts';
import { lastFreePhase } from '../../../core/model/phases.ts';
import { severities } from '../../../core/schemas/recorded/advisory.ts';
import type { Definition } from '../../../core/schemas/definition/definition.ts';
import type { RecordedData } from '../../../core/schemas/recorded/recorded.ts';
import type { Version } from '../../../core/model/version.ts';
import { judgeRecorded } from '../../../decide/judge-recorded.ts';

/** A definition, with its defaults, and the recorded data. */
export interface ComponentState {
  readonly definition: Definition;
  readonly data: RecordedData;
}

/** The facts about a component that readers rely on, as of a day. The gate compares only these. */
export interface ReaderFacts {
  /** By version, oldest first. */
  readonly releases: ReadonlyMap<string, ReaderReleaseFacts>;
  /** By name. */
  readonly lines: ReadonlyMap<string, ReaderLineFacts>;
}

export interface ReaderReleaseFacts {
  readonly parsed: Version;
  readonly line: string;
  readonly isStable: boolean;
  readonly isDeprecated: boolean;
  /** Undefined where unknown. */
  readonly isSupported: boolean | undefined;
  /** The rule of the oldest reason for its deprecation. */
  readonly rule: string | undefined;
  /** The severities of the advisories that affect it, by id; the lowest where none is stated. */
  readonly affectedBy: ReadonlyMap<string, number>;
}

export interface ReaderLineFacts {
  /** Undefined where unknown. */
  readonly isSupported: boolean | undefined;
  /** The first day without support, or its upper bound. */
  readonly until: Day | undefined;
}

export function readFacts(name: string, { definition, data }: ComponentState, day: Day) {
  const { judgement } = judgeRecorded(name, definition, data, day);

  const releases = new Map<string, ReaderReleaseFacts>();

  for (const release of judgement.releases) {
    const affectedBy = new Map<string, number>();

    for (const { id, severity = 'low' } of release.advisories) {
      affectedBy.set(id, severities.indexOf(severity));
    }

    const { parsed, line, isDeprecated, isSupported } = release;
    const isStable = !release.isPrerelease;
    const rule = release.because[0]?.rule;

    releases.set(release.version, {
      parsed,
      line,
      isStable,
      isDeprecated,
      isSupported,
      rule,
      affectedBy,
    });
  }

  const lines = new Map<string, ReaderLineFacts>();

  for (const { name: line, isSupported, phases } of judgement.lines) {
    const end = lastFreePhase(phases);
    lines.set(line, { isSupported, until: end?.until ?? end?.untilAtMost });
  }

  return { releases, lines } satisfies ReaderFacts;
}

/** Supported, or not deprecated. */
export function isInUse({ isDeprecated, isSupported }: ReaderReleaseFacts): boolean {
  return !isDeprecated || isSupported === true;
}

/** Whether it may be the latest release. */
export function isUsable({ isDeprecated, isStable }: ReaderReleaseFacts): boolean {
  return isStable && !isDeprecated;
}
