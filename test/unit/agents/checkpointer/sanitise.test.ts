import assert from "node:assert/strict";
import { NotCheckpointable, sanitise } from "../../../../agents/checkpointer/sanitise";
import type { NodePod } from "../../../../clients/kubernetes/kubelet-api";
import type { Container } from "../../../../clients/kubernetes/objects";
import { credentialHolders } from "../../../../cluster/manifests/control-plane/secrets";
import { shapeProblems } from "../../components/in-cluster/kubernetes-shape";
import { golden } from "../../golden";
import { listedPod } from "./example";

/** Whatever prevents a kubelet from running a static pod. */
const references =
    /serviceAccount|secretKeyRef|configMapKeyRef|configMapRef|secretRef|imagePullSecrets|persistentVolumeClaim|projected|resourceClaims|ephemeralContainers|nodeSelector|affinity|nodeName"|schedulerName|"(secret|configMap)":/;

describe("a sanitised pod", () => {
    it("matches the golden file", () =>
        golden(__dirname, "kube-apiserver-copy", sanitise(listedPod("kube-apiserver"), "/saved")));

    for (const holder of credentialHolders) {
        const pod = listedPod(holder);
        const { spec, address, endpoints, volumes } = sanitise(pod, "/saved");
        const text = JSON.stringify(spec);

        it(`of ${holder} refers to nothing in the API`, () => {
            assert.match(JSON.stringify(pod), references);
            assert.doesNotMatch(text.replaceAll('"spec.nodeName"', ""), references);
            assert.deepEqual(volumes, [
                { name: "credentials", plugin: "kubernetes.io~secret" },
                ...(holder === "kube-apiserver" ? [{ name: "files", plugin: "kubernetes.io~configmap" }] : []),
            ]);
        });

        it(`of ${holder} has only fields that Kubernetes defines`, function () {
            this.timeout(60_000);
            const manifest = { apiVersion: "v1", kind: "Pod", metadata: { name: "copy" }, spec };
            assert.deepEqual(shapeProblems([manifest]), []);
        });

        it(`of ${holder} has its own loopback address everywhere`, () => {
            const parents = pod.metadata.annotations!["tradewind.dev/loopback-address"]!;
            const count = (where: string, what: string) => where.split(what).length - 1;
            assert.notEqual(address, parents);
            assert.equal(count(text, parents), 0);
            assert.equal(count(text, address!), count(JSON.stringify(pod.spec), parents));
            assert.ok(endpoints.length > 0 && endpoints.every(({ host }) => host === address));
        });

        it(`of ${holder} requests a quarter of its parent's CPU, and no memory, so that no other pod is evicted`, () => {
            const milli = (cpu: unknown) => Number(/^([0-9]+)m$/.exec(String(cpu))![1]);
            const requests = (of: readonly Container[]) => of.map(({ resources }) => resources?.requests ?? {});
            assert.deepEqual(
                requests(spec.containers),
                requests(pod.spec.containers).map(({ cpu }) => ({ cpu: `${Math.ceil(milli(cpu) / 4)}m` })),
            );
        });
    }

    it("runs as the same user with the same permissions", () => {
        const pod = listedPod("kube-apiserver");
        const { spec } = sanitise(pod, "/saved");
        assert.deepEqual(spec.securityContext, pod.spec.securityContext);
        const permissions = (containers: readonly Container[]) =>
            containers.map(({ securityContext }) => securityContext);
        assert.deepEqual(permissions(spec.containers), permissions(pod.spec.containers));
    });

    for (const [cpu, part] of [
        ["1", "250m"],
        ["1.5", "375m"],
        ["1m", "1m"],
    ]) {
        it(`with ${cpu} of a CPU gets ${part}`, () => {
            const [container] = sanitise(with_({ resources: { requests: { cpu } } }), "/saved").spec.containers;
            assert.deepEqual(container!.resources, { requests: { cpu: part } });
        });
    }

    it("without a request gets none, and keeps its limits", () => {
        const limits = { memory: "1Gi" };
        const [container] = sanitise(with_({ resources: { limits } }), "/saved").spec.containers;
        assert.deepEqual(container!.resources, { limits });
    });

    it("needs no registry", () => {
        const [container] = sanitise(with_({ imagePullPolicy: "Always" }), "/saved").spec.containers;
        assert.equal(container!.imagePullPolicy, "IfNotPresent");
    });
});

describe("a pod that can't run without the API is rejected with the reason:", () => {
    const env = (valueFrom: object) => with_({ env: [{ name: "PASSWORD", valueFrom }] });
    const volume = (source: object) => pod_({ volumes: [{ name: "v", ...source }] });
    const cases: [string, NodePod, RegExp][] = [
        ["a variable from a Secret", env({ secretKeyRef: {} }), /container c has PASSWORD from a Secret/],
        ["a variable from a ConfigMap", env({ configMapKeyRef: {} }), /container c has PASSWORD from a Secret or Conf/],
        ["variables from a Secret", with_({ envFrom: [{ secretRef: {} }] }), /container c has its environment from/],
        ["a claim", volume({ persistentVolumeClaim: {} }), /volume v is persistentVolumeClaim/],
        ["a service account's token", volume({ projected: {} }), /volume v is projected/],
        ["a device of a container", with_({ resources: { claims: [{ name: "x" }] } }), /container c claims devices/],
        ["a device", pod_({ resourceClaims: [{ name: "x" }] }), /claims devices/],
        ["a RuntimeClass", pod_({ runtimeClassName: "gvisor" }), /RuntimeClass/],
    ];
    for (const [what, pod, message] of cases) {
        it(what, () =>
            assert.throws(
                () => sanitise(pod, "/saved"),
                (error: Error) => error instanceof NotCheckpointable && message.test(error.message),
            ),
        );
    }

    it("but not for a variable from the pod itself", () => {
        const { spec } = sanitise(env({ fieldRef: { fieldPath: "status.hostIP" } }), "/saved");
        assert.deepEqual(spec.containers[0]!.env![0]!.valueFrom, { fieldRef: { fieldPath: "status.hostIP" } });
    });
});

function pod_(fields: object): NodePod {
    const metadata = { name: "p", namespace: "n", uid: "u" };
    return { metadata, spec: { containers: [{ name: "c", image: "i" }], ...fields } };
}

function with_(container: object): NodePod {
    return pod_({ containers: [{ name: "c", image: "i", ...container }] });
}
