import { toDay } from '../../core/dates.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { accessKeyPrefix, type AccessKeys } from '../../core/schemas/access-keys.ts';
import { readAuthorization } from './authorization.ts';
import { deny, type Denial } from './denial.ts';
import { findAccessKey } from './find-access-key.ts';
import { IssuerTroubleError } from './issuer-json.ts';
import { createJwtReader } from './jwt-reader.ts';
import { createOpaqueReader } from './opaque-reader.ts';
import { readersFor } from './token-reader.ts';
import { whyNoUser } from './whose.ts';

export interface GuardSettings {
  readonly access: AccessConfig;
  readonly keys: AccessKeys;
  /** Where the site is published, without a slash at its end. */
  readonly baseUrl: string;
  /** Told of an issuer that cannot be asked, in a sentence without secrets. */
  onTrouble(message: string): void;
  /** In milliseconds since 1970. */
  now?(): number;
}

/** Answers a request that must not be let in; undefined for one that may. */
export type Guard = (request: Request) => Promise<Response | undefined>;

/** Lets in whoever holds an access key or a token of a user. Nothing but the header `Authorization` counts. */
export function createGuard({ access, keys, baseUrl, onTrouble, now = Date.now }: GuardSettings): Guard {
  const { users, externalOauth, accessKeys } = access;
  const takesBasic = access.protect === 'everything';
  const readers = externalOauth.issuers.map((issuer) =>
    issuer.accessTokenFormat === 'jwt' ? createJwtReader(issuer, now) : createOpaqueReader(issuer, now),
  );

  async function whyNot(request: Request): Promise<Denial | undefined> {
    const credential = readAuthorization(request.headers.get('authorization'), takesBasic);
    if (credential.kind === 'none') return 'no-credential';
    if (credential.kind === 'malformed') return 'invalid-token';
    const { secret, isKey } = credential;
    const key = await findAccessKey(secret, accessKeys.enabled ? keys : []);
    if (key) {
      if (toDay(new Date(now())) > key.expires) return 'invalid-token';
      return users.some(({ username }) => username === key.user) ? undefined : 'no-user';
    }
    // A key that does not count, or was cut while it was copied, is shown to no issuer.
    return isKey || secret.toLowerCase().startsWith(accessKeyPrefix) ? 'invalid-token' : whyNoToken(secret);
  }

  async function whyNoToken(token: string): Promise<Denial | undefined> {
    const asked = readersFor(token, readers, externalOauth.opaqueTokenFanOut);
    const answers = asked.map(async (reader) => {
      try {
        return { issuer: reader.issuer, claims: await reader.read(token) };
      } catch (error) {
        if (error instanceof IssuerTroubleError) onTrouble(error.message);
        throw error;
      }
    });
    const answer = await Promise.any(answers).catch(() => undefined);
    return answer ? whyNoUser(answer.claims, answer.issuer, users) : 'invalid-token';
  }

  return async (request) => {
    const denial = await whyNot(request);
    return denial && deny(request, denial, { baseUrl, takesBasic });
  };
}
