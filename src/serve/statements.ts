import type { Item } from '../core/index/item.ts';
import type { Match } from '../core/index/verdicts.ts';
import type { SignedStatement, Statement } from '../core/schema/statement.ts';

/** The path of the newest statement about a release: `/packages/npm/%40example/agent/1.0/sha512:0f1e…/attestations/site/agent%2F1.0`. */
export function findStatementPath(
  statements: readonly SignedStatement[],
  item: Item,
  match: Match,
): string | null {
  const newest = statements.findLast(
    ({ statement }) => statement.predicate.version === match.release?.version,
  );
  if (!newest) {
    return null;
  }

  const place = listSegments(item, match).map(encodeURIComponent).join('/');
  // The strongest algorithm has the longest digest.
  const [strongest] = listDigests(newest.statement).sort((a, b) => b.length - a.length);
  const id = encodeURIComponent(newest.statement.predicate.id);
  return `/packages/${place}/${strongest}/attestations/site/${id}`;
}

/** Of the package that was asked for, or else of the component. */
function listSegments({ purl, version = '' }: Item, match: Match): string[] {
  if (!purl || purl.type === 'oci') {
    return ['generic', match.component, match.version];
  }

  // At its last slash: a namespace has all but the last part of a name.
  return [purl.type, ...purl.name.split(/\/(?=[^/]*$)/), version];
}

/** `sha512:0f1e…` */
export function listDigests({ subject }: Statement): string[] {
  return subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
}
