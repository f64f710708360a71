import { escapeForExpression } from '../../../core/text/expression.ts';

/**
 * A text for each of many names, in one text that a single rule of Renovate searches: a rule for each would cost every run of
 * every repository. `<svc>…<edge-node>…<`
 */
export type TextsByName = ReadonlyMap<string, string>;

/** Other names would end a text early. No registry admits them. */
const plainName = /^[\w@./:+~-]+$/;

export function tableText(texts: TextsByName): string {
  const records = Array.from(texts)
    .filter(([name, text]) => text !== '' && plainName.test(name))
    .map(([name, text]) => `<${name.toLowerCase()}>${text}`);

  return records.length === 0 ? '' : `${records.join('')}<`;
}

/** A Handlebars expression: the text of a name in a table. */
export function textInTable(table: string, name: string): string {
  return textBetween(table, '<@>', name, '<');
}

/** A Handlebars expression: the part of a text after `start`, in which `@` is the key, and before `end`. */
export function textBetween(text: string, start: string, key: string, end: string): string {
  const after = `(lookup (split ${text} (replace "@" ${key} "${start}")) 1)`;

  return `(lookup (split ${after} "${end}") 0)`;
}

/** Handlebars text with the value of an expression in parentheses. */
export function printed(expression: string): string {
  return `{{{${expression.slice(1, -1)}}}}`;
}

/** A JSONata expression: the text of a name in a table, empty where it has none. */
export function jsonataTextInTable(table: string, name: string): string {
  return `$substringBefore($substringAfter(${table}, "<" & ${name} & ">"), "<")`;
}

/** One condition for many names: Renovate takes longer for a list. */
export function matchNames(names: readonly string[]): string[] {
  if (names.length < 3) {
    return [...names];
  }

  const plain = new Set(names.map(withoutHub));

  return [`/^(?:docker\\.io\\/)?(?:${Array.from(plain, escapeForExpression).join('|')})$/i`];
}

/** Images of Docker Hub have two names. */
export function withoutHub(name: string): string {
  return name.replace(/^docker\.io\//, '');
}
