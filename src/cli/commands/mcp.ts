import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { explainError } from '../../ask/answers/explain-error.ts';
import type { PublishedIndex } from '../../ask/answers/published-index.ts';
import { renderClientConfiguration, folderServer } from '../../ask/server/mcp/connection.ts';
import { createMcpServer } from '../../ask/server/mcp/mcp-server.ts';
import { toDay, type Day } from '../../core/model/dates.ts';
import { warning } from '../../core/schemas/finding.ts';
import {
  index,
  shared,
  readSiteUrl,
  UsageError,
  type Command,
  type Invocation,
} from '../command.ts';
import { openCheckoutIndex } from '../open-index.ts';
import {
  explainIndexError,
  openFolder,
  openPublished,
  type OpenedIndex,
} from '../open-published.ts';

const optionTable = { index, ...shared('root', 'as-of') };
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { optional: ['folder'] },
  options: optionTable,
  details: [
    'An agent starts this program, which ends at the end of its input. Its tools answer like "explain" and "search", and list past',
    'and coming changes. Standard output has only answers of the protocol.',
    'It reads definitions and data of the root, the folder of a built site, or a published index, which it reads again each hour.',
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
    const { options, day, report, signal } = invocation;
    const readToday = () => (options['as-of'] === undefined ? toDay(new Date()) : day);
    const { place, open } = openSource(invocation, readToday);
    const copy = keepCopy(open);
    await tryIndex(place, copy);

    const onError = (error: unknown) => {
      const { message, stack } = error as Error;
      report.finding({
        ...warning(place, message),
        stack: explainError(error) ? undefined : stack,
      });
      copy.expire();
    };
    const handle = serveStdio(() => createMcpServer({ open: copy.read, onError }), {
      onerror: ({ message }) => report.finding(warning(place, message)),
    });

    // A signal and an unreadable input are ends, too.
    await finished(process.stdin, { signal, writable: false }).catch(() => undefined);
    await handle.close();
    await copy.close();
    return 0;
  },
};

/** A copy of a published index is used for an hour, then read again. */
const maxAgeMs = 3_600_000;

/** Opens an index now, and again where a question comes to an old or expired copy. */
function keepCopy(open: () => OpenedIndex) {
  let opened = open();
  let openedAt = Date.now();

  return {
    async read(): Promise<PublishedIndex> {
      if (Date.now() - openedAt > maxAgeMs) {
        const oldCopy = opened;
        opened = open();
        openedAt = Date.now();
        await oldCopy.close?.();
      }

      return opened.index;
    },
    expire(): void {
      openedAt = 0;
    },
    async close(): Promise<void> {
      await opened.close?.();
    },
  };
}

/** The folder or address of the index, and how to open it. */
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

  return { place: root.dir, open: () => openCheckoutIndex({ ...invocation, day: today() }) };
}

/** Rejects a place without an index now, rather than at the first question. */
async function tryIndex(place: string, copy: ReturnType<typeof keepCopy>): Promise<void> {
  try {
    const index = await copy.read();
    await index.status();
  } catch (error) {
    await copy.close();
    throw explainIndexError(place, error) ?? error;
  }
}
