import type { GatherResult } from '../gather/component.ts';
import type { Reporter } from './reporter.ts';
import type { Table } from './table.ts';

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
    for (const [kind, ofKind] of Map.groupBy(changes, (change) => change.kind)) {
      if (ofKind.length > toldOneByOne) {
        const versions = ofKind.map((change) => change.version);
        report.line(`${component}: ${ofKind.length} ${kind}, ${versions[0]} to ${versions.at(-1)}`);
        continue;
      }
      for (const { version, detail } of ofKind) {
        report.line(`${component} ${version}: ${kind}${detail === '' ? '' : ` (${detail})`}`);
      }
    }
  }
  for (const { findings } of results) for (const finding of findings) report.finding(finding);
}

export function gatherTable(results: readonly GatheredComponent[]): Table {
  return {
    headings: ['component', 'releases', 'new', 'deprecated', 'withdrawn', 'corrected', 'sources'],
    rows: results.map(({ component, releases, changes, sources }) => {
      const count = (...kinds: string[]) => changes.filter((change) => kinds.includes(change.kind)).length;
      return [
        component,
        releases,
        count('new'),
        count('deprecated'),
        count('withdrawn'),
        count('corrected', 'returned'),
        describeSources(sources),
      ];
    }),
  };
}

function describeSources(sources: GatherResult['sources']): string {
  if (sources.length === 0) return 'none';
  const count = (kind: string) => sources.filter((source) => source.kind === kind).length;
  const parts = [`${count('answered')} of ${sources.length} answered`];
  if (count('held') > 0) parts.push(`${count('held')} held`);
  return parts.join(', ');
}
