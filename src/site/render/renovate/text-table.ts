/**
 * Tables of texts by name. A table is one text that a single rule of Renovate searches, because a rule for each name would cost
 * every run of every repository: `<svc>…<edge-node>…<`. Keys are in lower case.
 */
export type TextsByName = ReadonlyMap<string, string>;

/** Other names would end a text early. No registry admits them. */
const plainName = /^[\w@./:+~-]+$/;

/** Empty if no name has a text. */
export function renderTable(texts: TextsByName): string {
  let table = '';
  for (const [name, text] of texts) {
    if (text !== '' && plainName.test(name)) {
      table += `<${name.toLowerCase()}>${text}`;
    }
  }
  return table === '' ? '' : `${table}<`;
}

/** A Handlebars expression: the text of a name in a table. */
export function writeTableLookup(table: string, name: string): string {
  return writeTextBetween(table, '<@>', name, '<');
}

/** A Handlebars expression: the part of a text between `start` and `end`. The value of `key` replaces the `@` in `start`. */
export function writeTextBetween(text: string, start: string, key: string, end: string): string {
  const after = `(lookup (split ${text} (replace "@" ${key} "${start}")) 1)`;
  return `(lookup (split ${after} "${end}") 0)`;
}

/** A JSONata expression: the text of a name in a table, empty where it has none. */
export function writeJsonataLookup(table: string, name: string): string {
  return `$substringBefore($substringAfter(${table}, "<" & ${name} & ">"), "<")`;
}
