import type { Day } from '../../core/model/dates.ts';
import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type { Row } from '../../core/query/fields.ts';
import type { Query, Term } from '../../core/query/parse.ts';
import { listNegatedFlags, listTerms, listUnitNotes } from '../../core/query/query-terms.ts';
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
    : [...listEmptyTermNotes(emptyTerms, catalogue), ...notes];
}

/** Says how many selected releases have an unknown value: a negated flag selects these too. */
export function listUnknownFlagNotes(query: Query, matches: Catalogue): string[] {
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

/** For each selected component, names the first releases without the advisories of the query. */
function listFixNotes(query: Query, day: Day, catalogue: Catalogue, matches: Catalogue): string[] {
  const terms = listTerms(query).filter((term) => readAdvisoryId(term) !== undefined);
  if (terms.length === 0) {
    return [];
  }

  // Further terms of the query may leave out releases that the advisory affects.
  const affected = new Set(select(catalogue, { or: terms }, day));
  const object = terms.length === 1 ? 'it' : 'them';
  const components = new Set(matches.map(({ shared }) => shared.component));
  const releasesByComponent = Map.groupBy(catalogue, ({ shared }) => shared.component);
  return [...components].flatMap((component) => {
    const releases = releasesByComponent.get(component) ?? [];
    return describeFixes(releases, affected, object);
  });
}

/** The releases that follow affected ones: several where a later line was affected again. `releases`: of one component. */
function describeFixes(
  releases: Catalogue,
  affected: ReadonlySet<Catalogue[number]>,
  object: string,
): string[] {
  const last = releases.at(-1);
  if (!last || !releases.some((release) => affected.has(release))) {
    return [];
  }

  const { title } = last.shared;
  if (affected.has(last)) {
    return [`No later release of ${title} is known.`];
  }

  const versions = releases
    .filter((release, index) => !affected.has(release) && affected.has(releases[index - 1]!))
    .map(({ row }) => row.version);
  return versions.length === 1
    ? [`${title} ${versions[0]} is the first release without ${object}.`]
    : [`The first releases of ${title} without ${object}: ${formatList(versions, 5)}.`];
}

/** Says for how many components advisories are not known, where a query asks about advisories. */
function listUnwatchedNotes(query: Query, catalogue: Catalogue): string[] {
  if (!listTerms(query).some(isOfAdvisories)) {
    return [];
  }

  const { total, unwatched } = countComponents(catalogue);
  switch (unwatched) {
    case 0:
      return [];
    case total:
      return [describeUnknownAdvisories()];
    default:
      return [describeUnknownAdvisories(`${unwatched} of ${formatCount(total, 'component')}`)];
  }
}

/** The number of components in a catalogue, and of those without watched advisories. */
function countComponents(catalogue: Catalogue) {
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

/** Says why terms select nothing. More than a few sentences would hide the result. */
function listEmptyTermNotes(terms: readonly Term[], catalogue: Catalogue): string[] {
  const { total, unwatched } = countComponents(catalogue);
  const reasons = new Set<string>();

  for (const term of terms) {
    const { fields, text = '' } = term;
    const id = readAdvisoryId(term);
    if (id !== undefined) {
      reasons.add(`No source here names ${id}; its vendor or osv.dev may know it.`);
    } else if (fields.length > 1) {
      reasons.add(`No component, title or version contains "${text}".`);
    } else if (unwatched < total || !isOfAdvisories(term)) {
      // Without any source of advisories, no result means nothing.
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
function readAdvisoryId({ text = '' }: Term): string | undefined {
  return /^advisory:([\w-]+)$/i.exec(text)?.[1];
}
