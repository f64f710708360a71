/** Adds end-of-support dates to the entries of a CycloneDX SBOM (`scan --write`). */
import { listPackages, readPackage } from '../../ask/read-bill.ts';
import type { Entry } from '../../ask/verdicts.ts';
import { inputError } from '../../core/errors.ts';
import { formatJson } from '../../core/files.ts';
import { isObject } from '../../core/objects.ts';
import { parseJson, toText } from '../../core/parse-document.ts';

/** The name of the property with the end of support, from cyclonedx.github.io/cyclonedx-property-taxonomy/cdx/lifecycle.html */
const name = 'cdx:lifecycle:milestone:endOfSupport';

/**
 * Returns the SBOM with its `version` increased by one. Each entry gets the end of its support as a property, which replaces an older
 * value. Uncertain and estimated ends are left out.
 */
export function addEnds(file: string, text: string, entries: readonly Entry[]): string {
  const bill = parseJson(text, file);
  // SBOMs of older CycloneDX versions cannot have properties.
  if (!isObject(bill) || !/^1\.[3-9]$/.test(toText(bill['specVersion']))) {
    throw inputError(
      file,
      'expected a CycloneDX SBOM 1.3 to 1.9 in JSON, because no other format has a field for ends of support',
    );
  }

  const packages = listPackages(bill);
  if ([bill, ...packages].some((each) => each['signature'] !== undefined)) {
    throw inputError(
      file,
      'is signed, and a change would break its signature. Write the ends of support first, then sign it',
    );
  }

  const verdicts = new Map(entries.map(({ item, match }) => [item.text, match?.verdict]));
  for (const entry of packages) {
    const [item] = readPackage(entry);
    const { supportedUntil, supportedUntilAtMost, isInferred } =
      verdicts.get(item?.text ?? '') ?? {};
    if (supportedUntil && !supportedUntilAtMost && !isInferred) {
      const properties = [entry['properties'] ?? []].flat();
      const others = properties.filter(
        (property) => !isObject(property) || property['name'] !== name,
      );
      Object.assign(entry, { properties: [...others, { name, value: supportedUntil }] });
    }
  }
  const { version = 1 } = bill;
  return formatJson({ ...bill, version: typeof version === 'number' ? version + 1 : version });
}
