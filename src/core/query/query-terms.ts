import { asksIfKnown } from './field-test.ts';
import type { Query, Term } from './parse.ts';

/** The terms of a query, in the order of its text. */
export function listTerms(query: Query): Term[] {
  if ('fields' in query) {
    return [query];
  }
  if ('not' in query) {
    return listTerms(query.not);
  }

  return listOperands(query).flatMap(listTerms);
}

type Operation = Extract<Query, { and: unknown } | { or: unknown }>;

export function listOperands(query: Operation): readonly Query[] {
  return 'and' in query ? query.and : query.or;
}

/** Whether a query names a flag that only components with watched advisories have, or a field that such a flag decides. */
export function asksAboutAdvisories(query: Query): boolean {
  return listTerms(query).some(({ fields }) =>
    fields.some(({ name, decidedBy = name }) =>
      ['isVulnerable', 'isExploited'].includes(decidedBy),
    ),
  );
}

/** The Boolean fields that a query negates, except in `field:*`. `isNegated`: a negation is around the whole query. */
export function listNegatedFlags(query: Query, isNegated = false): string[] {
  if ('not' in query) {
    return listNegatedFlags(query.not, !isNegated);
  }
  if ('fields' in query) {
    const isFlag = query.fields.every(({ type }) => type === 'Boolean') && !asksIfKnown(query.test);
    return isFlag && isNegated ? query.fields.map(({ name }) => name) : [];
  }

  const flags = listOperands(query).flatMap((part) => listNegatedFlags(part, isNegated));
  return [...new Set(flags)];
}

/** The only component that a query can select from, where it names one exactly; in lower case, as all names are. */
export function findNamedComponent(query: Query): string | undefined {
  if ('and' in query) {
    return query.and.map(findNamedComponent).find((name) => name !== undefined);
  }
  if (!('fields' in query)) {
    return undefined;
  }

  const [field] = query.fields;
  const { pieces = [] } = query.test;
  return field?.name === 'component' && pieces.length === 1 ? pieces[0] : undefined;
}
