import type { Match } from '../core/index/verdicts.ts';
import { formatPurl, normaliseName } from '../core/purl.ts';
import type { Item } from '../core/index/item.ts';
import type { SignedStatement, Statement } from '../core/schema/statement.ts';

/** The segments of a path that name a package. */
interface Segments {
  readonly type: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly version: string;
}

/** The package in the path of a request. */
export function toItem({ type: typeInAnyCase, namespace, name, version }: Segments): Item {
  const type = typeInAnyCase.toLowerCase();
  const path = namespace ? `${namespace}/${name}` : name;
  const qualifiers = new URLSearchParams();
  const purl = { type, name: normaliseName(type, path), version, qualifiers };
  return { text: formatPurl(purl), purl, version };
}

/** The path of the newest statement about a release: `/packages/npm/%40example/agent/1.0/sha512:0f1e…/attestations/site/agent%2F1.0`. */
export function findStatementPath(
  statements: readonly SignedStatement[],
  { purl, version = '' }: Item,
  match: Match | undefined,
): string | null {
  const newest = statements.findLast(
    ({ statement }) => statement.predicate.version === match?.release?.version,
  );
  if (!match || !newest) {
    return null;
  }

  let place = ['generic', match.component, match.version];
  if (purl && purl.type !== 'oci') {
    // At its last slash: a namespace has all but the last part of a name.
    place = [purl.type, ...purl.name.split(/\/(?=[^/]*$)/), version];
  }
  // The strongest algorithm has the longest digest.
  const [strongest] = listDigests(newest.statement).sort((a, b) => b.length - a.length);
  const id = encodeURIComponent(newest.statement.predicate.id);
  return `/packages/${place.map(encodeURIComponent).join('/')}/${strongest}/attestations/site/${id}`;
}

/** `sha512:0f1e…` */
export function listDigests({ subject }: Statement): string[] {
  return subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
}
