import type { Field, FieldType } from './field-types.ts';
import type { Query } from './parse.ts';
import { asksIfKnown, type OrderTest, type Test } from './term.ts';
import { compare, valueTypes, type Ordered } from './values.ts';

/** Undefined where unknown. */
type Truth = boolean | undefined;

type Item = Readonly<Record<string, unknown>>;

/** Fields that have no value, rather than an unknown one, where the other field is known. */
const noneWith: Readonly<Record<string, string>> = {
  datasource: 'component',
  package: 'component',
  label: 'component',
  reason: 'isDeprecated',
  advisory: 'isVulnerable',
  fixes: 'isVulnerable',
  severity: 'isVulnerable',
};

/** Whether a query holds for a row: unknown where it depends on an unknown value. */
export function judgeQuery(query: Query, row: Item): Truth {
  return compile<Item>(query, ({ name, type }, test) => {
    const passes = createTest(test, type);
    return (row) => {
      const isUnknown = row[name] === undefined && row[noneWith[name] ?? name] === undefined;
      return isUnknown && !asksIfKnown(test) ? undefined : passes(row[name]);
    };
  })(row);
}

/** Whether a query selects an item, where each test has one of two results. */
export function isSelectedBy<Item>(
  query: Query,
  readTest: (field: Field, test: Test) => (item: Item) => boolean,
): (item: Item) => boolean {
  const judge = compile(query, readTest);
  return (item) => judge(item) === true;
}

/** Combines the results of tests in the logic of Kleene, in which unknown is a value between false and true. */
function compile<Item>(
  query: Query,
  readTest: (field: Field, test: Test) => (item: Item) => Truth,
): (item: Item) => Truth {
  if ('not' in query) {
    const judge = compile(query.not, readTest);
    return (item) => {
      const truth = judge(item);
      return truth === undefined ? undefined : !truth;
    };
  }

  const isAll = 'and' in query;
  const parts =
    'fields' in query
      ? query.fields.map((field) => readTest(field, query.asks))
      : (isAll ? query.and : query.or).map((part) => compile(part, readTest));

  return (item) => {
    let result: Truth = isAll;
    for (const judge of parts) {
      const truth = judge(item);
      if (truth === !isAll) {
        return truth;
      }
      if (truth === undefined) {
        result = undefined;
      }
    }

    return result;
  };
}

/** Whether a value of a field passes. An unknown value passes no test. */
export function createTest(test: Test, type: FieldType): (value: unknown) => boolean {
  if (!test.pieces) {
    const { readText, of = readText } = valueTypes[type];
    return (value) =>
      isWithin(test, (typeof value === 'string' ? of?.(value, 0) : value) as Ordered | undefined);
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
function isLike(cased: string, pieces: readonly string[]): boolean {
  const text = cased.toLowerCase();
  const [first] = pieces;
  const last = pieces.at(-1);
  if (first === undefined || last === undefined || pieces.length === 1) {
    return text === first;
  }

  let end = 0;
  return (
    text.startsWith(first) &&
    text.endsWith(last) &&
    pieces.every((piece) => {
      const position = text.indexOf(piece, end);
      end = position + piece.length;
      return position !== -1;
    })
  );
}

function isWithin({ least, most, isOutside }: OrderTest, value: Ordered | undefined): boolean {
  if (value === undefined) {
    return false;
  }

  const isInside =
    (least === undefined || compare(value, least) >= 0) &&
    (most === undefined || compare(value, most) <= 0);
  return isInside !== (isOutside ?? false);
}
