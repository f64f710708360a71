import type { Day } from '../../core/model/dates.ts';
import type { NonEmpty } from '../../core/model/objects.ts';
import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type { Row } from '../../core/query/fields.ts';
import type { Query, Term } from '../../core/query/parse.ts';
import {
  asksAboutAdvisories,
  findNamedComponent,
  listNegatedFlags,
  listTerms,
} from '../../core/query/query-terms.ts';
import { listUnitNotes } from '../../core/query/query-units.ts';
import { readField, type SplitRow } from '../../core/query/rows.ts';
import { createReleaseSelector, type Catalogue } from '../../core/query/selection.ts';
import { formatCount, formatList, formatNumber } from '../../core/text/wording.ts';

/**
 * Notes on a query and its matches in a catalogue, which holds a single component if the query names one. If there are no matches,
 * the reason comes first.
 */
export function listNotes(
  query: Query,
  day: Day,
  catalogue: Catalogue,
  matches: Catalogue,
): string[] {
  const notes = [
    ...listUnitNotes(query),
    ...listUnknownFlagNotes(query, matches),
    ...listFixNotes(query, day, catalogue, matches),
    ...listUnwatchedNotes(query, catalogue),
  ];
  return matches.length > 0 ? notes : [...listReasons(query, day, catalogue), ...notes];
}

/** Says how many selected releases have an unknown value: a negated flag selects these too. */
export function listUnknownFlagNotes(query: Query, matches: Catalogue): string[] {
  const notes: string[] = [];
  for (const flag of listNegatedFlags(query)) {
    const name = flag as keyof Row;
    const unknown = matches.filter((release) => readField(release, name) === undefined);
    const amount = unknown.length === matches.length ? 'all' : formatNumber(unknown.length);
    if (unknown.length > 0) {
      notes.push(`${flag} is unknown for ${amount} of these; ${flag}:* leaves them out.`);
    }
  }
  return notes;
}

/** For each selected component, names the first later releases without the advisories of the query. */
function listFixNotes(query: Query, day: Day, catalogue: Catalogue, matches: Catalogue): string[] {
  const terms = listTerms(query).filter((term) => findAdvisoryId(term) !== undefined);
  if (terms.length === 0) {
    return [];
  }

  // Further terms of the query may leave out releases that an advisory affects.
  const isAffected = createReleaseSelector({ or: terms }, day);
  const pronoun = terms.length === 1 ? 'it' : 'them';
  const matched = new Set(matches.map(({ lineFields }) => lineFields.component));
  return [...Map.groupBy(catalogue, ({ lineFields }) => lineFields.component)]
    .filter(([component]) => matched.has(component))
    .flatMap(([, releases]) => describeFixes(releases, isAffected, pronoun));
}

/**
 * Names the first release after affected ones that is not withdrawn: several where a later line was affected again. `pronoun`: for
 * the advisories.
 */
function describeFixes(
  releases: NonEmpty<SplitRow>,
  isAffected: (release: SplitRow) => boolean,
  pronoun: string,
): string[] {
  const versions: string[] = [];
  /** The last affected version, until a later release is found. */
  let affected: string | undefined;
  for (const release of releases) {
    const { version, isWithdrawn } = release.releaseFields;
    if (isAffected(release)) {
      affected = version;
    } else if (affected !== undefined && !isWithdrawn) {
      affected = undefined;
      versions.push(version);
    }
  }

  const { title } = releases[0].lineFields;
  const notes: string[] = [];
  if (versions.length > 0) {
    const verb =
      versions.length === 1 ? 'is the first later release' : 'are the first later releases';
    notes.push(`${title} ${formatList(versions, 5)} ${verb} without ${pronoun}.`);
  }
  if (affected !== undefined) {
    notes.push(
      versions.length > 0
        ? `${title} ${affected} is affected again, and no later release without ${pronoun} is known.`
        : `No later release of ${title} without ${pronoun} is known.`,
    );
  }
  return notes;
}

/** Says for how many components advisories are not known, where a query asks about advisories. */
function listUnwatchedNotes(query: Query, catalogue: Catalogue): string[] {
  const { total, unwatched } = countComponents(catalogue);
  if (unwatched === 0 || !asksAboutAdvisories(query)) {
    return [];
  }

  const subject = unwatched === total ? '' : `${unwatched} of ${formatCount(total, 'component')}`;
  return [describeUnknownAdvisories(subject)];
}

/** The number of components in a catalogue, and of those without watched advisories. */
function countComponents(catalogue: Catalogue) {
  const components = new Set<Row['component']>();
  const unwatched = new Set<Row['component']>();
  for (const release of catalogue) {
    const { component } = release.lineFields;
    components.add(component);
    if (readField(release, 'isVulnerable') === undefined) {
      unwatched.add(component);
    }
  }
  return { total: components.size, unwatched: unwatched.size };
}

const maxReasons = 5;

/** Why a query selects nothing: the parts that select nothing by themselves, where a part is a term or its negation. */
function listReasons(query: Query, day: Day, catalogue: Catalogue): string[] {
  const parts = 'and' in query ? query.and : [query];
  const emptyParts = parts.filter((part) => !catalogue.some(createReleaseSelector(part, day)));
  if (emptyParts.length === 0) {
    return parts.length === 0 ? [] : ['Each term selects something, and no release has them all.'];
  }

  // Nothing is known of a component that does not exist.
  const naming = emptyParts.filter((part) => findNamedComponent(part) !== undefined);
  const decisive = catalogue.length === 0 && naming.length > 0 ? naming : emptyParts;
  const component = catalogue.length === 0 ? undefined : findNamedComponent(query);
  const reasons = new Set<string>();
  for (const part of decisive.flatMap(listAlternatives)) {
    const reason = describeEmptyPart(part, catalogue, component);
    if (reason !== undefined) {
      reasons.add(reason);
    }
  }
  return [...reasons].slice(0, maxReasons);
}

/** The alternatives of a part that selects nothing: each of them selects nothing, too. */
function listAlternatives(part: Query): Query[] {
  return 'or' in part ? part.or.flatMap(listAlternatives) : [part];
}

/**
 * Says that a term or its negation selects nothing. Undefined for other parts, and where the advisories that it asks about are not
 * known. `component`: the only component of the catalogue, if the query names one.
 */
function describeEmptyPart(
  part: Query,
  catalogue: Catalogue,
  component: string | undefined,
): string | undefined {
  const text = findText(part);
  if (text === undefined) {
    return undefined;
  }

  if (component === undefined && 'fields' in part) {
    const id = findAdvisoryId(part);
    if (id !== undefined) {
      return `No source here names ${id}; its vendor or osv.dev may know it.`;
    }
    if (part.fields.length > 1) {
      const quoted = text.startsWith('"') ? text : `"${text}"`;
      return `No component, title or version contains ${quoted}.`;
    }
  }

  if (asksAboutAdvisories(part)) {
    const { total, unwatched } = countComponents(catalogue);
    if (unwatched === total) {
      return undefined;
    }
  }

  const subject = component === undefined ? 'Nothing' : `Nothing of ${component}`;
  return `${subject} matches ${text}.`;
}

/** The text of a term or of its negation. Undefined for a word as a value: the same word as a text has it. */
function findText(part: Query): string | undefined {
  if ('fields' in part) {
    return part.text;
  }
  if (!('not' in part) || !('fields' in part.not)) {
    return undefined;
  }

  const { text } = part.not;
  // The text of a term such as `!isLatest` has its negation.
  return text === undefined || text.startsWith('!') ? text : `-${text}`;
}

/** The id that a term such as `advisory:CVE-2026-1` names exactly, as written. */
function findAdvisoryId({ fields: [field], test }: Term): string | undefined {
  if (field?.name !== 'advisory' || !test.pieces) {
    return undefined;
  }

  const { literal, pieces } = test;
  return pieces.length === 1 && literal !== '' ? literal : undefined;
}
