/** Writes JSON with one line for each element of a long list, so that a diff of two days shows single elements. */

/** The keys of an object, each with its value as JSON. Undefined values are left out. */
type Members = Readonly<Record<string, string | undefined>>;

export function writeMembers(value: object): Members {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, JSON.stringify(member)]),
  );
}

/** Writes a document with one line for each member. */
export function renderDocument(members: Members): string {
  return `{\n  ${joinMembers(members, ',\n  ')}\n}\n`;
}

export function joinMembers(members: Members, comma: string): string {
  const present = Object.entries(members).filter(([, text]) => text !== undefined);
  return present.map(([key, text]) => `"${key}": ${text}`).join(comma);
}

export function renderRows(rows: readonly object[]): string {
  const lines = rows.map((row) => JSON.stringify(row));
  return rows.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`;
}

/** Yields the parts of a document that lists components. `components`: maps names to components as JSON. */
export function* renderComponents(
  components: Iterable<readonly [name: string, text: string]>,
): Generator<string> {
  yield '{"components": {';
  let separator = '';
  for (const [name, text] of components) {
    yield `${separator}\n"${name}": ${text}`;
    separator = ',';
  }
  yield '\n}}\n';
}
