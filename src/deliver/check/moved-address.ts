import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { isAbsent, sha256 } from '../../io/files/file-system.ts';
import { recordedFolder, type Root } from '../../io/files/root.ts';
import { readSiteConfig } from '../../io/files/settings-files.ts';

/** The address and the key of a site in words, and the id of the decision that accepts them, which changes with either. */
export function describeAddress({ releasesUrl, signingPublicKey }: SiteConfig) {
  const digest = sha256(JSON.stringify([releasesUrl, signingPublicKey])).slice(0, 10);
  const key =
    signingPublicKey === undefined ? 'without a signature' : `signed by ${signingPublicKey}`;
  return { id: `site-${digest}`, reason: `the index is read from ${releasesUrl}, ${key}` };
}

/**
 * Finds a changed address or key: readers would follow to another host, or trust another key. Before the first run, an index has no
 * readers. A former configuration that cannot be read counts as another address; a present one is reported by the build.
 */
export function findMovedAddress(before: Root, after: Root) {
  const formerConfig = readSiteConfig(before).value;
  const config = readSiteConfig(after).value;
  if (!config || isAbsent(recordedFolder(before, 'runs'))) {
    return undefined;
  }

  const address = describeAddress(config);
  const isSame = formerConfig && describeAddress(formerConfig).id === address.id;
  return isSame ? undefined : address;
}
