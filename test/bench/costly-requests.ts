/** Costly terms, and how often a query may have them within its limit of comparisons among the releases of the corpus. */
const terms = { '~': 3, 'reason:*z*q': 9, '*z*q*1*': 1, 'version:>=999999': 1, 'age:<0s': 2 };
export const costlyQueries = Object.entries(terms).map(([term, times]) =>
  Array(times).fill(term).join(' or '),
);

/** Documents of a scan that were made to cost as much as they can, for an index with components of these names and versions. */
export function costlyScans(components: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const names = [...components.keys()];
  const [largest, versions] = [...components].toSorted(([, a], [, b]) => b.length - a.length)[0]!;
  const lines = (count: number, of: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => of(index)).join('\n');
  const packages = (externalRefs: object[]) =>
    JSON.stringify({
      spdxVersion: 'SPDX-2.3',
      packages: [{ name: largest, versionInfo: '1', externalRefs }],
    });
  const purls = (count: number, of: (index: number) => string) =>
    packages(
      Array.from({ length: count }, (_, index) => ({
        ...{ referenceType: 'purl', referenceLocator: `pkg:generic/${largest}@${of(index)}` },
      })),
    );
  let nested: object = { name: largest, version: versions[0] };
  for (let level = 0; level < 98; level += 1)
    nested = { name: `l${level}`, version: '1', components: [nested] };
  return [
    lines(
      300,
      (index) => `${names[index % names.length]}@${components.get(names[index % names.length]!)![0]}`,
    ),
    lines(10_000, (index) => `${largest}@${versions[index % versions.length]}`),
    lines(10_000, (index) => `${largest}@${versions[index % versions.length]}.77`),
    lines(10_000, (index) => `${largest}@9999.${index}`),
    lines(10_000, (index) => `${largest}@0.0.${index}.1`),
    lines(10_000, (index) => `other-${index}@1`),
    purls(9_000, (index) => versions[index % versions.length]!),
    purls(9_000, (index) => `tag-${index}`),
    purls(9_000, (index) => `${versions[0]}?checksum=sha256:${index}`),
    JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components: Array(70).fill(nested) }),
  ];
}
