import type { GatherResult } from '../gather/gather-component.ts';
import type { Change } from '../gather/merge.ts';
import type { Reporter } from './reporter.ts';

/** What is remembered of a component until the end of a run: not its releases, of which an index may have a million. */
export interface GatheredComponent extends Pick<GatherResult, 'component' | 'sources' | 'findings'> {
  /** How many are recorded now. */
  releases: number;
  news: News[];
  /** All of them, where the report for machines was asked for: after a first run, as many as releases. */
  changes?: readonly Change[];
}

/** The changes of one kind, as a person is told of them. */
export interface News {
  kind: Change['kind'];
  /** Short enough to be read. */
  versions: string;
  count: number;
  /** Empty where there are too many. */
  oneByOne: readonly Change[];
}

/** More changes of one kind than this are told as one line: a first run records whole histories. */
const toldOneByOne = 20;

export function remember(result: GatherResult, isForMachines: boolean): GatheredComponent {
  const { component, releases, changes, sources, findings } = result;
  // Copied, as a text that was cut out of a document keeps all of the document in memory.
  return structuredClone({
    component,
    releases: releases.length,
    news: newsOf(changes),
    ...(isForMachines && { changes }),
    sources,
    findings,
  });
}

/** What a run found: news first, then what was kept back or could not be asked. */
export function reportGathered(report: Reporter, results: readonly GatheredComponent[]): void {
  for (const { component, news } of results) {
    for (const { kind, versions, count, oneByOne } of news) {
      if (count > oneByOne.length) report.line(`${component}: ${count} ${kind}, ${versions}`);
      for (const { version, detail } of oneByOne) {
        report.line(`${component} ${version}: ${kind}${detail === '' ? '' : ` (${detail})`}`);
      }
    }
  }
  for (const { findings } of results) for (const finding of findings) report.finding(finding);
}

function newsOf(changes: readonly Change[]): News[] {
  return Array.from(
    Map.groupBy(changes, (change) => change.kind),
    ([kind, ofKind]) => {
      const versions = ofKind.map((change) => change.version);
      const isMany = versions.length > toldOneByOne;
      return {
        kind,
        versions: isMany ? `${versions[0]} to ${versions.at(-1)}` : versions.join(', '),
        count: versions.length,
        oneByOne: isMany ? [] : ofKind,
      };
    },
  );
}
