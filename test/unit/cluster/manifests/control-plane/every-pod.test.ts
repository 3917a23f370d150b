import assert from "node:assert/strict";
import { draftWith } from "../../../../../agents/checkpointer/draft";
import type { NodePod } from "../../../../../clients/kubernetes/kubelet-api";
import { addressAnnotation } from "../../../../../clients/kubernetes/loopback";
import { type Manifest, priorities } from "../../../../../cluster/manifest";
import { controlPlane, selfHostedPod } from "../../../../../cluster/manifests/control-plane";
import type { ComponentPod } from "../../../../../cluster/manifests/control-plane/component-pod";
import { credentialHolders } from "../../../../../cluster/manifests/control-plane/secrets";
import { selfHostedEtcd } from "../../../../../cluster/manifests/etcd/etcd";
import { etcdStaticPod } from "../../../../../cluster/manifests/etcd/member";
import type { Container, Volume } from "../../../../../cluster/manifests/pod";
import { ports } from "../../../../../cluster/network/ports";
import {
    componentPodOf,
    fakeCredentials,
    firstController,
    fixedCluster,
    podSpecOf,
} from "../../../components/in-cluster/fixture";

const cluster = fixedCluster();
const secrets = fakeCredentials(cluster);
const selfHosted = credentialHolders.map((holder) => selfHostedPod(cluster, holder, secrets));
const start = { machine: firstController(cluster), initialCluster: "", initialClusterState: "new" as const };
const etcd = etcdStaticPod(cluster, start);
const withEtcd = fixedCluster({ selfHosted: { etcd: true } });
const standingEtcd = etcdStaticPod(withEtcd, start);

const pods: [string, Manifest][] = [
    ...controlPlane(cluster, secrets)
        .filter(({ kind }) => kind === "DaemonSet")
        .map((manifest): [string, Manifest] => [`self-hosted ${manifest.metadata.name}`, manifest]),
    ["etcd", etcd],
    ["etcd that gives way", standingEtcd],
    ["etcd of the API", selfHostedEtcd(withEtcd, "text")[1]!],
];

for (const [name, manifest] of pods) {
    const spec = podSpecOf(manifest)!;
    const containers = spec.containers as Container[];

    describe(`the ${name} pod`, () => {
        it("has a seccomp profile, and no right beyond what its user has", () => {
            assert.deepEqual((spec.securityContext as { seccompProfile?: object }).seccompProfile, {
                type: "RuntimeDefault",
            });
            for (const { name: container, securityContext } of containers) {
                const { allowPrivilegeEscalation, capabilities, privileged, readOnlyRootFilesystem } =
                    securityContext as Record<string, unknown>;
                assert.equal(allowPrivilegeEscalation, false, container as string);
                assert.equal(readOnlyRootFilesystem, true, container as string);
                assert.deepEqual(capabilities, { drop: ["ALL"] }, container as string);
                assert.equal(privileged, undefined, container as string);
            }
        });

        it("requests the resources it needs, so that the scheduler and the kubelet account for them", () => {
            for (const { name: container, resources } of containers) {
                const { requests } = resources as { requests: Record<string, string> };
                assert.deepEqual(Object.keys(requests), ["cpu", "memory"], container as string);
            }
        });

        it("gives way to nothing but what it stands on", () => {
            const { name: expected } = name.startsWith("etcd") ? priorities.node : priorities.control;
            assert.equal(spec.priorityClassName, expected);
        });

        it("reports when each container is ready", () => {
            for (const { name: container, readinessProbe } of containers) {
                assert.ok(readinessProbe, container as string);
            }
        });

        it("declares no port: the scheduler would take a second generation on the node for a conflict", () => {
            assert.deepEqual(
                containers.filter((container) => container.ports !== undefined),
                [],
            );
            assert.equal(spec.hostNetwork, true);
        });
    });
}

/** The copy of a pod, as a bootstrap writes it. */
function copyOf({ name, address, spec }: ComponentPod): Manifest {
    const annotations = { [addressAnnotation]: address };
    const pod = { metadata: { name, namespace: "kube-system", uid: "", annotations }, spec } as unknown as NodePod;
    return draftWith(pod, `kube-system/${name}`, () => []).manifest("/saved") as Manifest;
}

describe("static pods", () => {
    // The kubelet refuses a static pod that does; or, with a selector, it silently never starts.
    const references =
        /serviceAccountName|secretKeyRef|configMapKeyRef|configMapRef|secretRef|imagePullSecrets|persistentVolumeClaim|projected|resourceClaims|nodeSelector|affinity|nodeName|schedulerName|"(secret|configMap)":/;

    for (const manifest of [...selfHosted.map(copyOf), etcd, standingEtcd]) {
        it(`${manifest.metadata.name} holds no reference to the API, which is not up when it starts`, () => {
            assert.doesNotMatch(JSON.stringify(manifest), references);
            assert.deepEqual(
                (podSpecOf(manifest)!.volumes as Volume[]).filter(
                    ({ hostPath, emptyDir, image }) => !hostPath && !emptyDir && !image,
                ),
                [],
            );
        });
    }
});

describe("generations of the control plane", () => {
    const generations = selfHosted;

    it("have a loopback address each", () => {
        const addresses = generations.map(({ address }) => address);
        assert.equal(new Set(addresses).size, generations.length);
        for (const address of addresses) assert.match(address, /^127\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./);
    });

    it("listen apart from each other on every address and port but the API's own", () => {
        const listeners = generations.flatMap((pod) => listenersOf(pod).map((at) => `${pod.address}:${at}`));
        assert.equal(new Set(listeners).size, listeners.length);
    });

    it("have another address when anything in them changes", () => {
        const changed = fixedCluster({ components: { kubeScheduler: { v: "4" } } });
        assert.notEqual(
            componentPodOf(changed, "kube-scheduler").address,
            componentPodOf(cluster, "kube-scheduler").address,
        );
        assert.equal(
            componentPodOf(changed, "kube-apiserver").address,
            componentPodOf(cluster, "kube-apiserver").address,
        );
    });

    it("have another address with new credentials, since the old pods still run while the new ones start", () => {
        const rotated = { ...secrets, scheduler: { ...secrets.scheduler, cert: "new" } };
        const address = (from: typeof secrets, holder: "kube-scheduler" | "kube-apiserver") =>
            selfHostedPod(cluster, holder, from).address;
        assert.notEqual(address(rotated, "kube-scheduler"), address(secrets, "kube-scheduler"));
        assert.equal(address(rotated, "kube-apiserver"), address(secrets, "kube-apiserver"));
    });

    for (const pod of generations) {
        it(`${pod.name} at ${pod.address} is probed where only it listens`, () => {
            for (const { name, startupProbe, readinessProbe, livenessProbe } of pod.spec.containers as Container[]) {
                for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
                    const host = (probe as { httpGet: { host: string } } | undefined)?.httpGet.host;
                    assert.ok(host === undefined || host === pod.address, `${name} is probed at ${host}`);
                }
            }
        });
    }
});

/** Ports on the generation's own address. */
function listenersOf({ name }: ComponentPod): number[] {
    switch (name) {
        case "kube-apiserver":
            return [ports.kubeApiserver, ports.apiserverGate, ports.haproxyReady];
        case "kube-controller-manager":
            return [ports.kubeControllerManager];
        default:
            return [ports.kubeScheduler];
    }
}
