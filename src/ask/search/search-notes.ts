import type { Day } from '../../core/model/dates.ts';
import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type { Row } from '../../core/query/fields.ts';
import type { Query, Term } from '../../core/query/parse.ts';
import { listNegatedFlags, listTerms, listUnitNotes } from '../../core/query/query-terms.ts';
import { readField } from '../../core/query/rows.ts';
import { select, type Catalogue } from '../../core/query/selection.ts';
import { formatCount, formatList, formatNumber } from '../../core/text/wording.ts';

/** Notes on a query and its matches in a catalogue, with the reason if there are none. */
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
  const parts = 'and' in query ? query.and : [query];
  if (matches.length > 0 || parts.length === 0) {
    return notes;
  }

  const emptyParts = parts.filter((part) => select(catalogue, part, day).length === 0);
  return emptyParts.length === 0
    ? [...notes, 'Each term selects something, and no release has them all.']
    : [...listReasons(emptyParts.flatMap(listAlternatives), catalogue), ...notes];
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

/** For each selected component, names the first releases without the advisories of the query. */
function listFixNotes(query: Query, day: Day, catalogue: Catalogue, matches: Catalogue): string[] {
  const terms = listTerms(query).filter((term) => readAdvisoryId(term) !== undefined);
  if (terms.length === 0) {
    return [];
  }

  // Further terms of the query may leave out releases that an advisory affects.
  const affected = new Set(select(catalogue, { or: terms }, day));
  const pronoun = terms.length === 1 ? 'it' : 'them';
  const components = new Set(matches.map(({ lineFields }) => lineFields.component));
  const releasesByComponent = Map.groupBy(catalogue, ({ lineFields }) => lineFields.component);
  return [...components].flatMap((component) => {
    const releases = releasesByComponent.get(component) ?? [];
    return describeFixes(releases, affected, pronoun);
  });
}

/**
 * Names the releases of a component that follow affected ones: several where a later line was affected again. `pronoun`: for the
 * advisories.
 */
function describeFixes(
  releases: Catalogue,
  affected: ReadonlySet<Catalogue[number]>,
  pronoun: string,
): string[] {
  const last = releases.at(-1);
  if (!last || !releases.some((release) => affected.has(release))) {
    return [];
  }

  const { title } = last.lineFields;
  const versions: string[] = [];
  let isPreviousAffected = false;
  for (const release of releases) {
    const isAffected = affected.has(release);
    if (isPreviousAffected && !isAffected) {
      versions.push(release.releaseFields.version);
    }
    isPreviousAffected = isAffected;
  }

  if (versions.length === 0) {
    return [`No later release of ${title} is known.`];
  }

  const notes =
    versions.length === 1
      ? [`${title} ${versions[0]} is the first release without ${pronoun}.`]
      : [`The first releases of ${title} without ${pronoun}: ${formatList(versions, 5)}.`];
  if (affected.has(last)) {
    notes.push(
      `${title} ${last.releaseFields.version} is affected again, and no later release is known.`,
    );
  }
  return notes;
}

/** Says for how many components advisories are not known, where a query asks about advisories. */
function listUnwatchedNotes(query: Query, catalogue: Catalogue): string[] {
  const { total, unwatched } = countComponents(catalogue);
  if (unwatched === 0 || !listTerms(query).some(asksAboutAdvisories)) {
    return [];
  }

  return unwatched === total
    ? [describeUnknownAdvisories()]
    : [describeUnknownAdvisories(`${unwatched} of ${formatCount(total, 'component')}`)];
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

/** The alternatives of a part that selects nothing: each of them selects nothing, too. */
function listAlternatives(part: Query): Query[] {
  return 'or' in part ? part.or.flatMap(listAlternatives) : [part];
}

const maxReasons = 5;

/** Says why parts of a query select nothing, where a part is a term or its negation. */
function listReasons(parts: readonly Query[], catalogue: Catalogue): string[] {
  const reasons = new Set<string>();
  for (const part of parts) {
    if ('fields' in part) {
      reasons.add(describeEmptyTerm(part, catalogue));
    } else if ('not' in part && 'fields' in part.not && part.not.text !== undefined) {
      // The text of a term such as `!isLatest` has its negation.
      const { text } = part.not;
      reasons.add(`Nothing matches ${text.startsWith('!') ? text : `-${text}`}.`);
    }
  }

  reasons.delete('');
  return [...reasons].slice(0, maxReasons);
}

/** Says why a term selects nothing; empty for a word as a value, which is a text, too, and where no advisories are known. */
function describeEmptyTerm(term: Term, catalogue: Catalogue): string {
  const { fields, text } = term;
  if (text === undefined) {
    return '';
  }

  const id = readAdvisoryId(term);
  if (id !== undefined) {
    return `No source here names ${id}; its vendor or osv.dev may know it.`;
  }
  if (fields.length > 1) {
    return `No component, title or version contains "${text}".`;
  }

  const { total, unwatched } = countComponents(catalogue);
  return unwatched === total && asksAboutAdvisories(term) ? '' : `Nothing matches ${text}.`;
}

/** Fields that only components with watched advisories have. */
const advisoryFields = new Set([
  'isVulnerable',
  'advisory',
  'fixes',
  'severity',
  'isExploited',
  'exploitedSince',
]);

function asksAboutAdvisories({ fields }: Term): boolean {
  const [field] = fields;
  return field !== undefined && fields.length === 1 && advisoryFields.has(field.name);
}

/** The id in a term such as `advisory:CVE-2026-1`. */
function readAdvisoryId({ text = '' }: Term): string | undefined {
  return /^advisory:([\w-]+)$/i.exec(text)?.[1];
}
