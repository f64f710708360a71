import { startOf } from '../../core/text/text.ts';
import type { Day } from '../../core/model/dates.ts';
import { formatPurl, parsePurl } from '../../core/model/purl.ts';
import { nearest } from '../../core/text/nearest.ts';
import { fields } from '../../core/query/fields.ts';
import {
  findExact,
  isNonEmpty,
  isPackageForm,
  resembling,
  unique,
  type Candidate,
  type NamedComponent,
  type NonEmpty,
  type Packages,
  type Split,
} from './match-names.ts';
import type { Entry } from '../texts/items.ts';
import { openNames } from '../texts/find-names.ts';
import { findVersions } from '../texts/find-versions.ts';
import { cleanText } from './read-name.ts';
import { readPhrase, readSpanQuestion, type PhraseMeaning, type SpanQuestion } from './phrases.ts';

/** The intention behind a text. */
export type Question =
  | { readonly kind: 'components'; readonly candidates: NonEmpty<Candidate> }
  /** Versions of several components, or several of one. */
  | { readonly kind: 'list'; readonly candidates: readonly Candidate[] }
  /** A version, or two, of a component that the text does not name. */
  | { readonly kind: 'version'; readonly version: string; readonly to?: string | undefined }
  | { readonly kind: 'span'; readonly span: SpanQuestion }
  | { readonly kind: 'phrase'; readonly meaning: PhraseMeaning }
  /** In the query language. */
  | { readonly kind: 'query'; readonly query: string }
  /** `name`: the part of the text in the position of a name. */
  | { readonly kind: 'unknown'; readonly name: string; readonly isPackage: boolean };

/** Punctuation and operators of the query language. */
const querySyntax = /[:<>=()"*[\]!]|(?:^|\s)(?:-|(?:and|or|not)\s)/i;
const fieldTerm = new RegExp(
  String.raw`(?:^|[\s(!-])(?:${fields.map(({ name }) => name).join('|')}):`,
  'i',
);
/** Words that are query terms without a field. */
export const queryWords: readonly string[] = fields.flatMap(({ name, type, values = [] }) =>
  type === 'Boolean' ? [...values, name] : values,
);
const termForm = new RegExp(`^[-!]?(?:${queryWords.join('|')})$`, 'i');

/** Whether a text that cannot be read was meant as a query: it has the name of a field, or nearly one. */
export function isMeantAsQuery(text: string): boolean {
  const named = Array.from(text.matchAll(/([a-z]\w+)(?=:)/gi), ([name]) => name);
  const words = text.split(/[\s()]+/);
  const names = fields.map(({ name }) => name);

  return (
    named.some((name) => nearest(name, names) !== undefined) ||
    words.some((word) => termForm.test(word))
  );
}

/** Filler words around a name and a version in a question. */
const aside = new Set(
  'a an and are can changelog current do does download eol end ended ending ends for from good how i image in install is it latest life line long me my newest notes of ok on our out please release run should still support supported supports tell the till to until upgrade use using version versions we what whats when which will with you'.split(
    ' ',
  ),
);

const versionForm = /^v?\d[\w.+~*:!-]*$/i;
/** `svc@2025.1`, `svc:2025.1`, `svc-2025.1`, `svc==2025.1`, `svc 2025.1`. */
const joined = /^(.*[^\s@:=_/-])(?:\s+|@|:|==?|_|-|\/)(v?\d[\w.+~*-]*|latest)$/i;
/** A name and a version that has a separator itself: `svc@1:2.3`. */
const joinedEarly = /^(.*?[^\s@:=_/-])(?:\s+|@|:|==?)(v?\d[\w.+~*:!-]*)$/i;
const versionIn = String.raw`v?\d[\w.+~*-]*`;
const pair = new RegExp(
  String.raw`^(.*?)\s*\b(${versionIn})\s*(?:\s(?:to|up to|vs\.?|versus)\s|\s[-–—]\s|→|->|=>|\.{3})\s*(${versionIn})$`,
  'i',
);

/** The id of an advisory. */
const advisoryForm = /^(?:cve-\d{4}-\d+|ghsa(?:-\w{4}){3}|osv-\d{4}-\d+)$/i;
/** A variable named after a component: `ARG SVC_VERSION=2025.2`. */
const variableForm = /\b([a-z]\w*?)_version\s*[:=]\s*"?(v?\d[\w.+~-]*)/i;
const withForm =
  /^(.*?)\s*\b(works?|working|compatible|goes?|fits?|runs?)?\s+(?:together\s+)?with\s+(.+)$/i;

/**
 * Finds the intention behind a text. A program (`isExact`) names a component exactly, with or without a version. A text from a
 * person is tried in this order: exact names, phrases, queries with fields, lines of files, version ranges, spans of days, similar
 * names, other queries.
 */
export function readQuestion(
  wholeText: string,
  components: readonly NamedComponent[],
  packages: Packages,
  { isExact = false, day = '' }: { isExact?: boolean; day?: Day } = {},
): Question {
  const text = startOf(wholeText);
  const clean = cleanText(text);
  const named = findExact(exactSplits(isExact ? text.trim() : clean), components, packages);
  if (isNonEmpty(named)) {
    return { kind: 'components', candidates: named };
  }

  if (isExact) {
    return { kind: 'unknown', name: clean, isPackage: false };
  }

  const meaning = readPhrase(clean);
  if (meaning) {
    return { kind: 'phrase', meaning };
  }

  if (advisoryForm.test(clean)) {
    return { kind: 'query', query: `advisory:${clean.toUpperCase()}` };
  }

  if (isQueryText(clean)) {
    return { kind: 'query', query: clean };
  }

  const together = readTogether(clean, components, packages);
  if (together) {
    return together;
  }

  const isPair = pair.test(clean);
  const pasted = isPair ? undefined : readPasted(clean, components, packages);
  if (pasted) {
    return pasted;
  }

  const span = isPair || day === '' ? undefined : readSpanQuestion(clean, day);
  const [ofSpan] = span?.name ? findExact([{ name: span.name }], components, packages) : [];
  if (span && (span.name === '' || ofSpan)) {
    return { kind: 'span', span: { ...span, name: ofSpan?.name ?? '' } };
  }

  const [loose, ...runs] = isPair
    ? pairSplits(clean)
    : (variableSplits(clean) ?? looseSplits(clean));
  const alike = loose.name === '' ? [] : resembling(loose, components, packages);
  const allCandidates = unique([...findExact(runs, components, packages), ...alike]);
  if (isNonEmpty(allCandidates)) {
    return { kind: 'components', candidates: allCandidates };
  }

  if (loose.name === '' && loose.version !== undefined) {
    return { kind: 'version', version: loose.version, to: loose.to };
  }

  if (isPackageForm(clean)) {
    return { kind: 'unknown', name: clean, isPackage: true };
  }

  if (querySyntax.test(clean)) {
    return { kind: 'query', query: clean };
  }

  return { kind: 'unknown', name: loose.name || clean, isPackage: false };
}

/** Lines are never a query. */
function isQueryText(text: string): boolean {
  const isOfTerms = text.split(/\s+/).every((word) => termForm.test(word));
  return !text.includes('\n') && (fieldTerm.test(text) || isOfTerms || /^[-!]\w/.test(text));
}

/** What the lines of a text state: a version, a range, or several versions. */
function readPasted(
  text: string,
  components: readonly NamedComponent[],
  packages: Packages,
): Question | undefined {
  const perEntry: NonEmpty<Candidate>[] = [];

  for (const entry of findVersions(text, openNames(components, packages)).entries) {
    const candidates = candidatesOf(entry, components, packages);
    const range = entry.find((item) => item.range !== undefined)?.range;
    if (candidates[0] && range !== undefined) {
      const query = rangeQuery(candidates[0].name, range);
      return query === undefined ? undefined : { kind: 'query', query };
    }

    const versioned = candidates.filter(({ version }) => version !== undefined);
    if (isNonEmpty(versioned)) {
      perEntry.push(versioned);
    }
  }

  const [first, another] = perEntry;
  if (first && another) {
    return { kind: 'list', candidates: perEntry.map(([candidate]) => candidate) };
  }

  return first && { kind: 'components', candidates: first };
}

/** A question about what works with a version: the table on the page of its component. */
function readTogether(
  text: string,
  components: readonly NamedComponent[],
  packages: Packages,
): Question | undefined {
  const [, before = '', verb, after] = withForm.exec(text) ?? [];
  if (after === undefined) {
    return undefined;
  }

  const sides = [before, after].map((side) => {
    const [loose, ...runs] = looseSplits(side);
    const exact = findExact(runs, components, packages);
    return exact.length > 0 || loose.name === '' ? exact : resembling(loose, components, packages);
  });

  const isAboutBoth = sides.every((candidates) => candidates.length > 0);
  const subject = sides.find(([candidate]) => candidate?.version !== undefined)?.[0];
  if (!subject || (verb === undefined && !isAboutBoth)) {
    return undefined;
  }

  const title = components.find(({ name }) => name === subject.name)?.title ?? subject.name;
  const words = `What works with ${title} ${subject.version}`;

  return {
    kind: 'phrase',
    meaning: { page: `${subject.name}.html#works-with`, text: words },
  };
}

/** The components that an entry names exactly, by its first reading that names any. */
function candidatesOf(
  entry: Entry,
  components: readonly NamedComponent[],
  packages: Packages,
): Candidate[] {
  return findExact(
    entry
      .map(({ name, purl, version }) => {
        const text = name ?? (purl && formatPurl({ ...purl, version: undefined }));
        return text === undefined ? undefined : { name: text, version };
      })
      .filter((value) => value !== undefined),
    components,
    packages,
  );
}

/** The releases in a range; undefined for a form that the query language does not have. */
function rangeQuery(component: string, range: string): string | undefined {
  const [, from, to] = /^(\S+?)(?:\.\.| to )(\S+)$/.exec(range) ?? [];
  if (from !== undefined) {
    return `component:${component} version:[${from} to ${to}]`;
  }

  const terms = range.split(/[\s,]+/).map((part) => {
    const [, sign = '', version] = /^(>=|<=|[<>^~])(v?\d[\w.+~-]*)$/i.exec(part) ?? [];
    if (version === undefined) {
      return undefined;
    }

    const isOpened = sign === '^' || sign === '~';

    return `version:${isOpened ? openedVersion(version, sign) : `${sign}${version}`}`;
  });

  return terms.includes(undefined) ? undefined : `component:${component} ${terms.join(' ')}`;
}

/** `2026.*` for `^2026.1`, `2026.1.*` for `~2026.1.2`. */
function openedVersion(version: string, sign: string): string {
  return `${version
    .replace(/^v/i, '')
    .split('.')
    .slice(0, sign === '^' ? 1 : 2)
    .join('.')}.*`;
}

/** The readings of a text from a program, the most literal first. */
function exactSplits(text: string): Split[] {
  const versionOf = (version: string) => (/^latest$/i.test(version) ? undefined : version);
  const purl = parsePurl(text);
  if (purl) {
    return [{ name: text, version: purl.version }];
  }

  // Without a tag, the digest is all that says which release it is.
  const [plain = '', digest] = text.split(/@(?=sha(?:256|512):[\da-f]+$)/i);
  const splits: Split[] = [{ name: plain, version: digest }];

  for (const form of [joined, joinedEarly]) {
    const [, name, version] = form.exec(plain) ?? [];
    if (name !== undefined && version !== undefined && !version.includes('..')) {
      splits.push({ name, version: versionOf(version) });
    }
  }

  return splits;
}

/** The readings of a text from a person: a version anywhere in it, and the other words without filler words. */
function looseSplits(text: string): NonEmpty<Split> {
  const parts = text
    .replace(/(?<=\d),(?=\d)/g, '.')
    .split(/[\s"'()<>]+/)
    .filter((part) => part !== '');

  const place = parts.findLastIndex((part) => versionForm.test(part));
  if (place !== -1) {
    return withRuns(parts.toSpliced(place, 1), { version: parts[place] });
  }

  const whole = meant(parts.join(' '));
  const [, name = whole, version = 'latest'] = joined.exec(whole) ?? [];

  return /^latest$/i.test(version) ? [{ name: whole }] : [{ name, version }];
}

function variableSplits(text: string): NonEmpty<Split> | undefined {
  const [, name, version] = variableForm.exec(text) ?? [];
  if (name === undefined) {
    return undefined;
  }

  const words = name.toLowerCase().split('_');

  return [{ name: words.join('-'), version }, ...withRuns(words, { version })];
}

function pairSplits(text: string): NonEmpty<Split> {
  const [, before = '', version, to] = pair.exec(text) ?? [];
  return withRuns(before.split(/\s+/), { version, to });
}

/** A longer text is not a question; limits the work. */
const mostWords = 12;

/** A reading with all words but the fillers, then one for each run of words, the longest first. */
function withRuns(words: readonly string[], versions: Omit<Split, 'name'>): NonEmpty<Split> {
  const all = words.slice(0, mostWords);
  const runs = all.flatMap((_, start) =>
    all.slice(start).map((_, end) => all.slice(start, start + end + 1)),
  );
  const others = runs
    .sort((a, b) => b.length - a.length)
    .map((run) => ({ name: run.join(' '), ...versions }));

  return [{ name: meant(words.join(' ')), ...versions }, ...others];
}

function meant(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !aside.has(word.toLowerCase()))
    .join(' ');
}
