import type { LastingCredentials } from "../cluster/credentials";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { checkpointer } from "./checkpointer";
import { clusterInfo } from "./cluster-info";
import { disruptionBudgets } from "./disruption";
import { kubeApiserverPod } from "./kube-apiserver";
import { kubeControllerManagerPod } from "./kube-controller-manager";
import { kubeSchedulerPod } from "./kube-scheduler";
import { kubeSystemPolicy } from "./kube-system-policy";
import { placementPolicy } from "./placement-policy";
import { type ComponentPod, controllerDaemonSet, type Generation } from "./pod";
import { rbacManifests } from "./rbac";
import { type CredentialHolder, credentialDigest, credentialHolders, credentialSecret, keysOf } from "./secrets";

/**
 * The control plane's objects that need no secret: known in the first preview.
 *
 * @param checkpointerProgram - source text of the checkpointer
 */
export function controlPlaneBase(cluster: Cluster, checkpointerProgram: string): Manifest[] {
    return [
        ...rbacManifests(cluster),
        ...placementPolicy(cluster),
        ...kubeSystemPolicy(),
        ...disruptionBudgets(cluster),
        ...checkpointer(cluster, checkpointerProgram),
    ];
}

/** The control plane's objects that depend on the PKI. */
export function controlPlane(cluster: Cluster, secrets: LastingCredentials): Manifest[] {
    return [
        clusterInfo(cluster, secrets.kubernetesCa.cert),
        ...credentialHolders.flatMap((holder) => [
            credentialSecret(cluster, holder, secrets),
            componentDaemonSet(cluster, holder, secrets),
        ]),
    ];
}

/** A component's self-hosted generation, as its DaemonSet runs it. */
export function selfHostedPod(cluster: Cluster, holder: CredentialHolder, secrets: LastingCredentials): ComponentPod {
    return buildPod(cluster, holder, { kind: "self-hosted", digest: credentialDigest(cluster, holder, secrets) });
}

/** A component's temporary generation, as a static pod runs it. */
export function temporaryPod(cluster: Cluster, holder: CredentialHolder): ComponentPod {
    return buildPod(cluster, holder, { kind: "temporary" });
}

function componentDaemonSet(cluster: Cluster, holder: CredentialHolder, secrets: LastingCredentials): Manifest {
    // New credentials roll the pods; a mounted Secret alone would change under a running process.
    const annotations = {
        "tradewind.dev/credentials": credentialDigest(cluster, holder, secrets),
        ...keysOf(cluster, holder),
    };
    return controllerDaemonSet(selfHostedPod(cluster, holder, secrets), annotations);
}

function buildPod(cluster: Cluster, holder: CredentialHolder, generation: Generation): ComponentPod {
    switch (holder) {
        case "kube-apiserver":
            return kubeApiserverPod(cluster, generation);
        case "kube-controller-manager":
            return kubeControllerManagerPod(cluster, generation);
        case "kube-scheduler":
            return kubeSchedulerPod(cluster, generation);
    }
}
