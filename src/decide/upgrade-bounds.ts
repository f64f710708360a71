import type { UpgradeRules } from '../core/schemas/upgrades.ts';
import { resolveStops } from '../core/upgrade-path.ts';
import { compareToBound } from '../core/version-range.ts';
import { parseVersion } from '../core/version.ts';
import type { JudgedLine, JudgedRelease } from './judge.ts';

/** How far a version in use may go in one step. */
export interface UpgradeBound {
  /** The lowest version in use that the bound applies to; undefined for all versions below `below`. */
  readonly from: string | undefined;
  readonly below: string;
  /** The greatest release that may be proposed. */
  readonly to: JudgedRelease;
}

/** For versions in use, the next stop or the last line within a step, whichever is lower. Conditions of stops are not enforced. */
export function upgradeBounds(rules: UpgradeRules, lines: readonly JudgedLine[]): UpgradeBound[] {
  const releases = lines.flatMap((line) => line.releases);
  const required = rules.upgradeStops?.filter(({ when }) => when === undefined);
  const stops = resolveStops(required, releases);
  const atMost = rules.upgradeSteps?.atMost;
  if (atMost === undefined) {
    return stops.map(({ stop, release }, index) => ({
      from: stops[index - 1]?.stop.at,
      below: stop.at,
      to: release,
    }));
  }
  const open = lines.flatMap(({ name, releases }) => {
    const latest = releases.findLast(
      (each) => !each.isPrerelease && each.withdrawnSince === undefined,
    );
    return latest ? [{ name, latest }] : [];
  });
  return open.flatMap(({ name }, index): UpgradeBound[] => {
    const own = parseVersion(name)!;
    const step = open[index + atMost]?.latest;
    const stop = stops.find(({ at }) => compareToBound(own, at) < 0)?.release;
    const [to] = [step, stop]
      .filter((release) => release !== undefined)
      .sort((a, b) => compareToBound(a.parsed, b.parsed));
    const below = open[index + 1]?.name;
    return to && below !== undefined ? [{ from: index > 0 ? name : undefined, below, to }] : [];
  });
}
