import type * as More from './more.ts';
import type * as PlanPage from './plan/plan-page.ts';

export type Plans = typeof PlanPage;

/** The script of questions that are not just a name and a version. */
export function loadMore(): Promise<typeof More> {
  // The build writes all scripts to one folder. The variable keeps the bundler from resolving the path.
  const file = './more.js';
  return import(file);
}

/** The script of plans. */
export function loadPlans(): Promise<Plans> {
  const file = './plan.js';
  return import(file);
}
