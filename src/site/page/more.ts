// Loaded with the first question that is not just a name and a version, and with the first list, as `assets/more.js`.

export { askAnything } from './ask-anything.ts';
export { showAddress, showText } from './plan/plan-page.ts';
