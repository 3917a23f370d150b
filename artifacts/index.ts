export { cacheDir, fileIndex, programPath } from "./cache";
export { takeFileLock } from "./file-lock";
export { ensure, type FillOptions } from "./fill";
export { type Images, images, imagesFor, mirrorPath } from "./images";
export {
    CONTAINERD_VERSIONS,
    type ContainerdVersion,
    ETCD_VERSIONS,
    type EtcdVersion,
    etcd,
    KUBERNETES_VERSIONS,
    type KubernetesVersion,
    kubernetes,
    NEWEST_PATCHES,
    parts,
    versions,
} from "./lock";
export type { GoBuild, OfficialRelease, Part } from "./part";
export { missingPrerequisites, prerequisites } from "./prerequisites";
