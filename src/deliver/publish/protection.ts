import { metadataPath } from '../../ask/access/deny.ts';
import type { Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import type { Protection } from '../../core/schemas/access-config.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { accessFile } from '../../io/files/read.ts';
import { openStrangersHttp, type SiteHttpInput } from './site-http.ts';

/** What asks a stranger for a credential, from least to most; `unknown` where the address does not say. */
const degrees = ['nothing', 'mcp', 'everything'] as const satisfies readonly (Protection | 'nothing')[];
export type LiveProtection = (typeof degrees)[number] | 'unknown';

/** Does not throw, whatever the address answers. */
export async function readProtection(baseUrl: string, input: SiteHttpInput): Promise<LiveProtection> {
  const http = openStrangersHttp(input);
  try {
    const file = await ask(http, `${baseUrl}/status.json`);
    if (file === 'refused') return 'everything';
    if (file === 'unknown') return 'unknown';
    const metadata = await ask(http, `${baseUrl}${metadataPath}`);
    return metadata === 'served' ? 'mcp' : metadata === 'absent' ? 'nothing' : 'unknown';
  } finally {
    await http.close();
  }
}

async function ask(http: Http, url: string): Promise<'served' | 'refused' | 'absent' | 'unknown'> {
  try {
    await http.fetch({ url, accept: ['application/json'] });
    return 'served';
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 401) return 'refused';
    // A page in the place of a document is what many hosts answer where there is none; a name may not exist yet.
    return error.kind === 'absent' || error.kind === 'content' ? 'absent' : 'unknown';
  }
}

/** Nobody means to open what is closed by a file that is missing, or by a word that is changed. */
export function weighProtection(
  live: LiveProtection,
  wanted: Protection | undefined,
  isMeant: boolean,
): Finding[] {
  const now = wanted ?? 'nothing';
  if (live === 'unknown' || degrees.indexOf(now) >= degrees.indexOf(live)) return [];
  const change = `what is live asks strangers for a credential for ${said[live]}, and this site would for ${said[now]}`;
  if (isMeant) return [{ level: 'warning', subject: accessFile, message: `${change}. Accepted.` }];
  return [
    problem(
      accessFile,
      `${change}. What is live stays live. If everybody may read it from now on: publish --unprotect`,
    ),
  ];
}

const said = { nothing: 'nothing', mcp: '/mcp', everything: 'everything' };

/** What is wrong with what a stranger is answered at the address; undefined where it is as it should be. */
export async function examineProtection(
  baseUrl: string,
  wanted: Protection,
  input: SiteHttpInput,
): Promise<string | undefined> {
  const live = await readProtection(baseUrl, input);
  if (live === wanted) return undefined;
  if (live === 'unknown') return `${baseUrl}: what a stranger may read could not be found out`;
  return `${baseUrl}: strangers are asked for a credential for ${said[live]}, not for ${said[wanted]}`;
}
