export { cacheDir } from "./cache-dir";
export { type Images, images, imagesFor, mirrorPath } from "./images";
export { KUBERNETES_VERSIONS, type KubernetesVersion, kubernetes, parts, versions } from "./lock";
export type { GoBuild, OfficialRelease, Part } from "./part";
