import type { Row } from './fields.ts';
import { catalogueOf, rowOf } from './catalogue.ts';

/** The releases of a component as `search.json` holds them: what all of them share, or all of a line, stands once. */
export interface FoldedComponent extends Omit<Row, 'releases'> {
  /** Of no release, and so nothing to search. */
  readonly coming?: readonly object[];
  readonly lines: readonly FoldedLine[];
}

export interface FoldedLine extends Omit<Row, 'releases'> {
  readonly releases: readonly Row[];
}

/** The releases one by one, each with all of its fields, oldest first. */
export function unfold(component: string, folded: FoldedComponent): Row[] {
  return catalogueOf([[component, folded]]).map(rowOf);
}
