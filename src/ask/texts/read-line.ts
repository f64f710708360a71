import { isDay } from '../../core/model/dates.ts';
import { hasOpenEnd, numberPart, openRange, readNumber } from './read-number.ts';

/** Words that may be between a name and its version. */
const connectors = new Set(
  [
    'v v. ver. rev. is are at on in now the it we our still current currently installed',
    'run runs running use uses using apply target',
    'id name component product module plugin artifact library package bundle',
    'app image chart jar war aar zip pom',
    // Elements of HTML around a cell or a value, also without their brackets.
    'td th tr li span b strong em code p div',
  ].flatMap((words) => words.split(' ')),
);

/** The keys of a version, as the source of an expression. Lock files of NuGet have `resolved`. */
export const versionKeys =
  'version|ver|resolved|(?:new|image)?[-_]?tag|release|rev|ref|(?:app|chart|image|current|installed)[-_ ]?version|target[-_]?revision|versioninfo';
const versionKey = new RegExp(`^(?:${versionKeys})s?$`, 'i');

/** Whether a word between a name and a version leaves the version to that name: `svc is at 2025.1`, `svc chart 2025.1`. */
export function isConnector(word: string): boolean {
  return versionKey.test(word) || connectors.has(word.toLowerCase());
}

/** The version that a text states of a name, or what it states in place of one. */
export interface Statement {
  readonly version?: string | undefined;
  /** In place of a version, such as `^2.0.1`. */
  readonly range?: string | undefined;
  /** In place of a version, such as `${TAG}`. */
  readonly variable?: string | undefined;
  readonly digest?: string | undefined;
  /** A tag or a branch in place of a version, such as `main`. */
  readonly tag?: string | undefined;
}

/** A statement that begins a line. */
interface LineStatement extends Statement {
  /** The characters of the line up to its end. */
  readonly length: number;
}

const digestPart = String.raw`sha(?:1|256|384|512):\w+`;

/** `@sha256:…` right behind a version or a variable. */
const attachedDigest = new RegExp(`^@(${digestPart})`, 'i');

/** `:main` or `:main@sha256:…` right behind the name. */
const attachedTag = new RegExp(
  String.raw`^[:@=]([a-z][\w.-]*)(?:@(${digestPart}))?(?=[\s"',;|)]|$)`,
  'i',
);

/** The pieces of a line behind a name, in a group for each kind. */
const piece = new RegExp(
  [
    '(?<arrow>=>)',
    String.raw`<(?<element>\w[\w.-]*)>`,
    String.raw`(?<elementEnd><\/\w[\w.-]*>)`,
    String.raw`(?<interval>[[(]\s*[\w.+-]*\s*,\s*[\w.+-]*\s*[\])])`,
    String.raw`@?(?<digest>\b${digestPart})`,
    // Also within a version: `1.${MINOR}-alpine`.
    String.raw`(?<variable>(?:v?\d[\w.+-]{0,99})?(?:\$\{\w[^}]{0,99}\}|\$\w+)(?:[.+-]*(?:\w|\$\{\w[^}]{0,99}\}))*|\bversion\.ref\b["']?\s?[:=]\s?["'][\w.-]{1,99}["'])`,
    String.raw`(?<sign>[<>≤≥≠~^!]+=?|->|→|\.{2,3})`,
    String.raw`(?<number>(?<![\p{L}\p{N}])${numberPart})`,
    String.raw`(?<cell>[,;|\t]| {2,})`,
    String.raw`(?<open>[{[])`,
    String.raw`(?<close>[}\]])`,
    String.raw`(?<word>(?:\p{L}|_(?!v\d)\p{L}|\$)[\p{L}\p{N}_./%-]*)`,
  ].join('|'),
  'giu',
);

type Piece = ReturnType<typeof describePiece>;

/** The state after the pieces read so far, by which the next piece is read. */
type Context = Readonly<typeof initialContext>;

const initialContext = {
  /** A piece of this cell or bracket is about another product, so a version after it does not belong to the name before. */
  isForeign: false,
  /** A word of this cell or element is the key of a version. */
  isKeyed: false,
  /** The number of cells, elements and parts of a list that have ended. */
  cells: 0,
  /** The signs before a version, such as `>=`. */
  signs: '',
  /** For each open bracket and element, whether the text around it is foreign. */
  brackets: [] as readonly boolean[],
};

/** Reads the version in a line behind a name, up to the end of a bracket around the name. */
export function readLine(line: string): LineStatement {
  let context: Context = initialContext;
  for (const match of line.matchAll(piece)) {
    const nextPiece = describePiece(line, match, context);
    if (nextPiece.kind === 'close' && context.brackets.length === 0) {
      break;
    }

    const statement = readPiece(line, nextPiece, context);
    if (statement) {
      return statement;
    }

    context = passPiece(nextPiece, context);
  }

  const [written = '', tag, digest] = attachedTag.exec(line) ?? [];
  return { tag, digest, length: written.length };
}

/** A piece of a line, from `start` to `end`. `kind`: the name of its group; `version`: of a number that is one. */
function describePiece(
  line: string,
  { 0: written, index: start, groups }: RegExpExecArray,
  { isKeyed }: Context,
) {
  // Each alternative of the expression has a group.
  const [kind, text] = Object.entries(groups!).find(([, part]) => part !== undefined)!;
  const version = kind === 'number' ? readNumber(line, start, text, isKeyed) : undefined;
  return { kind, text, version, start, end: start + written.length };
}

/** The statement that a piece makes about the name. */
function readPiece(
  line: string,
  written: Piece,
  { isForeign, isKeyed, cells, signs }: Context,
): LineStatement | undefined {
  const { kind, text, version, end: length } = written;
  const isInterval = kind === 'interval' && /\d/.test(text);

  // `[1.0,2.0)` and `1.0..2.0`. A range is reported, never judged, so `isForeign` does not matter.
  if (isInterval || (kind === 'number' && /\.\.v?\d/i.test(text))) {
    return { range: text, length };
  }
  if (isForeign) {
    return undefined;
  }
  if (kind === 'digest') {
    return { digest: text, length };
  }
  if (kind === 'variable') {
    return { variable: text, ...readAttachedDigest(line, length) };
  }

  // In a later cell of a table, a number without a dot may count anything.
  const isPlainCell = cells > 1 && !isKeyed && !version?.includes('.');
  return version === undefined || isPlainCell
    ? undefined
    : readVersionOrRange(line, written, version, signs);
}

/** The context behind a piece that states nothing. */
function passPiece({ kind, text, version }: Piece, context: Context): Context {
  const { isForeign, isKeyed, cells, signs, brackets } = context;
  const nextCell = { isKeyed: false, cells: cells + 1, signs: '' };
  const around = { isForeign: brackets.at(-1) ?? false, brackets: brackets.slice(0, -1) };
  const inside = { ...context, brackets: [...brackets, isForeign] };
  const isForeignWord = isForeign || !isConnector(text);

  switch (kind) {
    case 'cell':
      return { ...nextCell, isForeign: brackets.includes(true), brackets };
    case 'element':
      return { ...inside, isForeign: isForeignWord, isKeyed: versionKey.test(text), signs: '' };
    case 'elementEnd':
      return { ...nextCell, ...around };
    case 'open':
      return inside;
    case 'close':
      return { ...context, ...around };
    case 'word':
      return { ...context, isForeign: isForeignWord, isKeyed: isKeyed || versionKey.test(text) };
    case 'sign':
      return { ...context, signs: signs + text };
    case 'number': {
      // A day may be between a name and its version; a count or a time is about something else.
      const isOther = !isDay(text) && version === undefined;
      return { ...context, isForeign: isForeign || isOther };
    }
    default:
      return context;
  }
}

/** Behind a version that begins a range: `1.2 - 2.0`. */
const rangeEnd = /^\s?(?:to|up to|through|-|–|—|→|[-=]>|…|\.{2,3})\s?v?\d[\w.+-]*/i;

/** Behind a version with a sign or an open end: ` <2`, `, !=1.3`, ` || ^2.0`, ` or <1.0` and ` or 4.x`. */
const furtherTerms =
  /^(?:\s?(?:\|\|\s?|\bor\s(?=v?\d+\.)|(?:,|\b(?:or|and)\b)?\s?(?=[<>≤≥≠=~^!]))[<>≤≥≠=~^!]{0,2}\s?v?\d[\w.+*-]*)+/i;
/** The first of these terms, where it also makes a range of a version without a sign: `1.2, <2.0` and `1.2 || 2.0`. */
const rangeTerm = /^(?:\s?,?\s?[<>≤≥]|\s\|\|\s)/;

/** The version that a number is, or the range that it begins, with a sign before it or a second version behind it. */
function readVersionOrRange(
  line: string,
  { text: number, start, end }: Piece,
  version: string,
  signs: string,
): LineStatement {
  const behind = line.slice(end);

  // A decimal comma: `svc 2025,1`.
  const [, decimal] = /^,(\d+)\s*$/.exec(behind) ?? [];
  const isFirstOfCell = /(?:^|[\s;])$/.test(line.slice(0, start));
  if (decimal !== undefined && /^\d+$/.test(version) && isFirstOfCell) {
    return { version: `${version}.${decimal}`, length: line.length };
  }

  const isOpen = hasOpenEnd(number);
  const isRange = signs !== '' || isOpen;
  const terms = isRange || rangeTerm.test(behind) ? furtherTerms.exec(behind) : undefined;
  const [bound = ''] = terms ?? rangeEnd.exec(behind) ?? openRange.exec(behind) ?? [];
  if (isRange || bound !== '') {
    const range = `${signs}${isOpen ? number : version}${bound}`.trim();
    return { range, length: end + bound.length };
  }

  return { version, ...readAttachedDigest(line, end) };
}

function readAttachedDigest(line: string, end: number) {
  const [attached = '', digest] = attachedDigest.exec(line.slice(end)) ?? [];
  return { digest, length: end + attached.length };
}
