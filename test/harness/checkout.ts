import { resolve } from 'node:path';

/** The folder of the project: the program, its templates and its README. Its definitions and data belong to whoever owns the index. */
export const checkout = resolve(import.meta.dirname, '../..');

/** A small index that never changes: a component for each policy, corrections, withdrawals, prereleases, hostile texts. */
export const fixtureIndex = resolve(import.meta.dirname, '../fixtures/index');

/** A day on which the index of the fixtures has something to tell. */
export const fixtureDay = '2026-11-20';
