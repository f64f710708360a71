import * as z from 'zod';
import { documented } from '../../core/schemas/keys.ts';
import { UpstreamUrl } from '../../core/schemas/urls.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { HttpResponse } from '../../io/http/client.ts';
import { defineSource, type SourceContext, SourceError } from './datasource.ts';
import { toElements, readReleases } from './shared/document.ts';
import { joinUrl, resolveAtHost } from './shared/requests.ts';

const service = 'git-upload-pack';
const tags = 'refs/tags/';

/** An older server lists all references, several for each change that was ever proposed. */
const maxReferences = 500_000;
const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * Asks a Git server over HTTP for its tags only, by protocol version 2 (git-scm.com/docs/gitprotocol-v2). An older server lists
 * all references (git-scm.com/docs/gitprotocol-http). Neither version states the days of tags.
 */
export const gitTags = defineSource({
  datasource: 'git-tags',
  coordinates: {
    packageName: documented(
      UpstreamUrl.refine((text) => !/[?#]/.test(text), {
        error: 'expected an address without ? and #',
      }),
      'Address for cloning the repository over https.',
      'https://git.example.com/owner/repo.git',
    ),
  },
  renovate: ({ packageName }) => {
    const repository = packageName.replace(/(?:\.git)?\/*$/, '');
    return {
      matchDatasources: ['git-tags'],
      matchPackageNames: [repository, `${repository}.git`],
    };
  },
  async gather({ packageName: repository }, context) {
    const answer = await context.http.fetch({
      url: joinUrl(repository, ['info', 'refs'], `service=${service}`),
      accept: [`application/x-${service}-advertisement`],
      headers: { 'git-protocol': 'version=2' },
    });
    const advertised = readPktLines(answer);
    const lines = advertised.includes('version 2')
      ? await fetchTagLines(repository, answer, advertised, context)
      : advertised;
    const elements = toElements(readCommits(lines));
    return readReleases(answer.url, elements, z.string(), (id, tag) => ({
      digests: { [tag]: id },
    }));
  },
  describe: ({ packageName: repository }) => Promise.resolve({ repository }),
});

/** Asks for the tags, at the address after redirects. */
async function fetchTagLines(
  repository: string,
  answer: HttpResponse,
  capabilities: readonly string[],
  { http }: SourceContext,
): Promise<string[]> {
  const formats = capabilities.filter((line) => line.startsWith('object-format='));
  const command = ['command=ls-refs', ...formats].map(encodePktLine);
  const options = ['peel', `ref-prefix ${tags}`].map(encodePktLine);

  const response = await http.fetch({
    url: resolveAtHost(answer, `../${service}`, service),
    namedUrl: repository,
    method: 'POST',
    body: {
      type: `application/x-${service}-request`,
      text: [...command, '0001', ...options, flush].join(''),
    },
    accept: [`application/x-${service}-result`],
    headers: { 'git-protocol': 'version=2' },
  });
  return readPktLines(response);
}

/**
 * The commit of each tag, whose id is the digest of its content. The commit of an annotated tag follows in the same line, or in
 * another line as `name^{}`.
 */
function readCommits(lines: readonly string[]): Map<string, string> {
  const commits = new Map<string, string>();
  for (const line of lines) {
    const [id = '', reference = '', ...attributes] = line.split(/[ \0]/);
    if (!commitId.test(id) || !reference.startsWith(tags)) {
      continue;
    }

    const peeled = attributes.find((attribute) => attribute.startsWith('peeled:'));
    const tag = reference.slice(tags.length).replace(/\^\{\}$/, '');
    commits.set(tag, peeled?.replace('peeled:', '') ?? id);
  }

  return commits;
}

/** The packet that ends an answer. */
const flush = '0000';

/**
 * The packets of Git's answer (git-scm.com/docs/gitprotocol-common, "pkt-line Format"), without line feeds at their ends. Throws
 * for an incomplete answer, and for an error message of the server.
 */
function readPktLines({ url, body }: HttpResponse): string[] {
  const lines: string[] = [];
  let position = 0;
  let digits = '';

  while (position < body.length) {
    digits = body.toString('latin1', position, position + 4);
    const length = readPktLength(digits);
    if (length === undefined || position + length > body.length) {
      const problem = `expected packets of Git; got something else at byte ${position + 1}`;
      throw SourceError.at(url, problem);
    }

    // A name that is not UTF-8 gets a character that no version has.
    const line = body.toString('utf8', position + 4, position + length).replace(/\n$/, '');
    if (line.startsWith('ERR ')) {
      throw SourceError.at(url, `Git answered ${quote(line.slice(4))}`);
    }
    if (length > 4) {
      if (lines.length === maxReferences) {
        throw SourceError.at(url, `lists more than the ${maxReferences} references that we read`);
      }
      lines.push(line);
    }

    position += length;
  }

  if (digits !== flush) {
    throw SourceError.at(url, `expected the packet ${flush} at the end; got ${quote(digits)}`);
  }
  return lines;
}

/** The length of a packet, including these four digits; undefined if the text is no length. */
function readPktLength(digits: string): number | undefined {
  if (!/^[0-9a-f]{4}$/i.test(digits)) {
    return undefined;
  }

  // 0, 1 and 2 mark the end of a message or of a part of it, without content.
  const length = Number.parseInt(digits, 16);
  return length === 3 ? undefined : Math.max(length, 4);
}

/** A line as a packet, whose length includes these four digits and the line feed. */
function encodePktLine(line: string): string {
  return `${(Buffer.byteLength(line) + 5).toString(16).padStart(4, '0')}${line}\n`;
}
