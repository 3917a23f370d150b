/** The file that tells the kubelet-wrapper what to run, in the directory of all kubelets. */
export const kubeletEnvFile = "kubelet.env";

/** The same for what it ran last. */
export const runningEnvFile = "running.env";

/** The same for the kubelet that runs as a pod: docs/levels.md. */
export const podEnvFile = "pod.env";

/** The `k8s-app` label of kubelet pods. */
export const kubeletPodApp = "kubelet";

/** Directory of kubelet settings, next to the kubelets. */
export const kubeletSettingsDirectory = "settings";

/** A file in the state directory that makes the host restart its kubelet and remove the file. */
export const restartRequest = "restart-kubelet";

/** A file in the state directory to which the host writes the last error of a kubelet that ended with one. */
export const kubeletErrorFile = "kubelet-error";

/** A file in the state directory with the ID of this boot, which the host writes before the kubelet starts. */
export const bootFile = "boot";

/** The same ID, once the host's OS requests a reboot. */
export const rebootRequestedFile = "reboot-requested";

/** A file with that ID makes the host reboot once and rename it to the other one. */
export const rebootRequest = "reboot";
export const rebootTaken = "reboot-taken";

/** The file that records a machine's CNI plugins, which it installs when it boots, in the directory of all plugins. */
export const cniPluginsEnvFile = "plugins.env";

/** An archive of plugins next to it. The current one must exist: otherwise the machine downloads it when it boots. */
export function cniPluginsArchive(sha256: string): string {
    return `cni-plugins-${sha256}.tgz`;
}

/** The programs of a container runtime, in its own directory. */
export const runtimePrograms = ["containerd", "containerd-shim-runc-v2", "ctr", "runc"] as const;

/** Name of that directory, which identifies a runtime. */
export function runtimeId({ containerd, runc }: Readonly<Record<"containerd" | "runc", { readonly sha256: string }>>) {
    return `${containerd.sha256.slice(0, 12)}-${runc.sha256.slice(0, 12)}`;
}

/** Next to them: the link to the host's current one. */
export const currentRuntime = "current";

/** A file with the ID of the one that was started last. */
export const runningRuntime = "running";

/** A file with the ID of the one that the host should switch to. */
export const runtimeRequest = "request";

/** A file with the ID of the one that the host reverts to, unless the node-agent removes the file in time. */
export const runtimeTrial = "trial";

/** A file with the reason for a revert. */
export const runtimeFault = "fault";
