/** JSON with a line of its own for each element of a long list: a diff of two days shows single ones. */

/** The members of an object, each as JSON; absent ones stay absent. */
export function renderMembers(members: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(members).filter(([, text]) => text !== undefined);
  return `{\n  ${present.map(([key, text]) => `"${key}": ${text}`).join(',\n  ')}\n}\n`;
}

/** An object in one line, and behind its members another one, which is JSON already. */
export function addMember(head: object, key: string, text: string): string {
  return `${JSON.stringify(head).slice(0, -1)},"${key}":${text}}`;
}

export function renderRows(rows: readonly object[]): string {
  const lines = rows.map((row) => JSON.stringify(row));
  return rows.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`;
}

/** An object by component, in parts. `beginning`: up to its members. */
export function* renderParts(beginning: string, members: Iterable<string>): Generator<string> {
  yield beginning;
  let separator = '';
  for (const member of members) {
    yield separator + member;
    separator = ',';
  }
  yield '\n}}\n';
}
