/** A bill of materials of CycloneDX with the ends of support of its entries. */
import { inputError } from '../../core/errors.ts';
import type { Entry } from '../../core/index/verdicts.ts';
import { listPackages, readPackage } from '../../core/lists/documents.ts';
import { isObject } from '../../core/objects.ts';
import { parseJson } from '../../core/parse-document.ts';
import type { Verdict } from '../../core/schema/documents.ts';

type Fields = Readonly<Record<string, unknown>>;

/** cyclonedx.github.io/cyclonedx-property-taxonomy/cdx/lifecycle.html */
const name = 'cdx:lifecycle:milestone:endOfSupport';

/** The bill, a version later, where each entry with an exact end has it as a property. `entries`: what became of them. */
export function addEnds(file: string, text: string, entries: readonly Entry[]): string {
  const bill = parseJson(text.replace(/^\uFEFF+/, ''), file);
  // Older ones have no properties.
  const isKnown =
    isObject(bill) &&
    bill['bomFormat'] === 'CycloneDX' &&
    /^1\.[3-9]$/.test(String(bill['specVersion']));
  if (!isKnown) {
    throw inputError(
      file,
      'takes no ends of support: expected a bill of CycloneDX 1.3 to 1.9 in JSON',
    );
  }

  const packages = new Set(listPackages(bill));
  if ([bill, ...packages].some((each) => each['signature'] !== undefined)) {
    throw inputError(
      file,
      'is signed, for its bytes as they are. Write the ends of support first, then sign it',
    );
  }

  const verdicts = new Map(entries.map(({ item, match }) => [item.text, match?.verdict]));
  const next = { ...bill, version: Number(bill['version'] ?? 1) + 1 };
  const addTo = (_: string, value: Fields) =>
    packages.has(value) ? addEnd(value, verdicts) : value;
  return `${JSON.stringify(next, addTo, 2)}\n`;
}

/** In place of a former one; none where the day is not exact. */
function addEnd(entry: Fields, verdicts: ReadonlyMap<string, Verdict | undefined>): object {
  const [item] = readPackage(entry) ?? [];
  const { supportedUntil, supportedUntilAtMost, isInferred } = verdicts.get(item?.text ?? '') ?? {};
  if (supportedUntil === undefined || supportedUntilAtMost !== undefined || isInferred) {
    return entry;
  }

  const { properties = [] } = entry as { properties?: { name: string }[] };
  const others = properties.filter((property) => property.name !== name);
  return { ...entry, properties: [...others, { name, value: supportedUntil }] };
}
