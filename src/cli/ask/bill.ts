/** A bill of materials of CycloneDX with the ends of support of its entries. */
import { inputError } from '../../core/errors.ts';
import type { Entry } from '../../core/index/verdicts.ts';
import { listPackages, readPackage } from '../../core/lists/documents.ts';
import { isObject } from '../../core/objects.ts';
import { parseJson } from '../../core/parse-document.ts';
import type { Verdict } from '../../core/schema/documents.ts';

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

  const packages = listPackages(bill);
  if ([bill, ...packages].some((each) => each['signature'] !== undefined)) {
    throw inputError(
      file,
      'is signed, for its bytes as they are. Write the ends of support first, then sign it',
    );
  }

  const verdicts = new Map(entries.map(({ item, match }) => [item.text, match?.verdict]));
  const ends = new Map(
    packages.map((each) => {
      const [item] = readPackage(each) ?? [];
      return [each as unknown, item && findEnd(verdicts.get(item.text))];
    }),
  );
  const next = { ...bill, version: Number(bill['version'] ?? 1) + 1 };
  const written = JSON.stringify(
    next,
    (_, value: unknown) => {
      const end = ends.get(value);
      return end === undefined ? value : addProperty(value as object, end);
    },
    2,
  );
  return `${written}\n`;
}

/** Where the day is exact. */
function findEnd(verdict: Verdict | undefined): string | undefined {
  const { supportedUntil, supportedUntilAtMost, isInferred } = verdict ?? {};
  return supportedUntilAtMost === undefined && !isInferred ? supportedUntil : undefined;
}

/** In place of a former one. */
function addProperty(entry: { properties?: { name: string }[] }, value: string) {
  const others = entry.properties?.filter((property) => property.name !== name) ?? [];
  return { ...entry, properties: [...others, { name, value }] };
}
