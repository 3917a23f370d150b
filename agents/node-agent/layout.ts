/** The file by which the kubelet-wrapper is told what to run: in the directory of every kubelet. */
export const kubeletEnvFile = "kubelet.env";

/** The same of what it ran last, beside it. */
export const runningEnvFile = "running.env";

/** Where the settings of kubelets lie, beside them. */
export const kubeletSettingsDirectory = "settings";

/** A file of the state directory that has the host restart its kubelet, and remove it. */
export const restartRequest = "restart-kubelet";
