import type { Mutant } from './instrument.ts';

/** Changes that no test can notice, with the reason. */
export const unnoticeable: readonly (Omit<Mutant, 'id' | 'line'> & { readonly reason: string })[] =
  [];
