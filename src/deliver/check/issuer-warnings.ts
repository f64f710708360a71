import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { accessFile } from '../../io/files/settings-files.ts';

/** Warns of settings of issuers that let strangers in. */
export function warnOfIssuers({ users, externalOauth: { issuers } }: AccessConfig): Finding[] {
  const findings: Finding[] = [];
  const warn = (message: string) => findings.push(fileProblem(accessFile, message, 'warning'));
  // A user without an issuer may then come from any of them.
  const isAnyIssuerAccepted = issuers.length > 1 && users.some((user) => user.issuer === undefined);

  for (const issuer of issuers) {
    const { uri, claimMapping, requireEmailVerified, restrictByDomain } = issuer;
    // Users of a domain are matched by their address, whatever claimMapping is. People may choose any address of the domain.
    const hasDomainUser = users.some((user) => user.domain && (user.issuer ?? uri) === uri);
    // Other users are matched by their address under "email". An issuer is trusted with the addresses of its own domains.
    const isTrusted = restrictByDomain && !isAnyIssuerAccepted;
    const isOpen = hasDomainUser || (claimMapping === 'email' && !isTrusted);

    if (!requireEmailVerified && isOpen) {
      const remedy =
        restrictByDomain && !hasDomainUser ? ', or name the "issuer" of each user' : '';
      warn(
        `${uri} may let people choose an e-mail address of a user. Set "requireEmailVerified": true for it${remedy}`,
      );
    }

    // A service that was shown a token can read the index with it.
    if (issuer.restrictByJwtAudience === false) {
      warn(
        `${uri}: "restrictByJwtAudience": false accepts its tokens for any service, also from services that were shown one. Set allowedJwtAudiences, unless it serves only this index`,
      );
    }
  }
  return findings;
}
