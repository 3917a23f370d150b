import assert from "node:assert/strict";
import { type ClusterFacts, known, type MachineInside, unknown } from "../../../../../cli/status/facts";
import { judge } from "../../../../../cli/status/judge";
import { controller, healthy, machine, member, node, parts, pod, refuses, silent, silentMember } from "../sample";

const findings = (facts: ClusterFacts) => judge(facts).findings;
const adviceOf = (facts: ClusterFacts, code: string) => findings(facts).find((each) => each.code === code)?.advice;

/** A machine of a controller that has served, with these checkpoints on its disk. */
const served = (name: string, saved: readonly string[], change: Partial<MachineInside> = {}) =>
    machine(name, {
        inside: known({ kubelet: "ok", containerd: "active", checkpointer: {}, saved, ...change }),
    });

/** No API, and etcd runs: what machines report decides. */
const down = (machines: ReturnType<typeof machine>[], running: readonly string[] = ["etcd"], change = {}) =>
    silent({
        isLocal: true,
        api: { url: "https://10.0.0.3:6443", serving: refuses },
        controllers: machines.map(({ name }) => controller(name, { apiserver: refuses })),
        machines: known(machines),
        pods: known(running.map((part) => pod(part, "c-0", { state: "running" }))),
        ...change,
    });

describe("status suggests tradewind recover", () => {
    describe("--from etcd without an API", () => {
        const advice = (facts: ClusterFacts) => adviceOf(facts, "api-down");

        it("if no controller has a control plane or a checkpoint of it", () => {
            assert.equal(advice(down([served("c-0", [])])), "tradewind recover --from etcd --name demo");
            assert.equal(
                advice(down([served("c-0", []), served("c-1", ["kube-scheduler"])])),
                "tradewind recover --from etcd --name demo",
            );
        });

        const others: [string, ClusterFacts][] = [
            ["a checkpoint exists", down([served("c-0", []), served("c-1", ["kube-apiserver"])])],
            ["an apiserver runs", down([served("c-0", [])], ["etcd", "kube-apiserver"])],
            ["etcd does not run", down([served("c-0", [])], [])],
            ["a kubelet is down", down([served("c-0", [], { kubelet: "does not answer" })])],
            ["containerd is down", down([served("c-0", [], { containerd: "failed" })])],
            ["a controller does not answer", down([served("c-0", []), machine("c-1", { inside: unknown("no") })])],
            [
                "a controller is off",
                down([served("c-0", []), machine("c-1", { state: "exited", inside: unknown("") })]),
            ],
            ["the cluster is being created", down([served("c-0", [], { checkpointer: undefined })])],
            ["machines cannot be asked", down([], [], { controllers: [controller("c-0")], machines: undefined })],
            ["nothing can be reached", silent()],
        ];
        for (const [what, facts] of others) {
            it(`not if ${what}`, () => assert.doesNotMatch(advice(facts) ?? "", /recover/));
        }
    });

    describe("--from api", () => {
        const manager = "kube-controller-manager";
        const lost = (ageSeconds: number, change: Partial<ClusterFacts> = {}) =>
            healthy({
                pods: known(parts.filter((part) => part !== manager).map((part) => pod(part, "c-0"))),
                leaders: known([{ component: manager, node: "c-0", ageSeconds, leaseSeconds: 15 }]),
                ...change,
            });
        const saved = { checkpoints: known([{ node: "c-0", component: manager, savedAt: "2026-11-20T06:00:00Z" }]) };
        const advice = (facts: ClusterFacts) => adviceOf(facts, "no-leader");

        it("if no process leads, no pod exists that could, and no copy takes over", () => {
            assert.match(advice(lost(30))!, /tradewind recover --from api$/);
            assert.match(advice(lost(200, saved))!, /tradewind recover --from api$/);
        });

        it("not while a copy may take over, while a pod exists, or without knowing the pods", () => {
            for (const facts of [
                lost(30, saved),
                lost(30, { pods: known(parts.map((part) => pod(part, "c-0"))) }),
                lost(30, { pods: unknown("x") }),
            ]) {
                assert.match(advice(facts)!, /^kubectl -n kube-system logs -l k8s-app=kube-controller-manager$/);
            }
        });
    });

    it("--from snapshot once a majority of etcd's members is lost for good, and not for one of three", () => {
        const etcd = (...members: ReturnType<typeof member>[]) => healthy({ etcd: known({ members, alarms: [] }) }, 3);
        const two = etcd(member("c-0"), silentMember("c-1"), silentMember("c-2"));
        assert.match(adviceOf(two, "etcd-no-quorum")!, /If that is impossible.*tradewind recover --from snapshot$/);
        const one = etcd(member("c-0"), member("c-1"), silentMember("c-2"));
        assert.ok(findings(one).every(({ advice = "" }) => !advice.includes("recover")));
    });
});

describe("status names a command for a machine", () => {
    const lost = { isReady: false, problem: "x" };
    const faults = (isLocal: boolean) =>
        findings(
            healthy({
                isLocal,
                nodes: known([node("c-0"), node("w-0", lost)]),
                named: ["w-9"],
                machines: known([
                    machine("c-0"),
                    machine("w-0", { inside: known({ kubelet: "does not answer", containerd: "failed" }) }),
                    machine("w-1", { state: "paused" }),
                    machine("w-2", { state: "exited" }),
                    machine("w-3", { inside: unknown("it hangs") }),
                ]),
            }),
        );

    it("as it is run: in a local cluster's container", () => {
        const advice = faults(true).map(({ code, advice: text }) => [code, text]);
        const inside = "docker exec tradewind-demo-w-0";
        assert.deepEqual(
            advice.filter(([code]) => code !== "node-missing"),
            [
                [
                    "containerd-down",
                    `${inside} systemctl restart containerd; if it does not stay up: ${inside} journalctl -u containerd -n 50`,
                ],
                [
                    "kubelet-down",
                    `${inside} systemctl restart kubelet; if it does not stay up: ${inside} journalctl -u kubelet -n 50`,
                ],
                ["machine-off", "docker unpause tradewind-demo-w-1"],
                ["machine-off", "npm start -- --name demo"],
                ["machine-silent", "docker restart tradewind-demo-w-3; its console: docker logs tradewind-demo-w-3"],
                [
                    "node-not-ready",
                    `Check that its machine is running and reaches the API, then ${inside} journalctl -u kubelet -n 50`,
                ],
            ],
        );
    });

    it("and where, on a cloud", () => {
        const text = faults(false).find(({ code }) => code === "kubelet-down")?.advice;
        assert.match(text!, /^systemctl restart kubelet \(on w-0\); /);
    });
});
