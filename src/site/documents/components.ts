/** Renders `status.json`, which gives an overview of every component, and `search/`, which has all releases as columns. */
import { toExtraction } from '../../ask/extract.ts';
import { listFacts, type ReleaseFacts } from '../../ask/query/release-facts.ts';
import { nameSourcePackage } from '../../core/datasources.ts';
import type { Day } from '../../core/day.ts';
import type { Problem } from '../../core/errors.ts';
import type {
  ComponentStatus,
  Status,
  SearchedColumn as Column,
} from '../../core/schema/documents.ts';
import { listNames } from '../../core/schema/names.ts';
import type { Component } from '../../core/schema/published.ts';
import { quote } from '../../core/text.ts';
import type { Index } from '../load-index.ts';
import type { File } from '../output.ts';
import { listYears, listYearsOfChanges } from './changes.ts';
import { renderComponents, renderDocument, writeMembers } from './json.ts';

/** Renders `status.json`: the date of the build, and the freshness of each component. */
export function renderStatus(index: Index): string {
  const { asOf, settings, components, events, runs } = index;
  const head: Omit<Status, 'components'> = {
    asOf,
    url: settings.releasesUrl,
    staleAfterDays: settings.staleAfterDays,
    events: Object.values(events).reduce((sum, count) => sum + count, 0),
    journals: events,
    runs: runs.length,
    lastRun: runs.at(-1),
    componentsPerPart: countPerPart(components),
    years: { builds: listYears(runs), changes: listYearsOfChanges(index) },
  };
  const lines = components.map(
    (component) =>
      `\n"${component.component}": ${JSON.stringify(describeStatus(component, index))}`,
  );
  return renderDocument({ ...writeMembers(head), components: `{${lines.join(',')}\n}` });
}

function describeStatus(component: Component, { freshness }: Index): ComponentStatus {
  const { component: name, title, latest, releases } = component;
  const aliases = [...listNames(component).slice(1), ...(component.aliases ?? [])];
  const packages = component.packages.map((purl) => {
    // Finds the source with this package URL. If the package URL is only an alias, no source has it.
    const source = component.sources.find((each) => nameSourcePackage(each) === purl);
    const { extractVersion: pattern } = source ?? {};
    // An empty pattern says that the component has only some versions of the package, although it is not known which of them.
    return { purl, ...(pattern && (toExtraction(pattern) ?? { extractVersion: '' })) };
  });
  return {
    title,
    aliases: aliases.length > 0 ? aliases : undefined,
    packages: packages.length > 0 ? packages : undefined,
    fields: {
      policy: component.support.policy,
      datasource: [...new Set(component.sources.map(({ datasource }) => datasource))],
      package: component.sources.flatMap(({ packageName = [] }) => packageName),
      repository: component.sourceRepository,
    },
    latest,
    splitInto: component.splitInto,
    releases: releases.length,
    ...freshness.get(name)!,
  };
}

/** Finds the `extractVersion` patterns that documents leave out because they may be slow. */
export function* findUnpublishedPatterns({ components }: Index): Generator<Problem> {
  for (const { component: subject, sources } of components) {
    for (const { extractVersion: pattern } of sources) {
      if (pattern && !toExtraction(pattern)) {
        const message = `extractVersion ${quote(pattern)} is not published: JavaScript cannot run it safely`;
        yield { level: 'notice', subject, message };
      }
    }
  }
}

/**
 * The greatest number of files in `search/`. A Worker may need all of them for one question. Cloudflare's free plan allows it 50 requests.
 */
const maxParts = 45;
/**
 * The smallest number of components in one of these files. A small index has a single file. A larger number would be slow on a phone, which
 * loads a whole file even for one component.
 */
const minPerPart = 10;

/**
 * Renders `search/<number>.json`: the fields of releases that a query can name. Each line is about one component, with a column for each
 * field.
 */
export function* renderSearch({ components, asOf }: Index): Generator<File> {
  const size = countPerPart(components);
  for (let part = 0; part * size < components.length; part += 1) {
    const searched = components
      .slice(part * size, (part + 1) * size)
      .map((component) => [component.component, renderSearched(component, asOf)] as const);
    yield [`search/${part}.json`, renderComponents(searched)];
  }
}

function countPerPart(components: readonly Component[]): number {
  return Math.max(minPerPart, Math.ceil(components.length / maxParts));
}

function renderSearched(component: Component, asOf: Day): string {
  const rows = listFacts(component, asOf);
  const fields = Object.keys(rows[0] ?? {}) as (keyof ReleaseFacts)[];
  const columns = fields.map((field) => [field, toColumn(rows, (row) => row[field])]);
  return JSON.stringify({ size: rows.length, columns: Object.fromEntries(columns) });
}

/**
 * While a column is built, position -1 means "no value", and position -2 means "unknown". In the complete column, these positions become
 * `values.length` and `values.length + 1`.
 */
const [none, unknown] = [-1, -2];

/**
 * Returns a column: its different values and, for each row, the position of its value among them. Undefined if the field is unknown for all
 * releases.
 */
function toColumn(
  rows: readonly ReleaseFacts[],
  read: (row: ReleaseFacts) => Column['values'][number] | null | undefined,
): Column | undefined {
  const places = new Map<unknown, number>([
    [null, none],
    [undefined, unknown],
  ]);
  const values: Column['values'] = [];
  const findPlace = (value: ReturnType<typeof read>): number => {
    // Two arrays with the same texts are different objects, so arrays are compared as JSON.
    const key = Array.isArray(value) ? JSON.stringify(value) : value;
    const known = places.get(key);
    if (known !== undefined) {
      return known;
    }

    places.set(key, values.length);
    return values.push(value!) - 1;
  };

  // Most columns have the same value in all rows, so this case is checked first.
  const sample = read(rows[0]!);
  const isOne = rows.every((row) => read(row) === sample);
  const at = isOne ? [findPlace(sample)] : rows.map((row) => findPlace(read(row)));
  const [first] = at;
  if (values.length === rows.length || at.every((place) => place === first)) {
    return first === unknown ? undefined : { values };
  }
  return { values, at: at.map((place) => (place < 0 ? values.length - 1 - place : place)) };
}
