/** `status.json`. */
import { nameSourcePackage } from '../../core/datasources.ts';
import { formatJson } from '../../core/files.ts';
import type { Index } from '../../core/judged-index.ts';
import type { ComponentStatus, Status } from '../../core/schema/documents.ts';
import { listYears } from './changes.ts';

/** `status.json`: the day of the build, and how fresh each component is. */
export function renderStatus(index: Index): string {
  const { asOf, settings, components, freshness, journals, events, runs } = index;
  const described = components.map((component): [string, ComponentStatus] => {
    const { component: name, title, latest, releases, sources } = component;
    const aliases = [...(component.renamedFrom ?? []), ...(component.aliases ?? [])];
    const packages = component.packages.map((purl) => {
      // The pattern that finds the version of the component in a version of the package.
      const source = sources.find((each) => nameSourcePackage(each) === purl);
      return { purl, extractVersion: source?.extractVersion };
    });
    const status = {
      title,
      aliases: aliases.length > 0 ? aliases : undefined,
      packages: packages.length > 0 ? packages : undefined,
      latest,
      releases: releases.length,
      ...freshness.get(name)!,
    };
    return [name, status];
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
