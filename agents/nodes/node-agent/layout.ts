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

/** The programs of a container runtime: each runtime's are in a directory of its own. */
export const runtimePrograms = ["containerd", "containerd-shim-runc-v2", "ctr", "runc"] as const;

/** That directory's name, by which a runtime is known. */
export function runtimeId({ containerd, runc }: Readonly<Record<"containerd" | "runc", { readonly sha256: string }>>) {
    return `${containerd.sha256.slice(0, 12)}-${runc.sha256.slice(0, 12)}`;
}

/** Beside them: the link to the one that the host has. */
export const currentRuntime = "current";

/** A file with the id of the one that was started last. */
export const runningRuntime = "running";

/** A file with the id of the one that the host is to have. */
export const runtimeRequest = "request";

/** A file with the id of the one to which the host goes back by itself, unless the node-agent removes it in time. */
export const runtimeTrial = "trial";

/** A file that says why it went back. */
export const runtimeFault = "fault";
