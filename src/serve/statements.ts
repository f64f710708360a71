import type { Match } from '../core/index/verdicts.ts';
import { formatPurl, normaliseName } from '../core/purl.ts';
import type { Item } from '../core/read-list.ts';
import type { SignedStatement, Statement } from '../core/schema/statement.ts';

/** Of the package in the path of a request. */
export function toItem(segments: {
  readonly type: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly version: string;
}): Item {
  const { namespace, version } = segments;
  const type = segments.type.toLowerCase();
  const path = namespace ? `${namespace}/${segments.name}` : segments.name;
  const name = normaliseName(type, path);
  const purl = { type, name, version, qualifiers: new URLSearchParams() };
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

  const [digest] = listDigests(newest.statement).sort((a, b) => b.length - a.length);
  // A namespace has all but the last part of a name.
  const place =
    purl && purl.type !== 'oci'
      ? [purl.type, ...purl.name.split(/\/(?=[^/]*$)/), version]
      : ['generic', match.component, match.version];
  const id = encodeURIComponent(newest.statement.predicate.id);
  return `/packages/${place.map(encodeURIComponent).join('/')}/${digest}/attestations/site/${id}`;
}

/** `sha512:0f1e…` */
export function listDigests({ subject }: Statement): string[] {
  return subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
}
