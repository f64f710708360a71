import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { inputError, problem } from '../../core/schemas/finding.ts';
import { computeKeyId, SigningPublicKey } from '../../core/schemas/published/statement.ts';
import { Count, DaySchema } from '../../core/schemas/scalars.ts';
import { formatCount } from '../../core/text/wording.ts';
import { openSiteHttp } from '../../deliver/publish/site-http.ts';
import {
  openAddressReader,
  openFolderReader,
  VerificationError,
  type SiteReader,
} from '../../deliver/sign/site-reader.ts';
import { verifySite, type VerifiedSite } from '../../deliver/sign/verify-site.ts';
import { formatDocument, isAbsent, saveIfChanged } from '../../io/files/file-system.ts';
import { readDocument, requireValue } from '../../io/files/read-documents.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import { HttpError } from '../../io/http/error.ts';
import { digestsFile, signatureFile } from '../../site/digests.ts';
import { isSignedOnce } from '../../site/signed-statements.ts';
import {
  flag,
  shared,
  readSiteUrl,
  text,
  unableStatus,
  UsageError,
  type Command,
  type Invocation,
} from '../command.ts';
import { findKeyAddress } from '../open-published.ts';

const optionTable = {
  key: text(
    'KEY',
    'the public key, or a file with it (default: signingPublicKey of site/site.json)',
  ),
  'signed-for': text(
    'URL',
    'the address that it must be signed for (default: the address in site/site.json)',
  ),
  state: text(
    'FILE',
    'the newest state accepted before (default: in the cache folder of the user)',
  ),
  'allow-older': flag('accept a state that is older than one accepted before'),
  'digests-only': flag('check only that the files are complete, not their origin'),
  ...shared('root', 'out', 'as-of'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { optional: ['folder|URL'] },
  options: optionTable,
  details: [
    'Checks in this order, and names the first failure and its remedy: SHA256SUMS is signed with the key; the files are exactly',
    'those listed; the day is no more than staleAfterDays ago; the signed statement about each component matches this site, day',
    'and digests. Without an argument, it checks the built site. A folder needs no network.',
    'The key comes from --key or from site/site.json of the root: a site cannot prove its own origin. With the key of',
    'site/site.json, the site must be signed for the address in site/site.json, or of --signed-for; a mirror may be anywhere.',
    'Without a key, it can compare only digests, which is an error without --digests-only.',
    'It remembers the newest state that it accepted for an address and key, and rejects an earlier day or fewer events.',
  ],
  examples: [
    ['verify https://releases.example.com', 'with the key of this checkout'],
    ['verify mirror/ --key signing-key.pub', 'a copy, with a key that you kept'],
    ['verify copy-of-may/ --as-of 2026-05-31', 'an old copy, for its day'],
  ],
  statusOfInputErrors: unableStatus,
  needsIndex: false,
  run,
};

/** The key to trust never comes from the site itself. */
async function run(invocation: Invocation<Options>): Promise<number> {
  const { root, options, out, day, report } = invocation;
  const config = requireValue(readSiteConfig(root));
  const isIntegrityOnly = options['digests-only'] === true;
  const option = (['key', 'signed-for'] as const).find((name) => options[name] !== undefined);
  if (isIntegrityOnly && option !== undefined) {
    throw new UsageError(`--digests-only checks no signature: leave out --${option}`);
  }

  const trustedKey = isIntegrityOnly ? undefined : findTrustedKey(options.key, config);
  const signedOnce = trustedKey && findSignedOnce(root, config, trustedKey.publicKey);
  const key = signedOnce ? undefined : trustedKey;
  const { name, site, close } = openSite(invocation, config);

  try {
    // The key of the root may sign several sites, such as a trial.
    const isOwnKey = key?.publicKey === config.signingPublicKey;
    const signedFor = readSiteUrl('--signed-for', options['signed-for']);
    const baseUrl = signedFor ?? (isOwnKey ? config.releasesUrl : undefined);
    const result = await verifySite(site, {
      publicKey: key?.publicKey,
      baseUrl,
      signedOnce,
      day,
      maxAgeDays: config.staleAfterDays,
    });
    const { asOf, signature } = result;
    const state = key && signature && { ...key, ...signature, asOf };
    if (!state && !isIntegrityOnly) {
      throw signedOnce
        ? new VerificationError(
            digestsFile,
            describeSignedOnce(result),
            'Check only integrity: --digests-only',
          )
        : new VerificationError(name, noKey, keyRemedy);
    }

    // A site that was just built is newer than the live one, and may never be published.
    if (state && name !== out) {
      acceptState(state, invocation);
    }

    report.print(
      describeFiles(name, result, site),
      state ? describeSignature(state) : 'Their origin is unknown: only digests were compared.',
    );

    report.document({
      verb: 'verify',
      site: name,
      isVouchedFor: state !== undefined,
      ...result,
    });

    return 0;
  } catch (error) {
    if (!(error instanceof VerificationError)) {
      throw error;
    }

    const findings = [problem(error.subject, error.message)];
    report.finding(...findings);
    report.document({ verb: 'verify', asOf: day, findings });
    return error.cause instanceof HttpError ? unableStatus : 1;
  } finally {
    await close();
  }
}

const noKey =
  'every file is as SHA256SUMS lists it, but the origin of the list is unknown without a public key';
const keyRemedy =
  'Give the "signingPublicKey" that its repository states: --key RW…; or check only integrity: --digests-only';

/** The key, where it signed the statements of the root once, and the address that they name. */
function findSignedOnce(root: Root, { signingPublicKey, releasesUrl }: SiteConfig, key: string) {
  return key === signingPublicKey && isSignedOnce(root)
    ? { publicKey: key, baseUrl: releasesUrl }
    : undefined;
}

function describeSignedOnce({ statements = 0 }: VerifiedSite): string {
  return `is not signed here, so nobody vouches for the files, though each is as it lists them. The key of site/site.json signed ${formatCount(statements, 'statement')} about releases`;
}

/** The key of `--key`, or else of `site/site.json`, and its origin. */
function findTrustedKey(
  option: string | undefined,
  { signingPublicKey: configuredKey }: SiteConfig,
) {
  if (option === undefined) {
    return configuredKey === undefined
      ? undefined
      : { publicKey: configuredKey, from: 'site/site.json' };
  }

  const isFile = existsSync(option);
  const publicKey = isFile
    ? (readFileSync(option, 'utf8').trim().split(/\r?\n/).at(-1) ?? '')
    : option;
  if (SigningPublicKey.safeParse(publicKey).success) {
    return { publicKey, from: isFile ? option : '--key' };
  }

  throw new UsageError(
    '--key: expected a public key of minisign, RW and 54 more characters, or a file signing-key.pub with one',
  );
}

function openSite({ arguments: [target], root, out, env, signal }: Invocation, config: SiteConfig) {
  const url = /^https?:/i.test(target ?? '') ? readSiteUrl('the address', target) : undefined;
  if (url === undefined) {
    const name = target === undefined ? out : resolve(target);
    if (!existsSync(name)) {
      throw inputError(name, 'no such folder');
    }

    return { name, site: openFolderReader(name), close: () => Promise.resolve() };
  }

  const http = openSiteHttp({ env, signal, config, ownUrl: findKeyAddress(root, config, url) });
  return { name: url, site: openAddressReader(http, url), close: () => http.close() };
}

function describeFiles(name: string, { files, asOf }: VerifiedSite, site: SiteReader): string {
  const completeness = site.list ? ', and there is no other' : '';
  return `${name}: the index as of ${asOf}; ${formatCount(files, 'file')} as SHA256SUMS lists them${completeness}.`;
}

type SignedState = NonNullable<VerifiedSite['signature']> &
  Pick<VerifiedSite, 'asOf'> & { readonly publicKey: string; readonly from: string };

function describeSignature({ baseUrl, statements, from }: SignedState): string {
  const more = statements > 0 ? `, and ${formatCount(statements, 'statement')} about releases` : '';
  return `Signed for ${baseUrl} with the key of ${from}: the list${more}.`;
}

/** The newest state that was accepted, by address and key. */
const AcceptedStates = z.record(z.string(), z.object({ asOf: DaySchema, events: Count }));

/** In the cache folder of the user, if there is one. */
function findDefaultStateFile(env: NodeJS.ProcessEnv): string | undefined {
  const home = env['HOME'] ?? env['USERPROFILE'];
  const cache = env['XDG_CACHE_HOME'] ?? env['LOCALAPPDATA'] ?? (home && join(home, '.cache'));
  return cache && join(cache, 'release-index', 'verified.json');
}

/**
 * Remembers an accepted state. Throws a VerificationError where a newer state of this address and key was accepted before: a
 * signature proves the origin of a state, but not that it is the newest.
 */
function acceptState(
  { asOf, baseUrl, events, publicKey }: SignedState,
  { options, env }: Invocation<Options>,
): void {
  const file = options.state ?? findDefaultStateFile(env);
  if (file === undefined) {
    return;
  }

  const { value = {}, findings } = isAbsent(file)
    ? { findings: [] }
    : readDocument(file, file, AcceptedStates);
  const [finding] = findings;
  if (finding) {
    throw new VerificationError(file, finding.message, 'Remove it to start again');
  }

  const key = `${baseUrl} ${computeKeyId(publicKey)}`;
  const newest = value[key];
  const isOlder = newest !== undefined && (asOf < newest.asOf || events < newest.events);
  if (isOlder && options['allow-older'] === true) {
    return;
  }

  if (isOlder) {
    const describe = (state: { asOf: Day; events: number }) =>
      `${state.asOf} with ${formatCount(state.events, 'event')}`;
    const message = `is of ${describe({ asOf, events })}, but the state of ${describe(newest)} was accepted before: somebody may be serving an old state`;
    throw new VerificationError(signatureFile, message, 'To accept it anyway: --allow-older');
  }

  saveIfChanged(file, formatDocument({ ...value, [key]: { asOf, events } }));
}
