import type { z } from 'zod';
import { HttpsUrl, SiteUrl } from '../core/schemas/links.ts';
import { Host } from '../core/schemas/site-config.ts';
import { ask, firstProblem, inputError, type Invocation, type Options } from './command.ts';
import { Forge } from './starter.ts';

interface Prompt {
  /** The option that answers it. */
  readonly option: string;
  readonly text: string;
  readonly schema?: z.ZodType;
  /** Whether to ask after these answers; always where absent. */
  readonly isAsked?: (given: Options) => boolean;
}

const isAtPages = ({ host }: Options) => host === 'pages';

const questions: readonly Prompt[] = [
  {
    option: 'host',
    text: 'Host: cloudflare, pages (GitHub Pages) or files (any other server)? [cloudflare]',
    schema: Host,
  },
  {
    option: 'repository-url',
    text: 'Address of its repository at GitHub, such as https://github.com/me/my-index? [later]',
    schema: HttpsUrl,
    isAsked: isAtPages,
  },
  {
    option: 'releases-url',
    text: 'Address of the site, such as https://releases.example.com? [later]',
    schema: SiteUrl,
    isAsked: (given) => !isAtPages(given),
  },
  {
    option: 'to',
    text: 'Folder that the server serves, such as /srv/releases? [later]',
    isAsked: ({ host }) => host === 'files',
  },
  {
    option: 'ci',
    text: 'Scheduler of the daily run: github, gitlab or none (cron, a container)? [github]',
    schema: Forge,
    isAsked: (given) => !isAtPages(given),
  },
  {
    option: 'private',
    text: 'Readers: your e-mail address makes it private? [everybody]',
    isAsked: ({ host = 'cloudflare' }) => host === 'cloudflare',
  },
  {
    option: 'add',
    text: 'First packages, such as npm @example/agent, or a file such as bom.json? [later]',
  },
];

/** Completes the options with answers on a terminal; unchanged elsewhere, and with --yes. */
export async function askMissingOptions({ options, env }: Invocation): Promise<Options> {
  if (!process.stdin.isTTY || env['CI'] || options['yes'] === true) {
    return options;
  }

  const given: Record<string, Options[string]> = { ...options };

  for (const { option, text, schema, isAsked = () => true } of questions) {
    if (given[option] !== undefined || !isAsked(given)) {
      continue;
    }

    const answer = await askUntilValid(`${text} `, schema);
    if (answer !== '') {
      given[option] = answer;
    }
  }

  return given;
}

async function askUntilValid(question: string, schema: z.ZodType | undefined): Promise<string> {
  const answer = await ask(question);
  if (answer === undefined) {
    throw inputError('init', 'cancelled. Nothing was written');
  }

  const wrong = answer === '' ? undefined : schema?.safeParse(answer).error;

  return wrong ? askUntilValid(`${firstProblem(wrong)}. ${question}`, schema) : answer;
}
