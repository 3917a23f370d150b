"use strict";

// What the TypeScript compiler would repeat in every file of the npm package.
exports.__importStar = (module) => (module.__esModule ? module : { ...module, default: module });
exports.__importDefault = (module) => (module.__esModule ? module : { default: module });
