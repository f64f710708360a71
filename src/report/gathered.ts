import type { GatherResult } from '../gather/component.ts';
import type { Change } from '../normalise/merge.ts';
import type { Reporter } from './reporter.ts';

/** What a run tells of a component. */
export interface GatheredComponent extends Pick<
  GatherResult,
  'component' | 'changes' | 'sources' | 'findings'
> {
  /** How many are recorded now. */
  releases: number;
}

/** More changes of one kind than this are told as one line: a first run records whole histories. */
const toldOneByOne = 20;

/** What a run found: news first, then what was kept back or could not be asked. */
export function reportGathered(report: Reporter, results: readonly GatheredComponent[]): void {
  for (const { component, changes } of results) {
    for (const { kind, ofKind, versions } of changesByKind(changes)) {
      if (ofKind.length > toldOneByOne) {
        report.line(`${component}: ${ofKind.length} ${kind}, ${versions}`);
        continue;
      }
      for (const { version, detail } of ofKind) {
        report.line(`${component} ${version}: ${kind}${detail === '' ? '' : ` (${detail})`}`);
      }
    }
  }
  for (const { findings } of results) for (const finding of findings) report.finding(finding);
}

/** `versions` is short enough to be read. */
export function changesByKind(
  changes: readonly Change[],
): { kind: Change['kind']; ofKind: readonly Change[]; versions: string }[] {
  return Array.from(
    Map.groupBy(changes, (change) => change.kind),
    ([kind, ofKind]) => {
      const versions = ofKind.map((change) => change.version);
      const isMany = versions.length > toldOneByOne;
      return {
        kind,
        ofKind,
        versions: isMany ? `${versions[0]} to ${versions.at(-1)}` : versions.join(', '),
      };
    },
  );
}
