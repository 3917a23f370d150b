import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { Checkpointer } from "../../../../agents/checkpointer/checkpointer";
import { defaultTimings } from "../../../../agents/checkpointer/plan";
import { sanitise } from "../../../../agents/checkpointer/sanitise";
import type { RuntimePod } from "../../../../clients/containerd/pods";
import type { NodePod } from "../../../../clients/kubernetes/kubelet-api";
import type { Container } from "../../../../clients/kubernetes/objects";
import { checkpointerPlan } from "../../../../cluster/manifests/control-plane/checkpointer";
import { fixedCluster } from "../../components/in-cluster/fixture";
import { layOut, listedPod, scratch } from "./example";

const good = listedPod("kube-scheduler");
// Without an address nothing has to answer on it.
const { "tradewind.dev/loopback-address": _, ...annotations } = good.metadata.annotations!;
const scheduler: NodePod = { ...good, metadata: { ...good.metadata, annotations } };

const nasty = fc.constantFrom(
    ...["../../kube-system/daemonsets/kube-apiserver", "..", "a/b", "kube-apiserver", "kube-scheduler", "checkpointer"],
    ...["(a+)+$", '.*"securityContext"', "securityContext", "\u0000", "a\nb", "", "__proto__", "constructor", "%2e%2e"],
);
const text = fc.oneof(nasty, fc.string({ maxLength: 20 }));
const namespace = fc.constantFrom("prod", "kube-system", "../kube-system", "default", "kube-system/..");
const name = fc.oneof(
    text,
    text.map((set) => `${set}-abcde`),
    fc.constantFrom("kube-apiserver-fghij", "kube-scheduler-6d4cf5-fghij", "kube-controller-manager-00000"),
);
const address = fc.oneof(
    text,
    fc.constantFrom("127.64.1.1", "127.0.0.1", "169.254.169.254", "127.64.1.1|runAsNonRoot", '","securityContext.*?,"'),
);
const port = fc.oneof(
    fc.constantFrom<unknown>("https", "6443", -1, 0, 65_536, 1.5, null, undefined, Number.NaN, {}, [1]),
    fc.integer(),
);
const httpGet = fc.record({ port, path: text, scheme: text, host: address }, { requiredKeys: [] });
const volume = fc
    .record({
        name: text,
        kind: fc.constantFrom("secret", "configMap", "hostPath", "emptyDir", "projected", "csi", "downwardAPI", "odd"),
    })
    .map(({ name: own, kind }) => ({ name: own, [kind]: { secretName: "x", path: "/" } }));
const securityContext = fc.record({ runAsNonRoot: fc.boolean(), runAsUser: fc.nat(), label: address });
const container = fc.record(
    {
        name: text,
        command: fc.array(fc.oneof(text, address)),
        env: fc.array(fc.record({ name: text, value: address })),
        readinessProbe: fc.oneof(fc.record({ httpGet }), fc.constant({})),
        volumeMounts: fc.array(fc.record({ name: text, mountPath: text, readOnly: fc.boolean() })),
        securityContext,
    },
    { requiredKeys: ["name"] },
);
const hostile: fc.Arbitrary<NodePod> = fc
    .record({
        metadata: fc.record(
            {
                name,
                namespace,
                uid: fc.constantFrom("uid-1", "uid-2", "..", "a/b"),
                labels: fc.dictionary(
                    fc.constantFrom("controller-revision-hash", "pod-template-hash", "k8s-app", "__proto__"),
                    text,
                ),
                annotations: fc.record(
                    {
                        "tradewind.dev/checkpoint": fc.constantFrom("true", "true", "false"),
                        "tradewind.dev/loopback-address": address,
                        "tradewind.dev/checkpoint-of": text,
                        "kubernetes.io/config.source": fc.constantFrom("api", "file"),
                        "kubernetes.io/config.mirror": text,
                    },
                    { requiredKeys: ["tradewind.dev/checkpoint"] },
                ),
                ownerReferences: fc.array(
                    fc.record({ kind: fc.constantFrom("DaemonSet", "Job"), name: text, controller: fc.boolean() }),
                ),
            },
            { requiredKeys: ["name", "namespace", "uid", "annotations"] },
        ),
        spec: fc.record(
            { containers: fc.array(container, { minLength: 1 }), volumes: fc.array(volume), securityContext },
            { requiredKeys: ["containers"] },
        ),
        status: fc.constant(good.status),
    })
    .map((pod) => pod as unknown as NodePod);

const alive = ({
    metadata: { name: own, namespace: at, uid, labels = {}, annotations: all = {} },
    spec: { containers },
}: NodePod): RuntimePod => ({
    ...{ name: own, namespace: at, uid, labels, annotations: all },
    isAlive: true,
    running: containers.map(({ name: each }) => each),
});

/** What is on the disk after reconciles of a node where these pods run next to a good one. */
async function afterObservations(
    root: string,
    pods: readonly NodePod[],
): Promise<{ saved: string[]; copies: string[] }> {
    const directories = {
        checkpoints: join(root, "checkpoints"),
        staticPods: join(root, "manifests"),
        state: root,
        kubeletPods: join(root, "pods"),
    };
    mkdirSync(directories.staticPods);
    layOut(directories.kubeletPods, { plugin: "kubernetes.io~secret", name: "credentials" }, { key: "secret" });
    const timings = Object.fromEntries(Object.keys(defaultTimings).map((each) => [each, 0]));
    const checkpointer = new Checkpointer({
        plan: { ...checkpointerPlan(fixedCluster()), directories, timings },
        ownUid: "own",
        runtime: async () => [...pods, scheduler].map(alive),
        api: {
            pods: async () => [...pods, scheduler],
            node: async () => ({ isLeaving: false, hasRole: true, isReady: true }),
            publish: async () => undefined,
            remove: async () => assert.fail("it removes nothing"),
        },
        log: () => undefined,
    });
    for (let time = 0; time < 3; time++) await checkpointer.reconcile();
    const saved = readdirSync(directories.checkpoints).flatMap((at) =>
        readdirSync(join(directories.checkpoints, at)).map((set) => `${at}/${set}`),
    );
    return { saved, copies: readdirSync(directories.staticPods) };
}

describe("next to any kind of pod the checkpointer", function () {
    this.timeout(120_000);

    const within = async <T>(run: (root: string) => Promise<T>): Promise<T> => {
        const root = scratch();
        try {
            return await run(root);
        } finally {
            rmSync(root, { recursive: true });
        }
    };

    it("saves what the plan names, never throws, and copies nothing from another namespace or owner", () =>
        fc.assert(
            fc.asyncProperty(fc.array(hostile, { maxLength: 4 }), (pods) =>
                within(async (at) => {
                    const { saved } = await afterObservations(at, pods);
                    assert.ok(saved.includes("kube-system/kube-scheduler"), "the good one is saved");
                    const planned = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "checkpointer"];
                    for (const parent of saved) {
                        assert.ok(
                            planned.some((set) => parent === `kube-system/${set}`),
                            parent,
                        );
                        const set = parent.slice("kube-system/".length);
                        const isGenuine = ({ metadata }: NodePod) =>
                            metadata.namespace === "kube-system" &&
                            metadata.ownerReferences?.find(({ controller }) => controller)?.name === set;
                        assert.ok([...pods, scheduler].some(isGenuine), `${parent} is owned by a planned DaemonSet`);
                    }
                    assert.deepEqual(readdirSync(join(at, "pods")), ["uid-1"], "nothing is written elsewhere");
                }),
            ),
            { numRuns: 40 },
        ));

    it("keeps the securityContext in a copy, and mounts saved files read-only", () => {
        const contexts = (containers: readonly Container[]) => containers.map((each) => each.securityContext);
        let copied = 0;
        fc.assert(
            fc.property(hostile, address, (pod, own) => {
                const all = { ...pod.metadata.annotations, "tradewind.dev/loopback-address": own };
                const { spec } = pod;
                let copy: ReturnType<typeof sanitise>;
                try {
                    copy = sanitise({ ...pod, metadata: { ...pod.metadata, annotations: all } }, "/saved");
                } catch (error) {
                    assert.equal((error as Error).name, "NotCheckpointable");
                    return;
                }
                copied++;
                // Only the address may differ.
                const same = (value: unknown) =>
                    JSON.stringify(value ?? null)
                        .replaceAll(copy.address ?? own, "<address>")
                        .replaceAll(own === "" ? "<none>" : own, "<address>");
                assert.equal(same(copy.spec.securityContext), same(spec.securityContext));
                assert.equal(same(contexts(copy.spec.containers)), same(contexts(spec.containers)));
                const saved = copy.volumes.map((each) => each.name);
                for (const { volumeMounts = [] } of copy.spec.containers) {
                    for (const mount of volumeMounts) assert.ok(!saved.includes(mount.name) || mount.readOnly === true);
                }
                for (const each of copy.spec.volumes ?? []) {
                    const { path } = (each.hostPath ?? {}) as { path?: string };
                    assert.ok(path === undefined || path === "/" || /^\/saved\/[-.a-z0-9]+$/.test(path), path);
                }
            }),
            { numRuns: 3000 },
        );
        assert.ok(copied > 20, `${copied} were copied`);
    });

    // Reproduced from an audit.
    it("copies no pod of another namespace whose owner's name is a path to the control plane", () =>
        within(async (at) => {
            const owner = { kind: "DaemonSet", name: "../../kube-system/daemonsets/kube-apiserver", controller: true };
            const metadata = { ...scheduler.metadata, namespace: "prod", name: "web-abcde", ownerReferences: [owner] };
            const { saved, copies } = await afterObservations(at, [{ ...scheduler, metadata }]);
            assert.deepEqual(saved, ["kube-system/kube-scheduler"]);
            assert.deepEqual(copies, []);
            assert.equal(existsSync(join(at, "checkpoints/prod")), false);
        }));

    for (const [what, change] of [
        ["an address that is a pattern", { address: '127.64.1.1|"securityContext"' }],
        ["an address elsewhere", { address: "169.254.169.254" }],
        ["a port with a name", { port: "https" }],
        ["an invalid port", { port: 99_999 }],
    ] as const) {
        it(`saves the others next to one with ${what}, and reports why that one is not saved`, () =>
            within(async (at) => {
                const { metadata, spec, status } = listedPod("kube-apiserver");
                const own = "address" in change ? change.address : "127.64.1.1";
                const [first, ...others] = spec.containers;
                const httpGet = { host: own, port: "port" in change ? change.port : 6443 };
                const bad: NodePod = {
                    metadata: {
                        ...metadata,
                        annotations: { ...metadata.annotations, "tradewind.dev/loopback-address": own },
                    },
                    spec: { ...spec, containers: [{ ...first!, readinessProbe: { httpGet } }, ...others] },
                    status,
                };
                const { saved } = await afterObservations(at, [bad]);
                assert.deepEqual(saved, ["kube-system/kube-scheduler"]);
                const { "kube-system/kube-apiserver": reported } = JSON.parse(
                    readFileSync(join(at, "status.json"), "utf8"),
                );
                assert.match(
                    reported.refused,
                    /^(tradewind.dev\/loopback-address is not an IPv4 address|container kube-apiserver has a)/,
                );
            }));
    }
});
