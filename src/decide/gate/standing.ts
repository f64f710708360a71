import type { Day } from '../../core/dates.ts';
import { lastFreePhase } from '../../core/phases.ts';
import { severities } from '../../core/schemas/advisory.ts';
import type { Version } from '../../core/version.ts';
import type { Judged } from '../journal/differences.ts';

/** The facts about a judged component that readers rely on. The gate compares only these. */
export interface Standing {
  readonly latest: string | undefined;
  readonly releases: ReadonlyMap<string, ReleaseStanding>;
  readonly lines: ReadonlyMap<string, LineStanding>;
}

export interface ReleaseStanding {
  readonly parsed: Version;
  readonly line: string;
  readonly isStable: boolean;
  /** Not deprecated for any reason. */
  readonly isInUse: boolean;
  /** The rule of the oldest reason for its deprecation. */
  readonly rule: string | undefined;
  /** The severities of the advisories that affect it, by id; the lowest if none is stated. */
  readonly affectedBy: ReadonlyMap<string, number>;
}

export interface LineStanding {
  /** Support is not known to be over, even if all releases of the line are deprecated. */
  readonly isSupported: boolean;
  /** The first day without support, or its upper bound. */
  readonly until: Day | undefined;
}

export function standingOf({ judgement }: Pick<Judged, 'judgement'>): Standing {
  const { releases, lines, latest } = judgement;
  return {
    latest: latest?.version,
    releases: new Map(
      releases.map(({ version, parsed, line, isPrerelease, isDeprecated, because, advisories }) => [
        version,
        {
          parsed,
          line,
          isStable: !isPrerelease,
          isInUse: !isDeprecated,
          rule: because[0]?.rule,
          affectedBy: new Map(
            advisories.map(({ id, severity = 'low' }) => [id, severities.indexOf(severity)]),
          ),
        },
      ]),
    ),
    lines: new Map(
      lines.map(({ name, isSupported, phases }) => {
        const end = lastFreePhase(phases);
        const until = end?.until ?? end?.untilAtMost;
        return [name, { isSupported: end !== undefined && isSupported !== false, until }];
      }),
    ),
  };
}
