import { normaliseDigest } from '../../core/model/digest.ts';
import {
  findQualifiers,
  formatPurl,
  listQualifierValues,
  parsePurl,
  type Purl,
} from '../../core/model/purl.ts';
import { parseVersion } from '../../core/model/version.ts';
import { isNonEmpty } from '../answers/match-names.ts';
import { addDigests, type Entry, type Item } from './text-entries.ts';

/** A package URL with a digest behind its version, as images have: `pkg:docker/example/svc@1.0@sha256:0f1e?arch=amd64`. */
const purlWithDigest = /^([^?#]*@[^@/?#]+)@([^@/?#]+)([?#].*)?$/;

/**
 * The items of a package URL: first with the digests of its image as version, then with its version and each tag, or one item
 * without a version. Each has all digests, also those of the qualifier `checksum`. Undefined for another text. `statedVersion`: the
 * version for a package URL without any of these.
 */
export function createPurlEntry(written: string, statedVersion?: string): Entry | undefined {
  const text = written.trim();
  const parsed = parsePurl(text.replace(purlWithDigest, '$1%40$2$3'));
  if (!parsed) {
    return undefined;
  }

  const [first, ...attached] = parsed.version?.split(beforeDigest) ?? [];
  const purl = { ...parsed, version: first };
  const isBare = first !== undefined && isBareDigest(first);
  const version = isBare ? undefined : first;
  const imageDigests = (isBare ? [first, ...attached] : attached).map(normaliseDigest);
  const checksums = listQualifierValues(findQualifiers(text), 'checksum').flatMap((value) =>
    value.split(',').map(normaliseDigest),
  );
  const tags = listQualifierValues(purl.qualifiers, 'tag');
  const versions = new Set(
    [...imageDigests, version, ...tags].filter((value) => value !== undefined),
  );

  if (versions.size === 0 && statedVersion !== undefined) {
    const item = createVersionedItem(purl, statedVersion);
    // The shown text keeps the qualifiers, which may name the registry.
    const fullPurl = { ...purl, version: statedVersion, qualifiers: findQualifiers(text) };
    return [addDigests({ ...item, text: formatPurl(fullPurl) }, checksums)];
  }

  const isImage = imageDigests.length > 0 || undefined;
  const shared = addDigests({ text, purl, isImage }, [...imageDigests, ...checksums]);
  const items = Array.from(versions, (each) => ({ ...shared, version: each }));
  return isNonEmpty(items) ? items : [shared];
}

/** The `@` before a digest, but not that in the tag `kit@1.2.0`. */
const beforeDigest = /@(?=[a-z\d+._-]+:)/i;

/** `sha256:0f1e`, but not the version `1:2.0` with the epoch of a distribution. */
function isBareDigest(version: string): boolean {
  return /^[a-z\d+._-]+:/i.test(version) && !parseVersion(version);
}

/** The item of a package in a version that its URL does not state. */
export function createVersionedItem(purl: Purl, version: string): Item {
  const versioned = { ...purl, version };
  return { text: formatPurl(versioned), purl: versioned, version };
}
