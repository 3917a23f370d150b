import { existsSync, mkdirSync, mkdtempSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { NodePod } from "../../../../clients/kubernetes/kubelet-api";
import { selfHostedPod } from "../../../../cluster/manifests/control-plane";
import type { CredentialHolder } from "../../../../cluster/manifests/control-plane/secrets";
import { fakeCredentials, fixedCluster } from "../../components/in-cluster/fixture";

const cluster = fixedCluster();

export const startedAt = "2026-01-02T03:04:05Z";

/**
 * A control plane pod as listed by the API, with all that admission, the scheduler and the kubelet add to its template.
 */
export function listedPod(holder: CredentialHolder): NodePod & { spec: Record<string, unknown> } {
    const { address, spec } = selfHostedPod(cluster, holder, fakeCredentials(cluster));
    return {
        metadata: {
            name: `${holder}-abcde`,
            namespace: "kube-system",
            uid: "uid-1",
            labels: { "k8s-app": holder, "controller-revision-hash": "5c8" },
            annotations: { "tradewind.dev/checkpoint": "true", "tradewind.dev/loopback-address": address },
            creationTimestamp: startedAt,
            ownerReferences: [{ kind: "DaemonSet", name: holder, controller: true }],
        },
        spec: {
            ...(spec as unknown as NodePod["spec"]),
            nodeName: "c-controller-0",
            serviceAccount: "default",
            serviceAccountName: "default",
            schedulerName: "default-scheduler",
            priority: 2000001000,
            preemptionPolicy: "PreemptLowerPriority",
            restartPolicy: "Always",
            affinity: { nodeAffinity: {} },
            imagePullSecrets: [{ name: "registry" }],
            ephemeralContainers: [{ name: "debug", image: "busybox" }],
            topologySpreadConstraints: [],
        },
        status: {
            phase: "Running",
            conditions: [{ type: "Ready", status: "True" }],
            containerStatuses: [{ name: holder, ready: true, restartCount: 0, state: { running: { startedAt } } }],
        },
    };
}

/** Writes a pod's volume like the kubelet: a directory per version, and a link to the current one. */
export function layOut(
    kubeletPods: string,
    volume: { readonly plugin: string; readonly name: string; readonly version?: string; readonly since?: string },
    files: Readonly<Record<string, string>>,
): void {
    const { plugin, name, version = "..1", since = startedAt } = volume;
    const directory = join(kubeletPods, "uid-1/volumes", plugin, name);
    for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, version, file)), { recursive: true });
        writeFileSync(join(directory, version, file), text, { mode: 0o440 });
    }
    utimesSync(join(directory, version), new Date(since), new Date(since));
    symlinkSync(version, join(directory, "..data"));
}

/** In memory where possible: every file of a checkpoint is flushed to the disk, which takes long on a busy one. */
export function scratch(): string {
    return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "tradewind-checkpointer-"));
}
