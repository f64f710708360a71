import { build } from './build.ts';
import type { Invocation } from './command.ts';
import { gather } from './gather.ts';

/** Gather, then build. What gathering could not do does not keep the site from being built; its status is kept. */
export async function start(invocation: Invocation): Promise<number> {
  const gathered = await gather(invocation);
  if (invocation.signal.aborted) return gathered;
  const built = await build(invocation);
  return Math.max(gathered, built);
}
