/** Tokens that the token service of a container registry gives: distribution.github.io/distribution/spec/auth/token */
import * as z from 'zod';

/** What a registry asks for with its 401. */
export interface Challenge {
  realm: string;
  service?: string | undefined;
}

/** Reads `Bearer realm="https://auth.example/token",service="registry.example"`, also after another challenge. */
export function parseChallenge(header: string | null): Challenge | undefined {
  const [, parameters = ''] = /(?:^|,)\s*Bearer\s+(.*)/is.exec(header ?? '') ?? [];
  const readParameter = (name: string) =>
    new RegExp(`\\b${name}="?([^",\\s]+)`, 'i').exec(parameters)?.[1];
  const realm = readParameter('realm');
  return realm === undefined ? undefined : { realm, service: readParameter('service') };
}

const Token = z
  .object({ token: z.string().optional(), access_token: z.string().optional() })
  .transform(({ token, access_token: accessToken }) => token || accessToken)
  .pipe(z.string().regex(/^[\x21-\x7e]+$/));

/** The token in the answer of a token service, if it is one. */
export function readToken(text: string): string | undefined {
  try {
    return Token.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
