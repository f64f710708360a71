import type { Day } from '../../core/model/dates.ts';
import { describeUnknownAdvisories } from '../../core/model/words.ts';
import { select, type Catalogue } from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';
import type { Query } from '../../core/query/parse.ts';
import { listNegatedFlags, listTerms, listUnitNotes } from '../../core/query/query-terms.ts';
import { formatCount, formatNumber } from '../../core/text/wording.ts';

type Term = ReturnType<typeof listTerms>[number];

/** Notes on a query and the releases that it selects from a catalogue, with the reason if there are none. */
export function describeQuery(
  query: Query,
  day: Day,
  catalogue: Catalogue,
  matches: Catalogue,
): string[] {
  const notes = [
    ...listUnitNotes(query),
    ...describeUnknownFlags(query, matches),
    ...describeFixes(query, catalogue, matches),
    ...describeUnwatched(query, catalogue),
  ];
  const terms = 'and' in query ? query.and : [query];
  if (matches.length > 0 || terms.length === 0) {
    return notes;
  }

  const emptyTerms = terms
    .filter((term) => select(catalogue, term, day).length === 0)
    .flatMap(listTerms)
    .filter(({ text = '' }) => text !== '');
  return emptyTerms.length === 0
    ? [...notes, 'Each term selects something, and no release has them all.']
    : [...describeEmptyTerms(emptyTerms, catalogue), ...notes];
}

/** Says how many selected releases have an unknown value: a negated flag selects these too. */
export function describeUnknownFlags(query: Query, matches: Catalogue): string[] {
  const notes: string[] = [];
  for (const flag of listNegatedFlags(query)) {
    const name = flag as keyof Row;
    const unknown = matches.filter(({ shared, row }) => (row[name] ?? shared[name]) === undefined);
    const amount = unknown.length === matches.length ? 'all' : formatNumber(unknown.length);
    if (unknown.length > 0) {
      notes.push(`${flag} is unknown for ${amount} of these; ${flag}:* leaves them out.`);
    }
  }
  return notes;
}

/** Names the first release of each component that the advisory of a query no longer affects. */
function describeFixes(query: Query, catalogue: Catalogue, matches: Catalogue): string[] {
  if (listTerms(query).every((term) => readAdvisory(term) === undefined)) {
    return [];
  }

  const lastMatches = new Map(matches.map((release) => [release.shared.component, release]));
  return Array.from(lastMatches, ([component, release]) => {
    const { title } = release.shared;
    const following = catalogue[catalogue.indexOf(release) + 1];
    return following && following.shared.component === component
      ? `${title} ${following.row.version} is the first release without it.`
      : `No later release of ${title} is known.`;
  });
}

/** Says for how many components advisories are not known, where a query asks about advisories. */
function describeUnwatched(query: Query, catalogue: Catalogue): string[] {
  if (!listTerms(query).some(isOfAdvisories)) {
    return [];
  }

  const { total, unwatched } = countComponents(catalogue);
  if (unwatched === 0) {
    return [];
  }

  const subject = `${unwatched} of ${formatCount(total, 'component')}`;
  return [describeUnknownAdvisories(unwatched === total ? '' : subject)];
}

/** The number of components in a catalogue, and of those without watched advisories. */
function countComponents(catalogue: Catalogue): { total: number; unwatched: number } {
  const components = new Set<Row['component']>();
  const unwatched = new Set<Row['component']>();
  for (const { shared, row } of catalogue) {
    components.add(shared.component);
    if ((row.isVulnerable ?? shared.isVulnerable) === undefined) {
      unwatched.add(shared.component);
    }
  }
  return { total: components.size, unwatched: unwatched.size };
}

/** Says of the first terms that they select nothing. */
function describeEmptyTerms(terms: readonly Term[], catalogue: Catalogue): string[] {
  const { total, unwatched } = countComponents(catalogue);
  const reasons = new Set<string>();

  for (const term of terms) {
    const { fields, text = '' } = term;
    const id = readAdvisory(term);
    if (id !== undefined) {
      reasons.add(`No source here names ${id}; its vendor or osv.dev may know it.`);
    } else if (fields.length > 1) {
      reasons.add(`No component, title or version contains "${text}".`);
    } else if (unwatched === 0 || unwatched < total || !isOfAdvisories(term)) {
      // Without any source of advisories, it says nothing that they are not found.
      reasons.add(`Nothing matches ${text}.`);
    }
  }

  return [...reasons].slice(0, 5);
}

/** Fields that only components with watched advisories have. */
const advisoryFields = new Set(['isVulnerable', 'advisory', 'fixes', 'severity', 'isExploited']);

function isOfAdvisories({ fields }: Term): boolean {
  const [field] = fields;
  return field !== undefined && fields.length === 1 && advisoryFields.has(field.name);
}

/** The id in a term such as `advisory:CVE-2026-1`. */
function readAdvisory({ text = '' }: Term): string | undefined {
  return /^advisory:([\w-]+)$/i.exec(text)?.[1];
}
