import { digestLengths, normaliseDigest } from '../../core/model/digest.ts';
import { isObject } from '../../core/model/objects.ts';
import { showValue } from '../../core/text/show.ts';

/** An object of a bill of materials. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object at a place such as `components[0]`. */
export interface PlacedObject {
  readonly place: string;
  readonly fields: Fields;
}

/** Why a document is rejected. */
export interface Problem {
  readonly problem: string;
}

export function createProblem(place: string, expected: string, got: unknown): Problem {
  return { problem: `${place}: expected ${expected}; got ${showValue(got)}` };
}

/** The objects in the list of a key, which may be absent, and a problem in place of each other value. */
export function listObjects(fields: Fields, key: string, prefix = ''): (PlacedObject | Problem)[] {
  const { [key]: list = [] } = fields;
  const place = `${prefix}${key}`;
  return Array.isArray(list)
    ? list.map((element, index) => readObject(element, `${place}[${index}]`))
    : [createProblem(place, 'a list', list)];
}

export function readObject(value: unknown, place: string): PlacedObject | Problem {
  return isObject(value) ? { place, fields: value } : createProblem(place, 'an object', value);
}

/** The objects in a value or a list of values. Ignores all others. */
export function toObjects(value: unknown): Fields[] {
  return [value].flat().filter(isObject);
}

/** A type without the address of its vocabulary, in lower case; empty if it is no text. */
export function readType(type: unknown): string {
  if (typeof type !== 'string') {
    return '';
  }

  const withoutAddress = type.replace(/^.*[/#:]/s, '');
  return withoutAddress.trim().toLowerCase();
}

/** The digests in a list of objects, by their keys for the algorithm and the value. Ignores algorithms that are not accepted. */
export function readBillDigests(list: unknown, algorithmKey: string, valueKey: string): string[] {
  const digests: string[] = [];
  for (const fields of toObjects(list)) {
    // `SHA-256`, `SHA256` and `checksumAlgorithm_sha256`.
    const algorithm = readType(fields[algorithmKey])
      .replace(/^checksumalgorithm_/, '')
      .replaceAll(/[-_\s]/g, '');
    if (Object.hasOwn(digestLengths, algorithm)) {
      digests.push(`${algorithm}:${cleanDigest(fields[valueKey])}`);
    }
  }
  return digests;
}

/** Keeps a value of another form, which then differs from every recorded digest. */
function cleanDigest(value: unknown): string {
  return typeof value === 'string' ? normaliseDigest(value.slice(0, 200)) : showValue(value);
}
