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
  const members: Record<string, string | undefined> = {};
  for (const [key, value] of Object.entries(head)) {
    members[key] = JSON.stringify(value);
  }
  return renderMembers({ ...members, lines: renderByLine(lines), releases: renderByLine(short) });
}

/** The keys of a release in `search.json`. */
const shownKeys = [...searchedReleaseKeys, 'without'] as const;

/** The entry of a component in `search.json`. A release a line: a diff shows single releases. */
export function renderSearched(
  component: Component,
  short: readonly ShortRelease[],
  freshness: string,
): string {
  const { title, aliases = [], renamedFrom = [], sourceRepository, latest, packages } = component;
  const { watchesAdvisories, support, advisories, lines, sources } = component;
  const head: Omit<SearchedComponent, 'releases'> = {
    title,
    names: [...new Set([component.component, ...renamedFrom, title, ...aliases])],
    packages,
    latest,
    sourceRepository,
    freshness,
    support: { policy: support.policy },
    sources: sources.map(({ datasource, packageName }) => ({ datasource, packageName })),
    watchesAdvisories,
    advisories: advisories.map(({ id, aliases: others }) => ({ id, aliases: others })),
    lines: lines.map((line) => pick(line, searchedLineKeys)),
  };
  const rows = short.map((release) => `\n${JSON.stringify(pick(release, shownKeys))}`);
  return `\n${JSON.stringify(component.component)}: ${JSON.stringify(head).slice(0, -1)},"releases":[${rows.join(',')}]}`;
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
