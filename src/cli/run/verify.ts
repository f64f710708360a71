import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inputError } from '../../core/errors.ts';
import { readNamedFile } from '../../core/files.ts';
import { Settings } from '../../core/schema/written.ts';
import { readSettings } from '../../core/index/read-folder.ts';
import { formatCount } from '../../core/text.ts';
import { openSite } from '../../core/index/site-reader.ts';
import { verifySite } from '../../publish/verify.ts';
import { expectArgument, parseUrl, type Context, type Define } from '../context.ts';

interface Options {
  key?: string;
  signedFor?: string;
  digestsOnly?: true;
}

export const define: Define = (command, context) => {
  command
    .argument('[site]', 'a folder or an address (default: the built site)')
    .option(
      '--key <key>',
      'the public key, or a file with it (default: signingPublicKey of site/site.json)',
      parseKey,
    )
    .option(
      '--signed-for <url>',
      'the address that it must be signed for (default: releasesUrl)',
      parseUrl,
    )
    .option('--digests-only', 'check only that the files are complete, not their origin')
    .action((target: string | undefined, options: Options) => verify(target, options, context));
};

function parseKey(text: string): string {
  const key = existsSync(text) ? readNamedFile(text).toString().trim().split(/\r?\n/).at(-1) : text;
  const { data } = Settings.shape.signingPublicKey.safeParse(key);
  expectArgument(data, 'a public key of minisign, RW and 54 more characters, or a file with it');
  return data;
}

async function verify(
  target: string | undefined,
  { key: chosen, signedFor, digestsOnly }: Options,
  { report, day, out, root, signal }: Context,
): Promise<void> {
  // A site cannot prove its own origin: the key comes from here.
  const settings = existsSync(join(root, 'site/site.json')) ? readSettings(root) : undefined;
  const key = chosen ?? settings?.signingPublicKey;
  const site = (target ?? out).replace(/(?<=.)\/+$/, '');
  if (key === undefined && !digestsOnly) {
    throw inputError(
      site,
      'no key vouches for it. Give the "signingPublicKey" of its repository: --key RW…; or check only digests: --digests-only',
    );
  }

  // Another key may sign for another address.
  const ownUrl = key === settings?.signingPublicKey ? settings?.releasesUrl : undefined;
  const verified = await verifySite(openSite(site, signal), {
    publicKey: digestsOnly ? undefined : key,
    baseUrl: signedFor ?? ownUrl,
    day,
    maxAgeDays: settings?.staleAfterDays ?? 3,
  });

  const { signature } = verified;
  const origin = signature
    ? `Signed for ${signature.baseUrl}, with ${formatCount(signature.statements, 'statement')} about releases. By other keys: ${signature.byOthers}.`
    : 'Their origin is unknown: only digests were compared.';
  report.print(
    `${site}: the index as of ${verified.asOf}; ${formatCount(verified.files, 'file')} as SHA256SUMS lists them.`,
    origin,
  );
  report.document({ site, ...verified });
}
