/** `status.json`. */
import { nameSourcePackage } from '../../core/datasources.ts';
import { formatJson } from '../../core/files.ts';
import type { Index } from '../../core/judged-index.ts';
import type { ComponentStatus, Status } from '../../core/schema/documents.ts';
import type { Component } from '../../core/schema/published.ts';

/** `status.json`: the day of the build, and how fresh each component is. */
export function renderStatus(index: Index): string {
  const { asOf, settings, components, freshness, journals, events, runs } = index;
  const described = components.map((component): [string, ComponentStatus] => {
    const { component: name, title, renamedFrom = [], aliases = [] } = component;
    const { packages, sources, latest, releases } = component;
    const others = [...renamedFrom, ...aliases];
    const named = packages.map((purl) => ({ purl, extractVersion: findExtraction(purl, sources) }));
    return [
      name,
      {
        title,
        aliases: others.length > 0 ? others : undefined,
        packages: named.length > 0 ? named : undefined,
        latest,
        releases: releases.length,
        ...freshness.get(name)!,
      },
    ];
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

/** The pattern that finds the version of the component in a version of the package. */
function findExtraction(purl: string, sources: Component['sources']): string | undefined {
  return sources.find((source) => nameSourcePackage(source) === purl)?.extractVersion;
}

function listYears(items: readonly { readonly at: string }[]): string[] {
  return [...new Set(items.map(({ at }) => at.slice(0, 4)))].sort();
}
