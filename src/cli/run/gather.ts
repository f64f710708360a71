import type { Define } from '../context.ts';
import { gather } from '../sources.ts';

export const define: Define = (command, context) => {
  command
    .argument('[component...]', 'ask only the sources of these components (default: all)')
    .action((names: string[]) => gather(context, { names }));
};
