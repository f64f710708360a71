import { isObject } from '../../core/model/objects.ts';
import { formatCount } from '../../core/text/wording.ts';
import type { WrittenPackage } from './bill-entries.ts';
import {
  createProblem,
  listObjects,
  readBillDigests,
  readObject,
  toObjects,
  type Fields,
  type PlacedObject,
  type Problem,
} from './bill-values.ts';

/** The packages of a document of CycloneDX (https://cyclonedx.org/docs/1.7/json/), its subject first, and its problems. */
export function* readCycloneDx(document: Fields): Generator<WrittenPackage | Problem> {
  const { specVersion, metadata } = document;
  if (readMinor(document) === undefined) {
    yield createProblem('specVersion', '1.x, such as 1.7', specVersion);
    return;
  }

  if (isObject(metadata) && metadata['component'] !== undefined) {
    const subject = readObject(metadata['component'], 'metadata.component');
    yield* listPackages(subject, { level: 1, isSubject: true });
  }
  for (const component of listObjects(document, 'components')) {
    yield* listPackages(component, { level: 1 });
  }
}

const maxLevels = 100;

/** The packages of a component, one for each version that it states, and of the components within it. */
function* listPackages(
  component: PlacedObject | Problem,
  { level, isSubject }: { level: number; isSubject?: true },
): Generator<WrittenPackage | Problem> {
  if ('problem' in component) {
    yield component;
    return;
  }

  const { place, fields } = component;
  const { name, version, purl, group, evidence, hashes } = fields;
  const digests = readBillDigests(hashes, 'alg', 'content');

  const purls = [purl];
  const versions = [version];
  const identities = isObject(evidence) ? toObjects(evidence['identity']) : [];

  for (const { field, concludedValue } of identities) {
    // A conclusion on any field may be a package URL, and one on `purl`, by cdxgen, the path of the stating file.
    if (typeof concludedValue === 'string' && /^\s*pkg:/i.test(concludedValue)) {
      purls.push(concludedValue);
    }
    if (field === 'version') {
      versions.push(concludedValue);
    }
  }

  // A component without a version is a package, too.
  const stated = new Set(versions.filter((each) => each !== undefined));
  for (const each of stated.size > 0 ? stated : [undefined]) {
    yield { place, name, version: each, purls, group, digests, isSubject };
  }

  for (const nested of listObjects(fields, 'components', `${place}.`)) {
    if (level === maxLevels) {
      yield { problem: `components are nested more than ${maxLevels} levels deep` };
      return;
    }

    yield* listPackages(nested, { level: level + 1 });
  }
}

/** The newest known version of CycloneDX is 1.7. */
const newestMinor = 7;

/** Notes on a newer version than the program knows, and on the parts of a document that are not packages in use. */
export function describeUnread(document: Fields): string[] {
  const notes: string[] = [];

  const minor = readMinor(document) ?? 0;
  if (minor > newestMinor) {
    notes.push(
      `CycloneDX 1.${minor} is newer than this program; its components were read as before`,
    );
  }

  const { services, metadata } = document;
  const tools = isObject(metadata) ? metadata['tools'] : undefined;
  const toolLists = isObject(tools) ? [tools['components'], tools['services']] : [tools];

  const counts = [
    [countItems([services]), 'service'],
    [countItems(toolLists), 'tool'],
  ] as const;
  const words = counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => formatCount(count, noun));
  if (words.length > 0) {
    notes.push(`not judged: ${words.join(', ')}`);
  }

  return notes;
}

function countItems(lists: readonly unknown[]): number {
  return lists.filter(Array.isArray).flat().length;
}

/** The number behind the point of `1.7`; undefined for other versions. */
function readMinor({ specVersion }: Fields): number | undefined {
  if (typeof specVersion !== 'string') {
    return undefined;
  }

  const [, minor] = /^1\.(\d+)$/.exec(specVersion) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
