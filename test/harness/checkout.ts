import { resolve } from 'node:path';

/** The folder of the project, with the real definitions and data. */
export const checkout = resolve(import.meta.dirname, '../..');
