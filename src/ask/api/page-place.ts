import type { ArrivalPlace } from '../arrivals.ts';
import { parseVersion } from '../../core/version.ts';

/** A place as it stands in the link to the next page. */
export function encodePlace({ at, component, version }: ArrivalPlace): string {
  // No number of JSON stands for an unknown time.
  const text = JSON.stringify([at === -Infinity ? null : at, component, version]);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined for what is no such place. */
export function decodePlace(text: string): ArrivalPlace | undefined {
  try {
    const [at, component, version, ...more] = JSON.parse(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')),
    ) as unknown[];
    const isPlace =
      (at === null || typeof at === 'number') &&
      typeof component === 'string' &&
      typeof version === 'string' &&
      parseVersion(version) !== undefined &&
      more.length === 0;
    return isPlace ? { at: at ?? -Infinity, component, version } : undefined;
  } catch {
    return undefined;
  }
}
