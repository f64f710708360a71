/** Reads signed statements about releases: in-toto statements in DSSE envelopes, each in a Sigstore bundle. */
import * as z from 'zod';
import { inputError } from '../errors.ts';

const text = z.string();

/** The JSON keys of a signed statement that we read. Statements of other signers may have more keys, or lack the optional keys. */
const Statement = z.object({
  subject: z.array(z.object({ digest: z.record(text, text) })).min(1),
  predicateType: text.optional(),
  predicate: z.object({ id: text, component: text.optional(), version: text }),
});
export type Statement = z.infer<typeof Statement>;

const Bundle = z.object({
  dsseEnvelope: z.object({
    payload: text,
    payloadType: text,
    signatures: z.array(z.object({ sig: text, keyid: text.optional() })),
  }),
});

export type SignedStatement = NonNullable<ReturnType<typeof readStatement>>;

/** Reads a line of a file in `statements/`. Undefined if it is not a statement. Does not check the signature. */
function readStatement(line: string) {
  try {
    const { dsseEnvelope: envelope } = Bundle.parse(JSON.parse(line));
    const body = Buffer.from(envelope.payload, 'base64').toString();
    return { envelope, statement: Statement.parse(JSON.parse(body)) };
  } catch {
    return undefined;
  }
}

/** Parses the lines of a file of `statements/`. Throws an `InputError` for the first line that is not a statement. */
export function parseStatements(text: string, path: string): SignedStatement[] {
  return text.split('\n').flatMap((line, index) => {
    const signed = line === '' ? [] : readStatement(line);
    if (!signed) {
      throw inputError(path, `line ${index + 1}: expected a statement in a DSSE envelope`);
    }
    return signed;
  });
}
