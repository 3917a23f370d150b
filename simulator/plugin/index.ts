export { type Change, compare, type Diff } from "./diff";
export { InitializationError } from "./errors";
export type { Log } from "./log";
export type * from "./provider";
export { serve } from "./serve";
export { containsUnknown, isObject, isUnknown, type Properties, Secret, secret, UNKNOWN } from "./values";
