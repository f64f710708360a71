import { z } from 'zod';
import { readPublishedIndex, type PublishedIndex } from './diff.ts';
import type { Http } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { DaySchema } from '../model/scalars.ts';
import { digestsFile, parseDigests } from '../site/digests.ts';
import { sha256 } from '../store/sha256.ts';

/** What is served at the public address now. */
export interface LiveSite {
  asOf: string;
  digests: ReadonlyMap<string, string>;
  index: PublishedIndex;
}

/** `silent`: no release index is served there, so there is nothing to compare with; the reason says what was found. */
export type Live = { kind: 'site'; site: LiveSite } | { kind: 'silent'; reason: string };

const LiveStatus = z.object({ asOf: DaySchema });

/** Does not throw, whatever the address answers. */
export async function readLive(http: Http, baseUrl: string): Promise<Live> {
  const json = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const answer = await http.fetch({ url: `${baseUrl}/${path}`, accept: ['application/json'] });
    const parsed = schema.safeParse(answer.json());
    if (!parsed.success) throw new Error(`${path} is not a document of a release index`);
    return parsed.data;
  };
  try {
    const { asOf } = await json('status.json', LiveStatus);
    const list = await http.fetch({ url: `${baseUrl}/${digestsFile}`, accept: ['text/plain'] });
    const digests = parseDigests(list.text()).set(digestsFile, sha256(list.body));
    return { kind: 'site', site: { asOf, digests, index: await readPublishedIndex(json) } };
  } catch (error) {
    if (!(error instanceof HttpError))
      return { kind: 'silent', reason: `${baseUrl}: ${(error as Error).message}` };
    const reason = error.kind === 'absent' ? `nothing is published at ${baseUrl} yet` : error.message;
    return { kind: 'silent', reason };
  }
}
