import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { accessFile } from '../../io/files/settings-files.ts';

/** Warns of settings of issuers that let strangers in. */
export function checkIssuers({ users, externalOauth: { issuers } }: AccessConfig): Finding[] {
  const isShared = issuers.length > 1 && users.some(({ issuer }) => issuer === undefined);
  const messages: string[] = [];

  for (const issuer of issuers) {
    const { uri, claimMapping, requireEmailVerified, restrictByDomain } = issuer;
    // Whatever names a person, a user for a domain is matched by the address.
    const hasDomainUser = users.some((user) => user.domain && (user.issuer ?? uri) === uri);
    // The only issuer of its domains knows its addresses.
    const matchesAddress = claimMapping === 'email' && (!restrictByDomain || isShared);

    // Some issuers let people choose their address, and could then authenticate them as any user.
    if (!requireEmailVerified && (hasDomainUser || matchesAddress)) {
      const remedy =
        restrictByDomain && !hasDomainUser ? ', or name the "issuer" of each user' : '';
      messages.push(
        `${uri} may let people choose an e-mail address of a user. Set "requireEmailVerified": true for it${remedy}`,
      );
    }

    // A service that was shown a token can read the index with it.
    if (issuer.restrictByJwtAudience === false) {
      messages.push(
        `${uri}: "restrictByJwtAudience": false accepts its tokens for any service, also from services that were shown one. Set allowedJwtAudiences, unless it serves only this index`,
      );
    }
  }
  return messages.map((message) => fileProblem(accessFile, message, 'warning'));
}
