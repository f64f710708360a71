/**
 * Renders `api/`: the ends of release lines in the form of the endoflife.date API, for clients of this API.
 * - version 0: https://endoflife.date/docs/api/v0
 * - version 1: https://endoflife.date/docs/api/v1
 *
 * This form has no word for "unknown". So lines without a given end are left out. Components that have only such lines are also left out.
 */
import { addDays, toDay, toTimestamp, type Day } from '../../core/day.ts';
import type { Component, Line, Phase, Release } from '../../core/schema/published.ts';
import { hasLts, markEstimated } from '../../core/phrases.ts';
import { hasEndedBy } from '../../judge/support.ts';
import type { Index } from '../load-index.ts';
import type { File } from '../output.ts';
import { joinMembers, renderRows, writeMembers } from './json.ts';

/** The version of the endoflife.date schema that `api/v1` follows. */
const version = '1.2.1';
/** The instant in answers before the first run, because an answer must contain an instant. */
const noInstant = '2000-01-01T00:00:00Z';

/**
 * Yields the files of `api/`:
 * - version 0: `all.json`, `<component>.json`
 * - version 1: `v1/products.json`, `v1/products/full`, `v1/products/<component>`, `v1/identifiers/purl`
 */
export function* renderLifeCycles(index: Index): Generator<File> {
  const products: Product[] = [];
  for (const component of index.components) {
    // Lines come newest first, as clients of endoflife.date expect.
    const releases = Map.groupBy(component.releases, ({ line }) => line);
    const cycles = component.lines.toReversed().flatMap((line) => {
      return describeCycle(line, releases.get(line.line) ?? [], index.asOf) ?? [];
    });
    if (cycles.length === 0) {
      continue;
    }

    const product = renderProduct(component, cycles, index);
    products.push(product);
    const cyclesFile = `${renderRows(cycles.map(toVersion0))}\n`;
    const productFile = renderAnswer(product.changedAt, {
      last_modified: JSON.stringify(product.changedAt),
      result: product.text,
    });
    for (const name of [component.component, ...(component.renamedFrom ?? [])]) {
      yield [`api/${name}.json`, cyclesFile];
      yield [`api/v1/products/${name}`, productFile];
    }
  }

  yield ['api/all.json', `${JSON.stringify(products.map(({ name }) => name))}\n`];
  // endoflife.date answers this list at `v1/products`. A file cannot have this path, because `v1/products/` is a folder.
  yield ['api/v1/products.json', renderList(products, ({ summary }) => [summary])];
  yield ['api/v1/products/full', renderList(products, ({ text }) => [text])];
  yield ['api/v1/identifiers/purl', renderList(products, ({ identifiers }) => identifiers)];
}

interface Product {
  name: string;
  /** When the component's journal last grew. With the date of the build, each file would change daily. */
  changedAt: string;
  /** The product in version 1 of the API, as JSON. */
  text: string;
  /** The product's entry in the list of products, as JSON. */
  summary: string;
  /** The package URLs of the product, each with a link to the product, as JSON. */
  identifiers: readonly string[];
}

type Cycle = NonNullable<ReturnType<typeof describeCycle>>;

/** Describes a release line for both versions of the API. Undefined if no end is given. */
function describeCycle(line: Line, releases: readonly Release[], asOf: Day) {
  const free = line.phases.filter(({ paid }) => !paid);
  const support = readEnd(free.at(-1), asOf);
  if (!support) {
    return undefined;
  }

  // `line.latest` is undefined for an ended line, because its end deprecates all its releases. Then the greatest stable release is used
  // that has no other reason for deprecation.
  const latest =
    releases.find(({ version }) => version === line.latest) ??
    releases.findLast(
      ({ isPrerelease, reasons }) =>
        !isPrerelease && reasons.every(({ rule }) => rule === 'support policy'),
    );
  return {
    name: line.line,
    codename: line.codename,
    alias: line.alias,
    // If the first day of the line is uncertain, the date is the latest possible first day.
    releaseDate: line.sinceAtMost ?? line.since,
    ltsFrom: line.ltsFrom,
    isLts: hasLts(line, asOf),
    active: free.length > 1 ? readEnd(free[0], asOf) : undefined,
    // A line that has certainly ended always gets an end date. Clients would show a line without an end date as supported.
    support: { ...support, day: support.day ?? support.overBy },
    extended: readEnd(
      line.phases.findLast(({ paid }) => paid),
      asOf,
    ),
    latest: latest && {
      name: latest.version,
      date: latest.releaseTimestamp && toDay(latest.releaseTimestamp),
      link: latest.changelogUrl,
    },
    end: markEstimated(line.end, line.isInferred),
    isInferred: line.isInferred,
  };
}

/** Returns the end of a phase. `isOver`: whether the phase has certainly ended. */
function readEnd(phase: Phase | undefined, asOf: Day) {
  if (!phase) {
    return undefined;
  }

  const { until, untilAtMost } = phase;
  const isExact = untilAtMost === undefined;
  const isOver = hasEndedBy(phase, addDays(asOf, -1)) === true;
  return {
    isOver,
    // Clients compare this day with today. With an uncertain day, they could take the phase for ended too early.
    day: isExact ? until : undefined,
    // If the phase has certainly ended, but its last day is uncertain: the latest possible last day.
    overBy: isOver ? untilAtMost : undefined,
    bounds: isExact ? undefined : { supportedUntil: until, supportedUntilAtMost: untilAtMost },
  };
}

/** Returns a line in version 0 of the API. Keys without a known value are left out, because some clients reject null. */
function toVersion0({ name, releaseDate, latest, ...cycle }: Cycle): object {
  const { support, active, extended } = cycle;
  return {
    cycle: name,
    codename: cycle.codename,
    releaseDate,
    lts: cycle.ltsFrom ?? cycle.isLts,
    support: active && (active.day ?? !active.isOver),
    eol: support.day ?? support.isOver,
    extendedSupport: extended && (extended.day ?? !extended.isOver),
    latest: latest?.name,
    latestReleaseDate: latest?.date,
    link: latest?.link,
  };
}

/** Returns a line in version 1 of the API. Required keys without a known value are null. Clients accept null only in these keys. */
function toVersion1({ name, releaseDate, latest, ...cycle }: Cycle): object {
  const { support, active, extended } = cycle;
  return {
    name,
    codename: cycle.codename ?? null,
    label: cycle.alias ?? name,
    releaseDate,
    isLts: cycle.isLts,
    ltsFrom: cycle.ltsFrom ?? null,
    ...(active && { isEoas: active.isOver, eoasFrom: active.day ?? null }),
    isEol: support.isOver,
    eolFrom: support.day ?? null,
    ...(extended && { isEoes: extended.isOver, eoesFrom: extended.day ?? null }),
    isMaintained: !(support.isOver && (extended?.isOver ?? true)),
    latest: latest
      ? { name: latest.name, date: latest.date ?? null, link: latest.link ?? null }
      : null,
    // The standard keys cannot say that an end is uncertain or estimated. Each value of `custom` must be a text.
    custom: {
      end: cycle.end,
      ...support.bounds,
      isInferred: cycle.isInferred && String(cycle.isInferred),
    },
  };
}

function renderProduct(
  component: Component,
  cycles: readonly Cycle[],
  { settings, journals }: Index,
): Product {
  const { component: name, title, renamedFrom = [], packages, support } = component;
  const uri = `${settings.releasesUrl}/api/v1/products/${name}`;
  const summary = {
    name,
    aliases: renamedFrom,
    label: title,
    category: 'component',
    tags: ['component'],
  };
  const head = {
    ...summary,
    identifiers: packages.map((id) => ({ type: 'purl', id })),
    labels: {
      eoas: cycles.some(({ active }) => active) ? 'Active support' : undefined,
      eol: 'Support',
      eoes: cycles.some(({ extended }) => extended) ? 'Extended support' : undefined,
    },
    links: { html: `${settings.releasesUrl}/${name}.html`, releasePolicy: support.url },
  };
  const releases = renderRows(cycles.map(toVersion1));
  return {
    name,
    changedAt: toTimestamp(journals.get(name)?.at(-1)?.at ?? noInstant),
    text: `{${joinMembers({ ...writeMembers(head), releases }, ', ')}}`,
    summary: JSON.stringify({ ...summary, uri }),
    identifiers: packages.map((identifier) =>
      JSON.stringify({ identifier, product: { name, uri } }),
    ),
  };
}

function renderAnswer(at: string, members: Readonly<Record<string, string>>): string {
  const head = writeMembers({ schema_version: version, generated_at: at });
  return `{${joinMembers({ ...head, ...members }, ', ')}}\n`;
}

/** Renders a list with the entries that `select` returns for each product. Each entry is JSON. */
function renderList(
  products: readonly Product[],
  select: (product: Product) => readonly string[],
): string {
  const newest = products
    .map(({ changedAt }) => changedAt)
    .sort()
    .at(-1);
  const entries = products.flatMap(select);
  return renderAnswer(newest ?? noInstant, {
    total: String(entries.length),
    result: `[\n${entries.join(',\n')}\n]`,
  });
}
