import { computeDistance, distances, isDistance } from './distances.ts';
import { asksIfKnown, type OrderTest, type Test } from './field-test.ts';
import type { Row } from './fields.ts';
import type { Query } from './parse.ts';
import { readField, type SplitRow } from './rows.ts';
import {
  compareOrdered,
  valueForms,
  type Field,
  type FieldType,
  type Ordered,
} from './field-types.ts';

/** The releases of an index by component, then in version order. */
export type Catalogue = readonly SplitRow[];

/** A test whether a query selects a release as of a day. The query is compiled once for all releases. */
export function createReleaseSelector(query: Query, day: string): (release: SplitRow) => boolean {
  const startOfDay = Date.parse(day);
  return createSelector(query, (field) =>
    isDistance(field)
      ? (release) => computeDistance(field, readField(release, distances[field]), startOfDay)
      : (release) => readField(release, field as keyof Row),
  );
}

/** Undefined where unknown. */
type Truth = boolean | undefined;

/** Whether a query holds for a row: unknown where it depends on an unknown value. */
export function judgeQuery(query: Query, row: Readonly<Record<string, unknown>>): Truth {
  const judge = compileLogic<typeof row>(query, ({ name, type, decidedBy = name }, test) => {
    const passes = createValueTest(test, type);
    return (item) => {
      const value = item[name];

      // An absent value is known to be empty where the field that decides it is known.
      const isKnown = value !== undefined || item[decidedBy] !== undefined;
      return isKnown || asksIfKnown(test) ? passes(value) : undefined;
    };
  });
  return judge(row);
}

/**
 * A test whether a query selects an item. An unknown value passes no test, so it passes every negated one. `createReader` makes the
 * function that reads a field of an item.
 */
export function createSelector<Item>(
  query: Query,
  createReader: (field: string) => (item: Item) => unknown,
): (item: Item) => boolean {
  const judge = compileLogic<Item>(query, ({ name, type }, test) => {
    const read = createReader(name);
    const passes = createValueTest(test, type);
    return (item) => passes(read(item));
  });
  return (item) => judge(item) === true;
}

/** Makes the test of a field of an item, for one test of a query. */
type CompileFieldTest<Item> = (field: Field, test: Test) => (item: Item) => Truth;

/** Combines the results of tests in the logic of Kleene, in which unknown is a value between false and true. */
function compileLogic<Item>(
  query: Query,
  compileFieldTest: CompileFieldTest<Item>,
): (item: Item) => Truth {
  const compilePart = (part: Query) => compileLogic(part, compileFieldTest);
  if ('not' in query) {
    const judge = compilePart(query.not);
    return (item) => {
      const truth = judge(item);
      return truth === undefined ? undefined : !truth;
    };
  }
  if ('and' in query) {
    return joinJudges(query.and.map(compilePart), false);
  }
  if ('or' in query) {
    return joinJudges(query.or.map(compilePart), true);
  }

  // A term holds if one of its fields passes.
  const { fields, test } = query;
  return joinJudges(
    fields.map((field) => compileFieldTest(field, test)),
    true,
  );
}

/** One result that is `decisive` decides; else one unknown result makes all unknown. */
function joinJudges<Item>(
  judges: readonly ((item: Item) => Truth)[],
  decisive: boolean,
): (item: Item) => Truth {
  return (item) => {
    let result: Truth = !decisive;
    for (const judge of judges) {
      const truth = judge(item);
      if (truth === decisive) {
        return decisive;
      }
      if (truth === undefined) {
        result = undefined;
      }
    }

    return result;
  };
}

/** A test whether a value of a field passes. An unknown value passes no test. */
function createValueTest(test: Test, type: FieldType): (value: unknown) => boolean {
  if (!test.pieces) {
    const { readValue } = valueForms[type];
    return (value) =>
      isWithin(test, typeof value === 'string' ? readValue?.(value) : (value as Ordered));
  }

  const { pieces, pairKey } = test;
  const passes = (text: unknown) => isLike(String(text), pieces);

  return (value) => {
    if (value === undefined || value === null) {
      return false;
    }
    if (typeof value !== 'object') {
      return passes(value);
    }
    if (Array.isArray(value)) {
      return value.some(passes);
    }

    return Object.entries(value).some(
      ([name, text]) => (pairKey === undefined || isLike(name, pairKey)) && passes(text),
    );
  };
}

/** Whether a text consists of the pieces in this order, with anything between them. */
function isLike(value: string, pieces: readonly string[]): boolean {
  const text = value.toLowerCase();
  const [first = ''] = pieces;
  if (pieces.length === 1) {
    return text === first;
  }
  if (!text.startsWith(first) || !text.endsWith(pieces.at(-1)!)) {
    return false;
  }

  let end = 0;
  for (const piece of pieces) {
    const position = text.indexOf(piece, end);
    if (position === -1) {
      return false;
    }

    end = position + piece.length;
  }

  return true;
}

function isWithin({ min, max, isOutside }: OrderTest, value: Ordered | undefined): boolean {
  if (value === undefined) {
    return false;
  }

  const isInside =
    (min === undefined || compareOrdered(value, min) >= 0) &&
    (max === undefined || compareOrdered(value, max) <= 0);
  return isInside !== (isOutside === true);
}
