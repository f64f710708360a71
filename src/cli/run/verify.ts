import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { asWarnings, inputError, type Problem } from '../../core/errors.ts';
import { listLitter, readNamedFile } from '../../core/files.ts';
import { readSettings } from '../../core/read-definitions.ts';
import { Settings } from '../../core/schema/written.ts';
import { openSite } from '../../core/site-reader.ts';
import { formatCount } from '../../core/text.ts';
import { verifySite } from '../../publish/verify.ts';
import { expectArgument, parseUrl, type Context, type Define } from '../context.ts';

interface Key {
  key: string;
  /** The file that the key comes from. Undefined for a key on the command line. */
  file?: string | undefined;
}

interface Options {
  key?: Key;
  signedFor?: string;
  digestsOnly?: true;
}

export const define: Define = (command, context) => {
  command
    .argument('[site]', 'a folder or an address (default: the built site)')
    .option(
      '--key <key>',
      'the public key, or a file with it (default, for an address or the built site: signingPublicKey of site/site.json)',
      parseKey,
    )
    .option(
      '--signed-for <url>',
      'the address for which the site must be signed (default: releasesUrl)',
      parseUrl,
    )
    .option('--digests-only', 'check only that the files are complete, but not their origin')
    .action((target: string | undefined, options: Options) => verify(target, options, context));
};

function parseKey(text: string): Key {
  const file = existsSync(text) ? text : undefined;
  const key = file ? readNamedFile(file).toString().trim().split(/\r?\n/).at(-1) : text;
  const { data } = Settings.shape.signingPublicKey.safeParse(key);
  expectArgument(data, 'a public key of minisign, RW and 54 more characters, or a file with it');
  return { key: data, file };
}

async function verify(
  target: string | undefined,
  { key: chosen, signedFor, digestsOnly }: Options,
  { report, day, out, root, signal }: Context,
): Promise<void> {
  const site = (target ?? out).replace(/(?<=^\/|[^/])\/+$/, '');
  const settingsFile = join(root, 'site/site.json');
  // Settings that came with a download must not decide with which key the download is verified.
  const isVouched = isAddress(site) || (isSame(site, out) && !isWithin(site, settingsFile));
  const settings = existsSync(settingsFile) && isVouched ? readSettings(root) : undefined;
  const { key, file = '--key' } = chosen ?? { key: settings?.signingPublicKey, file: settingsFile };
  if (!digestsOnly) {
    requireKey(site, chosen?.file, key);
  }

  // The `releasesUrl` of the settings belongs to the key in the settings. A site with another key may belong to another URL.
  const ownUrl = key === settings?.signingPublicKey ? settings?.releasesUrl : undefined;
  const verified = await verifySite(openSite(site, signal), {
    publicKey: digestsOnly ? undefined : key,
    baseUrl: signedFor ?? ownUrl,
    day,
    maxAgeDays: settings?.staleAfterDays ?? 3,
  });

  const { signature } = verified;
  const origin = signature
    ? `Signed for ${signature.baseUrl} by the key ${key} of ${file}, with ${formatCount(signature.statements, 'statement')} about releases. By other keys: ${signature.byOthers}.`
    : 'Only digests were compared, so the origin of the site is unproven.';
  report.problem(listUnchecked(site));
  report.print(
    `${site}: the index as of ${verified.asOf}; ${formatCount(verified.files, 'file')} as listed in SHA256SUMS.`,
    origin,
  );
  report.document({ site, ...verified, ...(signature && { key }) });
}

/** Throws an `InputError` if there is no key, or if the key came with the site. A site cannot prove its own origin. */
function requireKey(site: string, file: string | undefined, key: string | undefined): void {
  const remedy = 'Give the "signingPublicKey" of its repository: --key RW…';
  if (file !== undefined && isWithin(site, file)) {
    throw inputError(
      file,
      `is inside the folder that is verified, so it proves nothing. ${remedy}`,
    );
  }
  if (key === undefined) {
    const otherwise = 'To check only digests: --digests-only';
    throw inputError(site, `no key was given, so its origin is unproven. ${remedy}. ${otherwise}`);
  }
}

const isAddress = (site: string) => /^https?:/.test(site);

function isSame(...paths: string[]): boolean {
  const places = paths.map((path) => (existsSync(path) ? realpathSync(path) : resolve(path)));
  return new Set(places).size === 1;
}

function isWithin(site: string, path: string): boolean {
  if (isAddress(site) || !existsSync(site)) {
    return false;
  }
  return !/^\.\.(?:[/\\]|$)/.test(relative(realpathSync(site), realpathSync(path)));
}

/** Lists the files that file managers leave in every folder. `SHA256SUMS` does not list these files, so they are not verified. */
function listUnchecked(site: string): Problem[] {
  const paths = isAddress(site) ? [] : listLitter(site);
  const message = 'is not in SHA256SUMS, so it was not checked';
  return asWarnings(paths.map((subject) => ({ subject, message })));
}
