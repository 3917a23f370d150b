import type { Volume, VolumeMount } from "../pod";

const folder = "/var/lib/cni";

/**
 * Shell command that removes the empty files that a power cut leaves. CNI plugins write their state without `fsync`, and then
 * fail to parse it: a pod's network can never be removed, so the kubelet never starts the pod again. Looks twice,
 * because a plugin may be about to write.
 */
export const repairCniState = `empty=$(find ${folder} -type f ! -name lock -size 0) && { [ -z "$empty" ] || { sleep 1 && find $empty -size 0 -exec rm -f {} +; }; }`;

/** Where that command finds the plugins' state. */
export const cniState = {
    mount: { name: "cni-state", mountPath: folder } satisfies VolumeMount,
    volume: { name: "cni-state", hostPath: { path: folder, type: "DirectoryOrCreate" } } satisfies Volume,
};
