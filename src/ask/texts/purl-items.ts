import { normaliseDigest } from '../../core/model/digest.ts';
import { formatPurl, listQualifierValues, parsePurl, type Purl } from '../../core/model/purl.ts';
import { parseVersion } from '../../core/model/version.ts';
import type { Entry, Item } from './text-entries.ts';

/** A package URL with a version and a digest, as of an image: `pkg:docker/example/svc@1.0@sha256:0f1e?arch=amd64`. */
const purlWithDigest = /^([^?#]*@[^@/?#]+)@([^@/?#]+)([?#].*)?$/;

/**
 * The statements of a package URL: its digests first, then its version and each tag. Undefined for another text. `statedVersion`:
 * for a package URL without version.
 */
export function createPurlEntry(written: string, statedVersion?: string): Entry | undefined {
  const text = written.trim();
  const [, before, digest, after = ''] = purlWithDigest.exec(text) ?? [];
  const purl = parsePurl(before === undefined ? text : before + after);
  if (!purl) {
    return undefined;
  }

  const [version, versionDigest] = splitDigest(purl.version);
  const imageDigests = [digest?.replace(/%3a/i, ':'), versionDigest]
    .filter((value) => value !== undefined)
    .map(normaliseDigest);
  const tags = purl.type === 'oci' ? listQualifierValues(text, 'tag') : [];
  const versions = new Set(
    [...imageDigests, version, ...tags].filter((value) => value !== undefined),
  );
  const checksums = listQualifierValues(text, 'checksum').flatMap((value) =>
    value.split(',').map(normaliseDigest),
  );

  if (versions.size === 0 && statedVersion !== undefined) {
    return [addDigests(createVersionedItem(purl, statedVersion), checksums)];
  }

  const isImage = imageDigests.length > 0 || undefined;
  const shared = addDigests({ text, purl, isImage }, [...imageDigests, ...checksums]);
  const items = Array.from(versions, (each) => ({ ...shared, version: each }));
  const [first = shared, ...further] = items;
  return [first, ...further];
}

/** The version and the digest behind it: both of `1.0@sha256:0f1e`, only the digest of `sha256:0f1e`. */
function splitDigest(version: string | undefined): [version: string | undefined, digest?: string] {
  if (version === undefined) {
    return [undefined];
  }
  if (/^[a-z\d+._-]+:[^@]*$/i.test(version) && !parseVersion(version)) {
    return [undefined, version];
  }

  const index = version.indexOf('@');
  return index === -1 ? [version] : [version.slice(0, index), version.slice(index + 1)];
}

export function createVersionedItem(purl: Purl, version: string): Item {
  const versioned = { ...purl, version };
  return { text: formatPurl(versioned), purl: versioned, version };
}

export function addDigests(item: Item, digests: readonly string[]): Item {
  return digests.length === 0 ? item : { ...item, digests: [...(item.digests ?? []), ...digests] };
}
