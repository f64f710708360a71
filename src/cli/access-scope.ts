import type { Problem } from '../core/errors.ts';

/** A notice that says what `site/access.json` protects and what it doesn't protect. */
export const accessScope: Problem = {
  subject: 'site/access.json',
  message:
    "decides who may use the Worker's processor time. It does not hide releases, because the files of the site are public. To make a whole index private, use the access control of its host",
  level: 'notice',
};
