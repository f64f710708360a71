import { isObject } from '../../core/model/objects.ts';
import { formatCount } from '../../core/text/wording.ts';
import type { WrittenPackage } from './bill-entries.ts';
import {
  createProblem,
  listObjects,
  readDigests,
  readObject,
  toObjects,
  type Fields,
  type PlacedObject,
  type Problem,
} from './bill-values.ts';

/** The packages of a document of CycloneDX (https://cyclonedx.org/docs/1.7/json/): its subject first. */
export function* readCycloneDx(document: Fields): Generator<WrittenPackage | Problem> {
  const { specVersion, metadata } = document;
  if (readMinor(document) === undefined) {
    yield createProblem('specVersion', '1.x, such as 1.7', specVersion);
    return;
  }

  if (isObject(metadata) && metadata['component'] !== undefined) {
    const subject = readObject(metadata['component'], 'metadata.component');
    yield* listWithin(subject, 1, true);
  }
  for (const component of listObjects(document, 'components')) {
    yield* listWithin(component, 1);
  }
}

const maxLevels = 100;

/** The entries of a component, one for each version that it states, and of the components within it. */
function* listWithin(
  component: PlacedObject | Problem,
  level: number,
  isSubject?: true,
): Generator<WrittenPackage | Problem> {
  if ('problem' in component) {
    yield component;
    return;
  }

  const { place, fields } = component;
  const { name, version, purl, group, evidence, hashes } = fields;
  const digests = readDigests(hashes, 'alg', 'content');
  const purls = [purl];
  const versions = new Set([version]);
  const identities = isObject(evidence) ? toObjects(evidence['identity']) : [];
  for (const { field, concludedValue } of identities) {
    // cdxgen may conclude the path of the stating file for the field `purl`, so check the form.
    if (typeof concludedValue === 'string' && /^\s*pkg:/i.test(concludedValue)) {
      purls.push(concludedValue);
    }
    if (field === 'version') {
      versions.add(concludedValue);
    }
  }

  for (const eachVersion of versions) {
    yield { place, name, version: eachVersion, purls, group, digests, isSubject };
  }
  for (const nested of listObjects(fields, 'components', `${place}.`)) {
    if (level === maxLevels) {
      yield { problem: `components lie more than ${maxLevels} levels deep in each other` };
      return;
    }

    yield* listWithin(nested, level + 1);
  }
}

/** The newest known version of CycloneDX is 1.7. */
const newestMinor = 7;

/** The number behind the point of `1.7`; undefined for other versions. */
function readMinor({ specVersion }: Fields): number | undefined {
  const [, minor] = (typeof specVersion === 'string' && /^1\.(\d+)$/.exec(specVersion)) || [];
  return minor === undefined ? undefined : Number(minor);
}

/** Notes on a newer version than the program knows, and on the parts of a document that are not packages in use. */
export function describeUnread(document: Fields): string[] {
  const notes: string[] = [];
  const minor = readMinor(document) ?? 0;
  if (minor > newestMinor) {
    notes.push(
      `CycloneDX 1.${minor} is newer than this program; its components were read as before`,
    );
  }

  const { services, formulation, metadata } = document;
  const tools = isObject(metadata) ? metadata['tools'] : undefined;
  const toolLists = isObject(tools) ? [tools['components'], tools['services']] : [tools];
  const counts = [
    [countItems([services]), 'service'],
    [countItems(toolLists), 'tool'],
    [countItems([formulation]), 'formula'],
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
