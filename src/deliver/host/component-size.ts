import type { Day } from '../../core/dates.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { detailsOf } from '../../decide/details.ts';
import { listChanges, publishedEvents } from '../../decide/journal/published-events.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import { loadComponent } from '../../site/load-component.ts';
import { renderComponentFiles } from '../../site/render/component-files.ts';
import { readTheme } from '../../site/theme.ts';
import { mostFileBytes } from './host-limits.ts';

/** No file of the site is sixteen times larger than the data it is made from, without blanks. */
const minSuspiciousBytes = mostFileBytes / 16;

/**
 * Recorded data only grows: a component too large for the host would keep the whole index from being published for good.
 * Returns which file these releases would make too large; undefined where there is none, or the component cannot be built.
 */
export function whyTooLarge(
  root: Root,
  name: string,
  day: Day,
  releases: readonly RecordedRelease[],
): string | undefined {
  if (JSON.stringify(releases).length < minSuspiciousBytes) return undefined;
  const config = readSiteConfig(root).value;
  const { component } = loadComponent(root, name, day, releases);
  if (!config || !component) return undefined;
  const site = { config, day, baseUrl: config.releasesUrl, theme: readTheme(root) };
  const changes = listChanges(publishedEvents(component.journal));
  const mib = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;
  for (const { path, body } of renderComponentFiles(component, detailsOf(component), changes, site)) {
    const bytes = Buffer.byteLength(body);
    if (bytes > mostFileBytes)
      return `with the gathered releases, ${path} would have ${mib(bytes)}, too large for the host, which accepts ${mib(mostFileBytes)} a file. Narrow allowedVersions of the source`;
  }
  return undefined;
}
