import { createLineCounter, maskEscapes } from '../../core/text/document-text.ts';

/** Finds the line, from 1, of a package by its first package URL, if it has one, and its name; undefined if neither is found. */
export type FindLine = (purl: string | undefined, name: string) => number | undefined;

/** A name or a package URL as a value: `"purl": "pkg:npm/agent@1.0"` in CycloneDX, `"referenceLocator"` in SPDX. */
const identity = /"(?:name|purl|referenceLocator)"\s*:\s*(?="([^"]*)")/g;

/** Finds the lines of packages in a valid document in JSON, with its keys in any order. Each line is found once. */
export function createLineFinder(document: string): FindLine {
  const lineAt = createLineCounter(document);
  const values = Array.from(
    maskEscapes(document).matchAll(identity),
    ({ 0: key, 1: masked = '', index }) => {
      const start = index + key.length;
      const value = JSON.parse(document.slice(start, start + masked.length + 2)) as string;
      return { value, line: lineAt(start) };
    },
  );
  const linesByValue = new Map(
    Array.from(
      Map.groupBy(values, ({ value }) => value),
      ([value, found]) => [value, found.map(({ line }) => line).values()],
    ),
  );
  const findNext = (value: string) => linesByValue.get(value)?.next().value;

  return (purl, name) => {
    // The name of a package with a URL is not that of a later package.
    const nameLine = findNext(name);
    return (purl === undefined ? undefined : findNext(purl)) ?? nameLine;
  };
}
