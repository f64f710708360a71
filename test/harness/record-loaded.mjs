// Given to a program with --import: writes down the address of every module that the program loads.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
    return next(url, context);
  },
});
