import type { Row } from './fields.ts';

/** The releases of a component as `search.json` holds them: what all of them share, or all of a line, stands once. */
export interface FoldedComponent extends Omit<Row, 'releases'> {
  /** Of no release, and so nothing to search. */
  readonly coming?: readonly object[];
  readonly lines: readonly FoldedLine[];
}

interface FoldedLine extends Omit<Row, 'releases'> {
  readonly releases: readonly Row[];
}

/** Flags that are left out where they are false, as they mostly are. */
export const mostlyFalse = {
  isDeprecated: false,
  isPrerelease: false,
  isWithdrawn: false,
  isLatest: false,
  isLatestOfLine: false,
} as const satisfies Row;

/** The releases one by one, each with all of its fields, oldest first. */
export function unfold(component: string, folded: FoldedComponent): Row[] {
  const { lines, coming: _, ...ofComponent } = folded;
  const releases = lines.reduce((count, line) => count + line.releases.length, 0);
  return lines.flatMap(({ releases: ofLine, ...shared }) =>
    ofLine.map((own) => ({ component, ...ofComponent, releases, ...mostlyFalse, ...shared, ...own })),
  );
}
