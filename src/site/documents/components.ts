/** `status.json` and `search.json`: every component, in short. */
import { nameSourcePackage } from '../../core/datasources.ts';
import { formatJson } from '../../core/files.ts';
import { toExtraction } from '../../core/index/extract.ts';
import { pick } from '../../core/objects.ts';
import type { Status } from '../../core/schema/documents.ts';
import type { Index } from '../load-index.ts';
import type { Component } from '../../core/schema/published.ts';
import {
  searchedKeys,
  searchedLineKeys,
  type SearchedComponent,
} from '../../core/schema/search.ts';
import { shortenReleases } from '../../core/shorten-releases.ts';
import { listYears } from './changes.ts';
import { addMember, renderParts } from './json.ts';

/** `status.json`: the day of the build, and how fresh each component is. */
export function renderStatus(index: Index): string {
  const { asOf, settings, components, freshness, journals, events, runs } = index;
  const described = components.map((component) => {
    const { component: name, title, latest, releases, sources } = component;
    const aliases = [component.renamedFrom ?? [], component.aliases ?? []].flat();
    const packages = component.packages.map((purl) => {
      // The source that this package URL names; an alias has none.
      const source = sources.find((each) => nameSourcePackage(each) === purl);
      return { purl, ...toExtraction(source?.extractVersion) };
    });
    const status = {
      title,
      aliases: aliases.length > 0 ? aliases : undefined,
      packages: packages.length > 0 ? packages : undefined,
      latest,
      releases: releases.length,
      ...freshness.get(name)!,
    };
    return [name, status] as const;
  });
  const status: Status = {
    asOf,
    url: settings.releasesUrl,
    staleAfterDays: settings.staleAfterDays,
    events,
    lastRun: runs.at(-1),
    years: { builds: listYears(runs), changes: listYears([...journals.values()].flat()) },
    components: Object.fromEntries(described),
  };
  return formatJson(status);
}

/** `search.json`: what queries read. */
export function renderSearch(index: Index): Generator<string> {
  const { asOf, components } = index;
  const members = components.values().map((component) => renderSearched(component, index));
  return renderParts(`{"asOf":"${asOf}","components": {`, members);
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
  return `\n"${name}": ${addMember(head, 'releases', `[${releases.join(',')}]`)}`;
}
