/** `status.json` and `search.json`: every component, in short. */
import { nameSourcePackage } from '../../core/datasources.ts';
import type { Problem } from '../../core/errors.ts';
import { formatJson } from '../../core/files.ts';
import { toExtraction } from '../../core/index/extract.ts';
import { pick } from '../../core/objects.ts';
import type { Status } from '../../core/schema/documents.ts';
import type { Component } from '../../core/schema/published.ts';
import {
  searchedKeys,
  searchedLineKeys,
  type SearchedComponent,
} from '../../core/schema/search.ts';
import { shortenReleases } from '../../core/shorten-releases.ts';
import { quote } from '../../core/text.ts';
import type { Index } from '../load-index.ts';
import { listYears, listYearsOfChanges } from './changes.ts';
import { joinMembers, renderComponents, writeMembers } from './json.ts';

/** `status.json`: the day of the build, and how fresh each component is. */
export function renderStatus(index: Index): string {
  const { asOf, settings, components, events, runs } = index;
  const status: Status = {
    asOf,
    url: settings.releasesUrl,
    staleAfterDays: settings.staleAfterDays,
    events: Object.values(events).reduce((sum, count) => sum + count, 0),
    journals: events,
    runs: runs.length,
    lastRun: runs.at(-1),
    years: { builds: listYears(runs), changes: listYearsOfChanges(index) },
    components: Object.fromEntries(
      components.map((component) => [component.component, describeStatus(component, index)]),
    ),
  };
  return formatJson(status);
}

function describeStatus(component: Component, { freshness }: Index) {
  const { component: name, title, renamedFrom = [], latest, releases } = component;
  const aliases = [...renamedFrom, ...(component.aliases ?? [])];
  const packages = component.packages.map((purl) => {
    // The source that this package URL names; an alias has none.
    const source = component.sources.find((each) => nameSourcePackage(each) === purl);
    return { purl, ...toExtraction(source?.extractVersion) };
  });
  return {
    title,
    aliases: aliases.length > 0 ? aliases : undefined,
    packages: packages.length > 0 ? packages : undefined,
    latest,
    releases: releases.length,
    ...freshness.get(name)!,
  };
}

/** The patterns that documents leave out. */
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

/** `search.json`: what queries read. */
export function renderSearch(index: Index): Generator<string> {
  const searched = index.components
    .values()
    .map((component) => [component.component, renderSearched(component, index)] as const);
  return renderComponents({ asOf: index.asOf }, searched);
}

/** A release a line: a diff shows single releases. */
function renderSearched(component: Component, { freshness }: Index): string {
  const { component: name, aliases = [], renamedFrom = [], ...facts } = component;
  const head: Omit<SearchedComponent, 'releases'> = {
    ...pick(facts, searchedKeys),
    names: [...new Set([name, ...renamedFrom, facts.title, ...aliases])],
    freshness: freshness.get(name)!.state,
    support: pick(facts.support, ['policy']),
    sources: facts.sources.map((source) => pick(source, ['datasource', 'packageName'])),
    advisories: facts.advisories.map((advisory) => pick(advisory, ['id', 'aliases'])),
    lines: facts.lines.map((line) => pick(line, searchedLineKeys)),
  };
  const releases = shortenReleases(component).map((release) => `\n${JSON.stringify(release)}`);
  return `{${joinMembers({ ...writeMembers(head), releases: `[${releases.join(',')}]` })}}`;
}
