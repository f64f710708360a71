import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { inputError, problem, warning } from '../../core/schemas/finding.ts';
import { computeKeyId, SigningPublicKey } from '../../core/schemas/signing-public-key.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import { verifySite, type VerifiedSite } from '../../deliver/sign/verify-site.ts';
import { acceptState } from '../../deliver/sign/accepted-states.ts';
import {
  openAddressReader,
  openFolderReader,
  VerificationError,
  type SiteReader,
} from '../../deliver/sign/site-reader.ts';
import { expectFileError, isFolder, readRegularFile } from '../../io/files/file-system.ts';
import { requireSiteConfig } from '../../io/files/settings-files.ts';
import { HttpError } from '../../io/http/error.ts';
import { digestsFile } from '../../site/digests.ts';
import { hasPastStatements } from '../../site/signed-statements.ts';
import { flag, shared, text, UsageError, type Command, type Invocation } from '../command.ts';
import { unableStatus } from '../exit-status.ts';
import { readSiteUrl } from '../option-values.ts';
import { openReadingHttp } from '../open-published.ts';

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
    'those listed; the day is no more than staleAfterDays ago; the key signed each statement, for this index and component, and no',
    'release with digests lacks one. Without an argument, it checks the built site. A folder needs no network.',
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
  isQuestion: true,
  needsIndex: false,
  async run(invocation) {
    const config = requireSiteConfig(invocation.root);
    const trust = readTrust(invocation, config);
    const source = openSite(invocation);

    try {
      await reportSite(invocation, source, trust, config.staleAfterDays);
      return 0;
    } catch (error) {
      return reportError(invocation, error);
    } finally {
      await source.close();
    }
  },
};

/** Verifies the site, remembers its state and reports it. Throws a VerificationError. */
async function reportSite(
  invocation: Invocation<Options>,
  { name, site }: ReturnType<typeof openSite>,
  { key, ...trust }: Trust,
  maxAgeDays: number,
): Promise<void> {
  const { options, out, day, report } = invocation;
  const publicKey = key?.publicKey;
  const result = await verifySite(site, { publicKey, ...trust, day, maxAgeDays });
  if (!result.signature && options['digests-only'] !== true) {
    throw createUnsignedError(name, result);
  }

  // A site that was just built is newer than the live one, and may never be published.
  if (key && (name !== out || options.state !== undefined)) {
    rememberState(invocation, key, result);
  }

  report.print(describeFiles(name, result, site), describeOrigin(result, key));
  report.document({ verb: 'verify', site: name, isVouchedFor: key !== undefined, ...result });
}

/** Reports why a site was not verified, and returns the exit status. Throws other errors again. */
function reportError({ report, day }: Invocation<Options>, error: unknown): number {
  if (!(error instanceof VerificationError)) {
    throw error;
  }

  const findings = [problem(error.subject, error.message)];
  report.finding(...findings);
  report.document({ verb: 'verify', asOf: day, findings });
  return error.cause instanceof HttpError ? unableStatus : 1;
}

interface TrustedKey {
  publicKey: string;
  /** The file or option that names it. */
  from: string;
}

/** What proves the origin of the site; empty if nothing does. */
interface Trust {
  /** The key that must have signed the list of files. It never comes from the site itself. */
  key?: TrustedKey | undefined;
  /** The address for which it must have signed; any if absent. */
  baseUrl?: string | undefined;
  /** Replaces the key in an index that no longer signs: the signer of its past statements. */
  pastSigner?: { publicKey: string; baseUrl: string };
}

function readTrust({ root, options }: Invocation<Options>, config: SiteConfig): Trust {
  const { signingPublicKey, releasesUrl } = config;
  if (options['digests-only']) {
    const signatureOptions = ['key', 'signed-for', 'state', 'allow-older'] as const;
    const option = signatureOptions.find((name) => options[name] !== undefined);
    if (option !== undefined) {
      throw new UsageError(`--digests-only checks no signature: leave out --${option}`);
    }

    return {};
  }

  const key = findTrustedKey(options.key, signingPublicKey);
  const signedFor = readSiteUrl('--signed-for', options['signed-for']);
  // Another key may belong to an index at any address.
  if (!key || key.publicKey !== signingPublicKey) {
    return { key, baseUrl: signedFor };
  }

  // The key of an index may sign several sites, such as a trial.
  const baseUrl = signedFor ?? releasesUrl;
  return hasPastStatements(root)
    ? { pastSigner: { publicKey: signingPublicKey, baseUrl } }
    : { key, baseUrl };
}

/** The key of `--key`, or else of `site/site.json`. Throws a UsageError for a text that is no key. */
function findTrustedKey(
  option: string | undefined,
  configuredKey: string | undefined,
): TrustedKey | undefined {
  if (option === undefined) {
    return configuredKey === undefined
      ? undefined
      : { publicKey: configuredKey, from: 'site/site.json' };
  }

  const isFile = existsSync(option);
  // The key is the last line of a file of minisign.
  const lines = isFile ? readRegularFile(option).toString().trim().split(/\r?\n/) : [option];
  const { success, data: publicKey } = SigningPublicKey.safeParse(lines.at(-1));
  if (success) {
    return { publicKey, from: isFile ? option : '--key' };
  }

  throw new UsageError(
    `--key: expected a public key of minisign, RW and 54 more characters, or a file signing-key.pub with one; got ${quote(option)}`,
  );
}

function openSite(invocation: Invocation<Options>) {
  const {
    arguments: [target],
    out,
  } = invocation;
  const url = /^https?:/i.test(target ?? '') ? readSiteUrl('the address', target) : undefined;
  if (url === undefined) {
    const name = target === undefined ? out : resolve(target);
    if (!isFolder(name)) {
      throw inputError(name, 'no such folder');
    }

    return { name, site: openFolderReader(name), close: () => Promise.resolve() };
  }

  const http = openReadingHttp(invocation, url);
  return { name: url, site: openAddressReader(http, url), close: () => http.close() };
}

/** The error for a site that no key vouches for, although its files are as listed. */
function createUnsignedError(name: string, { pastStatements }: VerifiedSite): VerificationError {
  if (pastStatements === undefined) {
    return new VerificationError(
      name,
      'every file is as SHA256SUMS lists it, but the origin of the list is unknown without a public key',
      'Give the "signingPublicKey" that its repository states: --key RW…; or check only integrity: --digests-only',
    );
  }

  return new VerificationError(
    digestsFile,
    `is not signed here, so nobody vouches for the files, though each is as it lists them. The key of site/site.json signed ${formatCount(pastStatements, 'statement')} about releases`,
    'Check only integrity: --digests-only',
  );
}

function describeFiles(name: string, { files, asOf }: VerifiedSite, site: SiteReader): string {
  const completeness = site.list ? ', and there is no other' : '';
  return `${name}: the index as of ${asOf}; ${formatCount(files, 'file')} as SHA256SUMS lists them${completeness}.`;
}

function describeOrigin({ signature }: VerifiedSite, key: TrustedKey | undefined): string {
  if (!signature || !key) {
    return 'Their origin is unknown: only digests were compared.';
  }

  const { baseUrl, statements } = signature;
  const more = statements > 0 ? `, and ${formatCount(statements, 'statement')} about releases` : '';
  return `Signed for ${baseUrl} with the key of ${key.from}: the list${more}.`;
}

/**
 * Remembers a signed state, so a later run rejects an older one. A cache folder that cannot be written is only reported: the site is
 * verified without it.
 */
function rememberState(
  { options, env, report }: Invocation<Options>,
  { publicKey }: TrustedKey,
  { asOf, signature }: VerifiedSite,
): void {
  const file = options.state ?? findDefaultStateFile(env);
  if (file === undefined || !signature) {
    return;
  }

  const { baseUrl, events } = signature;
  const id = `${baseUrl} ${computeKeyId(publicKey)}`;
  try {
    acceptState(file, id, { asOf, events }, { allowsOlder: options['allow-older'] === true });
  } catch (error) {
    if (options.state !== undefined) {
      throw error;
    }

    const effect =
      'the state of the site was not remembered, so an older one cannot be rejected later';
    report.finding(warning(file, `${effect}: ${expectFileError(error)}`));
  }
}

/** In the cache folder of the user, if there is one. */
function findDefaultStateFile(env: NodeJS.ProcessEnv): string | undefined {
  // An empty variable is as none.
  const home = env['HOME'] || env['USERPROFILE'];
  const cache = env['XDG_CACHE_HOME'] || env['LOCALAPPDATA'] || (home && join(home, '.cache'));
  return cache ? join(cache, 'release-index', 'verified.json') : undefined;
}
