import * as z from 'zod';
import { quote } from '../../core/text.ts';
import type { HttpResponse } from '../http/client.ts';
import { SourceError } from '../http/failures.ts';
import { readReleases } from '../read-releases.ts';
import { joinUrl } from '../requests.ts';
import type { Datasource } from '../types.ts';

const Entry = z
  .tuple([z.string(), z.string()])
  .transform(([version, commit]) => ({ version, digests: [commit], digest: null }));

/**
 * Asks a Git server for its references (git-scm.com/docs/http-protocol, "Smart Clients"), which states no days. `packageName`: the address
 * for cloning.
 */
export const gitTags: Datasource<{ packageName: string }> = {
  async list({ packageName }, { http }) {
    const response = await http.fetch({
      url: joinUrl(packageName, ['info', 'refs'], 'service=git-upload-pack'),
      accept: 'application/x-git-upload-pack-advertisement',
    });
    return readReleases(response.url, [...readCommits(response)], Entry);
  },
  describe: ({ packageName }) => Promise.resolve({ repository: packageName }),
};

/** In a packet of Git, a line has its length before it; the first reference stands behind a flush. */
const tagForm = /^(?:0000)?[\da-f]{4}([\da-f]{40}) refs\/tags\/([^\0\n]+)/gm;

/** The commit of each tag. That of an annotated tag follows in a line of its own as `name^{}`. Throws if the list is cut, or an error of the server. */
function readCommits({ url, bytes }: HttpResponse): Map<string, string> {
  // A name may be no UTF-8.
  const text = bytes().toString();
  const [, problem] = /^[\da-f]{4}ERR (.*)/m.exec(text) ?? [];
  if (problem !== undefined) {
    throw SourceError.at(url, `Git answered ${quote(problem)}`);
  }
  // The last packet is a flush.
  if (!text.endsWith('0000')) {
    throw SourceError.at(url, 'expected references of Git; got something else, or only a part');
  }

  const tags = text.matchAll(tagForm);
  return new Map(tags.map(([, id = '', name = '']) => [name.replace(/\^\{\}$/, ''), id]));
}
