import { escapeForExpression } from '../../core/expression.ts';

/** The part of a package rule that says which dependencies it is for. */
export interface RenovateConditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  [option: `match${string}`]: string | string[];
}

/**
 * Tags that move (`1`, `1.2`) or name a variant (`1.2.3-alpine`) are not in the index, so dependencies on them are left to
 * upstream; and so are those that pin a digest, which no custom datasource knows.
 */
export function onlySuchTags(latest: string, or?: string) {
  const form = escapeForExpression(latest).replaceAll(/\d+/g, '\\d+');
  return { matchCurrentValue: `/^${form}$/`, matchJsonata: [withoutDigest(or)] };
}

/** Renovate joins several expressions by "or", so all conditions are in one. */
export function withoutDigest(or?: string): string {
  return `$not(${['$exists(currentDigest)', 'pinDigests = true', ...(or === undefined ? [] : [or])].join(' or ')})`;
}
