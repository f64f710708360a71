import { escapeForExpression } from '../../core/text/expression.ts';

/** The conditions of a package rule. */
export interface RenovateConditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  [option: `match${string}`]: string | string[];
}

/**
 * Only dependencies on tags in the form of the latest version. Moving tags (`1`, `1.2`) and variants (`1.2.3-alpine`) are not in
 * the index, and custom datasources do not support digests: upstream stays responsible for such dependencies.
 */
export function onlySuchTags(latest: string, or?: string) {
  const form = escapeForExpression(latest).replaceAll(/\d+/g, '\\d+');
  return { matchCurrentValue: `/^${form}$/`, matchJsonata: [withoutDigest(or)] };
}

/** One expression, because Renovate joins several expressions by "or". */
export function withoutDigest(or?: string): string {
  const conditions = ['$exists(currentDigest)', 'pinDigests = true', or ?? []].flat();
  return `$not(${conditions.join(' or ')})`;
}
