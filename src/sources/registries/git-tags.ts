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
 * Reads the tags of a Git server (git-scm.com/docs/http-protocol, "Smart Clients"). The tags have no dates. `packageName`: the URL for
 * cloning.
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

/** Matches a tag in Git's packet format. A length stands before each line, and a flush packet before the first reference. */
const tagForm = /^(?:0000)?[\da-f]{4}([\da-f]{40}) refs\/tags\/([^\0\n]+)/gm;

/**
 * Reads the commit of each tag. The commit of an annotated tag is in a line `name^{}`. Throws if the list is incomplete, or if the server
 * sent an error.
 */
function readCommits({ url, bytes }: HttpResponse): Map<string, string> {
  // Tag names need not be UTF-8, so invalid bytes are replaced.
  const text = bytes().toString();
  const [, problem] = /^[\da-f]{4}ERR (.*)/m.exec(text) ?? [];
  if (problem !== undefined) {
    throw SourceError.at(url, `Git answered ${quote(problem)}`);
  }
  // A complete list ends with a flush packet.
  if (!text.endsWith('0000')) {
    throw SourceError.at(url, 'expected references of Git; got something else, or only a part');
  }

  const tags = text.matchAll(tagForm);
  return new Map(tags.map(([, id = '', name = '']) => [name.replace(/\^\{\}$/, ''), id]));
}
