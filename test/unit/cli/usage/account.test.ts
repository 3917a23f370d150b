import assert from "node:assert/strict";
import { account, type Observed, requestOf } from "../../../../cli/usage/account";
import { observe } from "../../../../cli/usage/command";
import { quantity } from "../../../../cli/usage/quantity";
import { renderUsage } from "../../../../cli/usage/render";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import type { Container, Pod } from "../../../../clients/kubernetes/objects";

const container = (cpu: string, memory: string, more: object = {}): Container => ({
    name: "a",
    image: "a",
    resources: { requests: { cpu, memory } },
    ...more,
});
const pod = (namespace: string, name: string, nodeName: string | undefined, spec: object, phase = "Running"): Pod =>
    ({ metadata: { namespace, name }, spec: { ...(nodeName && { nodeName }), ...spec }, status: { phase } }) as Pod;
const node = (name: string, pool: string, type: string) => ({
    metadata: { name, labels: { "node.kubernetes.io/pool": pool, "node.kubernetes.io/instance-type": type } },
    status: { allocatable: { cpu: "2", memory: "4Gi" } },
});

const observed: Observed = {
    nodes: [node("c", "controller", "t3.medium"), node("a", "default", "t3.medium"), node("b", "default", "t3.medium")],
    pods: [
        pod("kube-system", "api", "c", { containers: [container("500m", "512Mi"), container("500m", "512Mi")] }),
        pod("shop", "till", "a", { containers: [container("1", "1Gi")] }),
        pod("shop", "job", "b", { containers: [container("2", "4Gi")] }, "Succeeded"),
        pod("shop", "waits", undefined, { containers: [container("2", "4Gi")] }, "Pending"),
    ],
    prices: {},
};
const month = 0.0416 * 730;

describe("what pods request and use", () => {
    it("is read from quantities of every kind", () => {
        const texts = ["100m", "1", "0.5", "1Gi", "2k", "1e3", "250000n", "", undefined, "much", "1Xi"];
        assert.deepEqual(texts.map(quantity), [0.1, 1, 0.5, 2 ** 30, 2000, 1000, 0.00025, 0, 0, 0, 0]);
    });

    it("is what the scheduler reserves, with init containers, sidecars and overhead", () => {
        const init = [container("3", "1Mi"), container("1", "2Mi", { restartPolicy: "Always" }), container("1", "5Mi")];
        const spec = { initContainers: init, containers: [container("500m", "4Mi")], overhead: { cpu: "250m" } };
        assert.deepEqual(requestOf(pod("a", "a", "n", spec)), { cpu: 3.25, memory: 7 * 2 ** 20 });
    });

    it("is added up by pool and namespace, for pods that run, with their part of the price", () => {
        const { pools, namespaces, free, unpriced } = account(observed);
        assert.deepEqual(
            pools.map(({ name, count, requested, price }) => [name, count, requested.cpu, price]),
            [
                ["controller", 1, 1, month],
                ["default", 2, 1, 2 * month],
            ],
        );
        assert.deepEqual(
            namespaces.map(({ name, count, requested, price }) => [name, count, requested.memory, price]),
            [
                ["kube-system", 1, 2 ** 30, 0.375 * month],
                ["shop", 1, 2 ** 30, 0.375 * month],
            ],
        );
        assert.equal(free!.toFixed(6), (2.25 * month).toFixed(6));
        assert.deepEqual(unpriced, []);
    });

    it("has no price of a namespace if that of a machine is unknown, unless it is given", () => {
        const nodes = [...observed.nodes, node("d", "large", "m7i.large")];
        const without = account({ ...observed, nodes });
        assert.deepEqual([without.unpriced, without.free], [["m7i.large"], undefined]);
        assert.ok(without.namespaces.every(({ price }) => price === undefined));
        assert.deepEqual(
            without.pools.map(({ price }) => price !== undefined),
            [true, true, false],
        );
        const priced = account({ ...observed, nodes, prices: { "m7i.large": 70 } });
        assert.equal(priced.pools.at(-1)!.price, 70);
        assert.match(
            renderUsage(without, (text) => text),
            /^no price is known for m7i\.large: use --price TYPE=DOLLARS$/m,
        );
    });

    it("is what the whole pod requests, if it does so in place of its containers", () => {
        const spec = {
            initContainers: [container("3", "1Mi")],
            containers: [container("500m", "4Mi")],
            resources: { requests: { cpu: "2" } },
            overhead: { cpu: "250m" },
        };
        assert.deepEqual(requestOf(pod("a", "a", "n", spec)), { cpu: 2.25, memory: 4 * 2 ** 20 });
        const limited = { containers: [container("500m", "4Mi")], resources: { limits: { memory: "1Gi" } } };
        assert.deepEqual(requestOf(pod("a", "a", "n", limited)), { cpu: 0.5, memory: 4 * 2 ** 20 });
    });

    it("has no price of a machine type that a node only pretends to have", () => {
        const nodes = ["constructor", "__proto__", "toString"].map((type, at) => ({
            ...node(`n${at}`, "default", type),
            metadata: {
                name: `n${at}`,
                labels: { "node.kubernetes.io/instance-type": type, "topology.kubernetes.io/region": "x" },
            },
        }));
        const { pools, free, unpriced, elsewhere } = account({ ...observed, nodes });
        assert.deepEqual([pools[0]!.price, free, elsewhere], [undefined, undefined, []]);
        assert.deepEqual(unpriced, ["__proto__", "constructor", "toString"]);
    });

    it("is unknown, with the reason, if metrics-server does not answer this user", async () => {
        for (const [status, said] of [
            [403, "403: no"],
            [503, "503: no"],
        ] as const) {
            const call = async <T>(path: string) => {
                if (path.includes("metrics")) throw new ApiError(status, "no");
                return { items: [] } as T;
            };
            const text = renderUsage(account(await observe({ call }, {})), (each) => each);
            assert.ok(text.includes(`CPU and memory in use are unknown: metrics-server answers ${said}\n`), text);
        }
    });

    it("is no use of nothing while metrics-server knows no pod yet", () => {
        const unknown = account({ ...observed, metrics: [] });
        assert.ok([...unknown.pools, ...unknown.namespaces].every(({ used }) => used === undefined));
        const text = renderUsage(unknown, (each) => each);
        assert.match(text, /^CPU and memory in use are unknown: metrics-server has no metrics of pods yet$/m);
    });

    it("names the region of known prices if machines are in another one", () => {
        const labels = { "node.kubernetes.io/instance-type": "t3.medium" };
        const inRegion = (region: string) => ({
            metadata: { name: "x", labels: { ...labels, "topology.kubernetes.io/region": region } },
        });
        const shown = (region: string, prices = {}) =>
            renderUsage(account({ nodes: [inRegion(region)], pods: [], prices }), (text) => text);
        const note = /^the price of t3\.medium is that of us-east-1, not of eu-central-1: use --price TYPE=DOLLARS$/m;
        assert.match(shown("eu-central-1"), note);
        assert.doesNotMatch(shown("us-east-1"), /the price of/);
        assert.doesNotMatch(shown("eu-central-1", { "t3.medium": 35 }), /the price of/);
    });

    it("is shown as two tables, with what is used if there is a metrics-server", () => {
        const usage = (cpu: string, memory: string) => ({ usage: { cpu, memory } });
        const metrics = [{ metadata: { name: "till", namespace: "shop" }, containers: [usage("250m", "64Mi")] }];
        const text = renderUsage(account({ ...observed, metrics }), (each) => each);
        assert.equal(
            text,
            [
                "POOL        NODES  CPU REQUESTED  CPU USED  MEMORY REQUESTED          MEMORY USED  A MONTH",
                "controller  1      1 of 2 (50 %)  -         1024 MiB of 4096 MiB (25 %)  -            $30.37",
                "default     2      1 of 4 (25 %)  0.25      1024 MiB of 8192 MiB (13 %)  64 MiB       $60.74",
                "",
                "NAMESPACE        PODS  CPU REQUESTED  CPU USED  MEMORY REQUESTED  MEMORY USED  A MONTH",
                "kube-system      1     1              -         1024 MiB          -            $11.39",
                "shop             1     1              0.25      1024 MiB          64 MiB       $11.39",
                "(not requested)                                                                $68.33",
                "",
                "1 of 2 running pods has no metrics and counts as using nothing",
                "",
            ]
                .join("\n")
                .replace(
                    "MEMORY REQUESTED          MEMORY USED  A MONTH\nc",
                    "MEMORY REQUESTED             MEMORY USED  A MONTH\nc",
                ),
        );
        assert.match(
            renderUsage(account(observed), (each) => each),
            /^CPU and memory in use are unknown: the cluster has no metrics-server/m,
        );
    });
});
