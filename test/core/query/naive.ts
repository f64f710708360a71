import fc from 'fast-check';
import { fields as releaseFields, type Field } from '../../../src/core/query/fields.ts';

/** A query made together with what it means, which is decided by other means than those of the program. */
export interface Told {
  text: string;
  holds(row: Row): boolean;
}

export type Row = Readonly<Record<string, unknown>>;

export const day = '2026-11-20';

/** Of any value, and with a field of the one type that no field of a release has. */
export const fields: readonly Field[] = [
  ...releaseFields.map(({ values: _, ...field }) => field),
  { name: 'size', type: 'Storage size' },
];

const strings = [
  'component',
  'title',
  'policy',
  'freshness',
  'status',
  'datasource',
  'package',
  'reason',
  'phase',
];
const booleans = [
  'isDeprecated',
  'isPrerelease',
  'isWithdrawn',
  'isLatest',
  'isLatestOfLine',
  'isSupported',
  'isLts',
];
const timestamps = ['releaseTimestamp', 'firstSeen', 'deprecatedSince', 'supportedUntil', 'phaseUntil'];
const lengths = ['age', 'supportLeft', 'phaseLeft'];
const versions = ['version', 'line'];
const labelKeys = ['team', 'Tier', 'a b'];

/** Spellings of equal rank stand together; a later group is a greater version. */
const ranks = [
  ['1'],
  ['1.0-rc-2'],
  ['1.0-rc-10', '1.0-rc-010'],
  ['1.0', 'v1.0', '1.00', 'V01.0'],
  ['1.0.0'],
  ['1.2'],
  ['1.10'],
  ['2025.3', 'v2025.03'],
  ['2025.3.1'],
];
const rankOf = (version: unknown) => ranks.findIndex((group) => group.includes(version as string));

const minute = 60_000;
const isoOf = (minutes: number) => new Date(minutes * minute).toISOString();
const today = Date.parse(day) / minute;

const characters = ['a', 'B', 'ä', 'b', '-', '.', ' ', '*', '"', '\\', ':', '(', '>', '😀'];
const aText = fc.string({ unit: fc.constantFrom(...characters), maxLength: 6 });
const aVersion = fc.constantFrom(...ranks.flat());
/** In minutes since the epoch, in the days around the day. */
const anInstant = fc.integer({ min: today - 4 * 1440, max: today + 4 * 1440 });
const aLength = fc.oneof(
  fc.integer({ min: 0, max: 5000 }),
  fc.integer({ min: 0, max: 5 }).map((days) => days * 1440),
);

function record(
  names: readonly string[],
  value: fc.Arbitrary<unknown>,
): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

const values = {
  ...record(strings.slice(0, 5), aText),
  ...record(strings.slice(5), fc.array(aText, { minLength: 1, maxLength: 3 })),
  ...record(booleans, fc.boolean()),
  ...record(
    timestamps,
    anInstant.chain((at) => fc.constantFrom(isoOf(at).slice(0, 10), `${isoOf(at).slice(0, 19)}Z`)),
  ),
  ...record(versions, aVersion),
  ...record(
    lengths,
    aLength.map((minutes) => `PT${minutes}M`),
  ),
  label: fc.dictionary(fc.constantFrom(...labelKeys), aText, { minKeys: 1 }),
  releases: fc.integer({ min: 0, max: 20 }),
  size: fc.constantFrom(0, 10, 1000, 1024, 1500, 1536, 2_000_000, 2 ** 21, 1e12, 2 ** 40),
};

export const aRow: fc.Arbitrary<Row> = fc.record(values, { requiredKeys: [] });

/** All that may be unknown: where other fields are absent, a release has none. */
const {
  datasource: _,
  package: __,
  label: ___,
  reason: ____,
  ...fullRow
} = values as Record<string, fc.Arbitrary<unknown>>;
export { fullRow };

const cased = (text: string) => fc.constantFrom(text, text.toUpperCase(), text.toLowerCase());
const quote = (text: string) => `"${text.replaceAll(/["\\*]/g, '\\$&')}"`;
const isPlain = (text: string) => /^[^\s"[\]():<>=*]+$/.test(text);

interface Pattern {
  text: string;
  fits(value: string): boolean;
}

/** A text to be found whole, in quotes wherever it has to be; or pieces with wildcards between them. */
const aPattern: fc.Arbitrary<Pattern> = fc.oneof(
  fc.tuple(aText, fc.boolean()).map(([text, isQuoted]) => ({
    text: isQuoted || !isPlain(text) ? quote(text) : text,
    fits: like([text]),
  })),
  fc
    .array(fc.string({ unit: fc.constantFrom('a', 'b', 'Ä', '-', '.', '😀'), maxLength: 2 }), {
      minLength: 2,
      maxLength: 4,
    })
    .map((pieces) => ({ text: pieces.join('*'), fits: like(pieces) })),
);

function like(pieces: readonly string[]): (value: string) => boolean {
  const escaped = pieces.map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const expression = new RegExp(`^${escaped.join('[^]*')}$`, 'iu');
  return (value) => expression.test(value);
}

const textsOf = (value: unknown) => (value === undefined ? [] : [value].flat()) as string[];

const stringTerm: fc.Arbitrary<Told> = fc.constantFrom(...strings).chain((name) =>
  fc.tuple(cased(name), aPattern).map(([spelled, { text, fits }]) => ({
    text: `${spelled}:${text}`,
    holds: (row) => textsOf(row[name]).some(fits),
  })),
);

const labelTerm: fc.Arbitrary<Told> = fc
  .tuple(
    fc.constantFrom(
      ...labelKeys.map((key) => ({
        text: isPlain(key) ? key.toLowerCase() : quote(key),
        fits: like([key]),
      })),
      { text: 't*', fits: like(['t', '']) },
      { text: '"* b"', fits: like(['', ' b']) },
    ),
    aPattern,
  )
  .map(([key, { text, fits }]) => ({
    text: `label:${key.text}=${text}`,
    holds: (row) =>
      Object.entries((row['label'] ?? {}) as Record<string, string>).some(
        ([name, value]) => key.fits(name) && fits(value),
      ),
  }));

const knownTerm: fc.Arbitrary<Told> = fc
  .constantFrom(...fields)
  .map(({ name }) => ({ text: `${name}:*`, holds: (row) => row[name] !== undefined }));

const wordTerm: fc.Arbitrary<Told> = fc.tuple(aText, fc.boolean()).map(([text, isQuoted]) => ({
  text: isQuoted || !isPlain(text) || /^[-!]/.test(text) ? quote(text) : text,
  holds: (row) =>
    ['component', 'title', 'version'].some((name) => textsOf(row[name]).some(like(['', text, '']))),
}));

const booleanTerm: fc.Arbitrary<Told> = fc
  .constantFrom(...booleans)
  .chain((name) =>
    cased(name).chain((text) =>
      fc.constantFrom<Told>(
        { text, holds: (row) => row[name] === true },
        { text: `${text}:TRUE`, holds: (row) => row[name] === true },
        { text: `${text}:false`, holds: (row) => row[name] === false },
        { text: `!${text}`, holds: (row) => row[name] !== true },
        { text: `!${text}:*`, holds: (row) => row[name] === undefined },
      ),
    ),
  );

/** A value as a query writes it, and where another lies: before it, in it, after it. */
interface Point {
  text: string;
  sideOf(value: unknown): number;
}

const [before, within, after] = [-1, 0, 1];

/** Every comparison with a point, and ranges between two. `order` says which of two may stand first. */
function orderedTerm<T>(
  names: readonly string[],
  aValue: fc.Arbitrary<T>,
  pointOf: (value: T) => Point,
  order: (a: T, b: T) => number,
): fc.Arbitrary<Told> {
  const told = (name: string, text: string, fits: (value: unknown) => boolean): Told => ({
    text: `${name}:${text}`,
    holds: (row) => row[name] !== undefined && fits(row[name]),
  });
  const form = fc.constantFrom('[a to b]', '[ a  TO b ]');
  return fc.tuple(fc.constantFrom(...names), aValue, aValue, form).chain(([name, one, other, form]) => {
    const { text, sideOf } = pointOf(one);
    const [low, high] = [one, other].toSorted(order).map(pointOf) as [Point, Point];
    const range = form.replace(/a|b/g, (place) => (place === 'a' ? low : high).text);
    return fc.constantFrom(
      told(name, text, (value) => sideOf(value) === within),
      told(name, `>${text}`, (value) => sideOf(value) === after),
      told(name, `>=${text}`, (value) => sideOf(value) !== before),
      told(name, `<${text}`, (value) => sideOf(value) === before),
      told(name, `<=${text}`, (value) => sideOf(value) !== after),
      told(name, range, (value) => low.sideOf(value) !== before && high.sideOf(value) !== after),
    );
  });
}

const versionPattern: fc.Arbitrary<Told> = fc
  .constantFrom(['1.', ''], ['', '-rc-', ''], ['V', ''], ['2025.', '.1'])
  .map((pieces) => ({
    text: `version:${pieces.join('*')}`,
    holds: (row) => textsOf(row['version']).some(like(pieces)),
  }));

/** An instant to some precision is how all instants within it begin, as text. */
interface Moment {
  text: string;
  prefix: string;
}

const offsets = ['', 'Z', '+01:00', '-09:30', '+23:59'];

const aMoment: fc.Arbitrary<Moment> = fc.oneof(
  fc
    .tuple(anInstant, fc.constantFrom(10, 16, 19, 23), fc.constantFrom(...offsets))
    .map(([minutes, precision, offset]) => {
      const prefix = isoOf(minutes).slice(0, precision);
      if (precision === 10) return { text: prefix, prefix };
      const [, sign, hours, rest] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
      const ahead = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(rest));
      return { text: `${isoOf(minutes + ahead).slice(0, precision)}${offset}`, prefix };
    }),
  fc.integer({ min: -4, max: 4 }).map((days) => ({
    text: days === 0 ? 'Today' : `${days > 0 ? '+' : ''}${days}d`,
    prefix: isoOf(today + days * 1440).slice(0, 10),
  })),
  fc.constant({ text: '-1w', prefix: '2026-11-13' }),
  fc.integer({ min: 1, max: 60 }).map((hours) => ({ text: `-${hours}h`, prefix: isoOf(today - hours * 60) })),
);

function momentPoint({ text, prefix }: Moment): Point {
  return {
    text,
    sideOf(value) {
      const iso = new Date(value as string).toISOString();
      if (iso.startsWith(prefix)) return within!;
      return iso > prefix ? after! : before!;
    },
  };
}

/** A value as it is written, and its size. */
type Written = readonly [text: string, size: number];

const aDuration: fc.Arbitrary<Written> = aLength.chain((all) => {
  const [days, hours, minutes] = [Math.floor(all / 1440), Math.floor((all % 1440) / 60), all % 60];
  return fc.constantFrom<Written>(
    [`${all}m`, all],
    [`PT${all}M`, all],
    [`${all * 60_000}ms`, all],
    [`PT${all}.0M`, all],
    [`PT${Math.floor(all / 60)}H${all % 60},00M`, all],
    [`0w${days}d${hours}h${minutes}m`, all],
    [`P${days}DT${hours}H${minutes}M`, all],
    [`${hours + days * 24}h${minutes * 60}s`, all],
  );
});

const aNumber: fc.Arbitrary<Written> = fc
  .integer({ min: 0, max: 210 })
  .chain((tenths) => fc.constantFrom(tenths / 10, Math.round(tenths / 10)))
  .map((number) => [String(number), number]);

const aSize = fc.constantFrom<Written>(
  ['0', 0],
  ['10b', 10],
  ['1k', 1000],
  ['1KB', 1000],
  ['1ki', 1024],
  ['1.5k', 1500],
  ['1.5Kib', 1536],
  ['2m', 2_000_000],
  ['2mi', 2 ** 21],
  ['1000g', 1e12],
  ['1t', 1e12],
  ['1024GiB', 2 ** 40],
  ['1tib', 2 ** 40],
);

function writtenTerm(
  names: readonly string[],
  aValue: fc.Arbitrary<Written>,
  sizeOf: (value: unknown) => number = Number,
): fc.Arbitrary<Told> {
  return orderedTerm(
    names,
    aValue,
    ([text, size]) => ({ text, sideOf: (value) => Math.sign(sizeOf(value) - size) }),
    ([, a], [, b]) => a - b,
  );
}

export const terms: Readonly<Record<string, fc.Arbitrary<Told>>> = {
  'a String': stringTerm,
  'a Key-value': labelTerm,
  'a known field': knownTerm,
  'a bare text': wordTerm,
  'a Boolean': booleanTerm,
  'a Version': fc.oneof(
    versionPattern,
    orderedTerm(
      versions,
      aVersion,
      (text) => ({ text, sideOf: (value) => Math.sign(rankOf(value) - rankOf(text)) }),
      (a, b) => rankOf(a) - rankOf(b),
    ),
  ),
  'a Timestamp': orderedTerm(timestamps, aMoment, momentPoint, (a, b) => (a.prefix < b.prefix ? -1 : 1)),
  'a Duration': writtenTerm(lengths, aDuration, (value) => Number(/\d+/.exec(value as string)![0])),
  'a Number': writtenTerm(['releases'], aNumber),
  'a Storage size': writtenTerm(['size'], aSize),
};

/** How strongly a part of a query holds together: `or` is weakest. */
interface Part extends Told {
  strength: 1 | 2 | 3;
}

const inner = (part: Part, least: number) => (part.strength < least ? `(${part.text})` : part.text);

/** Terms combined, in no parentheses but those that are needed, and some that are not. */
export const aQuery: fc.Arbitrary<Told> = fc.letrec<{ part: Part }>((tie) => {
  const several = fc.array(tie('part'), { minLength: 2, maxLength: 3 });
  const space = fc.constantFrom('', ' ', '\t', '\n ');
  return {
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(...Object.values(terms)).map((term): Part => ({ ...term, strength: 3 })),
      fc.tuple(fc.constantFrom(' ', ' and ', ' AND '), several).map(([glue, parts]): Part => ({
        text: parts.map((part) => inner(part, 2)).join(glue),
        holds: (row) => parts.every((part) => part.holds(row)),
        strength: 2,
      })),
      fc.tuple(fc.constantFrom(' or ', ' Or '), several).map(([glue, parts]): Part => ({
        text: parts.map((part) => part.text).join(glue),
        holds: (row) => parts.some((part) => part.holds(row)),
        strength: 1,
      })),
      fc.tuple(fc.constantFrom('-', 'not ', 'NOT '), tie('part')).map(([sign, part]): Part => ({
        text: `${sign}${inner(part, 3)}`,
        holds: (row) => !part.holds(row),
        strength: 3,
      })),
      fc.tuple(space, space, tie('part')).map(([left, right, part]): Part => ({
        text: `(${left}${part.text}${right})`,
        holds: (row) => part.holds(row),
        strength: 3,
      })),
    ),
  };
}).part;
