import type { GatherResult } from '../../record/gather/gather-component.ts';
import type { RecordedChange } from '../../record/gather/merge-journal.ts';
import type { Reporter } from './report.ts';

/** A first run records whole histories: more changes of one kind than this make one line. */
const mostLines = 20;

/** The changes of one kind, with their versions short enough to be read. */
export interface ChangesOfKind {
  kind: RecordedChange['kind'];
  versions: string;
  changes: readonly RecordedChange[];
}

export function changesByKind(changes: readonly RecordedChange[]): ChangesOfKind[] {
  return Array.from(
    Map.groupBy(changes, (change) => change.kind),
    ([kind, ofKind]) => {
      const versions = ofKind.map((change) => change.version);
      const isMany = versions.length > mostLines;
      return {
        kind,
        versions: isMany ? `${versions[0]} to ${versions.at(-1)}` : versions.join(', '),
        changes: ofKind,
      };
    },
  );
}

/** What a run found: changes first, then what was held or could not be asked. */
export function reportGathered(report: Reporter, results: readonly GatherResult[]): void {
  for (const { component, changes } of results) {
    for (const { kind, versions, changes: ofKind } of changesByKind(changes)) {
      if (ofKind.length > mostLines) report.line(`${component}: ${ofKind.length} ${kind}, ${versions}`);
      else for (const change of ofKind) report.line(`${component} ${describeChange(change)}`);
    }
  }
  for (const { findings } of results) for (const finding of findings) report.finding(finding);
}

function describeChange({ version, kind, detail }: RecordedChange): string {
  return `${version}: ${kind}${detail === '' ? '' : ` (${detail})`}`;
}
