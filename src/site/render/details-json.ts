import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import { arrayByLine } from './array-by-line.ts';

/** `details/<component>.json`: the same releases with everything known about them, and why. */
export function renderDetailsFile({ lines, releases, ...head }: DetailsFile): string {
  const opening = JSON.stringify(head, undefined, 2).slice(0, -'\n}'.length);
  return `${opening},\n  "lines": ${arrayByLine(lines)},\n  "releases": ${arrayByLine(releases)}\n}\n`;
}
