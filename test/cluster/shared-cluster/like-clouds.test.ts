import assert from "node:assert/strict";
import { images } from "../../../versions/images";
import { eventually } from "../cluster";
import { shared, sharedCluster } from "../shared";

interface Pod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName: string };
}

interface Node {
    readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
}

/** A pod that runs a command once. */
const podOf = (name: string, script: string, spec: object = {}, container: object = {}) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
        restartPolicy: "Never",
        terminationGracePeriodSeconds: 0,
        ...spec,
        containers: [{ name: "c", image: images.busybox, command: ["sh", "-c", script], ...container }],
    },
});

describe("a local cluster", function () {
    this.timeout(240_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    const succeeded = (pod: string) =>
        eventually(
            `the end of pod ${pod}`,
            async () => {
                const { status } = await shared.get<{ status: { phase: string } }>("pod", pod);
                assert.equal(status.phase, "Succeeded", JSON.stringify(status));
            },
            120,
        );

    it("runs each replica of cluster DNS on another node", async () => {
        const { items } = await shared.get<{ items: Pod[] }>("pods", "-n", "kube-system", "-l", "k8s-app=kube-dns");
        const nodes = items.map(({ spec }) => spec.nodeName);
        assert.equal(nodes.length, 2);
        assert.equal(new Set(nodes).size, 2, nodes.join(", "));
    });

    it("has machines in different zones", async () => {
        const { items } = await shared.get<{ items: Node[] }>("nodes");
        const zones = items.map(({ metadata }) => [metadata.name, metadata.labels["topology.kubernetes.io/zone"]]);
        assert.deepEqual(Object.fromEntries(zones), {
            [`${shared.name}-controller-0`]: "local-a",
            [`${shared.name}-default-0`]: "local-a",
            [`${shared.name}-default-1`]: "local-b",
        });
    });

    it("creates a volume for a claim, keeps what a pod writes, and removes it with the claim", async () => {
        const name = "like-clouds";
        const volumes = { volumes: [{ name: "data", persistentVolumeClaim: { claimName: name } }] };
        const mounted = { volumeMounts: [{ name: "data", mountPath: "/data" }] };
        const user = { securityContext: { runAsUser: 1234, runAsGroup: 1234, fsGroup: 1234 } };
        await shared.apply({
            apiVersion: "v1",
            kind: "PersistentVolumeClaim",
            metadata: { name },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Mi" } } },
        });
        try {
            const write = podOf(`${name}-write`, "echo kept >/data/file && sync", { ...volumes, ...user }, mounted);
            await shared.apply(write);
            await succeeded(`${name}-write`);
            await shared.apply(podOf(`${name}-read`, "cat /data/file", volumes, mounted));
            await succeeded(`${name}-read`);
            assert.equal(await shared.kubectl("logs", `${name}-read`), "kept\n");
        } finally {
            await shared.kubectl("delete", "pod", `${name}-write`, `${name}-read`, "--ignore-not-found");
            await shared.kubectl("delete", "pvc", name);
        }
        const left = async () => assert.equal(await shared.kubectl("get", "pv", "-o", "name"), "");
        await eventually("the end of the volume", left, 120);
        for (const machine of ["default-0", "default-1"]) {
            const files = await shared.exec(
                `${shared.name}-${machine}`,
                "ls /var/lib/tradewind/volumes 2>/dev/null; true",
            );
            assert.equal(files, "");
        }
    });

    it("runs a pod as root of a user namespace only", async () => {
        const name = "like-clouds-user";
        await shared.apply(podOf(name, "cat /proc/self/uid_map", { hostUsers: false }));
        try {
            await succeeded(name);
            const [inside, outside, count] = (await shared.kubectl("logs", name)).trim().split(/\s+/).map(Number);
            assert.equal(inside, 0);
            assert.notEqual(outside, 0);
            assert.equal(count, 65_536);
        } finally {
            await shared.kubectl("delete", "pod", name);
        }
    });
});
