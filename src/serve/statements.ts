import { formatPurl, normaliseName } from '../core/purl.ts';
import type { Item } from '../core/read-list.ts';
import type { Release } from '../core/schema/published.ts';
import type { SignedStatement, Statement } from '../core/schema/statement.ts';
import { quote } from '../core/text.ts';
import { AskError } from './errors.ts';
import type { PublishedIndex } from './published-index.ts';

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
  component: string,
  release: Release,
): string | null {
  const newest = statements.findLast(
    ({ statement }) => statement.predicate.version === release.version,
  );
  if (!newest) {
    return null;
  }

  const [digest] = listDigests(newest.statement).sort((a, b) => b.length - a.length);
  // A namespace has all but the last part of a name.
  const place =
    purl && purl.type !== 'oci'
      ? [purl.type, ...purl.name.split(/\/(?=[^/]*$)/), version]
      : ['generic', component, release.version];
  const id = encodeURIComponent(newest.statement.predicate.id);
  return `/packages/${place.map(encodeURIComponent).join('/')}/${digest}/attestations/site/${id}`;
}

/** The envelope of a statement about a release of a component. */
export async function readStatement(
  index: PublishedIndex,
  component: string,
  release: Release,
  digest: string,
  id: string,
): Promise<object> {
  const statements = await index.statements(component);
  const signed = statements.find(
    ({ statement: { predicate } }) => predicate.version === release.version && predicate.id === id,
  );
  if (!signed) {
    throw new AskError(404, `There is no statement ${quote(id)} about this package.`);
  }
  if (!listDigests(signed.statement).some((each) => each.toLowerCase() === digest.toLowerCase())) {
    throw new AskError(404, `This statement is not about ${digest}.`);
  }

  return signed.envelope;
}

/** `sha512:0f1e…` */
function listDigests({ subject }: Statement): string[] {
  return subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
}
