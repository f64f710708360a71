/**
 * A text for each of many names, in one text that a single rule of Renovate searches: a rule for each would cost every run of
 * every repository. `<svc>…<edge-node>…<`
 */
export type TextsByName = ReadonlyMap<string, string>;

/** Other names would end a text early. No registry admits them. */
const plainName = /^[\w@./:+~-]+$/;

export function renderTable(texts: TextsByName): string {
  const records = Array.from(texts)
    .filter(([name, text]) => text !== '' && plainName.test(name))
    .map(([name, text]) => `<${name.toLowerCase()}>${text}`);
  return records.length === 0 ? '' : `${records.join('')}<`;
}

/** A Handlebars expression: the text of a name in a table. */
export function writeTableLookup(table: string, name: string): string {
  return writeTextBetween(table, '<@>', name, '<');
}

/** A Handlebars expression: the part of a text after `start`, in which `@` is the key, and before `end`. */
export function writeTextBetween(text: string, start: string, key: string, end: string): string {
  const after = `(lookup (split ${text} (replace "@" ${key} "${start}")) 1)`;
  return `(lookup (split ${after} "${end}") 0)`;
}

/** Handlebars text with the value of an expression in parentheses. */
export function writeInParentheses(expression: string): string {
  return `{{{${expression.slice(1, -1)}}}}`;
}

/** A JSONata expression: the text of a name in a table, empty where it has none. */
export function writeJsonataLookup(table: string, name: string): string {
  return `$substringBefore($substringAfter(${table}, "<" & ${name} & ">"), "<")`;
}
