import { SiteUrl } from '../../core/schemas/links.ts';
import { show } from '../../core/schemas/problems.ts';
import { UsageError, type Options } from './command.ts';

/** The address of a site in an option or argument of this name, without a slash at its end; undefined where it is not given. */
export function siteUrlOf(name: string, value: Options[string]): string | undefined {
  if (typeof value !== 'string') return undefined;
  const url = value.replace(/\/+$/, '');
  const wrong = SiteUrl.safeParse(url).error?.issues[0];
  if (wrong) throw new UsageError(`${name}: ${wrong.message}; got ${show(url)}`);
  return url;
}
