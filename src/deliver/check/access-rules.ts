import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { formatList } from '../../core/text/wording.ts';
import { accessFile } from '../../io/files/settings-files.ts';

/** Warns of settings of issuers that let strangers in, or keep everybody out. */
export function checkIssuers(
  { users, externalOauth: { issuers } }: AccessConfig,
  releasesUrl: string | undefined,
): Finding[] {
  const isShared = issuers.length > 1 && users.some(({ issuer }) => issuer === undefined);
  const hasDomains = users.some(({ domain }) => domain !== undefined);
  const messages: string[] = [];

  for (const issuer of issuers) {
    const { uri, restrictByDomain, allowedJwtAudiences: audiences = [] } = issuer;
    const isChosen = issuer.claimMapping === 'email' && !issuer.requireEmailVerified;

    // Some issuers let people choose their address, and could then authenticate them as any user.
    if (isChosen && (!restrictByDomain || isShared || hasDomains)) {
      const remedy = restrictByDomain && !hasDomains ? ', or name the "issuer" of each user' : '';
      messages.push(
        `${uri} may let people choose an e-mail address of a user. Set "requireEmailVerified": true for it${remedy}`,
      );
    }

    // Anybody with a token of such an issuer, for any service, can read the index with it.
    if (issuer.restrictByJwtAudience === false) {
      messages.push(
        `${uri}: "restrictByJwtAudience": false accepts its tokens for any service, also from services that were shown one. Set allowedJwtAudiences, unless it serves only this index`,
      );
    }

    // Clients request a token for the address that the index states, which becomes its audience (RFC 8707).
    if (audiences.length > 0 && audiences.every((audience) => isForeign(audience, releasesUrl))) {
      messages.push(
        `${uri}: none of allowedJwtAudiences is this index (${formatList(audiences, 3)}), so every token for it is rejected. Clients ask for "${releasesUrl}/mcp"`,
      );
    }
  }
  return messages.map((message) => fileProblem(accessFile, message, 'warning'));
}

/** Some issuers use audiences that are not addresses. */
function isForeign(audience: string, releasesUrl: string | undefined): boolean {
  return (
    releasesUrl !== undefined &&
    /^https?:/i.test(audience) &&
    audience !== releasesUrl &&
    !audience.startsWith(`${releasesUrl}/`)
  );
}
