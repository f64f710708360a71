import type { Define } from '../context.ts';
import { gather } from '../sources.ts';

export const define: Define = (command, context) => {
  command
    .argument('[component...]', 'only these')
    .action((names: string[]) => gather(context, names));
};
