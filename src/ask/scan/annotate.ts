import type { Day } from '../../core/dates.ts';
import type { ScannedItem } from './scan-items.ts';

/**
 * Writes the end of support into the elements of a bill of materials, in the fields of its own standard: a property of
 * CycloneDX's taxonomy (https://cyclonedx.github.io/cyclonedx-property-taxonomy/cdx/lifecycle.html), `validUntilDate` of
 * SPDX 2.3, or `validUntilTime` and `supportLevel` of SPDX 3.
 */
export function annotate(scanned: readonly ScannedItem[], day: Day): void {
  for (const { item, scan } of scanned) {
    const { supportedUntil } = scan.details;
    const element = item.element as Record<string, unknown> | undefined;
    if (!element || supportedUntil === undefined) continue;
    const time = `${supportedUntil}T00:00:00Z`;
    if ('SPDXID' in element || 'versionInfo' in element) element['validUntilDate'] = time;
    else if ('spdxId' in element || '@id' in element)
      Object.assign(element, {
        validUntilTime: time,
        supportLevel: [supportedUntil <= day ? 'endOfSupport' : 'support'],
      });
    else {
      const name = 'cdx:lifecycle:milestone:endOfSupport';
      const others = ([element['properties']].flat() as { name?: unknown }[]).filter(
        (property) => property !== undefined && property.name !== name,
      );
      element['properties'] = [...others, { name, value: supportedUntil }];
    }
  }
}
