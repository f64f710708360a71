/** `details/<component>.json` and `search.json`: what is known of each release, in short. */
import type { Day } from '../../core/day.ts';
import type { Component } from '../../core/schema/published.ts';
import {
  searchedLineKeys,
  searchedReleaseKeys,
  type SearchedComponent,
  type ShortRelease,
} from '../../core/search.ts';
import { renderByLine, renderMembers } from './releases.ts';

/** As of the day of the build, which `status.json` says: else each file would change daily. */
export function renderDetails(
  { lines, releases: _, ...head }: Component,
  short: readonly ShortRelease[],
): string {
  const members = Object.entries(head).map(([key, value]) => [key, JSON.stringify(value)]);
  return renderMembers({
    ...Object.fromEntries(members),
    lines: renderByLine(lines),
    releases: renderByLine(short),
  });
}

/** The keys of a release in `search.json`. */
const shownKeys = [...searchedReleaseKeys, 'without'] as const;

/** The entry of a component in `search.json`. A release a line: a diff shows single releases. */
export function renderSearched(
  component: Component,
  short: readonly ShortRelease[],
  freshness: string,
): string {
  const { component: name, aliases = [], renamedFrom = [], ...facts } = component;
  const head: Omit<SearchedComponent, 'releases'> = {
    ...pick(facts, ['title', 'packages', 'latest', 'sourceRepository', 'watchesAdvisories']),
    names: [...new Set([name, ...renamedFrom, facts.title, ...aliases])],
    freshness,
    support: pick(facts.support, ['policy']),
    sources: facts.sources.map((source) => pick(source, ['datasource', 'packageName'])),
    advisories: facts.advisories.map((advisory) => pick(advisory, ['id', 'aliases'])),
    lines: facts.lines.map((line) => pick(line, searchedLineKeys)),
  };
  const rows = short.map((release) => `\n${JSON.stringify(pick(release, shownKeys))}`);
  return `\n${JSON.stringify(name)}: ${JSON.stringify(head).slice(0, -1)},"releases":[${rows.join(',')}]}`;
}

function pick<T, K extends keyof T>(value: T, keys: readonly K[]): Pick<T, K> {
  const picked = {} as Pick<T, K>;
  for (const key of keys) {
    picked[key] = value[key];
  }
  return picked;
}

/** `entries`: of `renderSearched`. */
export function renderSearch(asOf: Day, entries: readonly string[]): string {
  return `{"asOf":${JSON.stringify(asOf)},"components": {${entries.join(',')}\n}}\n`;
}
