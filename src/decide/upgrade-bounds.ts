import type { UpgradeStop } from '../core/schemas/definition/upgrades.ts';
import { resolveStops } from '../core/model/upgrade-stops.ts';
import type { JudgedRelease } from './judge.ts';

/** How far a version in use may go in one step. */
export interface UpgradeBound {
  /** The lowest version in use that the bound applies to; undefined for all versions below `below`. */
  readonly from: string | undefined;
  readonly below: string;
  /** The greatest release that may be proposed. */
  readonly to: JudgedRelease;
}

/** For versions in use, the next stop. */
export function upgradeBounds(
  stops: readonly UpgradeStop[] | undefined,
  releases: readonly JudgedRelease[],
): UpgradeBound[] {
  return resolveStops(stops, releases).map(({ at, release }, index, all) => ({
    from: all[index - 1]?.at.text,
    below: at.text,
    to: release,
  }));
}
