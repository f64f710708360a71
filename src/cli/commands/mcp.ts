import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { explainError } from '../../ask/answers/explain-error.ts';
import type { PublishedIndex } from '../../ask/answers/published-index.ts';
import { renderClientConfiguration, folderServer } from '../../ask/server/mcp/connection.ts';
import { createMcpServer } from '../../ask/server/mcp/mcp-server.ts';
import { toDay, type Day } from '../../core/model/dates.ts';
import { warning, type Finding } from '../../core/schemas/finding.ts';
import { indexAddress, shared, UsageError, type Command, type Invocation } from '../command.ts';
import { readSiteUrl } from '../option-values.ts';
import { openCheckoutIndex } from '../open-index.ts';
import { openFolder, openPublished, rejectNoIndex } from '../open-published.ts';

const optionTable = { index: indexAddress, ...shared('root', 'as-of') };
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { optional: ['folder'] },
  options: optionTable,
  details: [
    'An agent starts this program, which ends at the end of its input. Its tools answer like "explain" and "search", and list past',
    'and coming changes. Standard output has only answers of the protocol.',
    'It reads definitions and data of the root, the folder of a built site, or a published index, and reads them again each hour.',
    'The configuration of a client, where DIR is the folder:',
    '',
    ...renderClientConfiguration(folderServer)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'For clients that take a URL, the published site has the same tools at /mcp.',
  ],
  examples: [
    ['mcp', 'from components/ and data/'],
    ['mcp dist', 'from a built site'],
    ['mcp --index https://releases.example.com', 'from a published index'],
  ],
  isQuestion: true,
  /** Answers on standard output, and writes nothing else there, until the input ends or a signal comes. */
  async run(invocation) {
    const { options, day, report } = invocation;
    const readToday = () => (options['as-of'] === undefined ? toDay(new Date()) : day);
    // Requests of a published index must not keep the process alive after the end of the input.
    const ending = new AbortController();
    const signal = AbortSignal.any([invocation.signal, ending.signal]);
    const { place, open } = openSource({ ...invocation, signal }, readToday);
    const copy = keepCopy(open);

    try {
      // Rejects a place without an index now, rather than at the first question.
      await copy.read().status().catch(rejectNoIndex(place));

      const onError = (error: unknown) => {
        report.finding(describeFailure(place, error));
        copy.expire();
      };
      const handle = serveStdio(() => createMcpServer({ open: copy.read, onError }), {
        onerror: ({ message }) => report.finding(warning(place, message)),
      });

      // A signal and an unreadable input are ends, too.
      await finished(process.stdin, { signal, writable: false }).catch(() => undefined);
      await handle.close();
      return 0;
    } finally {
      ending.abort();
    }
  },
};

/** A copy of an index is used for an hour. */
const maxAgeMs = 3_600_000;

/** Opens an index now, and again when a question finds an old or expired copy. Questions under way keep their copy. */
function keepCopy(open: () => { index: PublishedIndex }) {
  let { index } = open();
  let openedAt = Date.now();

  return {
    read(): PublishedIndex {
      if (Date.now() - openedAt > maxAgeMs) {
        ({ index } = open());
        openedAt = Date.now();
      }

      return index;
    },
    expire(): void {
      openedAt = 0;
    },
  };
}

/** A warning, with the stack if the error is a bug. */
function describeFailure(place: string, error: unknown): Finding {
  const { message, stack } = error as Error;
  return { ...warning(place, message), stack: explainError(error) ? undefined : stack };
}

/** The folder or address of the index, and how to open it. A client remembers that a host failed, so each opening has its own. */
function openSource(invocation: Invocation<Options>, today: () => Day) {
  const {
    arguments: [argument],
    options,
    root,
  } = invocation;
  const folder = argument && resolve(argument);
  const url = readSiteUrl('--index', options.index);
  if (url !== undefined && folder !== undefined) {
    throw new UsageError(`mcp accepts a folder or --index URL, not both; got ${folder} and ${url}`);
  }
  if (url !== undefined) {
    return { place: url, open: () => openPublished(invocation, url, today) };
  }
  if (folder !== undefined) {
    return { place: folder, open: () => openFolder(folder, today) };
  }

  return { place: root.dir, open: () => openCheckoutIndex(invocation, today) };
}
