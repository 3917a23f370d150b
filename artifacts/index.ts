export { ensure, type FillOptions } from "./fill";
export { etcd, kubernetes, parts } from "./lock";
export type { GoBuild, OfficialRelease, Part } from "./part";
export { missingPrerequisites, prerequisites } from "./prerequisites";
export { programPath } from "./programs";
