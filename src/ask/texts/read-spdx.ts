import type { WrittenPackage } from './bill-entries.ts';
import {
  createProblem,
  listObjects,
  readBillDigests,
  readType,
  toObjects,
  type Fields,
  type Problem,
} from './bill-values.ts';

/** The packages of a document of SPDX 2 (https://spdx.github.io/spdx-spec/v2.3/), in its order, and its problems. */
export function* readSpdx(document: Fields): Generator<WrittenPackage | Problem> {
  const { spdxVersion } = document;
  if (spdxVersion !== 'SPDX-2.2' && spdxVersion !== 'SPDX-2.3') {
    yield createProblem('spdxVersion', 'SPDX-2.2 or SPDX-2.3', spdxVersion);
    return;
  }

  for (const part of listObjects(document, 'packages')) {
    if ('problem' in part) {
      yield part;
      continue;
    }

    const { place, fields } = part;
    const { name, versionInfo: version, checksums, externalRefs: references = [] } = fields;
    const isList = Array.isArray(references);
    if (!isList) {
      yield createProblem(`${place}.externalRefs`, 'a list', references);
    }

    const purls = toObjects(isList ? references : [])
      .filter(({ referenceType }) => readType(referenceType) === 'purl')
      .map(({ referenceLocator }) => referenceLocator);
    const digests = readBillDigests(checksums, 'algorithm', 'checksumValue');
    yield { place, name, version, purls, digests };
  }
}
