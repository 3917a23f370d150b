import { generateKeyPairSync } from "node:crypto";
import { keysAnnotations, resolveKeys } from "../../../../../cluster/keys/lists";
import { secretsRewriteJobName } from "../../../../../cluster/manifests/control-plane/secrets-rewrite";
import type { KeyOptions } from "../../../../../cluster/options";
import { keyId } from "../../../../../components/upgrade/key-guard";
import { Authority } from "../../../agents/boot/receiver/authority";
import { failingAgent, pod } from "./shown-cluster";
import type { Shown, Situations } from "./situation";

const namespace = "kube-system";
const of = (keys: KeyOptions) => ({ keys });
const annotations = (keys: KeyOptions) => keysAnnotations(resolveKeys(keys));
const [second, first] = [2, 1].map(() => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return publicKey.export({ type: "spki", format: "pem" }) as string;
}) as [string, string];
const base64 = (text: string) => Buffer.from(text).toString("base64");
const rewriteJob = secretsRewriteJobName({ encryption: [1, "plain"] });
const signing: KeyOptions = { serviceAccount: [2, 1] };

/** Pods of kube-apiserver that have signed with the second key since then. */
const signs = (startTime: string) =>
    [0, 1, 2].map((index) =>
        pod("kube-apiserver", "1.35.4", { on: `c-controller-${index}`, annotations: annotations(signing), startTime }),
    );
const verifiers: Shown = {
    kind: "Secret",
    metadata: { name: "kube-apiserver", namespace, annotations: annotations(signing) } as Shown["metadata"],
    data: { "service-account.pub": base64(`${second}${first}`) },
};
const lastingToken: Shown = {
    kind: "Secret",
    type: "kubernetes.io/service-account-token",
    metadata: { name: "till-token", namespace: "shop" },
    data: { token: base64(`${Buffer.from(JSON.stringify({ kid: keyId(first) })).toString("base64url")}.e30.x`) },
};
const both = { keys: { kubernetesCa: [1, 2] } };

/** CAs published to pods of a namespace since the second CA was added. */
function published(): Shown {
    const authorities = ["kubernetes-ca", "kubernetes-ca-2"].map((name) => new Authority(name));
    const ca = authorities.map((each) => each.ca).join("");
    for (const each of authorities) each.remove();
    const creationTimestamp = "2026-01-01T01:00:00Z";
    const metadata = { name: "kube-root-ca.crt", namespace: "shop", creationTimestamp };
    return { kind: "ConfigMap", metadata, data: { "ca.crt": ca } };
}

/** A pod that got the CAs before. */
const reader: Shown = {
    kind: "Pod",
    metadata: {
        name: "till-5f-x5x9p",
        namespace: "shop",
        labels: { "pod-template-hash": "5f" },
        creationTimestamp: "2026-01-01T00:00:00Z",
        ownerReferences: [{ kind: "ReplicaSet", name: "till-5f", controller: true }],
    } as Shown["metadata"],
    spec: {
        containers: [],
        volumes: [{ projected: { sources: [{ configMap: { name: "kube-root-ca.crt" } }] } }],
    },
    status: { containerStatuses: [{ state: { running: { startedAt: "2026-01-01T00:00:01Z" } } }] },
};

const etcdPod = (index: number, etcdCa: number[]): Shown => ({
    kind: "Pod",
    metadata: {
        name: `etcd-c-controller-${index}`,
        namespace,
        labels: { "k8s-app": "etcd" },
        annotations: annotations({ etcdCa }),
    } as Shown["metadata"],
    spec: { nodeName: `c-controller-${index}`, containers: [] },
    status: {},
});

/** Keys that some component would not accept, or still uses. */
export const illegalKeys: Situations = {
    "a new key signs tokens at once": { desired: of(signing) },
    "a new key replaces the signing one": { desired: of({ serviceAccount: [2] }) },
    "a key is removed while it signs": {
        reported: of({ serviceAccount: [1, 2] }),
        desired: of({ serviceAccount: [2] }),
    },
    "a new key signs while a pod does not have it yet": {
        reported: of({ serviceAccount: [1, 2] }),
        runs: [pod("kube-apiserver", "1.35.4", { annotations: annotations({}) })],
        desired: of(signing),
    },
    "a key is removed while pods have its tokens": {
        reported: of(signing),
        runs: [...signs("2099-12-31T00:00:00Z"), verifiers],
        desired: of({ serviceAccount: [2] }),
    },
    "a key is removed while a Secret has its token": {
        reported: of(signing),
        runs: [...signs("2026-01-01T00:00:00Z"), verifiers, lastingToken],
        desired: of({ serviceAccount: [2] }),
    },
    "Secrets are encrypted at once": { reported: of({ encryption: ["plain"] }), desired: of({ encryption: [1] }) },
    "plain-text Secrets are no longer read, but some exist": {
        reported: of({ encryption: [1, "plain"] }),
        runs: [{ kind: "Job", metadata: { name: rewriteJob, namespace }, status: {} }],
        desired: of({ encryption: [1] }),
    },
    "a new CA for aggregated APIs issues at once": { desired: of({ frontProxyCa: [2, 1] }) },
    "a new CA of etcd issues at once": { desired: of({ etcdCa: [2, 1] }) },
    "it issues, and a member does not trust it": {
        reported: of({ etcdCa: [1, 2] }),
        runs: [etcdPod(1, [1])],
        desired: of({ etcdCa: [2, 1] }),
    },
    "an abandoned CA of etcd is added again": {
        runs: [etcdPod(0, [1, 2])],
        desired: of({ etcdCa: [1, 2] }),
    },
    "another authority of Kubernetes issues at once": { desired: of({ kubernetesCa: [2, 1] }) },
    "it is distrusted while it issues": { reported: both, desired: of({ kubernetesCa: [2] }) },
    "it issues before it is published to pods": {
        reported: both,
        runs: [{ ...published(), data: {} }],
        desired: of({ kubernetesCa: [2, 1] }),
    },
    "it issues, and pods do not trust it": {
        reported: both,
        runs: [published(), reader],
        desired: of({ kubernetesCa: [2, 1] }),
    },
    "the first is removed while a kubelet may have its certificate": {
        reported: of({ kubernetesCa: [2, 1] }),
        runs: [failingAgent("c-a-0")],
        desired: of({ kubernetesCa: [2] }),
    },
};
