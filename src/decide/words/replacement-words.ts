import type { Component } from '../component.ts';

/** What to use instead of a component, if another one takes its place; none or one sentence. */
export function replacementSentence({ definition, replacement }: Component): string[] {
  if (definition.replacedBy === undefined) return [];
  const latest = replacement ? `, whose latest version is ${replacement.version}` : '';
  return [`Replaced by ${definition.replacedBy}${latest}.`];
}
