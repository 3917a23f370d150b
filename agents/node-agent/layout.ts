/** The file by which the kubelet-wrapper is told what to run: in the directory of every kubelet. */
export const kubeletEnvFile = "kubelet.env";

/** The same of what it ran last, beside it. */
export const runningEnvFile = "running.env";

/** The same of the kubelet that runs as a pod, beside them: docs/levels.md. */
export const podEnvFile = "pod.env";

/** The label `k8s-app` of kubelets' pods. */
export const kubeletPodApp = "kubelet";

/** Where the settings of kubelets lie, beside them. */
export const kubeletSettingsDirectory = "settings";

/** A file of the state directory that has the host restart its kubelet, and remove it. */
export const restartRequest = "restart-kubelet";

/** A file of the state directory with an id of this boot: the host writes it before the kubelet starts. */
export const bootFile = "boot";

/** The same id, from when on the host's OS asks for a reboot. */
export const rebootWantedFile = "reboot-wanted";

/** A file with that id has the host reboot once, and rename it to the other one. */
export const rebootRequest = "reboot";
export const rebootTaken = "reboot-taken";

/** The file that says which CNI plugins a machine has, and installs when it boots: in the directory of them all. */
export const cniPluginsEnvFile = "plugins.env";

/** An archive of plugins beside it. That of the plugins which the machine has is there: else it installs them anew at its boot. */
export function cniPluginsArchive(sha256: string): string {
    return `cni-plugins-${sha256}.tgz`;
}
