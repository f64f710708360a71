import * as z from 'zod';
import { states } from '../../model/states.ts';
import { TimestampKind } from '../recorded/recorded.ts';
import { optionalKey } from '../keys.ts';
import {
  ComponentName,
  createListSchema,
  DaySchema,
  LineName,
  OneLine,
  PublishedVersion,
  RecordedTimestamp,
  SourceId,
} from '../scalars.ts';
import { PublishedLine } from './details-file.ts';

/** `payloadType` in an envelope (https://github.com/in-toto/attestation/blob/main/spec/v1/envelope.md). */
export const statementMediaType = 'application/vnd.in-toto+json';
export const statementType = 'https://in-toto.io/Statement/v1';
export const bundleMediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

const Base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, { error: 'expected Base64' });
const KeyId = z
  .string()
  .regex(/^[0-9A-F]{16}$/, { error: 'expected the 16 hexadecimal digits that name a key' });

/** https://github.com/secure-systems-lab/dsse */
const Envelope = z.strictObject({
  payload: Base64.describe('The statement in Base64; schema/release-statement.json describes it.'),
  payloadType: z
    .literal(statementMediaType)
    .describe('The type of the payload; it is signed, too.'),
  signatures: z
    .array(
      z.strictObject({
        sig: Base64.describe('Ed25519 over the pre-authentication encoding, in Base64.'),
        keyid: KeyId.describe('Which key, as minisign names it.'),
      }),
    )
    .length(1)
    .describe('The signature of the payload and its type (DSSE v1).'),
});

/** A DSSE envelope in a Sigstore bundle v0.3 (https://github.com/sigstore/protobuf-specs). */
export const StatementBundle = z
  .strictObject({
    mediaType: z.literal(bundleMediaType),
    verificationMaterial: z.strictObject({
      /** A key that the reader knows: signing-key.pub and signing-key.pem. */
      publicKey: z.strictObject({ hint: KeyId }),
    }),
    dsseEnvelope: Envelope,
  })
  .refine(
    ({ verificationMaterial, dsseEnvelope }) =>
      verificationMaterial.publicKey.hint === dsseEnvelope.signatures[0]?.keyid,
    { error: 'expected the hint to name the key of the signature' },
  );
export type StatementBundle = z.infer<typeof StatementBundle>;

/** Without the bundles around them, as other verifiers of in-toto statements need them. */
export const Envelopes = z.array(Envelope).min(1);

/** The path of the predicate's schema at the site. The address of the schema is the type of the predicate. */
export const predicatePath = 'schema/release-statement.json';

const ReleasePredicate = z.strictObject({
  id: OneLine.describe('The id for requests: <component>/<version>/<day>.'),
  component: ComponentName,
  version: PublishedVersion,
  on: DaySchema.describe('The day of the statement.'),
  line: optionalKey(LineName, 'The release line.'),
  releaseTimestamp: optionalKey(
    RecordedTimestamp,
    'When it was released; absent where no day is known.',
  ),
  timestampKind: TimestampKind.optional(),
  state: z.enum(states).describe('The state of its support on that day.'),
  ...PublishedLine.pick({ supportedUntil: true, supportedUntilAtMost: true, inferred: true }).shape,
  sources: createListSchema(SourceId).describe(
    'The sources that list it, for instance npm:@example/agent.',
  ),
});

const HexDigest = z
  .string()
  .regex(/^[0-9a-f]{40,128}$/, { error: 'expected a digest in hexadecimal digits' });

/** A line of `data/statements/<component>.ndjson`: the facts that the index stated about a release on a day. Signing adds the types. */
export const RecordedStatement = z.strictObject({
  subject: z
    .array(
      z.strictObject({
        name: OneLine.describe('The artifact.'),
        digest: z.record(z.string().regex(/^\w{1,20}$/), HexDigest),
      }),
    )
    .min(1)
    .describe("The artifacts of the release by their publisher's own digests."),
  predicate: ReleasePredicate,
});
export type RecordedStatement = z.infer<typeof RecordedStatement>;

/** The signed statement about a release. */
export const ReleaseStatement = RecordedStatement.extend({
  _type: z.literal(statementType).describe('The form of the statement.'),
  predicateType: z
    .string()
    .regex(/^https?:\/\/\S+\/schema\/release-statement\.json$/, {
      error: `expected an address that ends in /${predicatePath}`,
    })
    .describe('The kind of statement: the address of this schema at the site that was signed.'),
});
export type ReleaseStatement = z.infer<typeof ReleaseStatement>;
